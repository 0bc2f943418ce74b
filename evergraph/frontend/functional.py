"""Functions applied along the first dimension: tf.map_fn, tf.scan, tf.foldl, tf.foldr."""
from __future__ import annotations

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import while_loop
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor
from evergraph.graph.overloads import overloadable
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.index import strided_slice


@export("map_fn")
@overloadable
def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True,
           name=None):
    """Maps a function over the rows (slices along the first axis) of tensors and stacks the results.

    >>> y = tf.map_fn(lambda row: row * 2.0, tf.constant([1.0, 2.0]))

    Args:
        fn: a function of one row, or of the structure of rows when `elems` is a structure.
        elems: a tensor, or a structure of tensors with the same number of rows.
        dtype: the dtype, or structure of dtypes, of what `fn` returns, where that differs from `elems`.
        parallel_iterations: kept in the graph; 10 when not given. Here rows are taken one after another.
        back_prop: False stops gradients.
        swap_memory: has no meaning here.
        infer_shape: whether all results have one static shape.
        name: a name scope.

    Raises:
        TypeError: `fn` is not callable, `elems` is a SparseTensor, or the result has another structure than `dtype`.
        ValueError: the structures differ in length, or `elems` holds no tensor.
    """
    _check_callable(fn)
    if not nest.flatten(elems):
        raise ValueError(f"elems must hold one tensor or more, got {elems!r}")
    with name_scope(name, "map", nest.flatten(elems)):
        rows = _Rows(elems)
        kinds = elems if dtype is None else dtype
        flat_kinds = [t.dtype for t in rows.tensors] if dtype is None else nest.flatten(dtype)
        results = [TensorArray(kind, size=rows.count, dynamic_size=False, infer_shape=infer_shape)
                   for kind in flat_kinds]

        def step(i, arrays):
            returned = fn(rows.at(i))
            nest.assert_same_structure(kinds, returned)
            return i + 1, [a.write(i, value) for a, value in zip(arrays, nest.flatten(returned))]

        _, results = while_loop(lambda i, _: i < rows.count, step, (constant(0, dtypes.int32), results),
                                parallel_iterations=parallel_iterations or 10, back_prop=back_prop,
                                swap_memory=swap_memory, maximum_iterations=rows.count)
        return nest.pack_sequence_as(kinds, [rows.stacked(a) for a in results])


@export("scan")
def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True,
         reverse=False, name=None):
    """Folds a function over the rows of tensors and stacks all intermediate results: a prefix scan.

    >>> sums = tf.scan(lambda total, x: total + x, tf.constant([1.0, 2.0, 3.0]))

    Args:
        fn: a function of (the result so far, a row).
        elems: a tensor, or a structure of tensors with the same number of rows.
        initializer: the first "result so far"; by default the first row.
        parallel_iterations: kept in the graph. Here rows are taken one after another.
        back_prop: False stops gradients.
        swap_memory: has no meaning here.
        infer_shape: whether all results have one static shape.
        reverse: True begins with the last row.
        name: a name scope.

    Raises:
        TypeError: `fn` is not callable, or returns another structure than the initializer has.
        ValueError: the structures differ in length.
    """
    _check_callable(fn)
    with name_scope(name, "scan", nest.flatten(elems)):
        rows = _Rows(elems)
        first, done = _first(rows, initializer, reverse)
        flat = nest.flatten(first)
        arrays = [TensorArray(t.dtype.base_dtype, size=rows.count, dynamic_size=False, infer_shape=infer_shape,
                              element_shape=t.shape if infer_shape else None) for t in flat]
        if done:
            arrays = [a.write(rows.count - 1 if reverse else 0, t) for a, t in zip(arrays, flat)]

        def step(i, state, arrays):
            state = _combined(fn, first, nest.pack_sequence_as(first, state), rows.at(i))
            return rows.after(i, reverse), state, [a.write(i, t) for a, t in zip(arrays, state)]

        go, start = rows.order(reverse, done)
        left = rows.count - 1 if done else rows.count
        _, _, arrays = while_loop(lambda i, *_: go(i), step, (start, flat, arrays),
                                  parallel_iterations=parallel_iterations, back_prop=back_prop,
                                  swap_memory=swap_memory, maximum_iterations=left)
        return nest.pack_sequence_as(first, [rows.stacked(a) for a in arrays])


def _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, scope, reverse):
    _check_callable(fn)
    with name_scope(name, scope, nest.flatten(elems)):
        rows = _Rows(elems)
        first, done = _first(rows, initializer, reverse)

        def step(i, state):
            return rows.after(i, reverse), _combined(fn, first, nest.pack_sequence_as(first, state), rows.at(i))

        go, start = rows.order(reverse, done)
        left = rows.count - 1 if done else rows.count
        _, state = while_loop(lambda i, *_: go(i), step, (start, nest.flatten(first)),
                              parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory,
                              maximum_iterations=left)
        return nest.pack_sequence_as(first, state)


@export("foldl")
def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """Reduces the rows of tensors to one result by a function, from first to last; `tf.scan` keeps every step.

    Args:
        fn: a function of the result so far and a row, or of structures of them; it returns the next result.
        elems: a tensor, or a structure of tensors with equally many rows.
        initializer: the first result; by default the first row.
        parallel_iterations: has no meaning here.
        back_prop: whether gradients are wanted.
        swap_memory: has no meaning here.
    """
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldl", False)


@export("foldr")
def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """Reduces the rows of tensors to one result by a function, from last to first; `tf.scan` keeps every step.

    Args:
        fn: a function of the result so far and a row, or of structures of them; it returns the next result.
        elems: a tensor, or a structure of tensors with equally many rows.
        initializer: the first result; by default the last row.
        parallel_iterations: has no meaning here.
        back_prop: whether gradients are wanted.
        swap_memory: has no meaning here.
    """
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldr", True)


def _check_callable(fn):
    if not callable(fn):
        raise TypeError("fn must be callable.")


def _first(rows, initializer, reverse):
    """(the result before the first combination, whether that has used up a row)."""
    if initializer is None:
        return rows.at(rows.count - 1 if reverse else 0), True
    return nest.map_structure(convert_to_tensor, initializer), False


def _combined(fn, like, state, row):
    result = fn(state, row)
    nest.assert_same_structure(like, result)
    return [convert_to_tensor(t) for t in nest.flatten(result)]


class _Rows:
    """The rows of a structure of tensors.

    Attributes:
        tensors: the tensors, flat.
        count: how many rows: a number when known, else a tensor.
    """

    def __init__(self, elems):
        self.structure = elems
        flat = nest.flatten(elems)
        if any(isinstance(t, SparseTensor) for t in flat):
            raise TypeError("elems must be dense: apply fn to the values of a SparseTensor, or use tf.sparse.to_dense")
        self.tensors = [convert_to_tensor(t, name="elem") for t in flat]
        sizes = TensorShape(None)
        for tensor in self.tensors:
            shape = tensor.shape.with_rank_at_least(1)
            sizes = sizes.merge_with(TensorShape([None]) if shape.ndims is None else shape[:1])
        self.known = None if sizes.ndims is None else sizes.tuple[0]
        self.count = self.known if self.known is not None else self._counted()
        self.arrays = [TensorArray(t.dtype.base_dtype, size=self.count, dynamic_size=False, infer_shape=True).unstack(t)
                       for t in self.tensors]

    def _counted(self):
        return strided_slice(basic.shape(self.tensors[0]), [0], [1], [1], shrink_axis_mask=1)

    def at(self, i):
        """The row with that number, in the structure of the tensors."""
        return nest.pack_sequence_as(self.structure, [a.read(i) for a in self.arrays])

    def order(self, reverse, done):
        """(whether to go on at a number, the number to start with) for walking over all rows, or all but the first."""
        if reverse:
            last = self.count - 2 if done else self.count - 1
            return (lambda i: i >= 0), convert_to_tensor(last, dtypes.int32)
        return (lambda i: i < self.count), constant(1 if done else 0, dtypes.int32)

    def after(self, i, reverse):
        return i - 1 if reverse else i + 1

    def stacked(self, array):
        result = array.stack()
        if result.shape.ndims is not None:
            result.set_shape(TensorShape([self.known]).concatenate(result.shape[1:]))
        return result
