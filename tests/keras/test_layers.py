"""tf.keras.layers: names, training, masks, weights, configurations, and what they refuse."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.keras.recurrent_weights import converted
from tests.harness.session import evaluated

K, L = tf.keras.backend, tf.keras.layers
SEQUENCES = np.sin(np.arange(2 * 4 * 3) * 1.3).reshape(2, 4, 3).astype(np.float32)


def names(layer):
    return [v.op.name for v in layer.weights]


# ---- variables and calls

def test_variables_belong_to_the_layer():
    x = tf.zeros([2, 3])
    with tf.variable_scope("scope"), tf.name_scope("more"):
        first, second = L.Dense(4, name="d"), L.Dense(4, name="d")
        a, b, again = first(x), second(x), first(x)
    assert names(first) == ["scope/more/d/kernel", "scope/more/d/bias"]
    assert names(second) == ["scope/more/d_1/kernel", "scope/more/d_1/bias"]
    assert [t.op.name for t in (a, b, again)] == [f"scope/more/{n}/BiasAdd" for n in ("d", "d_1", "d_2")]
    assert len(tf.trainable_variables()) == 4 and tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) == []


def test_names_count_from_zero_and_with_tf_layers():
    assert [L.Dense(1).name, L.Dense(1).name, tf.layers.Dense(1).name, L.Dense(1).name] == \
        ["dense", "dense_1", "dense_3", "dense_3"]
    assert L.ConvLSTM2D(1, 1).name == "conv_lst_m2d" and L.PReLU().name == "p_re_lu"


def test_losses_and_updates_are_in_no_collection():
    dense = L.Dense(2, kernel_regularizer="l2", activity_regularizer=lambda y: tf.reduce_sum(y))
    norm = L.BatchNormalization()
    norm(dense(tf.ones([3, 2])), training=True)
    assert len(dense.losses) == 2 and len(norm.updates) == 2
    assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []
    assert len(dense.get_losses_for(None)) == 1
    norm.trainable = False
    assert norm.updates == [] and norm.trainable_weights == [] and len(norm.weights) == 4


def test_weights_in_and_out():
    dense = L.Dense(2, weights=[np.ones([3, 2]), np.full([2], 5.0)])
    y = dense(tf.ones([1, 3]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        dense.set_weights([np.full([3, 2], 2.0), np.zeros([2])])
        assert session.run(y).tolist() == [[6.0, 6.0]]
        assert [w.tolist() for w in dense.get_weights()] == [[[2.0, 2.0]] * 3, [0.0, 0.0]]
    for bad in ([np.zeros([3, 2])], [np.zeros([2, 2]), np.zeros([2])]):
        with pytest.raises(ValueError):
            dense.set_weights(bad)


def test_given_weights_and_the_session_of_keras():
    dense = L.Dense(2, weights=[np.ones([3, 2]), np.full([2], 5.0)])
    y = dense(tf.ones([1, 3]))
    assert K.get_value(y).tolist() == [[8.0, 8.0]]
    other = tf.Variable(3.0)
    assert K.eval(other) == 3.0  # initialized on the way
    K.set_value(other, 4.0)
    assert K.get_session().run(other) == 4.0


def test_a_layer_of_ones_own():
    class Own(L.Layer):
        def build(self, input_shape):
            self.count = self.add_weight("count", dtype=tf.int32, trainable=False)
            self.factor = self.add_weight("factor", [int(input_shape[-1])], initializer="ones", constraint="non_neg")
            self.flag = self.add_weight("flag", [1], collections=["mine", tf.GraphKeys.GLOBAL_VARIABLES])
            super().build(input_shape)

        def call(self, inputs, training=None):
            self.add_update(self.count.assign_add(1))
            return inputs * (2.0 if training else 1.0) * self.factor

        def compute_output_shape(self, input_shape):
            return input_shape

    own = Own()
    y, z = own(np.ones([2, 3], np.float32), training=True), own(tf.ones([2, 3]))
    assert names(own) == ["own/factor", "own/flag", "own/count"] and own.count.dtype == tf.int32
    assert own.factor.constraint is not None and tf.get_collection("mine") == [own.flag]
    assert len(own.updates) == 2
    assert evaluated([y, z])[0].tolist() == [[2.0] * 3] * 2
    for bad, error in ((lambda: own.add_weight("a", whatever=1), TypeError),
                       (lambda: L.Layer(whatever=1), TypeError),
                       (lambda: own.add_metric(1), ValueError),
                       (lambda: L.Layer(dynamic=True)(tf.zeros([1])), ValueError)):
        with pytest.raises(error):
            bad()


def test_what_a_layer_was_called_with():
    dense = L.Dense(4)
    with pytest.raises(AttributeError):
        _ = dense.output
    y = dense(tf.zeros([2, 3]))
    assert dense.output is y and dense.output_shape == (2, 4) and dense.input_shape == (2, 3)
    assert dense.count_params() == 16 and dense.built


def test_inputs_that_do_not_fit():
    dense = L.Dense(2)
    dense(tf.zeros([2, 3]))
    for layer, inputs in ((dense, tf.zeros([2, 4])), (L.Conv2D(2, 3), tf.zeros([2, 3])),
                          (L.Dense(2), tf.placeholder(tf.float32, [2, None])), (L.Add(), [tf.zeros([2, 3])]),
                          (L.Add(), [tf.zeros([2, 3]), tf.zeros([2, 4])]), (L.Subtract(), [tf.zeros([2])] * 3),
                          (L.Concatenate(), [tf.zeros([2, 3, 1]), tf.zeros([2, 4, 1])]),
                          (L.Dot(1), [tf.zeros([2, 3]), tf.zeros([2, 4])]), (L.Reshape((5,)), tf.zeros([2, 4])),
                          (L.Attention(), tf.zeros([2, 3, 4])), (L.TimeDistributed(L.Dense(2)), tf.zeros([2, 3]))):
        with pytest.raises(ValueError):
            layer(inputs)


@pytest.mark.parametrize("make", [
    lambda: L.Conv2D(2, 0), lambda: L.Conv2D(2, 3, padding="causal"), lambda: L.Permute((1, 3)), lambda: L.ReLU(-1),
    lambda: L.UpSampling2D(interpolation="cubic"), lambda: L.Cropping2D((1, 2, 3)), lambda: L.Dense(2, activation="x"),
    lambda: L.Dense(2, kernel_initializer="x"), lambda: L.Dense(2, kernel_constraint="x"),
    lambda: L.Conv2DTranspose(2, 3, strides=2, output_padding=2), lambda: L.LocallyConnected1D(2, 3, padding="same"),
    lambda: L.Bidirectional(L.LSTM(2), merge_mode="x"), lambda: L.Bidirectional(3), lambda: L.RNN(3),
    lambda: L.StackedRNNCells([3]), lambda: L.Dot((1, 2, 3)), lambda: L.Flatten("x"),
    lambda: L.Bidirectional(L.LSTM(2), backward_layer=L.LSTM(2))])
def test_arguments_that_are_refused(make):
    with pytest.raises(ValueError):
        make()


def test_what_is_not_supported_says_so():
    with pytest.raises(tf.errors.UnimplementedError):
        tf.keras.Input([2], ragged=True)
    with pytest.raises(tf.errors.UnimplementedError, match="mixed_float16"):
        L.Dense(2, dtype=tf.keras.mixed_precision.experimental.Policy("mixed_float16"))


@pytest.mark.parametrize("layout", ["channels_last", "channels_first"])
def test_locally_connected_layers_in_other_forms(layout):
    x = np.random.RandomState(0).rand(2, 5, 4, 3).astype("float32")
    made = [L.LocallyConnected2D(2, (2, 3), data_format=layout, implementation=form, use_bias=False)
            for form in (1, 2, 3)]
    outputs = [layer(tf.constant(x)) for layer in made]
    banks = np.random.RandomState(1).rand(*made[0].kernel.shape.as_list()).astype("float32")
    connected = made[1]._connected()
    dense = np.zeros(connected.shape, "float32")
    for place in np.argwhere(connected):  # by the outputs of single inputs of the first form
        dense[tuple(place)] = 1.0 + place.sum() % 7
    sparse = dense.T[connected.T]
    with tf.Session() as session:
        made[1].kernel.load(dense.reshape(made[1].kernel.shape.as_list()) + (1 - connected.reshape(
            made[1].kernel.shape.as_list())), session)  # what is not connected has no effect
        made[2].kernel.load(sparse, session)
        made[0].kernel.load(banks, session)
        first, second, third = session.run(outputs)
    np.testing.assert_allclose(second, (x.reshape(2, -1) @ dense).reshape(second.shape), rtol=1e-5)
    np.testing.assert_allclose(third, second, rtol=1e-5)
    assert first.shape == second.shape
    same = L.LocallyConnected2D(1, 3, padding="same", strides=(1, 2), implementation=2, data_format=layout)
    assert same(tf.constant(x)).shape.as_list()[1:] == ([5, 2, 1] if layout == "channels_last" else [1, 4, 2])


def test_a_stateful_convolutional_network_goes_on():
    layer = L.ConvLSTM2D(2, 2, stateful=True, batch_input_shape=(1, 3, 4, 4, 1))
    model = tf.keras.Sequential([layer])
    x = np.random.RandomState(0).rand(1, 3, 4, 4, 1).astype("float32")
    first, second = model.predict(x), model.predict(x)
    assert abs(first - second).max() > 1e-4
    model.reset_states()
    np.testing.assert_allclose(model.predict(x), first, rtol=1e-6)


# ---- training

def test_learning_phase():
    x = tf.ones([50, 40])
    y = L.Dropout(0.5)(x)
    phase = K.learning_phase()
    assert phase is K.learning_phase() and phase.op.name == "keras_learning_phase"
    with tf.Session() as session:
        assert session.run(y).min() == 1
        assert set(np.unique(session.run(y, {phase: 1}))) == {0, 2}
    with tf.Graph().as_default():
        K.set_learning_phase(1)
        assert K.learning_phase() == 1
        assert evaluated(L.Dropout(0.5)(tf.ones([50, 40]))).min() == 0
        with K.learning_phase_scope(0):
            assert evaluated(L.Dropout(0.5)(tf.ones([50, 40]))).min() == 1
        assert K.learning_phase() == 1
    with pytest.raises(ValueError):
        K.set_learning_phase(2)


def test_layers_inside_are_told_about_training():
    class Outer(L.Layer):
        def __init__(self):
            super().__init__()
            self.inner = L.Dropout(0.5)

        def call(self, inputs):
            return self.inner(inputs)

    x = tf.ones([50, 40])
    model = tf.keras.Sequential([L.Dropout(0.5), L.Activation("relu")])
    trained, still = evaluated([model(x, training=True), model(x, training=False)])
    assert trained.min() == 0 and still.min() == 1
    with pytest.raises(TypeError):
        tf.keras.layers.Layer.__call__(Outer(), x, other=True)


def test_noise():
    x = tf.ones([100, 50])
    dropped, same = evaluated([L.Dropout(0.3, seed=7)(x, training=True), tf.nn.dropout(x, rate=0.3, seed=7)])
    np.testing.assert_array_equal(dropped, same)
    noisy, scaled, alpha = evaluated([L.GaussianNoise(0.5)(x, training=True), L.GaussianDropout(0.2)(x, training=True),
                                      L.AlphaDropout(0.2, seed=3)(tf.random_normal([100, 50], seed=1), training=True)])
    assert abs(noisy.mean() - 1) < 0.05 and abs(noisy.std() - 0.5) < 0.05
    assert abs(scaled.mean() - 1) < 0.05 and abs(scaled.std() - 0.5) < 0.05
    assert abs(alpha.mean()) < 0.05 and abs(alpha.std() - 1) < 0.05
    rows = evaluated(L.SpatialDropout1D(0.5, seed=2)(tf.ones([5, 6, 40]), training=True))
    assert (rows == rows[:, :1]).all() and rows.min() == 0 and rows.max() == 2
    first = evaluated(L.SpatialDropout2D(0.5, "channels_first", seed=2)(tf.ones([5, 40, 3, 2]), training=True))
    assert (first == first[:, :, :1, :1]).all() and first.min() == 0
    assert evaluated(L.SpatialDropout3D(0.5, seed=2)(tf.ones([2, 2, 2, 2, 40]), training=True)).min() == 0


@pytest.mark.parametrize("kind", [L.SimpleRNN, L.GRU, L.LSTM])
@pytest.mark.parametrize("implementation", [1, 2])
def test_dropout_of_recurrent_layers(kind, implementation):
    tf.set_random_seed(1)
    options = {} if kind is L.SimpleRNN else {"implementation": implementation}
    layer = kind(4, dropout=0.5, recurrent_dropout=0.5, return_sequences=True, **options)
    x = tf.constant(SEQUENCES)
    trained, other, still, again = evaluated([layer(x, training=True), layer(x, training=True), layer(x), layer(x)])
    np.testing.assert_array_equal(still, again)
    assert not np.allclose(trained, still) and not np.allclose(trained, other)


# ---- masks

def test_masks_pass_through_layers_that_know_them():
    ids = tf.constant([[1, 2, 0], [3, 0, 0]])
    rows = L.Embedding(4, 2, mask_zero=True)(ids)
    assert evaluated(rows._keras_mask).tolist() == [[True, True, False], [True, False, False]]
    assert L.Dropout(0.1)(rows)._keras_mask is rows._keras_mask
    assert getattr(L.Conv1D(2, 1)(rows), "_keras_mask", None) is None
    assert getattr(L.LSTM(2)(rows), "_keras_mask", None) is None
    assert L.LSTM(2, return_sequences=True)(rows)._keras_mask is rows._keras_mask
    both = L.concatenate([rows, rows])
    assert evaluated(both._keras_mask).tolist() == [[True, True, False], [True, False, False]]
    assert evaluated(L.add([rows, rows])._keras_mask).tolist() == [[True, True, False], [True, False, False]]
    last = L.LSTM(3)
    full, short = evaluated([last(rows), last(rows[1:, :1], mask=tf.constant([[True]]))])
    np.testing.assert_allclose(full[1:], short, rtol=1e-5)


# ---- recurrent

def test_unknown_sizes_and_gradients():
    x = tf.placeholder(tf.float32, [None, None, 3])
    layer = L.Bidirectional(L.GRU(2, return_sequences=True))
    y = layer(x)
    assert y.shape.as_list() == [None, None, 4] and layer.compute_output_shape(x.shape).as_list() == [None, None, 4]
    slopes = tf.gradients(y, layer.trainable_weights)
    value, *parts = evaluated([y, *slopes], {x: SEQUENCES})
    assert value.shape == (2, 4, 4) and all(np.abs(part).max() > 0 for part in parts)


def test_stateful():
    layer = L.LSTM(2, stateful=True)
    x = tf.constant(SEQUENCES)
    y, whole = layer(x[:, :2]), None
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([y, layer.updates])
        first, second = session.run(layer.states)
        assert np.abs(first).max() > 0
        whole = session.run(layer(x[:, 2:]))
        layer.reset_states()
        assert np.abs(session.run(layer.states[0])).max() == 0
        layer.reset_states([first, second])
        np.testing.assert_allclose(session.run(layer(x[:, 2:])), whole, rtol=1e-5)
    assert len(layer.weights) == 3
    with pytest.raises(AttributeError):
        L.LSTM(2).reset_states()
    with pytest.raises(ValueError, match="batch size"):
        L.LSTM(2, stateful=True)(tf.placeholder(tf.float32, [None, 2, 3]))


def test_cudnn_layers_are_lstm_and_gru_in_the_layout_of_cudnn():
    x = tf.constant(SEQUENCES)
    pairs = [(L.CuDNNLSTM(2), L.LSTM(2, recurrent_activation="sigmoid")),
             (L.CuDNNGRU(2), L.GRU(2, recurrent_activation="sigmoid", reset_after=True))]
    results = [(fast(x), plain(x)) for fast, plain in pairs]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert pairs[0][0].get_weights()[2].tolist() == [0.0] * 10 + [1.0] * 2 + [0.0] * 4
        for fast, plain in pairs:
            kernel, recurrent, bias = fast.get_weights()
            values = [kernel, recurrent, bias + np.arange(len(bias)) / 10]
            fast.set_weights(values)
            plain.set_weights(converted(plain, values))
        for one, two in session.run(results):
            np.testing.assert_allclose(one, two, rtol=1e-5)
        # The rows of cuDNN's matrix [units, inputs] follow each other in memory.
        gate = pairs[0][0].get_weights()[0][:, :2]
        np.testing.assert_array_equal(pairs[0][1].get_weights()[0][:, :2], gate.ravel().reshape(2, 3).T)


def test_cells_of_tensorflow_and_of_ones_own():
    class Sum(L.AbstractRNNCell):
        state_size = output_size = 3

        def call(self, inputs, states):
            total = inputs + states[0]
            return total, [total]

    x = tf.constant(SEQUENCES)
    np.testing.assert_allclose(evaluated(L.RNN(Sum())(x)), SEQUENCES.sum(1), rtol=1e-5)
    np.testing.assert_allclose(evaluated(L.RNN(Sum(), go_backwards=True, return_sequences=True)(x)),
                               SEQUENCES[:, ::-1].cumsum(1), rtol=1e-5, atol=1e-6)
    start = tf.ones([2, 3])
    np.testing.assert_allclose(evaluated(L.RNN(Sum())([x, start])), SEQUENCES.sum(1) + 1, rtol=1e-5)
    assert evaluated(L.RNN(tf.nn.rnn_cell.LSTMCell(2))(x)).shape == (2, 2)
    with pytest.raises(ValueError, match="states"):
        L.RNN(Sum())(x, initial_state=[start, start])


def test_backend_rnn_with_lengths():
    step = lambda x, states: (states[0] + x, [states[0] + x])
    given = [step, tf.constant(SEQUENCES), [tf.zeros([2, 3])]]
    first, *_ = K.rnn(*given, input_length=tf.constant([4, 2]))
    second, *_ = K.rnn(*given, input_length=tf.constant([4, 2]), unroll=True, go_backwards=True)
    wanted = [SEQUENCES[0].sum(0), SEQUENCES[1, :2].sum(0)]
    for found in evaluated([first, second]):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_backend_rnn_with_constants():
    step = lambda inputs, states: (inputs * states[1], [states[0] + 1.0])
    last, outputs, states = K.rnn(step, tf.constant(SEQUENCES), [tf.zeros([2, 1])], constants=[tf.constant(2.0)])
    last, outputs, count = evaluated([last, outputs, states[0]])
    np.testing.assert_allclose(outputs, SEQUENCES * 2, rtol=1e-6)
    np.testing.assert_allclose(last, SEQUENCES[:, -1] * 2, rtol=1e-6)
    assert count.tolist() == [[4.0], [4.0]]


def test_causal_attention():
    scores = np.einsum("bqd,bkd->bqk", SEQUENCES, SEQUENCES)
    weights = np.where(np.tril(np.ones([4, 4])), np.exp(scores), 0)
    wanted = np.einsum("bqk,bkd->bqd", weights / weights.sum(-1, keepdims=True), SEQUENCES)
    x = tf.constant(SEQUENCES)
    np.testing.assert_allclose(evaluated(L.Attention(causal=True)([x, x])), wanted, rtol=1e-4, atol=1e-5)


def test_channels_first():
    images = np.sin(np.arange(2 * 3 * 6 * 5) * 1.3).reshape(2, 6, 5, 3).astype(np.float32)
    first = np.moveaxis(images, 3, 1).copy()
    for make in (lambda f: L.Conv2D(2, 3, data_format=f, kernel_initializer=tf.keras.initializers.RandomNormal(seed=1)),
                 lambda f: L.DepthwiseConv2D(2, data_format=f, padding="same",
                                             depthwise_initializer=tf.keras.initializers.RandomNormal(seed=1)),
                 lambda f: L.MaxPooling2D(data_format=f), lambda f: L.Cropping2D(1, data_format=f),
                 lambda f: L.UpSampling2D(data_format=f)):
        last, other = evaluated([make("channels_last")(tf.constant(images)),
                                 make("channels_first")(tf.constant(first))])
        np.testing.assert_allclose(np.moveaxis(other, 1, 3), last, rtol=1e-4, atol=1e-5)
    K.set_image_data_format("channels_first")
    try:
        assert L.Conv2D(2, 3)(tf.constant(first)).shape.as_list() == [2, 2, 4, 3]
    finally:
        K.set_image_data_format("channels_last")


# ---- configurations

ALL = [
    (lambda: L.Dense(3, "relu", kernel_regularizer="l2", kernel_constraint="max_norm", input_dim=4), (2, 4)),
    (lambda: L.Activation("tanh"), (2, 4)), (lambda: L.ActivityRegularization(0.1), (2, 4)),
    (lambda: L.Masking(1.0), (2, 4, 3)), (lambda: L.Flatten(), (2, 4, 3)), (lambda: L.Reshape((3, -1)), (2, 6)),
    (lambda: L.Permute((2, 1)), (2, 4, 3)), (lambda: L.RepeatVector(3), (2, 4)), (lambda: L.Dropout(0.3), (2, 4)),
    (lambda: L.SpatialDropout2D(0.3), (2, 4, 3, 2)), (lambda: L.GaussianNoise(0.3), (2, 4)),
    (lambda: L.GaussianDropout(0.3), (2, 4)), (lambda: L.AlphaDropout(0.3), (2, 4)),
    (lambda: L.Embedding(5, 3), (2, 4)), (lambda: L.Conv1D(2, 3, padding="causal"), (2, 6, 3)),
    (lambda: L.Conv2D(2, 3), (2, 6, 5, 3)), (lambda: L.Conv3D(2, 2), (2, 4, 4, 4, 1)),
    (lambda: L.Conv2DTranspose(2, 3, 2, output_padding=1), (2, 4, 4, 1)),
    (lambda: L.Conv3DTranspose(2, 2), (2, 3, 3, 3, 1)), (lambda: L.SeparableConv1D(2, 3), (2, 6, 3)),
    (lambda: L.SeparableConv2D(2, 3), (2, 6, 5, 3)), (lambda: L.DepthwiseConv2D(3), (2, 6, 5, 3)),
    (lambda: L.LocallyConnected1D(2, 3), (2, 6, 3)), (lambda: L.LocallyConnected2D(2, 3), (2, 4, 4, 3)),
    (lambda: L.MaxPooling1D(), (2, 6, 3)), (lambda: L.AveragePooling2D(), (2, 6, 5, 3)),
    (lambda: L.MaxPooling3D(), (2, 4, 4, 4, 1)), (lambda: L.GlobalMaxPooling2D(), (2, 6, 5, 3)),
    (lambda: L.GlobalAveragePooling1D(), (2, 6, 3)), (lambda: L.Cropping1D(1), (2, 6, 3)),
    (lambda: L.Cropping3D(1), (2, 4, 4, 4, 1)), (lambda: L.ZeroPadding2D(1), (2, 6, 5, 3)),
    (lambda: L.UpSampling1D(2), (2, 6, 3)), (lambda: L.UpSampling2D(2), (2, 6, 5, 3)),
    (lambda: L.UpSampling3D(2), (2, 2, 2, 2, 1)), (lambda: L.BatchNormalization(), (2, 4)),
    (lambda: L.LayerNormalization(), (2, 4)), (lambda: L.LeakyReLU(), (2, 4)), (lambda: L.PReLU(), (2, 4)),
    (lambda: L.ELU(), (2, 4)), (lambda: L.ThresholdedReLU(), (2, 4)), (lambda: L.Softmax(), (2, 4)),
    (lambda: L.ReLU(1.0), (2, 4)), (lambda: L.SimpleRNN(2), (2, 4, 3)),
    (lambda: L.GRU(2, reset_after=True), (2, 4, 3)), (lambda: L.LSTM(2, return_sequences=True), (2, 4, 3)),
    (lambda: L.CuDNNLSTM(2), (2, 4, 3)), (lambda: L.CuDNNGRU(2), (2, 4, 3)),
    (lambda: L.RNN([L.LSTMCell(2), L.GRUCell(3)]), (2, 4, 3)), (lambda: L.ConvLSTM2D(2, 2), (2, 3, 4, 4, 1)),
    (lambda: L.Bidirectional(L.LSTM(2)), (2, 4, 3)), (lambda: L.TimeDistributed(L.Dense(2)), (2, 4, 3)),
]


@pytest.mark.parametrize("make, shape", ALL)
def test_configurations_and_shapes(make, shape):
    layer = make()
    described = L.serialize(layer)
    x = tf.ones(shape, tf.int32 if isinstance(layer, L.Embedding) else tf.float32)
    y = layer(x)
    assert layer.compute_output_shape(tf.TensorShape(shape)).as_list() == y.shape.as_list()
    assert evaluated(y).shape == tuple(y.shape.as_list())
    copy = L.deserialize(described)
    assert type(copy) is type(layer) and copy.name == layer.name
    assert L.serialize(copy) == described
    assert [w.shape.as_list() for w in (copy(x), copy)[1].weights] == [w.shape.as_list() for w in layer.weights]


def test_custom_objects():
    class Mine(L.Layer):
        pass

    described = L.serialize(Mine(name="m"))
    with pytest.raises(ValueError, match="Unknown layer"):
        L.deserialize(described)
    assert L.deserialize(described, {"Mine": Mine}).name == "m"
    with tf.keras.utils.custom_object_scope({"Mine": Mine}):
        assert isinstance(L.deserialize(described), Mine)
    assert "Mine" not in tf.keras.utils.get_custom_objects()


def test_activations_initializers_and_constraints_by_name():
    assert tf.keras.activations.get(None) is tf.keras.activations.linear
    assert tf.keras.activations.serialize(tf.keras.activations.get("relu")) == "relu"
    assert tf.keras.initializers.get("he_normal").get_config()["scale"] == 2.0
    assert tf.keras.initializers.get({"class_name": "RandomNormal", "config": {"stddev": 3.0}}).stddev == 3.0
    described = tf.keras.initializers.serialize(tf.keras.initializers.Zeros())
    assert described == {"class_name": "Zeros", "config": {"dtype": "float32"}}
    constraint = tf.keras.constraints.get("max_norm")
    described = tf.keras.constraints.serialize(constraint)
    assert described == {"class_name": "MaxNorm", "config": {"max_value": 2, "axis": 0}}
    assert tf.keras.constraints.deserialize(tf.keras.constraints.serialize(constraint)).axis == 0
    for get in (tf.keras.initializers.get, tf.keras.constraints.get):
        with pytest.raises(ValueError):
            get(3.5)
    with pytest.raises(TypeError):
        tf.keras.activations.get(3.5)


def test_functions_of_a_lambda_by_name():
    double = L.Lambda(lambda x: x * 2.0)
    assert evaluated(L.deserialize(L.serialize(double))(tf.ones([2]))).tolist() == [2.0, 2.0]
    config = {**double.get_config(), "function": "twice", "function_type": "function"}
    twice = L.Lambda.from_config(config, {"twice": lambda x: x + x})
    assert evaluated(twice(tf.ones([2]))).tolist() == [2.0, 2.0]
    shape = L.Lambda(lambda x: x, output_shape=(3,)).compute_output_shape((2, 5))
    assert shape.as_list() == [2, 3]


# ---- where layers are called

def test_in_branches_and_loops():
    x, dense = tf.ones([2, 4]), L.Dense(4, kernel_initializer="identity")
    branch = tf.cond(tf.placeholder_with_default(True, []), lambda: dense(x), lambda: x)
    _, looped = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, dense(y) + 1.0), (tf.constant(0), x))
    recurrent = L.LSTM(2)
    mapped = tf.map_fn(recurrent, tf.ones([3, 2, 4, 5]))
    assert len(dense.weights) == 2 and len(tf.trainable_variables()) == 5
    slope = tf.gradients(looped, dense.kernel)[0]
    values = evaluated([branch, looped, mapped, slope])
    assert values[0].tolist() == [[1.0] * 4] * 2 and values[1].tolist() == [[4.0] * 4] * 2
    assert values[2].shape == (3, 2, 2) and values[3].tolist() == [[12.0] * 4] * 4


@pytest.mark.parametrize("kind", [tf.float64, tf.float16])
def test_dtypes_follow_the_inputs(kind):
    x = tf.ones([2, 3, 4], kind)
    makes = (lambda: L.Dense(3), L.BatchNormalization, L.LayerNormalization, lambda: L.LSTM(2), lambda: L.Conv1D(2, 2),
             lambda: L.Bidirectional(L.GRU(2)), lambda: L.TimeDistributed(L.Dense(2)), lambda: L.Dropout(0.5))
    results = [make()(x) for make in makes]
    assert [y.dtype for y in results] == [kind] * len(makes)
    assert all(np.isfinite(value).all() for value in evaluated(results))


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_a_weight_that_exists_is_given_by_a_getter(mode):
    class Borrows(L.Layer):
        def borrow(self, variable):
            found = self.add_weight("w", variable.shape, trainable=variable.trainable, getter=self.given(variable))
            assert found is variable

        def given(self, variable):
            def getter(name, shape, trainable, **others):
                assert (name, shape, trainable) == ("w", variable.shape, variable.trainable) and "dtype" in others
                return variable
            return getter

    with EAGER.as_default() if mode == "eager" else tf.Graph().as_default():
        layer = Borrows()
        variables = [tf.Variable([1.0], use_resource=True, trainable=trainable) for trainable in (True, False)]
        tf.get_default_graph().clear_collection("trainable_variables")  # as of a variable that was loaded
        for variable in variables:
            layer.borrow(variable)
        assert layer.trainable_weights == variables[:1] and layer.non_trainable_weights == variables[1:]
