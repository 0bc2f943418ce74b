"""Recurrent networks; evergraph's must have TensorFlow's variables, names, shapes, outputs, gradients and training."""

import numpy as np

BATCH, STEPS, DEPTH, UNITS = 3, 5, 4, 3
INPUTS = np.random.RandomState(1).randn(BATCH, STEPS, DEPTH).astype(np.float32)
LENGTHS = np.array([2, 5, 0], np.int32)

CELLS = {
    "basic_rnn": lambda cells: cells.BasicRNNCell(UNITS),
    "basic_rnn_relu": lambda cells: cells.BasicRNNCell(UNITS, activation="relu", name="simple"),
    "gru": lambda cells: cells.GRUCell(UNITS),
    "basic_lstm": lambda cells: cells.BasicLSTMCell(UNITS, forget_bias=0.5),
    "basic_lstm_joined": lambda cells: cells.BasicLSTMCell(UNITS, state_is_tuple=False),
    "lstm": lambda cells: cells.LSTMCell(UNITS),
    "lstm_all": lambda cells: cells.LSTMCell(UNITS, use_peepholes=True, cell_clip=0.3, num_proj=2, proj_clip=0.2,
                                             forget_bias=0.7),
    "lstm_joined": lambda cells: cells.LSTMCell(UNITS, num_proj=2, state_is_tuple=False),
    "lstm_sharded": lambda cells: cells.LSTMCell(UNITS, num_proj=2, num_unit_shards=2, num_proj_shards=3),
    "multi": lambda cells: cells.MultiRNNCell([cells.BasicLSTMCell(UNITS), cells.GRUCell(2), cells.LSTMCell(UNITS)]),
    "multi_joined": lambda cells: cells.MultiRNNCell([cells.GRUCell(2), cells.GRUCell(UNITS)], state_is_tuple=False),
    "residual": lambda cells: cells.ResidualWrapper(cells.GRUCell(DEPTH)),
    "residual_fn": lambda cells: cells.ResidualWrapper(cells.GRUCell(DEPTH), lambda x, y: x * y),
    "device": lambda cells: cells.DeviceWrapper(cells.BasicLSTMCell(UNITS), "/cpu:0"),
    "dropout_none": lambda cells: cells.DropoutWrapper(cells.LSTMCell(UNITS)),
    "dropout_variational": lambda cells: cells.DropoutWrapper(
        cells.LSTMCell(UNITS), 0.6, 0.7, 0.8, variational_recurrent=True, input_size=DEPTH, dtype=np.float32, seed=7),
    "multi_of_wrapped": lambda cells: cells.MultiRNNCell(
        [cells.ResidualWrapper(cells.DropoutWrapper(cells.BasicLSTMCell(DEPTH))) for _ in range(2)]),
}

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def _dynamic(kind, lengths):
    def build(tf):
        x = tf.placeholder(tf.float32, [None, None, DEPTH])
        outputs, state = tf.nn.dynamic_rnn(CELLS[kind](tf.nn.rnn_cell), x, dtype=tf.float32,
                                           sequence_length=LENGTHS if lengths else None)
        return x, outputs, state
    return build


def _static(kind, lengths):
    def build(tf):
        x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
        outputs, state = tf.nn.static_rnn(CELLS[kind](tf.nn.rnn_cell), tf.unstack(x, axis=1), dtype=tf.float32,
                                          sequence_length=LENGTHS if lengths else None)
        return x, outputs, state
    return build


for _kind in CELLS:
    PROGRAMS[f"{_kind}-dynamic"] = _dynamic(_kind, False)
    if _kind in ("basic_lstm", "lstm_all", "gru", "multi", "multi_joined", "residual", "dropout_variational"):
        PROGRAMS[f"{_kind}-dynamic-lengths"] = _dynamic(_kind, True)
    if _kind in ("basic_rnn", "lstm", "multi", "dropout_variational"):
        PROGRAMS[f"{_kind}-static"] = _static(_kind, False)
        PROGRAMS[f"{_kind}-static-lengths"] = _static(_kind, True)


@program
def one_call(tf):
    cell = tf.nn.rnn_cell.LSTMCell(UNITS, name="mine")
    x = tf.placeholder(tf.float32, [BATCH, DEPTH])
    outputs, state = cell(x[:, :DEPTH], cell.zero_state(BATCH, tf.float32))
    again = cell(x, state)
    return x, [outputs, again], state


@program
def time_major(tf):
    x = tf.placeholder(tf.float32, [STEPS, BATCH, DEPTH])
    start = tf.ones([BATCH, UNITS])
    outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(UNITS), x, initial_state=start, time_major=True,
                                       scope="mine", sequence_length=LENGTHS, parallel_iterations=4, swap_memory=True)
    return x, outputs, state


@program
def several_inputs(tf):
    class Both(tf.nn.rnn_cell.RNNCell):
        state_size = property(lambda self: (UNITS, tf.TensorShape([2, 2])))
        output_size = property(lambda self: (UNITS, 1))

        def call(self, inputs, state):
            w = tf.get_variable("w", [DEPTH, UNITS])
            first = tf.tanh(tf.matmul(inputs["a"], w) + state[0])
            return (first, tf.reduce_sum(inputs["b"], 1, keepdims=True)), (first, state[1] + 1.0)

    x = tf.placeholder(tf.float32, [None, None, DEPTH])
    outputs, state = tf.nn.dynamic_rnn(Both(), {"a": x, "b": 2.0 * x}, dtype=tf.float32, sequence_length=LENGTHS)
    return x, outputs, state


@program
def bidirectional(tf):
    x = tf.placeholder(tf.float32, [None, None, DEPTH])
    cells = tf.nn.rnn_cell
    outputs, state = tf.nn.bidirectional_dynamic_rnn(cells.BasicLSTMCell(UNITS), cells.GRUCell(2), x, dtype=tf.float32)
    return x, outputs, state


@program
def bidirectional_lengths(tf):
    x = tf.placeholder(tf.float32, [None, None, DEPTH])
    cells = tf.nn.rnn_cell
    outputs, state = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(UNITS), cells.GRUCell(UNITS), x, dtype=tf.float32,
                                                     sequence_length=LENGTHS)
    return x, outputs, state


@program
def static_bidirectional(tf):
    x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
    cells = tf.nn.rnn_cell
    outputs, *states = tf.nn.static_bidirectional_rnn(cells.GRUCell(UNITS), cells.LSTMCell(2), tf.unstack(x, axis=1),
                                                      dtype=tf.float32)
    return x, outputs, states


@program
def static_bidirectional_lengths(tf):
    x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
    cells = tf.nn.rnn_cell
    outputs, *states = tf.nn.static_bidirectional_rnn(cells.GRUCell(UNITS), cells.GRUCell(2), tf.unstack(x, axis=1),
                                                      dtype=tf.float32, sequence_length=np.array([2, 5, 1], np.int32))
    return x, outputs, states


@program
def raw(tf):
    x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
    cell, columns = tf.nn.rnn_cell.LSTMCell(UNITS), tf.transpose(x, [1, 0, 2])
    lengths = tf.constant([2, 5, 1])
    read = tf.TensorArray(tf.float32, size=STEPS).unstack(columns)

    def loop_fn(time, output, state, loop_state):
        finished = time >= lengths
        state = cell.zero_state(BATCH, tf.float32) if output is None else state
        done = tf.reduce_all(finished)
        now = tf.cond(done, lambda: tf.zeros([BATCH, DEPTH]), lambda: read.read(time))
        now.set_shape([BATCH, DEPTH])
        return finished, now, state, output, None

    arrays, state, loop_state = tf.nn.raw_rnn(cell, loop_fn)
    assert loop_state is None
    return x, arrays.stack(), state


@program
def raw_with_loop_state(tf):
    x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
    cell = tf.nn.rnn_cell.BasicRNNCell(UNITS)

    def loop_fn(time, output, state, total):
        if output is None:
            return tf.zeros([BATCH], tf.bool), x[:, 0], cell.zero_state(BATCH, tf.float32), \
                (tf.zeros([UNITS]), tf.zeros([])), tf.constant(0.0)
        return tf.tile([time >= 4], [BATCH]), x[:, 0] * tf.cast(time, tf.float32), state, \
            (2.0 * output, tf.reduce_sum(output, 1)), total + tf.reduce_sum(output)

    arrays, state, total = tf.nn.raw_rnn(cell, loop_fn, scope="raw")
    return x, [arrays[0].stack(), arrays[1].stack(), total], state


@program
def saved_state(tf):
    class Saver:
        def __init__(self):
            self.kept = tf.Variable(tf.ones([BATCH, UNITS]), trainable=False, name="kept")

        def state(self, name):
            return self.kept.read_value() if hasattr(self.kept, "read_value") else self.kept

        def save_state(self, name, state):
            return tf.assign(self.kept, state)

    x = tf.placeholder(tf.float32, [BATCH, STEPS, DEPTH])
    outputs, state = tf.nn.static_state_saving_rnn(tf.nn.rnn_cell.GRUCell(UNITS), tf.unstack(x, axis=1), Saver(), "s")
    return x, outputs, state


@program
def shared(tf):
    x = tf.placeholder(tf.float32, [None, None, DEPTH])
    with tf.variable_scope("model"):
        first, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(UNITS), x, dtype=tf.float32)
    with tf.variable_scope("model", reuse=True):
        second, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(UNITS), 2.0 * x, dtype=tf.float32)
    third, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(UNITS), x, dtype=tf.float32, scope="other")
    return x, [first, second, third], state


def recorded(tf, function, **session):
    """(names and shapes of variables, names and shapes of results, values: results, gradients, losses of 5 steps)."""
    with tf.Graph().as_default(), tf.Session(**session) as sess:
        with tf.variable_scope("", initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=3)):
            x, outputs, state = function(tf)
        results = tf.nest.flatten([outputs, state])
        loss = tf.add_n([tf.reduce_sum(tf.square(r - 0.1)) for r in results])
        variables = tf.trainable_variables()
        gradients = tf.gradients(loss, [x, *variables])
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        sess.run(tf.global_variables_initializer())
        feeds = {x: _fitted(x.shape.as_list())}
        values = sess.run([results, gradients], feeds)
        losses = [sess.run([train, loss], feeds)[1] for _ in range(5)]
        listed = lambda tensors: [[t.name, None if t.shape.ndims is None else t.shape.as_list()] for t in tensors]
        return listed(variables), listed(results), [*values[0], *values[1], np.array(losses)]


def _fitted(shape):
    """The inputs in the order and rank that a program takes."""
    if shape[0] == STEPS:
        return INPUTS.transpose(1, 0, 2)
    return INPUTS[:, 0] if len(shape) == 2 else INPUTS
