"""Slots of optimizers that are packed behave as if each had an array of its own."""

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.compile.packs import Pack, pack_of
from evergraph.kernel.storage import put
from evergraph.run.store import Store

needs_native = pytest.mark.skipif(native.updates is None, reason="the C code was not built here, or is turned off")


def model(layers=5):
    """A feed, the step of training, the optimizer, its variables, and what fails a step if it is negative."""
    x = tf.placeholder(tf.float32, [None, 3])
    least = tf.placeholder_with_default(0.0, [])
    hidden = x
    for at in range(layers):
        w = tf.get_variable(f"w{at}", [3, 3], initializer=tf.random_normal_initializer(seed=at))
        hidden = tf.tanh(tf.matmul(hidden, w) + tf.get_variable(f"b{at}", [3], initializer=tf.zeros_initializer()))
    optimizer = tf.train.AdamOptimizer(0.1)
    with tf.control_dependencies([tf.assert_non_negative(least)]):
        loss = tf.reduce_sum(hidden**2)
    return x, optimizer.minimize(loss), optimizer, tf.trainable_variables(), least


FEED = np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)


def packs_in(store):
    return [value for value in store._values.values() if type(value) is Pack]


def packs_of(session):
    return packs_in(session._store)


def trained(actions):
    """The values of all variables after three steps, with an action between any two of them."""
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        x, train, optimizer, variables, _ = model()
        session.run(tf.global_variables_initializer())
        slot = optimizer.get_slot(variables[2], "m")
        for step in range(3):
            session.run(train, {x: FEED})
            assert bool(packs_of(session)) == (native.updates is not None and Store.packs)
            if step < 2:
                actions(session, slot)
        return session.run(tf.global_variables())


def read(session, slot):
    assert session.run(slot).shape == (3, 3)


def assign(session, slot):
    session.run(slot.assign(tf.ones_like(slot)))


def load(session, slot):
    slot.load(np.full([3, 3], 0.5, np.float32), session)


@pytest.mark.cpus
@pytest.mark.in_process("other stores pack nothing")
@pytest.mark.parametrize("action", [lambda *_: None, read, assign, load], ids=["none", "read", "assign", "load"])
def test_packed_slots_compute_the_same(action, monkeypatch):
    packed = trained(action)
    monkeypatch.setattr(Store, "packs", False)
    for ours, theirs in zip(packed, trained(action), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@needs_native
@pytest.mark.cpus
@pytest.mark.in_process("other stores pack nothing")
def test_a_step_that_fails_changes_nothing(session):
    session = tf.Session(tier="xla")
    x, train, _, _, least = model()
    session.run(tf.global_variables_initializer())
    session.run(train, {x: FEED, least: 0.0})
    before = session.run(tf.global_variables())
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(train, {x: FEED, least: -1.0})
        assert packs_of(session)
    for ours, theirs in zip(session.run(tf.global_variables()), before, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@needs_native
def test_slots_are_saved_and_restored(tmp_path):
    session = tf.Session(tier="xla")
    x, train, optimizer, variables, _ = model()
    saver = tf.train.Saver()
    session.run(tf.global_variables_initializer())
    session.run(train, {x: FEED})
    path = saver.save(session, str(tmp_path / "model"))
    slot = optimizer.get_slot(variables[0], "v")
    saved = session.run(slot)
    session.run(train, {x: FEED})
    saver.restore(session, path)
    np.testing.assert_array_equal(session.run(slot), saved)


# ---- the store

def stored():
    """A store with nine values, their pack, and the values."""
    store = Store()
    values = {f"v{i}": np.full([i + 1], i, np.float32) for i in range(9)}
    put(store, values)
    pack = pack_of(dict(zip(values, store.forms(list(values)))))
    store.get_all([pack])
    return store, pack, values


def value(store, key):
    (found,) = store.get_all([key])
    return found


def test_a_store_unpacks_on_demand():
    store, pack, values = stored()
    assert store.forms(["v3"]) == [((4,), np.float32)]
    assert value(store, pack).size == pack.size and value(store, pack).size % 16 == 0
    assert packs_in(store)
    np.testing.assert_array_equal(value(store, "v3"), values["v3"])
    assert not packs_in(store)
    for key, found in zip(values, store.get_all(list(values)), strict=True):
        np.testing.assert_array_equal(found, values[key])


@pytest.mark.parametrize("replace", [put, lambda store, values: store.restore(values, store.mark)])
def test_a_value_is_replaced_among_packed_ones(replace):
    store, pack, values = stored()
    replace(store, {"v2": np.ones(3, np.float32)})
    store.get_all([pack])
    assert value(store, "v2").tolist() == [1, 1, 1]
    assert value(store, "v8").tolist() == [8] * 9


def test_a_value_is_forgotten_among_packed_ones():
    store, _, _ = stored()
    store.forget(["v2"])
    assert store.forms(["v2"]) == [None] and value(store, "v8").tolist() == [8] * 9


def test_a_pack_is_restored():
    store, pack, _ = stored()
    (before,) = store.prepare([pack], donated=True)
    put(store, {"v0": np.zeros(1, np.float32)})
    store.restore({pack: before, "v1": np.ones(2, np.float32)}, store.mark)
    assert value(store, "v1").tolist() == [1, 1]
    assert [value(store, f"v{i}")[0] for i in (0, 2, 8)] == [0, 2, 8]


def test_too_few_or_large_values_are_not_packed():
    form = ((4,), np.dtype(np.float32))
    assert pack_of({str(i): form for i in range(7)}) is None
    assert pack_of({str(i): ((1 << 17,), np.dtype(np.float32)) for i in range(9)}) is None
    assert pack_of({str(i): ((4,), np.dtype(np.float64)) for i in range(9)}) is None
    assert pack_of({**{str(i): form for i in range(9)}, "unset": None}).shapes.keys() == set(map(str, range(9)))
