"""Assertions about values, shapes and types: tf.Assert, tf.assert_equal, tf.assert_rank, ...

Checks on static values and shapes happen at graph construction: a check that cannot fail becomes a no-op, one that
must fail raises at once.
"""
from __future__ import annotations

import collections.abc

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.array import seen_value
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import group
from evergraph.graph.composite import SparseTensor, convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic, index
from evergraph.ops.control import effects
from evergraph.ops.math import elementwise
from evergraph.ops.math import reduce as reductions


@export("Assert", "debugging.Assert")
def Assert(condition, data, summarize=None, name=None):  # noqa: N802 - TensorFlow's own spelling
    """An operation that fails unless `condition` is true. It runs only if a control dependency requires it.

    >>> positive = tf.Assert(tf.reduce_all(x > 0), [x])
    >>> with tf.control_dependencies([positive]):
    ...     y = tf.log(x)

    Args:
        condition: a bool tensor.
        data: a list of tensors to print when it fails.
        summarize: the number of elements of each to print; 3 by default.
        name: a name for the operation.

    Raises:
        TypeError: `data` is not a list.
    """
    if not isinstance(data, (list, tuple)):
        raise TypeError(f"data must be a list of tensors, not {data!r}")
    with name_scope(name, "Assert", [condition, *data]):
        shown = [convert_to_tensor(d) for d in data]
        done = effects.assert_(condition, shown, summarize=3 if summarize is None else summarize)
        is_guarded = not all(t.dtype.base_dtype in _SHOWN_AT_ONCE for t in shown)
        default_graph()._count_more(_nodes_beside(condition, data, is_guarded))
        return done


_SHOWN_AT_ONCE = (dtypes.string, dtypes.int32)


def _nodes_beside(condition, data, is_guarded):
    """The number of nodes that TensorFlow has beside an assertion: the constants of the data once more.

    With data other than texts and int32s the assertion stands in a conditional, which has eight nodes and a Switch for
    each tensor from outside.
    """
    constants = sum(not is_tensor_like(each) for each in data)
    tensors = {id(each) for each in data if is_tensor_like(each) and each is not condition}
    return constants + (8 + len(tensors) + 1 if is_guarded else 0)


# ---- values

_MAKE = {
    "==": (elementwise.equal, np.equal), "!=": (elementwise.not_equal, np.not_equal),
    "<": (elementwise.less, np.less), "<=": (elementwise.less_equal, np.less_equal),
    ">": (elementwise.greater, np.greater), ">=": (elementwise.greater_equal, np.greater_equal),
}


def _compared(name, sign):
    """The function that asserts `x sign y` for all elements."""
    def check(x, y, data=None, summarize=None, message=None, name=None):
        with name_scope(name, label, [x, y, data]):
            if sign == "==" and x is y:
                return basic.no_op()
            x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
            told = f"Condition x {sign} y did not hold element-wise:"
            shown = [told, f"x ({x.label}) = ", x, f"y ({y.label}) = ", y] if data is None else list(data)
            if message is not None and data is None:
                shown.insert(0, message)
            told_in_full = sign == "==" and data is None and default_graph().is_eager
            return _all_hold(sign, x, y, shown, summarize, message or "" if told_in_full else None)

    label = name
    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""An operation that fails unless x {sign} y elementwise, with broadcasting.

    Args:
        x: a numeric tensor.
        y: a tensor of the same dtype.
        data: tensors to print when it fails, instead of x and y.
        summarize: the number of elements of each to print; 3 by default.
        message: a prefix of the error message.
        name: a name scope.

    Raises:
        InvalidArgumentError: x and y are static and violate the condition.
    """
    return export(name, f"debugging.{name}")(check)


def _all_hold(sign, x, y, shown, summarize, message=None):
    """An operation that fails unless a comparison holds for all elements, which raises at once where that is known.

    With a message, the error that is raised at once tells where x and y differ.
    """
    make, numpy = _MAKE[sign]
    compared = make(x, y)
    known_x, known_y = seen_value(x), seen_value(y)
    if known_x is not None and known_y is not None and not numpy(known_x, known_y).all():
        count = 3 if summarize is None else None if summarize < 0 else summarize
        if message is not None and known_x.shape == known_y.shape:
            shown = [message, *_differences(known_x, known_y, count)]
        raise errors.InvalidArgumentError(None, None, "\n".join(_first(d, count) for d in shown))
    holds = reductions.all_(compared, _every_axis(x, y))
    return Assert(holds, shown, summarize=summarize)


def _first(value, count):
    """A text, or the first numbers of a tensor as one."""
    return str(np.ravel(static_value(value))[:count]) if isinstance(value, Tensor) else str(value)


def _differences(x, y, count):
    """The lines that tell where two arrays of one shape differ."""
    places = np.argwhere(x != y)[:count]
    index = tuple(places.T)
    yield f"Condition x == y did not hold.\nIndices of first {len(places)} different values:\n{places}"
    for name, array in (("x", x), ("y", y)):
        yield f"Corresponding {name} values:\n{array[index]}"
    for name, array in (("x", x), ("y", y)):
        flat = array.ravel()[:count]
        yield f"First {len(flat)} elements of {name}:\n{flat}"


def _every_axis(x, y):
    """All axes of the broadcast shape of x and y."""
    if x._shape is not None and y._shape is not None:
        return list(range(max(len(x._shape), len(y._shape))))
    return basic.range_(0, elementwise.maximum(basic.rank(x), basic.rank(y)), 1)


assert_equal = _compared("assert_equal", "==")
assert_none_equal = _compared("assert_none_equal", "!=")
assert_less = _compared("assert_less", "<")
assert_less_equal = _compared("assert_less_equal", "<=")
assert_greater = _compared("assert_greater", ">")
assert_greater_equal = _compared("assert_greater_equal", ">=")


def _signed(name, sign, words):
    """The function that asserts `x sign 0` for all elements."""
    def check(x, data=None, summarize=None, message=None, name=None):
        with name_scope(name, label, [x, data]):
            x = convert_to_tensor(x, name="x")
            told = f"Condition x {sign} 0 did not hold element-wise:"
            shown = [_before(message), told, f"x ({x.label}) = ", x] if data is None else list(data)
            zero = convert_to_tensor(0, x.dtype.base_dtype)
            return _all_hold(sign, x, zero, shown, summarize)

    label = name
    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""An operation that fails unless all elements of x are {words}.

    Args:
        x: a numeric tensor.
        data: tensors to print when it fails, instead of x.
        summarize: the number of elements of each to print; 3 by default.
        message: a prefix of the error message.
        name: a name scope.

    Raises:
        InvalidArgumentError: x is static and violates the condition.
    """
    return export(name, f"debugging.{name}")(check)


def _before(message):
    return f"{message}.  " if message else ""


assert_positive = _signed("assert_positive", ">", "greater than zero")
assert_negative = _signed("assert_negative", "<", "less than zero")
assert_non_negative = _signed("assert_non_negative", ">=", "zero or greater")
assert_non_positive = _signed("assert_non_positive", "<=", "zero or less")


@export("assert_near", "debugging.assert_near")
def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """An operation that fails unless |x - y| <= atol + rtol * |y| for all elements.

    Args:
        x: a floating point tensor.
        y: a tensor of the same dtype.
        rtol: the relative tolerance; by default ten times the dtype's machine epsilon.
        atol: the absolute tolerance; the same default.
        data: tensors to print when it fails, instead of x and y.
        summarize: the number of elements of each to print; 3 by default.
        message: a prefix of the error message.
        name: a name scope.
    """
    with name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = convert_to_tensor(x, name="x")
        kind = x.dtype.base_dtype
        y = convert_to_tensor(y, kind, name="y")
        real = kind.real_dtype
        epsilon = 10 * np.finfo(real.as_numpy_dtype).eps if real is not dtypes.bfloat16 else 10 * 2.0**-7
        rtol = convert_to_tensor(epsilon if rtol is None else rtol, real, name="rtol")
        atol = convert_to_tensor(epsilon if atol is None else atol, real, name="atol")
        told = f"x and y not equal to tolerance: {rtol} relative, {atol} absolute"
        shown = [_before(message), told, f"x ({x.label}) = ", x, f"y ({y.label}) = ", y] if data is None else list(data)
        size = elementwise.complex_abs if kind.is_complex else elementwise.abs_
        room = elementwise.add_v2(atol, elementwise.mul(rtol, size(y)))
        return _all_hold("<=", size(elementwise.sub(x, y)), room, shown, summarize)


# ---- ranks and shapes


def _rank_check(x, data, summarize, message, name, scope, ranks, fits, words):
    """Builds one of the rank assertions.

    Args:
        ranks: the given rank or ranks.
        fits: a function that tells whether a rank is allowed.
        words: the required rank in words, such as "rank at least".
    """
    with name_scope(name, scope, [x, data]):
        if not isinstance(x, SparseTensor):
            x = convert_to_tensor(x, name="x")
        tensors = [_as_rank(rank) for rank in ranks]
        default_graph()._count_more(len(ranks))  # the check of each rank's type
        known = [seen_value(t) for t in tensors]
        shape = x.get_shape()
        if shape.ndims is not None and all(k is not None for k in known):
            wanted = ", ".join(str(int(k)) for k in known)
            if not fits(shape.ndims, [int(k) for k in known]):
                listed = f"({wanted})" if words.endswith("in") else wanted
                raise ValueError(f"{_before(message)}Tensor {_label(x)} must have {words} {listed}.  Received rank "
                                 f"{shape.ndims}, shape {shape}")
            default_graph()._count_more(1)  # the shape, to show
            return basic.no_op(name="static_checks_determined_all_ok")
        got, sizes = basic.rank(x), basic.shape(x)
        holds = [_RANKS[words](got, t) for t in tensors]
        one = holds[0]
        for other in holds[1:]:
            one = elementwise.logical_or(one, other)
        shown = [_before(message), f"Tensor {_label(x)} must have {words}", *tensors, "Received shape: ", sizes] \
            if data is None else list(data)
        with control_dependencies([_is_scalar(t) for t in tensors if t.shape.ndims is None]):
            return Assert(one, shown, summarize=summarize)


def _is_scalar(rank):
    """An operation that fails unless `rank`, a tensor of unknown shape, is a scalar."""
    return Assert(elementwise.equal(basic.rank(rank), 0), ["Rank must be a scalar. ", "Received rank: ", rank])


_RANKS = {"rank": elementwise.equal, "rank at least": elementwise.greater_equal, "rank in": elementwise.equal}


def _as_rank(rank):
    tensor = convert_to_tensor(rank, name="rank")
    if tensor.dtype.base_dtype is not dtypes.int32:
        raise TypeError(f"{tensor.label} must be of type tf.int32; got {tensor.dtype.base_dtype!r}")
    if tensor.shape.ndims not in (None, 0):
        raise ValueError("Rank must be a scalar.")
    return tensor


@export("assert_rank", "debugging.assert_rank")
def assert_rank(x, rank, data=None, summarize=None, message=None, name=None):
    """An operation that fails unless x has this rank.

    Args:
        x: a tensor.
        rank: a scalar int32.
        data: tensors to print when it fails.
        summarize: the number of elements of each to print; 3 by default.
        message: a prefix of the error message.
        name: a name scope.

    Raises:
        ValueError: both ranks are static and differ.
        TypeError: `rank` is not an int32.
    """
    return _rank_check(x, data, summarize, message, name, "assert_rank", [rank],
                       lambda got, want: got == want[0], "rank")


@export("assert_rank_at_least", "debugging.assert_rank_at_least")
def assert_rank_at_least(x, rank, data=None, summarize=None, message=None, name=None):
    """An operation that fails unless x has at least this rank; see `tf.assert_rank`."""
    return _rank_check(x, data, summarize, message, name, "assert_rank_at_least", [rank],
                       lambda got, want: got >= want[0], "rank at least")


@export("assert_rank_in", "debugging.assert_rank_in")
def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    """An operation that fails unless x has one of these ranks; see `tf.assert_rank`."""
    return _rank_check(x, data, summarize, message, name, "assert_rank_in", list(ranks),
                       lambda got, want: got in want, "rank in")


@export("assert_scalar", "debugging.assert_scalar")
def assert_scalar(tensor, name=None, message=None):
    """Checks that a tensor is statically a scalar, and returns it.

    Raises:
        ValueError: the static shape is unknown, or not a scalar's.
    """
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor.shape.ndims != 0:
            raise ValueError(f"{_before(message)}Expected scalar shape for {tensor.label}, saw shape: {tensor.shape}.")
        return tensor


@export("debugging.assert_shapes")
def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """An operation that fails unless tensors have the given sizes; equal symbols denote equal sizes.

    >>> ok = tf.debugging.assert_shapes({x: ("N", "Q"), y: ("N", "D"), param: ("Q",)})

    Args:
        shapes: a dict, or a list of pairs, from tensors to shapes: sequences of numbers, symbols, and None or "." for
            any size, after an Ellipsis or "*" if only the innermost sizes matter; a string has one character per size.
            None, or an unknown shape, is not checked.
        data: tensors to print when it fails.
        summarize: the number of elements of each to print; 3 by default.
        message: a prefix of the error message.
        name: a name scope.

    Raises:
        ValueError: the static shapes contradict them.
    """
    pairs = list(shapes.items()) if isinstance(shapes, dict) else list(shapes)
    with name_scope(name, "assert_shapes", [data]):
        checks, sizes = [], {}
        for tensor, shape in pairs:
            tensor = tensor if isinstance(tensor, SparseTensor) else convert_to_tensor(tensor)
            wanted = _symbols(tensor, shape, message)
            if wanted is None:
                continue
            wanted, check = _rank_of_symbols(tensor, wanted, data, summarize, message)
            checks.append(check)
            for axis, symbol in wanted.items():
                if symbol is not None:
                    source = sizes.setdefault(symbol, (tensor, axis)) if isinstance(symbol, str) else None
                    checks.append(_size_check(tensor, axis, symbol, source, data, summarize, message))
        return group(*(c for c in checks if c is not None))


def _symbols(tensor, shape, message):
    """A shape as a list of sizes (ints), symbols, None, and optionally a leading Ellipsis; None for any shape."""
    if shape is None or isinstance(shape, TensorShape) and shape.ndims is None:
        return None
    told = f"{_before(message)}Tensor {_label(tensor)}"
    if not hasattr(shape, "__iter__") and not hasattr(shape, "__getitem__"):
        raise ValueError(f"{told}: a shape is a sequence of sizes and names, got {shape}")
    symbols = [_symbol(s) for s in (shape.as_list() if isinstance(shape, TensorShape) else shape)]
    if Ellipsis in symbols[1:]:
        raise ValueError(f"{told}: `...` or `*`, any number of axes, is allowed as the first entry only, not at "
                         f"{symbols.index(Ellipsis, 1)}")
    return symbols


def _symbol(given):
    if given is None or given is Ellipsis:
        return given
    if isinstance(given, str):
        return {".": None, "*": Ellipsis}.get(given, int(given) if given.isdigit() else str(given))
    return getattr(given, "value", given)


def _rank_of_symbols(tensor, symbols, data, summarize, message):
    """The symbols by axis, counted from the end after an Ellipsis, and the check of the tensor's rank.

    A scalar and a vector of length 1 are interchangeable: both are treated as a vector.
    """
    if symbols[:1] == [Ellipsis]:
        inner = symbols[1:]
        check = assert_rank_at_least(tensor, len(inner), data, summarize, message)
        return {i - len(inner): s for i, s in enumerate(inner)}, check
    if len(symbols) <= 1 and tensor.shape.ndims in (None, 0, 1):
        check = assert_rank_in(tensor, (0, 1), data, summarize, message) if tensor.shape.ndims is None else None
        return {0: symbols[0] if symbols else 1}, check
    return dict(enumerate(symbols)), assert_rank(tensor, len(symbols), data, summarize, message)


def _size_check(tensor, axis, symbol, source, data, summarize, message):
    """The check of one size, against a number or another tensor's size; None if nothing is left to check."""
    if source is not None and source[0] is tensor and source[1] == axis:
        return None
    origin = "Specified explicitly" if source is None else \
        f"Specified by tensor {_label(source[0])} dimension {source[1]}"
    wanted = symbol if source is None else _known_size(*source)
    got = _known_size(tensor, axis)
    if wanted is not None and got is not None:
        if wanted != got:
            raise ValueError(f"{_before(message)}{origin}.  Tensor {_label(tensor)} dimension {axis} must have size "
                             f"{wanted}.  Received size {got} of {tensor.shape}")
        return None
    size = convert_to_tensor(wanted, dtypes.int32) if wanted is not None else _size(*source)
    shown = [_before(message), origin, f"Tensor {_label(tensor)} dimension", axis, "must have size", size,
             "Received shape: ", _sizes(tensor)] if data is None else list(data)
    return Assert(elementwise.equal(_size(tensor, axis), size), shown, summarize=summarize)


def _known_size(tensor, axis):
    """The static size of an axis; a scalar is treated as a vector of length 1."""
    shape = tensor.shape
    if shape.ndims is None:
        return None
    sizes = shape.as_list() or [1]
    return sizes[axis] if -len(sizes) <= axis < len(sizes) else None


def _sizes(tensor):
    if isinstance(tensor, SparseTensor):
        return basic.cast(tensor.dense_shape, dtypes.int32)
    return basic.shape(tensor)


def _size(tensor, axis):
    if tensor.shape.ndims is None and axis == 0:  # may be a scalar: the product of no sizes is 1
        return reductions.prod(index.strided_slice(_sizes(tensor), [0], [1], [1]), [0])
    return index.strided_slice(_sizes(tensor), [axis], [axis + 1], [1], shrink_axis_mask=1)


def _label(tensor):
    """The displayed name of a tensor; for a sparse tensor that of its values."""
    return tensor.values.label if isinstance(tensor, SparseTensor) else tensor.label


# ---- types


@export("assert_type", "debugging.assert_type")
def assert_type(tensor, tf_type, message=None, name=None):
    """Checks statically that a tensor has this dtype; returns a no-op.

    Raises:
        TypeError: the tensor has another dtype.
    """
    with name_scope(name, "assert_type", [tensor]):
        tensor = convert_to_tensor_or_sparse_tensor(tensor, name="tensor")
        wanted = dtypes.as_dtype(tf_type)
        if tensor.dtype.base_dtype is not wanted.base_dtype:
            raise TypeError(f"{_before(message)}{_label(tensor)} must be of type {wanted!r}; got "
                            f"{tensor.dtype.base_dtype!r}")
        return basic.no_op(name="statically_determined_correct_type")


@export("assert_integer", "debugging.assert_integer")
def assert_integer(x, message=None, name=None):
    """Checks statically that a tensor has an integer dtype; returns a no-op.

    Raises:
        TypeError: the tensor has another dtype.
    """
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.base_dtype.is_integer:
            raise TypeError(f'{_before(message)}Expected an integer dtype: {x.label} has '
                            f'{x.dtype!r}')
        return basic.no_op(name="statically_determined_was_integer")


@export("assert_proper_iterable", "debugging.assert_proper_iterable")
def assert_proper_iterable(values):
    """Checks that `values` is a proper iterable: not a tensor, an array, a string or a sparse tensor.

    Raises:
        TypeError: `values` is none.
    """
    unwanted = (Tensor, SparseTensor, np.ndarray, bytes, str)
    if isinstance(values, unwanted) or getattr(values, "_is_tensor_like", False):
        raise TypeError(f'"values" must be a proper sequence, got {type(values)}')
    if not isinstance(values, collections.abc.Iterable):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@export("assert_same_float_dtype", "debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors=None, dtype=None):
    """The common floating-point dtype of `tensors` and `dtype`; float32 if none is given.

    Raises:
        ValueError: the dtypes differ, or are not floating-point.
    """
    found, first = (None if dtype is None else dtypes.as_dtype(dtype).base_dtype), None
    for tensor in tensors or ():
        if tensor is None:
            continue
        kind = tensor.dtype.base_dtype
        if found is None:
            found, first = kind, tensor
        elif kind is not found:
            like = f" as {_label(first)}" if first is not None else ""
            raise ValueError(f"{_label(tensor)}, type={kind!r}, must be of the same type ({found!r}){like}.")
    found = found or dtypes.float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found!r}.")
    return found
