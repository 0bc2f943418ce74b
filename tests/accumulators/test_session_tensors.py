"""Tensors that stay in the session between steps, and go with their handles."""

import gc

import numpy as np
import pytest

import evergraph as tf


def kept(session, value=(1.0, 2.0)):
    return session.run(tf.get_session_handle(tf.constant(value)))


def test_a_later_step_reads_it(session):
    handle = kept(session)
    holder, value = tf.get_session_tensor(handle.handle, tf.float32)
    np.testing.assert_array_equal(session.run(value * 10.0, {holder: handle.handle}), [10, 20])
    np.testing.assert_array_equal(handle.eval(), [1, 2])
    assert handle.handle.split(";")[0] == "GetSessionHandle" and str(handle) == handle.handle


def test_goes_on_from_step_to_step(session):
    handle = kept(session, 0)
    holder, value = tf.get_session_tensor(handle.handle, tf.int32)
    more = tf.get_session_handle(value + 1)
    for _ in range(5):
        handle = session.run(more, {holder: handle.handle})
    assert handle.eval() == 5


def test_is_fed_as_a_value(session):
    handle = kept(session)
    x = tf.placeholder(tf.float32, [2])
    np.testing.assert_array_equal(session.run(x + 1.0, {x: handle}), [2, 3])
    with pytest.raises(TypeError):
        session.run(tf.placeholder(tf.int32, name="whole") + 1, {"whole:0": handle})
    with pytest.raises(ValueError):
        session.run(tf.placeholder(tf.float32, [3], name="longer") + 1, {"longer:0": handle})


def test_goes_with_its_handle(session):
    handle = kept(session)
    name = handle.handle
    holder, value = tf.get_session_tensor(name, tf.float32)
    del handle
    gc.collect()
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session store"):
        session.run(value, {holder: name})


def test_deleting(session):
    handle = kept(session)
    handle.delete()
    for again in (handle.delete, handle.eval):
        with pytest.raises(TypeError, match="already been deleted"):
            again()
    raw = kept(session).get_raw_handle()
    holder, deleted = tf.delete_session_tensor(raw)
    session.run(deleted, {holder: raw})
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(deleted, {holder: raw})


def test_wants_a_tensor_and_its_dtype(session):
    with pytest.raises(TypeError):
        tf.get_session_handle(3.0)
    handle = kept(session)
    holder, value = tf.get_session_tensor(handle.handle, tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(value, {holder: handle.handle})
