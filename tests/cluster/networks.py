"""Two machines with a network between them that can be cut: network namespaces, which only root can make."""

import contextlib
import itertools
import os
import shutil
import subprocess
import sys

from tests.cluster.processes import Process

HOSTS = "10.77.0.1", "10.77.0.2"
_numbers = itertools.count()


class Network:
    """Two namespaces, each with an end of one cable.

    Attributes:
        names: what the system calls them.
    """

    def __init__(self):
        number = next(_numbers)
        self.names = [f"eg{os.getpid()}n{number}{side}" for side in "ab"]
        self._cables = [f"eg{os.getpid() % 10_000}{number}{side}" for side in "ab"]

    def __enter__(self):
        try:
            for name in self.names:
                _ip("netns", "add", name)
            _ip("link", "add", self._cables[0], "netns", self.names[0], "type", "veth", "peer", "name",
                self._cables[1], "netns", self.names[1])
            for name, cable, host in zip(self.names, self._cables, HOSTS):
                _ip("-n", name, "addr", "add", f"{host}/24", "dev", cable)
                _ip("-n", name, "link", "set", cable, "up")
                _ip("-n", name, "link", "set", "lo", "up")
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *error):
        for name in self.names:
            with contextlib.suppress(subprocess.CalledProcessError):
                _ip("netns", "del", name)

    def process(self, side, words, environment=None):
        """A program in a process of one of the machines; see `Process`."""
        return Process(["netns", "exec", self.names[side], sys.executable, *words], environment, python="ip")

    def cut(self):
        _ip("-n", self.names[0], "link", "set", self._cables[0], "down")

    def mend(self):
        _ip("-n", self.names[0], "link", "set", self._cables[0], "up")


def can_be_made():
    """Whether this process may make networks."""
    if sys.platform != "linux" or not shutil.which("ip") or os.getuid():
        return False
    try:
        with Network():
            return True
    except subprocess.CalledProcessError:
        return False


def _ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)
