"""tf.contrib.input_pipeline: the strings of a list in turn."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import cond
from evergraph.frontend.indexing import gather
from evergraph.frontend.random import random_shuffle
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.contrib import input_pipeline as ops
from evergraph.ops.math import elementwise
from evergraph.train.producers import limit_epochs


@export("contrib.input_pipeline.obtain_next")
def obtain_next(string_list_tensor: Any, counter: Any) -> Tensor:
    """Advances a counter, and returns the string that it then points at; the first follows the last.

    Args:
        string_list_tensor: a vector of strings.
        counter: a reference variable, an int64 scalar; -1 to begin with the first string.
    """
    return ops.obtain_next(string_list_tensor, counter)


@export("contrib.input_pipeline.seek_next")
def seek_next(string_list: Any, shuffle: bool = False, seed: int | None = None,
              num_epochs: int | None = None) -> Tensor:
    """A string of a list, another one in each step, over and over.

    Args:
        string_list: the strings.
        shuffle: whether each pass has an order of its own.
        seed: of the orders.
        num_epochs: after how many passes OutOfRangeError is raised; None for never.
    """
    strings = convert_to_tensor(string_list, dtype=dtypes.string)
    size = array.shape(strings, out_type=dtypes.int64)[0]
    if num_epochs:
        strings = limit_epochs(strings, num_epochs=num_epochs * len(string_list))
    counter = Variable(array.constant(-1, dtypes.int64), trainable=False, name="obtain_next_counter",
                       use_resource=False)
    if not shuffle:
        return obtain_next(strings, counter)
    order = Variable(math.range(size), trainable=False, name="obtain_next_order", use_resource=False)
    place = elementwise.floor_mod(counter.assign_add(array.constant(1, dtypes.int64)), size)
    now = cond(elementwise.equal(place, 0), lambda: assign(order, random_shuffle(order, seed=seed)),
               lambda: array.identity(order))
    return gather(strings, gather(now, place))
