"""Attention mechanisms and the wrapper around cells, against NumPy."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

seq2seq = tf.contrib.seq2seq
RANDOM = np.random.RandomState(8)
BATCH, STEPS, SIZE, UNITS = 2, 4, 3, 5
MEMORY = RANDOM.randn(BATCH, STEPS, SIZE).astype(np.float32)
LENGTHS = np.array([4, 2], np.int32)
QUERY = RANDOM.randn(BATCH, UNITS).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph, tf.variable_scope("", initializer=tf.glorot_uniform_initializer(seed=3)):
        yield graph


def variables():
    """The values of the variables by name."""
    return {v.op.name: v for v in tf.global_variables()}


def softmax(scores, lengths=LENGTHS):
    scores = np.where(np.arange(scores.shape[1]) < lengths[:, None], scores, -np.inf)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


MASKED = MEMORY * (np.arange(STEPS) < LENGTHS[:, None])[:, :, None]


# ---- mechanisms

@pytest.mark.parametrize("scale", [False, True])
def test_luong(scale):
    mechanism = seq2seq.LuongAttention(UNITS, MEMORY, LENGTHS, scale=scale)
    before = mechanism.initial_state(BATCH, tf.float32)
    weights, state = mechanism(tf.constant(QUERY), before)
    names = ["memory_layer/kernel", *(["luong_attention/attention_g"] if scale else [])]
    assert sorted(variables()) == sorted(names)
    found, kernel = evaluated([weights, variables()["memory_layer/kernel"]])
    scores = np.einsum("bu,btu->bt", QUERY, MASKED @ kernel)  # the scale starts as 1
    np.testing.assert_allclose(found, softmax(scores), rtol=1e-5, atol=1e-7)
    assert state is weights and before.shape.as_list() == [BATCH, STEPS]
    with pytest.raises(ValueError, match="num_units"):
        seq2seq.LuongAttention(UNITS + 1, MEMORY)(tf.constant(QUERY), before)


@pytest.mark.parametrize("normalize", [False, True])
def test_bahdanau(normalize):
    mechanism = seq2seq.BahdanauAttention(UNITS, MEMORY, LENGTHS, normalize=normalize)
    weights, _ = mechanism(tf.constant(QUERY), mechanism.initial_state(BATCH, tf.float32))
    inner = ["attention_v", "query_layer/kernel", *(["attention_g", "attention_b"] if normalize else [])]
    assert sorted(variables()) == sorted(["memory_layer/kernel", *(f"bahdanau_attention/{name}" for name in inner)])
    found, values = evaluated([weights, variables()])
    v = values["bahdanau_attention/attention_v"]
    if normalize:
        assert values["bahdanau_attention/attention_g"] == pytest.approx(np.sqrt(1 / UNITS))
        v = np.sqrt(1 / UNITS) * v / np.sqrt((v ** 2).sum())
    sums = MASKED @ values["memory_layer/kernel"] + (QUERY @ values["bahdanau_attention/query_layer/kernel"])[:, None]
    np.testing.assert_allclose(found, softmax((v * np.tanh(sums)).sum(2)), rtol=1e-4, atol=1e-6)


def test_options_of_a_memory():
    mechanism = seq2seq.LuongAttention(UNITS, MEMORY, LENGTHS, score_mask_value=0.0, probability_fn=seq2seq.hardmax,
                                       custom_key_value_fn=lambda keys, values: (keys * 0.0 - 1.0, values + 1.0))
    weights, _ = mechanism(tf.ones([BATCH, UNITS]), None)
    found, values = evaluated([weights, mechanism.values])
    np.testing.assert_array_equal(found, [[1, 0, 0, 0], [0, 0, 1, 0]])  # -5 inside, 0 beyond the length
    np.testing.assert_allclose(values, MASKED + 1)
    assert (mechanism.batch_size, mechanism.alignments_size, mechanism.state_size) == (BATCH, STEPS, STEPS)
    assert mechanism.memory_layer.name == "memory_layer" and mechanism.query_layer is None


def test_what_mechanisms_refuse():
    with pytest.raises(TypeError, match="probability_fn"):
        seq2seq.BahdanauAttention(UNITS, MEMORY, probability_fn="softmax")
    with pytest.raises(ValueError, match="inner sizes"):
        seq2seq.LuongAttention(UNITS, tf.placeholder(tf.float32, [None, None, None]))
    mechanism = seq2seq.LuongAttention(UNITS, MEMORY, tf.placeholder_with_default(np.array([1, 0]), [2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="greater than zero"):
        evaluated(mechanism(tf.constant(QUERY), None)[0])


@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
def test_other_dtypes(dtype):
    for kind in (seq2seq.LuongAttention, seq2seq.BahdanauAttention):
        mechanism = kind(UNITS, MEMORY.astype(dtype.as_numpy_dtype), LENGTHS, dtype=dtype)
        weights, _ = mechanism(tf.constant(QUERY, dtype), None)
        assert weights.dtype == dtype
        np.testing.assert_allclose(evaluated(weights).sum(1), 1, rtol=1e-2)


def test_hardmax():
    x = RANDOM.randn(2, 3, 4).astype(np.float32)
    np.testing.assert_array_equal(evaluated(seq2seq.hardmax(x)), np.eye(4)[x.argmax(-1)])


# ---- monotonic

def test_safe_cumprod():
    x = RANDOM.uniform(0, 1, [3, 6]).astype(np.float32)
    found = seq2seq.safe_cumprod(x, axis=1, exclusive=True)
    wanted = np.cumprod(np.concatenate([np.ones([3, 1]), x[:, :-1]], 1), 1)
    np.testing.assert_allclose(evaluated(found), wanted, rtol=1e-5)
    zeros = tf.constant([0.0, 0.5, 0.0])
    assert np.isfinite(evaluated(tf.gradients(seq2seq.safe_cumprod(zeros), zeros)[0])).all()


def walked(stops, before):
    """The chance to stop at each step, walking from where attention was."""
    result = np.zeros_like(stops)
    for sequence in range(len(stops)):
        here = 0.0
        for time in range(stops.shape[1]):
            here += before[sequence, time]
            result[sequence, time] = here * stops[sequence, time]
            here -= result[sequence, time]
    return result


@pytest.mark.parametrize("mode", ["recursive", "parallel"])
def test_monotonic_attention(mode):
    stops = RANDOM.uniform(0.1, 0.8, [3, 7]).astype(np.float32)
    before = RANDOM.dirichlet(np.ones(7), 3).astype(np.float32)
    found = evaluated(seq2seq.monotonic_attention(stops, before, mode))
    np.testing.assert_allclose(found, walked(stops, before), rtol=1e-4, atol=1e-6)


def test_hard_monotonic_attention():
    stops = np.array([[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]], np.float32)
    before = np.eye(4, dtype=np.float32)[[1, 1, 2]]
    found = evaluated(seq2seq.monotonic_attention(stops, before, "hard"))
    np.testing.assert_array_equal(found, [[0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    with pytest.raises(ValueError, match="mode"):
        seq2seq.monotonic_attention(stops, before, "soft")


@pytest.mark.parametrize("mode", ["parallel", "hard"])
def test_monotonic_mechanisms(mode):
    for kind, scope, start in ((seq2seq.LuongMonotonicAttention, "luong_monotonic_attention", 0.3),
                               (seq2seq.BahdanauMonotonicAttention, "bahdanau_monotonic_attention", -0.2)):
        mechanism = kind(UNITS, MEMORY, LENGTHS, mode=mode, score_bias_init=start)
        before = mechanism.initial_alignments(BATCH, tf.float32)
        weights, _ = mechanism(tf.constant(QUERY), before)
        first, found, bias = evaluated([before, weights, variables()[f"{scope}/attention_score_bias"]])
        np.testing.assert_array_equal(first, [[1, 0, 0, 0]] * 2)
        assert bias == np.float32(start)
        assert (found[1, 2:] == 0).all() and (found.sum(1) <= 1 + 1e-5).all()
        if mode == "hard":
            assert set(np.unique(found)) <= {0, 1}


def test_luong_monotonic_numbers():
    mechanism = seq2seq.LuongMonotonicAttention(UNITS, MEMORY, LENGTHS, score_bias_init=0.4)
    weights, _ = mechanism(tf.constant(QUERY), mechanism.initial_alignments(BATCH, tf.float32))
    found, kernel = evaluated([weights, variables()["memory_layer/kernel"]])
    scores = np.einsum("bu,btu->bt", QUERY, MASKED @ kernel) + 0.4
    stops = sigmoid(scores) * (np.arange(STEPS) < LENGTHS[:, None])
    np.testing.assert_allclose(found, walked(stops, np.eye(STEPS)[[0, 0]]), rtol=1e-4, atol=1e-6)


def test_noise_moves_the_scores():
    mechanism = seq2seq.LuongMonotonicAttention(UNITS, MEMORY, sigmoid_noise=1.0, sigmoid_noise_seed=2)
    weights, _ = mechanism(tf.constant(QUERY), mechanism.initial_alignments(BATCH, tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert not np.array_equal(session.run(weights), session.run(weights))


# ---- the wrapper

def wrapper(mechanisms=None, **options):
    mechanisms = seq2seq.LuongAttention(UNITS, MEMORY, LENGTHS) if mechanisms is None else mechanisms
    return seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(UNITS), mechanisms, **options)


def test_a_step_of_the_wrapper():
    cell = wrapper(attention_layer_size=7)
    state = cell.zero_state(BATCH, tf.float32)
    x = RANDOM.randn(BATCH, 2).astype(np.float32)
    output, after = cell(tf.constant(x), state)
    assert output.shape.as_list() == [BATCH, 7] and cell.output_size == 7
    found, state_found, values = evaluated([output, after._replace(alignment_history=()), variables()])
    own = "attention_wrapper/"
    assert sorted(values) == sorted([
        "memory_layer/kernel", own + "attention_layer/kernel",
        *(f"{own}gru_cell/{part}/{name}" for part in ("gates", "candidate") for name in ("kernel", "bias"))])
    inputs = np.concatenate([x, np.zeros([BATCH, 7 + UNITS])], 1)
    gates = sigmoid(inputs @ values[own + "gru_cell/gates/kernel"] + 1)
    h = (1 - gates[:, UNITS:]) * np.tanh(inputs @ values[own + "gru_cell/candidate/kernel"])
    weights = softmax(np.einsum("bu,btu->bt", h, MASKED @ values["memory_layer/kernel"]))
    context = np.einsum("bt,bts->bs", weights, MASKED)
    wanted = np.concatenate([h, context], 1) @ values[own + "attention_layer/kernel"]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(state_found.attention, wanted, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(state_found.alignments, weights, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(state_found.cell_state, h, rtol=1e-4, atol=1e-6)
    assert state_found.time == 1


def test_a_second_step_uses_the_same_variables():
    cell = wrapper(seq2seq.BahdanauAttention(UNITS, MEMORY, LENGTHS, normalize=True), attention_layer_size=3)
    _, state = cell(tf.zeros([BATCH, 2]), cell.zero_state(BATCH, tf.float32))
    before = sorted(variables())
    cell(tf.zeros([BATCH, 2]), state)
    assert sorted(variables()) == before
    assert "attention_wrapper/bahdanau_attention/query_layer/kernel" in before


def test_what_the_wrapper_gives_out():
    assert wrapper().output_size == SIZE
    assert wrapper(output_attention=False).output_size == UNITS
    cell = wrapper(cell_input_fn=lambda inputs, attention: inputs, output_attention=False, name="plain")
    output, state = cell(tf.ones([BATCH, 2]), cell.zero_state(BATCH, tf.float32))
    assert variables()["plain/gru_cell/gates/kernel"].shape.as_list() == [2 + UNITS, 2 * UNITS]
    found, inner, seen = evaluated([output, state.cell_state, state.attention])
    np.testing.assert_array_equal(found, inner)
    assert seen.shape == (BATCH, SIZE)


def test_several_mechanisms():
    mechanisms = [seq2seq.LuongAttention(UNITS, MEMORY, LENGTHS), seq2seq.BahdanauAttention(4, MEMORY[:, :3])]
    layers = [tf.layers.Dense(2, name="first"), tf.layers.Dense(6, name="second")]
    cell = wrapper(mechanisms, attention_layer=layers, alignment_history=True)
    state = cell.zero_state(BATCH, tf.float32)
    assert cell.output_size == 8
    assert [part.shape.as_list() for part in state.alignments] == [[BATCH, 4], [BATCH, 3]]
    output, state = cell(tf.ones([BATCH, 2]), state)
    found, weights, history = evaluated([output, state.alignments, [rows.stack() for rows in state.alignment_history]])
    assert found.shape == (BATCH, 8)
    for now, rows in zip(weights, history):
        np.testing.assert_array_equal(rows, now[None])
    single = wrapper([mechanisms[0]])
    assert isinstance(single.zero_state(BATCH, tf.float32).alignments, tuple)


def test_an_attention_function_of_ones_own():
    def attend(mechanism, output, state, layer):
        return tf.ones([BATCH, 1]), tf.zeros([BATCH, STEPS]), state + 1.0

    cell = wrapper(attention_fn=attend, attention_layer_size=1)
    output, state = cell(tf.ones([BATCH, 2]), cell.zero_state(BATCH, tf.float32))
    found, after = evaluated([output, state.attention_state])
    assert (found == 1).all() and (after == 1).all()


def test_first_states():
    start = tf.constant(RANDOM.randn(BATCH, UNITS).astype(np.float32))
    cell = wrapper(initial_cell_state=start)
    np.testing.assert_array_equal(*evaluated([cell.zero_state(BATCH, tf.float32).cell_state, start]))
    state = wrapper().zero_state(BATCH, tf.float32).clone(cell_state=start, time=tf.constant(4))
    np.testing.assert_array_equal(*evaluated([state.cell_state, start]))
    assert evaluated(state.time) == 4
    with pytest.raises(ValueError):
        state.clone(cell_state=tf.zeros([BATCH + 1, UNITS]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="tile_batch"):
        evaluated(wrapper().zero_state(tf.placeholder_with_default(BATCH + 1, []), tf.float32).cell_state)


def test_what_the_wrapper_refuses():
    mechanism = seq2seq.LuongAttention(UNITS, MEMORY)
    for error, options in ((TypeError, {"mechanisms": object()}), (TypeError, {"mechanisms": [mechanism, 1]}),
                           (TypeError, {"cell_input_fn": 3}),
                           (ValueError, {"attention_layer_size": [1, 2]}),
                           (ValueError, {"attention_layer": [tf.layers.Dense(1)] * 2}),
                           (ValueError, {"attention_layer_size": 1, "attention_layer": tf.layers.Dense(1)})):
        with pytest.raises(error):
            wrapper(**options)
    cell = wrapper()
    with pytest.raises(TypeError, match="AttentionWrapperState"):
        cell(tf.ones([BATCH, 2]), tf.zeros([BATCH, UNITS]))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_decoding_with_attention_and_its_history(tier):
    memory = tf.placeholder(tf.float32, [None, None, SIZE])
    batch = tf.shape(memory)[0]
    cell = wrapper(seq2seq.BahdanauAttention(4, memory, tf.fill([batch], 3)), attention_layer_size=6,
                   alignment_history=True)
    helper = seq2seq.TrainingHelper(tf.ones([2, 5, 2]), [5, 4])
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(batch, tf.float32))
    outputs, state, _ = seq2seq.dynamic_decode(decoder, impute_finished=True)
    gradients = tf.gradients(outputs.rnn_output, tf.trainable_variables())
    history, slopes = evaluated([state.alignment_history.stack(), gradients], {memory: MEMORY}, tier)
    assert history.shape == (5, 2, STEPS)
    np.testing.assert_allclose(history.sum(2), np.ones([5, 2]), rtol=1e-5)
    assert (history[:, :, 3] == 0).all()
    assert all(np.abs(slope).max() > 0 for slope in slopes)


def test_gradients_are_those_of_differences():
    mechanism = seq2seq.BahdanauAttention(4, tf.constant(MEMORY.astype(np.float64)), LENGTHS, dtype=tf.float64)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicRNNCell(3, dtype=tf.float64), mechanism, attention_layer_size=2)
    x = tf.constant(RANDOM.randn(BATCH, 3, 2))
    helper = seq2seq.TrainingHelper(x, [3, 2])
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(BATCH, tf.float64))
    y = tf.reduce_sum(seq2seq.dynamic_decode(decoder, impute_finished=True)[0].rnn_output ** 2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        kernel = next(v for v in tf.trainable_variables() if "query_layer" in v.name)
        for variable, shape in ((x, [BATCH, 3, 2]), (kernel, [3, 4])):
            assert tf.test.compute_gradient_error(variable, shape, y, []) < 1e-6
