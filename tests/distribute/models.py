"""Models that train under MirroredStrategy, in TensorFlow and here: functions of the package and of the devices."""

import tempfile

import numpy as np

STEPS, BATCH = 50, 16


def devices(count):
    return [f"/cpu:{number}" for number in range(count)]


def session_config(tf):
    return tf.ConfigProto(device_count={"CPU": 4}, allow_soft_placement=True)


def _uniform(tf, seed, scale=0.3):
    return tf.random_uniform_initializer(-scale, scale, seed=seed)


def _trained(tf, count, rows, labels, network, optimizer):
    """The losses of 50 steps of a network, each on a batch that the replicas share."""
    with tf.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy(devices(count))
        with strategy.scope():
            dataset = tf.data.Dataset.from_tensor_slices((rows, labels)).repeat().batch(BATCH)
            batches = strategy.make_dataset_iterator(dataset)

            def replica(batch):
                loss = network(*batch)
                with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
                    train = optimizer().minimize(loss / count, tf.train.get_or_create_global_step())
                with tf.control_dependencies([train]):
                    return tf.identity(loss)

            losses = strategy.experimental_run_v2(replica, (batches.get_next(),))
            loss = strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None)
        with tf.Session(config=session_config(tf)) as session:
            session.run([tf.global_variables_initializer(), batches.initialize()])
            return [float(session.run(loss)) for _ in range(STEPS)]


def _data(width, seed=0):
    random = np.random.RandomState(seed)
    rows = random.randn(64, width).astype(np.float32)
    return rows, np.tanh(rows @ random.randn(width, 1)).astype(np.float32)


def mlp(tf, count):
    rows, labels = _data(6)

    def network(x, y):
        hidden = tf.layers.dense(x, 12, tf.nn.relu, kernel_initializer=_uniform(tf, 1))
        guess = tf.layers.dense(hidden, 1, kernel_initializer=_uniform(tf, 2))
        return tf.reduce_mean(tf.square(guess - y))

    return _trained(tf, count, rows, labels, network, lambda: tf.train.AdamOptimizer(0.02))


def cnn(tf, count):
    rows, labels = _data(64)

    def network(x, y):
        image = tf.reshape(x, [-1, 8, 8, 1])
        image = tf.layers.conv2d(image, 4, 3, kernel_initializer=_uniform(tf, 1), use_bias=False)
        image = tf.nn.relu(tf.layers.batch_normalization(image, training=True, momentum=0.9))
        guess = tf.layers.dense(tf.layers.flatten(image), 1, kernel_initializer=_uniform(tf, 2, 0.1))
        return tf.reduce_mean(tf.square(guess - y))

    return _trained(tf, count, rows, labels, network, lambda: tf.train.MomentumOptimizer(0.01, 0.9))


def lstm(tf, count):
    rows, labels = _data(15)

    def network(x, y):
        cell = tf.nn.rnn_cell.BasicLSTMCell(6)
        with tf.variable_scope("recurrent", initializer=_uniform(tf, 3)):
            _, state = tf.nn.dynamic_rnn(cell, tf.reshape(x, [-1, 5, 3]), dtype=tf.float32)
        guess = tf.layers.dense(state.h, 1, kernel_initializer=_uniform(tf, 2))
        return tf.reduce_mean(tf.square(guess - y))

    return _trained(tf, count, rows, labels, network, lambda: tf.train.GradientDescentOptimizer(0.2))


def wide_and_deep(tf, count):
    """An Estimator's losses; its batches are those of each replica."""
    random = np.random.RandomState(5)
    ages, jobs = random.rand(64).astype(np.float32), random.randint(0, 5, 64).astype(np.int64)
    labels = ((ages + jobs / 5.0) > 1.0).astype(np.float32)[:, None]

    def input_fn(input_context=None):
        features = {"age": ages, "job": jobs}
        return tf.data.Dataset.from_tensor_slices((features, labels)).repeat().batch(BATCH // count)

    age, job = tf.feature_column.numeric_column("age"), tf.feature_column.categorical_column_with_identity("job", 5)

    def model_fn(features, labels, mode):
        linear = tf.feature_column.linear_model(features, [age, job])
        deep = tf.feature_column.input_layer(
            features, [age, tf.feature_column.embedding_column(job, 3, initializer=_uniform(tf, 4))])
        deep = tf.layers.dense(deep, 8, tf.nn.relu, kernel_initializer=_uniform(tf, 1))
        logits = linear + tf.layers.dense(deep, 1, kernel_initializer=_uniform(tf, 2))
        loss = tf.losses.sigmoid_cross_entropy(labels, logits)
        step = tf.train.get_or_create_global_step()
        train = tf.group(tf.train.FtrlOptimizer(0.05).minimize(loss, var_list=tf.trainable_variables("linear_model")),
                         tf.train.AdagradOptimizer(0.1).minimize(loss, step, [
                             v for v in tf.trainable_variables() if not v.name.startswith("linear_model")]))
        accuracy = tf.metrics.accuracy(labels, tf.round(tf.sigmoid(logits)))
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, eval_metric_ops={"accuracy": accuracy})

    strategy = tf.distribute.MirroredStrategy(devices(count))
    config = tf.estimator.RunConfig(tempfile.mkdtemp(), save_summary_steps=1, train_distribute=strategy,
                                    eval_distribute=strategy, session_config=session_config(tf))
    estimator = tf.estimator.Estimator(model_fn, config=config)
    estimator.train(input_fn, steps=STEPS)
    losses = [value.simple_value for event in _events(tf, estimator.model_dir) for value in event.summary.value
              if value.tag == "loss"]
    found = estimator.evaluate(input_fn, steps=4)
    return losses + [float(found["accuracy"]), float(found["loss"])]


def _events(tf, folder):
    [path] = tf.gfile.Glob(f"{folder}/events.out.tfevents.*")
    return list(tf.train.summary_iterator(path))


def keras(tf, count):
    """The losses of batches of `fit`; what `evaluate` and `predict` return."""
    rows, labels = _data(6)
    losses = []
    with tf.Graph().as_default():
        tf.keras.backend.set_session(tf.Session(config=session_config(tf)))
        with tf.distribute.MirroredStrategy(devices(count)).scope():
            model = tf.keras.Sequential([
                tf.keras.layers.Dense(12, "relu", kernel_initializer=_uniform(tf, 1), input_shape=(6,)),
                tf.keras.layers.BatchNormalization(momentum=0.9),
                tf.keras.layers.Dense(1, kernel_initializer=_uniform(tf, 2), kernel_regularizer="l2")])
            model.compile(tf.keras.optimizers.SGD(0.05), "mse", ["mae"])
        seen = tf.keras.callbacks.LambdaCallback(on_batch_end=lambda batch, logs: losses.append(float(logs["loss"])))
        model.fit(rows, labels, BATCH, 12, 0, [seen], shuffle=False)
        found = model.evaluate(rows, labels, BATCH, 0)
        return losses + [float(each) for each in found] + model.predict(rows, BATCH).ravel().tolist()


MODELS = {"keras": keras, "mlp": mlp, "cnn": cnn, "lstm": lstm, "wide_and_deep": wide_and_deep}
COUNTS = (1, 2, 4)
