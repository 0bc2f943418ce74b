"""Beam search, against one written with Python lists."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.seq2seq.beam import gather_tree_from_array
from evergraph.contrib.seq2seq.beam_step import beams_after
from tests.harness.session import interpreted as evaluated

seq2seq = tf.contrib.seq2seq
RANDOM = np.random.RandomState(11)
BATCH, BEAMS, SYMBOLS, UNITS, END = 2, 3, 6, 4, 1
VECTORS = RANDOM.randn(SYMBOLS, UNITS).astype(np.float32)
KERNEL = RANDOM.randn(2 * UNITS, UNITS).astype(np.float32)
OUTPUT = 2 * RANDOM.randn(UNITS, SYMBOLS).astype(np.float32)
STARTS = [0, 4]

# ---- GatherTree


def followed(ids, parents, lengths, end):
    """Every beam from its last step back to the first."""
    steps, batch, width = ids.shape
    found = np.full(ids.shape, end)
    for sequence in range(batch):
        last = min(steps, lengths[sequence])
        for beam in range(width):
            place = beam
            for time in reversed(range(last)):
                found[time, sequence, beam] = ids[time, sequence, place]
                place = parents[time, sequence, place]
            ends = np.flatnonzero(found[:, sequence, beam] == end)
            if len(ends):
                found[ends[0]:, sequence, beam] = end
    return found


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gather_tree(tier):
    ids = RANDOM.randint(0, 9, [7, 5, 4]).astype(np.int32)
    parents = RANDOM.randint(0, 4, [7, 5, 4]).astype(np.int32)
    lengths = np.array([0, 3, 7, 9, 1], np.int32)
    fed = [tf.placeholder(tf.int32, [None] * v.ndim) for v in (ids, parents, lengths)]
    found = seq2seq.gather_tree(*fed, 8)
    assert found.shape.as_list() == [None, None, None]
    values = evaluated(found, dict(zip(fed, (ids, parents, lengths))), tier)
    np.testing.assert_array_equal(values, followed(ids, parents, lengths, 8))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_gather_tree_of_beams_that_there_are_not(tier):
    ids = np.zeros([3, 1, 2], np.int32)
    parents = np.array([[[0, 0]], [[0, 0]], [[1, -1]]], np.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"parent id -1 at \(batch, time, beam\) == \(0, 1, 1\)"):
        evaluated(seq2seq.gather_tree(tf.placeholder_with_default(ids, ids.shape), parents, [3], 9), tier=tier)
    found = seq2seq.gather_tree(ids, parents, [2], 9)  # the last step is beyond the length
    np.testing.assert_array_equal(evaluated(found, tier=tier)[:2], ids[:2])


def test_shapes_of_gather_tree():
    ids = np.zeros([3, 2, 2], np.int32)
    with pytest.raises(ValueError):
        seq2seq.gather_tree(ids, np.zeros([3, 2, 4], np.int32), [3, 3], 9)
    for parents, lengths in ((ids, [3]), (ids[:2], [3, 3])):
        parents = tf.placeholder_with_default(parents, None)
        with pytest.raises(tf.errors.InvalidArgumentError, match="saw shapes"):
            evaluated(seq2seq.gather_tree(ids, parents, tf.placeholder_with_default(lengths, [None]), 9))
    assert evaluated(seq2seq.gather_tree(ids[:0], ids[:0], [0, 0], 9)).shape == (0, 2, 2)


def test_rows_in_the_order_of_the_beams():
    ids = np.tile(np.arange(BEAMS, dtype=np.int32), [5, BATCH, 1])
    parents = RANDOM.randint(0, BEAMS, [5, BATCH, BEAMS]).astype(np.int32)
    rows = RANDOM.randn(5, BATCH, BEAMS, 2).astype(np.float32)
    lengths = np.array([[5, 5, 5], [4, 2, 4]])
    found = evaluated(gather_tree_from_array(tf.constant(rows), tf.constant(parents), lengths))
    places = followed(ids, parents, [5, 4], BEAMS + 1)
    for time, sequence, beam in np.ndindex(5, BATCH, BEAMS):
        place = places[time, sequence, beam] if time < lengths[sequence, beam] else beam
        np.testing.assert_array_equal(found[time, sequence, beam], rows[time, sequence, place])


# ---- one step

def state_of(log_probs, finished, lengths, attended=()):
    return seq2seq.BeamSearchDecoderState(
        cell_state=tf.constant([[[1.0], [2.0], [3.0]]]), log_probs=tf.constant([log_probs]),
        finished=tf.constant([finished]), lengths=tf.constant([lengths], tf.int64),
        accumulated_attention_probs=attended)


def log_softmax(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def test_a_step_continues_the_best():
    logits = np.array([[[0.1, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 2.5], [9.0, 0.0, 0.0, 0.0]]], np.float32)
    state = state_of([-1.0, -1.2, -1.1], [False, False, True], [4, 4, 2])
    (scores, ids, parents), after = beams_after(tf.constant(logits), state.cell_state, state, END, 0.0, 0.0)
    values = evaluated([scores, ids, parents, after])
    chances = log_softmax(logits)[0]
    # The third beam is finished: it may only end again, at no cost.
    np.testing.assert_array_equal(values[1], [[END, 2, 3]])
    np.testing.assert_array_equal(values[2], [[2, 0, 1]])
    wanted = [[-1.1, -1.0 + chances[0, 2], -1.2 + chances[1, 3]]]
    np.testing.assert_allclose(values[0], wanted, rtol=1e-5)
    cell_state, log_probs, finished, lengths, attended = values[3]
    np.testing.assert_array_equal(cell_state, [[[3.0], [1.0], [2.0]]])
    np.testing.assert_allclose(log_probs, wanted, rtol=1e-5)
    np.testing.assert_array_equal(finished, [[True, False, False]])
    np.testing.assert_array_equal(lengths, [[2, 5, 5]])
    assert attended == ()


def test_length_penalty():
    logits = np.array([[[0, 0, 0, -9]] * 3], np.float32)
    state = state_of([-1.0, -1.8, -3.0], [False, True, False], [3, 2, 9])
    (scores, ids, parents), after = beams_after(tf.constant(logits), state.cell_state, state, END, 0.8, 0.0)
    scores, ids, parents, lengths = evaluated([scores, ids, parents, after[3]])
    penalty = lambda length: ((5 + length) / 6) ** 0.8
    chance = log_softmax(logits)[0, 0, 0]
    # Symbols that go on make a sequence longer, and so its score better, than the one that ends it.
    assert list(zip(parents[0], ids[0])) == [(0, 0), (0, 2), (1, END)]
    np.testing.assert_allclose(scores[0], [(-1 + chance) / penalty(4)] * 2 + [-1.8 / penalty(2)], rtol=1e-5)
    np.testing.assert_array_equal(lengths, [[4, 4, 2]])
    with pytest.raises(ValueError, match="scalar"):
        beams_after(tf.constant(logits), state.cell_state, state, END, [0.8], 0.0)


def test_coverage_penalty():
    before = tf.constant([[[0.5, 0.5, 0.0], [0.9, 0.3, 0.0], [1.5, 0.5, 0.0]]])
    now = tf.constant([[[0.5, 0.25, 0.0], [0.1, 0.2, 0.0], [0.5, 0.5, 0.0]]])
    cell_state = seq2seq.AttentionWrapperState(*[()] * 3, now, (), ())
    state = state_of([-1.0, -2.0, -3.0], [False, True, True], [3, 2, 9], before)._replace(cell_state=cell_state)
    (scores, ids, parents), after = beams_after(tf.zeros([1, 3, 4]), cell_state, state, END, 0.0, 0.5)
    scores, ids, parents, attended = evaluated([scores, ids, parents, after[4]])
    seen = {0: [1.0, 0.75, 0.0], 1: [0.9, 0.3, 0.0], 2: [1.5, 0.5, 0.0]}  # finished beams attend to nothing any more
    np.testing.assert_allclose(attended[0], [seen[beam] for beam in parents[0]], rtol=1e-6)
    penalty = {0: 0.0, 1: 0.5 * np.log(0.9 * 0.3), 2: 0.5 * np.log(0.5)}
    total = {0: -1 + np.log(0.25), 1: -2.0, 2: -3.0}
    for score, parent in zip(scores[0], parents[0]):
        assert score == pytest.approx(total[parent] + penalty[parent], rel=1e-5)
    with pytest.raises(ValueError, match="coverage_penalty_weight"):
        plain = state_of([-1.0, -2.0, -3.0], [False] * 3, [1] * 3)
        beams_after(tf.zeros([1, 3, 4]), plain.cell_state, plain, END, 0.0, 0.5)


# ---- the decoder

def searched(start, most, length_weight):
    """The symbols and scores of the beams of one sequence; finished ones compete with their final probability."""
    beams = [(0.0, [], np.zeros(UNITS, np.float32), start, False)]
    for _ in range(most):
        candidates = []
        for total, symbols, state, last, finished in beams:
            if finished:
                candidates.append((total, symbols, state, last, True))
                continue
            after = np.tanh(np.concatenate([VECTORS[last], state]) @ KERNEL)
            for symbol, chance in enumerate(log_softmax(after @ OUTPUT)):
                candidates.append((total + chance, [*symbols, symbol], after, symbol, symbol == END))
        beams = sorted(candidates, key=lambda beam: -score_of(beam, length_weight))[:BEAMS]
        if all(beam[-1] for beam in beams):
            break
    return beams


def score_of(beam, weight):
    return beam[0] / ((5 + len([s for s in beam[1] if s != END])) / 6) ** weight


def decoder(length_weight=0.0, **options):
    cell = tf.nn.rnn_cell.BasicRNNCell(UNITS, name="cell")
    layer = tf.layers.Dense(SYMBOLS, use_bias=False, kernel_initializer=tf.constant_initializer(OUTPUT))
    state = seq2seq.tile_batch(cell.zero_state(BATCH, tf.float32), BEAMS)
    return seq2seq.BeamSearchDecoder(cell, VECTORS, STARTS, END, state, BEAMS, layer,
                                     length_penalty_weight=length_weight, **options)


@pytest.mark.parametrize("tier, time_major", [("numpy", False), ("xla", True)])
def test_beams_are_those_of_a_plain_search(tier, time_major):
    with tf.variable_scope("", initializer=tf.constant_initializer(KERNEL)):
        outputs, state, lengths = seq2seq.dynamic_decode(decoder(), maximum_iterations=7, output_time_major=time_major)
    assert outputs.predicted_ids.shape.as_list() == ([None, BATCH, BEAMS] if time_major else [BATCH, None, BEAMS])
    symbols, last, counts = evaluated([outputs.predicted_ids, state, lengths], tier=tier)
    symbols = symbols.swapaxes(0, 1) if time_major else symbols
    for sequence, start in enumerate(STARTS):
        for beam, wanted in enumerate(searched(start, 7, 0.0)):
            padded = [*wanted[1], *[END] * (symbols.shape[1] - len(wanted[1]))]
            np.testing.assert_array_equal(symbols[sequence, :, beam], padded)
            assert last.log_probs[sequence, beam] == pytest.approx(wanted[0], rel=1e-4)
            assert last.lengths[sequence, beam] == len(wanted[1])
            assert last.finished[sequence, beam] == wanted[-1]
            np.testing.assert_allclose(last.cell_state[sequence, beam], wanted[2] if not wanted[-1] else
                                       last.cell_state[sequence, beam], rtol=1e-4, atol=1e-5)


def test_a_length_penalty_chooses_other_beams():
    with tf.variable_scope("", initializer=tf.constant_initializer(KERNEL)):
        outputs, _, _ = seq2seq.dynamic_decode(decoder(1.5), maximum_iterations=6)
    scores = outputs.beam_search_decoder_output.scores
    symbols, scores = evaluated([outputs.predicted_ids, scores])
    for sequence, start in enumerate(STARTS):
        wanted = searched(start, 6, 1.5)
        for beam, (_, found, *_) in enumerate(wanted):
            np.testing.assert_array_equal(symbols[sequence, :len(found), beam], found)
            assert scores[sequence, -1, beam] == pytest.approx(score_of(wanted[beam], 1.5), rel=1e-4)
    assert np.all(scores[:, -1, :-1] >= scores[:, -1, 1:])


@pytest.mark.parametrize("tier, reorder", [("numpy", False), ("xla", True)])
def test_attention_histories(tier, reorder):
    memory = tf.placeholder(tf.float32, [None, None, 3])
    batch = tf.shape(memory)[0]
    mechanism = seq2seq.BahdanauAttention(4, *seq2seq.tile_batch((memory, np.array([4, 2])), BEAMS))
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.LSTMCell(UNITS), mechanism, attention_layer_size=SYMBOLS,
                                    alignment_history=True)
    state = cell.zero_state(batch * BEAMS, tf.float32)
    search = seq2seq.BeamSearchDecoder(cell, VECTORS, tf.fill([batch], 0), END, state, BEAMS,
                                       coverage_penalty_weight=0.2, reorder_tensor_arrays=reorder)
    with tf.variable_scope("", initializer=tf.random_uniform_initializer(-2, 2, seed=9)):
        outputs, last, lengths = seq2seq.dynamic_decode(search, maximum_iterations=5)
    history = last.cell_state.alignment_history
    values = RANDOM.randn(2, 4, 3).astype(np.float32)
    rows, parents, counts = evaluated(
        [history if reorder else history.stack(), outputs.beam_search_decoder_output.parent_ids, lengths],
        {memory: values}, tier)
    steps = parents.shape[1]
    assert rows.shape == ((steps, 2, BEAMS, 4) if reorder else (steps, 2 * BEAMS, 4))
    np.testing.assert_allclose(rows.sum(-1), np.ones(rows.shape[:-1]), rtol=1e-5)
    assert counts.shape == (2, BEAMS)


def test_sizes_and_kinds():
    search = decoder()
    assert search.tracks_own_finished and evaluated(search.batch_size) == BATCH
    assert search.output_size == (tf.TensorShape([BEAMS]),) * 3
    assert search.output_dtype == (tf.float32, tf.int32, tf.int32)
    finished, inputs, state = search.initialize()
    finished, inputs, log_probs = evaluated([finished, inputs, state.log_probs])
    np.testing.assert_array_equal(finished, [[False, True, True]] * BATCH)
    np.testing.assert_array_equal(inputs, np.repeat(VECTORS[STARTS][:, None], BEAMS, 1))
    np.testing.assert_array_equal(log_probs, [[0, -np.inf, -np.inf]] * BATCH)


def test_what_the_decoder_refuses():
    cell = tf.nn.rnn_cell.BasicRNNCell(UNITS)
    state = cell.zero_state(BATCH, tf.float32)
    with pytest.raises(ValueError, match="tile_batch"):
        seq2seq.BeamSearchDecoder(cell, VECTORS, STARTS, END, state, BEAMS)
    with pytest.raises(TypeError):
        seq2seq.BeamSearchDecoder(cell, VECTORS, STARTS, END, seq2seq.tile_batch(state, BEAMS), BEAMS, output_layer=abs)
    with pytest.raises(ValueError):
        seq2seq.BeamSearchDecoder(cell, VECTORS, 0, END, seq2seq.tile_batch(state, BEAMS), BEAMS)


def test_tile_batch():
    x = RANDOM.randn(2, 3, 2).astype(np.float32)
    open_ = tf.placeholder_with_default(x, [None, None, 2])
    first, second, third = seq2seq.tile_batch((x, open_, np.array([5, 6])), 3)
    assert first.shape.as_list() == [6, 3, 2] and second.shape.as_list() == [None, None, 2]
    for found in evaluated([first, second]):
        np.testing.assert_array_equal(found, np.repeat(x, 3, 0))
    np.testing.assert_array_equal(evaluated(third), [5, 5, 5, 6, 6, 6])
    with pytest.raises(ValueError):
        seq2seq.tile_batch(3, 2)
