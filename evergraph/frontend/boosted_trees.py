"""What owns the session objects of boosted trees: ensembles and quantile streams, and their names in checkpoints."""

from __future__ import annotations

import enum
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.resources import register_resource
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.trees import quantiles, resources


class PruningMode(enum.IntEnum):
    """When splits of negative gain are removed."""

    NO_PRUNING = 0
    PRE_PRUNING = 1
    POST_PRUNING = 2

    @classmethod
    def from_str(cls, mode: str) -> PruningMode:
        """The mode of a name: "none", "pre" or "post".

        Raises:
            ValueError: there is no such mode.
        """
        names = {"none": cls.NO_PRUNING, "pre": cls.PRE_PRUNING, "post": cls.POST_PRUNING}
        if mode not in names:
            raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(names))}. Given: {mode}")
        return names[mode]


class _EnsembleSaveable(SaveableObject):
    """An ensemble in a checkpoint: its stamp and its serialized trees."""

    def __init__(self, handle: Tensor, create: Operation) -> None:
        stamp, serialized = resources.boosted_trees_serialize_ensemble(handle)
        name, self._create = handle.name, create
        super().__init__(handle, [SaveSpec(stamp, "", f"{name}_stamp"), SaveSpec(serialized, "", f"{name}_serialized")],
                         name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        with control_dependencies([self._create]):
            return resources.boosted_trees_deserialize_ensemble(self.op, *restored_tensors)


class TreeEnsemble:
    """An ensemble of trees.

    Args:
        name: the name of its handle, and of its values in checkpoints.
        stamp_token: the stamp that it starts with.
        is_local: whether it belongs to this worker alone; then no checkpoint holds it.
        serialized_proto: the TreeEnsemble that it starts with, serialized.
    """

    def __init__(self, name: str, stamp_token: int = 0, is_local: bool = False, serialized_proto: bytes = b"") -> None:
        with name_scope(name, "TreeEnsemble") as scope:
            self.resource_handle = resources.boosted_trees_ensemble_resource_handle_op(
                container="", shared_name=name, name=scope)
            create = resources.boosted_trees_create_ensemble(
                self.resource_handle, convert_to_tensor(stamp_token, dtypes.int64),
                convert_to_tensor(serialized_proto, dtypes.string))
            is_initialized = resources.is_boosted_trees_ensemble_initialized(self.resource_handle)
            if not is_local:
                add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _EnsembleSaveable(self.resource_handle, create))
        self.initializer, self._is_initialized = create, is_initialized
        register_resource(self.resource_handle, create, is_initialized, is_shared=not is_local)

    def is_initialized(self) -> Tensor:
        """Whether the session has created it."""
        return self._is_initialized

    def get_states(self) -> tuple[Tensor, ...]:
        """The stamp, the numbers of trees, of finalized trees and of attempted layers, and the nodes to split next."""
        return tuple(resources.boosted_trees_get_ensemble_states(self.resource_handle))

    def get_stamp_token(self) -> Tensor:
        """The number of changes."""
        return self.get_states()[0]

    def serialize(self) -> Any:
        """The stamp, and the trees as a serialized TreeEnsemble."""
        return resources.boosted_trees_serialize_ensemble(self.resource_handle)

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Operation:
        """Replaces the trees."""
        return resources.boosted_trees_deserialize_ensemble(
            self.resource_handle, convert_to_tensor(stamp_token, dtypes.int64), serialized_proto)


class _QuantilesSaveable(SaveableObject):
    """Quantile streams in a checkpoint: the boundaries of each."""

    def __init__(self, handle: Tensor, create: Operation, boundaries: list[Tensor]) -> None:
        name, self._create = handle.name, create
        super().__init__(handle, [SaveSpec(each, "", f"{name}_bucket_boundaries_{number}")
                                  for number, each in enumerate(boundaries)], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        with control_dependencies([self._create]):
            return quantiles.boosted_trees_quantile_stream_resource_deserialize(self.op, list(restored_tensors))


class QuantileAccumulator:
    """Streams of the values of features, and the boundaries of buckets found from them.

    Args:
        epsilon: the error of quantiles, a part of all values.
        num_streams: how many features there are.
        num_quantiles: how many buckets to make of each.
        name: a name for the handle.
        max_elements: how many values a stream is made for.
    """

    def __init__(self, epsilon: float, num_streams: int, num_quantiles: int, name: str | None = None,
                 max_elements: int | None = None) -> None:
        self._epsilon, self._num_streams, self._num_quantiles = epsilon, num_streams, num_quantiles
        extent = {} if max_elements is None else {"max_elements": max_elements}
        with name_scope(name, "QuantileAccumulator") as scope:
            self.resource_handle = quantiles.boosted_trees_quantile_stream_resource_handle_op(
                container="", shared_name=scope.rstrip("/"), name=scope)
            create = quantiles.boosted_trees_create_quantile_stream_resource(
                self.resource_handle, epsilon, convert_to_tensor(num_streams, dtypes.int64), **extent)
            is_initialized = quantiles.is_boosted_trees_quantile_stream_resource_initialized(self.resource_handle)
        self.initializer = create
        register_resource(self.resource_handle, create, is_initialized)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS,
                          _QuantilesSaveable(self.resource_handle, create, self.get_bucket_boundaries()))

    def add_summaries(self, float_columns: Any, example_weights: Any) -> Operation:
        """Adds the values of a batch: a vector for each feature, and the weights of examples."""
        summaries = quantiles.boosted_trees_make_quantile_summaries(list(float_columns), example_weights, self._epsilon)
        return quantiles.boosted_trees_quantile_stream_resource_add_summaries(self.resource_handle, summaries)

    def flush(self) -> Operation:
        """Finds the boundaries from the values so far, and starts anew."""
        return quantiles.boosted_trees_quantile_stream_resource_flush(
            self.resource_handle, convert_to_tensor(self._num_quantiles, dtypes.int64))

    def get_bucket_boundaries(self) -> list[Tensor]:
        """The boundaries of each feature; none before the first flush."""
        return list(quantiles.boosted_trees_quantile_stream_resource_get_bucket_boundaries(
            self.resource_handle, num_features=self._num_streams))
