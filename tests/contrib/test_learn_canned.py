"""Ready-made Estimators of tf.contrib.learn: what they learn, how they predict, and what they export."""

import numpy as np
import pytest

import evergraph as tf

learn, layers = tf.contrib.learn, tf.contrib.layers
RANDOM = np.random.RandomState(0)
X = RANDOM.uniform(-1, 1, [64, 2]).astype(np.float32)
Y = (X @ [2.0, -1.0] + 0.5).astype(np.float32)


def columns():
    return learn.infer_real_valued_columns_from_input(X)


def test_a_linear_regressor_recovers_weights(tmp_path):
    regressor = learn.LinearRegressor(columns(), str(tmp_path), optimizer=tf.train.FtrlOptimizer(1.0))
    regressor.fit(X, Y, steps=150)
    np.testing.assert_allclose(regressor.get_variable_value("linear//weight").ravel(), [2, -1], atol=0.1)
    assert regressor.evaluate(X, Y)["loss"] < 0.01
    np.testing.assert_allclose(list(regressor.predict(X)), Y, atol=0.2)
    np.testing.assert_allclose(regressor.predict_scores(X, as_iterable=False), list(regressor.predict(X)))


def test_a_network_tells_irises_apart():
    iris = learn.datasets.load_iris()
    assert iris.data.shape == (150, 4) and iris.target.tolist().count(2) == 50
    classifier = learn.DNNClassifier([10], learn.infer_real_valued_columns_from_input(iris.data), n_classes=3,
                                     optimizer=lambda: tf.train.AdamOptimizer(0.1),
                                     config=learn.RunConfig(tf_random_seed=3))
    classifier.fit(iris.data, iris.target, steps=80)
    assert classifier.evaluate(iris.data, iris.target)["accuracy"] > 0.9
    chances = np.array(list(classifier.predict_proba(iris.data)))
    assert chances.shape == (150, 3) and chances.argmax(1).tolist() == list(classifier.predict(iris.data))


def wide_and_deep():
    words = tf.SparseTensor([[0, 0], [1, 0], [2, 0]], ["a", "b", "a"], [3, 1])
    return {"word": words, "x": tf.constant([[1.0], [2.0], [3.0]])}, tf.constant([[1], [0], [1]])


def test_wide_and_deep(tmp_path):
    word = layers.sparse_column_with_hash_bucket("word", 10)
    classifier = learn.DNNLinearCombinedClassifier(
        str(tmp_path), linear_feature_columns=[word], dnn_hidden_units=[4],
        dnn_feature_columns=[layers.real_valued_column("x"), layers.embedding_column(word, 2)],
        fix_global_step_increment_bug=True)
    classifier.fit(input_fn=wide_and_deep, steps=60)
    assert classifier.get_variable_value("global_step") == 60
    assert {"linear/word/weights", "dnn/hiddenlayer_0/weights"} <= set(classifier.get_variable_names())
    assert classifier.evaluate(input_fn=wide_and_deep, steps=1)["accuracy"] == 1
    spec = layers.create_feature_spec_for_parsing([word, layers.real_valued_column("x")])
    exported = classifier.export_savedmodel(str(tmp_path / "out"), learn.build_parsing_serving_input_fn(spec))
    example = tf.train.Example()
    example.features.feature["word"].bytes_list.value.append(b"a")
    example.features.feature["x"].float_list.value.append(1.0)
    predict = tf.contrib.predictor.from_saved_model(exported.decode())
    scores = predict({"inputs": [example.SerializeToString()]})["scores"]
    expected = classifier.predict_proba(input_fn=wide_and_deep, as_iterable=False)[0]
    np.testing.assert_allclose(scores[0], expected, rtol=1e-5)


def test_a_session_bundle_comes_back(tmp_path):
    regressor = learn.LinearRegressor([layers.real_valued_column("x")], str(tmp_path / "model"))
    regressor.fit(input_fn=lambda: ({"x": tf.constant([[1.0], [2.0]])}, tf.constant([[2.0], [4.0]])), steps=40)
    folder = regressor.export(str(tmp_path / "bundles"), default_batch_size=None)
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.append(2.0)
    with tf.Graph().as_default():
        session, meta_graph = tf.contrib.session_bundle.session_bundle.load_session_bundle_from_path(folder)
        signatures = tf.contrib.session_bundle.manifest_pb2.Signatures()
        meta_graph.collection_def["serving_signatures"].any_list.value[0].Unpack(signatures)
        signature = signatures.default_signature.regression_signature
        served = session.run(signature.output.tensor_name, {signature.input.tensor_name: [example.SerializeToString()]})
    (expected,) = regressor.predict(input_fn=lambda: {"x": tf.constant([[2.0]])})
    np.testing.assert_allclose(served, [expected], rtol=1e-5)


def with_ids():
    return {"id": tf.constant(["1", "2", "3"]), "x": tf.constant([[1.0], [-2.0], [3.0]])}, tf.constant([[1], [0], [1]])


@pytest.mark.parametrize("made", [
    lambda: learn.SVM("id", [layers.real_valued_column("x")], l2_regularization=0.1),
    lambda: tf.contrib.linear_optimizer.SDCALogisticClassifier("id", [layers.real_valued_column("x")]),
])
def test_dual_coordinate_ascent(made):
    classifier = made()
    classifier.fit(input_fn=with_ids, steps=10)
    assert classifier.evaluate(input_fn=with_ids, steps=1)["accuracy"] == 1


def test_clusters_and_mixtures():
    points = np.concatenate([RANDOM.normal(center, 0.5, [100, 2]) for center in (-5.0, 5.0)]).astype(np.float32)
    kmeans = learn.KMeansClustering(2, use_mini_batch=False, initial_clusters="kmeans_plus_plus", random_seed=1)
    kmeans.fit(input_fn=lambda: (tf.constant(points), None), steps=5)
    means = np.sort(kmeans.clusters(), axis=0)
    np.testing.assert_allclose(means, [points[:100].mean(0), points[100:].mean(0)], rtol=1e-4)
    for kind in ("full", "diag"):
        mixture = tf.contrib.factorization.GMM(2, initial_clusters=means, covariance_type=kind)
        mixture.fit(input_fn=lambda: (tf.constant(points), None), steps=10)
        np.testing.assert_allclose(mixture.clusters(), means, rtol=1e-3)
        np.testing.assert_allclose(mixture.weights(), [0.5, 0.5], rtol=1e-3)
        expected = np.cov(points[:100].T, bias=True) + 1e-3 * np.eye(2)
        found = mixture.covariances()[0]
        np.testing.assert_allclose(found, expected if kind == "full" else np.diag(expected), rtol=2e-2, atol=2e-3)
        found = list(mixture.predict_assignments(input_fn=lambda: tf.constant(points)))
        assert found == [0] * 100 + [1] * 100


def test_models_that_look_at_nothing():
    debug = learn.DebugRegressor()
    debug.fit(X, Y, steps=100)
    np.testing.assert_allclose(list(debug.predict_scores(X[:2])), [Y.mean()] * 2, atol=0.05)


def test_fitting_comes_first():
    with pytest.raises(learn.NotFittedError):
        learn.LinearRegressor(columns()).predict(X)
    with pytest.raises(ValueError, match="SDCA"):
        learn.LinearEstimator(columns(), learn.regression_head(),
                              optimizer=tf.contrib.linear_optimizer.SDCAOptimizer("id"))
