"""Every declared op is TensorFlow's: the same inputs, outputs, attrs, defaults, allowed values and statefulness."""

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import evergraph as tf
import evergraph.ops
from evergraph.base.dtypes import as_dtype
from evergraph.graph.opdef import REGISTRY, op
from evergraph.graph.traits import ANY, Kind, TypeOf
from evergraph.kernel.calling import MEANINGS
from evergraph.tools.signature_text import differences, from_opdef_entry

DATA = Path(__file__).parent / "data"
RECORDED = json.loads((DATA / "ops.json").read_text())
# Ops younger than TensorFlow 1.15, each recorded on purpose: see tests/record_ops.py.
LATER = json.loads((DATA / "ops_later.json").read_text())
# Attrs that ops of TensorFlow 1.15 have got since, recorded with them.
LATER_ATTRS = json.loads((DATA / "attrs_later.json").read_text())
# Dtypes that ops of TensorFlow 1.15 allow since; ours may allow them, too.
LATER_TYPES = json.loads((DATA / "types_later.json").read_text())
# Ops of TensorFlow 1.15 that its contrib brought in libraries of its own.
CONTRIB = json.loads((DATA / "ops_contrib.json").read_text())
# Ops of its tensorflow.python.framework.test_ops.
OF_TESTS = json.loads((DATA / "ops_of_tests.json").read_text())


def declared():
    """The names of all ops, once every module that declares some is imported."""
    for module in pkgutil.walk_packages(evergraph.ops.__path__, "evergraph.ops."):
        importlib.import_module(module.name)
    importlib.import_module("evergraph.debug.test_ops")
    return sorted(REGISTRY)


def is_private(name):
    return name.startswith(("_", "Evergraph"))


def as_of_115(declared):
    """A signature without the dtypes that TensorFlow has allowed since."""
    later = {attr: {as_dtype(name) for name in names} for attr, names in LATER_TYPES.get(declared.name, {}).items()}
    attrs = (replace(a, allowed=tuple(t for t in a.allowed if t not in later.get(a.name, ()))) for a in declared.attrs)
    return replace(declared, attrs=tuple(attrs))


@pytest.mark.parametrize("name", declared())
def test_declaration_is_tensorflows(name):
    opdef = REGISTRY[name]
    assert opdef.signature.name == opdef.name == name
    if is_private(name):
        return
    entry = RECORDED.get(name) or LATER.get(name) or CONTRIB.get(name) or OF_TESTS.get(name)
    assert entry is not None, f"TensorFlow has no op {name}; a private one begins with '_' or 'Evergraph'"
    assert not differences(as_of_115(opdef.signature), from_opdef_entry(name, entry))
    assert opdef.stateful == entry.get("stateful", False), f"stateful={not opdef.stateful} is wanted"


def test_kernels_ask_for_what_there_is():
    for name in declared():
        opdef = REGISTRY[name]
        known = {part.name for part in (*opdef.signature.inputs, *opdef.signature.attrs)} | MEANINGS.keys()
        assert set(opdef.wants) <= known, f"the kernel of {name} asks for {set(opdef.wants) - known}"
        assert set(opdef.static) <= known, f"{name} has no inputs {set(opdef.static) - known}"


def test_functions_of_ops_have_tensorflows_parameters():
    axis = "All Any EuclideanNorm ExpandDims Max Mean Min Prod Split SplitV Squeeze Sum".split()
    assert all("axis" in inspect.signature(REGISTRY[name]).parameters for name in axis)
    assert list(inspect.signature(REGISTRY["Select"]).parameters) == ["condition", "x", "y", "name"]
    assert list(inspect.signature(REGISTRY["Where"]).parameters) == ["condition", "name"]
    with tf.Session() as session:
        assert session.run(tf.raw_ops.Squeeze(input=tf.raw_ops.Sum(input=[[1, 2]], axis=[1]), axis=[0])) == 3


def test_later_ops_are_later_and_used():
    assert not LATER.keys() & RECORDED.keys()
    assert not LATER.keys() - REGISTRY.keys(), "recorded, but never declared"


def test_later_attrs_are_declared_with_the_ops_that_have_them():
    recorded = {(name, attr) for name, attrs in LATER_ATTRS.items() if name in REGISTRY for attr in attrs}
    assert {(name, attr) for name in declared() for attr in REGISTRY[name].later} == recorded


def test_the_neutral_value_of_a_later_attr_is_its_default():
    for name, attrs in LATER_ATTRS.items():
        for attr, (kind, facets) in attrs.items():
            meaning = REGISTRY[name].later[attr] if name in REGISTRY else ANY
            if meaning is not ANY and not isinstance(meaning, TypeOf):
                default = as_dtype(facets["default"]) if kind == "type" else facets["default"]
                assert meaning == default, (name, attr)


def test_traits_fit_their_ops():
    for name in declared():
        opdef = REGISTRY[name]
        inputs = {part.name for part in opdef.signature.inputs}
        attrs = set(opdef.signature.attr)
        assert opdef.updates_rows is None or opdef.updates_rows in inputs, name
        assert opdef.kind is not Kind.SHAPE or opdef.static_value is not None, name
        assert opdef.kind is not Kind.CONSTANT or "value" in attrs, name
        assert opdef.kind is not Kind.IF or {"then_branch", "else_branch"} <= attrs, name
        assert opdef.kind is not Kind.WHILE or {"cond", "body"} <= attrs, name
        assert all(m.input in inputs for m in opdef.later.values() if isinstance(m, TypeOf)), name
        assert not attrs & opdef.later.keys(), f"{name} declares attrs that it calls later ones"


def test_a_trait_that_does_not_exist_is_refused():
    with pytest.raises(TypeError, match="heavy"):
        op("EvergraphNothing() -> ()", heavy=True)(lambda: None)


def test_an_op_of_a_program_may_be_the_first_that_is_called():
    """Nothing has asked for a public name yet, so that no other op was declared."""
    program = """
from evergraph.graph.opdef import op
@op("ProgramsOwn(a: float) -> b: float")
def own(xp, a):
    return a + 1
print(own([1.0, 2.0]).shape)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(2,)\n"
