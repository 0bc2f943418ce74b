"""Modules of packages that evergraph stands in for: `import horovod.tensorflow`, where Horovod is not installed."""

import importlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_HOME = "evergraph.horovod"
STAND_INS = {
    "horovod": _HOME,
    "horovod.tensorflow": f"{_HOME}.tensorflow",
    "horovod.tensorflow.compression": f"{_HOME}.compression",
    "horovod.tensorflow.keras": f"{_HOME}.keras",
    "horovod.tensorflow.keras.callbacks": f"{_HOME}.callbacks",
    "horovod.keras": f"{_HOME}.keras",
    "horovod.keras.callbacks": f"{_HOME}.callbacks",
}
"""A module that programs import -> the one of ours that it is."""


class StandIns:
    """Imports modules of ours by the names of others. It stands last among importers: what is installed comes first."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None):
        return ModuleSpec(fullname, self, is_package=True) if fullname in STAND_INS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module with the names of ours; below it others are found by their own rows."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        found = vars(importlib.import_module(STAND_INS[module.__name__]))
        vars(module).update({name: value for name, value in found.items() if not name.startswith("__")})
        vars(module)["__version__"] = importlib.import_module(_HOME).__version__
