"""Lazy public namespaces over the generated table of names.

`evergraph`, `evergraph.nn`, `evergraph.compat.v1.train`, `tensorflow.contrib.slim` are all Namespace modules. The
first time one is asked for an attribute it looks the dotted name up in NAMES, imports the module that defines it, and
keeps the value. `X.compat.v1` mirrors the whole of `X`. What is not public is looked up in the table of TensorFlow's
private paths (private_paths.py): `tensorflow.python.ops.array_ops` is a Namespace too.

Some namespaces share their name with a room: `tf.train` and evergraph/train/. There the room is the namespace. When
Python has imported a submodule it binds it on the parent package with setattr, and a Namespace answers that setattr by
making the submodule a Namespace too. So `evergraph.train` is one module, which contains the room's files and answers to
the public names; a public name wins over a file of the same name (`tf.layers.dense` is the function, whatever is in
evergraph/layers/dense.py).
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from evergraph.api import private_paths
from evergraph.api.names import NAMES
from evergraph.api.removed import UNNAMED, old_meanings, replacement
from evergraph.base.fillers import fill_with

MIRROR = "compat.v1"
LATER = "compat.v2"
KERAS_API = "contrib.keras.api"
SAME = (f"{KERAS_API}.keras", "contrib.keras")  # these are tf.keras
PRIVATE_ALONE = ("contrib.keras.python",)  # below a package of tf.contrib of which nothing public is here
OPS = "evergraph.graph.registry"
VOCABULARY = "evergraph.frontend.operators"  # gives tensors their operators: needed before a program has its first one


held_by = ModuleType.__dict__["__dict__"].__get__  # what a module holds by now


class Namespace(ModuleType):
    """A module whose attributes are the public names below it."""

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """What the module holds, with all names below it: programs go through `tf.contrib.rnn.__dict__`.

        A room's own files ask for what it holds while it is imported: there it is that alone.
        """
        held = held_by(self)
        for name in () if "__file__" in held else dir(self):
            if name not in held and home(public_name(f"{self.__name__}.{name}")):
                getattr(self, name)
        return held

    # A module's own way to an attribute, in a class with __getattr__, takes six times as long to a name that is there.
    __getattribute__ = object.__getattribute__

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return [child for child in dir(self) if not child.startswith("_")]
        child = f"{self.__name__}.{name}"
        dotted = public_name(child)
        if is_namespace(child):
            value = importlib.import_module(child)
        elif home(dotted):
            value = load(dotted)
        else:
            raise AttributeError(absent(self.__name__, name), name=name, obj=self)
        held_by(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        child = f"{self.__name__}.{name}"
        if isinstance(value, ModuleType) and value.__name__ == child:  # the import system binds a submodule
            if home(public_name(child)):
                return
            if is_namespace(child) and not is_plain(child):
                become_namespace(value)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(children_of(public_name(self.__name__)))


def become_namespace(module: ModuleType) -> None:
    """Makes an imported module answer to the public names below it; what it already holds stays."""
    if isinstance(module, Namespace):
        return
    module.__class__ = Namespace
    held_by(module).setdefault("__path__", [])  # below the file contrib/crf.py is the namespace tf.contrib.crf.python
    for name, value in list(held_by(module).items()):  # submodules its own import has bound already
        if isinstance(value, ModuleType) and value.__name__ == f"{module.__name__}.{name}":
            del held_by(module)[name]
            setattr(module, name, value)


class Called(ModuleType):
    """A module inside TensorFlow whose package has a function of the same name: calls of it are calls of the function.

    `contrib.framework.python.ops.arg_scope` is both, and an import of the module binds it in the place of the function.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return vars(self)[self.__name__.rpartition(".")[2]](*args, **kwargs)


class Finder:
    """Imports the namespaces below one root that have no file of their own: `import evergraph.nn`.

    A private path may be a module of ours: `tensorflow.core.framework.graph_pb2` is the one of evergraph.proto, so that
    a message made through one name is one of the other.

    It has no base in importlib.abc, whose import took a fourth of the time of `import evergraph`.
    """

    def __init__(self, root: str) -> None:
        self.root = root

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None):
        if fullname.partition(".")[0] != self.root:
            return None
        if is_namespace(fullname):
            return ModuleSpec(fullname, self, is_package=True)
        if isinstance(private_module(fullname), ModuleType):
            return ModuleSpec(fullname, self)
        if is_missing(public_name(fullname)):
            # With name= it would be taken for an ordinary absence, and `from m import x` would not show the message.
            raise ModuleNotFoundError(absent(*fullname.rsplit(".", 1)))
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A namespace; for a module inside TensorFlow an ordinary one, so that programs may add what it lacks."""
        if not is_plain(spec.name):
            return Namespace(spec.name)
        return Called(spec.name) if home(public_name(spec.name)) else ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Puts a module of ours in the place of the new one, or the names of the table into it."""
        if not is_namespace(module.__name__):
            sys.modules[module.__name__] = private_module(module.__name__)
        elif not isinstance(module, Namespace):
            dotted = public_name(module.__name__)
            for name in children_of(dotted):
                if home(f"{dotted}.{name}"):
                    setattr(module, name, load(f"{dotted}.{name}"))
                else:
                    importlib.import_module(f"{module.__name__}.{name}")  # a module inside this one


def install() -> None:
    """Makes the package `evergraph` the root namespace."""
    become_namespace(sys.modules["evergraph"])
    sys.meta_path.append(Finder("evergraph"))  # last: a room's files come first
    fill_with(declare_all)


def declare_all() -> None:
    """Declares all ops, for programs that may have asked for no public name yet."""
    imported(VOCABULARY)
    importlib.import_module("evergraph.ops").declare_all()


def home(dotted: str) -> str | None:
    """The "module:attribute" behind a public name or a private path; None where there is no such name."""
    if private_paths.is_private(dotted):
        return private_paths.homes().get(dotted)
    return NAMES.get(dotted)


def load(dotted: str) -> Any:
    """The object behind a public name or a private path."""
    target = home(dotted)
    if target is None:
        raise KeyError(dotted)
    return fetched(target, dotted)


def private_module(fullname: str) -> Any:
    """The object behind the private path of a module to import; None for other paths."""
    dotted = public_name(fullname)
    return load(dotted) if private_paths.is_private(dotted) and home(dotted) else None


def fetched(target: str, dotted: str = "") -> Any:
    """The object that "module:attribute" is, which a program knows as tf.`dotted`."""
    place, _, attribute = target.partition(":")
    if not place.startswith("evergraph.base."):
        imported(VOCABULARY)
    module = imported(place)
    if attribute.startswith("@"):  # an op, by its own name
        return importlib.import_module(OPS).REGISTRY[attribute[1:]]
    held = held_by(module)
    if attribute not in held and isinstance(module, Namespace):  # a room, of which a file is meant
        return imported(f"{place}.{attribute}")
    if attribute not in held and "__getattr__" in held:  # a module that makes its attributes when asked
        return held["__getattr__"](attribute)
    try:
        return held[attribute]
    except KeyError:
        raise ImportError(
            f"tf.{dotted} should be {attribute} of {place}, which has none: run python -m evergraph.api.generate"
        ) from None


def imported(module: str) -> ModuleType:
    """A module of evergraph, imported wholly: in a thread of its own, which no signal interrupts.

    NumPy cannot be imported again after an interrupt has left a part of it behind, and modules declare ops, which
    exist once. A program is interrupted while it waits; the next one that asks waits for the same thread.
    """
    held = sys.modules.get(module)
    if held is not None and not getattr(held.__spec__, "_initializing", False):
        return held
    from evergraph.base.aside import aside  # it imports threading, which `import evergraph` does without

    return aside(importlib.import_module, module)


def public_name(module: str) -> str:
    """The dotted name below the root that a module stands for: "tensorflow.compat.v1.nn" -> "nn", a root -> ""."""
    dotted = module.partition(".")[2]
    while dotted == MIRROR or dotted.startswith(MIRROR + "."):
        dotted = dotted[len(MIRROR) + 1 :]
    for kind in SAME:
        if f"{dotted}.".startswith(f"{kind}.") and not dotted.startswith(PRIVATE_ALONE) and dotted != KERAS_API:
            dotted = dotted[len(kind) - len("keras"):]
    while dotted.startswith(f"{LATER}.compat.v"):  # tf.compat.v2 has both flavours below it
        dotted = public_name(f"tf.{dotted[len(LATER) + 1:]}")
    return dotted


def is_namespace(module: str) -> bool:
    """Whether there are names below this module's name."""
    dotted = public_name(module)
    return bool(children_of(dotted)) and (not home(dotted) or is_plain(module))


def is_plain(module: str) -> bool:
    """Whether the module is one inside TensorFlow that has names, rather than a package of such modules."""
    dotted = public_name(module)
    return private_paths.is_private(dotted) and dotted in private_paths.rows()


def children_of(dotted: str) -> Set[str]:
    """The names directly below a namespace; below a public one, those that are public."""
    return (private_children() if private_paths.is_private(dotted) else children()).get(dotted, frozenset())


@cache
def children() -> Mapping[str, set[str]]:
    """Public namespace -> the names directly below it; the root is ""."""
    return _tree((*NAMES, *PRIVATE_ALONE, *SAME, MIRROR, f"{LATER}.{MIRROR}", f"{LATER}.{LATER}"))


@cache
def private_children() -> Mapping[str, set[str]]:
    """Module of TensorFlow's -> the private names directly below it."""
    return _tree(private_paths.homes())


def _tree(names: Iterable[str]) -> Mapping[str, set[str]]:
    tree: defaultdict[str, set[str]] = defaultdict(set)
    for dotted in names:
        while dotted:
            parent, _, leaf = dotted.rpartition(".")
            if leaf in tree[parent]:
                break
            tree[parent].add(leaf)
            dotted = parent
    return dict(tree)


@cache
def tensorflow_names() -> frozenset[str]:
    """What TensorFlow 1.15 has: its public names, and the namespaces above them."""
    return _with_namespaces("tensorflow_names.txt")


@cache
def contrib_names() -> frozenset[str]:
    """What its tf.contrib has, as far as public programs and TensorFlow's tests use it."""
    return _with_namespaces("contrib_names.txt")


def _with_namespaces(table: str) -> frozenset[str]:
    names = Path(__file__).with_name(table).read_text().split()
    return frozenset(name.rsplit(".", level)[0] for name in names for level in range(name.count(".") + 1))


def is_missing(dotted: str) -> bool:
    """Whether TensorFlow 1.15 has something by this name, public or private, that evergraph does not have."""
    known = contrib_names() if dotted.startswith("contrib.") else tensorflow_names()
    return (dotted in known or dotted in private_paths.missing()) and not home(dotted)


def absent(module: str, name: str) -> str:
    """Says what a program asked for in vain, and whether TensorFlow would have had it."""
    text = f"module '{module}' has no attribute '{name}'"
    dotted = public_name(f"{module}.{name}")
    if name.startswith("__"):
        return text
    if is_missing(dotted):
        root = "tensorflow" if private_paths.is_private(dotted) else "tf"
        text += f": TensorFlow 1.15 has {root}.{dotted}, evergraph does not have it yet"
    elif new := replacement(dotted):
        text += f": TensorFlow 1.0 replaced it by tf.{new}; `evergraph run --allow-removed-names` gives it back"
    return text


def allow_removed_names() -> None:
    """Gives the names and arguments that TensorFlow 1.0 removed their old meaning, for the rest of the process."""
    NAMES.update({**dict(old_meanings()), **UNNAMED})
    children.cache_clear()
