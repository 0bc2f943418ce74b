"""`tf.*` functions that make tensors of given values or shapes, and that change the shape of tensors."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import Dimension, TensorShape, dimension_value
from evergraph.formats import tensor_messages
from evergraph.frontend.blocks import name_scope
from evergraph.graph import convert, shaping
from evergraph.graph.composite import SparseTensor, SparseTensorValue
from evergraph.graph.convert import (
    convert_to_tensor,
    is_tensor_like,
    register_tensor_conversion_function,
    sizes_to_tensor,
)
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic, blocks, diagonal
from evergraph.ops.arrays import pad as pad_ops
from evergraph.ops.arrays import reshape as reshape_ops
from evergraph.ops.math import elementwise
from evergraph.ops.math.elementwise import add_v2, floor_mod, minimum
from evergraph.ops.math.reduce import prod

_SMALL = 1000  # zeros and ones of fewer elements are stored in the graph

fill = export("fill")(basic.fill)
guarantee_const = export("guarantee_const")(basic.guarantee_const)
placeholder_with_default = export("placeholder_with_default")(basic.placeholder_with_default)


def one_of(new: Any, new_name: str, old: Any, old_name: str) -> Any:
    """The value of an argument that has an older name too.

    Raises:
        ValueError: both are given.
    """
    if new is not None and old is not None:
        raise ValueError(f"Cannot specify both '{new_name}' and '{old_name}'")
    return old if new is None else new


# ---- values

@export("constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const",
             verify_shape: bool = False) -> Tensor:
    """Creates a tensor whose value is fixed when the graph is built: a Const node.

    >>> tf.constant([[1, 2], [3, 4]]).shape
    TensorShape([Dimension(2), Dimension(2)])

    Args:
        value: a number, text, a nested list of those, or a NumPy array.
        dtype: the dtype; by default int32, float32, bool or string as the value suggests, a NumPy array's own.
        shape: the shape; where `value` has too few elements its last one is repeated.
        name: a name for the operation.
        verify_shape: whether `value` must have `shape` as it stands.

    Raises:
        TypeError: the value does not fit the dtype, or not `shape` when that is verified or ops run when called.
        ValueError: there are more elements than `shape` holds.
    """
    if shape is not None and default_graph().is_eager:
        require_fit(value, dtype, shape)
    return convert.constant(value, dtype, shape, name, verify_shape)


def require_fit(value: Any, dtype: Any, shape: Any) -> None:
    """Raises TypeError unless `value` has one element, or as many as `shape`."""
    found = convert.as_array(value, None if dtype is None else dtypes.as_dtype(dtype).base_dtype)
    wanted = TensorShape(shape)
    if found.size != 1 and found.size != wanted.num_elements():
        raise TypeError(f"Expected Tensor's shape: {tuple(wanted.as_list())}, got {found.shape}: tf.constant repeats a "
                        f"single value only")


@export("placeholder")
def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """Creates a tensor without a value of its own: every `Session.run` that needs it must feed one in `feed_dict`.

    Args:
        dtype: the dtype of what is fed.
        shape: the shape; None for any shape, None in it for any size.
        name: a name for the operation.

    Raises:
        RuntimeError: ops run when they are called, so that nothing can be fed.
    """
    if default_graph().is_eager:
        raise RuntimeError("tf.placeholder() is fed by Session.run, so it is not compatible with eager execution.")
    return basic.placeholder(dtype=dtype, shape=shape, name=name)


@export("sparse_placeholder", "sparse.placeholder")
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """Creates a placeholder for a SparseTensor; feed a SparseTensorValue or (indices, values, dense_shape).

    Args:
        dtype: the dtype of the values.
        shape: the dense shape; when it is fully known it is not fed.
        name: a prefix for the names of the three placeholders.

    Raises:
        RuntimeError: ops run when they are called, so that nothing can be fed.
    """
    if default_graph().is_eager:
        raise RuntimeError("tf.sparse_placeholder() is not compatible with eager execution.")

    def called(part: str) -> str | None:
        return None if name is None else f"{name}/{part}"

    rank, dense = None, None
    if isinstance(shape, Tensor):
        rank, dense = dimension_value(shape.shape[0]), shape
    elif shape is not None:
        sizes = TensorShape(shape)
        rank = sizes.rank
        if sizes.is_fully_defined():
            dense = convert_to_tensor(sizes.as_list(), dtypes.int64, name=called("shape"))
    if dense is None:
        dense = placeholder(dtypes.int64, [rank], called("shape"))
    values = placeholder(dtype, [None], called("values"))
    return SparseTensor(placeholder(dtypes.int64, [None, rank], called("indices")), values, dense)


def _zero(dtype: dtypes.DType) -> Any:
    return False if dtype is dtypes.bool else b"" if dtype is dtypes.string else 0


def _filled(default_name: str, value: Any, shape: Any, dtype: dtypes.DType, name: str | None) -> Tensor:
    """A constant where it is small and its shape known, else a Fill."""
    with name_scope(name, default_name, [shape]) as scope:
        if not isinstance(shape, Tensor):
            sizes = _known_sizes(shape)
            if sizes is None:
                shape = convert.to_tensor(shape, preferred_dtype=dtypes.int32, wraps=False)
            elif not isinstance(shape, (int, Dimension)) and math.prod(sizes) < _SMALL:
                return convert.constant(value, dtype, sizes, scope)
            else:
                shape = convert.to_tensor(sizes, None, "shape_as_tensor", preferred_dtype=dtypes.int32, wraps=False)
        if not shape._shape:
            shape = reshape(shape, [-1])  # one number is as good as a list of one
        return fill(shape, convert.constant(value, dtype), name=scope)


def _known_sizes(shape: Any) -> list[int] | None:
    """The sizes in a shape that holds no tensors, else None."""
    try:
        found = TensorShape([shape] if isinstance(shape, (int, np.integer, Dimension)) else shape)
        return found.as_list() if found.is_fully_defined() else None
    except (TypeError, ValueError):
        return None


@export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor in which every element is zero: the number 0, False or the empty string, as `dtype` says.

    Args:
        shape: a list of ints (or scalar tensors), a TensorShape, or a 1-D int tensor.
        dtype: the dtype.
        name: a name for the operation.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    return _filled("zeros", _zero(dtype), shape, dtype, name)


@export("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor in which every element is one: the number 1, or True.

    Args:
        shape, dtype, name: as for `tf.zeros`.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    return _filled("ones", True if dtype is dtypes.bool else 1, shape, dtype, name)


@export("zeros_like")
@overloadable
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Creates a tensor of zeros in the shape and dtype of another tensor.

    Args:
        tensor: the tensor.
        dtype: the dtype of the result; by default that of `tensor`.
        name: a name for the operation.
        optimize: whether a statically known shape is used, which takes `tensor` itself out of the computation.
    """
    with name_scope(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        own = tensor.dtype.base_dtype
        dtype = own if dtype is None else dtypes.as_dtype(dtype).base_dtype
        if optimize and tensor.shape.is_fully_defined() and own is not dtypes.variant:
            return zeros(tensor.shape, dtype, scope)
        if dtype is not own and own is not dtypes.variant:
            return zeros(shape_of(tensor, None, dtypes.int32, optimize), dtype, scope)
        return basic.zeros_like(tensor, name=scope)


@export("ones_like")
@overloadable
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Creates a tensor of ones in the shape and dtype of another tensor.

    Args:
        tensor, dtype, name, optimize: as for `tf.zeros_like`.
    """
    with name_scope(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        sizes = shape_of(tensor, None, dtypes.int32, optimize)
        result = ones(sizes, tensor.dtype if dtype is None else dtype, scope)
        result.set_shape(tensor.shape)
        return result


@export("eye", "linalg.eye")
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = dtypes.float32,
        name: str | None = None) -> Tensor:
    """Creates an identity matrix, with ones on the main diagonal and zeros elsewhere, or a batch of them.

    Args:
        num_rows: the number of rows.
        num_columns: the number of columns; by default as many.
        batch_shape: the shape of a batch of such matrices.
        dtype: the dtype.
        name: a prefix for the names of the operations.
    """
    with name_scope(name, "eye", [num_rows, num_columns, batch_shape]):
        batch = [] if batch_shape is None else batch_shape
        columns = num_rows if num_columns is None else num_columns
        if isinstance(num_rows, Tensor) or isinstance(columns, Tensor):
            length = minimum(num_rows, columns)
        else:
            length = min(int(num_rows), int(columns))
        diagonal_of_ones = ones(_joined_sizes(batch, [length]), dtype)
        if num_columns is None:
            return diagonal.matrix_diag(diagonal_of_ones, name="diag")
        blank = zeros(_joined_sizes(batch, [num_rows, columns]), dtype)
        return diagonal.matrix_set_diag(blank, diagonal_of_ones, name="set_diag")


def _joined_sizes(batch: Any, sizes: list[Any]) -> Any:
    """Two parts of a shape together: a list where everything is known, else a tensor."""
    if isinstance(batch, Tensor) or any(isinstance(each, Tensor) for each in (*batch, *sizes)):
        return concat([batch, sizes], 0) if isinstance(batch, Tensor) or len(batch) else sizes
    return [*TensorShape(batch).as_list(), *sizes]


# ---- what is known about a tensor

@export("identity")
@overloadable
def identity(input: Any, name: str | None = None) -> Any:
    """Copies a tensor to a new node, which can have control dependencies, a device and a name of its own.

    >>> with tf.control_dependencies([update]):
    ...     loss = tf.identity(loss)      # fetching it runs the update first
    """
    if hasattr(input, "_components"):
        return input._from_components([identity(part, name) for part in input._components()])
    return basic.identity(input, name=name)


@export("shape")
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """Returns the run-time shape of a tensor as a 1-D integer tensor; `tensor.shape` is the static one.

    Args:
        input: a tensor or sparse tensor.
        name: a name for the operation.
        out_type: tf.int32 or tf.int64.
    """
    return shape_of(input, name, out_type)


def shape_of(input: Any, name: str | None = None, out_type: Any = dtypes.int32, optimize: bool = True) -> Tensor:
    """`tf.shape`; with `optimize` a constant where the static shape is known."""
    with name_scope(name, "Shape", [input]) as scope:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return basic.cast(input.dense_shape, DstT=out_type)
        tensor = convert_to_tensor(input)
        if optimize and tensor.shape.is_fully_defined():
            return convert.constant(tensor.shape.as_list(), out_type, name=scope)
        return basic.shape(tensor, out_type=out_type, name=scope)


@export("size")
@overloadable
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """Returns the number of elements of a tensor, the product of its sizes.

    Args:
        input, name, out_type: as for `tf.shape`.
    """
    with name_scope(name, "Size", [input]) as scope:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return prod(basic.cast(input.dense_shape, DstT=out_type), 0, name=scope)
        tensor = convert_to_tensor(input)
        if tensor.shape.is_fully_defined():
            return convert.constant(tensor.shape.num_elements(), out_type, name=scope)
        return basic.size(tensor, out_type=out_type, name=scope)


@export("rank")
@overloadable
def rank(input: Any, name: str | None = None) -> Tensor:
    """Returns the number of axes of a tensor or SparseTensor as a scalar int32 tensor."""
    with name_scope(name, "Rank", [input]) as scope:
        if isinstance(input, (SparseTensor, SparseTensorValue)):
            return basic.size(input.dense_shape, name=scope)
        tensor = convert_to_tensor(input)
        if tensor.shape.rank is not None:
            return convert.constant(tensor.shape.rank, dtypes.int32, name=scope)
        return basic.rank(tensor, name=scope)


def convert_n_to_tensor(values: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None
                        ) -> list[Tensor]:
    """The tensors that values stand for, named `name_0`, `name_1` and so on.

    Args:
        values: a list or another sequence.
        dtype, preferred_dtype: as for `tf.convert_to_tensor`, of each.
        name: by default each has the name that its kind gives it.

    Raises:
        TypeError: `values` is no sequence.
    """
    if not isinstance(values, Sequence):
        raise TypeError(f"values must be a list of tensors, got {values!r}")
    return [convert_to_tensor(value, dtype, None if name is None else f"{name}_{place}", preferred_dtype)
            for place, value in enumerate(values)]


_SEEN_THROUGH = frozenset({basic.range_, basic.cast, basic.fill, reshape_ops.concat, reshape_ops.concat_v2,
                           reshape_ops.concat_offset, reshape_ops.pack, elementwise.equal, elementwise.not_equal})


def seen_value(tensor: Tensor) -> np.ndarray[Any, Any] | None:
    """The value of a tensor, if the ops it follows from are those that TensorFlow looks through; None otherwise.

    Programs see the difference from `static_value`: what is known raises, or chooses a branch, as the graph is built.
    """
    if not tensor.graph.is_eager and not _is_seen(tensor):
        return None
    return shaping.static_value(tensor)


def _is_seen(tensor: Tensor) -> bool:
    source = tensor.source
    if source.opdef.kind in (Kind.CONSTANT, Kind.SHAPE):
        return True
    if source.opdef is reshape_ops.pack and source.attrs["axis"] != 0:
        return False
    return source.opdef in _SEEN_THROUGH and all(map(_is_seen, source.inputs))


@export("get_static_value", "contrib.util.constant_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor that constants, shapes and a few ops on them give, else None.

    Args:
        tensor: the tensor; anything else is its own value.
        partial: whether to give an array with None for unknown elements, where only some are known.
    """
    if not isinstance(tensor, Tensor):
        return None if is_tensor_like(tensor) else tensor
    value = seen_value(tensor)
    if value is None and partial and tensor.source.opdef is reshape_ops.pack and tensor.source.attrs["axis"] == 0:
        parts = [get_static_value(part, partial) for part in tensor.source.inputs]
        if any(part is not None for part in parts):
            value = np.empty(len(parts), object)
            value[:] = parts
    return value


@export("contrib.util.constant_value_as_shape")
def constant_value_as_shape(tensor: Tensor) -> TensorShape:
    """The shape that the value of a 1-D int tensor stands for, as far as it is known."""
    return TensorShape(shaping.denoted_shape(tensor))


@export("make_tensor_proto", "contrib.util.make_tensor_proto")
def make_tensor_proto(values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False,
                      allow_broadcast: bool = False) -> Any:
    """A TensorProto message that holds these values.

    Args:
        values: as for `tf.constant`, or a TensorProto, which is given back.
        dtype: the dtype.
        shape: the shape.
        verify_shape: whether the values must have `shape` as they stand.
        allow_broadcast: whether only a single value may fill `shape`, and not a shorter list by its last element.

    Raises:
        TypeError, ValueError: the values do not fit.
    """
    if hasattr(values, "tensor_shape") and hasattr(values, "tensor_content"):
        return values
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    if wanted is not None and wanted.is_quantized:  # whose elements NumPy has as tuples of one number
        array = np.array(values, wanted.as_numpy_dtype)
    else:
        array = convert.as_array(values, wanted)
    if shape is not None:
        may_repeat = array.size == 1 or not allow_broadcast  # as always with tf.constant
        array = convert.shaped(array, TensorShape(shape).as_list(), verify_shape, may_repeat)
    return tensor_messages.tensor_to_proto(array, wanted)


@export("make_ndarray", "contrib.util.make_ndarray")
def make_ndarray(tensor: Any) -> np.ndarray:
    """The NumPy array that a TensorProto message holds."""
    dtype = dtypes.as_dtype(tensor.dtype)
    array = tensor_messages.proto_to_array(tensor)
    return array.astype(dtype.as_numpy_dtype) if dtype.is_quantized else array.copy()


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The static shape that tensors of two shapes broadcast to.

    Raises:
        ValueError: they do not broadcast.
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    try:
        return TensorShape(shaping.broadcast(x.tuple, y.tuple))
    except ValueError:
        raise ValueError(f"Incompatible shapes for broadcasting: {x} and {y}") from None


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that tensors of two shapes broadcast to, all as 1-D int tensors."""
    return basic.broadcast_args(shape_x, shape_y)


# ---- shape

reshape = reshape_ops.reshape


@export("expand_dims")
@overloadable
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Inserts an axis of size 1 into the shape of a tensor.

    Args:
        input: the tensor.
        axis: where the axis goes; -1 is behind the last.
        name: a name for the operation.
        dim: the older name of `axis`.
    """
    axis = one_of(axis, "axis", dim, "dim")
    if axis is None:
        raise ValueError("tf.expand_dims needs an axis")
    return reshape_ops.expand_dims(input, axis, name=name)


@export("squeeze")
@overloadable
def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """Drops axes of size 1.

    Args:
        input: the tensor.
        axis: the axis or axes that go; by default all of size 1.
        name: a name for the operation.
        squeeze_dims: the older name of `axis`.
    """
    axis = one_of(axis, "axis", squeeze_dims, "squeeze_dims")
    axes = [] if axis is None else [axis] if np.ndim(axis) == 0 else list(axis)
    return reshape_ops.squeeze(input, axis=axes, name=name)


@export("transpose")
def transpose(a: Any, perm: Any = None, name: str | None = "transpose", conjugate: bool = False) -> Tensor:
    """Permutes the axes of a tensor; the transpose of a matrix by default.

    Args:
        a: the tensor.
        perm: axis i of the result is axis perm[i] of `a`; by default the order is reversed.
        name: a name for the operation.
        conjugate: whether complex numbers are conjugated.
    """
    with name_scope(name, "transpose", [a]) as scope:
        a = convert_to_tensor(a, name="a")
        op = reshape_ops.conjugate_transpose if conjugate and a.dtype.is_complex else reshape_ops.transpose
        if perm is None:
            perm = _backward(a)
        return op(a, perm, name=scope)


def _backward(a: Tensor) -> Any:
    if a.shape.rank is not None:
        return list(range(a.shape.rank))[::-1]
    last = elementwise.sub(basic.rank(a), 1, name="sub")
    return basic.range_(last, -1, -1)


@export("matrix_transpose", "linalg.transpose", "linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """Transposes the matrices in the last two axes of a tensor.

    Args:
        a: a tensor of rank 2 or more.
        name: a prefix for the names of the operations.
        conjugate: whether complex numbers are conjugated.
    """
    with name_scope(name, "matrix_transpose", [a]):
        a = convert_to_tensor(a, name="a")
        count = a.shape.rank
        if count is None:
            number = basic.rank(a)
            last_two = [elementwise.sub(number, 1, name="sub_1"), elementwise.sub(number, 2, name="sub_2")]
            order = concat([basic.range_(0, elementwise.sub(number, 2, name="sub"), 1), last_two], 0)
            return transpose(a, order, conjugate=conjugate)
        if count < 2:
            raise ValueError(f"'a' should be a matrix or a batch of them, got shape {a.shape}")
        return transpose(a, [*range(count - 2), count - 1, count - 2], conjugate=conjugate)


# ---- join and split

@export("concat")
@overloadable
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Concatenates tensors along an existing axis; their other sizes must be equal.

    Args:
        values: a list of tensors, or one.
        axis: the axis.
        name: a name for the operation.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if not values:
        raise ValueError("tf.concat needs at least one tensor")
    if len(values) > 1:
        return reshape_ops.concat_v2(list(values), axis, name=name)
    with name_scope(name):  # the axis is checked although nothing is joined
        sizes_to_tensor(axis, "concat_dim").shape.assert_has_rank(0)
        return identity(values[0], name=name)


@export("stack")
@overloadable
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Stacks tensors of one shape along a new axis: n tensors of rank r become one of rank r + 1.

    Args:
        values: a list of tensors.
        axis: where the new axis goes.
        name: a name for the operation.

    Raises:
        ValueError: there is no such axis.
    """
    if axis == 0:
        try:
            return convert_to_tensor(values, name=name)  # a constant where all values are
        except (TypeError, ValueError):
            pass  # Pack says what is wrong
    first = convert_to_tensor(values[0], name=name).shape
    if first.rank is not None and not -first.rank - 1 <= axis <= first.rank:
        raise ValueError(f"axis = {axis} not in [{-first.rank - 1}, {first.rank + 1})")
    return reshape_ops.pack(list(values), axis=axis, name=name)


@export("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """Splits a tensor into the list of its slices along an axis, each without that axis; undoes `tf.stack`.

    Args:
        value: the tensor.
        num: the size of the axis; needed where the static shape does not say.
        axis: the axis.
        name: a name for the operation.

    Raises:
        ValueError: there is no such axis, or `num` is needed.
    """
    if num is None:
        value = convert_to_tensor(value)
        sizes = value.shape
        if sizes.rank is not None:
            if not -sizes.rank <= axis < sizes.rank:
                raise ValueError(f"axis = {axis} not in [{-sizes.rank}, {sizes.rank})")
            num = sizes.tuple[axis]
    if num is None:
        raise ValueError(f"Cannot infer num from shape {sizes}")
    return reshape_ops.unpack(value, num=num, axis=axis, name=name)


@export("parallel_stack")
def parallel_stack(values: Sequence[Any], name: str = "parallel_stack") -> Tensor:
    """`tf.stack` along the first axis, for values whose static shapes are known."""
    with name_scope(name):
        first = convert_to_tensor(values[0])
        sizes = [len(values), *first.shape.as_list()]
        return reshape_ops.parallel_concat([expand_dims(value, 0) for value in values], shape=sizes)


@export("split")
def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None,
          name: str = "split") -> list[Tensor]:
    """Splits a tensor along an axis into parts of equal or of given sizes; undoes `tf.concat`.

    >>> [part.shape.as_list() for part in tf.split(tf.zeros([4, 3]), [1, 3])]
    [[1, 3], [3, 3]]

    Args:
        value: the tensor.
        num_or_size_splits: how many equal parts, or a list or 1-D tensor with the size of each.
        axis: the axis.
        num: how many parts, where a tensor of sizes has no static length.
        name: a name for the operation.
    """
    if isinstance(num_or_size_splits, (int, np.integer, Dimension)):
        return reshape_ops.split(axis, value, num_split=int(num_or_size_splits), name=name)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        raise ValueError(f"num_or_size_splits must be a number or a vector, got the scalar tensor {num_or_size_splits}")
    if num is None:
        num = sizes.shape.with_rank(1).tuple[0]
    if num is None:
        raise ValueError(f"Cannot infer num from shape {sizes.shape}")
    return reshape_ops.split_v(value, sizes, axis, num_split=num, name=name)


# ---- pad, reverse, repeat

@export("pad")
def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None,
        constant_values: Any = 0) -> Tensor:
    """Pads a tensor at the borders of its axes: with a constant, or with its own elements mirrored.

    Args:
        tensor: the tensor.
        paddings: [rank, 2] ints: how much goes before and after, for each axis.
        mode: "CONSTANT", "REFLECT" (mirrored, without the edge itself) or "SYMMETRIC" (with it).
        name: a name for the operation.
        constant_values: what the frame is made of, for "CONSTANT".

    Raises:
        ValueError: the mode is unknown.
    """
    mode = mode.upper()
    if mode in ("REFLECT", "SYMMETRIC"):
        return pad_ops.mirror_pad(tensor, paddings, mode=mode, name=name)
    if mode != "CONSTANT":
        raise ValueError(f"Unknown padding mode: {mode}")
    if not is_tensor_like(constant_values) and np.ndim(constant_values) == 0 and constant_values == 0:
        return pad_ops.pad(tensor, paddings, name=name)
    return pad_ops.pad_v2(tensor, paddings, constant_values, name=name)


@export("reverse_sequence")
def reverse_sequence(input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None,
                     name: str | None = None, seq_dim: int | None = None, batch_dim: int | None = None) -> Tensor:
    """Reverses the first `seq_lengths[i]` elements of sequence i and keeps what follows, such as padding.

    Args:
        input: a batch of sequences.
        seq_lengths: how many elements of each are reversed.
        seq_axis: the axis along which a sequence runs.
        batch_axis: the axis that numbers the sequences; by default 0.
        name: a name for the operation.
        seq_dim: the older name of `seq_axis`.
        batch_dim: the older name of `batch_axis`.
    """
    along = one_of(seq_axis, "seq_axis", seq_dim, "seq_dim")
    batch = one_of(batch_axis, "batch_axis", batch_dim, "batch_dim")
    return pad_ops.reverse_sequence(input, seq_lengths, seq_dim=along, batch_dim=batch or 0, name=name)


# ---- blocks

@export("space_to_batch", "nn.space_to_batch")
def space_to_batch(input: Any, paddings: Any, block_size: int | None = None, name: str | None = None,
                   block_shape: Any = None) -> Tensor:
    """Pads images and moves square blocks of them into the batch.

    Args:
        input: [batch, height, width, depth].
        paddings: [2, 2] ints: how much goes before and after the height and the width.
        block_size: the side of a block.
        name: a name for the operation.
        block_shape: another name of `block_size`.
    """
    side = one_of(block_shape, "block_shape", block_size, "block_size")
    result = blocks.space_to_batch_nd(input, np.array([side, side], np.int64), paddings, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


@export("batch_to_space")
def batch_to_space(input: Any, crops: Any, block_size: int, name: str | None = None, block_shape: Any = None) -> Tensor:
    """Moves square blocks of images out of the batch and crops: the inverse of `tf.space_to_batch`.

    Args:
        input: [batch * block_size * block_size, height, width, depth].
        crops: [2, 2] ints: how much is cut off before and after the height and the width.
        block_size: the side of a block.
        name: a name for the operation.
        block_shape: another name of `block_size`.
    """
    side = one_of(block_shape, "block_shape", block_size, "block_size")
    result = blocks.batch_to_space_nd(input, np.array([side, side], np.int64), crops, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


@export("space_to_depth", "nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves square blocks of images into their channels."""
    return blocks.space_to_depth(input, block_size=block_size, data_format=data_format, name=name)


@export("depth_to_space", "nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Moves channels of images into square blocks: the inverse of `tf.space_to_depth`."""
    return blocks.depth_to_space(input, block_size=block_size, data_format=data_format, name=name)


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(input_shape: Any, block_shape: Any, base_paddings: Any = None,
                                     name: str | None = None) -> tuple[Tensor, Tensor]:
    """The paddings that make a shape divisible into blocks, and the crops that undo what was added for that.

    Args:
        input_shape: [n] sizes.
        block_shape: [n] sizes of a block.
        base_paddings: [n, 2], padding that there is in any case.
        name: a prefix for the names of the operations.
    """
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = sizes_to_tensor(input_shape, "input_shape")
        block_shape = sizes_to_tensor(block_shape, "block_shape")
        block_shape.shape.assert_is_fully_defined()
        count = block_shape.shape.with_rank(1).tuple[0]
        if count == 0:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        input_shape.shape.assert_is_compatible_with([count])
        base = zeros([count, 2], dtypes.int32) if base_paddings is None else \
            sizes_to_tensor(base_paddings, "base_paddings")
        known = [shaping.static_value(each) for each in (input_shape, block_shape, base)]
        if all(each is not None for each in known):
            return _known_paddings(*known)
        return _computed_paddings(input_shape, block_shape, base, count)


def _known_paddings(sizes: np.ndarray, block: np.ndarray, base: np.ndarray) -> tuple[Tensor, Tensor]:
    extra = -(sizes + base.sum(axis=1)) % block
    paddings = np.stack([base[:, 0], base[:, 1] + extra], axis=1)
    crops = np.stack([np.zeros_like(extra), extra], axis=1)
    return constant(paddings, dtypes.int32, name="paddings"), constant(crops, dtypes.int32, name="crops")


def _computed_paddings(sizes: Tensor, block: Tensor, base: Tensor, count: int) -> tuple[Tensor, Tensor]:
    before, after = unstack(base, 2, axis=1)
    whole = add_v2(add_v2(sizes, before), after)
    extra = floor_mod(elementwise.sub(block, floor_mod(whole, block)), block)
    crops = reshape_ops.pack([zeros([count], dtypes.int32), extra], axis=1, name="crops")
    return reshape_ops.pack([before, add_v2(after, extra)], axis=1, name="paddings"), crops


# ---- lists with tensors in them

def _dtype_in(value: Any) -> dtypes.DType | None:
    """The dtype of the first tensor in nested lists, None when there is none."""
    if is_tensor_like(value):
        return value.dtype.base_dtype
    if isinstance(value, (list, tuple)):
        for item in value:
            found = _dtype_in(item)
            if found is not None:
                return found
    return None


def _packed(values: Any, dtype: dtypes.DType, name: str) -> Any:
    """A Pack of nested lists that hold tensors; lists that hold none come back as they are."""
    with name_scope(name) as scope:
        items = [_packed(item, dtype, str(at)) if isinstance(item, (list, tuple)) else item
                 for at, item in enumerate(values)]
        if not any(is_tensor_like(item) for item in items):
            return values
        tensors = [_of_dtype(item, dtype) if is_tensor_like(item) else convert.constant(item, dtype, name=str(at))
                   for at, item in enumerate(items)]
        return reshape_ops.pack(tensors, name=scope)


def _of_dtype(item: Any, dtype: dtypes.DType) -> Tensor:
    tensor = convert_to_tensor(item)
    if tensor.dtype.base_dtype is not dtype:
        raise TypeError(f"the list is to be {dtype.name} and holds a tensor of {tensor.dtype.name}: "
                        f"{tensor!r}")
    return tensor


def _pack_if_tensors(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    found = _dtype_in(value)
    if found is None:
        return NotImplemented
    wanted = found if dtype is None else dtypes.as_dtype(dtype).base_dtype
    with default_graph().as_default_if_needed():
        if wanted is not found:
            value = _cast_tensors(value, wanted)
        return _packed(value, wanted, name or "packed")


def _cast_tensors(value: Any, dtype: dtypes.DType) -> Any:
    if isinstance(value, (list, tuple)):
        return [_cast_tensors(item, dtype) for item in value]
    return basic.cast(value, DstT=dtype) if is_tensor_like(value) and value.dtype.base_dtype is not dtype else value


register_tensor_conversion_function((list, tuple), _pack_if_tensors, 99)
