"""A plugin of pytest: writes one JSON line a test as it ends, and stops tests that take too long."""

import json
import os
import signal
import sys
import time

import pytest
from absl import flags

_LIMIT = int(os.environ.get("LIBRARIES_TEST_LIMIT", "60"))


class TooLong(BaseException):
    """A test ran longer than it may: no `except Exception` of the program takes it."""


def _write(**fields):
    with open(os.environ["LIBRARIES_RECORD"], "a", encoding="utf-8") as file:
        file.write(json.dumps(fields) + "\n")


def _stop(number, frame):
    raise TooLong(f"longer than {_LIMIT} s")


def pytest_sessionstart():
    """Does for all files what they do as programs: parses flags, which are none, and turns on TensorFlow 2's ways."""
    sys.argv = sys.argv[:1]
    if os.environ.get("LIBRARIES_V2"):
        import tensorflow

        tensorflow.compat.v1.enable_v2_behavior()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    """Runs a test with an alarm set."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)


def pytest_collection_finish(session):
    """Writes down which tests there are, so that those that never end are counted."""
    _write(collected=[item.nodeid for item in session.items])
    flags.FLAGS.mark_as_parsed()


def pytest_collectreport(report):
    """Writes down a file that cannot be imported."""
    if report.failed:
        _write(id=report.nodeid, status="not collected", why=_last_line(report), seconds=0.0)


def pytest_runtest_logreport(report):
    """Writes down a test that ended, or whose preparation failed."""
    if report.when == "call" or report.outcome != "passed":
        status = {"passed": "passed", "skipped": "skipped"}.get(report.outcome, "failed")
        _write(id=report.nodeid, status=status, why="" if status == "passed" else _last_line(report),
               seconds=round(report.duration, 2), at=time.time())


def _last_line(report):
    """The error as pytest marks it: the line that says what was raised."""
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[-1])
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return next(iter(crash.message.strip().splitlines()), "")[:400]
    marked = [line[1:].strip() for line in str(report.longrepr).splitlines() if line.startswith("E ")]
    return marked[-1][:400] if marked else str(report.longrepr).strip().splitlines()[-1][:400]
