"""Traits: properties of ops that passes and the compiler use, declared with the op.

A pass never compares op names: it asks `node.opdef` for a trait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from evergraph.graph.node import Operation, Shape, Tensor

    Resolve = Callable[[Tensor], Tensor]
    Users = Callable[[Tensor], list[Operation]]


class Kind(Enum):
    """The role of an op in a graph. Most ops only compute a value and have no kind."""

    CONSTANT = auto()  # its value is its attr "value"
    PLACEHOLDER = auto()  # its value is fed
    VARIABLE = auto()  # creates storage, and outputs a reference or a handle to it
    READ = auto()  # reads the variable behind the handle that is its first input
    ASSIGN = auto()  # replaces the value of the variable that is its first input by its second input
    RESTORE = auto()  # reads new arrays from a file; the consumer takes ownership of them
    NO_OP = auto()  # does nothing
    IDENTITY = auto()  # its output is its only input
    SHAPE = auto()  # its outputs depend only on the shapes of its inputs; `static_value` computes them
    AND = auto()  # the conjunction of its inputs
    CONCAT = auto()  # joins its inputs along the axis in the last one
    SEGMENT_SUM = auto()  # adds the rows of input 0 by the segment ids in input 1; input 2 is the number of segments
    IF = auto()  # calls its attr "then_branch" or "else_branch"
    CASE = auto()  # calls one of the functions in its attr "branches", by number
    CALL = auto()  # calls its attr "f" with its inputs
    WHILE = auto()  # calls its attr "body" as long as its attr "cond" holds
    GRADIENT = auto()  # differentiates a function with JAX; in an uncompiled run, on every call
    MERGE = auto()  # forwards its one input that has a value; starts a loop in imported graphs
    BACK_EDGE = auto()  # leads from the end of an imported loop to the MERGE at its start
    LIST_RESERVE = auto()  # creates a tensor list whose length is its static input
    LIST_LENGTH = auto()  # the number of elements of a tensor list
    LIST_STACK = auto()  # stacks the tensor list in input 0 to one tensor; input 1 is the element shape
    LIST_UNSTACK = auto()  # splits a tensor by rows to a tensor list; input 1 is the element shape
    LIST_GET = auto()  # one element of the tensor list in input 0
    LIST_PUSH = auto()  # the tensor list in input 0 with input 1 behind its elements
    LIST_POP = auto()  # the tensor list in input 0 without its last element, and that element
    LIST_SET = auto()  # the tensor list in input 0 with input 2 as one of its elements


CALLS = frozenset({Kind.IF, Kind.CASE, Kind.CALL, Kind.WHILE})
"""The kinds that call functions with their inputs, and return what these do."""


class Memory(Enum):
    """How XLA holds the result of an op, which determines the cost of computing it for each consumer."""

    FUSED = auto()  # computed inside the fused loop of each consumer
    STORED = auto()  # materialized: written to memory and read from there
    VIEW = auto()  # forwards its input, whole or in part: its consumers are consumers of the input
    REREADS = auto()  # reads its inputs more than once
    EXPENSIVE = auto()  # too expensive to recompute for each consumer, such as random numbers


class Half(Enum):
    """How an op takes part in automatic mixed precision; see passes/half_precision.py."""

    ALLOW = auto()  # always computes in half precision: it is fast, and adds up in float32
    INFER = auto()  # does so between such ops, unless what comes in has to be exact
    DENY = auto()  # never does: its results, and what is computed from them, have to be exact
    CLEAR = auto()  # only moves or compares numbers, in the precision of its neighbours


@dataclass(frozen=True)
class TypeOf:
    """Marks an attr that tells whether an input is int32, as it always was in TensorFlow 1.15, or int64."""

    input: str


@dataclass(frozen=True)
class Padded:
    """How an op treats ids that are padding, which are the largest integer: see passes/padding.py.

    Attributes:
        inputs: the inputs that may have such ids, or rows that belong to them.
        like: the input that has as many rows as the output, or whose value is that number; None where the op leaves
            out what is padded.
        alike: the inputs that must have the same length.
        counts: the input with segment ids whose last one tells how many segments the output has.
        below: an input with ids, and the input that must have more rows than each id.
    """

    inputs: tuple[str, ...]
    like: str | None = None
    alike: tuple[str, ...] = ()
    counts: str | None = None
    below: tuple[str, str] | None = None


@dataclass(frozen=True)
class Fusion:
    """A chain of nodes that one function computes on NumPy.

    Attributes:
        nodes: the nodes that need not run.
        inputs: what the function takes.
        results: what it returns, one value for each.
        function: the function. Equal functions return equal results for the same inputs.
        spared: nodes before the chain that need not run either, unless something else uses their outputs.
        otherwise: a shorter chain, where something else needs what this one computes on the way.
        is_recordable: whether the function computes with recorded values too, see kernel/recording.py.
    """

    nodes: frozenset[Operation]
    inputs: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    function: Callable[..., Any]
    spared: frozenset[Operation] = frozenset()
    otherwise: Fusion | None = None
    is_recordable: bool = False


ANY = object()
"""Marks an attr of which any value leaves the meaning of the op as it was in TensorFlow 1.15."""


@dataclass(eq=False)
class Traits:
    """The properties of an op besides signature, kernel, shape function and gradient.

    Attributes:
        kind: the role of the op in a graph; None for ops that only compute.
        memory: how XLA holds its result.
        exact: asks whether numbers are equal to the last bit, which those are not that a program computes twice.
        by_row: computes each row of the output from the same row of the inputs, and accepts rows of padding.
        adds_up: an output of one element is a sum over all elements of the first input, to which zeros add nothing.
        multilinear: linear in each input, so that the gradient by an input does not depend on that input.
        updates_rows: the input with the numbers of the rows of a variable that the op updates. The op drops the row
            numbers that a fixed-size Unique pads with.
        reads_rows: the input of which the op reads some rows alone, by their numbers.
        slots: the inputs that are variables which, in a step of training, only this op uses: those of an optimizer.
        reads_only: takes a reference or handle and does not change the variable.
        aliases: an output is the reference or handle that an input passes in.
        opaque: its value is never static, even if its input's is.
        bounded: an output has at most as many elements as the inputs, even if its static shape does not say so.
        moves: `node -> bool`: whether its static inputs only tell where its output starts, not how large it is; they
            need not be static then.
        static_value: `(node, index) -> value or None`: an output that is static although the inputs are not.
        denotes_shape: `(node, index) -> shape`: the shape that the values of an output denote, None for unknown sizes.
        in_batches: how it computes many rows at once, see kernel/rows.py. Ops that are `by_row` or broadcast need no
            rule, and others without one are computed row by row. A stateful op with a rule has no other effect than
            to raise an error.
        padding: which inputs may be padded; the op then runs its fixed-size kernel.
        may_compile: its kernel is for the host, but may be part of a compiled program; see passes/joining_device.py.
        slow_on_numpy: `node -> bool`: its kernel asks for `lax` but also takes NumPy arrays, and gets None for `lax`
            then; whether that pays for small inputs alone.
        worth_threads: one call may take long without the interpreter's lock: calls that a program allows to happen at
            the same time do, in threads.
        outside: whether a node reads or writes files, or calls functions of Python: True, or `node -> bool` where that
            depends on its attrs and inputs.
        fusion: `(node, resolve, users) -> Fusion or None`: a chain through the node that one function computes, where
            the node stands for it: its inputs come before the node, and uses of its results after it. `resolve(tensor)`
            is the tensor that stands for an equal one, and `users(tensor)` lists the nodes of the stage that use it.
        later: attrs added to the op since TensorFlow 1.15, each with the value under which its meaning is unchanged, or
            ANY, or TypeOf an input. A node keeps such an attr, and is written out with it.
    """

    kind: Kind | None = None
    memory: Memory = Memory.FUSED
    exact: bool = False
    by_row: bool = False
    adds_up: bool = False
    multilinear: bool = False
    updates_rows: str | None = None
    reads_rows: str | None = None
    slots: tuple[str, ...] = ()
    reads_only: bool = False
    aliases: bool = False
    opaque: bool = False
    bounded: bool = False
    moves: Callable[[Operation], bool] | None = None
    static_value: Callable[[Operation, int], np.ndarray[Any, Any] | None] | None = None
    denotes_shape: Callable[[Operation, int], Shape] | None = None
    in_batches: Callable[..., list[Any]] | None = None
    padding: Padded | None = None
    may_compile: bool = False
    slow_on_numpy: Callable[[Operation], bool] | None = None
    worth_threads: bool = False
    outside: bool | Callable[[Operation], bool] = False
    fusion: Callable[[Operation, Resolve, Users], Fusion | None] | None = None
    later: Mapping[str, Any] = field(default_factory=dict)
