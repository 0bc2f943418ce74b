"""Gradient tapes: gradients of what has run, or was added to a graph, while they recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.eager.tensor import EagerTensor, holding
from evergraph.frontend.gradients import UnconnectedGradients
from evergraph.frontend.recording import Recording
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor, is_tensor_like, to_tensor
from evergraph.graph.differentiate import dense_of, trainable
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import zeros_like as zeros
from evergraph.ops.arrays.reshape import concat_v2, pack, reshape


@export("GradientTape", "contrib.eager.GradientTape")
class GradientTape:
    """Records operations in a with-block for automatic differentiation.

    >>> side = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(side)
    ...     area = side * side
    >>> tape.gradient(area, side).numpy()
    6.0

    Args:
        persistent: whether `gradient` may be called more than once. Such a tape keeps what it has recorded for as long
            as it lives.
        watch_accessed_variables: whether trainable variables are watched when they are read; False leaves all to
            `watch`.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent, self._watch_accessed = persistent, watch_accessed_variables
        self._recording: Recording | None = None
        self._watched: tuple[Any, ...] = ()
        self._is_open = False

    def __enter__(self) -> GradientTape:
        self._begin()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._is_open:
            self._end()

    def _begin(self) -> None:
        if self._is_open:
            raise ValueError("Tape is already recording.")
        if self._recording is None:
            self._recording = Recording(self._watch_accessed)
        scopes.tapes.items.append(self._recording)
        self._is_open = True

    def _end(self) -> None:
        if not self._is_open:
            raise ValueError("Tape is not recording.")
        scopes.tapes.items.remove(self._recording)
        self._is_open = False

    def watch(self, tensor: Any) -> None:
        """Records what depends on `tensor`: a tensor, a variable, or a structure of them.

        Raises:
            ValueError: something in it is neither a tensor nor a variable.
        """
        if self._recording is None:
            self._recording = Recording(self._watch_accessed)
        for item in nest.flatten(tensor, expand_composites=True):
            if not is_tensor_like(item):
                raise ValueError(f"a tape watches tensors and variables, got a {type(item).__name__}")
            if not trainable(_handle_of(item)):
                logging.log_first_n(
                    logging.WARN, "a tape has gradients for floating-point and complex tensors only, got %r", 5,
                    item.dtype)
            if hasattr(item, "handle"):
                self._recording.watch_variable(item)
            else:
                self._recording.watch(item)

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Operations inside the block are not recorded.

        Raises:
            ValueError: the tape is not recording.
        """
        self._end()
        try:
            yield
        finally:
            self._begin()

    def reset(self) -> None:
        """Forgets everything recorded and watched."""
        was_open = self._is_open
        if was_open:
            self._end()
        self._recording = None
        if was_open:
            self._begin()

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that the tape watches, or watched, in the order of their creation."""
        return self._watched if self._recording is None else tuple(self._recording.variables)

    def _forget(self) -> None:
        """Lets go of what was recorded, but for the variables watched."""
        self._watched = self.watched_variables()
        self._recording = None

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of the sum of `target` by each of `sources`, in the structure of `sources`.

        Args:
            target: a tensor, variable or structure of them.
            sources: a tensor, variable or structure of them, which the tape watches.
            output_gradients: the gradients to start from, one for each target; None means ones.
            unconnected_gradients: NONE or ZERO for a source that no target depends on.

        Returns:
            A tensor, IndexedSlices or None for each source.

        Raises:
            RuntimeError: the tape is not persistent and has given its gradients already.
            ValueError: `unconnected_gradients` is no such value.
        """
        try:
            unconnected = UnconnectedGradients(unconnected_gradients)
        except ValueError:
            raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
        recording = self._settled()
        targets = [self._target(t, recording) for t in nest.flatten(target)]
        given = [_ones(t) for t in targets] if output_gradients is None else [
            g if g is None or isinstance(g, IndexedSlices) else to_tensor(g) for g in nest.flatten(output_gradients)]
        flat = nest.flatten(sources)
        found = recording.gradients(targets, [_handle_of(s) for s in flat], given)
        if unconnected is UnconnectedGradients.ZERO:
            found = [zeros(convert_to_tensor(s)) if g is None else g for g, s in zip(found, flat)]
        if not self._persistent:
            self._forget()
        return nest.pack_sequence_as(sources, found)

    def _settled(self) -> Recording:
        """The recording, ended unless it is persistent."""
        if self._recording is None:
            raise RuntimeError("GradientTape.gradient can only be called once unless the tape has persistent=True")
        recording = self._recording
        if self._is_open and not self._persistent:
            self._end()
        elif self._is_open:
            logging.log_first_n(
                logging.WARN, "GradientTape.gradient inside the context of a persistent tape records the "
                              "operations of the gradient too; call it outside to save that time and memory.", 1)
        return recording

    def _target(self, target: Any, recording: Recording) -> Tensor:
        with contextlib.nullcontext() if self._is_open else recording.recorded():
            if isinstance(target, IndexedSlices):
                return dense_of(target)
            return convert_to_tensor(target)

    def jacobian(
        self, target: Any, sources: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of each element of `target` by each of `sources`: shape(target) + shape(source).

        Args:
            target: a tensor whose shape is known.
            sources: a tensor, variable or structure of them, which the tape watches.
            unconnected_gradients: NONE or ZERO for a source that `target` does not depend on.
            parallel_iterations: has no effect: rows are computed one after the other.
            experimental_use_pfor: has no effect on the result; False needs a persistent tape with eager execution.

        Raises:
            RuntimeError: `experimental_use_pfor` is False, and the tape is not persistent.
        """
        self._require_persistence("jacobian", experimental_use_pfor)
        recording = self._settled()
        target = self._target(target, recording)
        shape = _known_shape(target, "jacobian")
        flat = nest.flatten(sources)
        rows = self._rows(target, flat, list(_units(target, shape)), unconnected_gradients)
        found = [None if column is None else reshape(pack(column) if column else target, [*shape, *_sizes(source)])
                 for column, source in zip(rows, flat)]
        return nest.pack_sequence_as(sources, found)

    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each row of `target` by the same row of `source`: [b, ...target, ...source].

        Args:
            target: a tensor of shape [b, ...]; each of its rows depends on the same row of `source` alone.
            source: a tensor of shape [b, ...], which the tape watches.
            unconnected_gradients: NONE or ZERO, when `target` does not depend on `source`.
            parallel_iterations: has no effect: rows are computed one after the other.
            experimental_use_pfor: has no effect on the result; False needs a persistent tape with eager execution.

        Raises:
            RuntimeError: `experimental_use_pfor` is False, and the tape is not persistent.
            ValueError: the first sizes of the two differ, or one has no second size.
        """
        self._require_persistence("batch_jacobian", experimental_use_pfor)
        recording = self._settled()
        target = self._target(target, recording)
        shape, other = _known_shape(target, "batch_jacobian"), _sizes(source)
        for sizes in (shape, other):
            if len(sizes) < 2:
                raise ValueError(f"Shape {sizes} must have rank at least 2")
        if shape[0] != other[0]:
            raise ValueError(
                f"Need first dimension equal in target and source, got shapes {target.shape} and {source.shape}")
        units = [reshape(unit, [1, *shape[1:]]) + zeros(target) for unit in _units(target, shape[1:])]
        (rows,) = self._rows(target, [source], units, unconnected_gradients)
        if rows is None:
            return None
        stacked = concat_v2([reshape(row, [other[0], 1, *other[1:]]) for row in rows], 1) if rows else target
        return reshape(stacked, [*shape, *other[1:]])

    def _require_persistence(self, what: str, use_pfor: bool) -> None:
        if not use_pfor and not self._persistent and default_graph().is_eager:
            raise RuntimeError(f"an eager {what} with experimental_use_pfor=False reads the tape once per row: make "
                               "the GradientTape with persistent=True")

    def _rows(self, target: Tensor, sources: list[Any], units: list[Tensor], unconnected: Any) -> list[Any]:
        """For each source the gradients that start from each of `units`; None if `target` does not depend on it."""
        persistent, self._persistent = self._persistent, True
        try:
            found = [self.gradient(target, sources, [unit], unconnected) for unit in units]
        finally:
            self._persistent = persistent
        if not self._persistent:
            self._forget()
        columns = [[row[i] for row in found] for i in range(len(sources))]
        return [None if c and c[0] is None else [dense_of(g) for g in c] for c in columns]


def _units(target: Tensor, shape: Sequence[int]) -> Iterator[Tensor]:
    """For each element of a tensor of that shape: a tensor that is one there and zero elsewhere."""
    size = int(np.prod(shape, dtype=np.int64))
    for row in np.eye(size, dtype=target.dtype.as_numpy_dtype):
        yield convert_to_tensor(row.reshape(shape))


def _ones(target: Tensor) -> Tensor | None:
    """The gradient to start from at a tensor that has a value; None leaves it to the walk, which refuses some."""
    if not isinstance(target, EagerTensor) or not target._dtype.is_floating:
        return None
    return holding(target._dtype, np.ones(target._shape, target._dtype.np))  # type: ignore[arg-type]


def _known_shape(tensor: Tensor, what: str) -> list[int]:
    if not tensor.shape.is_fully_defined():
        raise ValueError(f"{what} needs a target of known shape, got {tensor.shape}")
    return tensor.shape.as_list()


def _sizes(source: Any) -> list[int]:
    return source.shape.as_list()


def _handle_of(item: Any) -> Tensor:
    """The tensor that a tape watches for a source: a variable's handle, or its reference in a graph."""
    handle = getattr(item, "handle", None)
    if isinstance(handle, Tensor):
        return handle
    return item if isinstance(item, Tensor) else to_tensor(item, as_ref=True)
