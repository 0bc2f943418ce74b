"""Specs of tensors, sparse tensors and indexed slices."""

import pickle

import numpy as np
import pytest

import evergraph as tf
from evergraph.graph.specs import BoundedTensorSpec, type_spec_from_value

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
