"""tf.contrib.gan.features.tensor_pool: data of earlier steps in place of those of this one."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.errors import UnimplementedError
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond
from evergraph.frontend.random import random_uniform
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math.elementwise import less


@export("contrib.gan.features.tensor_pool")
def tensor_pool(input_values: Any, pool_size: int | None = 50, pooling_probability: float = 0.5,
                name: str = "tensor_pool") -> Any:
    """Values of earlier steps, by chance (Shrivastava and others, 2017).

    While the pool is not full, values are put into it and returned. Then, with a probability, a random one is returned
    and replaced by the new one; otherwise the new one is returned.

    Args:
        input_values: a tensor, or tensors in a list or tuple, of known shapes.
        pool_size: how many values there are in the pool; with 0 the values themselves are returned.
        pooling_probability: how probable it is that one of them is returned.
        name: a name for the operations and variables.

    Raises:
        ValueError: the size is negative.
        UnimplementedError: the size has no limit.
    """
    if pool_size is None:
        raise UnimplementedError(None, None, "tensor_pool needs a pool_size")
    if pool_size < 0:
        raise ValueError(f"pool_size is negative: {pool_size}")
    if pool_size == 0:
        return input_values
    with name_scope(name), variable_scope(None, name):
        values = [convert_to_tensor(each) for each in nest.flatten(input_values)]
        stores = [get_variable(f"values_{at}", [pool_size, *each.shape.as_list()], each.dtype, zeros_initializer(),
                               trainable=False, use_resource=True) for at, each in enumerate(values)]
        count = get_variable("count", [], dtypes.int32, zeros_initializer(), trainable=False, use_resource=True)

        def put(at: Any) -> list[Tensor]:
            writes = [store.scatter_update(IndexedSlices(each, at)) for store, each in zip(stores, values)]
            with control_dependencies(writes):
                return [array.identity(each) for each in values]

        def fill() -> list[Tensor]:
            found = put(count.read_value())
            with control_dependencies(found):
                added = count.assign_add(1)
            with control_dependencies([added]):
                return [array.identity(each) for each in found]

        def exchange() -> list[Tensor]:
            at = random_uniform([], maxval=pool_size, dtype=dtypes.int32)
            older = [array.identity(store.sparse_read(at)) for store in stores]
            with control_dependencies(older), control_dependencies(put(at)):
                return [array.identity(each) for each in older]

        is_chosen = less(random_uniform([]), pooling_probability)
        found = cond(less(count.read_value(), pool_size), fill,
                     lambda: cond(is_chosen, exchange, lambda: [array.identity(each) for each in values]))
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        for before, after in zip(values, found):
            after.set_shape(before.shape)
        return nest.pack_sequence_as(input_values, found)
