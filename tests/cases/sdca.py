"""Ops of stochastic dual coordinate ascent: evergraph/ops/nn/sdca.py.

TensorFlow takes the examples of a pass in a random order. Each case has one example, or examples without common
features, so that the order does not matter.
"""

import numpy as np

from tests.harness import case, floats, i64, ref

LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")
OPTIONS = {"l1": 0.0, "l2": 1.0, "num_loss_partitions": 1, "num_inner_iterations": 1}


def f32(*values):
    return np.array(values, np.float32)


def one(label, loss, dual=0.0, weight=1.0, op="SdcaOptimizer", **options):
    """One example with two groups of sparse features, the first with values, and one of dense features."""
    state = f32([dual, 0.0, 0.0, 0.0])
    return case(op, [i64([0, 0]), i64([0])], [i64([3, 5]), i64([1])], [f32(0.5, -2.0)], [f32([1.5, -0.5])], f32(weight),
                f32(label), [i64([3, 4, 5]), i64([1])], [f32(0.2, 9.0, -0.3), f32(0.1)], [f32(0.4, 0.6)], state,
                loss_type=loss, **OPTIONS | options)


def apart(loss, labels, op="SdcaOptimizerV2", **options):
    """Three examples, each with features of its own."""
    dense = np.diag(f32(1.0, -2.0, 0.5))
    return case(op, [i64([0, 0, 2])], [i64([0, 1, 2])], [f32(1.0, 2.0, -1.0)], [dense], f32(1.0, 2.0, 0.5),
                f32(*labels), [i64([0, 1, 2])], [f32(0.1, 0.2, 0.3)], [f32(-0.1, 0.5, 0.0)],
                np.zeros((3, 4), np.float32), loss_type=loss, **OPTIONS | options)


def wrong(rows, columns, dense, state=1, label=1.0, **options):
    values = np.ones(len(columns), np.float32)
    return case("SdcaOptimizer", [i64(rows)], [i64(columns)], [values], [dense], f32(1.0), f32(label),
                [i64([0, 1])], [f32(0.0, 0.0)], [f32(0.0)], np.zeros((state, 4), np.float32), loss_type="logistic_loss",
                **OPTIONS | options).fails("InvalidArgumentError")


CASES = [
    *[one(label, loss) for loss in LOSSES for label in (0.0, 1.0)],
    *[one(1.0, loss, dual=0.4, weight=2.5, l1=0.1, l2=0.5) for loss in LOSSES],
    *[one(1.0, loss, dual=0.2, num_loss_partitions=4, num_inner_iterations=3) for loss in LOSSES],
    one(3.0, "poisson_loss"), one(-2.5, "squared_loss", op="SdcaOptimizerV2"),
    one(1.0, "logistic_loss", op="SdcaOptimizerV2", adaptive=True), one(1.0, "hinge_loss", adaptative=True),
    *[apart(loss, (1.0, 0.0, 1.0), l1=0.05, l2=0.7) for loss in LOSSES],
    wrong([0, 0], [1, 1], f32([1.0])), wrong([0], [2], f32([1.0])), wrong([0], [1], f32([1.0, 2.0])),
    wrong([0], [1], f32([1.0]), state=2), wrong([0], [1], f32([1.0]), label=0.5),
    case("SdcaShrinkL1", [ref(floats(3, 2)), ref(floats(4, seed=3))], l1=0.5, l2=2.0),
    *[case("SdcaFprint", np.array(texts, object)) for texts in (
        [b"abc", b"very looooooong string", b"def"], [b"", b"x" * 15, b"y" * 16, b"z" * 17], [b"ab" * 64, b"c" * 145],
        [bytes(range(256)), bytes(range(200)) * 2])],
]
