"""Where programs find names that they take from TensorFlow's insides: `from tensorflow.python.ops import array_ops`.

insides.txt says under which public name (or, after "=", where in evergraph) each of those is. A module of
`tensorflow.python` holds what evergraph has of its names; what is private to TensorFlow is not there.
"""

import importlib.abc
import importlib.machinery
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from evergraph.api.names import NAMES
from evergraph.api.namespace import fetched, load

ROOT = "tensorflow."


class InsideFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of insides.txt, and the packages they are in."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None):
        dotted = fullname.removeprefix(ROOT)
        if dotted == fullname or not (held(dotted) or dotted in packages()):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=dotted in packages())

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """An ordinary module, so that what it lacks may be added to it."""

    def exec_module(self, module: ModuleType) -> None:
        for name, home in held(module.__name__.removeprefix(ROOT)).items():
            setattr(module, name, fetched(home) if ":" in home else load(home))


@cache
def table() -> Mapping[str, Mapping[str, str]]:
    """Module -> its names -> the public name of each, or module:attribute."""
    modules: dict[str, dict[str, str]] = {}
    for word in Path(__file__).with_name("insides.txt").read_text().split():
        if word.endswith(":"):
            names = modules.setdefault(word[:-1], {})
            continue
        name, _, home = word.rpartition("=")
        names[name or home.rpartition(".")[2]] = home
    return modules


def held(module: str) -> Mapping[str, str]:
    """The names of a module that evergraph has."""
    return {name: home for name, home in table().get(module, {}).items() if ":" in home or home in NAMES}


@cache
def packages() -> frozenset[str]:
    """What is above the modules of the table."""
    parts = [name.split(".") for name in table()]
    return frozenset(".".join(words[:length]) for words in parts for length in range(1, len(words)))
