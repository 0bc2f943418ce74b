"""What programs import from inside tensorflow.python.keras.utils."""

import numpy as np

import evergraph as tf
from evergraph.keras.bytecode import func_dump, func_load
from evergraph.keras.history import is_symbolic_tensor, register_symbolic_tensor_type
from evergraph.keras.utilities import shape_type_conversion
from tests.harness.session import run


def test_functions_travel_as_text():
    offset = 3
    code, defaults, captured = func_dump(lambda x, factor=2: factor * x + offset)
    assert isinstance(code, str) and func_load(code, defaults, captured)(5) == 13
    assert func_load([code, [10], [0]])(5) == 50


def test_shapes_are_tuples_inside_and_tensor_shapes_outside():
    seen = []
    convert = shape_type_conversion(lambda self, shape: seen.append(shape) or shape)
    assert convert(None, tf.TensorShape([None, 2])).as_list() == [None, 2]
    assert [shape.as_list() for shape in convert(None, [tf.TensorShape([1]), (2, 3)])] == [[1], [2, 3]]
    assert convert(None, None) is None
    assert seen == [(None, 2), [(1,), (2, 3)], None]


class Wrapped:
    """Stands for a tensor."""

    def __init__(self, tensor):
        self.tensor, self.shape = tensor, tensor.shape


def test_registered_types_go_between_layers():
    register_symbolic_tensor_type(Wrapped)
    tf.register_tensor_conversion_function(Wrapped, lambda value, dtype=None, name=None, as_ref=False: value.tensor)
    inputs = tf.keras.Input([3])
    middle = tf.keras.layers.Lambda(lambda x: Wrapped(2.0 * x))(inputs)
    assert is_symbolic_tensor(middle) and is_symbolic_tensor(inputs) and not is_symbolic_tensor(3)
    model = tf.keras.Model(inputs, tf.keras.layers.Lambda(lambda w: tf.convert_to_tensor(w) + 1.0)(middle))
    np.testing.assert_array_equal(run(model(tf.ones([2, 3]))), np.full([2, 3], 3.0))
