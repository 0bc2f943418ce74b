"""What a stage stores and how much work it does, read off its nodes once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from evergraph.compile.policy import Work, is_kept_by_numpy
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import product
from evergraph.graph.traits import Kind, Memory
from evergraph.passes.concrete import open_sizes_of_loops, sized
from evergraph.passes.partition import Stage
from evergraph.passes.slots import slots
from evergraph.passes.state import cell_key, has_storage, touched, with_inner
from evergraph.passes.tables import tables

FEW_ELEMENTS = 1 << 18  # that a program makes in all, so that no two of its operations are worth two threads
_ROW_PASSES = 16  # elements that cost as much to make as one that NumPy takes from a table, changes and puts back
# Nodes whose outputs are not made by their kernels, but are there already, or made by other nodes.
_FREE = (Kind.CONSTANT, Kind.PLACEHOLDER, Kind.VARIABLE, Kind.WHILE, Kind.IDENTITY, Kind.READ)

Sizes: TypeAlias = tuple[int | None, ...]
Factors: TypeAlias = tuple[Sizes, Sizes, Sizes]


@dataclass(frozen=True)
class Made:
    """What nodes compute.

    Attributes:
        shapes: the static shapes of what their kernels make; None if one is unknown.
        products: the static shapes of the factors and results of products and convolutions.
    """

    shapes: tuple[Sizes, ...] | None
    products: tuple[Factors, ...]

    def elements(self, sizes: Sequence[int]) -> int | None:
        """How many elements they make, with `sizes` for those that are not static."""
        return None if self.shapes is None else sum(_count(shape, sizes) for shape in self.shapes)

    def flops(self, sizes: Sequence[int]) -> int:
        """How many multiplications products and convolutions take, about: exactly as many for two matrices.

        The factors [m, k] and [k, n] and the result [m, n] have the square of m * k * n elements, when multiplied.
        """
        return sum(math.isqrt(math.prod(_count(shape, sizes) for shape in factors)) for factors in self.products)


@dataclass(frozen=True)
class Footprint:
    """The state and the work of a stage, those of inner functions included.

    Attributes:
        keys: the cells of its nodes, by their names in the store.
        written: the cells that it may write.
        read: the cells that some node looks at without writing them, be it only to see whether they are set.
        used: all cells that it reads or writes.
        only_read: the cells that it never writes.
        slots: the cells that nothing but one update of an optimizer uses.
        tables: the cells of which it reads and updates rows alone.
        nodes: how many kernels there are.
        nodes_in_loops: how many of them are inside of loops.
        updates: whether it changes a variable depending on its old value, as training steps do.
        xla_only: whether some kernel exists for XLA alone, is slow elsewhere, or is differentiated by JAX.
        outside, in_loops: what the kernels compute outside of loops, and in one iteration of each.
    """

    keys: tuple[str, ...]
    written: frozenset[str]
    read: frozenset[str]
    used: frozenset[str]
    only_read: frozenset[str]
    slots: tuple[str, ...]
    tables: frozenset[str]
    nodes: int
    nodes_in_loops: int
    updates: bool
    xla_only: bool
    outside: Made
    in_loops: Made

    def work(self, state: int, sizes: Sequence[int]) -> Work:
        """What the tier policy decides by.

        Args:
            state: the number of elements in inputs and variables.
            sizes: what stands for sizes that are not static, see `open_sizes`.
        """
        elements, in_loops = self.outside.elements(sizes), self.in_loops.elements(sizes)
        return Work(self.nodes, None if in_loops is None else elements, self.outside.flops(sizes), state,
                    self.nodes_in_loops, in_loops or 0, self.in_loops.flops(sizes), self.xla_only)

    @property
    def has_products(self) -> bool:
        """Whether it multiplies matrices, or convolves."""
        return bool(self.outside.products or self.in_loops.products)

    @property
    def has_static_shapes(self) -> bool:
        """Whether all shapes of what it makes are static, so that no size has to be guessed."""
        return all(made.shapes is not None and not any(None in shape for shape in made.shapes)
                   for made in (self.outside, self.in_loops))

    def makes_few_elements(self, args: Sequence[Any]) -> bool:
        """Whether a run with these inputs makes so few elements that threads would not share its operations."""
        if self.nodes_in_loops:
            return False
        made = self.outside.elements([_longest_size(args)])
        return made is not None and made <= FEW_ELEMENTS


def open_sizes(inputs: Sequence[Tensor], args: Sequence[Any]) -> Sequence[int]:
    """What stands for sizes that are not static, the largest first.

    These are mostly the sizes of an input that are not static either: a tensor with two of them has the length and the
    batch of what is fed. Where all inputs are static, it is the largest size of one.

    Args:
        inputs: the inputs.
        args: their values.
    """
    found = [[size for known, size in zip(tensor._shape or [None] * len(arg.shape), arg.shape) if known is None]
             for tensor, arg in zip(inputs, args, strict=True)]
    return sorted(max(found, key=math.prod, default=()), reverse=True) or [_longest_size(args)]


def _longest_size(args: Sequence[Any]) -> int:
    """The largest size of an input."""
    return max((size for arg in args for size in arg.shape), default=1)


def footprint(stage: Stage) -> Footprint:
    """The footprint of a stage."""
    inner = list(with_inner(stage.nodes))
    keys = tuple(dict.fromkeys(cell_key(n) for n in inner if has_storage(n)))
    uses = [(n, use) for n in inner if (use := touched(n))]
    written = frozenset(_written(inner, uses))
    loops = [n for n in inner if n.opdef.kind is Kind.WHILE]
    looped = {n for loop in loops for n in with_inner([loop]) if n is not loop}
    return Footprint(
        keys=keys,
        written=written,
        read=frozenset(cell_key(storage.op) for _, use in uses for storage, writes in use if not writes),
        used=written.union(keys),
        only_read=frozenset(keys) - written,
        slots=slots(stage),
        tables=tables(stage),
        nodes=sum(map(_has_kernel, inner)),
        nodes_in_loops=sum(map(_has_kernel, looped)),
        updates=any(writes for n, use in uses if n.opdef.kind is not Kind.ASSIGN for _, writes in use),
        xla_only=any(map(_needs_xla, inner)),
        outside=_made([n for n in inner if n not in looped]),
        in_loops=_made([n for n in inner if n in looped]),
    )


def _has_kernel(node: Operation) -> bool:
    return node.opdef.kind not in (Kind.CONSTANT, Kind.PLACEHOLDER)


def _needs_xla(node: Operation) -> bool:
    """Whether NumPy cannot run a node, or far slower. JAX differentiates on its own arrays, which is slow too."""
    opdef = node.opdef
    return opdef.needs_xla or opdef.kind is Kind.GRADIENT \
        or opdef.slow_on_numpy is not None and opdef.slow_on_numpy(node)


def with_known_sizes(stage: Stage, own: Footprint, work: Work, args: Sequence[Any], sizes: Sequence[int]) -> Work:
    """An estimate of work by the shapes that follow from the inputs; those inside loops are guessed by what these get.

    Args:
        stage: the stage.
        own: its footprint.
        work: the estimate by guessed sizes.
        args: the inputs.
        sizes: the guess: what stands for sizes that are not static.
    """
    copy = sized(stage, args)
    known = footprint(copy).outside
    inside = open_sizes_of_loops(stage, copy) or sizes
    return replace(work, elements=known.elements(sizes), flops=known.flops(sizes),
                   elements_in_loops=own.in_loops.elements(inside) or 0, flops_in_loops=own.in_loops.flops(inside))


def _made(nodes: Sequence[Operation]) -> Made:
    return Made(_shapes(nodes), _products(nodes))


def _count(shape: Sizes, sizes: Sequence[int]) -> int:
    others = itertools.chain(sizes, itertools.repeat(sizes[0]))
    return math.prod([next(others) if size is None else size for size in shape])


def _products(nodes: Sequence[Operation]) -> tuple[tuple[Sizes, Sizes, Sizes], ...]:
    """The shapes of factors and results; nodes of which one is unknown are left out."""
    found = []
    for node in nodes:
        if node.opdef.memory is not Memory.STORED or node.opdef.kind is not None:
            continue
        factors = [t._shape for t in node._inputs if t._dtype.is_floating]
        matrices = [shape for shape in (*factors, node.outputs[0]._shape) if shape is not None and len(shape) > 1]
        if len(factors) == 2 and len(matrices) == 3:
            found.append((matrices[0], matrices[1], matrices[2]))
    return tuple(found)


def _shapes(nodes: Sequence[Operation]) -> tuple[Sizes, ...] | None:
    """The shapes of what nodes make. What is a view of an input, or a variable, is no new tensor."""
    found: list[Sizes] = []
    for node in nodes:
        if node.opdef.kind in _FREE or node.opdef.memory is Memory.VIEW:
            continue
        given = [t._shape for t in node._inputs if t._shape is not None]
        if node.opdef.updates_rows is not None:
            rows = max((t._shape or () for t in node._inputs if not t._dtype.is_ref), key=len)
            found += [rows] * (_ROW_PASSES * sum(writes for _, writes in touched(node)))
        for shape in [t._shape for t in node.outputs if not t._dtype.is_ref]:
            # An unknown shape is mostly that of a gradient, which a sum makes of an input.
            known = shape if shape is not None else max(given, key=len, default=None)
            if known is None:
                return None
            found.append(known)
    return tuple(shape for shape in found if shape)  # of scalars, the count of nodes is enough


def is_always_interpreted(stage: Stage, tier: str | None) -> bool:
    """Whether a stage runs as Python whatever its inputs are, and uses nothing stored."""
    if any(map(has_storage, with_inner(stage.nodes))):
        return False
    if stage.on_host:
        return True
    counts = [product((None,) if t._shape is None else t._shape) for t in stage.inputs]
    known = [count for count in counts if count is not None]
    if tier is not None or len(known) < len(counts):
        return False
    own = footprint(stage)
    return own.has_static_shapes and is_kept_by_numpy(own.work(sum(known), [1]))


def _written(nodes: Sequence[Operation], uses: Sequence[tuple[Operation, list[tuple[Tensor, bool]]]]) -> set[str]:
    """Keys of the cells that these nodes may write, of which those of `uses` take variables."""
    keys = {cell_key(storage.op) for _, use in uses for storage, writes in use if writes}
    for node in nodes:
        wants = node.opdef.wants
        if "rng" in wants or "cell" in wants and node._inputs:
            keys.add(cell_key(node))
    return keys
