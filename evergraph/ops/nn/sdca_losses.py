"""The losses of stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, 2013).

A loss knows the best new dual of an example while all others stay, the primal loss of a prediction and the dual loss of
a dual. Labels of classifiers are -1 or 1 here. `norm` is the squared norm of the example over the L2 regularization,
times the weight of the example and the number of partitions of the data.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from evergraph.base.errors import invalid

_NEWTON_STEPS = 10
_UNBOUNDED = 1.7976931348623157e308  # the largest double: the dual loss outside of its domain


class Loss(NamedTuple):
    """What the optimizer asks of a loss; every function is of one example."""

    label: Callable[[float], float]  # the label as the other functions want it
    new_dual: Callable[[float, float, float, float], float]  # of label, dual, prediction, norm
    primal: Callable[[float, float], float]  # of prediction, label
    dual: Callable[[float, float], float]  # of dual, label
    slope: Callable[[float, float], float]  # the derivative of the primal loss, of prediction, label
    smoothness: float


# ---- functions without errors: infinities and NaN in place of them

def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _over(a: float, b: float) -> float:
    """a / b."""
    if b:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


# ---- labels

def _signed(label: float) -> float:
    if label not in (0.0, 1.0):
        raise invalid(f"a label of this loss is 0 or 1; an example has {label}")
    return 2 * label - 1


def _count(label: float) -> float:
    if label < 0:
        raise invalid(f"the Poisson loss is for labels from 0 on, an example has {label}")
    return label


# ---- logistic loss: log(1 + exp(-y w.x))

def _logistic_dual(label: float, dual: float, prediction: float, norm: float) -> float:
    """Newton's method on x, with the dual (1 + tanh(x)) / (2 y), which stays in its domain."""
    x = 0.0
    for _ in range(_NEWTON_STEPS):
        tanh = math.tanh(x)
        value = -2 * label * x - prediction - norm * (0.5 * (1 + tanh) / label - dual)
        slope = -2 * label - norm * (1 - tanh * tanh) * 0.5 / label
        x -= _over(value, slope)
    return 0.5 * (1 + math.tanh(x)) / label


def _logistic(prediction: float, label: float) -> float:
    margin = label * prediction
    return math.log1p(_exp(-abs(margin))) - min(margin, 0.0)


def _logistic_dual_loss(dual: float, label: float) -> float:
    share = dual * label
    return sum(part * (math.log(part) if part > 0 else 0.0) for part in (share, 1 - share))


def _logistic_slope(prediction: float, label: float) -> float:
    margin = label * prediction
    small = _exp(-abs(margin))
    return label * (small if margin > 0 else 1.0) / (1 + small)


# ---- squared loss: (w.x - y)^2 / 2

def _squared_dual(label: float, dual: float, prediction: float, norm: float) -> float:
    return dual + _over(label - dual - prediction, 1 + norm)


# ---- hinge losses: max(0, 1 - y w.x), and the same with a parabola in place of the kink

def _bounded(candidate: float, label: float) -> float:
    """The dual of a hinge loss: label * dual lies in [0, 1]."""
    return label * min(max(label * candidate, 0.0), 1.0)


def _hinge_dual(label: float, dual: float, prediction: float, norm: float) -> float:
    return _bounded(dual + _over(label - prediction, norm), label)


def _smooth_hinge_dual(label: float, dual: float, prediction: float, norm: float) -> float:
    return _bounded(dual + _over(label - prediction - dual, norm + 1), label)


def _smooth_hinge(prediction: float, label: float) -> float:
    margin = label * prediction
    if margin >= 1:
        return 0.0
    return 0.5 - margin if margin <= 0 else 0.5 * (1 - margin) * (1 - margin)


def _smooth_hinge_slope(prediction: float, label: float) -> float:
    margin = label * prediction
    if margin >= 1:
        return 0.0
    return -label if margin <= 0 else (margin - 1) * label


def _hinge_dual_loss(curve: float) -> Callable[[float, float], float]:
    def dual_loss(dual: float, label: float) -> float:
        share = dual * label
        return _UNBOUNDED if share < 0 or share > 1 else curve * dual * dual - share
    return dual_loss


# ---- Poisson's log loss: exp(w.x) - y w.x

def _poisson_dual(label: float, dual: float, prediction: float, norm: float) -> float:
    """Newton's method on x, with the dual y - exp(x), which stays in its domain."""
    rest = label - dual
    x = math.log(rest) if rest > 0 else 0.0
    for _ in range(_NEWTON_STEPS):
        power = _exp(x)
        x -= _over(x - prediction - norm * (rest - power), 1 + norm * power)
    return label - _exp(x)


def _poisson_dual_loss(dual: float, label: float) -> float:
    rest = label - dual
    if rest == 0:
        return 0.0
    return _UNBOUNDED if rest < 0 else rest * (math.log(rest) - 1)


LOSSES = {
    "logistic_loss": Loss(_signed, _logistic_dual, _logistic, _logistic_dual_loss, _logistic_slope, 4.0),
    "squared_loss": Loss(
        float, _squared_dual, lambda prediction, label: 0.5 * (prediction - label) * (prediction - label),
        lambda dual, label: dual * (0.5 * dual - label), lambda prediction, label: prediction - label, 1.0),
    "hinge_loss": Loss(
        _signed, _hinge_dual, lambda prediction, label: max(0.0, 1 - label * prediction), _hinge_dual_loss(0.0),
        lambda prediction, label: -label if label * prediction < 1 else 0.0, 0.0),
    "smooth_hinge_loss": Loss(
        _signed, _smooth_hinge_dual, _smooth_hinge, _hinge_dual_loss(0.5), _smooth_hinge_slope, 1.0),
    "poisson_loss": Loss(
        _count, _poisson_dual, lambda prediction, label: _exp(prediction) - label * prediction,
        _poisson_dual_loss, lambda prediction, label: _exp(prediction) - label, 1.0),
}
