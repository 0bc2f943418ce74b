"""Arguments of kernels: the plan, its interpreted form and its lowered form."""

import importlib
import pkgutil

import numpy as np
import pytest

import evergraph as tf
import evergraph.ops
from evergraph.compile.lower import lower
from evergraph.graph.registry import REGISTRY
from evergraph.graph.shaping import static_value
from evergraph.kernel import calling
from evergraph.kernel.calling import argument_plan, call_kernel, evaluate, is_mistake


class Recorded(Exception):
    """Carries the arguments that a kernel was called with."""


class Recording:
    """A context that answers with the question."""

    def __getattr__(self, name):
        return lambda *arguments: (name, *arguments)


def record(*arguments):
    raise Recorded(arguments)


def case_of_functions():
    with tf.Graph().as_default():
        node = tf.switch_case(integers(), [lambda: tf.constant(1.0), lambda: tf.constant(2.0)])
        return next(n for n in node.graph._nodes if n.type in ("Case", "StatelessCase"))


def floats(*shape):
    return tf.placeholder(tf.float32, list(shape))


def integers(*shape):
    return tf.placeholder(tf.int32, list(shape))


NODES = {
    "xp and attrs": lambda: tf.matmul(floats(2, 3), floats(3, 4), transpose_b=False).op,
    "dtype attrs": lambda: tf.cast(floats(2), tf.int64).op,
    "a list before a static input": lambda: tf.concat([floats(2), floats(3), floats(4)], integers()).op,
    "a static input": lambda: tf.reshape(floats(4), integers(2)).op,
    "a list of tensors": lambda: tf.identity_n([floats(2), integers()])[0].op,
    "a list of dtypes": lambda: tf.raw_ops.DecodeCSV(
        records=tf.placeholder(tf.string, [2]), record_defaults=[[1.0], ["a"]])[0].op,
    "a list of one attr": lambda: tf.stack([floats(2), floats(2)]).op,
    "check": lambda: tf.raw_ops.GatherV2(params=floats(5, 2), indices=integers(3), axis=0).op,
    "inputs between lists": lambda: tf.sparse_concat(0, [tf.sparse_placeholder(tf.float32, [2, 2])] * 2).indices.op,
    "two lists": lambda: tf.raw_ops.DynamicStitch(
        indices=[integers(2)] * 2, data=[floats(2), floats(2)]).op,
    "a random stream": lambda: tf.random_uniform([3], seed=1).op.inputs[0].op.inputs[0].op,
    "a reference": lambda: tf.assign(tf.Variable(1.0, use_resource=False), floats()).op,
    "a reference that is read": lambda: tf.negative(tf.Variable(1.0, use_resource=False)._ref()).op,
    "rows of a reference": lambda: tf.scatter_add(
        tf.Variable([1.0, 2.0], use_resource=False), integers(1), floats(1)).op,
    "a resource": lambda: tf.Variable(1.0, use_resource=True).assign_add(floats()).op,
    "a cell": lambda: tf.Variable(1.0, use_resource=True).handle.op,
    "functions": lambda: tf.cond(tf.placeholder(tf.bool, []), lambda: 1.0, lambda: 2.0).op.inputs[0].op,
    "a list of functions": case_of_functions,
    "a shared object": lambda: tf.FIFOQueue(3, tf.float32).queue_ref.op,
}  # fmt: skip


@pytest.mark.parametrize("make", NODES.values(), ids=list(NODES))
def test_lowered_calls_give_the_arguments_of_the_plan(make, monkeypatch):
    node = make()
    monkeypatch.setattr(node.opdef, "kernel", record)
    values = [object() for _ in node._inputs]
    context = Recording()
    with pytest.raises(Recorded) as interpreted:
        call_kernel(context, node, values)
    tensors = list(dict.fromkeys(node._inputs))
    given = [values[list(node._inputs).index(t)] for t in tensors]
    with pytest.raises(Recorded) as lowered:
        lower([node], tensors, []).call(context, *given)
    repeated = {id(v): given[tensors.index(t)] for v, t in zip(values, node._inputs, strict=True)}
    assert _with(lowered.value.args[0], {}) == _with(interpreted.value.args[0], repeated)
    assert len(lowered.value.args[0]) == len(node.opdef.wants) > 0


def test_static_lists_are_static_one_by_one(declare):
    opdef = declare("EvergraphSizes(x: float, sizes: N * int32, *, N: int >= 1) -> y: float", lambda x, sizes: x,
                    static=("sizes",), shape=lambda: None)
    node = opdef(floats(), [integers(), integers()]).op
    x, first, second = node._inputs
    assert calling.arguments(node, [1, 2, 3], calling._Now(Recording())) == [
        1, [("static", 2, first), ("static", 3, second)]]


def _with(value, replaced):
    """The arguments, with one value for each tensor that is an input twice."""
    if isinstance(value, (tuple, list)):
        return type(value)(_with(each, replaced) for each in value)
    return replaced.get(id(value), value)


def test_every_kernel_has_a_plan():
    for module in pkgutil.walk_packages(evergraph.ops.__path__, "evergraph.ops."):
        importlib.import_module(module.name)
    for opdef in REGISTRY.values():
        assert tuple(argument.name for argument in opdef.argument_plan) == tuple(opdef.wants)


def test_a_kernel_cannot_ask_for_what_does_not_exist(declare):
    opdef = declare("EvergraphAsks(x: float) -> y: float", lambda x, nothing: x)
    with pytest.raises(TypeError, match="EvergraphAsks asks for 'nothing'"):
        argument_plan(opdef)


def test_inputs_and_attrs_come_before_other_meanings(declare):
    opdef = declare("EvergraphOwnNames(check: float, *, node: int) -> y: float", lambda check, node: check * node,
                    shape=lambda check: check)
    node = opdef(np.float32([2, 3]), node=5).op
    assert evaluate(node, [np.float32([2, 3])])[0].tolist() == [10, 15]


def test_results_are_flattened_and_settled(declare):
    opdef = declare("EvergraphParts(x: float, *, N: int >= 1) -> whole: float, parts: N * int32",
                    lambda x, N: (x, [x + i for i in range(N)]), shape=lambda x, N: [x] * (N + 1))
    whole, *parts = evaluate(opdef(np.float32(1), N=2)[0].op, [np.array(1, np.float32)])
    assert (whole.dtype, [(p.dtype, p.item()) for p in parts]) == (np.float32, [(np.int32, 1), (np.int32, 2)])


# ---- shapes and values of ops that declare neither


def known_or_not(declare, name, kernel):
    opdef = declare(f"{name}(x: float) -> y: float", kernel)
    return [opdef(tf.placeholder(tf.float32, shape)).shape.as_list() for shape in ([3, 2], [None, 2])]


def test_a_check_with_data_does_not_hide_the_shape(declare):
    def kernel(xp, x, check):
        check(x[0, 0] > 0, "{} must be positive, not {}", "x", x[0, 0])
        return xp.concatenate([x, x])

    assert known_or_not(declare, "EvergraphChecked", kernel) == [[6, 2], [None, 2]]


def test_a_kernel_that_needs_a_value_has_an_unknown_shape(declare):
    opdef = declare("EvergraphCounts(x: int32) -> y: float", lambda x: np.zeros(int(x), np.float32))
    assert opdef(integers()).shape.ndims is None
    assert opdef(3).shape.as_list() == [3]


@pytest.mark.parametrize("shape", [[3, 2], [None, 2]], ids=str)
def test_a_mistake_of_the_kernel_is_seen_while_shapes_are_inferred(declare, shape):
    opdef = declare("EvergraphMistaken(x: float) -> y: float", lambda x, check: check(x, "message", wrong=1))
    with pytest.raises(TypeError, match="'wrong'") as caught:
        opdef(tf.placeholder(tf.float32, shape))
    assert "kernel of EvergraphMistaken" in "".join(caught.value.__notes__)


def test_shapes_that_do_not_fit_are_a_value_error_where_they_are_known(declare):
    opdef = declare("EvergraphSums(x: float, y: float) -> z: float", lambda x, y: x + y)
    with pytest.raises(ValueError, match="EvergraphSums"):
        opdef(floats(3), floats(4))
    assert opdef(floats(3), tf.placeholder(tf.float32, [None])).shape.ndims is None  # no guess fits


def test_a_mistake_of_the_kernel_is_seen_while_constants_are_folded(declare):
    opdef = declare("EvergraphFolded(x: float) -> y: float", lambda x, check: check(x, "message", wrong=1),
                    shape=lambda x: x)
    with pytest.raises(TypeError, match="'wrong'"):
        static_value(opdef(1.0))


def test_what_numpy_cannot_compute_is_not_folded(declare):
    opdef = declare("EvergraphRefused(x: float) -> y: float", lambda x: np.linalg.inv(x.astype(object)),
                    shape=lambda x: x)
    assert static_value(opdef([[1.0]])) is None


def raised_by(function):
    with pytest.raises(TypeError) as caught:
        function()
    return caught.value


def test_errors_of_libraries_are_no_mistakes_of_kernels():
    assert is_mistake(raised_by(lambda: calling.grouped(1, 2, 3, 4)))
    assert is_mistake(raised_by(lambda: 1 + "one"))
    assert not is_mistake(raised_by(lambda: np.add("one", 1)))
    assert not is_mistake(raised_by(lambda: np.linalg.inv(np.zeros((1, 1), object))))
