"""Every op has the gradients inside a branch or a loop that it has outside, and those gradients have theirs.

The suite takes a sample of the ops, `make inside` all of them.
"""

import os
import zlib

import numpy as np
import pytest

import evergraph as tf
from evergraph.run.session import Session
from tests.harness import families, graph
from tests.harness.checks import apply_op

EVERYTHING = os.environ.get("EVERGRAPH_INSIDE") == "all"
ONE_IN = 3


def _is_tried(case):
    """Whether a case has inputs that are fed and differentiated by."""
    return not case.error and all(leaf.kind in ("feed", "constant") for leaf in case.leaves) and bool(_places(case))


def _places(case):
    return [at for at, leaf in enumerate(case.leaves) if leaf.kind == "feed" and leaf.dtype in ("float32", "float64")]


def _first_of_each_op():
    """One case an op: where it stands does not depend on its attrs."""
    found = {}
    for family in families.families():
        for name, case in families.load(family).items():
            if _is_tried(case):
                found.setdefault(name if case.build else case.op, case)
    return [pytest.param(case, id=key) for key, case in found.items()
            if EVERYTHING or zlib.crc32(key.encode()) % ONE_IN == 0]


def _in_branch(call, outside):
    taken = tf.placeholder_with_default(True, [])
    found = tf.cond(taken, call, lambda: [tf.zeros(tf.shape(y), y.dtype) for y in outside], strict=True)
    return list(found)


def _in_loop(call, outside):
    starts = [tf.zeros(tf.shape(y), y.dtype) for y in outside]
    return list(tf.while_loop(lambda i, *_: i < tf.placeholder_with_default(1, []), lambda i, *_: (i + 1, *call()),
                              [0, *starts], [tf.TensorShape([]), *(tf.TensorShape(None) for _ in outside)])[1:])


def _derivatives(ys, xs):
    """The sum of squares of `ys`, its gradients by `xs`, and the gradients of the sum of their squares."""
    loss = _sum_of_squares(ys)
    first = _gradients(loss, xs)
    present = [slope for slope in first if slope is not None]
    second = _gradients(_sum_of_squares(present), xs) if present else []
    return [loss, *first, *second]


def _gradients(y, xs):
    return [None if slope is None else tf.convert_to_tensor(slope) for slope in tf.gradients(y, xs)]


def _sum_of_squares(tensors):
    return tf.add_n([tf.reduce_sum(tf.cast(tensor, tf.float64) ** 2) for tensor in tensors])


def _smooth_outputs(case, arguments):
    returned = case.build(tf, *arguments) if case.build else apply_op(case.op, arguments, case.attrs)
    outputs = [each for each in graph.flat_outputs(tf, returned) if not isinstance(each, tf.Operation)]
    return [each for each in outputs if each.dtype.base_dtype.is_floating]


@pytest.mark.parametrize("place", [_in_branch, _in_loop])
@pytest.mark.parametrize("case", _first_of_each_op())
def test_derivatives_are_those_outside(case, place):
    built, arguments = graph.arguments(tf, case)
    with built.graph.as_default():
        outside = _smooth_outputs(case, arguments)
        xs = [built.tensors[at] for at in _places(case)]
        if not outside:
            return
        try:
            wanted = _derivatives(outside, xs)
        except (LookupError, NotImplementedError):
            return  # there is no gradient, or none of the gradient
        found = _derivatives(place(lambda: _smooth_outputs(case, arguments), outside), xs)
    firsts = slice(1, 1 + len(xs))
    assert [slope is None for slope in found[firsts]] == [slope is None for slope in wanted[firsts]]
    present = [(a, b) for a, b in zip(found, wanted) if a is not None and b is not None]
    assert len(present) == sum(slope is not None for slope in wanted)
    with Session(graph=built.graph, tier="numpy") as session:
        for value, reference in session.run(present, built.feeds):
            np.testing.assert_allclose(value, reference, rtol=1e-3, atol=1e-6)
