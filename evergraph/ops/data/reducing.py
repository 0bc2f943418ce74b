"""Ops that go through a whole dataset: reduce, the single element, the number of elements."""

from __future__ import annotations

import contextlib

import numpy as np

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.graph.traits import ANY
from evergraph.ops.data.pipeline import LATER, TYPES, Captured, Scope, as_dataset


def _declared(output_shapes):
    return list(output_shapes)


@op("ReduceDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments, *, f: func, "
    f"Tstate: list(type) >= 1, Targuments: list(type) >= 0, {TYPES}, use_inter_op_parallelism: bool = True) -> "
    "components: output_types", stateful=True, on="host", shape=_declared, grad=STOP, later=LATER)
def reduce_dataset(context, node, shared, input_dataset, initial_state, other_arguments, f):
    """What a function of a state and an element makes of the first state. Parallelism has no meaning here."""
    scope = Scope(context.detached())
    function = scope.function(Captured(f, other_arguments))
    iterator = as_dataset(input_dataset).iterate(scope)
    state = list(initial_state)
    try:
        passes = _Passes() if node.graph.is_eager else shared(_Passes)  # eagerly there is no session to close
        with passes.containing(iterator) as goes_on:
            while goes_on() and (element := iterator.get()) is not None:
                state = function(*state, *element)
    finally:
        iterator.close()
    return state


class _Passes:
    """The passes through datasets that one node makes at the moment, which end when their session is closed."""

    def __init__(self):
        self._iterators = []
        self._is_over = False

    @contextlib.contextmanager
    def containing(self, iterator):
        """A block in which the iterator can be cancelled; what it gives says whether the block may go on."""
        self._iterators.append(iterator)
        try:
            yield self._goes_on
        finally:
            self._iterators.remove(iterator)

    def _goes_on(self):
        if self._is_over:
            raise errors.CancelledError(None, None, "the session was closed")
        return True

    def cancel(self):
        """Ends all of them, with CancelledError."""
        self._is_over = True
        for iterator in list(self._iterators):
            iterator.stop()


@op(f"DatasetToSingleElement(dataset: variant, *, {TYPES}) -> components: output_types", stateful=True, on="host",
    shape=_declared, grad=STOP, later=LATER)
def dataset_to_single_element(context, dataset):
    """The components of the only element of a dataset."""
    iterator = as_dataset(dataset).iterate(Scope(context.detached()))
    try:
        element = iterator.get()
        if element is None:
            raise invalid("Dataset was empty.")
        if iterator.get() is not None:
            raise invalid("Dataset had more than one element.")
    finally:
        iterator.close()
    return element


def _cardinality(input_dataset):
    """How many elements a dataset has: -1 if they never end, -2 if it is not known."""
    return np.int64(as_dataset(input_dataset).cardinality())


dataset_cardinality = op("DatasetCardinality(input_dataset: variant) -> cardinality: int64", on="host", shape=scalar,
                         grad=STOP, later={"cardinality_options": ANY})(_cardinality)
experimental_dataset_cardinality = op("ExperimentalDatasetCardinality(input_dataset: variant) -> cardinality: int64",
                                      on="host", shape=scalar, grad=STOP)(_cardinality)
