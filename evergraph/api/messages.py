"""Where programs that use TensorFlow's messages import them from: `from tensorflow.core.framework import graph_pb2`.

Each such module is evergraph's own module of that message, so that a message made through one name is one of the other.
"""

import importlib
import importlib.abc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = frozenset({
    "tensorflow.core", "tensorflow.core.example", "tensorflow.core.framework", "tensorflow.core.lib",
    "tensorflow.core.lib.core", "tensorflow.core.protobuf", "tensorflow.core.util",
})  # fmt: skip
HOME = "evergraph.proto"


class MessageFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports `tensorflow.core.<package>.<messages>_pb2`."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None):
        if fullname in PACKAGES:
            return ModuleSpec(fullname, self, is_package=True)
        package, _, name = fullname.rpartition(".")
        if package in PACKAGES and name.endswith("_pb2") and hasattr(importlib.import_module(HOME), name):
            return ModuleSpec(fullname, self)
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """An empty module, to begin with."""

    def exec_module(self, module: ModuleType) -> None:
        """Puts the module that holds the messages in this one's place; a package stays empty."""
        if module.__name__ not in PACKAGES:
            name = module.__name__.rpartition(".")[2]
            sys.modules[module.__name__] = getattr(importlib.import_module(HOME), name)
