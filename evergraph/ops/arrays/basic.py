"""The basic ops: constants, placeholders, identities, shapes, casts, fills and ranges."""
from __future__ import annotations

import functools
import math

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import text as shape_text
from evergraph.graph import shaping
from evergraph.graph.node import share_handle_data
from evergraph.graph.opdef import STOP, op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import same_as, scalar, unchanged
from evergraph.graph.traits import Kind, Memory
from evergraph.kernel.fence import computed_once
from evergraph.kernel.rows import Rows, along_first, even, one_by_one
from evergraph.kernel.values import is_traced
from evergraph.ops.arrays import casting
from evergraph.ops.arrays.distance import distance


def _pass_on(op, dy):
    return dy


def _denoted_by_input(node, index):
    return shaping.denoted_shape(node._inputs[0])


# ---- sources of values

@op("Const(*, value: tensor, dtype: type) -> output: dtype", shape=lambda value: value.shape, grad=STOP,
    kind=Kind.CONSTANT, memory=Memory.STORED)
def const(value):
    """A constant tensor, stored in the graph."""
    return value


@op("HostConst(*, value: tensor, dtype: type) -> output: dtype", shape=lambda value: value.shape, grad=STOP, on="host")
def host_const(value):
    """A constant that stays in host memory."""
    return value


def _unfed(node, dtype, shape):
    wanted = "" if shape is None else f" and shape {shape_text(shape)}"
    return errors.InvalidArgumentError(None, None, f"You must feed a value for placeholder tensor '{node.name}' with "
                                                   f"dtype {dtypes.short_name(dtypes.as_dtype(dtype))}{wanted}")


@op("Placeholder(*, dtype: type, shape: shape = None) -> output: dtype", shape=lambda shape: shape, grad=STOP,
    kind=Kind.PLACEHOLDER)
def placeholder(node, shape):
    """A placeholder: a tensor whose value must be fed in every step."""
    raise _unfed(node, node.attrs["dtype"], shape)


@op("PlaceholderV2(*, dtype: type, shape: shape) -> output: dtype", shape=lambda shape: shape, grad=STOP,
    kind=Kind.PLACEHOLDER)
def placeholder_v2(node, shape):
    """A placeholder: a tensor whose value must be fed in every step."""
    raise _unfed(node, node.attrs["dtype"], shape)


@op("PlaceholderWithDefault(input: dtype, *, dtype: type, shape: shape) -> output: dtype", grad=_pass_on, opaque=True)
def placeholder_with_default(input):
    """A placeholder that defaults to `input` when no value is fed."""
    return input


@placeholder_with_default.shape
def _(input, shape):
    shaping.merge(input, shape)
    return shape


@op("Empty(shape: int32, *, dtype: type, init: bool = False) -> output: dtype", static=("shape",), stateful=True,
    grad=STOP, shape=lambda shape_of: shape_of("shape"))
def empty(xp, shape, dtype):
    """A tensor of the given shape. It is always filled with zeros, even if `init` is false."""
    return _filled_with_nothing(xp, tuple(shape.tolist()), dtype)


def _filled_with_nothing(xp, shape, dtype):
    if dtype.hasobject:
        return np.full(shape, b"", object)
    return xp.zeros(shape, dtype)


# ---- identities

def _identity(line, doc, **facets):
    def kernel(input):
        return input
    kernel.__doc__ = doc
    return op(line, **{"shape": _forwarded, "grad": _pass_on, **facets})(kernel)


def _forwarded(node):
    """The shapes of tensors that a node forwards; of handles also what they refer to."""
    for given, output in zip(node._inputs, node.outputs, strict=True):
        share_handle_data(given, output)
    return [given._shape for given in node._inputs]


identity = _identity("Identity(input: T, *, T: type) -> output: T", "Forwards its input unchanged.",
                     kind=Kind.IDENTITY, memory=Memory.VIEW, by_row=True, reads_only=True, aliases=True,
                     denotes_shape=_denoted_by_input)
ref_identity = _identity("RefIdentity(input: Ref(T), *, T: type) -> output: Ref(T)", "Forwards its reference.",
                         aliases=True)
snapshot = _identity("Snapshot(input: T, *, T: type) -> output: T", "A copy that later updates do not affect.")
stop_gradient = _identity("StopGradient(input: T, *, T: type) -> output: T",
                          "Forwards its input; gradients treat it as a constant.", grad=STOP,
                          export=("stop_gradient",), memory=Memory.VIEW, opaque=True, denotes_shape=_denoted_by_input,
                          in_batches=along_first)
debug_gradient_identity = _identity("DebugGradientIdentity(input: T, *, T: type) -> output: T",
                                    "Marks a gradient for the debugger.")
debug_gradient_ref_identity = _identity("DebugGradientRefIdentity(input: Ref(T), *, T: type) -> output: Ref(T)",
                                        "Marks the gradient of a reference for the debugger.")
copy = _identity("Copy(input: T, *, T: type, tensor_name: string = '', debug_ops_spec: list(string) = []) -> output: T",
                 "A copy of `input` for the debugger.")
copy_host = _identity("CopyHost(input: T, *, T: type, tensor_name: string = '', debug_ops_spec: list(string) = []) "
                      "-> output: T", "A copy of `input` in host memory, for the debugger.", on="host")


@op("GuaranteeConst(input: T, *, T: type) -> output: T", shape=same_as("input"), stateful=True, grad=None)
def guarantee_const(node, input):
    """Declares that `input`, which is no variable, has the same value in every step."""
    if node.inputs[0].dtype is dtypes.resource:
        raise errors.InvalidArgumentError(None, None, f"'{node.inputs[0].name}' cannot be a resource variable: those "
                                                      f"change from step to step")
    return input


@op("DeepCopy(x: T, *, T: type) -> y: T", stateful=True, shape=unchanged)
def deep_copy(x):
    """A deep copy of `x`, which in-place updates of `x` do not affect."""
    return np.array(x) if isinstance(x, np.ndarray) else x


@op("IdentityN(input: T, *, T: list(type) >= 1) -> output: T", shape=_forwarded,
    grad=lambda op, *dys: list(dys), export=("identity_n",), memory=Memory.VIEW)
def identity_n(input):
    """Forwards a list of tensors unchanged, in one node."""
    return input


@op("PreventGradient(input: T, *, T: type, message: string = '') -> output: T", shape=same_as("input"),
    memory=Memory.VIEW)
def prevent_gradient(input):
    """Forwards its input unchanged; differentiating through it raises an error."""
    return input


@prevent_gradient.grad
def _(op, dy):
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.attrs['message']}")


@op("NoOp() -> ()", export=("no_op",), kind=Kind.NO_OP)
def no_op():
    """Does nothing; serves as a target of control dependencies."""
    return ()


# ---- shapes and checks

_index_type = "out_type: index = int32"


def _static_shape(node, index):
    shape = node._inputs[index]._shape
    return None if shape is None or None in shape else np.array(shape, node.outputs[index]._dtype.np)


def _denoted_by_shape(node, index):
    return node._inputs[index]._shape


def _static_size(node, index):
    shape = node._inputs[0]._shape
    return None if shape is None or None in shape else np.array(shaping.product(shape), node.outputs[0]._dtype.np)


def _static_rank(node, index):
    shape = node._inputs[0]._shape
    return None if shape is None else np.array(len(shape), np.int32)


@op(f"Shape(input: T, *, T: type, {_index_type}) -> output: out_type", grad=STOP,
    kind=Kind.SHAPE, static_value=_static_shape, denotes_shape=_denoted_by_shape)
def shape(input, out_type):
    """The shape of `input`, as a 1-D tensor."""
    return np.array(np.shape(input), out_type)


@shape.shape
def _(input):
    return (None if input is None else len(input),)


@op(f"ShapeN(input: N * T, *, N: int >= 1, T: type, {_index_type}) -> output: N * out_type", grad=STOP,
    export=("shape_n",), kind=Kind.SHAPE, static_value=_static_shape, denotes_shape=_denoted_by_shape)
def shape_n(input, out_type):
    """The shape of each tensor of a list."""
    return [np.array(np.shape(x), out_type) for x in input]


@shape_n.shape
def _(input):
    return [(None if x is None else len(x),) for x in input]


def _sizes_of_rows(call, node, values, count):
    return [Rows(np.array([np.size(values[0].at(place)) for place in range(count)], node.outputs[0].dtype.np))]


@op(f"Size(input: T, *, T: type, {_index_type}) -> output: out_type", shape=scalar, grad=STOP,
    kind=Kind.SHAPE, static_value=_static_size, in_batches=_sizes_of_rows)
def size(input, out_type):
    """The number of elements of `input`."""
    return np.array(math.prod(np.shape(input)), out_type)


@op("Rank(input: T, *, T: type) -> output: int32", shape=scalar, grad=STOP, kind=Kind.SHAPE, static_value=_static_rank)
def rank(input):
    """The rank of `input`: its number of dimensions."""
    return np.array(len(np.shape(input)), np.int32)


@op("EnsureShape(input: T, *, shape: shape, T: type) -> output: T", grad=_pass_on,
    shape=lambda input, shape: shaping.merge(input, shape))
def ensure_shape(input, shape, node):
    """Forwards its input; fails unless its shape is compatible with `shape`."""
    found = np.shape(input)
    if shape is not None and (len(found) != len(shape)
                              or any(wanted not in (None, got) for wanted, got in zip(shape, found))):
        name = node.inputs[0].source.name
        raise errors.InvalidArgumentError(None, None, f"Shape of tensor {name} {shape_text(found)} "
                                                      f"is not compatible with expected shape {shape_text(shape)}.")
    return input


@op("CheckNumerics(tensor: T, *, T: floating, message: string) -> output: T", stateful=True, shape=same_as("tensor"),
    export=("check_numerics", "debugging.check_numerics"))
def check_numerics(xp, tensor, message, check):
    """Forwards its input; fails if it contains NaN or infinity."""
    has_nan, has_inf = xp.isnan(tensor).any(), xp.isinf(tensor).any()
    check(~(has_nan & has_inf), f"{message} : Tensor had Inf and NaN values")
    check(~has_nan, f"{message} : Tensor had NaN values")
    check(~has_inf, f"{message} : Tensor had Inf values")
    return tensor


@check_numerics.grad
def _(op, dy):
    return check_numerics(dy, "a gradient has elements that are not finite. "
                              f"{op.get_attr('message')!r}")


# ---- casts

@op("Cast(x: SrcT, *, SrcT: type, DstT: type, Truncate: bool = False) -> y: DstT", shape=unchanged,
    memory=Memory.VIEW, by_row=True, denotes_shape=_denoted_by_input)
def cast(xp, x, SrcT, DstT, Truncate):
    """Casts `x` to another dtype. With `Truncate`, excess mantissa bits are truncated instead of rounded."""
    if SrcT.hasobject or DstT.hasobject:
        source, target = ("string" if dtype.hasobject else dtype for dtype in (SrcT, DstT))
        raise errors.UnimplementedError(None, None, f"Cast {source} to {target} is not supported")
    if DstT.kind == "b":
        return (xp.real(x) if SrcT.kind == "c" else x) != 0
    if Truncate:
        x = _cut_mantissa(xp, x, DstT)
    return casting.as_dtype(xp, x, DstT)


_mantissa_bits = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}
_bits_as = {8: np.uint64, 4: np.uint32, 2: np.uint16}


def _cut_mantissa(xp, x, target):
    have, want = _mantissa_bits.get(x.dtype.name), _mantissa_bits.get(target.name)
    if have is None or want is None or want >= have:
        return x
    bits = _bits_as[x.dtype.itemsize]
    mask = bits((1 << 8 * x.dtype.itemsize) - (1 << (have - want)))
    return xp.asarray(xp.asarray(x).view(bits) & mask).view(x.dtype)


@cast.grad
def _(op, dy):
    source, target = op.inputs[0].dtype.base_dtype, dy.dtype.base_dtype
    smooth = all(t.is_floating or t.is_complex for t in (source, target))
    return cast(dy, source) if smooth else None


_fixed_width = ("{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, "
                "complex128, qint8, quint8, qint16, quint16, qint32}")


@op(f"Bitcast(input: T, *, T: {_fixed_width}, type: {_fixed_width}) -> output: type", grad=STOP, export=("bitcast",))
def bitcast(xp, input, T, type):
    """Reinterprets the bytes as another dtype: a larger one drops the last dimension, a smaller one adds one."""
    if T.itemsize == type.itemsize:
        return xp.asarray(input).view(type)
    if T.itemsize > type.itemsize:
        return xp.asarray(input)[..., None].view(type) if xp is np or T.kind == "c" else _parts(input, type)
    wide = input.shape[-1:]
    if wide != (type.itemsize // T.itemsize,):
        raise errors.InvalidArgumentError(None, None, f"Cannot bitcast from {T} to {type}: last dimension is {wide}, "
                                                      f"not {type.itemsize // T.itemsize}")
    contiguous = np.ascontiguousarray(input) if xp is np else input
    return contiguous.view(type)[..., 0]


def _parts(input, dtype):
    """The numbers of a smaller dtype that the bits of each number are; JAX's views would shift them out of it."""
    import jax

    return computed_once(jax.lax.bitcast_convert_type(input, dtype))


@bitcast.shape
def _(input, T, type):
    if input is None or T.size == type.size:
        return input
    if T.size > type.size:
        return (*input, T.size // type.size)
    shaping.require_equal(input[-1] if input else 1, type.size // T.size, "Cannot bitcast due to shape")
    return input[:-1]


# ---- filling

@op("ZerosLike(x: T, *, T: type) -> y: T", shape=unchanged, grad=STOP, in_batches=along_first)
def zeros_like(xp, x, T):
    """Zeros (or empty strings) of the shape of `x`."""
    if T.hasobject:
        return _emptied(x)
    return xp.zeros(np.shape(x), T)


def _emptied(x):
    """Empty strings for strings; other host values (tensor lists) define their own zeros."""
    return np.full(x.shape, b"", object) if isinstance(x, np.ndarray) else x.zeros_like()


@op("OnesLike(x: T, *, T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, complex64, "
    "complex128, bool}) -> y: T", shape=unchanged, grad=STOP, in_batches=along_first)
def ones_like(xp, x, T):
    """Ones of the shape of `x`."""
    return xp.ones(np.shape(x), T)


@op("Fill(dims: index_type, value: T, *, T: type, index_type: index = int32) -> output: T", static=("dims",))
def fill(xp, dims, value, T):
    """A tensor of shape `dims` filled with `value`."""
    if np.ndim(value) != 0:
        raise errors.InvalidArgumentError(None, None, f"value must be a scalar, got shape {list(np.shape(value))}")
    if dims.ndim != 1:
        raise errors.InvalidArgumentError(None, None, f"dims must be a vector of int, got shape {list(dims.shape)}")
    if (dims < 0).any():
        raise errors.InvalidArgumentError(None, None, f"Fill dimensions must be >= 0, got {dims.tolist()}")
    shape = tuple(dims.tolist())
    if T.hasobject:
        result = np.empty(shape, object)
        result.fill(value.item() if isinstance(value, np.ndarray) else value)
        return result
    return xp.full(shape, value, T)


@fill.shape
def _(dims, value, shape_of, value_of):
    shaping.require_rank(dims, 1)
    shaping.require_rank(value, 0)
    known = value_of("dims")
    if known is not None and (known < 0).any():
        raise ValueError(f"Fill dimensions must be >= 0, got {known.tolist()}")
    return shape_of("dims")


@fill.grad
def _(op, dy):
    return None, lookup("Sum")(dy, lookup("Range")(0, rank(dy), 1))


@op("BroadcastTo(input: T, shape: Tidx, *, T: type, Tidx: index = int32) -> output: T", static=("shape",),
    export=("broadcast_to",), memory=Memory.VIEW)
def broadcast_to(xp, input, shape):
    """Broadcasts `input` to `shape`: repeats it along dimensions of size 1."""
    try:
        return xp.broadcast_to(input, tuple(shape.tolist()))
    except ValueError:
        raise errors.InvalidArgumentError(None, None, f"Incompatible shapes: {list(np.shape(input))} vs. "
                                                      f"{shape.tolist()}: Unable to broadcast tensor of shape "
                                                      f"{list(np.shape(input))} to the other") from None


@broadcast_to.shape
def _(input, shape, shape_of):
    shaping.require_rank(shape, 1)
    target = shape_of("shape")
    if target is None or input is None:
        return target
    if len(input) > len(target):
        raise ValueError(f"Shape must be at most rank {len(target)} but is rank {len(input)}")
    front = len(target) - len(input)
    return target[:front] + tuple(want if have in (None, 1) else shaping.merge_size(have, want)
                                  for have, want in zip(input, target[front:]))


@broadcast_to.grad
def _(op, dy):
    source = shape(op.inputs[0], out_type=op.inputs[1].dtype)
    axes, _ = broadcast_gradient_args(source, op.inputs[1])
    return lookup("Reshape")(lookup("Sum")(dy, axes, keep_dims=True), source), None


@op("BroadcastArgs(s0: T, s1: T, *, T: index = int32) -> r0: T", static=("s0", "s1"), grad=STOP)
def broadcast_args(s0, s1, T):
    """The broadcast shape of two shapes."""
    try:
        return np.array(np.broadcast_shapes(tuple(s0.tolist()), tuple(s1.tolist())), T)
    except ValueError:
        raise _incompatible(s0.tolist(), s1.tolist()) from None


@broadcast_args.shape
def _(s0, s1):
    left, right = shaping.with_rank(s0, 1)[0], shaping.with_rank(s1, 1)[0]
    return (None if left is None or right is None else max(left, right),)


def _incompatible(s0, s1):
    return errors.InvalidArgumentError(None, None, f"Incompatible shapes: {list(s0)} vs. {list(s1)}")


@op("BroadcastGradientArgs(s0: T, s1: T, *, T: index = int32) -> r0: T, r1: T", static=("s0", "s1"), grad=STOP,
    shape=lambda: [(None,), (None,)], bounded=True)
def broadcast_gradient_args(s0, s1, T):
    """The axes over which the gradients of two broadcast inputs of these shapes must be summed."""
    return tuple(np.array(axes, T) for axes in _broadcast_axes(tuple(s0.tolist()), tuple(s1.tolist())))


@functools.lru_cache(maxsize=1024)
def _broadcast_axes(s0, s1):
    """The axes along which either of two shapes is broadcast, or could be."""
    if s0 == s1:
        return (), ()
    rank = max(len(s0), len(s1))
    left, right = ((1,) * (rank - len(s)) + s for s in (s0, s1))
    if any(a != b and 1 not in (a, b) for a, b in zip(left, right)):
        raise _incompatible(s0, s1)
    return tuple(tuple(axis for axis, length in enumerate(sizes) if length == 1) for sizes in (left, right))


# ---- ranges

@even
def _ranges_of_rows(call, node, values, count):
    """The numbers up to the limit of each row, if these are whole and all else is the same."""
    start, limit, delta = values
    if not isinstance(limit, Rows) or isinstance(start, Rows) or isinstance(delta, Rows):
        return one_by_one(call, node, values, count)
    limits = limit.values
    if limits.ndim != 1 or limits.dtype.kind != "i" or delta != 1 or (limits < start).any():
        return one_by_one(call, node, values, count)
    return [Rows([np.arange(int(start), last, dtype=limits.dtype) for last in limits.tolist()])]


def _is_moving_range(node):
    """Whether the range has a constant length, although it does not start at a constant."""
    start, limit, delta = node._inputs
    step = shaping.static_value(delta)
    if shaping.static_value(start) is not None or step is None or not start._dtype.is_integer or start._shape != ():
        return False
    apart = distance(start, limit)
    return apart is not None and int(step) * apart > 0


@op("Range(start: Tidx, limit: Tidx, delta: Tidx, *, Tidx: {bfloat16, float, double, int32, int64} = int32) "
    "-> output: Tidx", static=("start", "limit", "delta"), moves=_is_moving_range, grad=STOP,
    in_batches=_ranges_of_rows)
def range_(start, limit, delta, node, Tidx):
    """The sequence start, start + delta, ..., excluding `limit`."""
    if is_traced(start):
        return start + np.arange(0, distance(*node.inputs[:2]), int(delta), Tidx)
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        if value.size != 1:
            raise errors.InvalidArgumentError(None, None, f"{name} must be a scalar, not shape {list(value.shape)}")
    start, limit, delta = (np.ravel(v)[0] for v in (start, limit, delta))
    if delta == 0:
        raise errors.InvalidArgumentError(None, None, f"Requires delta != 0: {delta}")
    if _runs_away(start, limit, delta):
        raise errors.InvalidArgumentError(None, None, _runs_away(start, limit, delta))
    return _steps(start, _range_size(start, limit, delta), delta, Tidx)


def _runs_away(start, limit, delta):
    """The error message if steps of `delta` never reach `limit`, else ""."""
    if delta > 0 and start > limit:
        return f"Requires start <= limit when delta > 0: {start}/{limit}"
    if delta < 0 and start < limit:
        return f"Requires start >= limit when delta < 0: {start}/{limit}"
    if start.dtype.kind != "i" and not _float_range_size(start, limit, delta) < 2**63:
        return f"Requires ((limit - start) / delta) <= {2**63 - 1}: ({limit} - {start}) / {delta}"
    return ""


def _range_size(start, limit, delta):
    if start.dtype.kind == "i":
        span, step = int(limit) - int(start), int(delta)
        return -(-abs(span) // abs(step))
    return int(_float_range_size(start, limit, delta))


def _float_range_size(start, limit, delta):
    with np.errstate(all="ignore"):
        return np.ceil(abs((limit - start) / delta))  # in their own precision: float32's 0.3 / 0.1 is 3 exactly


def _steps(start, count, delta, dtype):
    if dtype.kind == "i":
        return (int(start) + int(delta) * np.arange(count)).astype(dtype)
    return start + np.arange(count).astype(dtype) * delta


@range_.shape
def _(start, limit, delta, value_of):
    for each in (start, limit, delta):
        shaping.require_rank(each, 0)
    start, limit, delta = (value_of(name) for name in ("start", "limit", "delta"))
    if start is None or limit is None or delta is None:
        return (None,)
    if delta == 0:
        raise ValueError("Requires delta != 0")
    if delta != delta or limit - start != limit - start:
        return (None,)  # a NaN raises at run time
    if _runs_away(start, limit, delta):
        raise ValueError(_runs_away(start, limit, delta))
    return (_range_size(start, limit, delta),)


@op("LinSpace(start: T, stop: T, num: Tidx, *, T: {bfloat16, float, double}, Tidx: index = int32) -> output: T",
    static=("num",), export=("lin_space", "linspace"))
def lin_space(xp, start, stop, num, T):
    """`num` evenly spaced values from `start` to `stop`, both included."""
    count = int(num)
    if count <= 0:
        raise errors.InvalidArgumentError(None, None, f"Requires num > 0: {count}")
    if count == 1:
        return xp.reshape(start, (1,))
    step = ((stop - start) / np.array(count - 1, T)).astype(T)
    inner = start + step * np.arange(1, count - 1).astype(T)
    return xp.concatenate([xp.reshape(start, (1,)), inner, xp.reshape(stop, (1,))])


@lin_space.grad
def _(op, dy):
    """To each end goes what is near it. TensorFlow 1 has no gradient here, TensorFlow 2 has this one."""
    start, stop, num = op.inputs
    nearness = lin_space(zeros_like(start), ones_like(stop), num)  # to `stop`
    total, times = lookup("Sum"), lookup("Mul")
    return total(times(dy, lookup("Sub")(ones_like(nearness), nearness)), [0]), total(times(dy, nearness), [0]), None


@lin_space.shape
def _(start, stop, num, value_of):
    for each in (start, stop, num):
        shaping.require_rank(each, 0)
    count = value_of("num")
    if count is None:
        return (None,)
    if count <= 0:
        raise ValueError(f"Requires num > 0: {count}")
    return (int(count),)
