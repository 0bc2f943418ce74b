"""What `tf.keras.Model.compile` settles: for each output its loss, weight, metrics and target."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from evergraph.base import logging, nest
from evergraph.keras import losses_by_name, metrics_by_name, optimizers_by_name
from evergraph.keras.loss_classes import Loss, LossFunctionWrapper
from evergraph.keras.metrics import Mean, Metric

_SPARSE = ("sparse_categorical_crossentropy", "sparse_softmax_cross_entropy")


@dataclass
class Arguments:
    """The arguments of `compile`, as they were given."""

    optimizer: Any
    loss: Any = None
    metrics: Any = None
    loss_weights: Any = None
    sample_weight_mode: Any = None
    weighted_metrics: Any = None
    target_tensors: Any = None
    run_eagerly: bool | None = None


@dataclass
class Output:
    """An output of a compiled model.

    Attributes:
        name: the name of the output.
        shape: its static shape, a list, or None.
        loss: the loss, a function of labels, predictions and weights; None if the output has none.
        loss_weight: the factor of its loss in the total.
        weight_mode: "temporal" if the weights of examples have an axis of time.
        metrics: its metrics.
        weighted_metrics: those of its metrics that are given the weights of examples.
        mean_loss: the mean of its loss over the batches, if the model has several outputs.
        target: the tensor that the program gave for its labels.
    """

    name: str
    shape: Any
    dtype: Any
    loss: Any = None
    loss_weight: Any = 1.0
    weight_mode: Any = None
    metrics: list[Metric] = field(default_factory=list)
    weighted_metrics: list[Metric] = field(default_factory=list)
    mean_loss: Any = None
    target: Any = None

    @property
    def has_target(self) -> bool:
        """Whether labels are needed."""
        return self.loss is not None

    @property
    def has_sparse_labels(self) -> bool:
        """Whether labels are class indices."""
        return name_of_loss(self.loss) in _SPARSE


class Compilation:
    """The losses and metrics of a model whose outputs are known.

    Args:
        arguments: the arguments of `compile`.
        names: the names of the outputs.
        outputs: the outputs, flat; their shapes and dtypes matter.
        trainable: the variables that training changes, until the model is compiled again.

    Raises:
        ValueError: an argument names an output that does not exist, or has another number of items.
        TypeError: an argument is neither a list nor a dict.
    """

    def __init__(self, arguments: Arguments, names: list[str], outputs: list[Any], trainable: list[Any]) -> None:
        self.arguments, self.trainable = arguments, trainable
        shapes = [None if tensor.shape.rank is None else tensor.shape.as_list() for tensor in outputs]
        self.outputs = [Output(name, shape, tensor.dtype.base_dtype)
                        for name, shape, tensor in zip(names, shapes, outputs)]
        for output, loss in zip(self.outputs, resolved_losses(arguments.loss, names)):
            output.loss = loss
        _give(self.outputs, "loss_weight", per_output("loss_weights", arguments.loss_weights, names, 1.0))
        modes = arguments.sample_weight_mode
        _give(self.outputs, "weight_mode", [modes] * len(names) if modes is None or isinstance(modes, str) else
              per_output("sample_weight_mode", modes, names, None))
        targets = arguments.target_tensors
        if targets is not None and not (isinstance(targets, list) and not targets):
            _give(self.outputs, "target", per_output("target_tensors", targets, names, None))
        self._make_metrics(names)

    def _make_metrics(self, names: list[str]) -> None:
        several = len(names) > 1
        if several:
            for output in self.outputs:
                output.mean_loss = Mean(name=f"{output.name}_loss") if output.has_target else None
        taken: Counter[str] = Counter()
        for kind, given in (("metrics", self.arguments.metrics), ("weighted_metrics", self.arguments.weighted_metrics)):
            for output, wanted in zip(self.outputs, metrics_of_outputs(given, names)):
                if not output.has_target:
                    continue
                made = _metrics(wanted, output, kind != "metrics", several, taken)
                (output.metrics if kind == "metrics" else output.weighted_metrics).extend(made)

    @property
    def trained(self) -> list[Output]:
        """The outputs that have a loss."""
        return [output for output in self.outputs if output.has_target]

    @property
    def metrics(self) -> list[Metric]:
        """The metrics, output by output."""
        return [metric for output in self.outputs for metric in output.metrics + output.weighted_metrics]

    @property
    def mean_losses(self) -> list[Metric]:
        """The mean losses of the outputs, if there are several."""
        return [output.mean_loss for output in self.trained if output.mean_loss is not None]


def _give(outputs: list[Output], name: str, values: list[Any]) -> None:
    for output, value in zip(outputs, values):
        setattr(output, name, value)


def optimizer_of(identifier: Any) -> Any:
    """The optimizer, or the list of optimizers, that `compile` was given."""
    if isinstance(identifier, (list, tuple)):
        return [optimizers_by_name.get(each) for each in identifier]
    return optimizers_by_name.get(identifier)


# ---- arguments for each output

def per_output(what: str, given: Any, names: list[str], default: Any) -> list[Any]:
    """The items of an argument in the order of outputs.

    Raises:
        ValueError: there are other names, or another number of items.
        TypeError: it is neither a list nor a dict, and there are several outputs.
    """
    if given is None:
        return [default] * len(names)
    if isinstance(given, dict):
        refuse_unknown(what, given, names)
        return [given.get(name, default) for name in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError(f"{what} is a list: it should have one entry per model output, which makes {len(names)}; "
                             f"got {given}")
        return list(given)
    if what == "target_tensors" and len(names) == 1 and hasattr(given, "dtype"):
        return [given]
    raise TypeError(f"Could not interpret {what} argument: {given}: expected a list or a dict")


def refuse_unknown(what: str, given: dict[str, Any], names: list[str]) -> None:
    """Raises ValueError if a dictionary has keys that are not names of outputs."""
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ValueError(f"Unknown entries in {what} dictionary: {unknown}. Only expected following keys: {names}")


# ---- losses

def resolved_losses(loss: Any, names: list[str]) -> list[Any]:
    """The losses of outputs as functions of labels, predictions and weights.

    Raises:
        ValueError: there are other names, or another number of losses; or a loss is unknown.
    """
    if isinstance(loss, dict) and "class_name" not in loss:
        refuse_unknown("loss", loss, names)
        missing = [name for name in names if name not in loss]
        if missing:
            logging.warning("Output %s missing from loss dictionary: nothing is learned from it.", ", ".join(missing))
        return [resolved_loss(loss.get(name)) for name in names]
    if isinstance(loss, (list, tuple)):
        if len(loss) != len(names):
            raise ValueError(f"The model has {len(names)} outputs, and the list of losses has {len(loss)} entries: "
                             f"{loss}")
        return [resolved_loss(each) for each in loss]
    return [resolved_loss(loss) for _ in names]


def resolved_loss(loss: Any) -> Any:
    """A loss as an object with weights and a reduction; None for none."""
    if loss is None or isinstance(loss, Loss):
        return loss
    found = losses_by_name.get(loss)
    if isinstance(found, Loss) or found is None:
        return found
    if not hasattr(found, "__name__"):  # an object of the program's, which takes weights itself
        return found
    return LossFunctionWrapper(found, name=found.__name__)


def name_of_loss(loss: Any) -> str | None:
    """The name of the function that a loss is made of."""
    function = getattr(loss, "function", None) or loss
    return getattr(function, "__name__", None)


# ---- metrics

def metrics_of_outputs(given: Any, names: list[str]) -> list[list[Any]]:
    """The metrics of each output.

    Raises:
        ValueError: there are other names, or another number of lists.
        TypeError: they are neither a list nor a dict.
    """
    if not given:
        return [[] for _ in names]
    if isinstance(given, dict):
        refuse_unknown("metrics", given, names)
        return [_listed(given.get(name)) for name in names]
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"Type of `metrics` argument not understood. Expected a list or dictionary, found: {given}")
    if any(isinstance(each, (list, tuple)) for each in given):
        if len(given) != len(names):
            raise ValueError(f"When passing a list of lists as `metrics`, it should have one entry per model output. "
                             f"The model has {len(names)} outputs, but you passed metrics={given}")
        return [_listed(each) for each in given]
    if len(names) == 1:
        return [list(given)]
    return [[_copied(each) for each in given] for _ in names]


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _copied(metric: Any) -> Any:
    """Each output has its own state."""
    return type(metric).from_config(metric.get_config()) if isinstance(metric, Metric) else metric


def _metrics(given: list[Any], output: Output, weighted: bool, several: bool, taken: Counter[str]) -> list[Metric]:
    """The metrics of an output, with names of their own; the last of those that share a name stands for all."""
    made = [metrics_by_name.metric_for(each, output.shape, name_of_loss(output.loss), weighted) for each in given]
    by_name = {f"{output.name}_{metric.name}" if several else metric.name: metric for metric in made}
    for name, metric in by_name.items():
        taken[name] += 1
        metric._name = name if taken[name] == 1 else f"{name}_{taken[name] - 1}"
    return list(by_name.values())


def names_of(structure: Any, prefix: str) -> list[str]:
    """Names for the items of a structure: their keys in a dict, else `prefix` and a number from 1."""
    if isinstance(structure, dict):
        return sorted(structure)
    return [f"{prefix}_{place + 1}" for place in range(len(nest.flatten(structure)))]
