"""What a row of the table is, and the decorators that add one; `tf` is the package being measured.

- `@step("name")`: the function builds a graph and returns a step to call again and again. What is timed is one call,
  or, if the step returns a number, one of the things it says it made.
- `@process("name")`: the function is the whole program of a fresh process. What is timed is the process from its start,
  or, if the function returns a number, that many seconds.

A module of rows is named in `MODULES`; `all_rows` imports them all.
"""

import dataclasses
import importlib
import time
from collections.abc import Callable

STARTED = time.perf_counter()  # in a worker, before it imports the package

MODULES = ("benchmarks.programs", "benchmarks.networks", "benchmarks.recommend", "benchmarks.files", "benchmarks.input",
           "benchmarks.estimators", "benchmarks.eager", "benchmarks.autograph", "benchmarks.changing",
           "benchmarks.keras", "benchmarks.replicas")


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table: what it is called, how it is timed, the program, and the compile cache it finds."""

    name: str
    kind: str
    program: Callable
    cache: str = "warm"


_rows: dict[str, Row] = {}


def all_rows():
    """Every row by name, in the order of the table."""
    for module in MODULES:
        importlib.import_module(module)
    return _rows


def step(name):
    return _row(name, "step")


def process(name, cache="warm"):
    """`cache="cold"`: every process starts with an empty compile cache."""
    return _row(name, "process", cache)


def _row(name, kind, cache="warm"):
    def decorate(program):
        _rows[name] = Row(name, kind, program, cache)
        return program
    return decorate


def run_step(tf, fetches, feeds):
    """A function that runs `fetches` once in a session whose variables are initialized."""
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def run():
        session.run(fetches, feeds)
    return run


def run_pipeline(tf, batch, size):
    """A function that takes a batch of a graph whose queue runners go on filling queues."""
    session = tf.Session()
    tf.train.start_queue_runners(session)

    def run():
        session.run(batch)
        return size
    return run
