"""tf.keras.losses as classes: weighted and reduced functions of labels and predictions."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import where
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import losses
from evergraph.ops.math import elementwise


@export("keras.losses.Reduction")
class Reduction:
    """The reduction of a batch's losses: none, the sum, or the mean."""

    AUTO, NONE, SUM, SUM_OVER_BATCH_SIZE = "auto", "none", "sum", "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All reductions."""
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError for an unknown reduction."""
        if key not in cls.all():
            raise ValueError(f"a reduction is one of {cls.all()}, not {key!r}")


@export("keras.losses.Loss")
class Loss:
    """The base of losses: a subclass defines `call(y_true, y_pred)`, the per-example losses.

    Args:
        reduction: a `Reduction`; "auto" is the mean.
        name: a name prefix for the operations.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = None) -> None:
        Reduction.validate(reduction)
        self.reduction, self.name = reduction, name

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """The weighted and reduced loss.

        Args:
            y_true: the labels.
            y_pred: the predictions.
            sample_weight: the weights of examples: a scalar, or a tensor of the shape of their losses, whose last axes
                may be missing.
        """
        with name_scope(self.name or type(self).__name__):
            return self.reduced(y_true, y_pred, sample_weight)

    def reduced(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """The weighted and reduced loss, in the name scope of the caller."""
        found = convert_to_tensor(self.call(y_true, y_pred))
        return self._reduced(found if sample_weight is None else _weighted(found, sample_weight))

    def _reduced(self, found: Any) -> Any:
        if self.reduction == Reduction.NONE:
            return found
        total = reduce_sum(found)
        if self.reduction == Reduction.SUM:
            return total
        count = math.cast(array.size(found), found.dtype)
        return where(elementwise.equal(count, 0), array.zeros_like(total), total / elementwise.maximum(count, 1))

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
        raise NotImplementedError("a loss is defined by its `call`")

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Loss:
        """A loss with these arguments."""
        return cls(**config)


def _weighted(found: Any, weights: Any) -> Any:
    weights = math.cast(convert_to_tensor(weights), found.dtype)
    if weights.shape.rank and found.shape.rank is not None:
        if weights.shape.rank == found.shape.rank + 1 and weights.shape.as_list()[-1] == 1:
            weights = array.squeeze(weights, [-1])
        if weights.shape.rank == found.shape.rank - 1:
            weights = array.expand_dims(weights, -1)
        if weights.shape.rank < found.shape.rank:
            raise ValueError(f"weights of shape {weights.shape} do not fit losses of shape {found.shape}: they are a "
                             f"scalar, one for each loss, or one for each vector of losses along the last axis")
    return found * weights


class FunctionLoss(Loss):
    """The base of losses that wrap a function; `options` are the names of the function's own arguments."""

    function: Any = None
    options: tuple[str, ...] = ()

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
        return self.function(y_true, y_pred, **{option: getattr(self, option) for option in self.options})

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), **{option: getattr(self, option) for option in self.options}}


class LossFunctionWrapper(Loss):
    """A loss function of the program's, with weights and a reduction.

    Args:
        fn: the function of labels and predictions.
        reduction: a `Reduction`; "auto" is the mean.
        name: a name prefix for the operations.
        **kwargs: further arguments of the function.
    """

    def __init__(self, fn: Any, reduction: str = Reduction.AUTO, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(reduction, name)
        self.function, self._fn_kwargs = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The per-example losses."""
        return self.function(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), **self._fn_kwargs}


def _plain(name: str, function: Any) -> Any:
    """The loss class for a function without arguments of its own."""
    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = function.__name__) -> None:
        super(made, self).__init__(reduction, name)

    doc = f"""{function.__doc__.splitlines()[0]}

    Args:
        reduction: what is made of the losses of the examples: see `tf.keras.losses.Reduction`.
        name: a name prefix for the operations.
    """
    made = type(name, (FunctionLoss,), {"__init__": __init__, "function": staticmethod(function), "__doc__": doc,
                                        "__module__": __name__})
    return export(f"keras.losses.{name}")(made)


globals().update({name: _plain(name, function) for name, function in losses.PLAIN.items()})
LogCosh = _plain("LogCosh", losses.logcosh)


def _entropy(name: str, function: Any, towards: str) -> Any:
    """The loss class for a cross entropy of probabilities."""
    def __init__(self, from_logits=False, label_smoothing=0, reduction=Reduction.AUTO, name=function.__name__):
        super(made, self).__init__(reduction, name)
        self.from_logits, self.label_smoothing = from_logits, label_smoothing

    doc = f"""{function.__doc__.splitlines()[0]}

    Args:
        from_logits: whether predictions are logits.
        label_smoothing: the fraction by which labels are moved towards {towards}.
        reduction, name: as for `tf.keras.losses.Loss`.
    """
    made = type(name, (FunctionLoss,), {
        "__init__": __init__, "function": staticmethod(function), "options": ("from_logits", "label_smoothing"),
        "__doc__": doc, "__module__": __name__})
    return export(f"keras.losses.{name}")(made)


BinaryCrossentropy = _entropy("BinaryCrossentropy", losses.binary_crossentropy, "1/2")
CategoricalCrossentropy = _entropy("CategoricalCrossentropy", losses.categorical_crossentropy,
                                   "the uniform distribution")


@export("keras.losses.SparseCategoricalCrossentropy")
class SparseCategoricalCrossentropy(FunctionLoss):
    """The categorical cross entropy of predicted class probabilities with integer labels.

    Args:
        from_logits: whether predictions are logits.
        reduction, name: as for `tf.keras.losses.Loss`.
    """

    function, options = staticmethod(losses.sparse_categorical_crossentropy), ("from_logits",)

    def __init__(self, from_logits=False, reduction=Reduction.AUTO, name="sparse_categorical_crossentropy"):
        super().__init__(reduction, name)
        self.from_logits = from_logits


@export("keras.losses.CosineSimilarity")
class CosineSimilarity(FunctionLoss):
    """The negative cosine similarity of the vectors along an axis.

    Args:
        axis: the axis.
        reduction, name: as for `tf.keras.losses.Loss`.
    """

    function, options = staticmethod(losses.cosine_proximity), ("axis",)

    def __init__(self, axis=-1, reduction=Reduction.AUTO, name="cosine_similarity"):
        super().__init__(reduction, name)
        self.axis = axis


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """The Huber loss, averaged over the last axis: d ** 2 / 2 for |d| <= delta, linear beyond."""
    y_pred = math.cast(convert_to_tensor(y_pred), "float32")
    difference = math.abs(y_pred - math.cast(convert_to_tensor(y_true), y_pred.dtype))
    near = elementwise.minimum(difference, delta)
    return reduce_mean(0.5 * near * near + delta * (difference - near), axis=-1)


@export("keras.losses.Huber")
class Huber(FunctionLoss):
    """The Huber loss: d ** 2 / 2 for |d| <= delta, linear beyond.

    Args:
        delta: the point where it becomes linear.
        reduction, name: as for `tf.keras.losses.Loss`.
    """

    function, options = staticmethod(huber), ("delta",)

    def __init__(self, delta=1.0, reduction=Reduction.AUTO, name="huber_loss"):
        super().__init__(reduction, name)
        self.delta = delta
