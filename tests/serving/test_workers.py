"""A signal that comes while a worker begins reaches it."""

import subprocess
import sys

import pytest

ENDED_AT_FORK = """
import os, signal, time
from evergraph.serving.options import Options
from evergraph.serving.workers import Workers

class Sleeping(Workers):
    def _work(self, place, tell):
        time.sleep(600)

os.register_at_fork({moment}=lambda: os.kill(os.getpid(), signal.SIGTERM))
print(Sleeping(Options(rest_port=0, grpc_port=None), 1).run())
"""


@pytest.mark.parametrize("moment, status", [("after_in_parent", "0"), ("after_in_child", "1")])
def test_sigterm_as_a_worker_begins(moment, status):
    """The parent ends its only worker and itself; workers that are ended as soon as they begin are given up."""
    script = [sys.executable, "-c", ENDED_AT_FORK.format(moment=moment)]
    assert subprocess.run(script, capture_output=True, text=True, timeout=120).stdout.strip() == status
