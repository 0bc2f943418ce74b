"""tensorflow.python.ops.data_flow_ops.Barrier: elements whose components arrive one by one, by key."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.state import barriers as ops


class Barrier:
    """Holds elements until all their components are there; gives out complete ones, those inserted first at first.

    Args:
        types: the dtype of each component, or that of the only one.
        shapes: the shape of each component, or that of the only one; None if shapes are not fixed.
        shared_name: barriers with the same shared name in a session share their state.
        name: a name for the operation.

    Raises:
        ValueError: there are not as many shapes as dtypes, or a shape has no elements.
    """

    def __init__(self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier") -> None:
        is_single = not isinstance(types, (list, tuple))
        self._types = [dtypes.as_dtype(each) for each in ([types] if is_single else types)]
        if shapes is None:
            self._shapes = [TensorShape(None)] * len(self._types)
        else:
            listed = [shapes] if is_single or not shapes and len(self._types) == 1 else shapes
            self._shapes = [TensorShape(each) for each in listed]
            self._check_shapes()
        self._barrier_ref = ops.barrier(component_types=self._types,
                                        shapes=[] if shapes is None else [each.tuple for each in self._shapes],
                                        shared_name=shared_name or "", name=name)
        self._name = self._barrier_ref.op.name.rpartition("/")[2]

    def _check_shapes(self) -> None:
        if len(self._shapes) != len(self._types):
            raise ValueError(f"there must be as many shapes as dtypes, got {len(self._shapes)} and {len(self._types)}")
        for at, shape in enumerate(self._shapes):
            if shape.num_elements() == 0:
                raise ValueError(f"Empty tensors are not supported; the one at index {at} has the shape '{shape}'")

    barrier_ref = property(lambda self: self._barrier_ref)
    name = property(lambda self: self._barrier_ref.op.name)

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """An operation that adds a component of the elements of `keys`, of which some may be new."""
        return ops.barrier_insert_many(self._barrier_ref, convert_to_tensor(keys, dtypes.string),
                                       convert_to_tensor(values, self._types[component_index]),
                                       component_index=component_index, name=name or f"{self._name}_BarrierInsertMany")

    def take_many(self, num_elements: Any, allow_small_batch: bool = False, timeout: int | None = None,
                  name: str | None = None) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Takes complete elements, waiting for them.

        Args:
            num_elements: how many.
            allow_small_batch: whether there may be fewer once the barrier is closed.
            timeout: must be None: the session's timeout counts.
            name: a name for the operation.

        Returns:
            (indices, keys, values): when each element was first inserted, by number from -2**63 on; its key; and the
            components, stacked.
        """
        indices, keys, values = ops.barrier_take_many(
            self._barrier_ref, num_elements, component_types=self._types, allow_small_batch=allow_small_batch,
            timeout_ms=-1 if timeout is None else timeout, name=name or f"{self._name}_BarrierTakeMany")
        count = None if allow_small_batch else static_value(indices.op.inputs[1])
        rows = TensorShape([None if count is None else int(count)])
        for tensor, shape in zip((indices, keys, *values), ([], [], *self._shapes)):
            tensor.set_shape(rows.concatenate(shape))
        return indices, keys, values

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """An operation that closes the barrier for new keys; `cancel_pending_enqueues` for all insertions."""
        return ops.barrier_close(self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
                                 name=name or f"{self._name}_BarrierClose")

    def ready_size(self, name: str | None = None) -> Tensor:
        """The number of complete elements."""
        return ops.barrier_ready_size(self._barrier_ref, name=name or f"{self._name}_BarrierReadySize")

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """The number of incomplete elements."""
        return ops.barrier_incomplete_size(self._barrier_ref, name=name or f"{self._name}_BarrierIncompleteSize")
