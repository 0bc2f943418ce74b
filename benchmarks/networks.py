"""Rows about convolutional networks: training steps of programs that people copy."""

import numpy as np

from benchmarks.rows import process, run_step, step


@step("text CNN step, batch 64")
def text_cnn(tf, batch=64, length=56, words=18_000, width=128, filters=128):
    """Sentences of 56 words, windows of 3, 4 and 5 words (Kim, 2014), Adam on the table as well."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.int32, [None, length]), tf.placeholder(tf.float32, [None, 2])
    keep = tf.placeholder(tf.float32, [])
    table = tf.Variable(tf.random_uniform([words, width], -1.0, 1.0, seed=1))
    images = tf.expand_dims(tf.nn.embedding_lookup(table, x), -1)
    pooled = [_most_of_a_column(tf, images, rows, width, filters) for rows in (3, 4, 5)]
    hidden = tf.nn.dropout(tf.reshape(tf.concat(pooled, 3), [-1, 3 * filters]), keep)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.layers.dense(hidden, 2)))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    labels = np.eye(2, dtype=np.float32)[generator.randint(0, 2, batch)]
    return run_step(tf, [train, loss], {x: generator.randint(0, words, [batch, length]), y: labels, keep: 0.5})


def _most_of_a_column(tf, images, rows, width, filters):
    """A convolution over whole words, and the largest response of each filter in the sentence."""
    w = tf.Variable(tf.truncated_normal([rows, width, 1, filters], stddev=0.1, seed=rows))
    found = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(images, w, [1, 1, 1, 1], "VALID"),
                                      tf.Variable(tf.constant(0.1, shape=[filters]))))
    return tf.nn.max_pool(found, [1, int(images.shape[1]) - rows + 1, 1, 1], [1, 1, 1, 1], "VALID")


@process("start to first ResNet-20 step, cold cache", cache="cold")
@step("ResNet-20 step, 32 x 32, batch 32")
def resnet_20(tf, batch=32):
    """Three stages of three blocks with 16, 32 and 64 channels (He et al., 2015), momentum."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 32, 32, 3]), tf.placeholder(tf.int64, [None])
    hidden = tf.nn.relu(_normalized(tf, x, 16))
    for channels in (16, 32, 64):
        for at in range(3):
            hidden = _block(tf, hidden, channels, 2 if at == 0 and channels > 16 else 1)
    logits = tf.layers.dense(tf.reduce_mean(hidden, [1, 2]), 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    feeds = {x: generator.rand(batch, 32, 32, 3).astype(np.float32), y: generator.randint(0, 10, batch)}
    run = run_step(tf, [train, tf.get_collection(tf.GraphKeys.UPDATE_OPS), loss], feeds)
    run()
    return run


def _normalized(tf, x, channels, stride=1, size=3):
    return tf.layers.batch_normalization(
        tf.layers.conv2d(x, channels, size, stride, "same", use_bias=False), training=True)


def _block(tf, x, channels, stride):
    """A residual block."""
    inner = _normalized(tf, tf.nn.relu(_normalized(tf, x, channels, stride)), channels)
    beside = x if stride == 1 else _normalized(tf, x, channels, stride, size=1)
    return tf.nn.relu(inner + beside)


@step("DCGAN step, 32 x 32, batch 32")
def dcgan(tf, batch=32):
    """One step of the discriminator and one of the generator (Radford et al., 2015), 64 channels."""
    generator = np.random.RandomState(0)
    noise, real = tf.placeholder(tf.float32, [batch, 100]), tf.placeholder(tf.float32, [batch, 32, 32, 3])
    fake = _drawn(tf, noise)
    on_real, on_fake = _judged(tf, real, reuse=False), _judged(tf, fake, reuse=True)
    loss = lambda logits, label: tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
        labels=tf.fill(tf.shape(logits), label), logits=logits))
    trained = lambda what, scope: tf.train.AdamOptimizer(2e-4, 0.5).minimize(
        what, var_list=tf.trainable_variables(scope))
    steps = [trained(loss(on_real, 1.0) + loss(on_fake, 0.0), "judge"), trained(loss(on_fake, 1.0), "draw")]
    feeds = {noise: generator.randn(batch, 100).astype(np.float32),
             real: generator.rand(batch, 32, 32, 3).astype(np.float32)}
    return run_step(tf, steps, feeds)


def _drawn(tf, noise):
    with tf.variable_scope("draw"):
        hidden = tf.reshape(tf.layers.dense(noise, 4 * 4 * 256), [-1, 4, 4, 256])
        for channels in (128, 64):
            hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=True))
            hidden = tf.layers.conv2d_transpose(hidden, channels, 5, 2, "same")
        hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, training=True))
        return tf.tanh(tf.layers.conv2d_transpose(hidden, 3, 5, 2, "same"))


def _judged(tf, images, reuse):
    with tf.variable_scope("judge", reuse=reuse):
        hidden = tf.nn.leaky_relu(tf.layers.conv2d(images, 64, 5, 2, "same"))
        for channels in (128, 256):
            hidden = tf.layers.batch_normalization(tf.layers.conv2d(hidden, channels, 5, 2, "same"), training=True)
            hidden = tf.nn.leaky_relu(hidden)
        return tf.layers.dense(tf.layers.flatten(hidden), 1)


@step("MobileNet block step, batch 16")
def mobile_net(tf, batch=16):
    """Three depthwise separable blocks of 64 channels at 28 x 28 (Howard et al., 2017)."""
    generator = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [None, 56, 56, 3]), tf.placeholder(tf.int64, [None])
    hidden = tf.nn.relu(_normalized(tf, x, 32, 2))
    for _ in range(3):
        hidden = tf.layers.separable_conv2d(hidden, 64, 3, padding="same", use_bias=False)
        hidden = tf.nn.relu6(tf.layers.batch_normalization(hidden, training=True))
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(tf.reduce_mean(hidden, [1, 2]), 10))
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    feeds = {x: generator.rand(batch, 56, 56, 3).astype(np.float32), y: generator.randint(0, 10, batch)}
    return run_step(tf, [train, loss], feeds)
