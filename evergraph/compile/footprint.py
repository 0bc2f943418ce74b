"""What a stage stores and how much work it does, read off its nodes once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from evergraph.compile.cache import A_NUMBER, HEAVY_ELEMENTS, Work
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.shaping import product
from evergraph.graph.traits import Kind, Memory
from evergraph.passes.concrete import open_sizes_of_loops, sized
from evergraph.passes.partition import Stage
from evergraph.passes.slots import slots
from evergraph.passes.state import cell_key, has_storage, touched, with_inner
from evergraph.passes.tables import tables

# Nodes that run their inner nodes many times, or have JAX differentiate them in every run.
_EXPENSIVE = (Kind.WHILE, Kind.GRADIENT)
_TRAINING = ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")  # how updates of optimizers are called
FEW_NUMBERS = 1 << 18  # that a program makes in all, so that no two of its operations are worth two threads
_FREE = (Kind.CONSTANT, Kind.VARIABLE, Kind.WHILE, Kind.IDENTITY, Kind.READ)  # nodes that make no numbers themselves


Sizes: TypeAlias = tuple[int | None, ...]


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
        nodes: how many kernels run; expensive ones count several times.
        updates: whether it changes a variable depending on its old value, as training steps do.
        fills: whether it gives variables values that it makes of nothing, as initializers do, without much computing.
        trains: whether it has updates of an optimizer.
        device_only: whether some kernel exists for XLA alone, or is differentiated by JAX.
        slow_on_numpy: whether some kernel is for small inputs alone on NumPy.
        largest: the number of elements of the largest result whose shape is known.
        shapes: the static shapes of what the kernels make, those inside loops once; None if one is unknown.
        looping: how many kernels there are, if there are loops; otherwise 0.
        shapes_in_loops: those of the shapes that kernels inside loops make.
        products: the static shapes of the factors and results of products and convolutions, those inside loops once.
        products_in_loops: those inside loops.
    """

    keys: tuple[str, ...]
    written: frozenset[str]
    read: frozenset[str]
    used: frozenset[str]
    only_read: frozenset[str]
    slots: tuple[str, ...]
    tables: frozenset[str]
    nodes: int
    updates: bool
    fills: bool
    trains: bool
    device_only: bool
    slow_on_numpy: bool
    largest: int
    shapes: tuple[Sizes, ...] | None
    looping: int
    shapes_in_loops: tuple[Sizes, ...]
    products: tuple[tuple[Sizes, Sizes, Sizes], ...]
    products_in_loops: tuple[tuple[Sizes, Sizes, Sizes], ...]

    def work(
        self, elements: int, is_heavy: bool = False, sizes: Sequence[int] | None = None, has_waited: bool = False
    ) -> Work:
        """What the tier policy decides by, for a run with so many elements in its inputs and variables.

        Args:
            elements: that number.
            is_heavy: whether it is worth compiling like a training step.
            sizes: what stands for sizes that are not static, see `open_sizes`; None if the stage is not to wait for its
                program.
            has_waited: whether it has done so already.
        """
        is_too_slow = self.slow_on_numpy and elements >= HEAVY_ELEMENTS
        volume, iteration, multiplications = None, 0, 0
        if not (sizes is None or is_heavy or self.slow_on_numpy or self.shapes is None):
            in_loops = _multiplications(self.products_in_loops, sizes)
            volume, multiplications = _volume(self.shapes, sizes), _multiplications(self.products, sizes) - in_loops
            iteration = _volume(self.shapes_in_loops, sizes) + in_loops // A_NUMBER
        return Work(self.nodes, elements, self.updates or is_heavy, self.device_only or is_too_slow,
                    self.largest, volume, self.looping, iteration, self.fills, has_waited, multiplications, self.trains)

    def makes_few_numbers(self, args: Sequence[Any]) -> bool:
        """Whether a run with these inputs makes so few numbers that threads would not share its operations."""
        if self.shapes is None or self.looping:
            return False
        return _volume(self.shapes, [_longest_size(args)]) <= FEW_NUMBERS


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
    expensive = sum(len(list(with_inner([n]))) for n in inner if n.opdef.kind in _EXPENSIVE)
    nodes = sum(1 for n in inner if n.opdef.kind is not Kind.CONSTANT)
    updates = any(writes for n, use in uses if n.opdef.kind is not Kind.ASSIGN for _, writes in use)
    read = frozenset(cell_key(storage.op) for _, use in uses for storage, writes in use if not writes)
    loops = [n for n in inner if n.opdef.kind is Kind.WHILE]
    looped = [n for n in with_inner(loops) if n not in loops]
    return Footprint(
        keys=keys,
        written=written,
        read=read,
        used=written.union(keys),
        only_read=frozenset(keys) - written,
        slots=slots(stage),
        tables=tables(stage),
        nodes=nodes + 20 * expensive,
        updates=updates,
        fills=bool(written) and not (stage.inputs or stage.outputs or updates or read or any(map(_is_work, inner))),
        trains=any(n.type.startswith(_TRAINING) for n in inner),
        # JAX differentiates on its own arrays: uncompiled, each of its operations would be a small program.
        device_only=any(n.opdef.needs_xla or n.opdef.kind is Kind.GRADIENT for n in inner),
        slow_on_numpy=any(n.opdef.slow_on_numpy is not None and n.opdef.slow_on_numpy(n) for n in inner),
        largest=max((_size(t) for n in inner if n.opdef.kind is not Kind.CONSTANT for t in n.outputs), default=0),
        shapes=_shapes(inner),
        looping=nodes if loops else 0,
        shapes_in_loops=_shapes(looped) or (),
        products=_products(inner),
        products_in_loops=_products(looped),
    )


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
    inside = open_sizes_of_loops(stage, copy) or sizes
    made = [n for n in copy.nodes if not work.looping or n.opdef.memory is not Memory.VIEW]
    exact = footprint(replace(copy, nodes=tuple(made)))
    known = replace(own, shapes=exact.shapes, products=exact.products).work(work.elements, sizes=sizes)
    if known.volume is None or not work.looping:
        return replace(work, volume=known.volume, multiplications=known.multiplications)
    looped = replace(own, shapes=own.shapes_in_loops)
    by_guess, by_loops = (looped.work(work.elements, sizes=each) for each in (sizes, inside))
    volume = known.volume - (by_guess.volume or 0) + (by_loops.volume or 0)
    return replace(work, volume=volume, multiplications=known.multiplications, iteration=by_loops.iteration)


def _is_work(node: Operation) -> bool:
    """Whether a node may compute more than a few operations for each number that it makes."""
    return node.opdef.kind in _EXPENSIVE or node.opdef.memory is Memory.STORED and node.opdef.kind is not Kind.CONSTANT


def _volume(shapes: Sequence[Sizes], sizes: Sequence[int]) -> int:
    """How many numbers tensors of these shapes have, with `sizes` for those that are not static."""
    return sum(_count(shape, sizes) for shape in shapes)


def _count(shape: Sizes, sizes: Sequence[int]) -> int:
    others = itertools.chain(sizes, itertools.repeat(sizes[0]))
    return math.prod([next(others) if size is None else size for size in shape])


def _multiplications(products: Sequence[tuple[Sizes, Sizes, Sizes]], sizes: Sequence[int]) -> int:
    """How many multiplications products and convolutions take, about: exactly as many for two matrices.

    The factors [m, k] and [k, n] and the result [m, n] have the square of m * k * n numbers, when multiplied.
    """
    return sum(math.isqrt(math.prod(_count(shape, sizes) for shape in product)) for product in products)


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


def _size(tensor: Tensor) -> int:
    """The number of elements as far as it is known; 0 otherwise."""
    return 0 if tensor._shape is None else product(tensor._shape) or 0


def _shapes(nodes: Sequence[Operation]) -> tuple[Sizes, ...] | None:
    found: list[Sizes] = []
    for node in nodes:
        if node.opdef.kind in _FREE:
            continue
        given = [t._shape for t in node._inputs if t._shape is not None]
        for shape in [t._shape for t in node.outputs]:
            # An unknown shape is mostly that of a gradient, which a sum makes of an input.
            known = shape if shape is not None else max(given, key=len, default=None)
            if known is None or node.opdef.kind is Kind.GRADIENT:
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
    return tier is None and len(known) == len(counts) and footprint(stage).work(sum(known)).is_small


def _written(nodes: Sequence[Operation], uses: Sequence[tuple[Operation, list[tuple[Tensor, bool]]]]) -> set[str]:
    """Keys of the cells that these nodes may write, of which those of `uses` take variables."""
    keys = {cell_key(storage.op) for _, use in uses for storage, writes in use if writes}
    for node in nodes:
        wants = node.opdef.wants
        if "rng" in wants or "cell" in wants and node._inputs:
            keys.add(cell_key(node))
    return keys
