"""tf.contrib.seq2seq.dynamic_decode and its helpers, against the same computed step by step with NumPy."""

import subprocess
import sys

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile.policy import compilations
from evergraph.passes.partition import on_host
from tests.harness.session import interpreted as evaluated

seq2seq = tf.contrib.seq2seq
RANDOM = np.random.RandomState(5)
BATCH, STEPS, SIZE, UNITS, SYMBOLS = 3, 5, 4, 6, 7
INPUTS = RANDOM.randn(BATCH, STEPS, SIZE).astype(np.float32)
LENGTHS = np.array([5, 2, 0], np.int32)
VECTORS = RANDOM.randn(SYMBOLS, SIZE).astype(np.float32)
KERNEL = RANDOM.randn(SIZE + UNITS, UNITS).astype(np.float32)
OUTPUT = RANDOM.randn(UNITS, SYMBOLS).astype(np.float32)


def cell():
    """A cell and a layer with the weights above."""
    return (tf.nn.rnn_cell.BasicRNNCell(UNITS, name="cell"),
            tf.layers.Dense(SYMBOLS, use_bias=False, name="output", kernel_initializer=tf.constant_initializer(OUTPUT)))


def decoded(helper, layer=True, batch=BATCH, **options):
    the_cell, output = cell()
    decoder = seq2seq.BasicDecoder(the_cell, helper, the_cell.zero_state(batch, tf.float32), output if layer else None)
    with tf.variable_scope("", initializer=tf.constant_initializer(KERNEL)):
        return seq2seq.dynamic_decode(decoder, **options)


def step(x, state):
    return np.tanh(np.concatenate([x, state], 1) @ KERNEL)


def greedy(start, end, most):
    """(logits, symbols, lengths) of greedy decoding, one step after another."""
    state, symbols, finished = np.zeros([BATCH, UNITS], np.float32), np.array(start), np.zeros(BATCH, bool)
    logits, found, lengths = [], [], np.zeros(BATCH, np.int32)
    while not finished.all() and len(found) < most:
        state = step(VECTORS[symbols], state)
        logits.append(state @ OUTPUT)
        symbols = logits[-1].argmax(1)
        found.append(symbols)
        lengths[~finished] = len(found)
        finished |= symbols == end
    return np.stack(logits, 1), np.stack(found, 1), lengths


# ---- the loop

@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("time_major", [False, True])
def test_outputs_of_a_taught_decoder(tier, time_major):
    given = INPUTS.swapaxes(0, 1) if time_major else INPUTS
    x, lengths = tf.placeholder(tf.float32, given.shape), tf.placeholder(tf.int32, [BATCH])
    outputs, state, found = decoded(seq2seq.TrainingHelper(x, lengths, time_major=time_major), layer=False,
                                    output_time_major=time_major, impute_finished=True)
    assert outputs.rnn_output.shape.as_list() == ([None, BATCH, UNITS] if time_major else [BATCH, None, UNITS])
    values, last, counts = evaluated([outputs, state, found], {x: given, lengths: LENGTHS}, tier)
    wanted, now = np.zeros([BATCH, STEPS, UNITS], np.float32), np.zeros([BATCH, UNITS], np.float32)
    for time in range(STEPS):
        going = time < LENGTHS
        now[going] = step(INPUTS[:, time], now)[going]
        wanted[going, time] = now[going]
    np.testing.assert_allclose(values.rnn_output.swapaxes(0, 1) if time_major else values.rnn_output, wanted, rtol=2e-5,
                               atol=1e-6)
    np.testing.assert_allclose(last, now, rtol=2e-5, atol=1e-6)
    np.testing.assert_array_equal(counts, LENGTHS)


def test_without_imputing_finished_sequences_go_on():
    outputs, state, lengths = decoded(seq2seq.TrainingHelper(INPUTS, [1, 3, 2]), layer=False)
    values, last, counts = evaluated([outputs, state, lengths])
    assert values.rnn_output.shape == (BATCH, 3, UNITS)
    assert (values.rnn_output[0, 2] != 0).all()
    np.testing.assert_allclose(values.rnn_output[:, -1], last)
    np.testing.assert_array_equal(counts, [1, 3, 2])
    np.testing.assert_array_equal(values.sample_id, values.rnn_output.argmax(-1))


@pytest.mark.parametrize("most", [0, 1, 4, 9])
def test_maximum_iterations(most):
    limit = tf.placeholder(tf.int32, [])
    outputs, _, lengths = decoded(seq2seq.TrainingHelper(INPUTS, LENGTHS), maximum_iterations=limit)
    logits, counts = evaluated([outputs.rnn_output, lengths], {limit: most})
    assert logits.shape == (BATCH, min(most, 5), SYMBOLS)
    np.testing.assert_array_equal(counts, np.minimum(LENGTHS, most))


def test_matches_dynamic_rnn_and_its_gradients():
    """A decoder that is taught computes what tf.nn.dynamic_rnn does, with one set of variables."""
    x = tf.constant(INPUTS)
    outputs, state, _ = decoded(seq2seq.TrainingHelper(x, LENGTHS), layer=False, impute_finished=True, scope="net")
    with tf.variable_scope("net", reuse=True):
        again, last = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(UNITS, name="cell"), x, LENGTHS, dtype=tf.float32,
                                        scope=tf.get_variable_scope())
    variables = tf.trainable_variables()
    assert [v.op.name for v in variables] == ["net/cell/kernel", "net/cell/bias"]
    for tier in ("numpy", "xla"):
        ours, theirs = evaluated([tf.gradients([outputs.rnn_output, state], [x, *variables]),
                                  tf.gradients([again, last], [x, *variables])], tier=tier)
        for a, b in zip(ours, theirs):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_training_is_one_compiled_program():
    x, lengths = tf.placeholder(tf.float32, [None, None, SIZE]), tf.placeholder(tf.int32, [None])
    outputs, _, _ = decoded(seq2seq.TrainingHelper(x, lengths), batch=tf.size(lengths))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(outputs.rnn_output ** 2))
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        feeds = {x: INPUTS, lengths: LENGTHS}
        session.run(train, feeds)
        before = compilations.count
        session.run(train, feeds)
        session.run(train, {x: INPUTS, lengths: [1, 5, 4]})  # lengths change, but not the longest
        assert compilations.count == before


def test_messages_of_checks_do_not_keep_a_loop_from_being_compiled():
    """A decoder that checks what it gets runs on the device, with the text of the message as a constant."""
    class Checked(Countdown):
        def step(self, time, inputs, state, name=None):
            with tf.control_dependencies([tf.assert_less(inputs, 9, message="too large")]):
                return super().step(time, tf.identity(inputs), state)

    numbers = tf.placeholder(tf.int32, [2])
    outputs, _, _ = seq2seq.dynamic_decode(Checked(numbers), maximum_iterations=4)
    loop = next(op for op in tf.get_default_graph().get_operations() if op.type == "While")
    assert not on_host(loop)
    np.testing.assert_array_equal(evaluated(outputs["number"], {numbers: [2, 1]}, "xla"), [[1, 0], [0, -1]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large"):
        evaluated(outputs["number"], {numbers: [2, 11]}, "xla")


def test_the_first_program_of_a_process_may_take_lists():
    program = """if True:
        import numpy as np
        import evergraph as tf
        x = tf.TensorArray(tf.float32, size=2)
        x = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x.write(i, tf.py_func(np.float32, [i], tf.float32))),
                          (0, x))[1]
        y = tf.placeholder(tf.float32, [1 << 18])  # worth compiling at once
        print(tf.Session().run(tf.reduce_sum(x.stack()) + tf.reduce_max(y * 2.0 + 1.0), {y: np.ones(1 << 18)}))
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.strip() == "4.0", ran.stderr


def test_what_dynamic_decode_refuses():
    with pytest.raises(TypeError, match="Decoder"):
        seq2seq.dynamic_decode(object())
    with pytest.raises(ValueError, match="scalar"):
        decoded(seq2seq.TrainingHelper(INPUTS, LENGTHS), maximum_iterations=[1, 2])


class Countdown(seq2seq.Decoder):
    """Counts down from the numbers of a vector; state, output and input are the numbers."""

    def __init__(self, numbers):
        self.numbers = tf.convert_to_tensor(numbers)

    batch_size = property(lambda self: tf.size(self.numbers))
    output_size = property(lambda self: {"number": tf.TensorShape([])})
    output_dtype = property(lambda self: {"number": tf.int32})

    def initialize(self, name=None):
        return tf.equal(self.numbers, 0), self.numbers, {"number": self.numbers, "steps": tf.constant(0)}

    def step(self, time, inputs, state, name=None):
        number = inputs - 1
        return {"number": number}, {"number": number, "steps": state["steps"] + 1}, number, tf.equal(number, 0)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_decoder_of_ones_own(tier):
    outputs, state, lengths = seq2seq.dynamic_decode(Countdown([2, 0, 3]), impute_finished=True)
    outputs, state, lengths = evaluated([outputs, state, lengths], tier=tier)
    np.testing.assert_array_equal(outputs["number"], [[1, 0, 0], [0, 0, 0], [2, 1, 0]])
    np.testing.assert_array_equal(state["number"], [0, 0, 0])
    assert state["steps"] == 3
    np.testing.assert_array_equal(lengths, [2, 0, 3])


# ---- helpers

@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_greedy_decoding(tier):
    starts = [0, 3, 4]
    logits, symbols, lengths = greedy(starts, 2, 8)
    helper = seq2seq.GreedyEmbeddingHelper(VECTORS, starts, 2)
    values, counts = evaluated(decoded(helper, maximum_iterations=8)[::2], tier=tier)
    np.testing.assert_array_equal(values.sample_id, symbols)
    np.testing.assert_allclose(values.rnn_output, logits, rtol=2e-4, atol=1e-5)
    np.testing.assert_array_equal(counts, lengths)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_decoder_survives_its_graph_def(tier):
    """Also the arrays that grow, and that others do not."""
    first = decoded(seq2seq.GreedyEmbeddingHelper(VECTORS, [0, 3, 4], 2), maximum_iterations=8)[0].sample_id
    wrong = tf.TensorArray(tf.float32, size=1).write(tf.placeholder_with_default(3, []), 1.0).stack()
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        wanted = session.run(first)
        values = {v.op.name: session.run(v) for v in tf.global_variables()}
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session(tier=tier) as session:
        tf.train.import_meta_graph(message)
        for variable in tf.global_variables():
            variable.load(values[variable.op.name], session)
        np.testing.assert_array_equal(session.run(first.name), wanted)
        with pytest.raises(tf.errors.InvalidArgumentError, match="1 elements"):
            session.run(wrong.name)


def test_greedy_decoding_of_any_length_compiles():
    """Without a limit the arrays get room as they grow."""
    ends = tf.placeholder(tf.int32, [])
    helper = seq2seq.CustomHelper(
        initialize_fn=lambda: (tf.fill([2], False), tf.zeros([2, 1])),
        sample_fn=lambda time, outputs, state: tf.fill([2], time),
        next_inputs_fn=lambda time, outputs, state, sample_ids: (tf.equal(sample_ids, ends), outputs + 1.0, state))
    the_cell = tf.nn.rnn_cell.BasicRNNCell(1)
    outputs, _, lengths = seq2seq.dynamic_decode(seq2seq.BasicDecoder(the_cell, helper, tf.zeros([2, 1])))
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        for last in (3, 150):
            found, counts = session.run([outputs.sample_id, lengths], {ends: last})
            np.testing.assert_array_equal(found, [range(last + 1)] * 2)
            np.testing.assert_array_equal(counts, [last + 1] * 2)


def test_sampled_symbols_follow_the_logits():
    helper = seq2seq.SampleEmbeddingHelper(VECTORS, [0] * 2000, 1, softmax_temperature=2.0, seed=4)
    logits = tf.tile([[0.0, 2 * np.log(3.0), -100.0]], [2000, 1])
    ids = helper.sample(time=0, outputs=logits, state=())
    finished, inputs, _ = helper.next_inputs(time=0, outputs=logits, state=(), sample_ids=ids)
    ids, finished, inputs = evaluated([ids, finished, inputs])
    np.testing.assert_allclose(np.bincount(ids, minlength=3) / 2000, [0.25, 0.75, 0.0], atol=0.03)
    assert ids.dtype == np.int32
    np.testing.assert_array_equal(finished, ids == 1)
    np.testing.assert_array_equal(inputs, VECTORS[ids])
    with pytest.raises(TypeError):
        helper.sample(time=0, outputs=(logits,), state=())


def test_when_all_are_finished_the_first_inputs_come_again():
    helper = seq2seq.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 4), [1, 2], 3)
    finished, inputs, state = helper.next_inputs(time=0, outputs=None, state="state", sample_ids=tf.constant([3, 3]))
    assert state == "state"
    np.testing.assert_array_equal(evaluated(inputs), np.eye(4)[[1, 2]])
    for starts, end in ((0, 1), ([0], [1])):
        with pytest.raises(ValueError):
            seq2seq.GreedyEmbeddingHelper(VECTORS, starts, end)


def test_inference_helper():
    helper = seq2seq.InferenceHelper(lambda outputs: outputs > 0, sample_shape=[3], sample_dtype=tf.bool,
                                     start_inputs=np.zeros([2, 3], np.float32),
                                     end_fn=lambda samples: tf.reduce_all(samples, 1),
                                     next_inputs_fn=lambda samples: tf.cast(samples, tf.float32))
    assert helper.sample_ids_shape == [3] and helper.sample_ids_dtype == tf.bool
    outputs = tf.constant([[1.0, -1.0, 1.0], [1.0, 2.0, 3.0]])
    samples = helper.sample(time=0, outputs=outputs, state=())
    found = evaluated([helper.initialize(), helper.next_inputs(0, outputs, (), samples)[:2], helper.batch_size])
    np.testing.assert_array_equal(found[0][0], [False, False])
    np.testing.assert_array_equal(found[1][0], [False, True])
    np.testing.assert_array_equal(found[1][1], [[1, 0, 1], [1, 1, 1]])
    assert found[2] == 2


def test_custom_helper_knows_its_batch_after_the_start():
    helper = seq2seq.CustomHelper(lambda: (tf.constant([False] * 4), tf.zeros([4, 1])), None, None)
    with pytest.raises(ValueError):
        helper.batch_size  # noqa: B018 - it is the reading that fails
    helper.initialize()
    assert evaluated(helper.batch_size) == 4
    assert helper.sample_ids_shape == [] and helper.sample_ids_dtype == tf.int32


def test_scheduled_embedding():
    """Chosen sequences go on with a symbol that was drawn, the others with the right input."""
    chances = np.array([0.0, 1.0, 1.0], np.float32)
    helper = seq2seq.ScheduledEmbeddingTrainingHelper(INPUTS, [4, 4, 4], VECTORS, chances, seed=1, scheduling_seed=2)
    logits = tf.one_hot([3, 5, 6], SYMBOLS, on_value=100.0)
    ids = helper.sample(time=tf.constant(1), outputs=logits, state=())
    finished, inputs, _ = helper.next_inputs(time=tf.constant(1), outputs=logits, state=(), sample_ids=ids)
    ids, finished, inputs = evaluated([ids, finished, inputs])
    np.testing.assert_array_equal(ids, [-1, 5, 6])
    np.testing.assert_allclose(inputs, [INPUTS[0, 2], VECTORS[5], VECTORS[6]])
    assert not finished.any()
    with pytest.raises(ValueError):
        seq2seq.ScheduledEmbeddingTrainingHelper(INPUTS, [4, 4, 4], VECTORS, np.zeros([3, 1], np.float32))


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("changed", [False, True])
def test_scheduled_output(beside, changed):
    more = RANDOM.randn(BATCH, STEPS, 2).astype(np.float32) if beside else None
    helper = seq2seq.ScheduledOutputTrainingHelper(INPUTS, [4, 4, 4], np.array([1.0, 0.0, 1.0], np.float32), seed=3,
                                                   next_inputs_fn=(lambda x: x * 2.0) if changed else None,
                                                   auxiliary_inputs=more)
    outputs = RANDOM.randn(BATCH, SIZE).astype(np.float32)
    ids = helper.sample(time=tf.constant(0), outputs=tf.constant(outputs), state=())
    found = helper.next_inputs(time=tf.constant(0), outputs=tf.constant(outputs), state=(), sample_ids=ids)[1]
    ids, found = evaluated([ids, found])
    np.testing.assert_array_equal(ids, [1, 0, 1])
    wanted = np.where(ids[:, None] == 1, outputs * (2 if changed else 1), INPUTS[:, 1])
    np.testing.assert_allclose(found, np.concatenate([wanted, more[:, 1]], 1) if beside else wanted, rtol=1e-6)


def test_scheduled_decoding_runs_compiled():
    helper = seq2seq.ScheduledEmbeddingTrainingHelper(INPUTS, LENGTHS, VECTORS, 0.5, seed=1)
    values = evaluated(decoded(helper)[0], tier="xla")
    assert values.rnn_output.shape == (BATCH, 5, SYMBOLS)
    assert set(np.unique(values.sample_id)) > {-1}


def test_training_helper_tells_what_it_was_given():
    helper = seq2seq.TrainingHelper(INPUTS, LENGTHS)
    assert helper.inputs.shape.as_list() == [BATCH, STEPS, SIZE] and helper.sequence_length.dtype == tf.int32
    finished, inputs = evaluated(helper.initialize())
    np.testing.assert_array_equal(finished, [False, False, True])
    np.testing.assert_array_equal(inputs, INPUTS[:, 0])
    with pytest.raises(ValueError, match="vector"):
        seq2seq.TrainingHelper(INPUTS, 3)


def test_a_helper_derived_from_the_training_one_may_end_sequences_itself():
    class Sooner(seq2seq.TrainingHelper):
        def next_inputs(self, time, outputs, state, name=None, **unused):
            finished, inputs, state = super().next_inputs(time, outputs, state)
            return finished | (time >= 1), inputs, state

    values, counts = evaluated(decoded(Sooner(INPUTS, LENGTHS))[::2])
    assert values.rnn_output.shape[1] == 2
    np.testing.assert_array_equal(counts, [2, 2, 0])


def test_sizes_and_kinds_of_a_basic_decoder():
    the_cell, output = cell()
    state = the_cell.zero_state(BATCH, tf.float32)
    helper = seq2seq.TrainingHelper(INPUTS, LENGTHS)
    decoder = seq2seq.BasicDecoder(the_cell, helper, state, output)
    assert decoder.output_size == seq2seq.BasicDecoderOutput(tf.TensorShape([SYMBOLS]), tf.TensorShape([]))
    assert decoder.output_dtype == (tf.float32, tf.int32)
    assert seq2seq.BasicDecoder(the_cell, helper, state).output_size.rnn_output == UNITS
    for arguments in ((the_cell, object(), state), (object(), helper, state), (the_cell, helper, state, abs)):
        with pytest.raises(TypeError):
            seq2seq.BasicDecoder(*arguments)
