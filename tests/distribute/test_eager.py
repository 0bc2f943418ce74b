"""Two replicas with eager execution and in functions."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.eager.graph import EAGER
from evergraph.run.devices import logical


@pytest.fixture(autouse=True)
def eagerly(graph, monkeypatch):
    monkeypatch.setattr(logical, "cpus", 4)
    EAGER.seed = None
    EAGER.forget_plain()
    with EAGER.as_default():
        yield


@pytest.fixture
def strategy():
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def copies(variable):
    return [copy.numpy().tolist() for copy in variable.values]


@pytest.mark.parametrize("in_function", [False, True])
def test_training(in_function, strategy):
    with strategy.scope():
        w = tf.Variable(2.0)
        total = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
        optimizer = tf.train.GradientDescentOptimizer(0.5)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x * w)
        optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        total.assign_add(tf.reduce_sum(x))
        return loss

    run = lambda x: strategy.experimental_run_v2(step, (x,))
    run = tf.function(run) if in_function else run
    batches = strategy.experimental_distribute_dataset(
        tf.data.Dataset.from_tensor_slices(np.arange(6.0, dtype=np.float32)).batch(4))
    found = [[each.numpy() for each in strategy.experimental_local_results(run(batch))] for batch in batches]
    assert found == [[2.0, 10.0], [-4.0, -5.0]]
    assert copies(w) == [2.0 - 0.5 * 15.0] * 2 and copies(total) == [15.0] * 2


def test_keras_layers_optimizers_and_metrics(strategy):
    with strategy.scope():
        layer, optimizer = tf.keras.layers.Dense(1, kernel_initializer="ones"), tf.keras.optimizers.Adam(0.1)
        mean = tf.keras.metrics.Mean()

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(x))
        mean.update_state(loss)
        optimizer.apply_gradients(zip(tape.gradient(loss, layer.trainable_variables), layer.trainable_variables))

    context = lambda: tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)
    strategy.experimental_run_v2(step, (strategy.experimental_run_v2(lambda: tf.ones([2, 3]) * (1.0 + context())),))
    assert mean.result().numpy() == 9.0 and optimizer.iterations.numpy() == 1
    np.testing.assert_allclose(copies(layer.kernel), np.full((2, 3, 1), 0.9), atol=1e-5)


def test_checkpoints_set_all_copies(strategy, tmp_path):
    with strategy.scope():
        v = tf.Variable([1.0, 2.0])
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "model"))
    v.assign([0.0, 0.0])
    tf.train.Checkpoint(v=v).restore(path)
    assert copies(v) == [[1.0, 2.0]] * 2
    plain = tf.Variable([0.0, 0.0])
    tf.train.Checkpoint(v=plain).restore(path)
    assert plain.numpy().tolist() == [1.0, 2.0]


def test_replicas_without_data_get_no_rows(strategy):
    dataset = tf.data.Dataset.range(3).batch(1)
    elements = strategy.experimental_distribute_datasets_from_function(lambda context: dataset)
    assert [[part.numpy().tolist() for part in element.values] for element in elements] == [[[0], [1]], [[2], []]]


@pytest.mark.parametrize("count", [1, 2])
def test_loops_of_functions_over_divided_batches(count):
    strategy = tf.distribute.MirroredStrategy([f"/cpu:{number}" for number in range(count)])
    with strategy.scope():
        steps = tf.Variable(1.0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
    batches = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices([5, 6, 7, 8]).batch(2))

    @tf.function
    def total(batches):
        product = tf.constant(2.0, tf.float64)
        for x in batches:
            product *= strategy.reduce("MEAN", x, axis=0)  # of integers, and no integer
            strategy.experimental_run_v2(lambda: steps.assign_add(1.0))
        return product

    assert total(batches).numpy() == 2.0 * 5.5 * 7.5 and steps.numpy() == 3.0


def test_loops_of_functions_over_an_input_function(strategy):
    batches = strategy.experimental_distribute_datasets_from_function(lambda context: tf.data.Dataset.range(4).batch(2))

    @tf.function
    def loop(batches):
        for _ in batches:
            pass

    with pytest.raises(tf.errors.UnimplementedError, match="loop outside of the function"):
        loop(batches)
