"""Every context gives the kernel parameters that it claims, under the signatures that `Context` documents."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import evergraph as tf
import evergraph.ops
from evergraph.base import errors
from evergraph.compile.contexts import NumpyContext, TraceContext
from evergraph.graph.registry import REGISTRY
from evergraph.kernel.calling import MEANINGS, OF_SESSIONS
from evergraph.kernel.context import AbstractContext, Check, Context, FoldingContext, Shared

CONTEXTS = {
    "numpy": lambda: NumpyContext({}.get, lambda key, make: make()),
    "trace": lambda: TraceContext({}.get),
    "folding": FoldingContext,
    "abstract": AbstractContext,
}
METHODS = [name for name, member in vars(Context).items() if inspect.isfunction(member) and not name.startswith("_")]
OF_NODES = [name for name in MEANINGS if name not in ("xp", "node", "context")]

every_context = pytest.mark.parametrize("context", [make() for make in CONTEXTS.values()], ids=list(CONTEXTS))


def node_with_a_stream():
    return tf.random_uniform([2], seed=3).op


def parameters(function):
    return [(p.name, p.kind) for p in inspect.signature(function).parameters.values() if p.name != "self"]


@every_context
@pytest.mark.parametrize("method", METHODS)
def test_methods_take_what_the_protocol_says(context, method):
    assert parameters(getattr(context, method)) == parameters(getattr(Context, method))


@every_context
@pytest.mark.parametrize("name", OF_NODES)
def test_a_context_gives_what_it_claims_and_refuses_the_rest(context, name):
    node = node_with_a_stream()
    if name in context.gives:
        assert getattr(context, name)(node) is not None
    else:
        with pytest.raises(errors.InternalError, match=node.type):
            getattr(context, name)(node)


@every_context
def test_claims_are_parameters_that_mean_something(context):
    assert context.gives <= MEANINGS.keys()
    assert {"xp", "node", "check"} <= context.gives


@every_context
def test_check_has_one_signature(context):
    check = context.check(node_with_a_stream())
    assert parameters(check) == parameters(Check.__call__)
    check(True, "never seen {}", 1)
    check(np.ones(2, bool), "never seen")


@pytest.mark.parametrize("kind", ["numpy", "trace", "folding"])
def test_a_concrete_check_fails_at_once_and_shows_its_data(kind):
    check = CONTEXTS[kind]().check(node_with_a_stream())
    with pytest.raises(errors.InvalidArgumentError, match="index 7 of 3 is outside"):
        check(np.array([True, False]), "index {} of {} is outside", 7, np.int32(3))


def test_abstract_shapes_decide_no_check():
    AbstractContext().check(node_with_a_stream())(False, "decided when the step runs {}", 1)


def test_shared_objects_belong_to_the_node_or_to_a_key():
    made = {}
    context = NumpyContext({}.get, lambda key, make: made.setdefault(key, make()))
    shared = context.shared(node_with_a_stream())
    assert parameters(shared) == parameters(Shared.__call__)
    assert shared(list) is shared(list)
    assert shared(list, "of all") is made["of all"] is not shared(list)


@every_context
def test_concrete_inputs_mean_numpy(context):
    assert context.xp(np.zeros(2), np.float32(1)) is np


def test_needing_a_session_is_said_once():
    for module in pkgutil.walk_packages(evergraph.ops.__path__, "evergraph.ops."):
        importlib.import_module(module.name)
    for opdef in REGISTRY.values():
        assert opdef.is_pure == (not opdef.stateful and not opdef.needs_session), opdef.name
        assert not opdef.is_foldable or opdef.is_pure and OF_SESSIONS.isdisjoint(opdef.wants), opdef.name
        if opdef.is_pure:  # such a kernel runs without a session, under one of these
            assert AbstractContext.gives.issuperset(MEANINGS.keys() & set(opdef.wants)), opdef.name
    pure = {name for name, opdef in REGISTRY.items() if opdef.is_pure}
    assert {"MatMul", "Reshape", "Conv2D", "TensorListStack"} <= pure
    assert pure.isdisjoint({"Assign", "RandomUniform", "StatelessIf", "Batch", "ResourceGather", "PartitionedCall"})
    assert REGISTRY["Reshape"].is_foldable


def test_ops_on_objects_of_a_session_are_not_folded():
    batched, index, number = tf.constant([[1.0]]), tf.constant([[0, 0, 1]], tf.int64), tf.constant(0, tf.int64)
    part = tf.raw_ops.Unbatch(batched_tensor=batched, batch_index=index, id=number, timeout_micros=1)
    assert tf.contrib.util.constant_value(part) is None
