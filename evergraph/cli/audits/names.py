"""Looks names up in evergraph's tables, without loading what they name, and says what to do about those it lacks."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from evergraph.api.names import NAMES
from evergraph.api.namespace import LATER, MIRROR, children_of, home, is_missing, is_namespace, public_name
from evergraph.api.removed import replacement

_IN_CPP = "ops in C++ cannot be loaded; compute it with TensorFlow's ops or in tf.py_func"
_TPUS = "for TPUs of Google's cloud; tf.distribute.MirroredStrategy uses the devices that there are"
REMEDIES: Mapping[str, str] = {
    "compat.v2": "a name of TensorFlow 2; use the one of tf.compat.v1",
    "contrib.lite": "tf.lite has the converter and the interpreter",
    "contrib.tensorrt": "for TensorRT; leave it out, XLA compiles the graph",
    "distribute.experimental.TPUStrategy": _TPUS,
    "distribute.TPUStrategy": _TPUS,
    "load_op_library": _IN_CPP,
    "load_library": _IN_CPP,
    "sysconfig": _IN_CPP,
}
"""Name or namespace -> what to do without it."""

_OF_MODULES = frozenset(
    ["__dict__", "__doc__", "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__"]
)


@cache
def missing(path: str) -> str | None:
    """The first part of a dotted path that evergraph lacks, "tensorflow.contrib.lite"; None when it has all of it."""
    module, *words = path.split(".")
    for word in words:
        child = f"{module}.{word}"
        if word in _OF_MODULES or home(public_name(child)):
            return None
        if not is_namespace(child):
            return child
        module = child
    return None


def shown(path: str) -> str:
    """A name as programs write it: tf.nn.relu, tensorflow.python.ops.array_ops."""
    root, _, dotted = path.partition(".")
    if root != "tensorflow" or dotted.startswith(("python", "core")):
        return path
    return f"tf.{dotted.removeprefix(MIRROR + '.')}"


def is_removed(path: str) -> bool:
    """Whether a missing name is one that TensorFlow 1.0 removed and --allow-removed-names gives back."""
    return replacement(public_name(path)) is not None


@cache
def remedy(path: str) -> str:
    """What to do about a name that evergraph lacks: what replaced it, where it is, or which is nearest."""
    dotted = public_name(path)
    if new := replacement(dotted):
        return f"TensorFlow 1.0 replaced it by {shown(f'tensorflow.{new}')}; --allow-removed-names runs it as it is"
    known = next((text for name, text in REMEDIES.items() if f"{dotted}.".startswith(f"{name}.")), None)
    later = f"{LATER}.{dotted}"
    return known or (f"TensorFlow 2's name, here tf.{later}" if home(later) else _elsewhere(path, dotted))


def refusal(path: str) -> str:
    """What to do about a name that evergraph has only to refuse it."""
    dotted = public_name(path)
    return next((text for name, text in REMEDIES.items() if f"{dotted}.".startswith(f"{name}.")), "leave it out")


def _elsewhere(path: str, dotted: str) -> str:
    parent, _, last = path.rpartition(".")
    state = "TensorFlow 1.15 has it, evergraph not yet" if is_missing(dotted) else ""
    is_module = public_name(parent) in ("", "contrib", "python", "python.ops", "python.framework") and last.islower()
    twins = [] if is_module else _by_last_word().get(last, [])
    if twins:
        hint = f"there is tf.{min(twins, key=lambda name: (name.count('.'), name))}"
    else:
        near = difflib.get_close_matches(last, sorted(children_of(public_name(parent))), 1, 0.8)
        hint = f"nearest is {shown(f'{parent}.{near[0]}')}" if near else ""
    return "; ".join(filter(None, [state, hint])) or "no name of TensorFlow 1.15"


@cache
def _by_last_word() -> Mapping[str, list[str]]:
    """Last word -> the public names that end in it; raw ops are no replacement for functions."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name in NAMES:
        if not name.startswith(("raw_ops.", "compat.v2.")):
            names[name.rpartition(".")[2]].append(name)
    return names
