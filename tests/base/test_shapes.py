import pickle

import numpy as np
import pytest
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

from evergraph.base import dtypes
from evergraph.base.shapes import Dimension, TensorShape, as_shape, dimension_at_index, dimension_value, unknown_shape

UNKNOWN = Dimension(None)


def test_dimension_arithmetic():
    d = Dimension(7)
    results = [d + 1, 1 + d, d - 1, 9 - d, d * 2, 2 * d, d // 2, 15 // d, d % 4, 9 % d, d + 1.0]
    assert [r.value for r in results] == [8, 8, 6, 2, 14, 14, 3, 2, 3, 2, 8]
    assert [r.value for r in (d + UNKNOWN, 3 - UNKNOWN, UNKNOWN * 0, UNKNOWN // d, UNKNOWN % 2)] == [None] * 5
    assert d * [0] == [0] * d == [0] * 7
    for division in (lambda: d / 2, lambda: 2 / d, lambda: d / d):
        with pytest.raises(TypeError, match="please use // instead"):
            division()


def test_dimension_comparisons_are_none_when_unknown():
    assert (Dimension(3) == 3, Dimension(3) != 4, Dimension(3) < 4, Dimension(3) >= 4) == (True, True, True, False)
    for answer in (UNKNOWN == UNKNOWN, UNKNOWN != 3, Dimension(3) == None, Dimension(3) < UNKNOWN):  # noqa: E711
        assert answer is None
    assert Dimension(3) == "3" and Dimension(3) == 3.0
    assert not Dimension(3) == "x" and not UNKNOWN == 3.5 and Dimension(3) != (3,)


def test_dimension_as_integer():
    assert int(Dimension(3)) == 3 and list(range(Dimension(2))) == [0, 1] and np.zeros(Dimension(2)).shape == (2,)
    with pytest.raises(TypeError):
        int(UNKNOWN)
    with pytest.raises(TypeError):
        hash(Dimension(3))
    assert (repr(UNKNOWN), str(UNKNOWN), str(Dimension(3))) == ("Dimension(None)", "?", "3")
    assert Dimension(3).__reduce__() == (Dimension, (3,))


@pytest.mark.parametrize(
    ("value", "error"),
    [(-1, ValueError), (1.5, ValueError), ("x", ValueError), (dtypes.string, TypeError), ([1], TypeError)],
)
def test_dimension_refuses(value, error):
    with pytest.raises(error):
        Dimension(value)


def test_dimension_merge():
    assert Dimension(3).merge_with(None).value == UNKNOWN.merge_with(3).value == 3
    assert Dimension(3).is_compatible_with(UNKNOWN)
    with pytest.raises(ValueError, match="3 and 4"):
        Dimension(3).merge_with(4)


@pytest.mark.parametrize(
    ("dims", "wanted", "text"),
    [
        (None, None, "<unknown>"),
        ([], (), "()"),
        (3, (3,), "(3,)"),
        ([None, 3], (None, 3), "(?, 3)"),
        ((Dimension(2), "3", 4.0), (2, 3, 4), "(2, 3, 4)"),
        (np.array([2, 3]), (2, 3), "(2, 3)"),
        (np.array(2), (2,), "(2,)"),
        (TensorShape([None]), (None,), "(?,)"),
        (TensorShapeProto(unknown_rank=True), None, "<unknown>"),
        (TensorShapeProto(dim=[TensorShapeProto.Dim(size=-1), TensorShapeProto.Dim(size=2)]), (None, 2), "(?, 2)"),
    ],
)
def test_construction(dims, wanted, text):
    shape = TensorShape(dims)
    assert shape.tuple == wanted and str(shape) == text
    assert shape == as_shape(dims) == TensorShape(shape.as_proto()) == pickle.loads(pickle.dumps(shape))
    assert shape.rank == shape.ndims == (None if wanted is None else len(wanted))
    assert wanted is shape._dims is None or tuple(size.value for size in shape._dims) == wanted
    assert bool(shape) is (wanted is not None)


@pytest.mark.parametrize(
    ("dims", "error"),
    [("12", TypeError), (b"12", TypeError), ([-1], ValueError), ([1.5], ValueError), ([[1]], TypeError)],
)
def test_construction_refuses(dims, error):
    with pytest.raises(error):
        TensorShape(dims)
    assert TensorShape([1]) != dims


def test_elements_are_dimensions():
    shape = TensorShape([None, 3])
    assert repr(shape) == "TensorShape([Dimension(None), Dimension(3)])"
    assert [type(d) for d in shape] == [type(d) for d in shape.dims] == [Dimension] * 2
    assert shape[-1] == 3 and isinstance(shape[0], Dimension) and shape[1:] == [3]
    assert shape.as_list() == [None, 3] and len(shape) == 2
    assert (dimension_value(shape[1]), dimension_value(4), dimension_at_index(shape, 1).value) == (3, 4, 3)
    with pytest.raises(IndexError):
        shape[2]


def test_unknown_rank():
    shape = TensorShape(None)
    for undefined in (shape.as_list, shape.assert_is_fully_defined, lambda: len(shape), lambda: list(shape)):
        with pytest.raises(ValueError):
            undefined()
    assert shape.dims is None and shape[4].value is None and dimension_at_index(shape, 1).value is None
    slices = [shape[1:3], shape[:2], shape[2:1], shape[1:], shape[:-1], shape[-2:], shape[:]]
    assert [s.tuple for s in slices] == [(None, None), (None, None), (), None, None, None, None]
    with pytest.raises(ValueError):
        shape[0:4:2]


def test_equality():
    assert TensorShape([1, 2]) == [1, 2] == TensorShape((1, 2)) and TensorShape([1, 2]) != [1, 3]
    assert TensorShape([None, 2]) == [None, 2] and TensorShape(None) == TensorShape(None) != TensorShape([])
    assert len({TensorShape([1, None]), TensorShape([1, None]), TensorShape(None)}) == 2


def test_merging():
    shape = TensorShape([None, 2])
    assert shape.merge_with([1, None]) == [1, 2]
    assert shape.merge_with(None) == TensorShape(None).merge_with(shape) == shape
    for other in ([1, 3], [1]):
        with pytest.raises(ValueError, match="not compatible"):
            shape.merge_with(other)
        with pytest.raises(ValueError, match="incompatible"):
            shape.assert_is_compatible_with(other)
    assert shape.is_compatible_with([5, 2]) and shape.is_compatible_with(None) and not shape.is_compatible_with([2])


def test_most_specific_compatible_shape():
    shape = TensorShape([1, 2])
    found = [shape.most_specific_compatible_shape(other).tuple for other in ([1, 3], [1, 2], [1], None, [None, 2])]
    assert found == [(1, None), (1, 2), None, None, (None, 2)]


def test_concatenation():
    shape = TensorShape([1, 2])
    assert shape.concatenate([3]) == shape + 3 == shape + Dimension(3) == [1, 2, 3]
    assert [3] + shape == (3,) + shape == [3, 1, 2]
    assert shape + None == TensorShape(None) + shape == TensorShape(None)


def test_ranks():
    shape = TensorShape([1, None])
    assert shape.with_rank(2) is shape.with_rank_at_least(1) is shape.with_rank_at_most(2) is shape
    assert TensorShape(None).with_rank(2) == unknown_shape(2) == unknown_shape(ndims=2)
    failures = [
        lambda: shape.with_rank(3),
        lambda: shape.with_rank_at_least(3),
        lambda: shape.with_rank_at_most(1),
        lambda: shape.assert_same_rank([1]),
    ]
    for failure in failures:
        with pytest.raises(ValueError, match=r"\(1, \?\).* must have"):
            failure()
    shape.assert_same_rank(None)


def test_counting():
    assert [TensorShape(s).num_elements() for s in ([3, 2], [], [0, None], None)] == [6, 1, None, None]
    assert [TensorShape(s).is_fully_defined() for s in ([3, 2], [], [0, None], None)] == [True, True, False, False]
