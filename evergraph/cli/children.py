"""Processes that a program of `evergraph run` starts by multiprocessing's "spawn" and "forkserver".

They begin as fresh interpreters, where `tensorflow` would not be evergraph. The first thing that such a process reads
is what multiprocessing prepares it with. An object among that, `Beginning`, does there what the command did for the
parent. The program's main file, which such a process runs again, is not rewritten there; the modules that it imports
are.
"""

from __future__ import annotations

import importlib
from multiprocessing import spawn
from typing import Any


class Beginning:
    """What makes evergraph answer to `import tensorflow` in the process that reads it.

    Args:
        legacy: whether the program is lent what its libraries have removed.
        python2: whether its modules are converted from Python 2.
    """

    def __init__(self, legacy: bool, python2: bool) -> None:
        self._options = legacy, python2

    def __reduce__(self) -> tuple[Any, ...]:
        return begin, self._options


def begin(legacy: bool, python2: bool) -> None:
    """Makes evergraph answer to `import tensorflow` in this process and in those that it starts."""
    importlib.import_module("evergraph.as_tensorflow")
    if legacy:
        importlib.import_module("evergraph.cli.legacy.lending").install(python2)
    follow(legacy, python2)


def follow(legacy: bool, python2: bool) -> None:
    """Has processes that this one starts begin as it did."""
    prepared = spawn.get_preparation_data

    def prepared_for_tensorflow(name: str) -> dict[str, Any]:
        return {**prepared(name), "evergraph": Beginning(legacy, python2)}

    spawn.get_preparation_data = prepared_for_tensorflow
