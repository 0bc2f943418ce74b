import subprocess
import sys

import pytest
from absl import flags as absl_flags

from evergraph.base import flags, logging

PROGRAM = """
import absl.logging
import numpy as np
from evergraph.base import flags, logging
flags.DEFINE_string(flag_name="name", default_value="none", docstring="whose name")
flags.DEFINE_integer("times", np.power(1, 2), "how often")

def main(argv):
    print(argv[1:], flags.FLAGS.name, flags.FLAGS.times)
    logging.info("loss = %g", 0.5)
    logging.set_verbosity(logging.WARN)
    logging.info("hidden")
    for step in range(5):
        logging.log_every_n(logging.WARN, "every %d", 2, step)
        logging.log_first_n(logging.ERROR, "first %d", 1, step)
    absl.logging.error("from absl")

flags.run()
"""


def test_a_program_with_flags_and_messages():
    command = [sys.executable, "-c", PROGRAM, "--times=3", "--unknown=1", "rest"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "['--unknown=1', 'rest'] none 3\n"
    *lines, last = done.stderr.splitlines()
    assert lines == [
        "INFO:tensorflow:loss = 0.5",
        "WARNING:tensorflow:every 0",
        "ERROR:tensorflow:first 0",
        "WARNING:tensorflow:every 2",
        "WARNING:tensorflow:every 4",
    ]
    assert last.endswith("] from absl")


def test_a_program_defines_flags_that_absl_s_modules_have():
    program = """
import absl.app, absl.logging
from evergraph.base import flags
flags.DEFINE_string("log_dir", "logs", "where the events go")
flags.DEFINE_integer("v", 3, "how much to say")
flags.DEFINE_boolean("pdb", None, "whether to stop")
print(flags.FLAGS.log_dir, flags.FLAGS.v, flags.FLAGS.pdb)
try:
    flags.DEFINE_string("log_dir", "other", "a second one")
except flags.DuplicateFlagError:
    flags.run(lambda argv: print("refused"))
"""
    done = subprocess.run([sys.executable, "-c", program, "--v=1"], capture_output=True, text=True, check=True)
    assert done.stdout == "logs 1 None\nrefused\n"


@pytest.fixture
def own_flags():
    values = absl_flags.FlagValues()
    wrapped = flags.ParsedFlags(values)
    absl_flags.DEFINE_string("fruit", "apple", "a fruit", flag_values=wrapped)
    return wrapped, values


def test_flags_are_parsed_when_first_read(own_flags, monkeypatch):
    wrapped, values = own_flags
    monkeypatch.setattr(sys, "argv", ["program", "--fruit=pear"])
    assert not wrapped.is_parsed()
    assert wrapped.fruit == "pear" and wrapped.is_parsed()
    wrapped.fruit = "plum"
    assert values.fruit == "plum"


def test_flags_behave_as_absl_s(own_flags):
    wrapped, values = own_flags
    assert list(wrapped) == dir(wrapped) == ["fruit"] and len(wrapped) == 1 and "fruit" in wrapped
    assert wrapped["fruit"] is values["fruit"] and str(wrapped) == str(values)
    wrapped(["program", "--fruit=fig"])
    assert values.fruit == "fig"
    del wrapped.fruit
    with pytest.raises(AttributeError):
        _ = wrapped.fruit


def test_messages_reach_the_tensorflow_logger(caplog):
    logger = logging.get_logger()
    before = logger.level
    try:
        logging.set_verbosity("DEBUG")
        assert logging.get_verbosity() == logging.DEBUG
        logging.debug("a %s", "b")
        logging.warn("c")
        logging.fatal("d")
        logging.log_if(logging.ERROR, "no", False)
        logging.log_if(logging.ERROR, "yes", True)
        logging.vlog(1, "too fine")
        logging.TaskLevelStatusMessage("e")
        logging.flush()
    finally:
        logging.set_verbosity(before)
    found = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert found == [("DEBUG", "a b"), ("WARNING", "c"), ("CRITICAL", "d"), ("ERROR", "yes"), ("ERROR", "e")]
    assert {record.filename for record in caplog.records} == {"test_logging_and_flags.py"}
