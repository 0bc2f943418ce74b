"""tf.contrib.eager: metrics, savers and other names."""

import collections

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.saved.structures import StructureCoder

tfe = tf.contrib.eager


def fed(metric, *calls):
    for args in calls:
        metric(*args)
    return metric.result().numpy()


@pytest.mark.parametrize("make, calls, wanted", [
    (lambda: tfe.metrics.Mean(), [([1, 10, 100],), (1000,), ([1e4, 1e5],)], 111111.0 / 6),
    (lambda: tfe.metrics.Mean(), [([1, 100, 100000], [1, 0.2, 0.3]), ([500000, 5000, 500],)], 535521 / 4.5),
    (lambda: tfe.metrics.Accuracy(), [([0, 1, 2, 3], [0, 0, 0, 0]), ([4], [4]), ([5], [0]), ([6], [6])], 3 / 7),
    (lambda: tfe.metrics.Accuracy(), [([0, 1, 2], [0, 0, 0], [1, 1, 0]), ([4], [4], [0.5])], 1.5 / 2.5),
    (lambda: tfe.metrics.CategoricalAccuracy(), [([[1, 0], [0, 1]], [[0.6, 0.1], [0.4, 0.05]])], 0.5),
    (lambda: tfe.metrics.BinaryAccuracy(0), [([[0, 0, 0, 0]], [[-4.2, 4.5, 1.2, -1.1]]), ([[0, 1]], [[-5.3, 11.6]])],
     4 / 6),
    (lambda: tfe.metrics.SparseAccuracy(), [([0, 2], [[0.6, 0.1, 0.2], [0.4, 0.0, 0.5]]), ([1], [[1.0, 0.5, 0.0]])],
     2 / 3),
], ids=["mean", "weighted", "accuracy", "weighted accuracy", "categorical", "binary", "sparse"])
def test_metrics(make, calls, wanted):
    metric = make()
    found = fed(metric, *calls)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, wanted)
    metric.init_variables()
    np.testing.assert_allclose(fed(metric, *calls[:1]), fed(make(), *calls[:1]))


def test_metrics_in_graphs():
    with tf.Graph().as_default(), tf.Session() as session:
        mean, values = tfe.metrics.Mean("has space", tf.float32), tf.placeholder(tf.float32)
        update, result = mean(values), mean.result()
        assert [v.name for v in mean.variables] == ["has_space/numer:0", "has_space/denom:0"]
        assert tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES) == mean.variables
        start = mean.init_variables()
        for numbers in ([[1.0, 2.0], [6.0]], [[5.0]]):
            session.run(start)
            for each in numbers:
                session.run(update, {values: each})
            assert session.run(result) == np.mean(sum(numbers, []))


def test_labels_have_the_shape_of_predictions():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tfe.metrics.Accuracy()([[0], [0]], [0, 1])


def test_metrics_are_checkpointed(tmp_path):
    first, second = tfe.metrics.Mean(), tfe.metrics.Mean()
    fed(first, ([1.0, 5.0],)), fed(second, (7.0,))
    path = tfe.Checkpoint(metric=first).save(str(tmp_path / "c"))
    tfe.Checkpoint(metric=second).restore(path)
    assert second.result().numpy() == 3.0


def test_savers_by_name(tmp_path):
    v, w = tfe.Variable(1.0, name="v"), tfe.Variable([2.0], name="w")
    saver = tfe.Saver([v, w])
    path = saver.save(str(tmp_path / "c"), global_step=3)
    assert path.endswith("c-3")
    v.assign(5.0)
    saver.restore(path)
    assert v.numpy() == 1.0
    with tfe.restore_variables_on_create(path):
        assert tfe.Variable(9.0, name="v").numpy() == tf.Variable(9.0, name="v").numpy() == 1.0
        with pytest.raises(tf.errors.NotFoundError):
            tf.Variable(9.0, name="x")
    with tfe.restore_variables_on_create(path, lambda name: name.replace("other", "w")):
        assert tf.Variable([9.0], name="other").numpy() == [2.0]
    with tfe.restore_variables_on_create(None):
        assert tf.Variable(9.0, name="v").numpy() == 9.0


def test_further_names():
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    v = tf.Variable(1.0)
    optimizer.minimize(lambda: v * v)
    assert len(tfe.get_optimizer_variables(optimizer)) == 1
    assert tfe.list_devices()[0].endswith("CPU:0") and tfe.num_gpus() == len(tfe.list_devices()) - 1
    assert tfe.function is tf.function and tfe.TensorSpec is tf.TensorSpec


def test_networks():
    class Two(tfe.Network):
        def __init__(self):
            super().__init__()
            self.first = self.track_layer(tf.layers.Dense(3, kernel_initializer=tf.ones_initializer()))
            self.second = self.track_layer(tf.layers.Dense(1, kernel_initializer=tf.ones_initializer()))

        def call(self, inputs):
            return self.second(self.first(inputs))

    net, x = Two(), tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        y = net(x)
    assert y.numpy().tolist() == [[9.0]] and len(net.layers) == 2 and len(net.trainable_variables) == 4
    assert all(g is not None for g in tape.gradient(y, net.trainable_variables))
    dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
    stack = tfe.Sequential([dense, tf.nn.relu, lambda t: t + 1.0])
    assert stack(x).numpy().tolist() == [[4.0, 4.0]] and len(stack.variables) == 2


def test_variables_that_a_store_keeps_are_in_collections():
    """As in TensorFlow; others are not, which would keep them alive."""
    for key in ("variables", "trainable_variables", "regularization_losses"):
        tf.get_default_graph().clear_collection(key)
    one = {"regularizer": tf.reduce_sum, "initializer": tf.ones_initializer()}
    with tfe.EagerVariableStore().as_default():
        tf.get_variable("a", [2], **one)
        tf.get_variable("b", [2], collections=["mine"])
        tf.get_variable("c", [2], trainable=False)
    tf.get_variable("d", [3], **one)
    tf.make_template("t", lambda: tf.get_variable("e", [1]))()
    names = {key: [v.op.name for v in tf.get_collection(key)] for key in ("variables", "trainable_variables", "mine")}
    assert names == {"variables": ["a", "c", "t/e"], "trainable_variables": ["a", "b", "t/e"], "mine": ["b"]}
    assert [loss.numpy() for loss in tf.losses.get_regularization_losses()] == [2.0, 3.0]


def test_structures_as_messages():
    coder, point = StructureCoder(), collections.namedtuple("Point", "x y")
    structure = {"a": (1, [2.5, None]), "b": point(tf.TensorSpec([None, 2], tf.int32, "i"), tf.TensorShape([3]))}
    assert coder.can_encode(structure) and not coder.can_encode([object()])
    found = coder.decode_proto(coder.encode_structure(structure))
    assert found["a"] == structure["a"] and tuple(found["b"]) == tuple(structure["b"])
    with pytest.raises(ValueError, match="no form in a file"):
        coder.encode_structure([object()])


def test_a_template_inside_of_another_finds_its_variables_again():
    """The inner one is made anew in every call, and its variables are the outer one's."""
    def outer(x):
        inner = tf.make_template("inner", lambda: tf.get_variable("w", [2]), unique_name_="inner")
        return inner() + tf.get_variable("b", [2]) + x

    template = tf.make_template("outer", outer)
    first, again = template(0.0), template(0.0)
    assert first.numpy().tolist() == again.numpy().tolist()
    assert [v.name for v in template.variables] == ["outer/b:0", "outer/inner/w:0"]
    with template._template_store.as_default(), tf.variable_scope("outer"):
        assert tf.get_variable("b", [2]) is template.variables[0]
    with tf.Graph().as_default():
        assert tf.make_template("t", outer)._template_store is None
