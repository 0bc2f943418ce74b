"""The objects behind accumulator ops, which aggregate gradients of several workers."""

from __future__ import annotations

import collections
import threading
from typing import Any

import numpy as np

from evergraph.base import errors, logging
from evergraph.base.shapes import text
from evergraph.graph.shaping import Shape
from evergraph.kernel.patience import wait_for


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


class Accumulator:
    """Aggregates gradients, and returns their mean or sum once enough have arrived.

    A gradient with an older step than the accumulator's is dropped as stale. Taking the aggregate advances the step.
    Waiting threads are served in order of arrival.

    Args:
        name: its name in error messages.
        dtype: the dtype of gradients.
        shape: the known part of the gradients' shape.
        reduction_type: "MEAN" or "SUM".
    """

    def __init__(self, name: str, dtype: np.dtype, shape: Shape, reduction_type: str) -> None:
        self.name, self.dtype, self.shape, self.reduction_type = name, dtype, shape, reduction_type
        self.count = self.global_step = 0
        self.timeout: float | None = None  # the longest time to wait, in seconds
        self._cancelled = False
        self._changed = threading.Condition()
        self._waiting: collections.deque[object] = collections.deque()

    # ---- defined by each kind of accumulator

    def _check(self, gradient: Any) -> None:
        """Raises InvalidArgumentError unless the gradient is valid."""
        raise NotImplementedError

    def _start(self, gradient: Any) -> None:
        raise NotImplementedError

    def _add(self, gradient: Any) -> None:
        raise NotImplementedError

    def _result(self) -> Any:
        raise NotImplementedError

    # ---- common to all kinds

    def apply(self, local_step: int, gradient: Any) -> None:
        """Adds a gradient, unless its step is stale."""
        with self._changed:
            if local_step < self.global_step:
                return
            self._check(gradient)
            (self._add if self.count else self._start)(gradient)
            self.count += 1
            self._changed.notify_all()

    def take(self, num_required: int) -> Any:
        """The aggregate, once `num_required` gradients have arrived.

        Raises:
            InvalidArgumentError: the number is not positive.
            CancelledError: the session was closed during the wait.
            DeadlineExceededError: the wait exceeded the session's timeout.
        """
        if num_required <= 0:
            raise _invalid(f"Argument num_required must be positive, but was {num_required}")
        turn = object()
        with self._changed:
            self._waiting.append(turn)
            try:
                self._wait(turn, num_required)
                self.global_step += 1
                result, self.count = self._result(), 0
                return result
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def _wait(self, turn: object, num_required: int) -> None:
        def ready() -> bool:
            return self._cancelled or self._waiting[0] is turn and self.count >= num_required

        if not wait_for(self._changed, ready, self.timeout):
            raise errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
        if self._cancelled:
            raise errors.CancelledError(None, None, "TakeGrad operation was cancelled")

    def set_global_step(self, step: int) -> None:
        with self._changed:
            if step < self.global_step:
                logging.warning(f"The step of an accumulator goes back, from {self.global_step} to {step}.")
            self.global_step = step

    def cancel(self) -> None:
        """Wakes all waiting threads with an error."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def _averaged(self, total: np.ndarray, counts: Any) -> np.ndarray:
        if self.reduction_type == "SUM":
            return total
        if total.dtype.kind in "iu":
            return np.trunc(total / counts).astype(total.dtype)
        return (total / np.asarray(counts).astype(total.dtype)).astype(total.dtype)


class DenseAccumulator(Accumulator):
    """Aggregates dense gradients of one shape."""

    def _check(self, gradient: np.ndarray) -> None:
        wanted = self._total.shape if self.count else self.shape
        if wanted is not None and (len(wanted) != gradient.ndim or any(
                w is not None and w != size for w, size in zip(wanted, gradient.shape))):
            raise _invalid(f"Shape mismatch: expected {text(wanted)}, got {text(gradient.shape)}")

    def _start(self, gradient: np.ndarray) -> None:
        self._total = np.array(gradient)

    def _add(self, gradient: np.ndarray) -> None:
        self._total = self._total + gradient

    def _result(self) -> np.ndarray:
        return self._averaged(self._total, self.count)


class SparseAccumulator(Accumulator):
    """Aggregates sparse gradients: (indices, rows, dense shape or None)."""

    def _check(self, gradient: Any) -> None:
        indices, values, shape = gradient
        if indices.ndim != 1:
            raise _invalid(f"Input indices should be vector but received shape: {text(indices.shape)}")
        if not values.ndim:
            raise _invalid("Values cannot be 0-dimensional.")
        if len(values) != len(indices):
            raise _invalid(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        if shape is not None:
            self._check_whole(shape)
        if self.shape and self.shape[0] is not None:
            for position in np.flatnonzero(indices >= self.shape[0])[:1]:
                raise _invalid(f"Shape mismatch: index of slice {position} exceeded limits of shape; index is "
                               f"{indices[position]} exceeded {self.shape[0]}")
        self._check_rows(values)

    def _check_whole(self, shape: np.ndarray) -> None:
        known = self.shape or ()
        if len(known) > len(shape):
            raise _invalid(f"Shape mismatch: expected shape rank at least {len(known)}, got {len(shape)}")
        for axis, size in enumerate(known):
            if size is not None and size != shape[axis]:
                raise _invalid(f"Shape mismatch: expected shape dim {axis} to be {size}, got {shape[axis]}")

    def _check_rows(self, values: np.ndarray) -> None:
        wanted = self._rows.shape if self.count else self.shape or ()
        if self.count and len(wanted) != values.ndim:
            raise _invalid(f"Shape mismatch: expected values rank {len(wanted)}, got {values.ndim}")
        if len(wanted) > values.ndim:
            raise _invalid(f"Shape mismatch: expected values rank at least {len(wanted)}, got {values.ndim}")
        for axis, size in list(enumerate(wanted))[1:]:
            if size is not None and size != values.shape[axis]:
                raise _invalid(f"Shape mismatch: expected values dim {axis} to be {size}, got {values.shape[axis]}")

    def _start(self, gradient: Any) -> None:
        indices, values, _ = gradient
        self._indices, self._rows, self._counts = indices, values, np.ones(len(indices), np.int64)

    def _add(self, gradient: Any) -> None:
        """Merges two sorted lists of rows and adds rows of the same index."""
        indices, values, _ = gradient
        order = np.argsort(np.concatenate([self._indices, indices]), kind="stable")
        both = np.concatenate([self._indices, indices])[order]
        first = np.ones(len(both), bool)
        first[1:] = both[1:] != both[:-1]
        starts = np.flatnonzero(first)
        counts = np.concatenate([self._counts, np.ones(len(indices), np.int64)])[order]
        rows = np.concatenate([self._rows, values])[order]
        if len(starts):
            rows, counts = np.add.reduceat(rows, starts, axis=0), np.add.reduceat(counts, starts)
        self._indices, self._rows, self._counts = both[starts], rows, counts

    def _result(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        counts = self._counts.reshape((-1,) + (1,) * (self._rows.ndim - 1))
        size = self.shape[0] if self.shape and self.shape[0] is not None else -1
        return (self._indices, self._averaged(self._rows, counts),
                np.array([size, *self._rows.shape[1:]], np.int64))
