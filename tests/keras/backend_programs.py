"""Expressions of tf.keras.backend and tf.keras.losses, which evergraph's must compute as TensorFlow's do."""

import numpy as np

EXPRESSIONS = {}


def expressions(home):
    """A function of (module, x, y, tf) that gives a list of tensors."""
    def decorate(function):
        EXPRESSIONS[function.__name__] = (home, function)
        return function
    return decorate


@expressions("backend")
def elementwise(K, x, y, tf):
    return [K.abs(x), K.sqrt(x), K.exp(x), K.log(K.abs(x) + 1.0), K.square(x), K.round(x * 3.0), K.sign(x),
            K.pow(x, 3.0), K.sin(x), K.cos(x), K.clip(x, -0.2, 0.5), K.maximum(x, y), K.minimum(x, y),
            K.relu(x, 0.1, 0.8), K.elu(x, 0.5), K.hard_sigmoid(x * 3.0), K.softmax(x), K.softplus(x), K.softsign(x),
            K.tanh(x), K.sigmoid(x)]


@expressions("backend")
def compared(K, x, y, tf):
    return [K.cast(z, "float32") for z in (K.equal(x, x), K.not_equal(x, y), K.greater(x, y), K.greater_equal(x, x),
                                           K.less(x, y), K.less_equal(x, y), K.any(x > 0.9, axis=1), K.all(x > -0.9))]


@expressions("backend")
def reduced(K, x, y, tf):
    return [K.sum(x, axis=1), K.prod(x, axis=(0, 2)), K.mean(x > 0.0, axis=1, keepdims=True), K.var(x, axis=-1),
            K.std(x, axis=1), K.max(x, axis=2), K.min(x, axis=0, keepdims=True), K.argmax(x), K.argmin(x, axis=1),
            K.cumsum(x, axis=1), K.cumprod(x, axis=2), K.l2_normalize(x, axis=1)]


@expressions("backend")
def products(K, x, y, tf):
    matrix = y[0]
    return [K.dot(x, K.transpose(matrix)), K.dot(matrix, K.permute_dimensions(x, (0, 2, 1))),
            K.batch_dot(x, y, axes=2), K.batch_dot(x, y, axes=(1, 1)), K.batch_dot(x[:, 0], y[:, 0], axes=1),
            K.bias_add(x, matrix[0]), K.bias_add(x, matrix),
            K.batch_normalization(x, matrix[0], K.square(matrix[1]), matrix[2], matrix[1]),
            *K.normalize_batch_in_training(x, matrix[0], matrix[1], [0, 1])]


@expressions("backend")
def shaped(K, x, y, tf):
    return [K.reshape(x, (-1, 3, 2)), K.expand_dims(x, 1), K.squeeze(x[:, :1], 1), K.flatten(x), K.batch_flatten(x),
            K.repeat(x[:, 0], 3), K.repeat_elements(x, 2, 1), K.tile(x, [1, 2, 1]), K.concatenate([x, y]),
            K.stack([x, y], axis=1), K.gather(x, [1, 0]), K.reverse(x, 1), K.temporal_padding(x, (2, 1)),
            K.one_hot(K.arange(3), 4), K.arange(2, 8, 2, dtype="float32"), K.zeros_like(x), K.ones_like(x),
            K.spatial_2d_padding(K.expand_dims(x), ((1, 0), (2, 1))), K.constant([1.0, 2.0])]


@expressions("backend")
def convolved(K, x, y, tf):
    image = tf.reshape(tf.concat([x, y, x - y], 1), [2, 3, 3, 4])
    kernel = tf.reshape(tf.concat([y, x], 0), [2, 2, 4, 3])
    return [K.conv1d(x, kernel[0], padding="causal"), K.conv2d(image, kernel, strides=(1, 2), padding="same"),
            K.conv2d_transpose(image, tf.transpose(kernel, [0, 1, 3, 2]), (2, 4, 4, 3)), K.pool2d(image, (2, 2)),
            K.pool2d(image, (2, 2), strides=(2, 2), padding="same", pool_mode="avg"),
            K.resize_images(image, 2, 3, "channels_last"),
            K.resize_images(image, 2, 2, "channels_last", interpolation="bilinear")]


@expressions("backend")
def chosen(K, x, y, tf):
    return [K.switch(tf.constant(True), x, y), K.switch(x > y, x, y),
            K.in_train_phase(x, y), K.in_test_phase(x, y), K.in_train_phase(x, lambda: y, training=True),
            K.map_fn(lambda z: z * 2.0, x), K.foldl(lambda a, b: a + b, x), K.foldr(lambda a, b: a - b, x)]


@expressions("backend")
def frames(K, x, y, tf):
    probabilities = tf.nn.softmax(x * 4.0)
    labels, lengths = tf.constant([[0, 1], [2, 0]]), tf.constant([[2], [1]])
    greedy, score = K.ctc_decode(probabilities, tf.constant([3, 3]))
    return [K.ctc_batch_cost(labels, probabilities, tf.constant([[3], [3]]), lengths), greedy[0][:, :2], score]


@expressions("losses")
def losses(M, x, y, tf):
    right, classes = tf.cast(y > 0.0, tf.float32), tf.constant([[0, 3, 1], [2, 2, 0]])
    names = ["mean_squared_error", "mae", "MAPE", "msle", "hinge", "squared_hinge", "categorical_hinge", "logcosh",
             "kullback_leibler_divergence", "poisson", "binary_crossentropy", "categorical_crossentropy"]
    positive = tf.abs(x) + 0.01
    hot = tf.one_hot(classes, 4)
    return [*(getattr(M, name)(right, positive if name in ("msle", "poisson") else tf.nn.sigmoid(x) * 0.9)
              for name in names), M.hinge(right * 2.0 - 1.0, x),
            M.binary_crossentropy(right, x, from_logits=True, label_smoothing=0.1),
            M.categorical_crossentropy(hot, tf.nn.softmax(x), label_smoothing=0.2),
            M.categorical_crossentropy(hot, x, from_logits=True), M.binary_crossentropy(right, tf.sigmoid(x)),
            M.sparse_categorical_crossentropy(classes, x, from_logits=True),
            M.sparse_categorical_crossentropy(classes, tf.nn.softmax(x) * 0.8),
            M.sparse_categorical_crossentropy(classes, tf.nn.softmax(x))]


@expressions("losses")
def loss_classes(M, x, y, tf):
    right, classes = tf.cast(y > 0.0, tf.float32), tf.constant([[0, 3, 1], [2, 2, 0]])
    hot, weights = tf.one_hot(classes, 4), tf.constant([0.5, 2.0])
    kinds = [M.MeanSquaredError(), M.MeanAbsoluteError("sum"), M.Hinge("none"), M.LogCosh(), M.Huber(0.3),
             M.BinaryCrossentropy(from_logits=True, label_smoothing=0.2), M.CosineSimilarity()]
    return [*(kind(right, x) for kind in kinds), *(kind(right, x, sample_weight=weights) for kind in kinds[:5]),
            M.CategoricalCrossentropy(from_logits=True)(hot, x),
            M.SparseCategoricalCrossentropy()(classes, tf.nn.softmax(x)),
            M.SparseCategoricalCrossentropy(from_logits=True, reduction="none")(classes, x)]


def values(tf, name):
    """What the expressions give."""
    home, function = EXPRESSIONS[name]
    numbers = np.cos(np.arange(48) * 0.9).astype(np.float32)
    with tf.Graph().as_default():
        x, y = (tf.constant(part.reshape(2, 3, 4)) for part in (numbers[:24], numbers[24:]))
        results = function(getattr(tf.keras, home), x, y, tf)
        with tf.Session() as session:
            return session.run(results)
