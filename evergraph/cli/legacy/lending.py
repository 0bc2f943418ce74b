"""Gives the program of this process the names of older packages, as modules are imported."""

from __future__ import annotations

import importlib
import os
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from evergraph.cli.legacy.ledger import lend
from evergraph.cli.legacy.messages import renewed
from evergraph.cli.legacy.names import LENT, MODULES, WRAPPED
from evergraph.cli.legacy.rewrite import rewritten
from evergraph.cli.python2.convert import tool

Makers = Mapping[str, Callable[[Any], Any]]
"""Function by its dotted name -> what makes one of it that takes what it once took."""

_WHOLE = MODULES | {name.rpartition(".")[0] for name in WRAPPED}
_PACKAGES = frozenset(
    module.rsplit(".", level)[0] for module in _WHOLE for level in range(1, module.count(".") + 1)
) - _WHOLE  # fmt: skip
"""Packages above the modules that have lent names, such as scipy.sparse.linalg.eigen."""

_INSTALLED = tuple(
    folder + os.sep for folder in (
        sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    )
)  # fmt: skip
"""Where Python, its packages and evergraph are; asked once, because Python 3.13 imports a module to answer."""


_AS_OLD = ("keras.datasets.", "keras_preprocessing.")
"""Installed modules, by how their names begin, that no release will mend: they are lent what the program is."""


def install(python2: bool = False) -> None:
    """Lends from now on, for the rest of the process; with `python2` the program's sources are for that."""
    makers = {name: _fetched(home) for name, home in WRAPPED.items()}  # imports NumPy before it is hooked
    if python2:
        tool()
    sys.meta_path.insert(0, Finder(makers, python2))
    for name in _WHOLE | _PACKAGES:
        if name in sys.modules:
            hook(sys.modules[name], makers)


class Finder:
    """Hooks modules that have lent names when they are imported, makes those that are gone, rewrites the program's."""

    def __init__(self, makers: Makers, python2: bool = False) -> None:
        self._makers = makers
        self._python2 = python2
        self._asking: set[str] = set()

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        if fullname in self._asking:
            return None
        if fullname in _WHOLE or fullname in _PACKAGES:
            return self._hooked(fullname, path, target)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        if fullname.endswith("_pb2"):
            spec.loader = _Renewing(fullname, spec.loader.path)
            return spec
        if fullname.startswith(_AS_OLD) or is_of_program(spec.origin):
            spec.loader = _Rewriting(fullname, spec.loader.path)
            spec.loader.python2 = self._python2
            return spec
        return None

    def _hooked(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None) -> Any:
        self._asking.add(fullname)
        try:
            found = (finder.find_spec(fullname, path, target) for finder in sys.meta_path[1:])
            spec = next((each for each in found if each is not None), None)
        finally:
            self._asking.discard(fullname)
        if spec is None:
            return ModuleSpec(fullname, _Gone(self._makers), is_package=True) if _is_gone(fullname) else None
        if spec.loader is not None:
            spec.loader = _Hooking(spec.loader, self._makers)
        return spec


class _Rewriting(SourceFileLoader):
    """Loads a source of the program with its calls rewritten; bytecode of it is neither read nor written."""

    python2 = False

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return rewritten(self.get_data(path), path, self.python2)


class _Renewing(SourceFileLoader):
    """Loads a module of protocol messages, also one that an old compiler wrote."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        tree = renewed(self.get_data(path))
        return super().get_code(fullname) if tree is None else compile(tree, path, "exec")


class _Hooking:
    """Loads a module as another loader does, then lends it its old names."""

    def __init__(self, loader: Any, makers: Makers) -> None:
        self._loader = loader
        self._makers = makers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        hook(module, self._makers)


class _Gone:
    """Makes a module that newer releases no longer have."""

    def __init__(self, makers: Makers) -> None:
        self._makers = makers

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ in MODULES:
            lend(module.__name__)
        hook(module, self._makers)


def hook(module: ModuleType, makers: Makers) -> None:
    """Lets a module answer to its lost names, and its functions take what they took."""
    held = vars(module)
    if module.__name__ in _PACKAGES:
        held.setdefault("__path__", [])  # scipy.sparse.linalg.eigen has become a module
    held["__getattr__"] = _answer(module.__name__, held.get("__getattr__"))
    for name, maker in makers.items():
        owner, _, function = name.rpartition(".")
        if owner == module.__name__ and function in held:
            held[function] = maker(held[function])


def _answer(module: str, otherwise: Callable[[str], Any] | None) -> Callable[[str], Any]:
    def answer(name: str) -> Any:
        dotted = f"{module}.{name}"
        if dotted not in LENT:
            if otherwise is not None:
                return otherwise(name)
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        lend(dotted)
        return _fetched(LENT[dotted])

    return answer


def is_of_program(path: str | None) -> bool:
    """Whether a source belongs to the program: neither Python's, nor an installed package's, nor evergraph's."""
    if path is None:
        return False
    path = os.path.abspath(path)
    return "site-packages" not in path and not path.startswith(_INSTALLED)


def _is_gone(module: str) -> bool:
    """Whether a module is gone from a package that is installed; without the package there is nothing to lend for."""
    root = module.partition(".")[0]
    return root in sys.modules or root in sys.stdlib_module_names or root in ("imp", "distutils")


def _fetched(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)
