"""tf.compat.v2: TensorFlow 2's parameters for TensorFlow 1's functions, and what both share."""

import inspect

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.modes import eager_mode
from tests.harness.session import run

later = tf.compat.v2


@pytest.mark.parametrize(("name", "parameters"), [
    ("argmax", "input axis output_type name"), ("nn.dropout", "x rate noise_shape seed name"),
    ("reduce_sum", "input_tensor axis keepdims name"), ("expand_dims", "input axis name"),
    ("nn.moments", "x axes shift keepdims name"), ("gather", "params indices validate_indices axis batch_dims name"),
    ("nn.conv2d_transpose", "input filters output_shape strides padding data_format dilations name"),
    ("while_loop", "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory maximum_iterations "
                   "name")])
def test_parameters_are_those_of_tensorflow_2(name, parameters):
    function = later
    for part in name.split("."):
        function = getattr(function, part)
    assert " ".join(inspect.signature(function).parameters) == parameters


def test_values(session):
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    assert session.run(later.argmax(x, 1, tf.int32)).tolist() == [2, 2]
    assert later.argmax(x, 1, tf.int32).dtype == tf.int32
    assert session.run(later.reduce_sum(x, 1, True)).tolist() == [[3.0], [12.0]]
    assert session.run(later.math.reduce_max(input_tensor=x)) == 5.0
    assert session.run(later.transpose(x, [1, 0], False)).shape == (3, 2)
    assert session.run(later.zeros_like(input=x)).tolist() == np.zeros((2, 3)).tolist()
    assert session.run(later.gather(x, [1], None, 1)).tolist() == [[1.0], [4.0]]
    mean, variance = session.run(later.nn.moments(x, [1], None, True))
    assert mean.tolist() == [[1.0], [4.0]] and variance.shape == (2, 1)
    assert session.run(later.where(x > 2, x, 0.0)).tolist() == [[0, 0, 0], [3, 4, 5]]
    assert session.run(later.nn.dropout(x, 0.0)).tolist() == x.tolist()
    assert session.run(later.nn.conv2d(x.reshape(1, 2, 3, 1), np.ones((1, 1, 1, 1), np.float32), 1, "SAME")).sum() == 15
    assert session.run(later.strings.split(["a b", "c"])).to_list() == [[b"a", b"b"], [b"c"]]
    assert session.run(later.random_uniform_initializer(seed=1)([50])).min() < 0
    assert session.run(later.math.in_top_k([1], [[0.0, 1.0]], 1)).tolist() == [True]


def test_parameters_without_defaults():
    with pytest.raises(TypeError, match="missing a required argument: 'rate'"):
        later.nn.dropout(tf.ones([2]))
    with pytest.raises(TypeError):
        later.nn.moments(tf.ones([2]), [0], keep_dims=True)


def test_embeddings_are_divided(session):
    parts = [tf.constant([[0.0], [1.0]]), tf.constant([[2.0], [3.0]])]
    assert session.run(later.nn.embedding_lookup(parts, [1, 2])).tolist() == [[1.0], [2.0]]


def test_variables(session):
    one = later.Variable([1.0], True, name="one")
    assert isinstance(one, later.Variable) and isinstance(tf.Variable(1), later.Variable)
    assert one.op.type == "VarHandleOp" and one.trainable
    session.run(one.initializer)
    assert session.run(one.assign_add([1.0])).tolist() == [2.0]


def test_what_both_share():
    assert later.cumsum is tf.cumsum and later.keras.layers.Dense is tf.keras.layers.Dense
    assert later.compat.v1.placeholder is tf.placeholder and later.compat.v2.argmax is later.argmax
    assert not hasattr(later, "placeholder") and not hasattr(later, "Session")


def test_device_names_do_not_change():
    spec = later.DeviceSpec(job="ps", task=1)
    with pytest.raises(AttributeError):
        spec.job = "worker"
    merged = spec.make_merged_spec(tf.DeviceSpec(task=2, device_type="GPU"))
    assert merged.to_string() == "/job:ps/task:2/device:GPU:*" and spec.replace(task=3).task == 3
    assert spec.parse_from_string("/job:a").job == "a" and spec.job == "ps"


@pytest.mark.parametrize("spec", [tf.TensorSpec([1, None], tf.float32, "x"), tf.SparseTensorSpec([2], tf.int32),
                                  tf.RaggedTensorSpec([2, None], tf.int64), tf.IndexedSlicesSpec([2, None])])
def test_specs_are_serialized(spec):
    assert type(spec)._deserialize(spec._serialize()) == spec


def test_constants_repeat_a_single_value_only():
    assert run(tf.compat.v2.constant([7], shape=[3])).tolist() == [7, 7, 7]
    assert run(tf.compat.v2.constant([1, 2], shape=[2, 1])).tolist() == [[1], [2]]
    assert run(tf.constant([1, 2], shape=[3])).tolist() == [1, 2, 2]
    for shape in ([3], [1]):
        with pytest.raises(TypeError, match="Expected Tensor's shape"):
            tf.compat.v2.constant([1, 2], shape=shape)
    with eager_mode(), pytest.raises(TypeError, match="Expected Tensor's shape"):
        tf.constant([1, 2], shape=[3])
