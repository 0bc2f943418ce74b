"""Sums and means of the values of replicas: ReduceOp, and tf.distribute's CrossDeviceOps."""
from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.devices import canonical_name
from evergraph.base.export import export
from evergraph.distribute.values import DistributedValues, Mirrored, PerReplica
from evergraph.frontend import array
from evergraph.frontend.blocks import device
from evergraph.frontend.math import add_n, cast
from evergraph.frontend.variables.base import Variable, VariableAggregation
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of several replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    @classmethod
    def of(cls, given: Any) -> ReduceOp:
        """The reduction that a caller names.

        Raises:
            ValueError: there is no such reduction.
        """
        return cls(given.upper() if isinstance(given, str) else given)

    @staticmethod
    def from_variable_aggregation(aggregation: VariableAggregation) -> ReduceOp:
        """The reduction of a tf.VariableAggregation.

        Raises:
            ValueError: it is neither SUM nor MEAN.
        """
        if aggregation not in (VariableAggregation.SUM, VariableAggregation.MEAN):
            raise ValueError(f"Could not convert from `tf.VariableAggregation`: {aggregation} is no sum and no mean")
        return ReduceOp[aggregation.name]


def full_name(name: str) -> str:
    """A device of this process as strategies name it.

    >>> full_name("/cpu:1")
    '/replica:0/task:0/device:CPU:1'
    """
    return canonical_name(f"/replica:0/task:0{canonical_name(name)}")


def devices_of(destinations: Any) -> tuple[str, ...]:
    """The devices that a device name, a variable or a value is on."""
    if isinstance(destinations, str):
        return (full_name(destinations),)
    if isinstance(destinations, DistributedValues):
        return tuple(_home(value) for value in destinations.values)
    if hasattr(destinations, "_parts"):
        return tuple(_home(part) for part in destinations._parts)
    if isinstance(destinations, (list, tuple)):
        return tuple(name for each in destinations for name in devices_of(each))
    return (_home(destinations),)


def _home(value: Any) -> str:
    return value if isinstance(value, str) else getattr(value, "device", "") or ""


def placed(name: str) -> Any:
    """A with-block on a device alone, whatever blocks are around; "" is where the session wants it."""
    blocks = contextlib.ExitStack()
    if not default_graph().is_eager:
        blocks.enter_context(default_graph().colocate_with(None, ignore_existing=True))
    blocks.enter_context(device(name or None))
    return blocks


def total(values: Sequence[Any], how: ReduceOp) -> Any:
    """The sum or the mean of tensors or IndexedSlices, as operations of the current device."""
    values = [value if isinstance(value, IndexedSlices) else convert_to_tensor(value) for value in values]
    if all(isinstance(value, IndexedSlices) for value in values):
        return _rows(values, how)
    found = add_n([convert_to_tensor(value) for value in values]) if len(values) > 1 else array.identity(values[0])
    return found / convert_to_tensor(len(values), found.dtype) if how is ReduceOp.MEAN and len(values) > 1 else found


def mean_of_rows(parts: Sequence[Any], sums: Sequence[Any], axis: int) -> Any:
    """The mean along an axis of tensors that differ in its length, given their sums along it."""
    counts = total([array.shape(part)[axis] for part in parts], ReduceOp.SUM)
    found = total(sums, ReduceOp.SUM)
    return found / cast(counts, found.dtype)


def _rows(values: Sequence[IndexedSlices], how: ReduceOp) -> IndexedSlices:
    """Rows of several gradients one after another, which is their sum: who uses them adds up equal ones."""
    rows = array.concat([value.values for value in values], 0)
    places = array.concat([value.indices for value in values], 0)
    if how is ReduceOp.MEAN:
        rows = rows / convert_to_tensor(len(values), rows.dtype)
    return IndexedSlices(rows, places, values[0].dense_shape)


def reduced(how: ReduceOp, value: Any, destinations: Any) -> Any:
    """The sum or the mean over replicas, on each of the devices of `destinations`."""
    return _everywhere(lambda: total(value.values, how), destinations)


def copied(tensor: Any, destinations: Any) -> Any:
    """A value on each of the devices of `destinations`."""
    return _everywhere(lambda: array.identity(convert_to_tensor(tensor)), destinations)


def _everywhere(make: Callable[[], Any], destinations: Any) -> Any:
    found = []
    for name in devices_of(destinations):
        with placed(name):
            found.append(make())
    return found[0] if len(found) == 1 else Mirrored(found)


@export("distribute.CrossDeviceOps", "contrib.distribute.CrossDeviceOps")
class CrossDeviceOps:
    """How a strategy adds up the values of its replicas and copies values to their devices.

    Here every device that needs a sum gets the values of all replicas and adds them up in the order of the replicas,
    so that all copies are equal to the bit. The classes of TensorFlow that do so by various routes have this one
    meaning; a program's own subclass defines `reduce_implementation`, `batch_reduce_implementation` and
    `broadcast_implementation`.
    """

    def reduce(self, reduce_op: Any, per_replica_value: Any, destinations: Any) -> Any:
        """The sum or the mean of the values of the replicas, on the devices of `destinations`.

        Raises:
            ValueError: there is no such reduction.
        """
        return self.reduce_implementation(ReduceOp.of(reduce_op), _per_replica(per_replica_value), destinations)

    def batch_reduce(self, reduce_op: Any, value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """`reduce` for several pairs of a value and its destinations.

        Raises:
            ValueError: there is no such reduction, or what is given are no pairs.
        """
        if not isinstance(value_destination_pairs, (list, tuple)) or \
                not all(isinstance(pair, tuple) and len(pair) == 2 for pair in value_destination_pairs):
            raise ValueError(f"`value_destination_pairs` must be a list of pairs, got {value_destination_pairs}")
        pairs = [(_per_replica(value), destinations) for value, destinations in value_destination_pairs]
        return self.batch_reduce_implementation(ReduceOp.of(reduce_op), pairs)

    def broadcast(self, tensor: Any, destinations: Any) -> Any:
        """A value on each of the devices of `destinations`."""
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(self, reduce_op: ReduceOp, per_replica_value: Any, destinations: Any) -> Any:
        """What `reduce` does, with arguments that have been looked at."""
        return reduced(reduce_op, per_replica_value, destinations)

    def batch_reduce_implementation(self, reduce_op: ReduceOp,
                                    value_destination_pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """What `batch_reduce` does, with arguments that have been looked at."""
        return [self.reduce_implementation(reduce_op, value, destinations)
                for value, destinations in value_destination_pairs]

    def broadcast_implementation(self, tensor: Any, destinations: Any) -> Any:
        """What `broadcast` does."""
        return copied(tensor, destinations)


def _per_replica(value: Any) -> Any:
    if isinstance(value, DistributedValues):
        return value
    return PerReplica(tuple(value._parts) if hasattr(value, "_parts") else (value,))


@export("distribute.ReductionToOneDevice", "contrib.distribute.ReductionToOneDeviceCrossDeviceOps")
class ReductionToOneDevice(CrossDeviceOps):
    """Adds up values in the way that the program says, on one device, and copies the result.

    Args:
        reduce_to_device: where to add up; by default on each device that needs the result.
        accumulation_fn: adds up a list of tensors; `tf.add_n` by default.
    """

    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Callable[[Sequence[Any]], Any] | None = None
                 ) -> None:
        self._place, self._add = reduce_to_device, accumulation_fn

    def reduce_implementation(self, reduce_op: ReduceOp, per_replica_value: Any, destinations: Any) -> Any:
        """The sum or the mean, added up on one device if there is a choice."""
        if self._place is None and self._add is None:
            return reduced(reduce_op, per_replica_value, destinations)
        values = per_replica_value.values
        with placed(self._place or devices_of(destinations)[0]):
            if self._add is None or isinstance(values[0], IndexedSlices):
                found = total(values, reduce_op)
            else:
                found = self._add([convert_to_tensor(value) for value in values])
                found = found / convert_to_tensor(len(values), found.dtype) if reduce_op is ReduceOp.MEAN else found
        return _everywhere(lambda: found if isinstance(found, IndexedSlices) else array.identity(found), destinations)


class AllReduceCrossDeviceOps(CrossDeviceOps):
    """Adds up values on every device.

    Args:
        all_reduce_alg: TensorFlow's name for a route, which has no meaning here.
        num_packs: into how many parts TensorFlow packs gradients for the way; has no meaning here.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, all_reduce_alg: str = "nccl", num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(f"num_packs must not be negative, got {num_packs}")


export("contrib.distribute.AllReduceCrossDeviceOps")(AllReduceCrossDeviceOps)


@export("distribute.NcclAllReduce")
class NcclAllReduce(AllReduceCrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`.

    Args:
        num_packs: into how many parts TensorFlow packs gradients for the way; has no meaning here.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("nccl", num_packs)


@export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """Adds up values on every device; see `tf.distribute.CrossDeviceOps`.

    Args:
        num_packs: into how many parts TensorFlow packs gradients for the way; has no meaning here.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("hierarchical_copy", num_packs)


def is_value(value: Any) -> bool:
    """Whether something is distributed: a value for each replica, or a variable with copies."""
    return isinstance(value, DistributedValues) or isinstance(value, Variable) and hasattr(value, "_parts")


# ---- what libraries call

def aggregate(values: Sequence[Any]) -> Any:
    """The sum of tensors, or of IndexedSlices."""
    return total(values, ReduceOp.SUM)


def divide(value: Any, count: int) -> Any:
    """A tensor, or the values of IndexedSlices, divided by a number."""
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values / count, value.indices, value.dense_shape)
    return value / count


def contains_rows(value: Any) -> bool:
    """Whether there are IndexedSlices in a list, a distributed value, or at all."""
    if isinstance(value, (list, tuple)):
        return any(map(contains_rows, value))
    return contains_rows(value.values) if isinstance(value, DistributedValues) else isinstance(value, IndexedSlices)
