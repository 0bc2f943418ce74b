"""Every public name that TensorFlow 1.15 has too takes TensorFlow's parameters: the same names, in the same order."""

import collections
import inspect
import json
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.api.names import NAMES

API = json.loads((Path(__file__).parent / "data" / "api.json").read_text())

# What differs from TensorFlow on purpose, each with the reason.
DIFFERENT = {
    "tf.Operation.__init__": "operations are made by Graph.create_op, never by programs",
}


def resolve(name):
    """The object behind "tf.nn.relu"."""
    value = tf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def parameters(function):
    try:
        return [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    except (TypeError, ValueError):  # a builtin that does not tell
        return None


def accepts(function, wanted):
    """Whether a function can be called with the recorded parameters ("x", "name=None"), by name and by place."""
    have = parameters(function)
    if wanted is None or have is None:
        return True
    names = [text.partition("=")[0] for text in wanted if not text.startswith("*")]
    names = [name for name in names if name not in ("self", "cls", "instance")]
    any_place = any(p.kind is p.VAR_POSITIONAL for p in have)
    any_name = any(p.kind is p.VAR_KEYWORD for p in have)
    if any_place and any_name:
        return True
    placed = [p.name for p in have if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    in_order = all(mine == theirs for mine, theirs in zip(placed, names))
    return in_order and (any_name or {*names} <= {p.name for p in have})


def differences(name):
    """What about an object is not as TensorFlow 1.15 documents it: its or its method's name -> an explanation."""
    entry, target = API[name], resolve(name)
    if entry["kind"] == "function":
        if not accepts(target, entry["args"]):
            yield name, f"takes {inspect.signature(target)}, TensorFlow's ({', '.join(entry['args'])})"
        return
    for method, wanted in entry.get("methods", {}).items():
        if not hasattr(target, method):
            yield f"{name}.{method}", "is missing"
        elif not accepts(target if method == "__init__" else getattr(target, method), wanted):
            mine = inspect.signature(getattr(target, method))
            yield f"{name}.{method}", f"takes {mine}, TensorFlow's ({', '.join(wanted)})"


def by_namespace(names):
    groups = collections.defaultdict(list)
    for name in sorted(names):
        groups[name.rpartition(".")[0] or "tf"].append(name)
    return groups


SHARED = by_namespace({f"tf.{name}" for name in NAMES} & API.keys())


@pytest.mark.parametrize("namespace", SHARED)
def test_parameters_are_tensorflows(namespace):
    found = [difference for name in SHARED[namespace] for difference in differences(name)]
    wrong = [f"{what} {text}" for what, text in found if what not in DIFFERENT]
    assert not wrong, "\n".join(wrong)


def test_what_is_listed_as_different_is():
    found = {what for names in SHARED.values() for name in names for what, _ in differences(name)}
    assert DIFFERENT.keys() - found == set()
