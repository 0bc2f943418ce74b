"""How the states of models get from one window of a series to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.contrib.timeseries.keys import FilteringFeatures, TrainEvalFeatures
from evergraph.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.contrib.timeseries.tables import TupleOfTensorsLookup
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.indexing import boolean_mask
from evergraph.frontend.reduce import reduce_mean
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math import elementwise

_EMPTY, _DELETED = -(2 ** 63), -(2 ** 63) + 1
"""Numbers of chunks that no time has."""


class PassthroughStateManager:
    """Every window starts from the state that it brings along, or from that before the series."""

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Prepares a graph."""

    def define_loss(self, model: Any, features: Mapping[str, Any], mode: str | None) -> ModelOutputs:
        """The ModelOutputs of a model for windows of features."""
        if FilteringFeatures.STATE_TUPLE not in features:
            return model.define_loss(features, mode)
        others = {name: each for name, each in features.items() if name != FilteringFeatures.STATE_TUPLE}
        return model.get_batch_loss(others, mode, as_tensors(features[FilteringFeatures.STATE_TUPLE]))


class ChainingStateManager(PassthroughStateManager):
    """In training, a window starts from a state that an earlier window has saved before it.

    The states are as old as the window that saved them, so that they only approach what a pass through the series would
    give, while all windows of a batch are computed at once (truncated back-propagation).

    Args:
        state_saving_interval: time is cut into chunks of this length, and for each chunk the last state before it is
            saved.
        checkpoint_state: whether checkpoints hold the states.
    """

    def __init__(self, state_saving_interval: int = 20, checkpoint_state: bool = False) -> None:
        self._interval, self._in_checkpoint = state_saving_interval, checkpoint_state
        self._table: TupleOfTensorsLookup | None = None

    def initialize_graph(self, model: TimeSeriesModel, input_statistics: Any = None) -> None:
        """Makes the table of states; the start state of the model is that of chunks without any."""
        super().initialize_graph(model, input_statistics)
        self._table = TupleOfTensorsLookup(dtypes.int64, model.get_start_state(), _EMPTY, _DELETED, "cached_states",
                                           checkpoint=self._in_checkpoint)

    def define_loss(self, model: TimeSeriesModel, features: Mapping[str, Any], mode: str | None) -> ModelOutputs:
        if mode != ModeKeys.TRAIN or FilteringFeatures.STATE_TUPLE in features:
            return super().define_loss(model, features, mode)
        if self._table is None:
            raise ValueError("call initialize_graph of the state manager, after that of the model, before define_loss")
        model._check_graph_initialized()
        times = math.cast(convert_to_tensor(features[TrainEvalFeatures.TIMES]), dtypes.int64)
        chunks = elementwise.floor_div(times, self._interval)
        state = self._table.lookup(chunks[:, 0])
        losses, states, outputs = model.per_step_batch_loss(features, mode, state)
        states = as_tensors(states)
        with control_dependencies([self._saved(times, chunks, states)]):
            loss = array.identity(reduce_mean(losses))
        outputs["observed"] = features[TrainEvalFeatures.VALUES]
        return ModelOutputs(loss=loss, end_state=nest.map_structure(lambda part: part[-1:, -1], states),
                            predictions=outputs, prediction_times=times)

    def _saved(self, times: Tensor, chunks: Tensor, states: Any) -> Operation:
        """Saves, for each chunk that begins within a window or just after it, the state of the step before."""
        after = elementwise.floor_div(times[:, -1:] + 1, self._interval)
        chunks = array.concat([chunks, after], axis=1)
        begins = elementwise.not_equal(chunks[:, 1:], chunks[:, :-1])
        return self._table.insert(boolean_mask(chunks[:, 1:], begins),
                                  nest.map_structure(lambda part: boolean_mask(part, begins), states))
