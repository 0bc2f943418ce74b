"""Signatures of a loaded model: named inputs and outputs, and the function that computes these of those."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.errors import invalid
from evergraph.base.recent import RecentlyUsed
from evergraph.graph.node import Tensor
from evergraph.serving.blank import blank_example
from evergraph.serving.outside import changes_state, may_wait_or_loop, nodes_of, reaching_outside

MOST_SELECTIONS = 16  # of outputs that a signature is planned for at a time

Arrays = list[np.ndarray]


class Signature:
    """One signature of a model: threads may run it at the same time.

    Args:
        name: its key in the model.
        session: where to run it.
        inputs, outputs: tensors by the names that requests use.

    Attributes:
        names, dtypes: the inputs' names in the order of `run`'s arguments, and their dtypes.
        output_names: the outputs' names in the order of results.
        has_rows: whether all inputs and outputs may have a first dimension of any size, so that rows of several
            requests can be put together.
        outside: its nodes that touch files or run Python.
        changes_state: whether a run may change variables, so that one that nobody asked for would not do.
        waits_for_others: whether a run may take any time, whatever the sizes of its inputs: it has loops or queues.
        is_light: whether a run is so short that handing it to another thread would take longer; measured at warm-up.
    """

    def __init__(self, name: str, session: Any, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]) -> None:
        self.name, self._session = name, session
        self.inputs, self.outputs = dict(sorted(inputs.items())), dict(sorted(outputs.items()))
        self.names, self.output_names = tuple(self.inputs), tuple(self.outputs)
        self.dtypes = [tensor.dtype.base_dtype for tensor in self.inputs.values()]
        self.has_rows = bool(inputs) and all(map(_may_have_rows, (*inputs.values(), *outputs.values())))
        nodes = nodes_of(self.outputs.values(), self.inputs.values())
        self.outside = reaching_outside(nodes)
        self.changes_state = changes_state(nodes)
        self.waits_for_others = may_wait_or_loop(nodes)
        self.is_light = False
        self._blank = blank_example(nodes)
        self._columns = [place for place, tensor in enumerate(self.inputs.values()) if _is_column(tensor)]
        self._all = self._callable(self.output_names)
        self._selected: RecentlyUsed[Callable[..., Any]] = RecentlyUsed(MOST_SELECTIONS)

    def run(self, values: Sequence[Any], outputs: tuple[str, ...], longest: float | None = None) -> Arrays:
        """The values of the outputs that are named, for a value of each input.

        A vector may stand for a column: the columns of the outputs are vectors then, too.

        Args:
            values: the inputs in order.
            outputs: names.
            longest: seconds after which a run with loops or queues is ended; other runs end by themselves.

        Raises:
            OpError: the model failed, or the values do not fit it, or there was no time.
        """
        call = self._all if outputs is self.output_names else self._selection(outputs)
        if self.waits_for_others and longest is not None:
            options = proto.config_pb2.RunOptions(timeout_in_ms=max(1, round(1000 * longest)))
            call = functools.partial(call, options=options)
        if self._columns and any(np.ndim(values[place]) == 1 for place in self._columns):
            values = [_column(value) if place in self._columns else value for place, value in enumerate(values)]
            return [_vector(value) for value in self._called(call, values)]
        return self._called(call, values)

    def _called(self, call: Callable[..., Any], values: Sequence[Any]) -> Arrays:
        try:
            return [value if type(value) is np.ndarray else _scalar(value) for value in call(*values)]
        except (ValueError, TypeError) as error:  # what a session says of a feed that does not fit
            raise invalid(self._misfit(values) or str(error)) from error

    def _misfit(self, values: Sequence[Any]) -> str | None:
        """What is wrong with the shape of an input, if something is."""
        for (name, tensor), value in zip(self.inputs.items(), values):
            if not tensor.shape.is_compatible_with(np.shape(value)):
                return f"The input {name!r} has the shape {list(np.shape(value))}; the model takes {tensor.shape}"
        return None

    def _selection(self, outputs: tuple[str, ...]) -> Callable[..., Any]:
        call = self._selected.get(outputs)
        if call is None:
            call = self._callable(outputs)
            self._selected.put(outputs, call)
        return call

    def _callable(self, outputs: Sequence[str]) -> Callable[..., Any]:
        fetches, feeds = [self.outputs[name] for name in outputs], list(self.inputs.values())
        return self._session.make_callable(fetches, feeds, accept_options=self.waits_for_others)

    def select(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """The outputs that a request wants: those that it names, or all.

        Raises:
            InvalidArgumentError: there is none of such a name, or one is named twice.
        """
        if not wanted:
            return self.output_names
        unknown = [name for name in wanted if name not in self.outputs]
        if unknown or len(set(wanted)) < len(wanted):
            wrong = f"has no output {unknown[0]!r}" if unknown else f"was asked twice for one of {sorted(wanted)}"
            raise invalid(f"The signature {self.name!r} {wrong}; its outputs are {list(self.output_names)}")
        return tuple(wanted)

    def in_order(self, given: Mapping[str, Any]) -> list[Any]:
        """The values of the inputs by name, in the order of `run`'s arguments.

        Raises:
            InvalidArgumentError: one is missing, or there is no such input.
        """
        if len(given) != len(self.names) or any(name not in given for name in self.names):
            extra, missing = sorted(given.keys() - self.inputs.keys()), sorted(self.inputs.keys() - given.keys())
            raise invalid(f"The inputs do not match the signature {self.name!r}: not known {extra}, missing {missing}")
        return [given[name] for name in self.names]

    def example(self, rows: int) -> Arrays:
        """Inputs for a run that warms up: zeros, empty strings or Examples, and one wherever a size is not known."""
        blank = np.array([self._blank], object)
        return [np.full(_sizes(tensor, rows), blank if dtype is dtypes.string else 0, dtype.np)
                for tensor, dtype in zip(self.inputs.values(), self.dtypes)]  # fmt: skip


def _may_have_rows(tensor: Tensor) -> bool:
    shape = tensor.shape
    return shape.ndims is None or shape.ndims > 0 and shape.as_list()[0] is None


def _scalar(value: Any) -> np.ndarray:
    return np.asarray(value, object if isinstance(value, bytes) else None)


def _is_column(tensor: Tensor) -> bool:
    return tensor.shape.ndims == 2 and tensor.shape.as_list() == [None, 1]


def _column(value: np.ndarray) -> np.ndarray:
    return value.reshape(-1, 1) if value.ndim == 1 else value


def _vector(value: np.ndarray) -> np.ndarray:
    return value.reshape(-1) if value.ndim == 2 and value.shape[1] == 1 else value


def _sizes(tensor: Tensor, rows: int) -> list[int]:
    if tensor.shape.ndims is None:
        return [rows]
    sizes = tensor.shape.as_list()
    return [(rows if place == 0 else 1) if size is None else size for place, size in enumerate(sizes)]


def unfit(signature: Any) -> str | None:
    """Why the server cannot offer a signature of a SavedModel; None if it can."""
    for kind, infos in (("input", signature.inputs), ("output", signature.outputs)):
        for name, info in infos.items():
            if info.WhichOneof("encoding") != "name":
                return f"the {kind} {name!r} is a composite tensor, for which requests have no form"
    return None if signature.outputs else "it has no outputs"
