"""Objects that tell NumPy their array, such as columns of pandas: their dtype is kept."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.modes import eager_mode


class Column:
    """As much of pandas' Series as ops look at."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self):
        return len(self.values)


class Interface:
    def __init__(self, values):
        self.values = np.asarray(values)
        self.__array_interface__ = self.values.__array_interface__


@pytest.mark.parametrize("kind", [Column, Interface])
@pytest.mark.parametrize("values, dtype", [
    ([1.0, 2.0], tf.float64), ([1, 2], tf.int64), (np.array([1, 2], np.uint8), tf.uint8), ([True], tf.bool)])
def test_dtypes(kind, values, dtype):
    assert tf.convert_to_tensor(kind(values)).dtype == dtype
    assert tf.constant(kind(values)).dtype == dtype
    assert tf.constant(kind(values), tf.float32).dtype == tf.float32
    assert tf.data.Dataset.from_tensor_slices(({"x": kind(values)}, kind(values))).output_types == ({"x": dtype}, dtype)
    with eager_mode():
        assert tf.constant(kind(values)).dtype == dtype


def test_strings_and_what_does_not_fit(session):
    assert session.run(tf.constant(Column(np.array(["a", "b"], object)))).tolist() == [b"a", b"b"]
    with pytest.raises(TypeError, match="Expected string"):
        tf.constant(Column([1.0]), tf.string)
