"""Programs that use tf.keras' layers and models in graphs; evergraph's must have TensorFlow's variables, numbers,
gradients, losses and updates."""

import re

import numpy as np

from tests.layers.programs import ramp

PROGRAMS = {}


def program(*shape):
    """A function of (tf, K, x), K being tf.keras.layers: it gives layers and lists of tensors to evaluate."""
    def decorate(function):
        PROGRAMS[function.__name__] = (function, shape)
        return function
    return decorate


def small(tf):
    """Another initializer without chance, with smaller numbers."""
    return lambda shape, dtype=None, partition_info=None: 0.4 * ramp(tf)(shape, dtype)


def dense_like(tf, **more):
    return {"kernel_initializer": ramp(tf), "bias_initializer": ramp(tf), **more}


def called(x, *layers, **options):
    """The layers, and what they give for x."""
    return list(layers), [layer(x, **options) for layer in layers]


# ---- core

@program(2, 3)
def dense(tf, K, x):
    l2 = tf.keras.regularizers.l2
    return called(x, K.Dense(4, activation="relu", **dense_like(tf)), K.Dense(2, use_bias=False, **dense_like(tf)),
                  K.Dense(3, name="named", kernel_regularizer=l2(0.1), bias_regularizer="l1", **dense_like(tf)),
                  K.Dense(3, activity_regularizer=tf.keras.regularizers.l1(0.2), activation="softmax",
                          **dense_like(tf)), K.ActivityRegularization(0.1, 0.2))


@program(2, 3, 4)
def dense_of_more_axes(tf, K, x):
    return called(x, K.Dense(4, activation="tanh", **dense_like(tf)))


@program(3, 4)
def activations(tf, K, x):
    names = ["linear", "relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "exponential", "hard_sigmoid",
             "softmax"]
    return called(3 * x, *(K.Activation(name) for name in names))


@program(2, 3, 4)
def softmax_of_more_axes(tf, K, x):
    return called(x, K.Softmax(), K.Softmax(axis=1), K.Activation("softmax"))


@program(2, 3, 4)
def advanced(tf, K, x):
    return called(x, K.LeakyReLU(), K.LeakyReLU(0.1), K.ELU(0.7), K.ThresholdedReLU(0.3), K.ReLU(), K.ReLU(0.5),
                  K.ReLU(0.5, 0.2), K.ReLU(0.9, 0.2, 0.1), K.ReLU(negative_slope=0.3, threshold=0.2), K.ReLU(6.0),
                  K.PReLU(alpha_initializer=ramp(tf)), K.PReLU(alpha_initializer=ramp(tf), shared_axes=[1]))


@program(2, 6, 4)
def shapes(tf, K, x):
    return called(x, K.Flatten(), K.Flatten("channels_first"), K.Reshape((4, 6)), K.Reshape((-1, 3)), K.Permute((2, 1)),
                  K.Lambda(lambda y: y ** 2), K.Lambda(lambda y, a: y * a, arguments={"a": 3.0}))


@program(2, 4)
def repeated_vectors(tf, K, x):
    return called(x, K.RepeatVector(3))


@program(2, 5)
def embedding(tf, K, x):
    ids = tf.constant([[1, 0, 3], [2, 2, 0]])
    table = K.Embedding(4, 3, embeddings_initializer=ramp(tf), mask_zero=True)
    rows = table(ids)
    mean = K.GlobalAveragePooling1D()
    return [table, mean], [rows, mean(rows), tf.cast(table.compute_mask(ids), tf.float32) + tf.reduce_sum(x)]


@program(2, 5, 3)
def masking(tf, K, x):
    wiped = x * tf.constant([[[1.0]] * 3 + [[0.0]] * 2, [[0.0]] + [[1.0]] * 4])
    masked = K.Masking()(wiped)
    rnn = K.SimpleRNN(3, return_sequences=True, **recurrent(tf))
    mean = K.GlobalAveragePooling1D()
    return [rnn], [masked, rnn(masked), mean(masked), mean(rnn(masked))]


@program(4, 3)
def not_noisy(tf, K, x):
    return called(x, K.Dropout(0.4), K.GaussianNoise(0.3), K.GaussianDropout(0.3), K.AlphaDropout(0.3))


# ---- convolutions and pooling

@program(2, 7, 3)
def conv1d(tf, K, x):
    return called(x, K.Conv1D(2, 3, activation="relu", **dense_like(tf)),
                  K.Conv1D(2, 3, padding="causal", **dense_like(tf)),
                  K.Conv1D(2, 2, padding="causal", dilation_rate=2, **dense_like(tf)),
                  K.Conv1D(2, 2, strides=2, padding="same", use_bias=False, **dense_like(tf)))


@program(2, 6, 5, 3)
def conv2d(tf, K, x):
    return called(x, K.Conv2D(2, 3, activation="relu", kernel_regularizer="l2", **dense_like(tf)),
                  K.Conv2D(2, (2, 3), strides=(2, 1), padding="same", **dense_like(tf)),
                  K.Conv2D(2, 2, dilation_rate=2, **dense_like(tf)))


@program(2, 4, 5, 4, 2)
def conv3d(tf, K, x):
    return called(x, K.Conv3D(2, 2, strides=(1, 2, 1), padding="same", **dense_like(tf)))


@program(2, 4, 3, 3)
def conv2d_transpose(tf, K, x):
    return called(x, K.Conv2DTranspose(2, 3, **dense_like(tf)),
                  K.Conv2DTranspose(2, 3, strides=2, padding="same", **dense_like(tf)),
                  K.Conv2DTranspose(2, 3, strides=2, padding="same", output_padding=1, **dense_like(tf)),
                  K.Conv2DTranspose(2, 3, strides=3, padding="valid", output_padding=(2, 1), **dense_like(tf)),
                  K.Conv2DTranspose(2, 2, dilation_rate=2, **dense_like(tf)))


@program(2, 3, 2, 3, 2)
def conv3d_transpose(tf, K, x):
    return called(x, K.Conv3DTranspose(2, 2, **dense_like(tf)),
                  K.Conv3DTranspose(2, 3, strides=2, padding="same", output_padding=1, **dense_like(tf)))


def separable(tf, **more):
    return {"depthwise_initializer": ramp(tf), "pointwise_initializer": small(tf), "bias_initializer": ramp(tf), **more}


@program(2, 7, 3)
def separable_conv1d(tf, K, x):
    return called(x, K.SeparableConv1D(2, 3, depth_multiplier=2, **separable(tf)),
                  K.SeparableConv1D(2, 3, padding="causal", activation="relu", **separable(tf)))


@program(2, 6, 5, 3)
def separable_conv2d(tf, K, x):
    by_channel = {"depthwise_initializer": ramp(tf), "bias_initializer": ramp(tf)}
    return called(x, K.SeparableConv2D(2, 3, strides=2, padding="same", **separable(tf)),
                  K.DepthwiseConv2D(3, depth_multiplier=2, activation="tanh", **by_channel),
                  K.DepthwiseConv2D((2, 3), strides=(2, 2), padding="same", use_bias=False,
                                    depthwise_initializer=ramp(tf)))


@program(2, 7, 3)
def locally_connected1d(tf, K, x):
    return called(x, K.LocallyConnected1D(2, 3, strides=2, activation="relu", **dense_like(tf)))


@program(2, 5, 6, 2)
def locally_connected2d(tf, K, x):
    return called(x, K.LocallyConnected2D(3, (2, 3), strides=(1, 2), **dense_like(tf)),
                  K.LocallyConnected2D(3, 2, data_format="channels_first", use_bias=False, **dense_like(tf)))


@program(2, 6, 3)
def pooling1d(tf, K, x):
    return called(x, K.MaxPooling1D(), K.AveragePooling1D(3, 2, padding="same"), K.GlobalMaxPooling1D(),
                  K.GlobalAveragePooling1D())


@program(2, 6, 5, 3)
def pooling2d(tf, K, x):
    return called(x, K.MaxPooling2D(), K.AvgPool2D((3, 2), (1, 2), padding="same"), K.GlobalMaxPool2D(),
                  K.GlobalAveragePooling2D(), K.GlobalAveragePooling2D("channels_first"))


@program(2, 4, 5, 4, 2)
def pooling3d(tf, K, x):
    return called(x, K.MaxPool3D(), K.AveragePooling3D(2, 1), K.GlobalMaxPooling3D(), K.GlobalAvgPool3D())


@program(2, 6, 3)
def resizing1d(tf, K, x):
    return called(x, K.Cropping1D((1, 2)), K.ZeroPadding1D(2), K.ZeroPadding1D((1, 0)), K.UpSampling1D(3))


@program(2, 5, 4, 3)
def resizing2d(tf, K, x):
    return called(x, K.Cropping2D(((1, 0), (0, 2))), K.Cropping2D(1), K.ZeroPadding2D(((1, 2), (3, 0))),
                  K.ZeroPadding2D((2, 1), data_format="channels_first"), K.UpSampling2D((2, 3)),
                  K.UpSampling2D(2, interpolation="bilinear"), K.UpSampling2D(2, data_format="channels_first"))


@program(2, 4, 5, 4, 2)
def resizing3d(tf, K, x):
    return called(x, K.Cropping3D(1), K.ZeroPadding3D(((1, 0), (0, 1), (2, 0))), K.UpSampling3D((1, 2, 2)))


# ---- normalization

def offsets(tf, **more):
    return {"gamma_initializer": ramp(tf), "beta_initializer": ramp(tf), **more}


@program(4, 3)
def batch_normalization(tf, K, x):
    layers = [K.BatchNormalization(momentum=0.8, **offsets(tf)), K.BatchNormalization(scale=False),
              K.BatchNormalization(moving_mean_initializer=ramp(tf), **offsets(tf))]
    trained = [layer(x, training=True) for layer in layers[:2]]
    return layers, [*trained, layers[2](x), layers[2](x, training=False)]


@program(4, 2, 3, 2)
def batch_normalization_of_images(tf, K, x):
    return called(x, K.BatchNormalization(momentum=0.8, **offsets(tf)),
                  K.BatchNormalization(momentum=0.8, axis=1, fused=False, **offsets(tf)), training=True)


@program(4, 3, 2)
def layer_normalization(tf, K, x):
    return called(x, K.LayerNormalization(**offsets(tf)), K.LayerNormalization(axis=1, epsilon=0.1, **offsets(tf)),
                  K.LayerNormalization(axis=[1, 2], center=False, gamma_initializer=ramp(tf)))


# ---- merges and attention

@program(2, 3, 4)
def merges(tf, K, x):
    y, z = tf.square(x), x[:, :1] * 2.0
    kinds = [K.Add(), K.Multiply(), K.Average(), K.Maximum(), K.Minimum()]
    results = [kind([x, y, z]) for kind in kinds] + [K.subtract([x, z]), K.add([x, y[:, 0]])]
    return kinds, results + [K.concatenate([x, y]), K.Concatenate(axis=1)([x, z]), K.maximum([x, y])]


@program(2, 3, 4)
def dots(tf, K, x):
    y = tf.sin(x[:, :2] * 3.0)
    return [], [K.Dot(axes=2)([x, y]), K.dot([x, y], (2, 2), normalize=True), K.Dot(axes=1)([x[:, 0], y[:, 0]]),
                K.Dot(axes=(1, 2))([x[:, 0], y])]


@program(2, 3, 4)
def attention(tf, K, x):
    value, key = tf.square(x[:, :2]), tf.sin(x[:, :2] * 2.0)
    mask = [tf.constant([[True, True, False], [True, True, True]]), tf.constant([[True, True], [True, False]])]
    layers = [K.Attention(), K.Attention(use_scale=True), K.AdditiveAttention(use_scale=False), K.AdditiveAttention()]
    plain = [layer([x, value]) for layer in layers[:3]] + [layer([x, value, key], mask=mask) for layer in layers[:3]]
    return layers[:3], plain


# ---- recurrent

def recurrent(tf, **more):
    return {"kernel_initializer": ramp(tf), "recurrent_initializer": small(tf), "bias_initializer": small(tf), **more}


@program(2, 4, 3)
def simple_rnn(tf, K, x):
    return called(x, K.SimpleRNN(3, **recurrent(tf)),
                  K.SimpleRNN(3, return_sequences=True, unroll=True, **recurrent(tf)),
                  K.SimpleRNN(2, go_backwards=True, activation="relu", use_bias=False, **recurrent(tf)))


@program(2, 4, 3)
def gru(tf, K, x):
    return called(x, K.GRU(3, **recurrent(tf)), K.GRU(3, return_sequences=True, reset_after=True, **recurrent(tf)),
                  K.GRU(2, implementation=2, recurrent_activation="sigmoid", kernel_regularizer="l2", **recurrent(tf)))


@program(2, 4, 3)
def lstm(tf, K, x):
    layers = [K.LSTM(3, **recurrent(tf)), K.LSTM(3, return_sequences=True, go_backwards=True, **recurrent(tf)),
              K.LSTM(2, implementation=2, recurrent_activation="sigmoid", unit_forget_bias=False, **recurrent(tf)),
              K.LSTM(2, return_state=True, unroll=True, **recurrent(tf))]
    output, *states = layers[3](x)
    again = layers[2](x, initial_state=states)
    return layers, [layer(x) for layer in layers[:3]] + [output, *states, again]


@program(2, 4, 3)
def cells(tf, K, x):
    stack = K.RNN([K.LSTMCell(3, **recurrent(tf)), K.GRUCell(2, **recurrent(tf))], return_state=True)
    single = K.RNN(K.SimpleRNNCell(3, **recurrent(tf)), return_sequences=True, time_major=True)
    cell = K.LSTMCell(2, **recurrent(tf))
    output, states = cell(x[:, 0], [x[:, 1, :2], x[:, 2, :2]])
    results = stack(x)
    flat = [part for item in results for part in (item if isinstance(item, (list, tuple)) else [item])]
    return [stack, single, cell], [*flat, single(tf.transpose(x, [1, 0, 2])), output, *states]


@program(2, 4, 3)
def masked_lstm(tf, K, x):
    mask = tf.constant([[True, True, False, False], [False, True, True, False]])
    layers = [K.LSTM(3, return_sequences=True, **recurrent(tf)), K.GRU(3, **recurrent(tf)),
              K.LSTM(3, return_sequences=True, unroll=True, **recurrent(tf)),
              K.RNN(K.LSTMCell(2, **recurrent(tf)), return_sequences=True, zero_output_for_mask=True)]
    return layers, [layer(x, mask=mask) for layer in layers]


def random(tf):
    """Initializers that a layer's configuration can tell, so that the layer can be copied."""
    kinds = tf.keras.initializers
    return {"kernel_initializer": kinds.RandomUniform(-0.5, 0.5, seed=3), "bias_initializer": kinds.Constant(0.1),
            "recurrent_initializer": kinds.Orthogonal(seed=4)}


@program(2, 4, 3)
def bidirectional(tf, K, x):
    concat = K.Bidirectional(K.LSTM(2, return_sequences=True, **random(tf)))
    added = K.Bidirectional(K.GRU(2, **random(tf)), merge_mode="sum")
    both = K.Bidirectional(K.SimpleRNN(2, return_state=True, **random(tf)), merge_mode=None)
    return [concat, added, both], [concat(x), added(x), *both(x)]


@program(3, 4)
def initializers(tf, K, x):
    kinds = tf.keras.initializers
    names = [kinds.RandomNormal(seed=1), kinds.TruncatedNormal(seed=2), kinds.RandomUniform(seed=3), kinds.Zeros(),
             kinds.VarianceScaling(2.0, "fan_out", "uniform", seed=4), kinds.glorot_uniform(seed=5), kinds.Ones(),
             kinds.glorot_normal(seed=6), kinds.he_normal(seed=7), kinds.lecun_uniform(seed=8), kinds.Constant(0.3),
             kinds.Identity(0.5), kinds.Orthogonal(seed=9)]
    return called(x, *(K.Dense(4, kernel_initializer=name) for name in names))


@program(2, 4, 3)
def time_distributed(tf, K, x):
    layer = K.TimeDistributed(K.Dense(2, activation="relu", **dense_like(tf)))
    return [layer], [layer(x)]


@program(2, 3, 4, 5, 2)
def conv_lstm(tf, K, x):
    return called(x, K.ConvLSTM2D(2, 2, **recurrent(tf)),
                  K.ConvLSTM2D(2, (2, 3), strides=(1, 2), padding="same", return_sequences=True, **recurrent(tf)))


@program(2, 3, 4, 4)
def time_distributed_images(tf, K, x):
    y = tf.expand_dims(x, -1)
    layer = K.TimeDistributed(K.Conv2D(2, 2, **dense_like(tf)))
    return [layer], [layer(y)]


# ---- models

@program(3, 4)
def functional(tf, K, x):
    inputs = tf.keras.Input([4])
    hidden = K.Dense(3, activation="tanh", **dense_like(tf))(inputs)
    shared = K.Dense(3, **dense_like(tf))
    outputs = K.add([shared(hidden), shared(hidden * 2.0)])
    model = tf.keras.Model(inputs, [outputs, hidden])
    return [model], [*model(x), *model(x + 1.0)]


@program(3, 4)
def sequential(tf, K, x):
    model = tf.keras.Sequential([K.Dense(3, activation="relu", **dense_like(tf)), K.Dropout(0.5),
                                 K.BatchNormalization(), K.Dense(2, **dense_like(tf))])
    known = tf.keras.Sequential([K.Dense(3, input_shape=(4,), **dense_like(tf)), K.Dense(2, **dense_like(tf))])
    return [model, known], [model(x), known(x), model(x)]


@program(3, 4)
def subclassed(tf, K, x):
    class Block(K.Layer):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.dense = K.Dense(units, **dense_like(tf))

        def build(self, input_shape):
            self.gain = self.add_weight(name="gain", shape=[int(input_shape[-1])], initializer=ramp(tf),
                                        regularizer=tf.keras.regularizers.l2(0.3))
            super().build(input_shape)

        def call(self, inputs, training=None):
            self.add_loss(tf.reduce_sum(tf.square(inputs)), inputs=inputs)
            return self.dense(inputs * self.gain)

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.second = Block(3), Block(2)
            self.norm = K.BatchNormalization()

        def call(self, inputs, training=None):
            return self.norm(self.second(self.first(inputs)), training=training)

    net = Net()
    return [net], [net(x, training=True), net(x)]


# ---- constraints and initializers

@program(3, 4)
def constraints(tf, K, x):
    kinds = tf.keras.constraints
    filters = tf.reshape(tf.tile(x, [1, 12]), [3, 3, 4, 4])
    even = tf.reshape(tf.concat([x, x * 2.0, x * 3.0, x - 1.0, x + 1.0, x - 2.0], 0)[:16], [4, 4, 2, 2])
    return [], [kinds.MaxNorm(0.5)(x), kinds.MaxNorm(0.5, axis=1)(x), kinds.NonNeg()(x), kinds.UnitNorm(1)(x),
                kinds.MinMaxNorm(0.2, 0.6, rate=0.5)(x), tf.stop_gradient(kinds.RadialConstraint()(filters)),
                tf.stop_gradient(kinds.radial_constraint()(even))]


def _names(variables, trainable):
    """The variables' names as 1.15 has them: those of a recurrent layer's cell stand right under the layer."""
    cell = re.compile(r"/(simple_rnn|gru|lstm|conv_lstm2d|stacked_rnn)_cells?(_\d+)?(?=/)|(?<=kernel|./bias)_\d+$")
    called = lambda v: cell.sub("", v.op.name).replace("conv_lstm2d", "conv_lst_m2d")
    return [f"{called(v)} {v.shape.as_list()} {'trainable' if v in trainable else ''}".rstrip() for v in variables]


def recorded(tf, name):
    """The variables; the results; the losses; the gradients of the sum of all by the inputs and the trainable
    variables; and all variables after two runs of the updates."""
    function, shape = PROGRAMS[name]
    x_value = np.cos(np.arange(np.prod(shape)) * 0.9).reshape(shape).astype(np.float32)
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, shape, name="x")
        layers, results = function(tf, tf.keras.layers, x)
        weights = [v for layer in layers for v in layer.weights]
        trainable = [v for layer in layers for v in layer.trainable_weights]
        losses = [loss for layer in layers for loss in layer.losses]
        updates = [update for layer in layers for update in layer.updates]
        total = tf.add_n([tf.reduce_sum(tf.square(result)) for result in results] + losses)
        slopes = [g for g in tf.gradients(total, [x, *trainable]) if g is not None]
        slopes = [tf.convert_to_tensor(slope) for slope in slopes]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = session.run([results, losses, slopes], {x: x_value})
            for number in range(2):
                session.run(updates, {x: x_value + number})
            values = [*values[0], np.sort(np.array(values[1])), *values[2], *session.run(weights)]
    return _names(weights, trainable) + [f"{len(updates)} updates"], values
