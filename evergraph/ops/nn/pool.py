"""Max and average pooling over windows of images and volumes, and the gradients.

Windows are small, so kernels iterate over their offsets, which XLA fuses into one loop; XLA's reduce-window is used for
large ones. In the gradient each element reads from the windows that cover it: XLA's own scatter-add is fifty times
slower on CPUs. A kernel in C computes the gradient of max pooling on NumPy arrays, and in programs for CPUs where
windows overlap (`native_windows.py` has the rule).
"""

from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.graph.shaping import with_rank
from evergraph.kernel.fence import computed_once
from evergraph.ops.arrays.basic import shape, zeros_like
from evergraph.ops.arrays.limits import floored, lowest
from evergraph.ops.nn import native_windows
from evergraph.ops.nn.windows import (
    MANY,
    axis_of,
    channel_axis,
    invalid,
    offsets,
    output_size,
    padded,
    seen_at,
    seen_parts,
    stretched,
    windows_over,
)

_LISTS = "ksize: list(int) >= {n}, strides: list(int) >= {n}, padding: {{'SAME', 'VALID'}}"
_WINDOW_2D = _LISTS.format(n=4)
_ORDER_2D = "data_format: {'NHWC', 'NCHW'} = 'NHWC'"
_WINDOW_3D = f"{_LISTS.format(n=5)}, data_format: {{'NDHWC', 'NCDHW'}} = 'NDHWC'"
_WINDOW = ("ksize", "strides", "padding", "data_format")


def _same(op, *names):
    """The attrs that the ops of one pooling share."""
    return {name: op.attrs[name] for name in names}


# ---- shapes


def _pooled(input, ksize, strides, padding, rank):
    """The shape of the output.

    Raises:
        ValueError: the window does not fit.
        UnimplementedError: the window pools across examples.
    """
    for what, numbers in (("ksize", ksize), ("strides", strides)):
        if len(numbers) != rank:
            raise ValueError(f"{what} must have {rank} numbers, got {list(numbers)}")
        if min(numbers) < 1:
            raise ValueError(f"{what} must be positive, got {list(numbers)}")
    if ksize[0] != 1 or strides[0] != 1:
        raise _unimplemented("Pooling is not yet supported on the batch: ksize and strides are 1 there.")
    return tuple(output_size(size, window, stride, padding)
                 for size, window, stride in zip(with_rank(input, rank), ksize, strides))


def _unimplemented(message):
    return errors.UnimplementedError(None, None, message)


def _shape_2d(input, ksize, strides, padding, data_format):
    result = _pooled(input, ksize, strides, padding, 4)
    _check_depth(with_rank(input, 4), ksize, strides, channel_axis(data_format, 4))
    return result


def _check_depth(input, ksize, strides, channel):
    """Checks that windows either move over space or pool channels, not both."""
    depth = ksize[channel]
    if depth == 1 and strides[channel] == 1:
        return
    if any(size != 1 for at, size in enumerate(ksize) if at != channel):
        raise _unimplemented("max pooling takes exactly one of pooling across depth and pooling across places")
    if depth != strides[channel]:
        raise _unimplemented("max pooling over channels needs its depth window to equal the depth stride")
    if input[channel] is not None and input[channel] % depth:
        raise _unimplemented("a window over channels should evenly divide them")


def _shape_3d(input, ksize, strides, padding):
    return _pooled(input, ksize, strides, padding, 5)


def _like_input(rank):
    return lambda orig_input: with_rank(orig_input, rank)


def _like_output(rank):
    return lambda orig_output: with_rank(orig_output, rank)


# ---- kernels


def _axes(sizes, ksize, strides, padding):
    """(the axes along which a window moves, their positions)."""
    if len(sizes) != len(ksize):
        raise invalid(f"tensor_in must be {len(ksize)}-dimensional, got {tuple(sizes)}")
    if min(ksize) < 1 or min(strides) < 1:
        raise invalid(f"windows and strides must be positive, got {list(ksize)} and {list(strides)}")
    positions = [at for at in range(len(sizes)) if ksize[at] != 1 or strides[at] != 1]
    axes = [axis_of(sizes[at], ksize[at], strides[at], padding) for at in positions]
    is_empty = 0 in sizes or any(axis.places == 0 for axis in axes)
    parts = None if is_empty else seen_parts(axes)  # without what sees padding alone, windows are as long as images
    return axes if parts is None else [part.axis for part in parts], positions


def _nothing(x, axes, positions):
    """The output of windows that are larger than the images; None if they fit."""
    if all(axis.places for axis in axes):
        return None
    sizes = list(x.shape)
    for axis, at in zip(axes, positions):
        sizes[at] = axis.places
    return np.zeros(sizes, np.dtype(x.dtype))


def _is_large(axes):
    return int(np.prod([axis.window for axis in axes])) > MANY


def _reduced(x, axes, positions, start, function):
    """A window reduction by XLA's reduce-window."""
    import jax

    window, strides, pads = [1] * x.ndim, [1] * x.ndim, [(0, 0)] * x.ndim
    for axis, at in zip(axes, positions):
        window[at], strides[at], pads[at] = axis.window, axis.stride, (axis.before, axis.after)
    return jax.lax.reduce_window(x, np.asarray(start, x.dtype), getattr(jax.lax, function), window, strides, pads)


def _largest_number(xp, x, ksize, strides, padding):
    """The largest number of each window; the lowest finite number stands for NaN and minus infinity."""
    moved = _axes(x.shape, ksize, strides, padding)
    found = _nothing(x, *moved)
    if found is None and xp is np:
        found = native_windows.max_pool(x, *moved)
    return _largest(xp, floored(xp, x), ksize, strides, padding) if found is None else found


def _largest(xp, x, ksize, strides, padding):
    axes, positions = _axes(x.shape, ksize, strides, padding)
    if _is_large(axes) and xp is not np:
        return _reduced(x, axes, positions, lowest(x.dtype), "max")
    around = padded(xp, x, axes, positions, fill=lowest(x.dtype))
    for axis, at in zip(axes, positions):  # axis by axis: a 3 x 3 window needs 6 comparisons instead of 9
        best = None
        for offset in offsets([axis]):
            seen = seen_at(around, [axis], [at], offset)
            best = seen if best is None else xp.maximum(best, seen)
        around = best
    return around


def _winner(xp, x, axes, positions):
    """The index of the offset of each window's first maximal element, and that element.

    NaN is maximal only as the first element of the window.
    """
    around, best, where = padded(xp, x, axes, positions, fill=lowest(x.dtype)), None, None
    for number, offset in enumerate(offsets(axes)):
        seen = seen_at(around, axes, positions, offset)
        if best is None:
            best, where = seen, xp.where(_inside(axes, positions, offset, x.ndim), np.int32(0), np.int32(-1))
            continue
        better = seen > best
        if any(axis.before for axis in axes):  # the first element that is not padding beats all padding
            better = better | (where < 0) & _inside(axes, positions, offset, x.ndim)
        best, where = xp.where(better, seen, best), xp.where(better, np.int32(number), where)
    return xp.broadcast_to(where, best.shape), best


def _inside(axes, positions, offset, rank):
    """Whether windows read an element (not padding) at this offset, shaped to broadcast."""
    inside = np.ones([1] * rank, bool)
    for axis, at, step in zip(axes, positions, offset):
        place = np.arange(axis.places) * axis.stride + step - axis.before
        here = (place >= 0) & (place < axis.size)
        inside = inside & here.reshape([-1 if i == at else 1 for i in range(rank)])
    return inside


def _largest_back(xp, x, dy, ksize, strides, padding):
    """The gradient of max pooling: goes to the maximal elements."""
    axes, positions = _axes(x.shape, ksize, strides, padding)
    if not axes:
        return dy
    if 0 in dy.shape:
        return np.zeros(x.shape, np.dtype(dy.dtype))
    if native_windows.pools(xp, x, dy, axes, positions):
        again = lambda x, upstream: _largest_back_back(xp, x, upstream, ksize, strides, padding)
        return native_windows.max_pool_gradient(x, dy, axes, positions, again)
    if _is_large(axes):
        return _large_back(x, dy, axes, positions)
    where, _ = _winner(xp, x, axes, positions)
    if any(axis.window > axis.stride for axis in axes):  # windows overlap: each element looks up the maxima
        where = computed_once(where)
    where, dy = stretched(xp, where, axes, positions, fill=-1), stretched(xp, dy, axes, positions)
    if all(axis.stride == 1 for axis in axes):  # stretching is padding here, cheaper to store than to recompute
        where, dy = computed_once(where), computed_once(dy)
    total = None
    for cut, offset in windows_over(axes, positions, x.ndim):
        part = xp.where(_is_at(where[cut], offset, axes), dy[cut], dy.dtype.type(0))
        total = part if total is None else total + part
    return total


def _is_at(where, offset, axes):
    """Whether the maxima are at the given offsets, which may be beyond the window."""
    number, inside = 0, True
    for axis, step in zip(axes, offset):
        number, inside = number * axis.window + step, inside & (step < axis.window)
    return where == np.where(inside, number, -2).astype(np.int32)


def _large_back(x, dy, axes, positions):
    import jax

    _, back = jax.vjp(lambda value: _reduced(value, axes, positions, lowest(x.dtype), "max"), jax.numpy.asarray(x))
    return back(jax.numpy.asarray(dy).astype(x.dtype))[0]


def _largest_back_back(xp, x, dy, ksize, strides, padding):
    """The gradient of the max pooling gradient by its gradient: the elements of `dy` at the maxima.

    In a window of NaN or minus infinity alone nothing equals the maximum, which is the lowest finite number.
    """
    axes, positions = _axes(x.shape, ksize, strides, padding)
    nothing = _nothing(dy, axes, positions)
    if nothing is not None:
        return nothing
    best = _largest_number(xp, x, ksize, strides, padding)
    values, given = padded(xp, x, axes, positions), padded(xp, dy, axes, positions)
    total, is_found = xp.zeros(best.shape, dy.dtype), False
    for offset in offsets(axes):
        here = (seen_at(values, axes, positions, offset) == best) & _inside(axes, positions, offset, x.ndim)
        total = xp.where(here & ~is_found, seen_at(given, axes, positions, offset), total)
        is_found = here | is_found
    return total


def _counts(axes, positions, rank):
    """The number of elements in each window that are not padding, shaped to broadcast; a scalar if all are equal."""
    total = np.ones([1] * rank)
    for axis, at in zip(axes, positions):
        start = np.arange(axis.places) * axis.stride - axis.before
        inside = np.minimum(start + axis.window, axis.size) - np.maximum(start, 0)
        total = total * inside.reshape([-1 if i == at else 1 for i in range(rank)])
    return total


def _mean(xp, x, ksize, strides, padding):
    axes, positions = _axes(x.shape, ksize, strides, padding)
    if 0 in x.shape:
        return np.zeros(_pooled(x.shape, ksize, strides, padding, x.ndim), np.dtype(x.dtype))
    nothing = _nothing(x, axes, positions)
    if nothing is not None:
        return nothing
    wide = x.astype(np.float32) if np.dtype(x.dtype).itemsize == 2 else x
    if _is_large(axes) and xp is not np:
        total = _reduced(wide, axes, positions, 0, "add")
    else:
        total = padded(xp, wide, axes, positions)
        for axis, at in zip(axes, positions):
            total = sum(seen_at(total, [axis], [at], offset) for offset in offsets([axis]))
    return total / _counts(axes, positions, x.ndim).astype(np.dtype(wide.dtype))


def _mean_back(xp, sizes, dy, ksize, strides, padding):
    """The gradient of average pooling: each element gets its share from the windows that cover it."""
    sizes = tuple(int(size) for size in np.ravel(sizes))
    axes, positions = _axes(sizes, ksize, strides, padding)
    if 0 in sizes or 0 in dy.shape:
        return np.zeros(sizes, np.dtype(dy.dtype))
    share = dy / _counts(axes, positions, dy.ndim).astype(np.dtype(dy.dtype))
    for axis, at in zip(axes, positions):
        spread, total = stretched(xp, share, [axis], [at]), None
        for cut, (step,) in windows_over([axis], [at], dy.ndim):
            part = spread[cut] * (step < axis.window).astype(np.dtype(dy.dtype))
            total = part if total is None else total + part
        share = total
    return share


# ---- max pooling of images

_MAX_TYPES = "T: {floating, index, uint8, int16, int8, uint16, qint8} = float"
_MAX_ORDER = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
_BACK_2D = f"{_WINDOW_2D}, {_ORDER_2D}"
_THREE = "orig_input: T, orig_output: T, grad: T"


@op(f"MaxPool(input: T, *, {_MAX_TYPES}, {_WINDOW_2D}, {_MAX_ORDER}) -> output: T", shape=_shape_2d,
    later={"explicit_paddings": []})
def max_pool(xp, input, ksize, strides, padding):
    """Max pooling: the maximum over each window, ignoring NaN; minus infinity becomes the lowest finite number."""
    return _largest_number(xp, input, ksize, strides, padding)


@op(f"MaxPoolGrad({_THREE}, *, {_BACK_2D}, T: real = float) -> output: T", shape=_like_input(4),
    later={"explicit_paddings": []})
def max_pool_grad(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPool: goes to the first maximal element of each window."""
    return _largest_back(xp, orig_input, grad, ksize, strides, padding)


@op(f"MaxPoolGradGrad({_THREE}, *, {_BACK_2D}, T: real) -> output: T", shape=_like_output(4))
def max_pool_grad_grad(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPoolGrad with respect to its gradient input."""
    return _largest_back_back(xp, orig_input, grad, ksize, strides, padding)


def _chain(forward, backward, second):
    """Sets max pooling's gradients: forward -> backward -> second -> backward."""
    forward.grad(lambda op, dy: backward(op.inputs[0], op.outputs[0], dy, **_same(op, *_WINDOW)))
    backward.grad(lambda op, dy: (*map(zeros_like, op.inputs[:2]),
                                  second(op.inputs[0], op.inputs[1], dy, **_same(op, *_WINDOW))))
    second.grad(lambda op, dy: (*map(zeros_like, op.inputs[:2]),
                                backward(op.inputs[0], op.inputs[1], dy, **_same(op, *_WINDOW))))


_chain(max_pool, max_pool_grad, max_pool_grad_grad)


# ---- with window sizes as inputs

_INPUTS = "ksize: int32, strides: int32, *, padding: {'SAME', 'VALID'}"
_STATIC = ("ksize", "strides")


def _numbers(ksize, strides):
    return ksize.tolist(), strides.tolist()


@op(f"MaxPoolV2(input: T, ksize: int32, strides: int32, *, {_MAX_TYPES}, padding: {{'SAME', 'VALID'}}, {_MAX_ORDER}) "
    "-> output: T", static=_STATIC)
def max_pool_v2(xp, input, ksize, strides, padding):
    """MaxPool with the window as an input."""
    return _largest_number(xp, input, *_numbers(ksize, strides), padding)


@max_pool_v2.shape
def _(input, padding, data_format, value_of):
    ksize, strides = value_of("ksize"), value_of("strides")
    if ksize is None or strides is None:
        return (None,) * 4
    return _shape_2d(input, *_numbers(ksize, strides), padding, data_format)


@op(f"MaxPoolGradV2({_THREE}, {_INPUTS}, {_ORDER_2D}, T: real = float) -> output: T", static=_STATIC,
    shape=_like_input(4))
def max_pool_grad_v2(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPoolV2."""
    return _largest_back(xp, orig_input, grad, *_numbers(ksize, strides), padding)


@op(f"MaxPoolGradGradV2({_THREE}, {_INPUTS}, {_ORDER_2D}, T: real) -> output: T", static=_STATIC,
    shape=_like_output(4))
def max_pool_grad_grad_v2(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPoolGradV2 with respect to its gradient input."""
    return _largest_back_back(xp, orig_input, grad, *_numbers(ksize, strides), padding)


@max_pool_v2.grad
def _(op, dy):
    x, ksize, strides = op.inputs
    return max_pool_grad_v2(x, op.outputs[0], dy, ksize, strides, **_same(op, "padding", "data_format")), None, None


def _second_v2(other):
    def rule(op, dy):
        x, y, _, ksize, strides = op.inputs
        same = _same(op, "padding", "data_format")
        return zeros_like(x), zeros_like(y), other(x, y, dy, ksize, strides, **same), None, None

    return rule


max_pool_grad_v2.grad(_second_v2(max_pool_grad_grad_v2))
max_pool_grad_grad_v2.grad(_second_v2(max_pool_grad_v2))


# ---- max pooling with argmax

_ARGMAX = f"{_WINDOW_2D}, include_batch_in_index: bool = False, Targmax: index, T: real"


@op(
    "MaxPoolWithArgmax(input: T, *, ksize: list(int) >= 4, strides: list(int) >= 4, Targmax: index = int64, "
    "padding: {'SAME', 'VALID'}, include_batch_in_index: bool = False, T: real) -> output: T, argmax: Targmax",
    shape=lambda input, ksize, strides, padding: [_shape_2d(input, ksize, strides, padding, "NHWC")] * 2,
)
def max_pool_with_argmax(xp, input, ksize, strides, padding, Targmax, include_batch_in_index):
    """Max pooling with the flat index of each maximum in its image (or in the batch)."""
    if not input.size:
        raise invalid("the input must not be empty")
    axes, positions = _axes(input.shape, ksize, strides, padding)
    nothing = _nothing(input, axes, positions)
    if nothing is not None:
        return nothing, nothing.astype(Targmax)
    where, y = _winner(xp, input, axes, positions)
    steps = _unravelled(xp, where, axes)
    place = np.int64(0)
    for at in range(0 if include_batch_in_index else 1, 4):
        along = np.arange(y.shape[at], dtype=np.int64).reshape([-1 if i == at else 1 for i in range(4)])
        if at in positions:
            axis = axes[positions.index(at)]
            along = along * axis.stride - axis.before + steps[positions.index(at)]
        place = place * input.shape[at] + along
    return y, xp.broadcast_to(place, y.shape).astype(Targmax)


def _unravelled(xp, number, axes):
    """The offset along each axis, from the flat index of the offset."""
    steps = []
    for axis in reversed(axes):
        steps.insert(0, (number % axis.window).astype(np.int64))
        number = number // axis.window
    return steps


def _flat_places(xp, argmax, sizes, include_batch_in_index):
    """Flat indices in the batch."""
    places = argmax.astype(np.int64).reshape(argmax.shape[0], -1)
    if not include_batch_in_index:
        places = places + (np.arange(argmax.shape[0], dtype=np.int64) * int(np.prod(sizes[1:])))[:, None]
    return places.reshape(-1)


@op(f"MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax, *, {_ARGMAX}) -> output: T",
    shape=lambda input: with_rank(input, 4))
def max_pool_grad_with_argmax(xp, input, grad, argmax, include_batch_in_index):
    """The gradient of MaxPoolWithArgmax, given its indices."""
    places = _flat_places(xp, argmax, input.shape, include_batch_in_index)
    flat = xp.zeros(int(np.prod(input.shape)), grad.dtype)
    if xp is np:
        np.add.at(flat, places, grad.reshape(-1))
    else:
        flat = flat.at[places].add(grad.reshape(-1))
    return flat.reshape(input.shape)


@op(f"MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax, *, {_ARGMAX}) -> output: T",
    shape=lambda argmax: with_rank(argmax, 4))
def max_pool_grad_grad_with_argmax(xp, input, grad, argmax, include_batch_in_index):
    """The gradient of MaxPoolGradWithArgmax with respect to its gradient: the elements at the indices."""
    return grad.reshape(-1)[_flat_places(xp, argmax, input.shape, include_batch_in_index)].reshape(argmax.shape)


@max_pool_with_argmax.grad
def _(op, dy, unused):
    return max_pool_grad_with_argmax(
        op.inputs[0], dy, op.outputs[1], **_same(op, "ksize", "strides", "padding", "include_batch_in_index"))


# ---- average pooling of images


@op(f"AvgPool(value: T, *, {_WINDOW_2D}, {_ORDER_2D}, T: floating) -> output: T",
    shape=lambda value, ksize, strides, padding: _pooled(value, ksize, strides, padding, 4))
def avg_pool(xp, value, ksize, strides, padding):
    """Average pooling: the mean over each window, without padding."""
    return _mean(xp, value, ksize, strides, padding)


def _said(name, rank):
    def infer(shape_of):
        said = shape_of(name)
        return (None,) * rank if said is None else with_rank(said, rank)

    return infer


@op(f"AvgPoolGrad(orig_input_shape: int32, grad: T, *, {_WINDOW_2D}, {_ORDER_2D}, T: floating) -> output: T",
    static=("orig_input_shape",), shape=_said("orig_input_shape", 4))
def avg_pool_grad(xp, orig_input_shape, grad, ksize, strides, padding):
    """The gradient of AvgPool."""
    return _mean_back(xp, orig_input_shape, grad, ksize, strides, padding)


avg_pool.grad(lambda op, dy: avg_pool_grad(shape(op.inputs[0]), dy, **_same(op, *_WINDOW)))
avg_pool_grad.grad(lambda op, dy: (None, avg_pool(dy, **_same(op, *_WINDOW))))


# ---- volumes

_HALF = "T: {half, bfloat16, float}"


@op(f"MaxPool3D(input: T, *, {_WINDOW_3D}, {_HALF}) -> output: T", shape=_shape_3d)
def max_pool3d(xp, input, ksize, strides, padding):
    """3-D max pooling: MaxPool of volumes."""
    return _largest(xp, floored(xp, input), ksize, strides, padding)


@op(
    f"MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T, *, {_WINDOW_3D}, {_HALF} = float, "
    "TInput: {half, bfloat16, float} = float) -> output: T",
    shape=_like_input(5),
)
def max_pool3d_grad(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPool3D."""
    return _largest_back(xp, orig_input, grad, ksize, strides, padding)


@op(f"MaxPool3DGradGrad({_THREE}, *, {_WINDOW_3D}, T: real) -> output: T", shape=_like_output(5))
def max_pool3d_grad_grad(xp, orig_input, grad, ksize, strides, padding):
    """The gradient of MaxPool3DGrad with respect to its gradient input."""
    return _largest_back_back(xp, orig_input, grad, ksize, strides, padding)


_chain(max_pool3d, max_pool3d_grad, max_pool3d_grad_grad)


@op(f"AvgPool3D(input: T, *, {_WINDOW_3D}, T: floating) -> output: T", shape=_shape_3d)
def avg_pool3d(xp, input, ksize, strides, padding):
    """3-D average pooling: AvgPool of volumes."""
    return _mean(xp, input, ksize, strides, padding)


@op(f"AvgPool3DGrad(orig_input_shape: int32, grad: T, *, {_WINDOW_3D}, T: floating) -> output: T",
    static=("orig_input_shape",), shape=_said("orig_input_shape", 5))
def avg_pool3d_grad(xp, orig_input_shape, grad, ksize, strides, padding):
    """The gradient of AvgPool3D."""
    return _mean_back(xp, orig_input_shape, grad, ksize, strides, padding)


avg_pool3d.grad(lambda op, dy: avg_pool3d_grad(shape(op.inputs[0]), dy, **_same(op, *_WINDOW)))
avg_pool3d_grad.grad(lambda op, dy: (None, avg_pool3d(dy, **_same(op, *_WINDOW))))
