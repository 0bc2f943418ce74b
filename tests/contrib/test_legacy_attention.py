"""The decoders of tf.contrib.legacy_seq2seq that attend, or share, against NumPy."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

legacy = tf.contrib.legacy_seq2seq
RANDOM = np.random.RandomState(41)
BATCH, SIZE, UNITS, STEPS = 2, 3, 4, 3
MEMORY = RANDOM.randn(BATCH, 5, 2).astype(np.float32)
INPUTS = [RANDOM.randn(BATCH, SIZE).astype(np.float32) for _ in range(STEPS)]
STATE = RANDOM.randn(BATCH, UNITS).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph, tf.variable_scope("", initializer=tf.random_normal_initializer(seed=6)):
        yield graph


def symbols(count, most, seed):
    random = np.random.RandomState(seed)
    return [tf.constant(random.randint(most, size=BATCH), tf.int32) for _ in range(count)]


def values():
    return {v.op.name: v for v in tf.global_variables()}


def looked_at(state, heads, v):
    found = []
    for head in range(heads):
        y = state @ v[f"Attention_{head}/kernel"] + v[f"Attention_{head}/bias"]
        hidden = np.tanh(MEMORY @ v[f"AttnW_{head}"][0, 0] + y[:, None])
        powers = np.exp(hidden @ v[f"AttnV_{head}"])
        found.append(np.einsum("bt,bts->bs", powers / powers.sum(1, keepdims=True), MEMORY))
    return found


@pytest.mark.parametrize("heads, first", [(1, False), (2, True)])
def test_attention_decoder(heads, first):
    outputs, state = legacy.attention_decoder([tf.constant(x) for x in INPUTS], tf.constant(STATE), tf.constant(MEMORY),
                                              tf.nn.rnn_cell.BasicRNNCell(UNITS), output_size=6, num_heads=heads,
                                              initial_state_attention=first)
    found, last, v = evaluated([outputs, state, values()])
    v = {name.removeprefix("attention_decoder/"): value for name, value in v.items()}
    now, seen = STATE, looked_at(STATE, heads, v) if first else [np.zeros([BATCH, 2])] * heads
    for x, output in zip(INPUTS, found):
        x = np.concatenate([x, *seen], 1) @ v["kernel"] + v["bias"]
        now = np.tanh(np.concatenate([x, now], 1) @ v["basic_rnn_cell/kernel"] + v["basic_rnn_cell/bias"])
        seen = looked_at(now, heads, v)
        wanted = np.concatenate([now, *seen], 1) @ v["AttnOutputProjection/kernel"] + v["AttnOutputProjection/bias"]
        np.testing.assert_allclose(output, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(last, now, rtol=1e-4, atol=1e-5)


def test_attention_with_a_loop_function_and_an_open_length():
    memory = tf.placeholder_with_default(MEMORY, [None, None, 2])
    seen = []

    def loop(before, number):
        seen.append(number)
        return before[:, :SIZE]

    cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS)
    outputs, state = legacy.attention_decoder([tf.constant(x) for x in INPUTS], cell.zero_state(BATCH, tf.float32),
                                              memory, cell, loop_function=loop)
    assert seen == [1, 2] and isinstance(state, tf.nn.rnn_cell.LSTMStateTuple)
    found = evaluated(outputs)
    assert all(output.shape == (BATCH, UNITS) for output in found)


def test_what_attention_decoders_refuse():
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    for inputs, memory, heads in (([], MEMORY, 1), (INPUTS, MEMORY, 0)):
        with pytest.raises(ValueError):
            legacy.attention_decoder(inputs, tf.constant(STATE), tf.constant(memory), cell, num_heads=heads)
    with pytest.raises(ValueError, match="attention_states"):
        legacy.attention_decoder(INPUTS, tf.constant(STATE), tf.placeholder(tf.float32, [2, 3, None]), cell)


def test_embedding_attention_with_a_switch():
    feed = tf.placeholder_with_default(False, [])
    outputs, state = legacy.embedding_attention_seq2seq(
        symbols(2, 5, 1), symbols(3, 6, 2), tf.nn.rnn_cell.GRUCell(UNITS), num_encoder_symbols=5, num_decoder_symbols=6,
        embedding_size=3, feed_previous=feed)
    assert [out.shape.as_list() for out in outputs] == [[BATCH, 6]] * 3
    names = list(values())
    top, inner = "embedding_attention_seq2seq", "embedding_attention_decoder"
    assert f"{top}/rnn/embedding_wrapper/embedding" in names and f"{top}/{inner}/embedding" in names
    assert f"{top}/{inner}/attention_decoder/AttnW_0" in names
    assert f"{top}/{inner}/attention_decoder/output_projection_wrapper/gru_cell/gates/kernel" in names
    with tf.Session(tier="numpy") as session:
        session.run(tf.global_variables_initializer())
        taught, fed = session.run(outputs), session.run(outputs, {feed: True})
    np.testing.assert_array_equal(taught[0], fed[0])
    assert not np.array_equal(taught[2], fed[2])


def test_feeding_back_is_greedy():
    """With the outputs' best symbols as its inputs, a taught decoder gives what one gives that feeds itself."""
    def decoded(inputs, feed, reuse):
        with tf.variable_scope("net", reuse=reuse):
            return legacy.embedding_attention_seq2seq(symbols(2, 5, 1), inputs, tf.nn.rnn_cell.GRUCell(UNITS), 5, 6, 3,
                                                      num_heads=2, feed_previous=feed, initial_state_attention=True)[0]
    start = symbols(1, 6, 3)
    fed = decoded(start * 3, True, None)
    best = [tf.argmax(output, 1, output_type=tf.int32) for output in fed]
    taught = decoded([*start, *best[:2]], False, True)
    found, wanted = evaluated([fed, taught])
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_a_projection_of_ones_own():
    weights, biases = tf.get_variable("w", [UNITS, 6]), tf.get_variable("b", [6])
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    outputs, _ = legacy.embedding_attention_seq2seq(symbols(2, 5, 1), symbols(3, 6, 2), cell, 5, 6, 3,
                                                    output_projection=(weights, biases), feed_previous=True)
    assert outputs[0].shape.as_list() == [BATCH, UNITS]
    with pytest.raises(ValueError):
        legacy.embedding_attention_decoder(symbols(1, 6, 1), tf.constant(STATE), tf.constant(MEMORY),
                                           tf.nn.rnn_cell.GRUCell(UNITS), 6, 3, output_projection=(weights, weights))


@pytest.mark.parametrize("feed", [False, True, None])
def test_tied_embedding(feed):
    switch = tf.placeholder_with_default(True, []) if feed is None else feed
    outputs, state = legacy.embedding_tied_rnn_seq2seq(symbols(2, 5, 1), symbols(3, 5, 2),
                                                       tf.nn.rnn_cell.BasicLSTMCell(UNITS), 5, 3, num_decoder_symbols=4,
                                                       feed_previous=switch)
    assert isinstance(state, tf.nn.rnn_cell.LSTMStateTuple)
    top = "embedding_tied_rnn_seq2seq"
    scope = f"{top}/combined_tied_rnn_seq2seq/tied_rnn_seq2seq/output_projection_wrapper"
    assert sorted(values()) == sorted([f"{top}/embedding", *(f"{scope}/{name}" for name in (
        "kernel", "bias", "basic_lstm_cell/kernel", "basic_lstm_cell/bias"))])
    assert [output.shape for output in evaluated(outputs)] == [(BATCH, 4)] * 3


@pytest.mark.parametrize("feed", [False, None])
def test_one_encoder_for_many_decoders(feed):
    switch = tf.placeholder_with_default(False, []) if feed is None else feed
    cells = {"a": tf.nn.rnn_cell.GRUCell(UNITS), "b": tf.nn.rnn_cell.GRUCell(UNITS)}
    inputs = {"a": symbols(2, 3, 1), "b": symbols(4, 6, 2)}
    outputs, states = legacy.one2many_rnn_seq2seq(symbols(3, 5, 3), inputs, tf.nn.rnn_cell.GRUCell(UNITS), cells, 5,
                                                  {"a": 3, "b": 6}, 2, feed_previous=switch)
    found, last = evaluated([outputs, states])
    assert [[step.shape for step in found[name]] for name in "ab"] == [[(BATCH, 3)] * 2, [(BATCH, 6)] * 4]
    assert {name: state.shape for name, state in last.items()} == dict.fromkeys("ab", (BATCH, UNITS))
    assert "one2many_rnn_seq2seq/one2many_decoder_b/embedding_rnn_decoder/embedding" in values()
    with pytest.raises(ValueError, match="keys"):
        legacy.one2many_rnn_seq2seq(symbols(3, 5, 3), inputs, cells["a"], {"a": cells["a"]}, 5, {}, 2)
    with pytest.raises(TypeError):
        legacy.one2many_rnn_seq2seq(symbols(3, 5, 3), inputs, object(), cells, 5, {}, 2)


def test_gradients_reach_the_embedding_of_symbols_fed_back():
    for update, name in ((True, "yes"), (False, "no")):
        with tf.variable_scope(name):
            outputs, _ = legacy.embedding_attention_decoder(
                symbols(3, 6, 1), tf.constant(STATE), tf.constant(MEMORY), tf.nn.rnn_cell.GRUCell(UNITS), 6, 3,
                output_size=6, feed_previous=True, update_embedding_for_previous=update)
        embedding = values()[f"{name}/embedding_attention_decoder/embedding"]
        slope = tf.convert_to_tensor(tf.gradients(outputs[1], embedding)[0])
        rows = np.unique(np.nonzero(evaluated(slope))[0])
        first = np.unique(np.random.RandomState(1).randint(6, size=BATCH))
        assert set(first) <= set(rows)
        assert (len(rows) == len(first)) or update
