"""Canned models over a small table, in both TensorFlow and evergraph: training, evaluation, predictions."""

import numpy as np

STEPS, BATCH, ROWS = 50, 16, 64


def table():
    """Features by name: numbers, a category, words, the weights and ids of examples."""
    rng = np.random.RandomState(7)
    return {
        "size": rng.normal(size=(ROWS, 2)).astype(np.float32),
        "kind": rng.randint(0, 5, size=(ROWS, 1)).astype(np.int64),
        "word": rng.choice([b"red", b"green", b"blue"], size=(ROWS, 1)),
        "weight": rng.uniform(0.5, 2.0, size=(ROWS, 1)).astype(np.float32),
        "id": np.array([b"%d" % row for row in range(ROWS)]),
    }


def scores():
    columns = table()
    return columns["size"][:, :1] * 2.0 - columns["size"][:, 1:] + columns["kind"] * 0.5


def labels(kind):
    """Labels that the features tell something about."""
    score = scores()
    return {
        "two": (score > 1.0).astype(np.int64),
        "three": np.digitize(score, [0.0, 1.5]).astype(np.int64),
        "names": np.array([b"low", b"mid", b"high"])[np.digitize(score, [0.0, 1.5])],
        "number": score.astype(np.float32),
        "pair": np.concatenate([score, -score], 1).astype(np.float32),
        "count": np.floor(np.abs(score)).astype(np.float32),
        "share": (1.0 / (1.0 + np.exp(-score))).astype(np.float32),
        "several": np.concatenate([score > 0, score > 1, score < 0.5], 1).astype(np.int64),
        "heads": {"a": score.astype(np.float32), "b": (score > 1.0).astype(np.int64)},
    }[kind]


def input_fn(tf, kind, repeat=True, batch=BATCH):
    def make():
        data = tf.data.Dataset.from_tensor_slices((table(), labels(kind)))
        return (data.repeat() if repeat else data).batch(batch)
    return make


def batch_of(name):
    """The size of a batch: dual coordinate ascent takes the examples of one in a random order."""
    return 1 if "SDCA" in name else BATCH


def wide(tf):
    column = tf.feature_column
    return [column.categorical_column_with_identity("kind", 5),
            column.categorical_column_with_vocabulary_list("word", ["red", "green", "blue"]),
            column.numeric_column("size", shape=[2])]


def deep(tf):
    column = tf.feature_column
    return [column.numeric_column("size", shape=[2]),
            column.embedding_column(column.categorical_column_with_identity("kind", 5), 3),
            column.indicator_column(column.categorical_column_with_vocabulary_list("word", ["red", "green", "blue"]))]


def both(tf):
    return {"linear_feature_columns": wide(tf), "dnn_feature_columns": deep(tf), "dnn_hidden_units": [6]}


# name -> (kind of label, estimator from tf and the options that all share)
PROGRAMS = {
    "BaselineClassifier": ("three", lambda tf, o: tf.estimator.BaselineClassifier(n_classes=3, **o)),
    "BaselineRegressor": ("number", lambda tf, o: tf.estimator.BaselineRegressor(weight_column="weight", **o)),
    "LinearClassifier": ("two", lambda tf, o: tf.estimator.LinearClassifier(wide(tf), weight_column="weight", **o)),
    "LinearClassifier of names": ("names", lambda tf, o: tf.estimator.LinearClassifier(
        wide(tf), n_classes=3, label_vocabulary=["low", "mid", "high"], optimizer="SGD",
        loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE, **o)),
    "LinearClassifier by SDCA": ("two", lambda tf, o: tf.estimator.LinearClassifier(
        wide(tf), weight_column="weight", optimizer=tf.estimator.experimental.LinearSDCA("id"), **o)),
    "Keras LinearRegressor by SDCA": ("number", lambda tf, o: tf.compat.v2.estimator.LinearRegressor(
        wide(tf), weight_column="weight", optimizer=tf.estimator.experimental.LinearSDCA(
            "id", symmetric_l1_regularization=0.2, symmetric_l2_regularization=3.0, num_table_shards=2), **o)),
    "LinearRegressor": ("pair", lambda tf, o: tf.estimator.LinearRegressor(wide(tf), label_dimension=2, **o)),
    "DNNClassifier": ("three", lambda tf, o: tf.estimator.DNNClassifier(
        [8, 4], deep(tf), n_classes=3, batch_norm=True, **o)),
    "DNNRegressor": ("number", lambda tf, o: tf.estimator.DNNRegressor(
        [8], deep(tf), activation_fn=tf.tanh, weight_column="weight",
        optimizer=lambda: tf.train.MomentumOptimizer(0.005, 0.9), **o)),
    "DNNLinearCombinedClassifier": ("two", lambda tf, o: tf.estimator.DNNLinearCombinedClassifier(**both(tf), **o)),
    "DNNLinearCombinedRegressor": ("number", lambda tf, o: tf.estimator.DNNLinearCombinedRegressor(
        **both(tf), linear_optimizer="RMSProp", dnn_optimizer=tf.train.GradientDescentOptimizer(0.001),
        linear_sparse_combiner="mean", **o)),
    "Keras LinearEstimator of several": ("several", lambda tf, o: tf.compat.v2.estimator.LinearEstimator(
        tf.estimator.MultiLabelHead(3, thresholds=[0.3], classes_for_class_based_metrics=[1]), wide(tf), **o)),
    "Keras LinearClassifier": ("two", lambda tf, o: tf.compat.v2.estimator.LinearClassifier(wide(tf), **o)),
    "Keras LinearEstimator": ("count", lambda tf, o: tf.compat.v2.estimator.LinearEstimator(
        tf.estimator.PoissonRegressionHead(), wide(tf), optimizer="SGD", **o)),
    "Keras DNNClassifier": ("three", lambda tf, o: tf.compat.v2.estimator.DNNClassifier(
        [8, 4], deep(tf), n_classes=3, optimizer="Adam", **o)),
    "Keras DNNEstimator": ("heads", lambda tf, o: tf.compat.v2.estimator.DNNEstimator(tf.estimator.MultiHead(
        [tf.estimator.RegressionHead(name="a"), tf.estimator.BinaryClassHead(name="b", weight_column="weight")],
        head_weights=[1.0, 0.5]), [8], deep(tf), **o)),
    "Keras DNNLinearCombinedRegressor": ("share", lambda tf, o: tf.compat.v2.estimator.DNNLinearCombinedEstimator(
        tf.estimator.LogisticRegressionHead(weight_column="weight"), **both(tf), dnn_optimizer="RMSProp", **o)),
}


def trained(tf, name, folder, start=None):
    """What a program does.

    Args:
        tf: TensorFlow or evergraph.
        name: the program.
        folder: the directory of the model.
        start: the values of the trainable variables by name, or None to leave them as they are initialized.

    Returns:
        Arrays by name: "start NAME" of variables, "losses" of all steps, "metric NAME", "prediction NAME".
    """
    kind, make = PROGRAMS[name]
    estimator = make(tf, {"model_dir": folder, "config": tf.estimator.RunConfig(tf_random_seed=3)})
    watch = _watch(tf)(start)
    estimator.train(input_fn(tf, kind, batch=batch_of(name)), hooks=[watch], steps=STEPS)
    metrics = estimator.evaluate(input_fn(tf, kind, repeat=False))
    guess = list(estimator.predict(input_fn(tf, kind, repeat=False), yield_single_examples=False))[0]
    return {
        **{f"start {key}": value for key, value in watch.start.items()},
        "losses": np.array(watch.losses, np.float32),
        **{f"metric {key}": np.asarray(value, np.float64) for key, value in metrics.items()},
        **{f"prediction {_text(key)}": np.asarray(value) for key, value in guess.items()
           if np.asarray(value).dtype.kind == "f"},
    }


def continued(tf, name, folder, steps, served=None):
    """Goes on training in a model's directory, and exports it.

    Args:
        tf: TensorFlow or evergraph.
        name: the program.
        folder: the directory of the model.
        steps: how many.
        served: a SavedModel that such a program exported, or None.

    Returns:
        A dictionary: the metrics, the predictions of all examples, the path of the export, the names of variables, and
        what the SavedModel answers for all examples.
    """
    kind, make = PROGRAMS[name]
    estimator = make(tf, {"model_dir": folder, "config": tf.estimator.RunConfig(tf_random_seed=3)})
    estimator.train(input_fn(tf, kind, batch=batch_of(name)), steps=steps)
    metrics = estimator.evaluate(input_fn(tf, kind, repeat=False))
    key = "predictions" if "Regressor" in name else "probabilities"
    guesses = np.stack([row[key] for row in estimator.predict(input_fn(tf, kind, repeat=False))])
    spec = tf.feature_column.make_parse_example_spec(wide(tf))
    path = estimator.export_saved_model(
        folder + "/export", tf.estimator.export.build_parsing_serving_input_receiver_fn(spec))
    return {"metrics": {name: float(value) for name, value in metrics.items()}, "predictions": guesses,
            "exported": path.decode(), "names": estimator.get_variable_names(),
            "answer": None if served is None else _answer(tf, served, key)}


def _answer(tf, served, key):
    """What the signature "predict" of a SavedModel answers for all examples."""
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], served).signature_def["predict"]
        feed = next(iter(signature.inputs.values())).name
        return session.run(signature.outputs[key].name, {feed: _examples(tf)})


def _examples(tf):
    columns = table()
    return [tf.train.Example(features=tf.train.Features(feature={
        "size": tf.train.Feature(float_list=tf.train.FloatList(value=columns["size"][row])),
        "kind": tf.train.Feature(int64_list=tf.train.Int64List(value=columns["kind"][row])),
        "word": tf.train.Feature(bytes_list=tf.train.BytesList(value=columns["word"][row])),
    })).SerializeToString() for row in range(ROWS)]


def _text(key):
    return "/".join(key) if isinstance(key, tuple) else key


def _watch(tf):
    class Watch(tf.train.SessionRunHook):
        """Sets the trainable variables before the first step, or notes them, and collects the losses."""

        def __init__(self, start):
            self.start, self.losses, self._given = {}, [], start

        def begin(self):
            # The summary of the loss has the same name everywhere.
            self._loss = tf.get_default_graph().get_operation_by_name("loss").inputs[1]
            self._variables = tf.trainable_variables()

        def after_create_session(self, session, coord):
            for variable in self._variables:
                if self._given is not None:
                    variable.load(self._given[variable.name], session)
                self.start[variable.name] = session.run(variable)

        def before_run(self, context):
            return tf.train.SessionRunArgs(self._loss)

        def after_run(self, context, values):
            self.losses.append(values.results)
    return Watch
