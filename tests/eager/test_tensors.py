"""Tensors with values: what Python and NumPy can do with them."""

import copy
import gc
import math
import pickle
import re
import sys
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.eager.tensor import EagerTensor


def test_values():
    x = tf.constant([[1, 2], [3, 4]])
    assert x.shape.as_list() == [2, 2] and x.dtype is tf.int32 and x.ndim == 2 and len(x) == 2
    assert [row.numpy().tolist() for row in x] == [[1, 2], [3, 4]]
    assert int(x[1, 0]) == 3 and float(x[0, 1]) == 2.0 and bool(x[0, 0]) and "abcd"[x[0, 1]] == "c"
    assert f"{tf.constant(1.5):.2f}" == "1.50" and complex(tf.constant(1j)) == 1j


def test_numpy_is_a_copy():
    given = np.ones(3)
    x = tf.constant(given)
    given[0] = 7.0
    x.numpy()[1] = 7.0
    assert x.numpy().tolist() == [1.0, 1.0, 1.0]


def test_tensors_are_compared_by_identity():
    x, y = tf.constant(1), tf.constant(1)
    assert x == x and x != y and len({x, y}) == 2 and hash(x) == hash(x)


@pytest.mark.parametrize("use", [len, list], ids=["len", "iter"])
def test_a_scalar_has_no_length(use):
    with pytest.raises(TypeError, match="[Ss]calar"):
        use(tf.constant(1))


def test_text():
    x = tf.constant([1.0, 2.0])
    assert str(x) == "tf.Tensor([1. 2.], shape=(2,), dtype=float32)"
    assert repr(x).endswith("shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>")
    assert str(tf.constant(3)) == "tf.Tensor(3, shape=(), dtype=int32)"
    assert "numpy=b'a'" in repr(tf.constant("a"))
    assert "<unprintable>" in repr(tf.Variable(1.0).handle)


@pytest.mark.parametrize("name", ["op", "name"])
def test_what_graphs_alone_have(name):
    with pytest.raises(AttributeError, match=f"Tensor.{name} needs a graph"):
        getattr(tf.constant(1), name)
    assert not hasattr(tf.constant(1), name)


def test_no_sessions_no_consumers():
    with pytest.raises(NotImplementedError, match="numpy"):
        tf.constant(1).eval()
    with pytest.raises(NotImplementedError, match="consumers"):
        tf.constant(1).consumers()
    with pytest.raises(ValueError, match="not compatible"):
        tf.constant([1]).set_shape([2])


def test_devices():
    x = tf.constant(1.0)
    assert x.device == "/job:localhost/replica:0/task:0/device:CPU:0" == x.backing_device
    assert x.cpu().numpy() == 1.0


@pytest.mark.cpus
def test_gpu_that_is_not_there():
    with pytest.raises(tf.errors.InvalidArgumentError, match="GPU"):
        tf.constant(1.0).gpu()


def test_copies():
    x = tf.constant([1.0, 2.0])
    assert copy.copy(x) is x and copy.deepcopy(x) is x
    assert pickle.loads(pickle.dumps(x)).numpy().tolist() == [1.0, 2.0]
    assert np.from_dlpack(x).tolist() == [1.0, 2.0]


def test_operations_leave_nothing_behind():
    x = tf.constant([1.0])
    seen = weakref.ref(x)
    y = x * 2.0
    del x
    gc.collect()
    assert seen() is None and y.numpy() == [2.0] and EAGER.version == 0


def test_compiled_ops_stay_on_the_device():
    once = tf.raw_ops.Erfinv(x=tf.fill([4], math.erf(math.erf(1.0))))
    twice = tf.raw_ops.Erfinv(x=once)
    assert type(once.held).__module__.startswith("jax")
    np.testing.assert_allclose(twice.numpy(), [1.0] * 4, rtol=1e-5)


def test_large_work_that_keeps_coming_back_is_compiled():
    x = tf.zeros([600, 600]) + 1.0
    for _ in range(5):
        y = tf.exp(x)
    assert type(y.held).__module__.startswith("jax")
    np.testing.assert_allclose(y.numpy(), np.e, rtol=1e-6)


@pytest.mark.parametrize("call, told", [
    (lambda: tf.add(tf.constant(1), tf.constant(1.0)), "input #1(zero-based) was expected to be a int32 tensor but"),
    (lambda: tf.constant(1) + 1.5, "was expected to be a int32 tensor but is a float tensor [Op:AddV2]"),
    (lambda: tf.concat([[1.0], tf.constant([2.0]), tf.constant([3])], 0), "cannot compute ConcatV2 as input #2"),
    (lambda: tf.matmul(tf.ones([1, 1]), tf.ones([1, 1], tf.float64)), "a float tensor but is a double tensor"),
    (lambda: tf.logical_not(tf.constant(1)), "expected to be a bool tensor"),
    (lambda: tf.sin(tf.constant(1)), "attr 'T' cannot be int32: allowed values: bfloat16"),
])
def test_dtypes_that_do_not_fit_are_invalid_arguments(call, told):
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(told)):
        call()
    with tf.Graph().as_default(), pytest.raises(TypeError):
        call()


def test_failures_raise_at_the_call():
    with pytest.raises(tf.errors.InvalidArgumentError, match="MatMul"):
        tf.matmul([[1.0]], [[1.0], [2.0]])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.gather([1, 2], [5])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1.0]) + tf.constant([1.0, 2.0]) * tf.ones([3])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.assert_equal(1, 2)


@pytest.mark.parametrize("value, dtype", [(10**310, tf.float64), ([2**72], None), ([2**72, "a"], None)])
def test_integers_that_are_too_large(value, dtype):
    with pytest.raises(ValueError, match="out-of-range integer"):
        tf.constant(value, dtype)
    with tf.Graph().as_default(), pytest.raises((OverflowError, TypeError)):
        tf.constant(value, dtype)


def test_the_class_makes_tensors_of_values():
    """Programs import the class from tensorflow.python.framework.ops."""
    made = EagerTensor([1, 2], device="CPU:0", dtype=tf.float64.as_datatype_enum)
    assert isinstance(made, tf.Tensor) and made.dtype == tf.float64 and made.numpy().tolist() == [1.0, 2.0]
    assert EagerTensor(np.float32([1.5]), device="", dtype=tf.float64).dtype == tf.float64
    assert EagerTensor(2**33, device="").dtype == tf.int64 and (made + 1.0).numpy().tolist() == [2.0, 3.0]
    for words, message in (((1,), "argument 'device' .pos 2."), ((1, "", "1"), "Expecting a DataType"),
                           ((1, "", 12345), "Invalid dtype")):
        with pytest.raises(TypeError, match=message):
            EagerTensor(*words)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python asks classes for buffers from 3.12 on")
def test_memory_views():
    view = memoryview(tf.constant([1.0, 2.0]))
    assert view.readonly and view.tolist() == [1.0, 2.0]
    with pytest.raises(BufferError, match="resource"):
        memoryview(tf.Variable(1.0).handle)


@pytest.mark.parametrize("value, dtype, error", [
    (object(), None, ValueError), ({}, None, ValueError), ({1, 2}, None, ValueError), (None, None, ValueError),
    ([1, None], None, ValueError), ([1, "a"], None, ValueError), (range, None, ValueError),
    ({}, tf.float32, ValueError), (object(), tf.int32, ValueError), ("a", tf.int32, TypeError),
    (1.5, tf.int32, TypeError), (1, tf.string, TypeError), (1j, tf.float32, TypeError)])  # fmt: skip
def test_what_no_tensor_holds(value, dtype, error):
    with pytest.raises(error):
        tf.constant(value, dtype)
    with tf.Graph().as_default(), pytest.raises(ValueError if value is None else TypeError):
        tf.constant(value, dtype)


def test_a_copy_in_the_memory_of_the_host_is_another_tensor():
    x = tf.constant([1.0, 2.0])
    assert x.cpu() is not x and x.cpu().numpy().tolist() == [1, 2]


def test_a_handle_takes_any_shape_and_one_dtype():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[1], shared_name="any shape, one dtype")
    tf.raw_ops.AssignVariableOp(resource=handle, value=1)
    assert tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected float got int32"):
        tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected int32 got float"):
        tf.raw_ops.AssignVariableOp(resource=handle, value=1.0)
