"""Models that go through a window one time after another."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.contrib.timeseries.keys import PredictionFeatures, PredictionResults, TrainEvalFeatures
from evergraph.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise

_LOSS = "loss"
Sequences = Callable[[Any], Callable[[Any], Tensor]]


class SequentialTimeSeriesModel(TimeSeriesModel):
    """A model that is defined by what it does at one time: it imputes, takes exogenous features in, predicts, filters.

    Args:
        train_output_names: the names of outputs in training and evaluation, beside the loss.
        predict_output_names: the names of predictions.
        num_features: the number of values at each time.
        normalize_features: whether steps see values that are scaled to a mean of 0 and a variance of 1; outputs named
            "mean" and "covariance" are scaled back.
        dtype: the floating-point dtype of the computation.
        exogenous_feature_columns: columns of features that inform predictions.
        exogenous_update_condition: a function of times, [batch], and exogenous features, [batch, ...], by name, that
            says, [batch], where these features are taken in. By default, everywhere.
        static_unrolling_window_size_threshold: the longest window, if its length is known, whose steps are added to the
            graph one by one rather than as a loop.
    """

    def __init__(self, train_output_names: Sequence[str], predict_output_names: Sequence[str], num_features: int,
                 normalize_features: bool = False, dtype: Any = dtypes.float32, exogenous_feature_columns: Any = None,
                 exogenous_update_condition: Callable[..., Any] | None = None,
                 static_unrolling_window_size_threshold: int | None = None) -> None:
        super().__init__(num_features, exogenous_feature_columns, dtype)
        self._train_output_names = list(dict.fromkeys([*train_output_names, _LOSS]))
        self._predict_output_names = list(predict_output_names)
        self._normalize_features = normalize_features
        self._update_condition = exogenous_update_condition
        self._unrolled = static_unrolling_window_size_threshold

    # ---- what models define

    @abc.abstractmethod
    def _filtering_step(self, current_times: Tensor, current_values: Tensor, state: Any,
                        predictions: dict[str, Tensor]) -> tuple[Any, dict[str, Tensor]]:
        """Takes values, [batch, features], in: (state, the predictions with a "loss", [batch])."""

    @abc.abstractmethod
    def _prediction_step(self, current_times: Tensor, state: Any) -> tuple[Any, dict[str, Tensor]]:
        """Predicts the values of a time, [batch]: (state, predictions by name)."""

    @abc.abstractmethod
    def _imputation_step(self, current_times: Tensor, state: Any) -> Any:
        """The state at a time, [batch], to which there may be a gap."""

    @abc.abstractmethod
    def _exogenous_input_step(self, current_times: Tensor, current_exogenous_regressors: Tensor, state: Any) -> Any:
        """The state that has taken exogenous features in, [batch, size]."""

    def _window_initializer(self, times: Tensor, state: Any) -> None:
        """Prepares for the steps of a window, before the first."""

    def _imputer(self, times: Tensor, state: Any, sequence: Sequences) -> Callable[[Any, Tensor, Any], Any]:
        """The function of (the number of a step, its times, a state) that gives the state at these times.

        Args:
            times: [batch, window].
            state: that before the window.
            sequence: gives for a tensor, [batch, window, ...], the function from the number of a step to its part.
        """
        self._window_initializer(times, state)
        return lambda number, current_times, state: self._imputation_step(current_times, state)

    def _loss_additions(self, times: Tensor, values: Tensor, mode: str | None) -> Any:
        """What is added to the loss of every step."""
        return 0.0

    # ---- windows

    def get_batch_loss(self, features: Mapping[str, Any], mode: str | None, state: Any) -> ModelOutputs:
        losses, states, outputs = self.per_step_batch_loss(features, mode, state)
        times = math.cast(features[TrainEvalFeatures.TIMES], dtypes.int64)
        outputs["observed"] = features[TrainEvalFeatures.VALUES]
        return ModelOutputs(loss=reduce_mean(losses), end_state=nest.map_structure(lambda part: part[:, -1], states),
                            predictions=outputs, prediction_times=times)

    def per_step_batch_loss(self, features: Mapping[str, Any], mode: str | None,
                            state: Any) -> tuple[Tensor, Any, dict[str, Tensor]]:
        """(losses, [batch, window]; states after each step, [batch, window, ...]; outputs by name, likewise)."""
        self._check_graph_initialized()
        times = math.cast(features[TrainEvalFeatures.TIMES], dtypes.int64)
        values = math.cast(features[TrainEvalFeatures.VALUES], self.dtype)
        values = self._scale_data(values) if self._normalize_features else values

        def step(current: Tensor, observed: Any, state: Any) -> tuple[Any, dict[str, Tensor]]:
            state, predictions = self._prediction_step(current, state)
            return self._filtering_step(current, observed, state, predictions)

        states, outputs = self._steps(times, values, features, state, step, self._train_output_names)
        losses = outputs.pop(_LOSS) + self._loss_additions(times, values, mode)
        return losses, states, self._scaled_back(outputs)

    def predict(self, features: Mapping[str, Any]) -> dict[str, Tensor]:
        self._check_graph_initialized()
        times = math.cast(features[PredictionFeatures.TIMES], dtypes.int64)

        def step(current: Tensor, observed: Any, state: Any) -> tuple[Any, dict[str, Tensor]]:
            return self._prediction_step(current, state)

        state = features[PredictionFeatures.STATE_TUPLE]
        _, outputs = self._steps(times, None, features, state, step, self._predict_output_names)
        return {**self._scaled_back(outputs), PredictionResults.TIMES: times}

    def _scaled_back(self, outputs: dict[str, Tensor]) -> dict[str, Tensor]:
        if not self._normalize_features:
            return outputs
        back = {"mean": self._scale_back_data, "covariance": self._scale_back_variance}
        return {name: back[name](each) if name in back else each for name, each in outputs.items()}

    # ---- steps

    def _steps(self, times: Tensor, values: Any, features: Mapping[str, Any], state: Any, step: Callable[..., Any],
               names: list[str]) -> tuple[Any, dict[str, Tensor]]:
        """(the states after each step, the named outputs of the steps), [batch, window, ...].

        Args:
            times, values: those of the steps; values may be None.
            features: exogenous ones, and others.
            state: that before the window.
            step: a function of the time, the values and the state of a step, which gives the state and outputs.
            names: the outputs to give.
        """
        state = as_tensors(state)
        size = times.shape.as_list()[1]
        is_short = size is not None and self._unrolled is not None and size <= self._unrolled
        sequence = _slices if is_short else _elements
        read_times, read_values = sequence(times), None if values is None else sequence(values)
        impute = self._imputer(times, state, sequence)
        inform = self._informer(times, features, sequence)

        def one(number: Any, flat: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
            current = read_times(number)
            before = impute(number, current, nest.pack_sequence_as(state, flat))
            before = inform(number, current, before)
            after, outputs = step(current, None if read_values is None else read_values(number), before)
            kept = [convert_to_tensor(part) for part in nest.flatten(after)]
            return kept, [math.cast(outputs[name], self.dtype) for name in names]

        start = nest.flatten(state)
        states, outputs = (_unrolled(one, start, size) if is_short else
                           _looped(one, start, array.shape(times)[1], [self.dtype] * len(names)))
        return nest.pack_sequence_as(state, states), dict(zip(names, outputs))

    def _raw_exogenous(self, features: Mapping[str, Any]) -> dict[str, Tensor]:
        """What the condition of updates is asked about."""
        if self._update_condition is None:
            return {}
        known = (TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, PredictionFeatures.STATE_TUPLE)
        raw = {name: convert_to_tensor(each) for name, each in features.items() if name not in known}
        return {name: each[..., None] if each.shape.rank == 2 else each for name, each in raw.items()}

    def _informer(self, times: Tensor, features: Mapping[str, Any],
                  sequence: Sequences) -> Callable[[Any, Tensor, Any], Any]:
        """The function that takes the exogenous features of a step into a state, where the condition holds."""
        if not self._exogenous_feature_columns:
            return lambda number, current, state: state
        read = sequence(self._process_exogenous_features(times, features))
        raw = {name: sequence(each) for name, each in self._raw_exogenous(features).items()}

        def informed(number: Any, current: Tensor, state: Any) -> Any:
            found = self._exogenous_input_step(current, read(number), state)
            if self._update_condition is None:
                return found
            holds = self._update_condition(current, {name: each(number) for name, each in raw.items()})
            chosen = [choose(holds, convert_to_tensor(new), old)
                      for new, old in zip(nest.flatten(found), nest.flatten(as_tensors(state)))]
            return nest.pack_sequence_as(state, chosen)

        return informed


def choose(condition: Tensor, new: Tensor, old: Tensor) -> Tensor:
    """The rows of one of two tensors, by a condition, [batch]."""
    wide = array.reshape(condition, array.concat([array.shape(condition), [1] * (new.shape.rank - 1)], 0))
    return where(elementwise.logical_and(wide, array.ones_like(new, dtypes.bool)), new, old)


# ---- windows as sequences of steps


def _slices(whole: Any) -> Callable[[int], Tensor]:
    """The parts of steps whose numbers are known."""
    return lambda number: convert_to_tensor(whole)[:, number]


def _elements(whole: Any) -> Callable[[Tensor], Tensor]:
    """The parts of steps of a loop."""
    whole = _turned(convert_to_tensor(whole))
    parts = TensorArray(whole.dtype, array.shape(whole)[0]).unstack(whole)

    def read(number: Tensor) -> Tensor:
        part = parts.read(number)
        part.set_shape(whole.shape[1:])
        return part

    return read


def _turned(whole: Tensor) -> Tensor:
    """[window, batch, ...] of [batch, window, ...], and the other way round."""
    return array.transpose(whole, [1, 0, *range(2, whole.shape.rank)])


def _unrolled(one: Callable[..., Any], state: list[Tensor], size: int) -> tuple[list[Tensor], list[Tensor]]:
    """The steps of a window one by one."""
    states, outputs = [], []
    for number in range(size):
        state, found = one(number, state)
        states.append(state)
        outputs.append(found)
    return ([array.stack(parts, axis=1) for parts in zip(*states)],
            [array.stack(parts, axis=1) for parts in zip(*outputs)])


def _looped(one: Callable[..., Any], state: list[Tensor], size: Tensor,
            kinds: list[Any]) -> tuple[list[Tensor], list[Tensor]]:
    """The steps of a window as a loop."""
    arrays = [TensorArray(dtype, size) for dtype in [*(part.dtype for part in state), *kinds]]
    shapes: list[Any] = []

    def body(number: Tensor, state: list[Tensor], arrays: list[TensorArray]) -> tuple[Any, ...]:
        after, outputs = one(number, state)
        for part, old in zip(after, state):
            part.set_shape(old.shape)
        shapes[:] = [each.shape for each in [*after, *outputs]]
        return number + 1, after, [each.write(number, value) for each, value in zip(arrays, [*after, *outputs])]

    _, _, arrays = while_loop(lambda number, *rest: elementwise.less(number, size), body,
                              (array.constant(0), state, arrays))
    stacked = []
    for each, shape in zip(arrays, shapes):
        whole = each.stack()
        whole.set_shape([None, *shape.as_list()])
        stacked.append(_turned(whole))
    return stacked[:len(state)], stacked[len(state):]
