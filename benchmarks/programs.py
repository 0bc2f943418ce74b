"""Rows about steps: training and inference, building graphs, starting up."""

import numpy as np

from benchmarks.rows import process, run_pipeline, run_step, step


@step("scalar session.run")
def scalar(tf):
    x = tf.placeholder(tf.float32, [])
    return run_step(tf, x * 2.0 + 1.0, {x: np.float32(3)})


@step("MLP + Adam step, batch 32")
def mlp_32(tf):
    return run_step(tf, *mlp(tf, 32))


@step("MLP + Adam step, batch 128")
def mlp_128(tf):
    return run_step(tf, *mlp(tf, 128))


@step("LSTM dynamic_rnn step")
def lstm(tf):
    """60 steps of 128 units, batch 32."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 60, 64]), tf.placeholder(tf.float32, [None, 1])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(128), x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(tf.matmul(outputs[:, -1], tf.get_variable("w", [128, 1])) - y))
    feeds = {x: generator.randn(32, 60, 64).astype(np.float32), y: generator.randn(32, 1).astype(np.float32)}
    return run_step(tf, [tf.train.AdamOptimizer(1e-3).minimize(loss), loss], feeds)


@step("LeNet step, batch 64")
def lenet(tf):
    """28 x 28 images, 5 x 5 filters of 32 and 64 channels, 1024 units."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 28, 28, 1]), tf.placeholder(tf.int64, [None])
    hidden = x
    for channels in (32, 64):
        hidden = tf.layers.conv2d(hidden, channels, 5, padding="same", activation=tf.nn.relu)
        hidden = tf.layers.max_pooling2d(hidden, 2, 2)
    hidden = tf.layers.dense(tf.layers.flatten(hidden), 1024, tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10))
    feeds = {x: generator.rand(64, 28, 28, 1).astype(np.float32), y: generator.randint(0, 10, 64)}
    return run_step(tf, [tf.train.AdamOptimizer(1e-3).minimize(loss), loss], feeds)


@step("ResNet step, 3 blocks with batch norm")
def resnet(tf):
    """16 x 16 images, 3 x 3 filters, 32 channels, batch 16."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 16, 16, 3]), tf.placeholder(tf.int64, [None])
    normalized = lambda inputs: tf.layers.batch_normalization(
        tf.layers.conv2d(inputs, 32, 3, padding="same", use_bias=False), training=True)
    hidden = tf.nn.relu(normalized(x))
    for _ in range(3):
        hidden = tf.nn.relu(hidden + normalized(tf.nn.relu(normalized(hidden))))
    logits = tf.layers.dense(tf.reduce_mean(hidden, [1, 2]), 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    feeds = {x: generator.rand(16, 16, 16, 3).astype(np.float32), y: generator.randint(0, 10, 16)}
    return run_step(tf, [train, tf.get_collection(tf.GraphKeys.UPDATE_OPS), loss], feeds)


@step("transformer step, 4 layers")
def transformer(tf, batch=16, length=64, width=128, heads=4, words=1000):
    """Predicts words of sequences of 64, 128 wide with 4 heads, batch 16."""
    generator = np.random.RandomState(0)
    x, y = (tf.placeholder(tf.int32, [batch, length]) for _ in range(2))
    table = tf.get_variable("table", [words, width], initializer=tf.random_normal_initializer(stddev=0.1, seed=1))
    hidden = tf.nn.embedding_lookup(table, x) + tf.get_variable("places", [length, width])
    for at in range(4):
        with tf.variable_scope(f"layer{at}"):
            hidden += attention(tf, normalize(tf, hidden, "before"), heads)
            inner = tf.layers.dense(normalize(tf, hidden, "after"), 4 * width, tf.nn.relu)
            hidden += tf.layers.dense(inner, width)
    logits = tf.layers.dense(hidden, words)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    feeds = {x: generator.randint(0, words, [batch, length]), y: generator.randint(0, words, [batch, length])}
    return run_step(tf, [tf.train.AdamOptimizer(1e-3).minimize(loss), loss], feeds)


@step("word2vec NCE step, 1e5 x 64")
def word2vec_small(tf):
    return word2vec(tf, 10**5)


@step("word2vec NCE step, 1e6 x 64")
def word2vec_large(tf):
    return word2vec(tf, 10**6)


@step("queue: slice_input_producer + batch, per row")
def sliced_rows(tf):
    """Rows of 10 numbers and a label, batches of 32."""
    generator = np.random.RandomState(0)
    rows = [generator.rand(1000, 10).astype(np.float32), generator.randint(0, 10, 1000)]
    return run_pipeline(tf, tf.train.batch(tf.train.slice_input_producer(rows), 32), 32)


@step("queue: shuffle_batch, 4 threads, per row")
def shuffled_rows(tf):
    """Rows of 784 numbers, batches of 32."""
    row = tf.constant(np.random.RandomState(0).rand(784).astype(np.float32))
    batch = tf.train.shuffle_batch([row], 32, capacity=400, min_after_dequeue=200, num_threads=4)
    return run_pipeline(tf, batch, 32)


@step("graph construction, per node")
def construction(tf):
    def build():
        with tf.Graph().as_default() as graph:
            mlp(tf, 32)
        return len(graph.get_operations())
    return build


@process("import")
def nothing(tf):
    pass


@process("start to first MLP step, cold cache", cache="cold")
@process("start to first MLP step, warm cache")
def first_step(tf):
    run_step(tf, *mlp(tf, 32))()


def mlp(tf, batch, layers=10, width=64):
    """Train op and loss of a classifier of 784 inputs and 10 classes with so many matrices, and a batch to feed it."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
    sizes = [784] + [width] * (layers - 1) + [10]
    hidden = x
    for at, (rows, columns) in enumerate(zip(sizes, sizes[1:])):
        w = tf.Variable(tf.random_normal([rows, columns], stddev=rows ** -0.5, seed=at), name=f"w{at}")
        hidden = tf.matmul(hidden, w) + tf.Variable(tf.zeros([columns]), name=f"b{at}")
        hidden = tf.nn.relu(hidden) if columns == width else hidden
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=hidden))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    feeds = {x: generator.rand(batch, 784).astype(np.float32), y: generator.randint(0, 10, batch)}
    return [train, loss], feeds


def normalize(tf, inputs, name):
    """Layer normalization."""
    with tf.variable_scope(name):
        scale = tf.get_variable("scale", [inputs.shape[-1]], initializer=tf.ones_initializer())
        offset = tf.get_variable("offset", [inputs.shape[-1]], initializer=tf.zeros_initializer())
    mean, variance = tf.nn.moments(inputs, [-1], keep_dims=True)
    return (inputs - mean) * tf.rsqrt(variance + 1e-6) * scale + offset


def attention(tf, inputs, heads):
    """Every place of a sequence looks at every other."""
    batch, length, width = inputs.shape.as_list()
    split = lambda t: tf.transpose(tf.reshape(t, [batch, length, heads, width // heads]), [0, 2, 1, 3])
    queries, keys, values = (split(tf.layers.dense(inputs, width)) for _ in range(3))
    scores = tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True) * (width // heads) ** -0.5)
    seen = tf.transpose(tf.matmul(scores, values), [0, 2, 1, 3])
    return tf.layers.dense(tf.reshape(seen, [batch, length, width]), width)


def word2vec(tf, words, batch=128, width=64):
    """A step on 128 pairs of words with 64 noise words; other words every time."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.int32, [batch]), tf.placeholder(tf.int64, [batch, 1])
    table = tf.Variable(tf.random_uniform([words, width], -1.0, 1.0, seed=1))
    weights = tf.Variable(tf.truncated_normal([words, width], stddev=width**-0.5, seed=2))
    inputs = tf.nn.embedding_lookup(table, x)
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, tf.Variable(tf.zeros([words])), y, inputs, 64, words))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    session = tf.Session()
    session.run(tf.global_variables_initializer())

    def run():
        session.run([train, loss], {x: generator.randint(0, words, batch), y: generator.randint(0, words, [batch, 1])})
    return run
