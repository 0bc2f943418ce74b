"""Specs of tensors, sparse tensors and indexed slices."""

import pickle

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import nest
from evergraph.frontend.specs import BoundedTensorSpec, type_spec_from_value
from evergraph.graph.composite import CompositeTensor
from tests.harness.session import run

SPECS = [tf.TensorSpec([None, 2], tf.int32, "x"), tf.SparseTensorSpec([3, None], tf.float64),
         tf.IndexedSlicesSpec([4], tf.float32, tf.int32, tf.int64, [2]),
         BoundedTensorSpec([3, 2], tf.float32, 0, [1, 2])]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_specs_are_values(spec):
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec and hash(again) == hash(spec) and spec.is_compatible_with(again)
    assert spec != tf.TensorSpec([7], tf.bool)


def test_what_fits():
    spec = tf.TensorSpec([2, None], tf.float32)
    assert spec.is_compatible_with(tf.zeros([2, 3])) and spec.is_compatible_with(np.zeros((2, 1), np.float32))
    assert not spec.is_compatible_with(tf.zeros([3, 3])) and not spec.is_compatible_with(tf.zeros([2, 3], tf.int32))


def test_the_narrowest_common_spec():
    wide = tf.TensorSpec([2, 3]).most_specific_compatible_type(tf.TensorSpec([2, 4]))
    assert wide == tf.TensorSpec([2, None])
    with pytest.raises(ValueError, match="No TypeSpec"):
        tf.TensorSpec([2]).most_specific_compatible_type(tf.TensorSpec([2], tf.int32))


def test_specs_of_values():
    sparse = tf.SparseTensorValue(np.array([[0, 0]]), np.array([1.0]), np.array([2, 2]))
    assert type_spec_from_value(sparse) == tf.SparseTensorSpec([2, 2], tf.float64)
    assert type_spec_from_value(3) == tf.TensorSpec([], tf.int32)
    with pytest.raises(TypeError):
        type_spec_from_value(object())


def test_bounds_must_fit():
    with pytest.raises(ValueError, match="not compatible"):
        BoundedTensorSpec([3, 5], tf.uint8, (0, 0, 0), (1, 1))


SLICES = tf.IndexedSlicesSpec([5, 10], dense_shape_dtype=tf.int32, indices_shape=[20])
RAGGED = tf.RaggedTensorSpec([5, None, None], tf.string)


@pytest.mark.parametrize(("spec", "parts"), [
    (tf.SparseTensorSpec(), [([None, None], tf.int64), ([None], tf.float32), ([None], tf.int64)]),
    (tf.SparseTensorSpec([5, None, None]), [([None, 3], tf.int64), ([None], tf.float32), ([3], tf.int64)]),
    (tf.IndexedSlicesSpec(), [(None, tf.float32), ([None], tf.int64)]),
    (SLICES, [([20, 10], tf.float32), ([20], tf.int64), ([2], tf.int32)]),
    (tf.RaggedTensorSpec([5, 3], ragged_rank=0), [([5, 3], tf.float32)]),
    (tf.RaggedTensorSpec(ragged_rank=2), [(None, tf.float32), ([None], tf.int64), ([None], tf.int64)]),
    (RAGGED, [([None], tf.string), ([6], tf.int64), ([None], tf.int64)]),
])
def test_specs_of_components(spec, parts):
    assert list(spec._component_specs) == [tf.TensorSpec(shape, dtype) for shape, dtype in parts]


VALUES = {
    "sparse": lambda: tf.SparseTensor([[0, 1]], [3.0], [2, 2]),
    "slices": lambda: tf.IndexedSlices(tf.constant([3.0]), tf.constant([5])),
    "slices of a known shape": lambda: tf.IndexedSlices(tf.constant([3.0]), tf.constant([5]), tf.constant([9])),
    "ragged": lambda: tf.ragged.constant([[[1.0, 2.0], [3.0]]]),
}


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_components_of_values(make):
    value = make()
    spec = type_spec_from_value(value)
    parts = spec._to_components(value)
    again = spec._from_components(parts)
    assert type(again) is type(value) and [*spec._to_components(again)] == [*parts]
    arrays = run([*parts])
    fetched = spec._from_components(arrays)
    assert type(fetched).__name__ == f"{type(value).__name__}Value"
    for got, wanted in zip(spec._to_components(again), arrays, strict=True):
        np.testing.assert_array_equal(run(got), wanted)


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_values_are_structured_like_their_specs(make):
    value = {"a": make()}
    spec = tf.nest.map_structure(type_spec_from_value, value)
    tf.nest.assert_same_structure(value, spec, expand_composites=True)
    tf.nest.assert_same_structure(spec, value, expand_composites=True)
    with pytest.raises(ValueError, match="same nested structure"):
        tf.nest.assert_same_structure(value, {"a": tf.SparseTensorSpec([7], tf.bool)}, expand_composites=True)


class Two(CompositeTensor):
    """A program's own kind of tensor, of two tensors."""

    def __init__(self, pair):
        self.pair = tuple(pair)

    def _to_components(self):
        return self.pair

    @classmethod
    def _from_components(cls, components):
        return cls(components)


def test_programs_have_composite_tensors_of_their_own():
    both = tf.cond(tf.constant(True), lambda: Two([tf.constant(1), tf.constant(2)]),
                   lambda: Two([tf.constant(3), tf.constant(4)]))
    assert run(list(both.pair)) == [1, 2]
    assert nest.flatten([both], expand_composites=True) == list(both.pair)
    for known in (tf.SparseTensor([[0]], [1], [1]), tf.IndexedSlices([1], [0]), tf.ragged.constant([[1], []])):
        assert isinstance(known, CompositeTensor)


@pytest.mark.parametrize("make, is_variant", [
    (lambda: tf.constant([[1.0, 2.0]]), False),
    (lambda: tf.SparseTensor([[0, 10], [1, 8]], [3.0, 5.0], [100, 100]), True),
    (lambda: tf.ragged.constant([[1.0, 2.0], [3.0]]), True),
    (lambda: tf.IndexedSlices(tf.ones([2, 3]), tf.constant([1, 0]), tf.constant([4, 3])), False),
])  # fmt: skip
def test_values_as_lists_of_tensors(make, is_variant):
    with tf.Graph().as_default():
        value = make()
        spec = type_spec_from_value(value)
        tensors = spec._to_tensor_list(value)
        again = spec._from_tensor_list(tensors)
        assert type(again) is type(value) and spec.is_compatible_with(again)
        assert ([each.dtype for each in spec._flat_tensor_specs] == [tf.variant]) == is_variant
        with tf.Session() as session:
            wanted, found = session.run([value, again])
        assert str(wanted) == str(found)
        with pytest.raises(ValueError):
            spec._from_tensor_list([tf.constant("other")])


def test_batches_of_ragged_rows():
    spec = tf.RaggedTensorSpec([2, None], tf.float32, 1)
    assert spec._batch(32) == tf.RaggedTensorSpec([32, 2, None], tf.float32, 2) and spec._batch(32)._unbatch() == spec
    assert tf.RaggedTensorSpec([3, 2], ragged_rank=0)._unbatch() == tf.RaggedTensorSpec([2], ragged_rank=-1)
    with tf.Graph().as_default(), tf.Session() as session:
        rows = spec._to_batched_tensor_list(tf.ragged.constant([[1.0], [2.0, 3.0]]))[0]
        dense = tf.RaggedTensorSpec([None], tf.float32, 0)
        assert session.run(dense._from_tensor_list([rows[1]])).tolist() == [2.0, 3.0]
        assert session.run(dense._from_tensor_list(dense._to_tensor_list(tf.constant([4.0, 5.0])))).tolist() == [4, 5]
