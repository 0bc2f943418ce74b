import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from evergraph.base import dtypes
from evergraph.base.dtypes import DType, as_dtype, short_name

ALL = [DType(number) for number in [*range(1, 34), *range(101, 134)]]


@pytest.mark.parametrize("dtype", ALL, ids=repr)
def test_every_type_is_one_object_however_it_is_named(dtype):
    assert as_dtype(dtype) is as_dtype(dtype.enum) is as_dtype(dtype.name) is as_dtype(short_name(dtype)) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert dtype.ref.base_dtype is dtype.base_dtype and dtype.ref.enum == dtype.base_dtype.enum + 100
    if dtype.is_numpy_compatible:
        assert as_dtype(dtype.as_numpy_dtype) is as_dtype(np.dtype(dtype.as_numpy_dtype)) is dtype.base_dtype
        np.empty((1, 1), dtype.as_numpy_dtype)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (float, "float32"), (bool, "bool"), (object, "string"), ("double", "float64"), ("half_ref", "float16_ref"),
        (np.dtype("S3"), "string"), (np.array(["a"]).dtype, "string"), (np.dtype(">i4"), "int32"), (np.str_, "string"),
        (np.longlong, "int64"), (np.intc, "int32"), (np.array([1.0]), "float64"), (ml_dtypes.bfloat16, "bfloat16"),
        (np.dtype([("qint8", np.int8)]), "qint8"), (101, "float32_ref"),
    ],
)  # fmt: skip
def test_as_dtype(value, name):
    assert as_dtype(value).name == name
    assert as_dtype(value) == value


@pytest.mark.parametrize(
    "value",
    [int, str, bytes, complex, None, "nope", "f4", 0, 99, [], (dtypes.int32,), np.void, np.dtype([("f", "i4")])],
)
def test_as_dtype_refuses(value):
    with pytest.raises(TypeError):
        as_dtype(value)
    assert dtypes.float32 != value


def test_construction_refuses_numbers_of_no_type():
    with pytest.raises(TypeError):
        DType(0)


def test_text():
    assert repr(dtypes.float32) == "tf.float32"
    assert str(dtypes.int32.ref) == "<dtype: 'int32_ref'>"
    assert hash(dtypes.float64) == 2


def test_a_reference_serves_as_its_base_but_not_the_other_way():
    assert dtypes.float32.is_compatible_with(dtypes.float32.ref)
    assert not dtypes.float32.ref.is_compatible_with(dtypes.float32)
    assert dtypes.float32 != dtypes.float32.ref


def test_kinds():
    def named(attribute):
        return {dtype.name for dtype in ALL[:23] if getattr(dtype, attribute)}

    assert named("is_floating") == {"float16", "float32", "float64", "bfloat16"}
    assert named("is_integer") == {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
    assert named("is_unsigned") == {"uint8", "uint16", "uint32", "uint64"}
    assert named("is_complex") == {"complex64", "complex128"}
    assert named("is_quantized") == {"qint8", "qint16", "qint32", "quint8", "quint16"}
    assert {d.base_dtype.name for d in dtypes.QUANTIZED_DTYPES} == named("is_quantized")
    assert len(dtypes.QUANTIZED_DTYPES) == 10


@pytest.mark.parametrize(
    ("dtype", "low", "high", "limits"),
    [
        (dtypes.int8, -128, 127, (0, 127)),
        (dtypes.uint16.ref, 0, 65535, (0, 65535)),
        (dtypes.int64, -(2**63), 2**63 - 1, (0, 2**63 - 1)),
        (dtypes.float32, np.finfo(np.float32).min, np.finfo(np.float32).max, (0, 1)),
        (dtypes.bfloat16, float.fromhex("-0x1.FEp127"), float.fromhex("0x1.FEp127"), None),
        (dtypes.bool, None, None, (0, True)),
        (dtypes.string, None, None, None),
        (dtypes.complex64, None, None, None),
        (dtypes.resource, None, None, None),
    ],
)
def test_extremes(dtype, low, high, limits):
    for attribute, wanted, error in ("min", low, TypeError), ("max", high, TypeError), ("limits", limits, ValueError):
        if wanted is None:
            with pytest.raises(error):
                getattr(dtype, attribute)
        else:
            assert getattr(dtype, attribute) == wanted


def test_real_dtype_and_size():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.ref.real_dtype is dtypes.float64
    assert dtypes.int32.real_dtype is dtypes.int32
    assert [d.size for d in (dtypes.float16, dtypes.complex128, dtypes.qint32, dtypes.resource)] == [2, 16, 4, 1]


def test_numpy_forms():
    assert dtypes.string.np == dtypes.resource.np == np.dtype(object)
    assert dtypes.qint8.np == np.int8
    with pytest.raises(KeyError):
        _ = dtypes.variant.as_numpy_dtype
