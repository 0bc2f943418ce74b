"""Ends programs that train for ever, at moments of a test's choice."""

import subprocess
import sys
import time


def ended(program, folder, how, seconds):
    """Runs a module with a folder as its argument, and sends it a signal some time after its first line of output.

    Returns:
        The status that it ended with.
    """
    child = subprocess.Popen([sys.executable, "-m", program, folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert child.stdout.readline()
        time.sleep(seconds)
        child.send_signal(how)
        child.communicate(timeout=60)
        return child.returncode
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
