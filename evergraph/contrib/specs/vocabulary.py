"""The words of specifications: layers, activations, shapes, variables, and random parameters."""

from __future__ import annotations

import math as numbers
import random
from typing import Any

from evergraph.contrib.layers import batch_normalization, convolutions, dense, norms, pooling, shape
from evergraph.contrib.specs.functions import Applied, Composable, External, Function, Import, debug
from evergraph.frontend import array
from evergraph.frontend.nn import activations as front
from evergraph.frontend.nn.normalize import local_response_normalization
from evergraph.frontend.variables import template
from evergraph.frontend.variables.scope import get_variable
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math import elementwise
from evergraph.ops.nn import activations


def _conc(x: Any, axis: int, *parts: Composable) -> Any:
    return array.concat([part.funcall(x) for part in parts], axis)


def _shared(part: Composable) -> Composable:
    """The function, with the same variables wherever it stands."""
    return Applied(template.make_template("shared", part.funcall))


def _variable(name: str, *args: Any, **kw: Any) -> Composable:
    """A variable, whatever the input is; the arguments are those of `tf.get_variable`."""
    return Applied(lambda x: get_variable(name, *args, **kw))


_ACTIVATIONS = {"s": elementwise.sigmoid, "t": elementwise.tanh, "r": activations.relu, "l": None, "m": front.softmax}

LAYERS = {
    **{f"F{letter}": Function(dense.fully_connected, activation_fn=each) for letter, each in _ACTIVATIONS.items()},
    **{f"C{letter}": Function(convolutions.conv2d, activation_fn=each) for letter, each in _ACTIVATIONS.items()},
    "Mp": Function(pooling.max_pool2d), "Ap": Function(pooling.avg_pool2d),
    "Bn": Function(batch_normalization.batch_norm),
    "Relu": Function(activations.relu), "Sig": Function(elementwise.sigmoid), "Tanh": Function(elementwise.tanh),
    "Smax": Function(front.softmax), "Flat": Function(shape.flatten), "Reshape": Function(reshape),
    "Squeeze": Function(array.squeeze), "Expand": Function(array.expand_dims), "Id": Function(array.identity),
    "Do": Function(shape.dropout), "Lrn": Function(local_response_normalization), "Unit": Function(norms.unit_norm),
    "Conc": Function(_conc), "Shared": _shared, "Var": _variable, "Fun": Function,
    "External": External, "Import": Import, "debug": debug,
}

PARAMETERS = {
    "Uf": random.uniform,
    "Ui": random.randint,
    "Lf": lambda low, high: numbers.exp(random.uniform(numbers.log(low), numbers.log(high))),
    "Li": lambda low, high: round(numbers.exp(random.uniform(numbers.log(low), numbers.log(high)))),
    "Nt": lambda mean, deviation, limit=3.0: next(
        value for value in iter(lambda: random.gauss(mean, deviation), None)
        if abs(value - mean) <= limit * deviation),
}
"""Random numbers for parameters: uniform floats and ints, log-uniform ones, and truncated normal ones."""
