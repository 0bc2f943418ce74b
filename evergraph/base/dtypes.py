"""The element types of tensors, numbered and named as in TensorFlow's files."""

from __future__ import annotations

import builtins
from typing import Any

import ml_dtypes
import numpy as np

from evergraph.base.export import export

REF_OFFSET = 100
"""A reference dtype's enum is that of its base plus this."""

_SHORT_NAMES = {"float32": "float", "float64": "double", "float16": "half"}
_BY_ENUM: dict[int, DType] = {}
_BY_ANYTHING: dict[Any, DType] = {}
_LIMITED_FLOATS = ("float32", "float64")


@export("DType", "dtypes.DType")
class DType:
    """The type of a tensor's elements.

    There is one object per type, so `is` compares types; `==` also accepts any argument of `tf.as_dtype`.

    Attributes:
        name: "float32"; the name of a reference type ends in "_ref".
        enum: the type's number in GraphDefs and checkpoints.
        np: the NumPy dtype evergraph holds the values in: object for strings, resources and variants, the plain
            integer type for quantized types.
        base_dtype: the type without the reference.
        ref: the reference to this type.
    """

    __slots__ = (
        "_public_np", "base_dtype", "enum", "is_bool", "is_complex", "is_floating", "is_integer", "is_numpy_compatible",
        "is_quantized", "is_ref", "is_unsigned", "name", "np", "ref",
    )  # fmt: skip

    name: str
    enum: int
    np: np.dtype[Any]
    base_dtype: DType
    ref: DType
    is_ref: builtins.bool
    is_bool: builtins.bool
    is_complex: builtins.bool
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_unsigned: builtins.bool
    is_quantized: builtins.bool
    is_numpy_compatible: builtins.bool
    _public_np: Any

    def __new__(cls, type_enum: int) -> DType:
        """The type with this number.

        Raises:
            TypeError: no type has this number.
        """
        try:
            return _BY_ENUM[int(type_enum)]
        except KeyError:
            raise TypeError(f"{type_enum} is not the number of a tensor type") from None

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type, such as `np.float32`; for quantized types a dtype with one named field."""
        if self._public_np is None:
            raise KeyError(f"{self.name} has no NumPy type")
        return self._public_np

    @property
    def as_datatype_enum(self) -> int:
        """The number of the type in GraphDefs and checkpoints."""
        return self.enum

    @property
    def real_dtype(self) -> DType:
        """The type of the real part: float32 for complex64, float64 for complex128, else the type itself."""
        return {8: float32, 18: float64}.get(self.base_dtype.enum, self)

    @property
    def size(self) -> int:
        """Bytes per element; 1 for resources and variants, a pointer's size for strings."""
        return self.np.itemsize if self.is_numpy_compatible else 1

    @property
    def min(self) -> Any:
        """The lowest finite value.

        Raises:
            TypeError: the type is not a plain real number.
        """
        return self._extremes("minimum").min

    @property
    def max(self) -> Any:
        """The highest finite value.

        Raises:
            TypeError: the type is not a plain real number.
        """
        return self._extremes("maximum").max

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of intensities in images: (0, 1) for floats, (0, the maximum) for integers.

        Raises:
            ValueError: the type is not an image's.
        """
        base = self.base_dtype
        if base.is_integer:
            return 0, base.max
        if base.is_bool or base.name in _LIMITED_FLOATS:
            return 0, True if base.is_bool else 1
        raise ValueError(f"{self} has no limits")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a value of type `other` can be used as a value of this type; a reference counts as its base type."""
        other = as_dtype(other)
        return self is other or self is other.base_dtype

    @property
    def _is_ref_dtype(self) -> builtins.bool:
        return self.is_ref

    @property
    def _as_ref(self) -> DType:
        return self.ref

    def _extremes(self, which: str) -> Any:
        if self.is_floating:
            return ml_dtypes.finfo(self.np)
        if self.is_integer:
            return ml_dtypes.iinfo(self.np)
        raise TypeError(f"{self} has no {which} value")

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or type(other) is DType:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return self.enum

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return as_dtype, (self.name,)


@export("as_dtype", "dtypes.as_dtype")
def as_dtype(type_value: Any) -> DType:
    """Converts a value to a DType.

    Args:
        type_value: a DType, its number, its name ("float32", "float", "int32_ref"), a NumPy dtype or scalar type,
            an array, or one of the Python types `float` (float32), `bool` and `object` (string).

    Raises:
        TypeError: the value denotes no DType. Python's `int`, `str`, `bytes` and `complex` denote none.

    >>> as_dtype("double")
    tf.float64
    """
    if type(type_value) is DType:
        return type_value
    try:
        return _BY_ANYTHING[type_value]
    except (KeyError, TypeError):
        return _from_numpy(type_value)


def _from_numpy(value: Any) -> DType:
    """The DType of an array, or of a NumPy dtype that has many forms (byte orders, string lengths)."""
    dtype = getattr(value, "dtype", value)
    if isinstance(dtype, DType):
        return dtype
    found = _BY_ANYTHING.get(dtype.type) if isinstance(dtype, np.dtype) else None
    if found is None:
        raise TypeError(f"Cannot convert {value!r} to a tensor type (tf.DType)")
    return found


def short_name(dtype: DType) -> str:
    """The spelling of op definitions and error messages: "float", "double" and "half".

    >>> short_name(float32), short_name(int32), short_name(float64.ref)
    ('float', 'int32', 'double_ref')
    """
    base = dtype.base_dtype.name
    return _SHORT_NAMES.get(base, base) + ("_ref" if dtype.is_ref else "")


def _declare(enum: int, name: str, kind: str, held_as: Any, public_np: Any = None) -> DType:
    """Declares a type and its reference type.

    Args:
        enum: its number.
        name: its public name.
        kind: one of "floating", "integer", "unsigned", "complex", "bool", "string", "quantized", "handle".
        held_as: the NumPy dtype of its values in evergraph.
        public_np: the NumPy dtype that users see, where it differs.
    """
    plain, ref = object.__new__(DType), object.__new__(DType)
    for dtype in plain, ref:
        dtype.is_ref = dtype is ref
        dtype.enum = enum + REF_OFFSET * dtype.is_ref
        dtype.name = name + "_ref" * dtype.is_ref
        dtype.base_dtype, dtype.ref = plain, ref
        dtype.np = np.dtype(held_as)
        dtype._public_np = None if kind == "handle" else public_np or held_as
        dtype.is_floating = kind == "floating"
        dtype.is_integer = kind in ("integer", "unsigned")
        dtype.is_unsigned = kind == "unsigned"
        dtype.is_complex = kind == "complex"
        dtype.is_bool = kind == "bool"
        dtype.is_quantized = kind == "quantized"
        dtype.is_numpy_compatible = kind != "handle"
        _BY_ENUM[dtype.enum] = dtype
        for key in (dtype.enum, dtype.name, short_name(dtype)):
            _BY_ANYTHING[key] = dtype
    if kind == "quantized":
        _BY_ANYTHING[np.dtype(public_np)] = plain
    elif kind != "handle":
        _BY_ANYTHING[np.dtype(held_as)] = _BY_ANYTHING[np.dtype(held_as).type] = plain
    return plain


def _quantized(enum: int, name: str, held_as: Any) -> DType:
    return _declare(enum, name, "quantized", held_as, np.dtype([(name, held_as)]))


def _public(*names: str) -> tuple[str, ...]:
    return tuple(prefix + name for name in names for prefix in ("", "dtypes."))


float32 = export(*_public("float32"))(_declare(1, "float32", "floating", np.float32))
float64 = export(*_public("float64", "double"))(_declare(2, "float64", "floating", np.float64))
int32 = export(*_public("int32"))(_declare(3, "int32", "integer", np.int32))
uint8 = export(*_public("uint8"))(_declare(4, "uint8", "unsigned", np.uint8))
int16 = export(*_public("int16"))(_declare(5, "int16", "integer", np.int16))
int8 = export(*_public("int8"))(_declare(6, "int8", "integer", np.int8))
string = export(*_public("string"))(_declare(7, "string", "string", object))
complex64 = export(*_public("complex64"))(_declare(8, "complex64", "complex", np.complex64))
int64 = export(*_public("int64"))(_declare(9, "int64", "integer", np.int64))
bool = export(*_public("bool"))(_declare(10, "bool", "bool", np.bool_))
qint8 = export(*_public("qint8"))(_quantized(11, "qint8", np.int8))
quint8 = export(*_public("quint8"))(_quantized(12, "quint8", np.uint8))
qint32 = export(*_public("qint32"))(_quantized(13, "qint32", np.int32))
bfloat16 = export(*_public("bfloat16"))(_declare(14, "bfloat16", "floating", ml_dtypes.bfloat16))
qint16 = export(*_public("qint16"))(_quantized(15, "qint16", np.int16))
quint16 = export(*_public("quint16"))(_quantized(16, "quint16", np.uint16))
uint16 = export(*_public("uint16"))(_declare(17, "uint16", "unsigned", np.uint16))
complex128 = export(*_public("complex128"))(_declare(18, "complex128", "complex", np.complex128))
float16 = export(*_public("float16", "half"))(_declare(19, "float16", "floating", np.float16))
resource = export(*_public("resource"))(_declare(20, "resource", "handle", object))
variant = export(*_public("variant"))(_declare(21, "variant", "handle", object))
uint32 = export(*_public("uint32"))(_declare(22, "uint32", "unsigned", np.uint32))
uint64 = export(*_public("uint64"))(_declare(23, "uint64", "unsigned", np.uint64))
# Newer than TensorFlow 1.15; declared so that files that contain them can be read.
float8_e5m2 = _declare(24, "float8_e5m2", "floating", ml_dtypes.float8_e5m2)
float8_e4m3fn = _declare(25, "float8_e4m3fn", "floating", ml_dtypes.float8_e4m3fn)
float8_e4m3fnuz = _declare(26, "float8_e4m3fnuz", "floating", ml_dtypes.float8_e4m3fnuz)
float8_e4m3b11fnuz = _declare(27, "float8_e4m3b11fnuz", "floating", ml_dtypes.float8_e4m3b11fnuz)
float8_e5m2fnuz = _declare(28, "float8_e5m2fnuz", "floating", ml_dtypes.float8_e5m2fnuz)
int4 = _declare(29, "int4", "integer", ml_dtypes.int4)
uint4 = _declare(30, "uint4", "unsigned", ml_dtypes.uint4)
int2 = _declare(31, "int2", "integer", ml_dtypes.int2)
uint2 = _declare(32, "uint2", "unsigned", ml_dtypes.uint2)
float4_e2m1fn = _declare(33, "float4_e2m1fn", "floating", ml_dtypes.float4_e2m1fn)

double = float64
half = float16

float16_ref, float32_ref, float64_ref, bfloat16_ref = float16.ref, float32.ref, float64.ref, bfloat16.ref
int8_ref, int16_ref, int32_ref, int64_ref = int8.ref, int16.ref, int32.ref, int64.ref
uint8_ref, uint16_ref, uint32_ref, uint64_ref = uint8.ref, uint16.ref, uint32.ref, uint64.ref
complex64_ref, complex128_ref, bool_ref, string_ref = complex64.ref, complex128.ref, bool.ref, string.ref

_BY_ANYTHING.update({float: float32, builtins.bool: bool, object: string, np.object_: string})
_BY_ANYTHING.update({np.str_: string, np.bytes_: string, np.longlong: int64, np.ulonglong: uint64})

QUANTIZED_DTYPES = export("QUANTIZED_DTYPES", "dtypes.QUANTIZED_DTYPES")(
    frozenset(dtype for dtype in _BY_ENUM.values() if dtype.is_quantized)
)
