"""tf.keras.metrics whose state is a tensor: MeanTensor and MeanIoU."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, math
from evergraph.frontend.confusion import confusion_matrix
from evergraph.frontend.control_flow import group
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.keras import session
from evergraph.keras.metrics import Metric, weighted
from evergraph.ops.arrays.diagonal import diag_part
from evergraph.ops.math import elementwise


@export("keras.metrics.MeanTensor")
class MeanTensor(Metric):
    """The weighted mean of each element of tensors of one shape.

    Args:
        name: the name of the metric.
        dtype: the dtype of its variables, float32 by default.
    """

    def __init__(self, name: str | None = "mean_tensor", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self._shape_of_values: Any = None
        self.built = False

    total = property(lambda self: self._total if self.built else None, doc="The sums.")
    count = property(lambda self: self._count if self.built else None, doc="The sums of weights.")

    def _make(self, shape: TensorShape) -> None:
        self._shape_of_values, self.built = shape, True
        self._total, self._count = self.add_weight("total", shape), self.add_weight("count", shape)

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Takes in a tensor, with weights in its shape or without its last axis.

        Raises:
            ValueError: its shape is not that of the first.
        """
        values = math.cast(convert_to_tensor(values), self.dtype)
        if not self.built:
            self._make(values.shape)
        elif values.shape.as_list() != self._shape_of_values.as_list():
            raise ValueError(f"MeanTensor input values must always have the same shape. The first had "
                             f"{self._shape_of_values}, these have {values.shape}")
        values, weights = weighted(values, sample_weight, self.dtype)
        return group(self._total.assign_add(values), self._count.assign_add(weights))

    def result(self) -> Any:
        """The means, 0 before the first tensor.

        Raises:
            ValueError: there was no tensor yet, so that the shape is unknown.
        """
        if not self.built:
            raise ValueError("MeanTensor does not have any result yet, as no tensor was given to it: call it, or its "
                             "`update_state`, first")
        return math.div_no_nan(self._total.read_value(), self._count.read_value())

    def reset_states(self) -> None:
        """Forgets all tensors, but not their shape."""
        if self.built:
            super().reset_states()


@export("keras.metrics.MeanIoU")
class MeanIoU(Metric):
    """The mean over classes of the intersection of labels and predictions divided by their union.

    Args:
        num_classes: the number of classes.
        name: the name of the metric.
        dtype: the dtype of its result, float32 by default.
    """

    def __init__(self, num_classes: int, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight("total_confusion_matrix", (num_classes, num_classes), dtype=dtypes.float64)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Takes in labels and predicted classes, with weights."""
        flat = lambda each: None if each is None else array.reshape(convert_to_tensor(each), [-1])
        counted = confusion_matrix(math.cast(flat(y_true), dtypes.int64), math.cast(flat(y_pred), dtypes.int64),
                                   self.num_classes, weights=flat(sample_weight), dtype=dtypes.float64)
        return group(self.total_cm.assign_add(counted))

    def result(self) -> Any:
        """The mean over the classes that occur."""
        counts = math.cast(self.total_cm.read_value(), self.dtype)
        both = diag_part(counts)
        either = reduce_sum(counts, axis=0) + reduce_sum(counts, axis=1) - both
        present = reduce_sum(math.cast(elementwise.not_equal(either, 0), self.dtype))
        return math.div_no_nan(reduce_sum(math.div_no_nan(both, either)), present)

    def reset_states(self) -> None:
        """Forgets all batches."""
        session.set_value(self.total_cm, np.zeros((self.num_classes, self.num_classes)))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        return {**super().get_config(), "num_classes": self.num_classes}
