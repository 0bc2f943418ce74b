"""The base of layers: names, scopes, sharing, variables, losses, updates, calls, configurations."""

import copy

import numpy as np
import pytest

import evergraph as tf


class Scale(tf.layers.Layer):
    """inputs * factor."""

    def build(self, input_shape):
        self.factor = self.add_weight("factor", input_shape[-1:], initializer=tf.ones_initializer())
        super().build(input_shape)

    def call(self, inputs):
        return inputs * self.factor


def names(variables):
    return [v.op.name for v in variables]


# ---- names and scopes

def test_default_names():
    layers = [Scale(), Scale(name="mine"), Scale()]
    for layer in layers:
        layer(tf.zeros([2, 3]))
    assert [layer.name for layer in layers] == ["scale_1", "mine", "scale_2"]
    assert [layer.scope_name for layer in layers] == ["scale", "mine", "scale_1"]
    assert names(tf.global_variables()) == ["scale/factor", "mine/factor", "scale_1/factor"]


@pytest.mark.parametrize("name, wanted", [
    ("Conv2D", "conv2d"), ("BatchNormalization", "batch_normalization"), ("Conv2DTranspose", "conv2d_transpose"),
    ("MaxPooling1D", "max_pooling1d"), ("BasicLSTMCell", "basic_lstm_cell"), ("_Hidden", "private__hidden")])
def test_names_of_classes(name, wanted):
    layer = type(name, (Scale,), {})()
    layer(tf.zeros([1, 2]))
    assert (layer.name, layer.scope_name) == (f"{wanted}_1", wanted)


def test_scope_name_before_use():
    with pytest.raises(ValueError, match="before its first call"):
        _ = Scale().scope_name


def test_scopes_around():
    with tf.variable_scope("outer"):
        x = tf.zeros([2, 3], name="x")
        first = tf.layers.dense(x, 2, name="inner")
        again = tf.layers.dense(x, 2, name="inner", reuse=True)
    with tf.variable_scope("outer", reuse=True):
        shared = tf.layers.dense(x, 2, name="inner")
    assert [t.op.name for t in (first, again, shared)] == [
        "outer/inner/BiasAdd", "outer/inner_1/BiasAdd", "outer_1/inner/BiasAdd"]
    assert names(tf.global_variables()) == ["outer/inner/kernel", "outer/inner/bias"]


def test_scope_as_name_and_argument():
    with tf.variable_scope("given") as scope:
        pass
    x = tf.zeros([2, 3])
    tf.layers.dense(x, 2, name=scope, use_bias=False)
    layer = Scale()
    layer(x, scope="other")
    assert names(tf.global_variables()) == ["given/kernel", "other/factor"]


def test_sharing():
    x = tf.zeros([2, 3])
    with pytest.raises(ValueError, match="does not exist"):
        tf.layers.dense(x, 2, name="a", reuse=True)
    tf.layers.dense(x, 2, name="b")
    with pytest.raises(ValueError, match="already exists"):
        tf.layers.dense(x, 2, name="b")
    tf.layers.dense(x, 2, name="b", reuse=tf.AUTO_REUSE)
    tf.layers.dense(x, 2, name="c", reuse=tf.AUTO_REUSE)
    assert names(tf.global_variables()) == ["b/kernel", "b/bias", "c/kernel", "c/bias"]


def test_defaults_of_the_scope():
    def doubled(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.0
    with tf.variable_scope("scope", initializer=tf.ones_initializer(), custom_getter=doubled):
        y = tf.layers.dense(tf.ones([1, 3]), 1)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(y) == [[6.0]]


def test_call_may_ask_for_the_scope():
    class Curious(tf.layers.Layer):
        def call(self, inputs, scope=None):
            self.told = scope.name
            return inputs
    layer = Curious()
    layer(tf.zeros([1]))
    assert layer.told == "curious"


def test_partitions():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        layer = tf.layers.Dense(2, use_bias=False, kernel_regularizer=lambda w: tf.reduce_sum(w))
        layer(tf.zeros([1, 4]))
    assert names(layer.variables) == ["p/dense/kernel/part_0", "p/dense/kernel/part_1"]
    assert len(layer.losses) == 2


# ---- variables

def test_trainable():
    layer, frozen = Scale(), Scale(trainable=False)
    for each in (layer, frozen):
        each(tf.zeros([1, 2]))
    assert layer.trainable_variables == layer.variables == layer.weights == [layer.factor]
    assert frozen.trainable_variables == [] and frozen.non_trainable_variables == [frozen.factor]
    assert tf.trainable_variables() == [layer.factor]
    layer.trainable = False
    assert layer.trainable_weights == [] and layer.non_trainable_weights == [layer.factor]


def test_getter_that_makes_variables_not_trainable():
    def frozen(getter, *args, **kwargs):
        return getter(*args, **{**kwargs, "trainable": False})
    layer = Scale()
    with tf.variable_scope("s", custom_getter=frozen):
        layer(tf.zeros([1, 2]))
    assert layer.trainable_weights == [] and layer.non_trainable_weights == [layer.factor]


def test_layers_inside():
    class Pair(tf.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.parts = [tf.layers.Dense(2, name="one"), {"two": tf.layers.Dense(1, name="two", use_bias=False)}]
            self.offset = tf.Variable(1.0, trainable=False, name="offset")

        def call(self, inputs):
            return self.parts[1]["two"](self.parts[0](inputs)) + self.offset
    pair = Pair()
    pair(tf.zeros([1, 3]))
    assert names(pair.weights) == ["pair/one/kernel", "pair/one/bias", "pair/two/kernel", "offset"]
    assert len(pair.trainable_weights) == 3 and pair.non_trainable_weights == [pair.offset]
    assert [layer.name for layer in pair.submodules] == ["one", "two"]
    pair.trainable = False
    assert pair.trainable_weights == [] and not pair.parts[0].trainable
    assert pair.count_params() == 3 * 2 + 2 + 2 + 1


def test_add_weight():
    layer = tf.layers.Layer(name="l")
    read = layer.add_variable("r", [2], synchronization=tf.VariableSynchronization.ON_READ)
    assert not read.trainable and layer.non_trainable_weights == [read]
    with pytest.raises(ValueError):
        layer.add_weight("s", [], trainable=True, synchronization=tf.VariableSynchronization.ON_READ)
    with pytest.raises(TypeError):
        layer.add_weight("s", [], colour="blue")
    assert layer.add_weight("ints", [2], dtype=tf.int64).dtype.base_dtype is tf.int64
    assert layer.add_weight("handle", [2], use_resource=True).handle is not None


def test_weights_get_and_set():
    layer = tf.layers.Dense(2)
    layer(tf.zeros([1, 2]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        layer.set_weights([np.eye(2), [5.0, 6.0]])
        np.testing.assert_array_equal(layer.get_weights()[1], [5.0, 6.0])
        with pytest.raises(ValueError):
            layer.set_weights([np.eye(2)])
        with pytest.raises(ValueError):
            layer.set_weights([np.eye(3), [5.0, 6.0]])


def test_dtypes():
    double = tf.layers.Dense(2)
    double(tf.zeros([1, 2], tf.float64))
    assert double.dtype == "float64" and double.kernel.dtype.base_dtype is tf.float64
    with pytest.raises(TypeError):
        tf.layers.dense(tf.constant([[1, 2]]), 2)


# ---- losses and updates

def test_losses():
    total = lambda x: tf.reduce_sum(x)
    layer = tf.layers.Dense(2, kernel_regularizer=total, bias_regularizer=total, activity_regularizer=total)
    x = tf.ones([4, 3])
    layer(x)
    collected = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert layer.losses == collected == tf.losses.get_regularization_losses()
    assert names(collected) == ["dense/kernel/Regularizer/Sum", "dense/bias/Regularizer/Sum",
                                "dense/ActivityRegularizer/truediv"]
    assert layer.get_losses_for(None) == collected[:2]
    assert layer.get_losses_for(x) == collected[2:]
    assert layer.get_losses_for(tf.zeros([1])) == []
    layer(x)
    assert len(layer.losses) == 4


def test_shared_variables_are_regularized_once():
    x = tf.ones([4, 3])
    for reuse in (None, True):
        tf.layers.dense(x, 2, name="d", kernel_regularizer=tf.contrib.layers.l2_regularizer(0.5), reuse=reuse)
    assert len(tf.losses.get_regularization_losses()) == 1


def test_updates():
    class Counting(Scale):
        def call(self, inputs):
            self.add_update(tf.assign_add(self.factor, tf.reduce_sum(inputs, 0)))
            self.add_update(tf.assign_add(self.factor, tf.ones_like(self.factor)))
            return super().call(inputs)
    layer, frozen, x = Counting(), Counting(trainable=False), tf.ones([4, 3])
    layer(x)
    frozen(x)
    assert frozen.updates == []
    assert layer.updates == tf.get_collection(tf.GraphKeys.UPDATE_OPS) and len(layer.updates) == 2
    assert layer.get_updates_for(x) == layer.updates[:1] and layer.get_updates_for(None) == layer.updates[1:]


# ---- calls

def test_inputs_that_are_no_tensors():
    assert tf.layers.dense(np.ones((3, 2), np.float32), 2).shape.as_list() == [3, 2]
    with pytest.raises(ValueError, match="expects 1 inputs, but it received 2"):
        tf.layers.Dense(2)([tf.zeros([1, 2]), tf.zeros([1, 2])])


def test_what_a_layer_expects():
    layer = tf.layers.Dense(2, name="d")
    with pytest.raises(ValueError, match="expected min_ndim=2, found ndim=1"):
        layer(tf.zeros([3]))
    with pytest.raises(ValueError, match="rank is not known"):
        layer(tf.placeholder(tf.float32))
    layer(tf.zeros([1, 3]))
    with pytest.raises(ValueError, match="axis -1 of the input has size 3 in this layer"):
        layer(tf.zeros([1, 4]))
    for spec, shape in ((tf.layers.InputSpec(ndim=2), [1]), (tf.layers.InputSpec(max_ndim=1), [1, 1]),
                        (tf.layers.InputSpec(shape=[None, 3]), [2, 4]), (tf.layers.InputSpec(dtype="int32"), [1])):
        scale = Scale()
        scale.input_spec = spec
        with pytest.raises(ValueError, match="is incompatible with the layer"):
            scale(tf.zeros(shape))


def test_connections():
    layer = Scale(name="s")
    with pytest.raises(AttributeError, match="not connected"):
        _ = layer.input
    with pytest.raises(RuntimeError):
        layer.get_input_at(0)
    x, y = tf.zeros([1, 2]), tf.zeros([3, 2])
    first = layer(x)
    assert layer.input is x and layer.output is first and layer.output_shape.as_list() == [1, 2]
    layer(y)
    with pytest.raises(AttributeError, match="multiple inbound nodes"):
        _ = layer.input
    assert layer.get_input_at(1) is y and layer.get_output_shape_at(1).as_list() == [3, 2]
    with pytest.raises(AttributeError, match="several input shapes"):
        _ = layer.input_shape
    with pytest.raises(ValueError):
        layer.get_output_at(2)


def test_call_that_gives_nothing():
    class Silent(tf.layers.Layer):
        def call(self, inputs):
            return None
    with pytest.raises(ValueError, match="got None"):
        Silent()(tf.zeros([1]))


def test_unknown_arguments():
    with pytest.raises(TypeError):
        tf.layers.Dense(2, colour="blue")
    with pytest.raises(TypeError):
        tf.layers.dense(tf.zeros([1, 2]), 2, colour="blue")


# ---- configurations

def test_configuration():
    layer = tf.layers.Dense(3, activation="relu", kernel_initializer="he_normal", name="d",
                            kernel_regularizer=tf.keras.regularizers.l2(0.5), bias_initializer=tf.ones_initializer())
    config = layer.get_config()
    assert config["activation"] == "relu" and config["units"] == 3 and config["name"] == "d"
    assert config["bias_initializer"] == {"class_name": "Ones", "config": {"dtype": "float32"}}
    twin = tf.layers.Dense.from_config(config)
    assert twin.get_config() == config and twin.activation is layer.activation
    for wrong in ({"activation": "rely"}, {"kernel_initializer": "zeroes"}, {"kernel_regularizer": "l7"},
                  {"kernel_constraint": "firm"}):
        with pytest.raises(ValueError):
            tf.layers.Dense(3, **wrong)


def test_copy():
    layer = Scale()
    layer(tf.zeros([1, 2]))
    layer.memory = ["a"]
    twin = copy.deepcopy(layer)
    assert twin.factor is layer.factor and twin.graph is layer.graph
    assert twin.memory == ["a"] and twin.memory is not layer.memory


# ---- regularizers

def test_regularizers():
    w = tf.constant([[1.0, -2.0], [3.0, 0.0]])
    contrib, keras = tf.contrib.layers, tf.keras.regularizers
    prices = [contrib.l1_regularizer(0.5)(w), contrib.l2_regularizer(0.5)(w), contrib.l1_l2_regularizer(0.5, 0.5)(w),
              keras.l1(0.5)(w), keras.l2(0.5)(w), keras.l1_l2(0.5, 0.5)(w), keras.get("l2")(w), keras.L1L2()(w),
              contrib.apply_regularization(contrib.l1_regularizer(0.5), [w, w])]
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(prices), [3.0, 3.5, 6.5, 3.0, 7.0, 10.0, 0.14, 0.0, 6.0], rtol=1e-6)
    assert tf.losses.get_regularization_losses() == prices[-1:]
    assert contrib.l1_regularizer(0.0)(w) is None and contrib.sum_regularizer([None]) is None
    for wrong in (1, -0.5):
        with pytest.raises(ValueError):
            contrib.l2_regularizer(wrong)
    twin = keras.deserialize(keras.serialize(keras.l1(0.25)))
    assert twin.get_config() == {"l1": 0.25, "l2": 0.0}
    with pytest.raises(ValueError):
        keras.get("l7")


# ---- layers in modules

def test_modules_find_the_variables_of_their_layers():
    module = tf.Module("module")
    module.a, module.b = tf.keras.layers.Dense(2), tf.keras.layers.BatchNormalization()
    module.inner = tf.Module("inner")
    module.inner.around, module.inner.w = module, tf.Variable(1.0, name="w")
    assert isinstance(module.a, tf.Module) and module.submodules == (module.a, module.b, module.inner)
    module.b(module.a(tf.zeros([2, 3])))
    a, b = module.a, module.b
    assert module.variables == (a.kernel, a.bias, b.moving_mean, b.moving_variance, b.gamma, b.beta, module.inner.w)
    assert module.trainable_variables == (a.kernel, a.bias, b.gamma, b.beta, module.inner.w)
    assert list(module._flatten(recursive=False, predicate=lambda value: isinstance(value, tf.Variable))) == []
    backwards = module.inner._flatten(predicate=lambda value: value is module.inner.w or value is module,
                                      attribute_traversal_key=lambda name: [-ord(letter) for letter in name])
    assert list(backwards) == [module.inner.w, module]
    found = dict(module._flatten(with_path=True, predicate=lambda value: value is module.inner.w))
    assert found == {("inner", "w"): module.inner.w}
