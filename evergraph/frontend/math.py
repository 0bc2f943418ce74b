"""Arithmetic: what `tf.*` offers beyond single ops for numbers, their parts, casts, quotients and ranges."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import name_scope
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.convert import constant, to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.overloads import overloadable
from evergraph.graph.shaping import merge
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.index import strided_slice
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.math import elementwise, special
from evergraph.ops.math.reduce import all_, sum_
from evergraph.ops.nn.activations import softplus

# ---- functions that also take sparse tensors, element by element of their values

def _on_values(opdef):
    """The op as a function of a tensor, or of the values of a sparse tensor."""
    def function(x, name=None):
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, opdef(x.values, name=name), x.dense_shape)
        return opdef(x, name=name)
    function.__name__ = function.__qualname__ = opdef.__name__
    function.__doc__ = f"{opdef.__doc__} Of a sparse tensor: that of its values."
    return function


negative = export("negative", "math.negative")(_on_values(elementwise.neg))
sign = export("sign", "math.sign")(_on_values(elementwise.sign))
square = export("square", "math.square")(_on_values(elementwise.square))
sqrt = export("sqrt", "math.sqrt")(_on_values(elementwise.sqrt))
tanh = export("tanh", "math.tanh", "nn.tanh")(_on_values(elementwise.tanh))
erf = export("erf", "math.erf")(_on_values(special.erf))


@export("abs", "math.abs")
@overloadable
def abs(x, name=None):
    """Computes the absolute value |x|; of complex numbers the modulus, of a SparseTensor that of its values.

    >>> tf.Session().run(tf.abs([-1.5, 2.0]))
    array([1.5, 2. ], dtype=float32)
    """
    if isinstance(x, SparseTensor):
        return SparseTensor(x.indices, abs(x.values, name), x.dense_shape)
    with name_scope(name, "Abs", [x]) as scope:
        x = to_tensor(x, name="x")
        if x.dtype.is_complex:
            return elementwise.complex_abs(x, Tout=x.dtype.real_dtype, name=scope)
        return elementwise.abs_(x, name=scope)


@export("round", "math.round")
@overloadable
def round(x, name=None):
    """Rounds to the nearest integer, halves to the even one: 0.5 -> 0, 1.5 -> 2. Integers stay as they are."""
    x = to_tensor(x, name="x")
    return x if x.dtype.is_integer else elementwise.round_(x, name=name)


@export("log_sigmoid", "math.log_sigmoid")
@overloadable
def log_sigmoid(x, name=None):
    """The logarithm of the sigmoid, as -softplus(-x), which does not underflow."""
    with name_scope(name, "LogSigmoid", [x]) as scope:
        x = to_tensor(x, name="x")
        return elementwise.neg(softplus(elementwise.neg(x)), name=scope)


@export("logical_xor", "math.logical_xor")
def logical_xor(x, y, name="LogicalXor"):
    """Whether exactly one is true."""
    either = elementwise.logical_or(x, y)
    return elementwise.logical_and(either, elementwise.logical_not(elementwise.logical_and(x, y)), name=name)


@export("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar, x, name=None):
    """Multiplies a tensor or IndexedSlices by one number.

    Raises:
        ValueError: `scalar` is not of rank 0.
    """
    scalar = to_tensor(scalar, x.dtype.base_dtype, name="scalar")
    if scalar.shape.rank not in (0, None):
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(elementwise.mul(scalar, x.values, name=name), x.indices, x.dense_shape)
    return elementwise.mul(scalar, x, name=name)


@export("math.polyval")
def polyval(coeffs, x, name=None):
    """The polynomial with these coefficients, the highest power first, at each element of `x`.

    >>> print(tf.Session().run(tf.math.polyval([2.0, 0.0, 1.0], 3.0)))
    19.0
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type, found {type(coeffs)}.")
    with name_scope(name, "polyval", [*coeffs, x]):
        x = to_tensor(x, name="x")
        if not coeffs:
            return basic.zeros_like(x)
        coeffs = [to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        result = coeffs[0]
        for c in coeffs[1:]:
            result = elementwise.add_v2(c, elementwise.mul(result, x, name="mul"), name="add")
        return result


@export("math.bessel_i0")
def bessel_i0(x, name=None):
    """The modified Bessel function of order 0."""
    with name_scope(name, "bessel_i0", [x]):
        x = to_tensor(x, name="x")
        return elementwise.mul(elementwise.exp(elementwise.abs_(x)), special.bessel_i0e(x), name="mul")


@export("math.bessel_i1")
def bessel_i1(x, name=None):
    """The modified Bessel function of order 1."""
    with name_scope(name, "bessel_i1", [x]):
        x = to_tensor(x, name="x")
        return elementwise.mul(elementwise.exp(elementwise.abs_(x)), special.bessel_i1e(x), name="mul")


# ---- sums of many

@export("add_n", "math.add_n")
@overloadable
def add_n(inputs, name=None):
    """Adds a list of tensors of one shape and dtype element by element; IndexedSlices become dense.

    Raises:
        ValueError: `inputs` is no list or empty.
    """
    inputs = _as_summands(inputs, "inputs must be a list, not empty, of tensors or IndexedSlices that agree in "
                                  "dtype and shape")
    if len(inputs) == 1:
        return inputs[0] if name is None else basic.identity(inputs[0], name=name)
    return elementwise.add_n(inputs, name=name)


def _as_summands(inputs, message):
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(message)
    return [to_tensor(t) for t in inputs]


@export("accumulate_n", "math.accumulate_n")
def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """The sum of tensors of one shape and dtype.

    Args:
        inputs: a list of tensors.
        shape: their shape, where they do not know it themselves.
        tensor_dtype: their dtype, to be checked.
        name: a name for the operation.

    Raises:
        ValueError: there are no inputs, or their shapes or dtypes differ.
        TypeError: their dtype is not `tensor_dtype`.
    """
    message = "inputs must be a list of tensors of one dtype and shape"
    inputs = _as_summands(inputs, message)
    if any(t.dtype.base_dtype is not inputs[0].dtype.base_dtype for t in inputs):
        raise ValueError(message)
    if tensor_dtype is not None and dtypes.as_dtype(tensor_dtype) is not inputs[0].dtype.base_dtype:
        raise TypeError(f"tensor_dtype is {dtypes.as_dtype(tensor_dtype).name}, but input is of type "
                        f"{inputs[0].dtype.name}")
    known = None if shape is None else TensorShape(shape).tuple
    for tensor in inputs:
        known = merge(known, tensor._shape)
    if len(inputs) == 1:
        return inputs[0] if name is None else basic.identity(inputs[0], name=name)
    return elementwise.accumulate_n_v2(inputs, shape=known, name=name)


# ---- quotients

_AS_FLOATS = {dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32,
              dtypes.int16: dtypes.float32, dtypes.int32: dtypes.float64, dtypes.int64: dtypes.float64}
_DIVISIBLE = {dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128}


def float_for(kind):
    """The floating point dtype in which integers of this dtype are divided.

    Raises:
        TypeError: numbers of this dtype cannot be divided.
    """
    if kind not in _AS_FLOATS:
        raise TypeError(f"Invalid dtype {kind!r} in __truediv__. Expected one of numeric types.")
    return _AS_FLOATS[kind]


def _both(x, y):
    """The operands as tensors of one dtype.

    Raises:
        TypeError: the dtypes differ.
    """
    x = to_tensor(x, name="x")
    y = to_tensor(y, name="y", preferred_dtype=x.dtype.base_dtype)
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(f"x is {x.dtype.base_dtype!r}, y is {y.dtype.base_dtype!r}: they must have the same dtype")
    return x, y


@export("truediv", "math.truediv")
@overloadable
def truediv(x, y, name=None):
    """Divides element by element as Python 3's `/` does: integers of 8 and 16 bits become float32, others float64.

    Raises:
        TypeError: the dtypes differ or cannot be divided.
    """
    with name_scope(name, "truediv", [x, y]) as scope:
        x, y = _both(x, y)
        kind = x.dtype.base_dtype
        if kind not in _DIVISIBLE:
            x, y = basic.cast(x, float_for(kind)), basic.cast(y, float_for(kind))
        return elementwise.real_div(x, y, name=scope)


@export("div")
@overloadable
def div(x, y, name=None):
    """Divides element by element as Python 2's `/` does: floats exactly, integers rounded down.

    Args:
        x, y: tensors of one dtype, which broadcast.
        name: a name for the operation.
    """
    with name_scope(name, "div", [x, y]) as scope:
        x, y = _both(x, y)
        divide_by = elementwise.real_div if x.dtype.base_dtype in _DIVISIBLE else elementwise.floor_div
        return divide_by(x, y, name=scope)


@export("divide", "math.divide")
@overloadable
def divide(x, y, name=None):
    """Divides element by element as Python's `/` does for tensors: see `tf.truediv` for the dtypes."""
    return x / y if name is None else truediv(x, y, name)


@export("floordiv", "math.floordiv")
@overloadable
def floordiv(x, y, name=None):
    """Divides element by element and rounds down, as Python's `//` does: -7 // 2 is -4."""
    with name_scope(name, "floordiv", [x, y]) as scope:
        return elementwise.floor_div(x, y, name=scope)


@export("div_no_nan", "math.divide_no_nan")
@overloadable
def div_no_nan(x, y, name=None):
    """Divides element by element, with 0 where the divisor is 0."""
    with name_scope(name, "div_no_nan", [x, y]) as scope:
        x = to_tensor(x, name="x")
        return elementwise.div_no_nan(x, to_tensor(y, x.dtype.base_dtype, name="y"), name=scope)


@export("math.multiply_no_nan")
def multiply_no_nan(x, y, name=None):
    """The product, 0 where `y` is 0 even if `x` is infinite or NaN.

    Raises:
        TypeError: the dtypes differ.
    """
    with name_scope(name, "multiply_no_nan", [x, y]) as scope:
        x = to_tensor(x, name="x")
        y = to_tensor(y, x.dtype.base_dtype, name="y")
        return elementwise.mul_no_nan(x, y, name=scope)


@export("math.reciprocal_no_nan")
def reciprocal_no_nan(x, name=None):
    """One over the number, 0 where it is 0."""
    with name_scope(name, "reciprocal_no_nan", [x]) as scope:
        x = to_tensor(x, name="x")
        return elementwise.div_no_nan(constant(1, x.dtype.base_dtype, name="one"), x, name=scope)


# ---- casts

@export("cast", "dtypes.cast")
@overloadable
def cast(x, dtype, name=None):
    """Converts a tensor, SparseTensor or IndexedSlices to another dtype; floats that become integers are truncated.

    Raises:
        TypeError: `x` cannot be converted to `dtype`.

    >>> tf.Session().run(tf.cast([1.8, 2.2], tf.int32))
    array([1, 2], dtype=int32)
    """
    kind = dtypes.as_dtype(dtype).base_dtype
    if (isinstance(x, Tensor) or hasattr(x, "handle")) and x.dtype is kind:  # a variable is read by whoever uses it
        return x
    with name_scope(name, "Cast", [x]) as scope:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, basic.cast(x.values, kind, name=scope), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(basic.cast(x.values, kind, name=scope), x.indices, x.dense_shape)
        x = to_tensor(x, name="x")
        return x if x.dtype.base_dtype is kind else basic.cast(x, kind, name=scope)


def _cast_to(kind, default_name, public):
    def function(x, name=default_name):
        return cast(x, kind, name=name)
    function.__name__ = function.__qualname__ = public
    function.__doc__ = f"`x` as {kind.name}; the older form of `tf.cast(x, tf.{kind.name})`."
    return export(public)(function)


to_float = _cast_to(dtypes.float32, "ToFloat", "to_float")
to_double = _cast_to(dtypes.float64, "ToDouble", "to_double")
to_int32 = _cast_to(dtypes.int32, "ToInt32", "to_int32")
to_int64 = _cast_to(dtypes.int64, "ToInt64", "to_int64")
to_bfloat16 = _cast_to(dtypes.bfloat16, "ToBFloat16", "to_bfloat16")
to_complex64 = _cast_to(dtypes.complex64, "ToComplex64", "to_complex64")
to_complex128 = _cast_to(dtypes.complex128, "ToComplex128", "to_complex128")


@export("saturate_cast", "dtypes.saturate_cast")
@overloadable
def saturate_cast(value, dtype, name=None):
    """Converts to another dtype; numbers outside its range become its smallest or largest number.

    >>> tf.Session().run(tf.saturate_cast([-3, 300], tf.uint8))
    array([  0, 255], dtype=uint8)
    """
    with name_scope(name, "saturate_cast", [value]) as scope:
        value = to_tensor(value, name="value")
        kind = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < kind.min:
            value = elementwise.maximum(value, constant(kind.min, value.dtype.base_dtype, name="min"))
        if value.dtype.max > kind.max:
            value = elementwise.minimum(value, constant(kind.max, value.dtype.base_dtype, name="max"))
        return cast(value, kind, name=scope)


# ---- complex numbers

@export("complex", "dtypes.complex")
@overloadable
def complex(real, imag, name=None):
    """The complex numbers with these parts: complex64 from float32, complex128 from float64.

    Raises:
        TypeError: the parts are of other dtypes, or of two.
    """
    real, imag = to_tensor(real, name="real"), to_tensor(imag, name="imag")
    kinds = (real.dtype.base_dtype, imag.dtype.base_dtype)
    results = {(dtypes.float32,) * 2: dtypes.complex64, (dtypes.float64,) * 2: dtypes.complex128}
    if kinds not in results:
        raise TypeError(f"real and imag have incorrect types: {kinds[0].name} {kinds[1].name}")
    return elementwise.complex_(real, imag, Tout=results[kinds], name=name)


@export("real", "math.real")
@overloadable
def real(input, name=None):
    """The real part; real numbers are their own."""
    with name_scope(name, "Real", [input]) as scope:
        input = _as_numbers(input)
        return elementwise.real(input, Tout=input.dtype.real_dtype, name=scope) if input.dtype.is_complex else input


@export("imag", "math.imag")
@overloadable
def imag(input, name=None):
    """The imaginary part; that of real numbers is 0."""
    with name_scope(name, "Imag", [input]) as scope:
        input = to_tensor(input, name="input")
        if input.dtype.is_complex:
            return elementwise.imag(input, Tout=input.dtype.real_dtype, name=scope)
        return basic.zeros_like(input)


@export("angle", "math.angle")
@overloadable
def angle(input, name=None):
    """The angle of each number in the complex plane; 0 for real numbers."""
    with name_scope(name, "Angle", [input]) as scope:
        input = to_tensor(input, name="input")
        if input.dtype.is_complex:
            return elementwise.angle(input, Tout=input.dtype.real_dtype, name=scope)
        return basic.zeros_like(input)


@export("conj", "math.conj")
@overloadable
def conj(x, name=None):
    """The conjugate; real numbers are their own.

    Raises:
        TypeError: `x` is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with name_scope(name, "Conj", [x]) as scope:
        x = _as_numbers(x, "x")
        return elementwise.conj(x, name=scope) if x.dtype.is_complex else x


def _as_numbers(value, name="input"):
    tensor = to_tensor(value, name=name)
    if not (tensor.dtype.is_complex or tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise TypeError(f"Expected numeric or variant tensor, got dtype {tensor.dtype!r}")
    return tensor


# ---- ranges

@export("range")
def range(start, limit=None, delta=1, dtype=None, name="range"):
    """Creates the vector start, start + delta, start + 2 * delta, ... of all numbers before `limit`.

    Args:
        start: the first number, or the limit when no limit is given.
        limit: where to stop.
        delta: the step.
        dtype: the dtype; by default the widest among the arguments.
        name: a name for the operation.

    >>> tf.Session().run(tf.range(3, 18, 5))
    array([ 3,  8, 13], dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as scope:
        names = ("start", "limit", "delta")
        values = [v if isinstance(v, Tensor) else to_tensor(v, dtype, name=n)
                  for n, v in zip(names, (start, limit, delta))]
        if dtype is None:
            widest = max((v.dtype.base_dtype for v in values), key=_RANGE_TYPES.index)
        else:
            widest = dtypes.as_dtype(dtype)
        return basic.range_(*(cast(v, widest) for v in values), name=scope)


_RANGE_TYPES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


# ---- orders

def _consecutive(x, compare, name):
    with name_scope(name, values=[x]):
        flat = reshape(to_tensor(x, name="x"), [-1])
        before = strided_slice(flat, [0], [-1], [1], begin_mask=1)
        after = strided_slice(flat, [1], [0], [1], end_mask=1)
        growth = elementwise.sub(after, before)  # of infinities it is NaN, which is in no order
        return all_(compare(to_tensor(0, growth.dtype), growth), [0])


@export("is_non_decreasing", "math.is_non_decreasing", "debugging.is_non_decreasing")
def is_non_decreasing(x, name=None):
    """Whether no element is smaller than the one before it; fewer than two elements are in order."""
    return _consecutive(x, elementwise.less_equal, name or "is_non_decreasing")


@export("is_strictly_increasing", "math.is_strictly_increasing", "debugging.is_strictly_increasing")
def is_strictly_increasing(x, name=None):
    """Whether every element is larger than the one before it; fewer than two elements are in order."""
    return _consecutive(x, elementwise.less, name or "is_strictly_increasing")


@export("is_numeric_tensor", "debugging.is_numeric_tensor")
def is_numeric_tensor(tensor):
    """Whether `tensor` is a tensor of numbers."""
    return isinstance(tensor, Tensor) and (tensor.dtype.is_floating or tensor.dtype.is_integer
                                           or tensor.dtype.is_complex or tensor.dtype.is_quantized)


@export("lbeta", "math.lbeta")
def lbeta(x, name=None):
    """The logarithm of the beta function of each vector in the last axis."""
    with name_scope(name, "lbeta", [x]):
        x = to_tensor(x, name="x")
        return elementwise.sub(sum_(special.lgamma(x), [-1]), special.lgamma(sum_(x, [-1])), name="sub")


@export("ensure_shape")
def ensure_shape(x, shape, name=None):
    """`x`, whose shape must fit `shape` when it runs; where the static shape contradicts it, at once.

    Raises:
        ValueError: the static shape of `x` does not fit.
    """
    return basic.ensure_shape(x, shape, name=name)

