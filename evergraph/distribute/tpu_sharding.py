"""How a tensor is divided among TPU cores: TensorFlow's tpu_sharding and the description of an infeed queue."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.shapes import TensorShape, as_shape
from evergraph.frontend.array import split
from evergraph.frontend.blocks import device
from evergraph.graph.node import Operation
from evergraph.ops.state.device_feeds import infeed_dequeue_tuple, infeed_enqueue_tuple

_DEFAULT_NUMBER_OF_SHARDS, _DEFAULT_SHARD_DIMENSION = 1, 0


class ShardingPolicy:
    """Into how many equal parts a tensor is cut, and along which dimension. What is not set yet can be merged in.

    >>> policy = ShardingPolicy()
    >>> policy.set_number_of_shards(3)
    >>> policy.set_shard_dimension(1)
    >>> policy.get_sharded_shape([4, 9]).as_list()
    [4, 3]
    """

    def __init__(self) -> None:
        self._count: int | None = None
        self._dimension: int | None = None
        self._is_frozen = False

    def __str__(self) -> str:
        if self._count is None or self._dimension is None:
            return "ShardingPolicy(unset)"
        return f"ShardingPolicy({self._count} shards dimension {self._dimension})"

    @property
    def number_of_shards(self) -> int | None:
        """How many parts there are; None if it is not set."""
        return self._count

    @property
    def shard_dimension(self) -> int | None:
        """The dimension that is cut; None if it is not set."""
        return self._dimension

    def set_number_of_shards(self, number_of_shards: int) -> None:
        """Sets how many parts there are.

        Raises:
            ValueError: the policy is frozen with another number, or the number is not positive.
        """
        self._require_open("number of shards", self._count, number_of_shards)
        if number_of_shards <= 0:
            raise ValueError(f"there is at least one shard, got {number_of_shards}")
        self._count = number_of_shards

    def set_shard_dimension(self, shard_dimension: int) -> None:
        """Sets the dimension that is cut. Raises ValueError if the policy is frozen with another one."""
        self._require_open("shard dimension", self._dimension, shard_dimension)
        self._dimension = int(shard_dimension)

    def _require_open(self, what: str, now: int | None, wanted: int) -> None:
        if self._is_frozen and now != wanted:
            raise ValueError(f"the {what} of a frozen policy is {now}, and cannot become {wanted}")

    def merge(self, other: ShardingPolicy) -> None:
        """Takes over what another policy has set. Raises ValueError if this one is frozen and differs."""
        if other.number_of_shards is not None:
            self.set_number_of_shards(other.number_of_shards)
        if other.shard_dimension is not None:
            self.set_shard_dimension(other.shard_dimension)

    def freeze(self) -> None:
        """Forbids changes; what is not set becomes one shard along the first dimension."""
        if self._count is None:
            self._count = _DEFAULT_NUMBER_OF_SHARDS
        if self._dimension is None:
            self._dimension = _DEFAULT_SHARD_DIMENSION
        self._is_frozen = True

    def get_sharded_shape(self, shape: Any, shard_index: int | None = None) -> TensorShape | None:
        """The shape of a part of a tensor.

        Args:
            shape: of the whole.
            shard_index: which part; all have the same shape.

        Raises:
            ValueError: the policy is not set, there is no such part, or the tensor cannot be cut into equal ones.
            TypeError: it is no shape.
        """
        count, dimension = self._settings()
        if shard_index is not None and not 0 <= shard_index < count:
            raise ValueError(f"there is no shard {shard_index} of {count}")
        sizes = self._sizes(shape)
        if count == 1:
            return TensorShape(sizes)
        if sizes[dimension] is None or sizes[dimension] % count:
            raise ValueError(f"dimension {dimension} of {sizes} cannot be cut into {count} equal parts")
        return TensorShape([*sizes[:dimension], sizes[dimension] // count, *sizes[dimension + 1:]])

    def get_unsharded_shape(self, shapes: Sequence[Any]) -> TensorShape:
        """The shape of the whole, given those of all parts.

        Raises:
            ValueError: the policy is not set, or these are not the shapes of equal parts.
            TypeError: one is no shape.
        """
        count, dimension = self._settings()
        if len(shapes) != count:
            raise ValueError(f"{count} shards have so many shapes, got {len(shapes)}")
        found = [self._sizes(shape) for shape in shapes]
        if any(sizes != found[0] for sizes in found):
            raise ValueError(f"the shards differ in their shapes: {found}")
        first = found[0]
        return TensorShape(first if count == 1 else [*first[:dimension], first[dimension] * count,
                                                     *first[dimension + 1:]])

    def _settings(self) -> tuple[int, int]:
        if self._count is None or self._dimension is None:
            raise ValueError("the policy says neither how many shards there are, nor along which dimension")
        return self._count, self._dimension

    def _sizes(self, shape: Any) -> list[Any]:
        static = as_shape(shape)
        if static.rank is None:
            raise ValueError("a shape of unknown rank cannot be cut")
        count, dimension = self._settings()
        if count > 1 and not 0 <= dimension < static.rank:
            raise ValueError(f"the shape {static} has no dimension {dimension}")
        return static.as_list()


class InfeedQueue:
    """What a tuple of tensors for TPU cores consists of: their types, shapes and how each is cut.

    Args:
        number_of_tuple_elements: how many tensors there are.
        tuple_types: their types.
        tuple_shapes: their shapes as a whole.
        shard_dimensions: along which dimension each is cut.
        name: of the queue.

    Attributes:
        name: the same; by default "InfeedQueue".

    Raises:
        ValueError: nothing says how many there are, or the arguments differ in it.
    """

    def __init__(self, number_of_tuple_elements: int | None = None, tuple_types: Sequence[Any] | None = None,
                 tuple_shapes: Sequence[Any] | None = None, shard_dimensions: Sequence[int] | None = None,
                 name: str | None = None) -> None:
        self.name = name or "InfeedQueue"
        counts = [len(each) for each in (tuple_types, tuple_shapes, shard_dimensions) if each is not None]
        counts += [] if number_of_tuple_elements is None else [number_of_tuple_elements]
        if not counts or min(counts) <= 0 or len(set(counts)) > 1:
            raise ValueError(f"an infeed queue has a positive number of elements, the same by all arguments: {counts}")
        self._policies = [ShardingPolicy() for _ in range(counts[0])]
        self._types: list[Any] | None = None
        self._shapes: list[TensorShape] | None = None
        self._is_frozen = False
        for given, take in ((tuple_types, self.set_tuple_types), (tuple_shapes, self.set_tuple_shapes),
                            (shard_dimensions, self.set_shard_dimensions)):
            if given is not None:
                take(given)

    @property
    def number_of_tuple_elements(self) -> int:
        """How many tensors there are."""
        return len(self._policies)

    tuple_types = property(lambda self: self._types)
    tuple_shapes = property(lambda self: self._shapes)
    sharding_policies = property(lambda self: self._policies)
    shard_dimensions = property(lambda self: [policy.shard_dimension for policy in self._policies])
    number_of_shards = property(lambda self: self._policies[0].number_of_shards)

    def set_tuple_types(self, tuple_types: Sequence[Any]) -> None:
        """Sets the types of all tensors. Raises ValueError if there are more or fewer, or the queue is frozen."""
        self._types = self._taken("types", self._types, tuple_types, dtypes.as_dtype)

    def set_tuple_shapes(self, tuple_shapes: Sequence[Any]) -> None:
        """Sets the shapes of all tensors. Raises as `set_tuple_types`."""
        self._shapes = self._taken("shapes", self._shapes, tuple_shapes, as_shape)

    def _taken(self, what: str, now: list[Any] | None, given: Sequence[Any], convert: Callable[[Any], Any]
               ) -> list[Any]:
        if len(given) != len(self._policies):
            raise ValueError(f"the queue has {len(self._policies)} elements, got {len(given)} {what}")
        found = [convert(each) for each in given]
        if self._is_frozen and now is not None and found != now:
            raise ValueError(f"the {what} of a frozen queue are {now}, and cannot become {found}")
        return found

    def set_shard_dimensions(self, shard_dimensions: Sequence[int]) -> None:
        """Sets along which dimension each tensor is cut. Raises as `set_tuple_types`."""
        if len(shard_dimensions) != len(self._policies):
            raise ValueError(f"the queue has {len(self._policies)} elements, got the dimensions {shard_dimensions}")
        for policy, dimension in zip(self._policies, shard_dimensions):
            policy.set_shard_dimension(dimension)
        self._check_shards()

    def set_number_of_shards(self, number_of_shards: int) -> None:
        """Sets into how many parts all tensors are cut. Raises ValueError if they cannot be."""
        for policy in self._policies:
            policy.set_number_of_shards(number_of_shards)
        self._check_shards()

    def _check_shards(self) -> None:
        for policy, shape in zip(self._policies, self._shapes or ()):
            if policy.number_of_shards is not None and policy.shard_dimension is not None:
                policy.get_sharded_shape(shape)

    def set_configuration_from_input_tensors(self, input_tensors: Sequence[Any]) -> None:
        """Takes types and shapes from tensors. Raises as `set_tuple_types`."""
        self.set_tuple_shapes([tensor.shape for tensor in input_tensors])
        self.set_tuple_types([tensor.dtype for tensor in input_tensors])

    def set_configuration_from_sharded_input_tensors(self, input_tensors: Sequence[Sequence[Any]]) -> None:
        """Takes types and shapes from the tensors of all parts, a list for each.

        Raises:
            ValueError: the parts differ, or are not what is set.
        """
        if not self._is_frozen:
            self.set_number_of_shards(len(input_tensors))
        for policy in self._policies:
            if policy.shard_dimension is None:
                policy.set_shard_dimension(_DEFAULT_SHARD_DIMENSION)
        columns = list(zip(*input_tensors, strict=True))
        if any(tensor.dtype != column[0].dtype for column in columns for tensor in column):
            raise ValueError("the parts of a tensor have different types")
        self.set_tuple_types([column[0].dtype for column in columns])
        self.set_tuple_shapes([policy.get_unsharded_shape([tensor.shape for tensor in column])
                               for policy, column in zip(self._policies, columns)])

    def freeze(self) -> None:
        """Forbids changes. Raises ValueError if types or shapes are not set."""
        if self._types is None or self._shapes is None:
            raise ValueError("the types and shapes of a queue are set before it is frozen")
        for policy in self._policies:
            policy.freeze()
        self._is_frozen = True
        self._check_shards()

    def generate_dequeue_op(self, tpu_device: int = 0) -> list[Any]:
        """What a replica takes from the queue of its device: tensors of a part's types and shapes.

        Args:
            tpu_device: the number of the replica's core; has no meaning, since a replica is computed by one device.
        """
        self.freeze()
        assert self._types is not None
        shapes = [policy.get_sharded_shape(shape) for policy, shape in zip(self._policies, self._shapes or ())]
        return list(infeed_dequeue_tuple(dtypes=self._types, shapes=shapes, name=f"{self.name}/dequeue"))

    def generate_enqueue_ops(self, sharded_inputs: Sequence[Sequence[Any]],
                             tpu_ordinal_function: Callable[[int], int] | None = None,
                             placement_function: Callable[[int], str] | None = None) -> list[Operation]:
        """The operations that put parts into the queues of the replicas' devices.

        Args:
            sharded_inputs: the tensors of each part, a list for each.
            tpu_ordinal_function: the ordinal of the device by the number of the part; by default that number.
            placement_function: where an operation runs, by the number of the part.
        """
        self.set_configuration_from_sharded_input_tensors(sharded_inputs)
        self.freeze()
        return [self._enqueued(part, index, tpu_ordinal_function, placement_function)
                for index, part in enumerate(sharded_inputs)]

    def split_inputs_and_generate_enqueue_ops(self, inputs: Sequence[Any], device_assignment: Any = None,
                                              placement_function: Callable[[int], str] | None = None,
                                              tpu_ordinal_function: Callable[[int], int] | None = None
                                              ) -> list[Operation]:
        """The operations that cut tensors into parts and put them into the queues of the replicas' devices.

        Args:
            inputs: the tensors.
            device_assignment: gives ordinals and places where the functions are None, a tf.tpu.DeviceAssignment.
            placement_function: see `generate_enqueue_ops`.
            tpu_ordinal_function: see `generate_enqueue_ops`.
        """
        self.set_configuration_from_input_tensors(inputs)
        self.freeze()
        count = self.number_of_shards or 1
        columns = [split(tensor, count, axis=policy.shard_dimension) if count > 1 else [tensor]
                   for tensor, policy in zip(inputs, self._policies)]
        if device_assignment is not None:
            placement_function = placement_function or (lambda index: device_assignment.host_device(replica=index))
            tpu_ordinal_function = tpu_ordinal_function or (
                lambda index: device_assignment.tpu_ordinal(replica=index))
        return [self._enqueued(part, index, tpu_ordinal_function, placement_function)
                for index, part in enumerate(zip(*columns))]

    def _enqueued(self, part: Sequence[Any], index: int, ordinal: Callable[[int], int] | None,
                  place: Callable[[int], str] | None) -> Operation:
        with device(None if place is None else place(index)):
            return infeed_enqueue_tuple(list(part), shapes=[tensor.shape for tensor in part],
                                        device_ordinal=index if ordinal is None else ordinal(index),
                                        name=f"{self.name}/enqueue/{index}")
