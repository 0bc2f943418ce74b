"""Steps that fetch operations alone return while the device computes; failures surface in the next call."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations


@pytest.fixture
def early(monkeypatch):
    """As on accelerators."""
    monkeypatch.setenv("EVERGRAPH_RETURN_EARLY", "1")


class Counter:
    """A variable that a step adds to, unless what is fed is negative."""

    def __init__(self):
        self.fed = tf.placeholder(tf.float32, [2])
        self.total = tf.Variable([0.0, 0.0], name="total")
        check = tf.Assert(tf.reduce_all(self.fed >= 0), ["negative", self.fed])
        with tf.control_dependencies([check]):
            self.step = tf.assign_add(self.total, self.fed).op
        self.session = tf.Session(tier="xla")
        self.session.run(self.total.initializer)
        for _ in range(3):  # the first runs wait in any case
            self.run(0.0)

    def run(self, value):
        self.session.run(self.step, {self.fed: [value, value]})

    @property
    def value(self):
        return self.session.run(self.total)[0]


def test_steps_add_up_without_further_programs(early):
    counter = Counter()
    before = compilations.count
    for number in range(10):
        counter.run(float(number))
        assert counter.session._store.early.pending is not None
    assert compilations.count == before
    assert counter.value == 45.0 and counter.session._store.early.pending is None


@pytest.mark.parametrize("says", [None, "0"])
def test_steps_that_wait(monkeypatch, says):
    if says is None:
        monkeypatch.delenv("EVERGRAPH_RETURN_EARLY")
    counter = Counter()
    if says == "0" or tf.test.gpu_device_name() == "":
        with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
            counter.run(-1.0)
        assert counter.value == 0.0


def test_the_next_step_tells_and_does_nothing(early):
    counter = Counter()
    counter.run(1.0)
    counter.run(-1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"negative.*-1") as caught:
        counter.run(2.0)
    assert caught.value.op.type == "Assert"
    assert counter.value == 1.0
    counter.run(4.0)
    assert counter.value == 5.0


def test_a_fetch_and_another_step_tell(early):
    counter = Counter()
    other = tf.assign(counter.total, [7.0, 7.0]).op
    for call in (lambda: counter.value, lambda: counter.session.run(other),
                 lambda: tf.train.Saver().save(counter.session, "unused")):
        counter.run(-1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
            call()
        assert counter.value == 0.0


def test_close_tells(early):
    counter = Counter()
    counter.run(-1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        counter.session.close()
    counter.session.close()


def test_fed_arrays_are_copied(early):
    counter = Counter()
    fed = np.ones(2, np.float32)
    counter.session.run(counter.step, {counter.fed: fed})
    fed[:] = 5.0
    assert counter.value == 1.0


def test_an_interrupted_wait_forgets_nothing(early, monkeypatch):
    counter = Counter()
    counter.run(-1.0)
    pending = counter.session._store.early.pending
    check = type(pending).check

    def interrupted(self):
        monkeypatch.setattr(type(pending), "check", check)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(pending), "check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        counter.session.run(counter.total)
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        counter.session.run(counter.total)


def test_training_is_the_same(early, monkeypatch):
    x = tf.constant(np.random.RandomState(0).randn(4, 3), tf.float32)
    w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy([0, 1, 0, 1], tf.matmul(x, w))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    found = []
    for says in "10":
        monkeypatch.setenv("EVERGRAPH_RETURN_EARLY", says)
        with tf.Session(tier="xla") as session:
            session.run(tf.global_variables_initializer())
            for _ in range(6):
                session.run(train)
            assert (session._store.early.pending is not None) == (says == "1")
            found.append(session.run(w))
    np.testing.assert_array_equal(*found)


def interrupted(*arguments):
    raise KeyboardInterrupt


def test_an_interrupt_after_the_next_step_has_started(early, monkeypatch):
    counter = Counter()
    counter.run(1.0)
    counter.run(-1.0)
    with monkeypatch.context() as patch:
        patch.setattr(type(counter.session._store.early), "settle_before", interrupted)
        with pytest.raises(KeyboardInterrupt):
            counter.run(2.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"negative.*-1"):
        counter.run(4.0)
    assert counter.value == 1.0


def test_a_block_keeps_its_own_error(early):
    counter = Counter()
    with pytest.raises(ZeroDivisionError), counter.session:
        counter.run(-1.0)
        raise ZeroDivisionError
