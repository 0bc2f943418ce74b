"""Products of tensors summed over axes: tf.tensordot, tf.einsum, tf.linalg.matvec."""
from __future__ import annotations

import re

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.linalg import trace
from evergraph.frontend.matmul import matmul
from evergraph.frontend.ordering import setdiff1d
from evergraph.frontend.reduce import reduce_prod, reduce_sum
from evergraph.graph.convert import constant, convert_to_tensor, sizes_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.math.matmul import einsum as einsum_op


@export("linalg.matvec")
def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """The product of matrices and vectors.

    Args:
        a: [..., rows, columns].
        b: [..., columns].
        transpose_a: take `a` transposed.
        adjoint_a: take `a` conjugated and transposed.
        a_is_sparse: says that `a` has many zeros.
        b_is_sparse: the same of `b`.
        name: a name for the operations.
    """
    with name_scope(name, "MatVec", [a, b]):
        column = array.expand_dims(b, axis=-1)
        product = matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse,
                         b_is_sparse=b_is_sparse)
        return array.squeeze(product, axis=-1)


# ---- tensordot

@export("tensordot", "linalg.tensordot")
def tensordot(a, b, axes, name=None):
    """The sum of products over axes of two tensors.

    Args:
        a: a tensor.
        b: a tensor of the same dtype.
        axes: a number n for the last n axes of `a` with the first n of `b`; or two lists (or two numbers): axes of
            `a`, and those of `b` that go with them.
        name: a name for the operation.

    Returns:
        A tensor with the remaining axes of `a`, then those of `b`.

    Raises:
        ValueError: the axes do not fit.

    >>> tf.tensordot(tf.ones([2, 3, 4]), tf.ones([4, 5]), 1).shape
    TensorShape([Dimension(2), Dimension(3), Dimension(5)])
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as scope:
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        axes_a, axes_b = _pairs_of_axes(a, axes)
        rows, free_a, known_a = _as_matrix(a, axes_a, summed_first=False)
        columns, free_b, known_b = _as_matrix(b, axes_b, summed_first=True)
        product = matmul(rows, columns)
        if isinstance(free_a, list) and isinstance(free_b, list):
            return array.reshape(product, free_a + free_b, name=scope)
        free_a, free_b = (convert_to_tensor(free, dtypes.int32) for free in (free_a, free_b))
        result = array.reshape(product, array.concat([free_a, free_b], 0), name=scope)
        if known_a is not None and known_b is not None:
            result.set_shape(known_a + known_b)
        return result


def _pairs_of_axes(a, axes):
    """(axes of the first tensor, axes of the second)."""
    if isinstance(axes, (int, np.integer)):
        return _last_and_first(a, int(axes))
    if isinstance(axes, (list, tuple, np.ndarray)):
        if len(axes) != 2:
            raise ValueError("'axes' must be a number, or the axes of a and those of b")
        axes_a, axes_b = ([int(side)] if isinstance(side, (int, np.integer)) else side for side in axes)
        if not isinstance(axes_a, Tensor) and not isinstance(axes_b, Tensor) and len(axes_a) != len(axes_b):
            raise ValueError(f"'a' and 'b' need equally many axes to contract: {len(axes_a)} and {len(axes_b)}.")
        return axes_a, axes_b
    axes = sizes_to_tensor(axes, "axes")
    return axes[0], axes[1]


def _last_and_first(a, count):
    if count < 0:
        raise ValueError("'axes' must be at least 0.")
    rank = a.shape.rank
    if rank is None:
        rank = array.rank(a)
        return math.range(rank - count, rank), math.range(count)
    if count > rank:
        raise ValueError(f"'axes' is larger than the rank of {a}")
    return list(range(rank - count, rank)), list(range(count))


def _as_matrix(x, axes, summed_first):
    """(x as a matrix of summed and free axes, sizes of the free ones, what is known of those).

    Raises:
        IndexError: there is no such axis.
    """
    listed = not isinstance(axes, Tensor)
    if listed and x.shape.rank is not None and any(not -x.shape.rank <= axis < x.shape.rank for axis in axes):
        raise IndexError(f"axes {list(axes)} of a tensor of rank {x.shape.rank}")
    if listed and x.shape.is_fully_defined():
        sizes = x.shape.as_list()
        axes = [int(axis) % len(sizes) for axis in axes]
        free = [axis for axis in range(len(sizes)) if axis not in axes]
        free_sizes = [sizes[axis] for axis in free]
        counts = [int(np.prod([sizes[axis] for axis in group])) for group in (axes, free)]
        order, counts = (axes + free, counts) if summed_first else (free + axes, counts[::-1])
        return array.reshape(array.transpose(x, order), counts), free_sizes, free_sizes
    known, axes, free, sizes = _run_time_axes(x, axes, listed)
    free_sizes, summed_sizes = indexing.gather(sizes, free), indexing.gather(sizes, axes)
    counts = [reduce_prod(free_sizes), reduce_prod(summed_sizes)]
    order = array.concat([axes, free] if summed_first else [free, axes], 0)
    counts = array.stack(counts[::-1] if summed_first else counts)
    return array.reshape(array.transpose(x, order), counts), free_sizes, known


def _run_time_axes(x, axes, listed):
    """(known sizes of the free axes or None, summed axes, free axes, sizes of all), the last three as tensors."""
    if listed and x.shape.rank is not None:
        sizes = x.shape.as_list()
        axes = [int(axis) % len(sizes) for axis in axes]
        free = [axis for axis in range(len(sizes)) if axis not in axes]
        return ([sizes[axis] for axis in free], constant(axes, dtypes.int32, name="axes"),
                constant(free, dtypes.int32, name="free"), array.shape(x))
    sizes, rank = array.shape(x), array.rank(x)
    axes = sizes_to_tensor(axes, "axes")
    axes = indexing.where(axes >= 0, axes, axes + rank)
    free, _ = setdiff1d(math.range(rank), axes)
    return None, axes, free, sizes


# ---- einsum

@export("einsum", "linalg.einsum")
def einsum(equation, *inputs, **kwargs):
    """The sums of products that Einstein's notation spells.

    Args:
        equation: a letter for each axis of each input, separated by commas, and after `->` those of the result;
            letters that are not in the result are summed over. Without `->` the result has the letters that occur
            once, in alphabetical order. `...` stands for axes that broadcast.
        *inputs: the tensors.
        **kwargs: `name`, a name for the operations.

    Raises:
        ValueError: the equation makes no sense, or an input has a letter twice.

    >>> tf.einsum("bij,jk->bik", tf.ones([5, 2, 3]), tf.ones([3, 4])).shape.as_list()
    [5, 2, 4]
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"invalid keyword arguments for this function: {', '.join(sorted(kwargs))}")
    with name_scope(name, "einsum", [equation, inputs]):
        tensors = [convert_to_tensor(x) for x in inputs]
        if "..." in equation and any(x.shape.rank is None for x in tensors):
            return einsum_op(tensors, equation=_with_result(equation))
        labels, wanted = _parse(equation, tensors)
        if len(labels) == 1 and len(labels[0]) == 2 and len(set(labels[0])) == 1 and "->" not in equation:
            rows, columns = tensors[0].shape.with_rank(2)
            rows.assert_is_compatible_with(columns)
            result = trace(tensors[0])
            result.set_shape([])
            return result
        for each in labels:
            if len(set(each)) != len(each):
                raise ValueError(f"the axes of {each} must all be different")
        result, have = _summed_alone(tensors[0], labels[0], wanted, labels[1:])
        for at in range(1, len(tensors)):
            kept = wanted + "".join(labels[at + 1:])
            other, theirs = _summed_alone(tensors[at], labels[at], kept + have, [])
            result, have = _contract(result, have, other, theirs, kept)
        result = _in_order(result, have, wanted, equation)
        result.set_shape([None] * len(wanted))
        return result


def _parse(equation, tensors):
    """(the letters of each input, those of the result), with letters of their own for what `...` stands for."""
    text = equation.replace(" ", "")
    match = re.fullmatch(r"([A-Za-z.,]+)(->[A-Za-z.]*)?", text)
    if not match:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match[1].split(",")
    if len(labels) != len(tensors):
        raise ValueError(f"Got {len(tensors)} arguments for equation \"{equation}\", expecting {len(labels)}")
    wanted = match[2][2:] if match[2] else _implied(labels)
    if "." in text:
        labels, wanted = _spelled_out(labels, wanted, tensors, bool(match[2]))
    for each, x in zip(labels, tensors):
        if x.shape.rank is not None and x.shape.rank != len(each):
            raise ValueError(f"Shape must be rank {len(each)} but is rank {x.shape.rank}: {x} is called {each!r} in "
                             f"{equation!r}")
    unknown = set(wanted) - set("".join(labels))
    if unknown:
        raise ValueError(f"Indices have incorrect format: {''.join(sorted(unknown))!r} is in no input of {equation!r}")
    return labels, wanted


def _with_result(equation):
    """An equation that says what its result is."""
    text = equation.replace(" ", "")
    return text if "->" in text else f"{text}->...{_implied(text.split(','))}"


def _implied(labels):
    """The letters of the result where none are said: those that occur once."""
    whole = "".join(labels).replace(".", "")
    return "".join(sorted(letter for letter in set(whole) if whole.count(letter) == 1))


def _spelled_out(labels, wanted, tensors, said):
    """Letters instead of `...`, counted from the right; an input's first axes may be missing, as in broadcasting."""
    counts = []
    for each, x in zip(labels, tensors):
        if "." not in each:
            counts.append(0)
            continue
        if each.count("...") != 1 or each.count(".") != 3:
            raise ValueError("Periods '.' found outside of ellipsis")
        counts.append(x.shape.rank - len(each) + 3)
    spare = [chr(code) for code in range(97, 123) if chr(code) not in "".join(labels) + wanted]
    spare += [chr(code) for code in range(65, 91) if chr(code) not in "".join(labels) + wanted]
    if max(counts) > len(spare):
        raise ValueError("Too many axes for the letters that are left.")
    letters = "".join(spare[:max(counts)])
    labels = [each.replace("...", letters[len(letters) - count:]) for each, count in zip(labels, counts)]
    return labels, wanted.replace("...", letters) if said else letters + wanted


def _summed_alone(x, labels, kept, others):
    """`x` without the axes that nothing else has a use for."""
    needed = set(kept) | set("".join(others))
    alone = [at for at, letter in enumerate(labels) if letter not in needed]
    if not alone:
        return x, labels
    return reduce_sum(x, axis=alone), "".join(letter for letter in labels if letter in needed)


def _contract(x, of_x, y, of_y, kept):
    """(the product of two tensors, its letters), summed over letters of both that are not kept."""
    both = [letter for letter in of_x if letter in of_y]
    summed = [letter for letter in both if letter not in kept]
    batch = [letter for letter in both if letter in kept]
    mine = [letter for letter in of_x if letter not in both]
    theirs = [letter for letter in of_y if letter not in both]
    x, y = _turned(x, of_x, batch + mine + summed), _turned(y, of_y, batch + summed + theirs)
    of_mine, of_theirs = _sizes(x, batch + mine + summed), _sizes(y, batch + summed + theirs)
    letters = batch + mine + theirs
    if not summed:  # the product broadcasts
        x = _shaped(x, [of_mine.get(letter, 1) for letter in letters])
        y = _shaped(y, [of_theirs.get(letter, 1) for letter in letters])
        return x * y, "".join(letters)
    x = _shaped(x, [*(of_mine[b] for b in batch), _product(of_mine, mine), _product(of_mine, summed)])
    y = _shaped(y, [*(of_theirs[b] for b in batch), _product(of_theirs, summed), _product(of_theirs, theirs)])
    sizes = {**of_theirs, **of_mine, **{b: _wider(of_mine[b], of_theirs[b]) for b in batch}}
    return _shaped(matmul(x, y), [sizes[letter] for letter in letters]), "".join(letters)


def _turned(x, have, wanted):
    """`x` with its lettered axes in another order."""
    order = [have.index(letter) for letter in wanted]
    return x if order == list(range(len(order))) else array.transpose(x, order)


def _sizes(x, letters):
    """The size of each lettered axis: a number where it is known, else a scalar tensor."""
    known = x.shape.as_list() if x.shape.rank is not None else [None] * len(letters)
    whole = array.shape(x) if None in known else None
    return {letter: whole[at] if known[at] is None else known[at] for at, letter in enumerate(letters)}


def _wider(a, b):
    """What two sizes broadcast to."""
    return b if isinstance(a, Tensor) and not isinstance(b, Tensor) and b != 1 or isinstance(a, int) and a == 1 else a


def _product(sizes, letters):
    known = int(np.prod([sizes[letter] for letter in letters if not isinstance(sizes[letter], Tensor)]))
    for letter in letters:
        if isinstance(sizes[letter], Tensor):
            known = sizes[letter] * known
    return known


def _shaped(x, sizes):
    if x.shape.is_fully_defined() and x.shape.as_list() == sizes:
        return x
    return array.reshape(x, sizes)


def _in_order(x, have, wanted, equation):
    """`x` summed over letters that are not wanted, its axes in the order that is."""
    x, have = _summed_alone(x, have, wanted, [])
    if sorted(have) != sorted(wanted):
        raise ValueError(f"Invalid equation: {equation}")
    return _turned(x, have, wanted)
