"""The steps of a compiled model with eager execution: a `tf.function` for each kind of step."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.eager.function import function
from evergraph.eager.tape import GradientTape
from evergraph.keras import settings
from evergraph.keras.compilation import Compilation
from evergraph.keras.objective import total_loss, update_metrics


class EagerTraining:
    """The steps of a model: functions of arrays, or of tensors, as those of `GraphTraining`.

    Args:
        model: the model.
        compilation: its losses and metrics; None if it is not compiled.
    """

    def __init__(self, model: Any, compilation: Compilation | None) -> None:
        self._model, self._compilation = model, compilation
        self._steps: dict[Any, Callable[..., Any]] = {}

    def train(self, weighted: tuple[bool, ...]) -> Callable[..., list[Any]]:
        """The function that trains on a batch and returns the loss and the metrics."""
        return self._step("train", weighted)

    def test(self, weighted: tuple[bool, ...]) -> Callable[..., list[Any]]:
        """The function that returns the loss and the metrics of a batch."""
        return self._step("test", weighted)

    def predict(self) -> Callable[..., list[Any]]:
        """The function from inputs to outputs."""
        return self._step("predict", ())

    def reset_metrics(self) -> None:
        """Sets the metrics to zero."""
        for metric in self._model._training_metrics():
            metric.reset_states()

    def _step(self, kind: str, weighted: tuple[bool, ...]) -> Callable[..., Any]:
        key = kind, weighted, self._model.run_eagerly
        if key not in self._steps:
            steps = {"train": self._train, "test": self._test, "predict": self._predict}
            step = functools.partial(steps[kind], weighted)
            made = step if self._model.run_eagerly else function(step)
            self._steps[key] = lambda *values: [_value(each) for each in made(*values)]
        return self._steps[key]

    # ---- what a step does

    def _called(self, inputs: list[Any], training: bool) -> list[Any]:
        """The model's outputs, flat."""
        model = self._model
        model._forget_losses()
        with settings.learning_phase_scope(int(training)):
            return nest.flatten(model(model._packed_inputs(inputs), **model._training_flag(training)))

    def _parts(self, weighted: tuple[bool, ...], values: tuple[Any, ...]) -> tuple[list[Any], list[Any], list[Any]]:
        """Inputs, labels and weights of a batch; None where an output has no weights."""
        count, outputs = len(values) - sum(weighted), len(weighted)
        given = iter(values[count:])
        return (list(values[:count - outputs]), list(values[count - outputs:count]),
                [next(given) if has_weights else None for has_weights in weighted])

    def _judged(self, inputs: list[Any], targets: list[Any], weights: list[Any], training: bool) -> Any:
        outputs = self._called(inputs, training)
        loss = total_loss(self._model, self._compilation, outputs, targets, weights)
        return loss, outputs

    def _results(self, loss: Any) -> list[Any]:
        self._model._forget_losses()
        return [loss, *(metric.result() for metric in self._model._training_metrics())]

    def _share(self, loss: Any) -> Any:
        """The part of the total loss that the loss of these examples is."""
        return loss

    def _counts(self) -> bool:
        """Whether metrics take in these examples."""
        return True

    def _train(self, weighted: tuple[bool, ...], *values: Any) -> list[Any]:
        return self._results(self._learned(weighted, *values))

    def _test(self, weighted: tuple[bool, ...], *values: Any) -> list[Any]:
        return self._results(self._tested(weighted, *values))

    def _learned(self, weighted: tuple[bool, ...], *values: Any) -> Any:
        inputs, targets, weights = self._parts(weighted, values)
        model = self._model
        with GradientTape() as tape:
            loss, outputs = self._judged(inputs, targets, weights, True)
            loss = self._share(loss)
            scaled = model.optimizer.get_scaled_loss(loss) if hasattr(model.optimizer, "get_scaled_loss") else loss
        variables = self._compilation.trainable
        gradients = tape.gradient(scaled, variables)
        if hasattr(model.optimizer, "get_unscaled_gradients"):
            gradients = model.optimizer.get_unscaled_gradients(gradients)
        model.optimizer.apply_gradients(zip(model.optimizer._clipped(gradients), variables))
        self._count(outputs, targets, weights)
        return loss

    def _tested(self, weighted: tuple[bool, ...], *values: Any) -> Any:
        inputs, targets, weights = self._parts(weighted, values)
        loss, outputs = self._judged(inputs, targets, weights, False)
        self._count(outputs, targets, weights)
        return self._share(loss)

    def _count(self, outputs: list[Any], targets: list[Any], weights: list[Any]) -> None:
        if self._counts():
            update_metrics(self._compilation, outputs, targets, weights)

    def _predict(self, _: tuple[bool, ...], *values: Any) -> list[Any]:
        return self._called(list(values), False)


def _value(tensor: Any) -> Any:
    return tensor.numpy() if hasattr(tensor, "numpy") else tensor
