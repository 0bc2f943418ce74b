"""Runs a case with eager execution: the op runs when it is called, and its gradient comes from a tape."""

import numpy as np

import evergraph as tf
from evergraph.eager.graph import EAGER
from tests.harness import graph
from tests.harness.checks import apply_op
from tests.harness.compare import assert_same


def check(case, golden):
    """Holds values, variables and gradients to what TensorFlow gave.

    Raises:
        AssertionError: they differ.
    """
    with EAGER.as_default():
        EAGER.context.forget_kernels()
        if case.error:
            _check_error(case, golden)
            return
        leaves = [_tensor(leaf) for leaf in case.leaves]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([t for t, leaf in zip(leaves, case.leaves) if leaf.differentiable])
            # A program makes its tables and variables anew in every run.
            runs = [_run(case, leaves) for _ in range(1 if case.build else case.runs)]
        _check_values(case, golden, runs, leaves)
        if "gradient" not in case.skips and isinstance(golden.gradients, list):
            _check_gradients(case, golden, runs[0], leaves, tape)


def _run(case, leaves):
    """The outputs of one run, flat."""
    given = iter(leaves)
    inputs = [[next(given) for _ in each] if isinstance(each, list) else next(given) for each in case.inputs]
    returned = case.build(tf, *inputs) if case.build else apply_op(case.op, inputs, case.attrs)
    return graph.flat_outputs(tf, returned)


def _tensor(leaf):
    if leaf.kind != "resource":
        return tf.constant(leaf.value, leaf.dtype)
    handle = tf.raw_ops.VarHandleOp(dtype=leaf.dtype, shape=leaf.value.shape)
    tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant(leaf.value, leaf.dtype))
    return handle


def _fetched(outputs):
    return [t for t in outputs if t.dtype.base_dtype.name not in ("resource", "variant")]


def _check_values(case, golden, runs, leaves):
    if "value" in case.skips:
        return
    for at, (outputs, wanted_run) in enumerate(zip(runs, golden.values)):
        for number, (tensor, wanted) in enumerate(zip(_fetched(outputs), wanted_run, strict=True)):
            assert_same(tensor.numpy(), wanted, case, f"output {number} of run {at}")
    states = [(t, leaf) for t, leaf in zip(leaves, case.leaves) if leaf.kind == "resource"]
    for number, ((handle, leaf), wanted) in enumerate(zip(states, golden.state, strict=True)):
        value = tf.raw_ops.ReadVariableOp(resource=handle, dtype=leaf.dtype)
        assert_same(value.numpy(), wanted, case, f"variable {number} afterwards")


def _check_gradients(case, golden, outputs, leaves, tape):
    ys = [t for t in outputs if t.dtype.base_dtype.is_floating or t.dtype.base_dtype.is_complex]
    places = [at for at, leaf in enumerate(case.leaves) if leaf.differentiable]
    if not ys or not places:
        return
    weights = [tf.constant(graph.weight(t.shape.as_list(), at), t.dtype.base_dtype) for at, t in enumerate(outputs)
               if t in ys]
    found = tape.gradient(ys, [leaves[at] for at in places], weights)
    for at, gradient in zip(places, found, strict=True):
        wanted = golden.gradients[at]
        assert (gradient is None) == (wanted is None), f"gradient of input {at} is {gradient}, wanted {wanted}"
        if wanted is not None:
            assert_same(np.asarray(tf.convert_to_tensor(gradient).numpy()), wanted, case, f"gradient of input {at}")


def _check_error(case, golden):
    wanted = golden.errors.get("unknown") or golden.errors.get("full")
    try:
        for _ in range(case.runs):
            _run(case, [_tensor(leaf) for leaf in case.leaves])
    except Exception as error:
        names = [each.__name__ for each in type(error).__mro__]
        if wanted == "TypeError" and "was expected to be a" in str(error):  # as TensorFlow says of eager tensors
            return
        assert wanted in names or {"ValueError", "InvalidArgumentError"} >= {wanted, type(error).__name__}, \
            f"raised {type(error).__name__}: {error}, wanted {wanted}"
        return
    assert wanted is None, f"raised nothing, wanted {wanted}"
