"""Cells and networks whose steps are one op, against those that they stand for."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

rnn = tf.contrib.rnn
RANDOM = np.random.RandomState(31)
STEPS, BATCH, SIZE, UNITS = 5, 3, 2, 4
X = RANDOM.randn(STEPS, BATCH, SIZE).astype(np.float32)
LENGTHS = np.array([5, 2, 0], np.int32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph, tf.variable_scope("", initializer=tf.random_normal_initializer(seed=6)):
        yield graph


def alike(found, wanted):
    for a, b in zip(tf.nest.flatten(found), tf.nest.flatten(wanted)):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def unrolled(cell, scope, reuse=None, **options):
    """(outputs, last state, gradients of all variables and the inputs) over time."""
    x = tf.constant(X)
    with tf.variable_scope(scope, reuse=reuse):
        outputs, state = tf.nn.dynamic_rnn(cell, x, time_major=True, dtype=tf.float32,
                                           scope=tf.get_variable_scope(), **options)
    loss = tf.reduce_sum(outputs ** 2) + sum(tf.reduce_sum(part * 0.5) for part in tf.nest.flatten(state))
    return outputs, state, tf.gradients(loss, [x, *tf.trainable_variables(scope)])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("options", [{}, {"use_peephole": True, "forget_bias": 0.2}])
def test_lstm_block(tier, options):
    block = unrolled(rnn.LSTMBlockCell(UNITS, **options), "net")
    plain = tf.nn.rnn_cell.LSTMCell(UNITS, use_peepholes="use_peephole" in options,
                                    forget_bias=options.get("forget_bias", 1.0))
    alike(*evaluated([block, unrolled(plain, "net", reuse=True)], tier=tier))


def test_clipping_lets_gradients_through():
    """As in TensorFlow, the gradient of a block takes no notice of the clipping of its state."""
    cell = rnn.LSTMBlockCell(UNITS, cell_clip=0.01)
    outputs, state, gradients = unrolled(cell, "net")
    state, gradients = evaluated([state, gradients])
    assert np.abs(state.c).max() <= np.float32(0.01)
    assert np.abs(gradients[1]).max() > 0.01


@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("kind, names", [
    (rnn.GRUBlockCell, ["w_ru", "b_ru", "w_c", "b_c"]),
    (rnn.GRUBlockCellV2, ["gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias"])])
def test_gru_block(tier, kind, names):
    block = unrolled(kind(UNITS), "net")
    assert [v.op.name for v in tf.trainable_variables()] == [f"net/gru_cell/{name}" for name in names]
    own = tf.trainable_variables()
    plain = unrolled(tf.nn.rnn_cell.GRUCell(UNITS), "other")
    others = tf.trainable_variables("other")
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        for variable, other in zip(own, others):
            other.load(session.run(variable), session)
        alike(*session.run([block, plain]))
    with pytest.raises(ValueError, match="num_units"):
        kind()
    assert kind(cell_size=3).state_size == 3


def test_a_state_that_is_none():
    with pytest.raises(ValueError, match="a pair of"):
        rnn.LSTMBlockCell(UNITS)(tf.constant(X[0]), [tf.zeros([BATCH, UNITS])] * 3)


# ---- whole sequences

@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("lengths, peephole", [(None, True), (LENGTHS, False)])
def test_fused_lstm(tier, lengths, peephole):
    cell = tf.nn.rnn_cell.LSTMCell(UNITS, use_peepholes=peephole, name="lstm")
    plain = unrolled(cell, "net", sequence_length=lengths)
    x = tf.constant(X)
    with tf.variable_scope("net", reuse=True):
        outputs, state = rnn.LSTMBlockFusedCell(UNITS, use_peephole=peephole, name="lstm")(
            x, dtype=tf.float32, sequence_length=lengths)
    loss = tf.reduce_sum(outputs ** 2) + sum(tf.reduce_sum(part * 0.5) for part in state)
    fused = outputs, state, tf.gradients(loss, [x, *tf.trainable_variables("net")])
    alike(*evaluated([fused, plain], tier=tier))


def test_fused_lstm_of_a_list_and_a_first_state():
    start = tuple(tf.constant(RANDOM.randn(BATCH, UNITS).astype(np.float32)) for _ in range(2))
    cell = rnn.LSTMBlockFusedCell(UNITS)
    outputs, state = cell(tf.unstack(tf.constant(X)), initial_state=start)
    again, _ = cell(tf.constant(X), initial_state=start)
    assert [v.op.name for v in tf.global_variables()] == ["lstm_fused_cell/kernel", "lstm_fused_cell/bias"]
    found, wanted, last = evaluated([outputs, again, state])
    alike(np.stack(found), wanted)
    alike(last.h, wanted[-1])
    with pytest.raises(ValueError, match="dtype"):
        cell(tf.constant(X))


def test_the_other_order_of_gates_has_the_right_gradient():
    """TensorFlow differentiates BlockLSTMV2 with the gates of BlockLSTM; these numbers are those of differences."""
    weights = [RANDOM.randn(*shape).astype(np.float32) for shape in ((SIZE + UNITS, 4 * UNITS), (4 * UNITS,))]
    w, b = map(tf.constant, weights)
    peepholes = {name: tf.constant(RANDOM.randn(UNITS).astype(np.float32)) for name in ("wci", "wcf", "wco")}
    zeros = tf.zeros([BATCH, UNITS])
    found = tf.raw_ops.BlockLSTMV2(seq_len_max=np.int64(4), x=X, cs_prev=zeros, h_prev=zeros, w=w, b=b, cell_clip=0.0,
                                   use_peephole=True, **peepholes)
    y = tf.reduce_sum(found.h * np.arange(UNITS, dtype=np.float32)) + tf.reduce_sum(found.cs[1] ** 2)
    with tf.Session(tier="numpy"):
        for variable, shape in ((b, [4 * UNITS]), (peepholes["wco"], [UNITS])):
            theory, numbers = tf.test.compute_gradient(variable, shape, y, [], delta=1e-2)
            np.testing.assert_allclose(theory, numbers, rtol=0.02, atol=0.02)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("as_list", [False, True])
def test_a_cell_for_all_steps(dynamic, as_list):
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    fused = rnn.FusedRNNCellAdaptor(cell, use_dynamic_rnn=dynamic)
    inputs = tf.unstack(tf.constant(X)) if as_list else tf.constant(X)
    outputs, state = fused(inputs, dtype=tf.float32, sequence_length=LENGTHS, scope="net")
    assert isinstance(outputs, list) == as_list
    wanted = unrolled(tf.nn.rnn_cell.GRUCell(UNITS), "net", reuse=True, sequence_length=LENGTHS)[:2]
    found, wanted = evaluated([(outputs, state), wanted])
    alike((np.stack(found[0]), found[1]), wanted)


@pytest.mark.parametrize("lengths", [None, np.array([5, 2, 3])])
def test_from_the_last_step_to_the_first(lengths):
    inner = rnn.LSTMBlockFusedCell(UNITS)
    outputs, state = rnn.TimeReversedFusedRNN(inner)(tf.constant(X), dtype=tf.float32, sequence_length=lengths)
    turned = X[::-1].copy()
    for sequence, length in enumerate(() if lengths is None else lengths):
        turned[:, sequence] = np.concatenate([X[:length, sequence][::-1], X[length:, sequence]])
    again, last = inner(tf.constant(turned), dtype=tf.float32, sequence_length=lengths)
    outputs, state, again, last = evaluated([outputs, state, again, last])
    for sequence in range(BATCH):
        length = STEPS if lengths is None else lengths[sequence]
        alike(outputs[:length, sequence][::-1], again[:length, sequence])
    alike(state, last)


def test_axes_exchanged():
    assert rnn.transpose_batch_time(tf.constant(X)).shape.as_list() == [BATCH, STEPS, SIZE]
    assert rnn.best_effort_input_batch_size([tf.constant(X)]) == BATCH
    with pytest.raises(ValueError, match="rank"):
        rnn.transpose_batch_time(tf.zeros([3]))
