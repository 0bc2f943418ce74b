"""Small networks of the kinds whose training graphs lie in public repositories, as MetaGraphs of TensorFlow 1.

They have the ops of those: LFADS' autoencoder of sequences, graph attention, a sequence-to-sequence network with
attention, field-aware factorization by sparse features, and a GAN with two optimizers.
"""

import numpy as np

from tests.passes.imported.frame_programs import trained_by

PROGRAMS = {}
RANDOM = np.random.RandomState(7)


def weights(tf, name, shape, seed):
    return tf.get_variable(name, shape, initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=seed))


@trained_by("Adam", 0.01, kept=PROGRAMS)
def lfads(tf):
    """An autoencoder whose decoder is unrolled: encoders both ways, a Gaussian code, Poisson rates, weight decay."""
    x = tf.placeholder(tf.float32, [None, 5, 3], name="x")
    noise = tf.placeholder(tf.float32, [None, 2], name="noise")
    with tf.variable_scope("encoder", initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=1)):
        cells = [tf.nn.rnn_cell.GRUCell(4) for _ in range(2)]
        _, states = tf.nn.bidirectional_dynamic_rnn(*cells, x, dtype=tf.float32)
    code = tf.matmul(tf.concat(states, 1), weights(tf, "code", [8, 4], 2))
    mean, logvar = tf.split(code, 2, axis=1)
    state = mean + tf.exp(0.5 * logvar) * noise
    rates = []
    with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
        for _ in range(5):
            gate = tf.sigmoid(tf.matmul(state, weights(tf, "gate", [2, 2], 3)))
            state = gate * state + (1 - gate) * tf.tanh(tf.matmul(state, weights(tf, "next", [2, 2], 4)))
            rates.append(tf.matmul(state, weights(tf, "rates", [2, 3], 5)))
    rates = tf.stack(rates, axis=1)
    likelihood = tf.reduce_mean(tf.nn.log_poisson_loss(x, rates))
    divergence = -0.5 * tf.reduce_mean(1 + logvar - tf.square(mean) - tf.exp(logvar))
    norm = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "kernel" in v.name])
    loss = tf.check_numerics(likelihood + 0.1 * divergence + 0.01 * norm, "the loss")
    return [{"x:0": RANDOM.poisson(2, [2, 5, 3]).astype("f"), "noise:0": RANDOM.randn(2, 2).astype("f")}
            for _ in range(3)], {"loss": loss}  # fmt: skip


@trained_by("Adam", 0.01, kept=PROGRAMS)
def graph_attention(tf):
    """Two heads over all pairs of nodes with a mask of edges, a sparse sum over edges, and a masked loss."""
    x = tf.placeholder(tf.float32, [1, 4, 3], name="x")
    edges = tf.constant([[0, 1], [1, 0], [1, 2], [2, 3], [3, 3]], tf.int64)
    bias = tf.constant(np.where(RANDOM.rand(1, 4, 4) < 0.7, 0.0, -1e9).astype("f"))
    heads = []
    for i in range(2):
        mapped = tf.layers.conv1d(x, 5, 1, use_bias=False, name=f"map{i}",
                                  kernel_initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=i))  # fmt: skip
        one, two = (tf.matmul(mapped[0], weights(tf, f"{side}{i}", [5, 1], i)) for side in ("from", "to"))
        scores = one[None] + tf.transpose(two)[None]
        attention = tf.nn.softmax(tf.nn.leaky_relu(scores) + bias)
        heads.append(tf.nn.elu(tf.matmul(attention, mapped)))
    values = tf.nn.leaky_relu(tf.gather(tf.squeeze(one + two, 1), edges[:, 0]))
    sparse = tf.sparse_softmax(tf.SparseTensor(edges, values, [4, 4]))
    out = tf.concat(heads, -1)[0] + tf.tile(tf.sparse_tensor_dense_matmul(sparse, mapped[0]), [1, 2])
    logits = tf.matmul(out, weights(tf, "out", [10, 2], 9))
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.one_hot([0, 1, 1, 0], 2), logits=logits)
    mask = tf.cast([True, True, False, True], tf.float32)
    loss = tf.reduce_mean(losses * mask / tf.reduce_mean(mask))
    return [{"x:0": RANDOM.randn(1, 4, 3).astype("f")} for _ in range(3)], {"loss": loss}


@trained_by("GradientDescent", 0.1, kept=PROGRAMS)
def seq2seq(tf):
    """An LSTM reads, another one attends and writes until the targets end."""
    read, written = (tf.placeholder(tf.int32, [None, None], name=name) for name in ("read", "written"))
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    embedding = weights(tf, "embedding", [9, 4], 1)
    init = tf.random_uniform_initializer(-0.3, 0.3, seed=2)
    with tf.variable_scope("encoder", initializer=init):
        memory, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), tf.nn.embedding_lookup(embedding, read),
                                          sequence_length=lengths, dtype=tf.float32)  # fmt: skip
    inputs = tf.transpose(tf.nn.embedding_lookup(embedding, written), [1, 0, 2])
    steps = tf.shape(inputs)[0]
    with tf.variable_scope("decoder", initializer=init):
        cell = tf.nn.rnn_cell.LSTMCell(4)

        def emit(time, output, state, _):
            done = time >= tf.fill([tf.shape(written)[0]], steps)
            if output is None:
                return done, inputs[0], start, tf.zeros([8]), None
            weight = tf.nn.softmax(tf.reduce_sum(memory * output[:, None], 2))
            attended = tf.reduce_sum(memory * weight[:, :, None], 1)
            following = tf.cond(tf.reduce_all(done), lambda: tf.zeros_like(inputs[0]), lambda: inputs[time])
            return done, following, state, tf.concat([output, attended], 1), None

        start = state
        outputs, _, _ = tf.nn.raw_rnn(cell, emit)
    logits = tf.einsum("tbd,dv->tbv", outputs.stack(), weights(tf, "words", [8, 9], 3))
    targets = tf.transpose(written)
    loss = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
    return [{"read:0": RANDOM.randint(0, 9, [2, t]), "written:0": RANDOM.randint(0, 9, [2, t - 1]),
             "lengths:0": np.array([t, t - 2])} for t in (4, 6, 4)], {"loss": loss}  # fmt: skip


@trained_by("Ftrl", 0.1, kept=PROGRAMS)
def factorization(tf):
    """Field-aware factors of sparse features, whose rows alone are updated."""
    ids, values = tf.placeholder(tf.int64, [None, 3], name="ids"), tf.placeholder(tf.float32, [None, 3], name="values")
    label = tf.placeholder(tf.float32, [None], name="label")
    linear, factors = weights(tf, "linear", [20], 1), weights(tf, "factors", [20, 3, 2], 2)
    rows = tf.nn.embedding_lookup(factors, ids)
    pairs = [tf.reduce_sum(rows[:, i, j] * rows[:, j, i], 1) * values[:, i] * values[:, j]
             for i in range(3) for j in range(i + 1, 3)]  # fmt: skip
    logits = tf.reduce_sum(tf.gather(linear, ids) * values, 1) + tf.add_n(pairs)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logits))
    return [{"ids:0": RANDOM.randint(0, 20, [4, 3]), "values:0": RANDOM.rand(4, 3).astype("f"),
             "label:0": RANDOM.randint(0, 2, 4).astype("f")} for _ in range(3)], {"loss": loss}  # fmt: skip


@trained_by("RMSProp", 0.001, kept=PROGRAMS)
def gan(tf):
    """A generator by transposed convolutions with batch normalization, a critic of both, and the critic's own steps."""
    code, real = tf.placeholder(tf.float32, [2, 3], name="code"), tf.placeholder(tf.float32, [2, 8, 8, 1], name="real")
    init = tf.random_uniform_initializer(-0.3, 0.3, seed=3)
    with tf.variable_scope("generator", initializer=init):
        hidden = tf.reshape(tf.layers.dense(code, 32), [2, 4, 4, 2])
        hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=True))
        made = tf.tanh(tf.layers.conv2d_transpose(hidden, 1, 5, 2, padding="same"))

    def critic(image):
        with tf.variable_scope("critic", reuse=tf.AUTO_REUSE, initializer=init):
            hidden = tf.nn.leaky_relu(tf.layers.conv2d(image, 3, 5, 2, padding="same", name="conv"))
            return tf.layers.dense(tf.layers.flatten(hidden), 1, name="score")

    answers = critic(real), critic(made)
    wanted = tf.ones_like(answers[0]), tf.zeros_like(answers[1])
    judged = [tf.nn.sigmoid_cross_entropy_with_logits(logits=a, labels=w) for a, w in zip(answers, wanted)]
    loss = tf.reduce_mean(judged[0]) + tf.reduce_mean(judged[1])
    own = [v for v in tf.trainable_variables() if v.name.startswith("critic")]
    step = tf.train.AdamOptimizer(0.001, beta1=0.5).minimize(loss, var_list=own)
    with tf.control_dependencies([step, *tf.get_collection(tf.GraphKeys.UPDATE_OPS)]):
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=critic(made), labels=wanted[0]))
    return [{"code:0": RANDOM.randn(2, 3).astype("f"), "real:0": RANDOM.rand(2, 8, 8, 1).astype("f")}
            for _ in range(3)], {"loss": loss}  # fmt: skip
