"""Sample, batch and event axes of tensors of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.frontend import array
from evergraph.frontend.array import get_static_value
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_greater_equal, assert_non_negative
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.indexing import where
from evergraph.frontend.math import range as numbers
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.math.elementwise import equal


class DistributionShape:
    """How many axes of samples are those of batches and events; those before them are sample axes.

    Args:
        batch_ndims: the number of batch axes.
        event_ndims: the number of event axes.
        validate_args: whether steps check that these are no negative numbers.
        name: a name for the operations.
    """

    def __init__(self, batch_ndims: Any = None, event_ndims: Any = None, validate_args: bool = False,
                 name: str = "DistributionShape") -> None:
        self._name, self._validate_args = name, validate_args
        with name_scope(name):
            self._batch, self._event = (self._counted(each, word) for each, word in (
                (batch_ndims, "batch_ndims"), (event_ndims, "event_ndims")))

    def _counted(self, given: Any, name: str) -> Any:
        if given is None:
            raise ValueError(f"{name} is missing")
        count = convert_to_tensor(given, dtypes.int32, name=name)
        known = get_static_value(count)
        if known is not None and known < 0:
            raise ValueError(f"{name} must be non-negative, it is {known}")
        return with_dependencies([assert_non_negative(count)], count) if self._validate_args else count

    batch_ndims = property(lambda self: self._batch, doc="The number of batch axes.")
    event_ndims = property(lambda self: self._event, doc="The number of event axes.")
    validate_args = property(lambda self: self._validate_args, doc="Whether steps check arguments.")
    name = property(lambda self: self._name, doc="The name of the operations.")

    def get_ndims(self, x: Any, name: str = "get_ndims") -> Any:
        """The rank of x."""
        with name_scope(self._name), name_scope(name, values=[x]):
            return array.rank(convert_to_tensor(x, name="x"))

    def get_sample_ndims(self, x: Any, name: str = "get_sample_ndims") -> Any:
        """The number of sample axes of x.

        Raises:
            ValueError: x is known to have fewer axes than batches and events.
        """
        with name_scope(self._name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            inner, rank = self._batch + self._event, x.shape.ndims
            count = array.rank(x) - inner
            known = [get_static_value(each) for each in (self._batch, self._event)]
            if rank is not None and None not in (known[0], known[1]):
                if rank < sum(known):
                    raise ValueError(f"expected batch_ndims({known[0]}) + event_ndims({known[1]}) <= ndims({rank})")
                return convert_to_tensor(np.int32(rank - sum(known)))
            check = assert_greater_equal(array.rank(x), inner, message="samples have too few axes for their batches "
                                                                       "and events")
            return with_dependencies([check], count)

    def get_dims(self, x: Any, name: str = "get_dims") -> tuple[Any, Any, Any]:
        """(the numbers of the sample axes, of the batch axes, of the event axes)"""
        with name_scope(self._name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            rank = x.shape.ndims
            return self._parts(x, numbers(array.rank(x)) if rank is None else convert_to_tensor(np.arange(rank,
                                                                                                        dtype=np.int32)))

    def get_shape(self, x: Any, name: str = "get_shape") -> tuple[Any, Any, Any]:
        """(the sizes of the sample axes, of the batch axes, of the event axes)"""
        with name_scope(self._name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            return self._parts(x, array.shape(x))

    def _parts(self, x: Any, values: Any) -> tuple[Any, Any, Any]:
        """Values, one for each axis of x, in three parts."""
        counts = [self.get_sample_ndims(x), self._batch, self._event]
        known = [get_static_value(each) for each in (values, *counts)]
        if all(each is not None for each in known):
            whole, samples, batch, _ = known
            pieces = whole[:samples], whole[samples:samples + batch], whole[samples + batch:]
            return tuple(convert_to_tensor(each.astype(np.int32)) for each in pieces)  # type: ignore[return-value]
        samples, batch, event = counts
        return values[:samples], values[samples:samples + batch], values[samples + batch:samples + batch + event]

    def make_batch_of_event_sample_matrices(self, x: Any, expand_batch_dim: bool = True,
                                            name: str = "make_batch_of_event_sample_matrices") -> tuple[Any, Any]:
        """([sample..., batch..., event...] as [batch..., event..., samples], the sizes of the sample axes).

        Events that are scalars get an axis, and so does a batch that is one, if `expand_batch_dim` says so.
        """
        with name_scope(self._name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            samples, batch, event = self.get_shape(x)
            batch, event = self._widened(batch, event, expand_batch_dim)
            flat = array.reshape(x, array.concat([[-1], batch, event], 0))
            rank = array.rank(flat)
            order = array.concat([numbers(1, rank), [0]], 0)
            return array.transpose(flat, order), samples

    def undo_make_batch_of_event_sample_matrices(self, x: Any, sample_shape: Any, expand_batch_dim: bool = True,
                                                 name: str = "undo_make_batch_of_event_sample_matrices") -> Any:
        """The inverse of `make_batch_of_event_sample_matrices`."""
        with name_scope(self._name), name_scope(name, values=[x, sample_shape]):
            x = convert_to_tensor(x, name="x")
            rank = array.rank(x)
            back = array.transpose(x, array.concat([(rank - 1)[None], numbers(rank - 1)], 0))
            sizes = array.shape(x)[:-1]
            begin = where(equal(self._batch, 0), 1, 0) if expand_batch_dim else convert_to_tensor(0)
            batch = sizes[begin:begin + self._batch]
            event = sizes[begin + self._batch:begin + self._batch + self._event]
            return array.reshape(back, array.concat([sample_shape, batch, event], 0))

    def _widened(self, batch: Any, event: Any, expand_batch_dim: bool) -> tuple[Any, Any]:
        def or_one(sizes: Any, count: Any) -> Any:
            return array.concat([sizes, array.ones([where(equal(count, 0), 1, 0)], dtypes.int32)], 0)

        return or_one(batch, self._batch) if expand_batch_dim else batch, or_one(event, self._event)
