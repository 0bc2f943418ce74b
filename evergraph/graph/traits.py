"""Traits: what the passes and the compiler may know of an op, said where the op is declared.

A pass never compares the name of an op: it asks `node.opdef` for a trait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from evergraph.graph.node import Operation, Shape


class Kind(Enum):
    """The part that an op plays in a graph. Most ops compute a value and have no kind."""

    CONSTANT = auto()  # its value is its attr "value"
    PLACEHOLDER = auto()  # its value is fed
    VARIABLE = auto()  # creates storage, and gives out a reference or a handle to it
    READ = auto()  # reads the variable behind the handle that is its first input
    ASSIGN = auto()  # replaces the value of the variable that is its first input by its second input
    RESTORE = auto()  # reads new arrays from a file: whoever takes them over owns them
    NO_OP = auto()  # does nothing
    IDENTITY = auto()  # its output is its only input
    SHAPE = auto()  # its outputs follow from the shapes of its inputs, which `static_value` reads
    AND = auto()  # the conjunction of its inputs
    SEGMENT_SUM = auto()  # adds up the rows of input 0 that input 1 gives the same number, out of input 2 many
    IF = auto()  # calls its attr "then_branch" or "else_branch"
    CASE = auto()  # calls one of the functions in its attr "branches", by number
    CALL = auto()  # calls its attr "f" with its inputs
    WHILE = auto()  # calls its attr "body" as long as its attr "cond" holds
    GRADIENT = auto()  # differentiates a function with JAX, anew in every run that is not compiled
    MERGE = auto()  # passes on the one input that has a value; in imported graphs, a loop starts here
    BACK_EDGE = auto()  # leads from the end of an imported loop to the MERGE at its start
    LIST_RESERVE = auto()  # makes a tensor list whose length is its static input
    LIST_STACK = auto()  # the elements of the tensor list that is input 0 as one tensor, of elements like input 1
    LIST_UNSTACK = auto()  # the rows of a tensor as a tensor list, of elements like input 1


class Memory(Enum):
    """How XLA holds the result of an op, on which depends what it costs to compute it for each reader."""

    FUSED = auto()  # computed inside the loop of each reader
    STORED = auto()  # the result is written to memory, and read from there
    VIEW = auto()  # passes on its input, in whole or in part: its readers are readers of the input
    REREADS = auto()  # reads its inputs more than once
    EXPENSIVE = auto()  # too expensive to be computed for each reader, as random numbers are


@dataclass(frozen=True)
class TypeOf:
    """Marks an attr that says whether an input is int32, as it always was in TensorFlow 1.15, or int64."""

    input: str


ANY = object()
"""Marks an attr of which any value leaves the meaning of the op as it was in TensorFlow 1.15."""


@dataclass(eq=False)
class Traits:
    """What is known of an op besides its signature, its kernel, its shapes and its gradient.

    Attributes:
        kind: the part that the op plays in a graph, None for those that only compute.
        memory: how XLA holds its result.
        by_row: computes each row of the output from the same row of the inputs, and accepts rows of padding.
        updates_rows: the input with the numbers of the rows of a variable that the op updates. The op drops the row
            numbers that a fixed-size Unique pads with.
        reads_only: takes a reference or handle and leaves the variable as it was.
        aliases: an output is the reference or handle that is an input.
        opaque: its value is unknown while the graph is built, even where the value of its input is known.
        bounded: an output has at most as many elements as the inputs, even if its static shape does not say so.
        static_value: `(node, index) -> value or None`: an output that is known although the inputs are not.
        denotes_shape: `node -> shape`: the shape that the values of output 0 denote, None for unknown sizes.
        later: attrs that the op has got since TensorFlow 1.15, with the value under which its meaning is the same, or
            ANY, or TypeOf an input. A node keeps such an attr, and is written out with it.
    """

    kind: Kind | None = None
    memory: Memory = Memory.FUSED
    by_row: bool = False
    updates_rows: str | None = None
    reads_only: bool = False
    aliases: bool = False
    opaque: bool = False
    bounded: bool = False
    static_value: Callable[[Operation, int], np.ndarray[Any, Any] | None] | None = None
    denotes_shape: Callable[[Operation], Shape] | None = None
    later: Mapping[str, Any] = field(default_factory=dict)
