"""Autoregressive models: windows of values from the windows before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.contrib.timeseries.ar_networks import FlatPredictionModel
from evergraph.contrib.timeseries.keys import PredictionFeatures, PredictionResults, TrainEvalFeatures
from evergraph.contrib.timeseries.matrices import normal_log_prob
from evergraph.contrib.timeseries.model import ModelOutputs, TimeSeriesModel
from evergraph.contrib.timeseries.state import as_tensors
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.frontend import array, math
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.indexing import gather, one_hot
from evergraph.frontend.reduce import reduce_mean
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.math import elementwise


@export("contrib.timeseries.ARModel")
class ARModel(TimeSeriesModel):
    """Predicts windows of values from windows of values before them, and from times.

    Each periodicity is cut into buckets, and a time is in one of them: a feature of its own, with how far it is in it.

    Args:
        periodicities: a period of the times, or several.
        input_window_size: the number of values that are known; with 0, values depend on times alone.
        output_window_size: the number of values that are predicted at once.
        num_features: the number of values at each time.
        prediction_model_factory: a function of `num_features`, `input_window_size` and `output_window_size` that gives
            a tf.keras.Model. It is called with the features of both windows, [batch, window, features], and gives a
            dictionary of "mean" and "covariance", [batch, output window, num_features]; the covariance is diagonal.
        num_time_buckets: the number of buckets of each period.
        loss: SQUARED_LOSS or NORMAL_LIKELIHOOD_LOSS.
        exogenous_feature_columns: columns of features that inform predictions.

    Raises:
        ValueError: there is no such loss.
    """

    SQUARED_LOSS = "squared_loss"
    NORMAL_LIKELIHOOD_LOSS = "normal_likelihood_loss"

    def __init__(self, periodicities: Any, input_window_size: int, output_window_size: int, num_features: int,
                 prediction_model_factory: Callable[..., Any] = FlatPredictionModel, num_time_buckets: int = 10,
                 loss: str = NORMAL_LIKELIHOOD_LOSS, exogenous_feature_columns: Any = None) -> None:
        if loss not in (self.SQUARED_LOSS, self.NORMAL_LIKELIHOOD_LOSS):
            raise ValueError(f"the loss is ARModel.SQUARED_LOSS or ARModel.NORMAL_LIKELIHOOD_LOSS, got {loss!r}")
        super().__init__(num_features, exogenous_feature_columns)
        self._periods = np.atleast_1d(np.asarray([] if periodicities is None else periodicities)).tolist()
        self._input, self._output, self._buckets = input_window_size, output_window_size, num_time_buckets
        self._factory, self.loss = prediction_model_factory, loss
        self._networks: dict[Any, Any] = {}

    @property
    def window_size(self) -> int:
        """The number of values of a window of training."""
        return self._input + self._output

    def _network(self) -> Any:
        """The prediction model of this graph."""
        graph = default_graph()
        if graph not in self._networks:
            self._networks = {graph: self._factory(num_features=self.num_features, input_window_size=self._input,
                                                   output_window_size=self._output)}
        return self._networks[graph]

    def get_start_state(self) -> tuple[Any, Any, Any]:
        """(times, values, exogenous features) of a window of zeros."""
        exogenous = self._get_exogenous_embedding_shape().as_list()[0]
        return (array.zeros([self._input], dtypes.int64), array.zeros([self._input, self.num_features], self.dtype),
                array.zeros([self._input, exogenous], self.dtype))

    # ---- features

    def _time_features(self, times: Tensor) -> Tensor:
        """[batch, window, size]: for each period, the bucket of a time, and its place in it."""
        found = [array.zeros(array.concat([array.shape(times), [0]], 0), self.dtype)]
        for period in self._periods:
            phase = math.cast(elementwise.floor_mod(math.cast(times, dtypes.float64), float(period)), dtypes.float64)
            place = phase * (self._buckets / float(period))
            bucket = elementwise.minimum(elementwise.floor(place), self._buckets - 1.0)
            chosen = one_hot(math.cast(bucket, dtypes.int32), self._buckets, dtype=self.dtype)
            found += [chosen, chosen * math.cast(place - bucket, self.dtype)[..., None]]
        return array.concat(found, axis=-1)

    def _predicted(self, network: Any, before: tuple[Tensor, Tensor, Tensor], times: Tensor,
                   exogenous: Tensor) -> dict[str, Tensor]:
        """Scaled predictions of a window.

        Args:
            network: the prediction model.
            before: the times, values and exogenous features of the window before.
            times, exogenous: those of the window.
        """
        _, values, exogenous_before = before
        inputs = array.concat([self._scale_data(values), exogenous_before], axis=-1)
        outputs = array.concat([self._time_features(times), exogenous], axis=-1)
        size = exogenous.shape.as_list()[-1]
        inputs.set_shape([None, self._input, self.num_features + size])
        outputs.set_shape([None, self._output, 2 * self._buckets * len(self._periods) + size])
        return network(inputs, outputs)

    # ---- losses

    def define_loss(self, features: Mapping[str, Any], mode: str | None) -> ModelOutputs:
        return self.get_batch_loss(features, mode, None)

    def get_batch_loss(self, features: Mapping[str, Any], mode: str | None, state: Any) -> ModelOutputs:
        times = math.cast(convert_to_tensor(features[TrainEvalFeatures.TIMES]), dtypes.int64)
        values = math.cast(convert_to_tensor(features[TrainEvalFeatures.VALUES]), self.dtype)
        parts = [times, values, self._process_exogenous_features(times, features)]
        if state is None:
            self._check_window(times.shape.as_list()[1], mode)
        else:
            parts = [array.concat([old, new], axis=1) for old, new in zip(as_tensors(state), parts)]
        before, after = self._windows(parts)
        predictions = self._predicted(self._network(), before, after[0], after[2])
        outputs = self._scaled_back(predictions)
        is_scaled = mode == ModeKeys.TRAIN
        loss = reduce_mean(self._losses(self._scale_data(after[1]), predictions) if is_scaled
                           else self._losses(after[1], outputs))
        size = parts[0].shape.as_list()[1]
        end = tuple(part[:, array.shape(part)[1] - self._input:] for part in parts)
        for part, whole in zip(end, parts):
            part.set_shape([whole.shape.as_list()[0], self._input, *whole.shape.as_list()[2:]])
        batch, total = array.shape(times)[0], None if size is None else (size - self._input) // self._output
        joined = {name: self._joined(each, batch, total) for name, each in {**outputs, "observed": after[1]}.items()}
        return ModelOutputs(loss=loss, end_state=end, predictions=joined,
                            prediction_times=array.reshape(after[0], [batch, -1]))

    def _joined(self, windows: Tensor, batch: Tensor, count: int | None) -> Tensor:
        """[batch, times, features] of windows that follow each other."""
        whole = array.reshape(windows, [batch, -1, self.num_features])
        whole.set_shape([None, None if count is None else count * self._output, self.num_features])
        return whole

    def _scaled_back(self, predictions: Mapping[str, Tensor]) -> dict[str, Tensor]:
        back = {"mean": self._scale_back_data, "covariance": self._scale_back_variance}
        return {name: back.get(name, lambda each: each)(each) for name, each in predictions.items()}

    def _losses(self, targets: Tensor, predictions: Mapping[str, Tensor]) -> Tensor:
        """The loss of each number."""
        if self.loss == self.SQUARED_LOSS:
            return elementwise.square(targets - predictions["mean"])
        return -normal_log_prob(predictions["mean"], elementwise.sqrt(predictions["covariance"]), targets)

    def _check_window(self, size: int | None, mode: str | None) -> None:
        if size is None:
            return
        if mode == ModeKeys.TRAIN and size != self.window_size:
            raise ValueError(f"an ARModel with input_window_size={self._input} and output_window_size={self._output} "
                             f"is trained on windows of both: set window_size={self.window_size} in the input_fn, "
                             f"which gives windows of {size}")
        if size < self.window_size:
            raise ValueError(f"this ARModel requires a window of at least {self.window_size} values, for both its "
                             f"windows, and was evaluated on {size}")

    def _windows(self, parts: list[Tensor]) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        """(input windows, output windows) that end with the last time; what is too much for them is left out first."""
        size = array.shape(parts[0])[1]
        count = (size - self._input) // self._output
        starts = (size - self._input - count * self._output) + math.range(count) * self._output

        def cut(part: Tensor, shift: int, length: int) -> Tensor:
            places = starts[:, None] + np.arange(shift, shift + length, dtype=np.int32)
            rest = part.shape.as_list()[2:]
            windows = array.reshape(gather(part, array.reshape(places, [-1]), axis=1),
                                    array.concat([array.shape(part)[:1] * count, [length, *rest]], 0))
            windows.set_shape([None, length, *rest])
            return windows

        return (tuple(cut(part, 0, self._input) for part in parts),
                tuple(cut(part, self._input, self._output) for part in parts))

    # ---- predictions

    def predict(self, features: Mapping[str, Any]) -> dict[str, Tensor]:
        times = math.cast(convert_to_tensor(features[PredictionFeatures.TIMES]), dtypes.int64)
        exogenous = self._process_exogenous_features(times, features)
        state = self._state(features[PredictionFeatures.STATE_TUPLE], exogenous.shape.as_list()[-1])
        size = array.shape(times)[1]
        count = (size + self._output - 1) // self._output
        missing = count * self._output - size
        later = times[:, -1:] + math.range(1, math.cast(missing, dtypes.int64) + 1, dtype=dtypes.int64)
        times_of = self._blocks(array.concat([times, later], axis=1), count)
        exogenous_of = self._blocks(array.pad(exogenous, [[0, 0], [0, missing], [0, 0]]), count)
        found = self._predicted_blocks(state, times_of, exogenous_of, count)
        outputs = {name: self._in_time(blocks, size, times) for name, blocks in found.items()}
        return {**outputs, PredictionResults.TIMES: times}

    def _state(self, state: Any, exogenous: int) -> tuple[Tensor, Tensor, Tensor]:
        times, values, before = as_tensors(state)
        times = math.cast(times, dtypes.int64)
        before = array.reshape(math.cast(before, self.dtype), array.concat([array.shape(times), [exogenous]], 0))
        return times, math.cast(values, self.dtype), before

    def _blocks(self, whole: Tensor, count: Tensor) -> Tensor:
        """[blocks, batch, output window, ...] of [batch, times, ...]."""
        rest = whole.shape.as_list()[2:]
        shape = array.concat([array.shape(whole)[:1], [count, self._output, *rest]], 0)
        blocks = array.transpose(array.reshape(whole, shape), [1, 0, *range(2, 3 + len(rest))])
        blocks.set_shape([None, whole.shape.as_list()[0], self._output, *rest])
        return blocks

    def _predicted_blocks(self, state: tuple[Tensor, Tensor, Tensor], times_of: Tensor, exogenous_of: Tensor,
                          count: Tensor) -> dict[str, Tensor]:
        """Predictions, [blocks, batch, output window, features]; each block takes the means before it for values."""
        network = self._network()
        first = self._predicted(network, state, times_of[0], exogenous_of[0])  # makes the variables outside of the loop
        names = sorted(first)
        shapes = tuple(part.shape.as_list() for part in state)
        invariants = tuple(TensorShape([None, *shape[1:]]) for shape in shapes)

        def body(number: Tensor, state: Any, arrays: list[TensorArray]) -> tuple[Any, ...]:
            times, exogenous = gather(times_of, number), gather(exogenous_of, number)
            found = self._scaled_back(self._predicted(network, state, times, exogenous))
            moved = [array.concat([old, new], axis=1)[:, self._output:]
                     for old, new in zip(state, (times, found["mean"], exogenous))]
            for part, shape in zip(moved, shapes):
                part.set_shape([None, *shape[1:]])
            return number + 1, tuple(moved), [each.write(number, found[name]) for each, name in zip(arrays, names)]

        arrays = [TensorArray(first[name].dtype, count) for name in names]
        start = (array.constant(0), tuple(state), arrays)
        _, _, arrays = while_loop(lambda number, *rest: elementwise.less(number, count), body, start,
                                  shape_invariants=(TensorShape([]), invariants, [TensorShape(None)] * len(names)))
        return {name: each.stack() for name, each in zip(names, arrays)}

    def _in_time(self, blocks: Tensor, size: Tensor, times: Tensor) -> Tensor:
        """[batch, times, features] of [blocks, batch, output window, features]."""
        turned = array.transpose(blocks, [1, 0, 2, 3])
        whole = array.reshape(turned, [array.shape(times)[0], -1, self.num_features])[:, :size]
        whole.set_shape(times.shape.concatenate([self.num_features]))
        return whole
