"""Ends programs that train for ever, at moments of a test's choice."""

import contextlib
import subprocess
import sys
import time


def ended(program, folder, how, seconds):
    """Runs a module with a folder as its argument, and sends it a signal some time after its first line of output.

    Python ignores an interrupt that arrives in the callback of a weak reference, so the signal is sent again.

    Returns:
        The status that it ended with.
    """
    child = subprocess.Popen([sys.executable, "-m", program, folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert child.stdout.readline()
        time.sleep(seconds)
        for _ in range(4):
            child.send_signal(how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.communicate(timeout=15)
                return child.returncode
        raise AssertionError(f"{program} went on after four signals {how}")
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
