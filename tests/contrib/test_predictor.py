"""tf.contrib.predictor and tf.contrib.saved_model."""

import pytest

import evergraph as tf

predictor = tf.contrib.predictor


@pytest.fixture
def folder(tmp_path):
    """A model with the sum and the product of two numbers; the second has a default."""
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [], name="inputs/x")
        y = tf.placeholder_with_default(tf.get_variable("y", initializer=10.0), [], name="inputs/y")
        session.run(tf.global_variables_initializer())
        total, product = tf.add(x, y, name="outputs/sum"), tf.multiply(x, y, name="outputs/product")
        signature = tf.saved_model.predict_signature_def
        builder = tf.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(session, ["serve"], {
            "serving_default": signature({"x": x, "y": y}, {"outputs": total}),
            "product": signature({"x": x, "y": y}, {"outputs": product})})  # fmt: skip
        builder.save()
    return path


def test_default_signature(folder):
    found = predictor.from_saved_model(folder)
    assert found({"x": 2.0, "y": 3.0}) == {"outputs": 5.0}
    assert found({"x": 2.0}) == {"outputs": 12.0}
    assert found.feed_tensors["x"].name == "inputs/x:0" and found.fetch_tensors["outputs"].name == "outputs/sum:0"
    assert found.session.graph is found.graph
    with pytest.raises(ValueError, match="'z'"):
        found({"z": 1.0})


def test_signature_by_name_and_by_message(folder):
    graph = tf.Graph()
    found = predictor.from_saved_model(folder, signature_def_key="product", graph=graph)
    assert found.graph is graph and found({"x": 2.0}) == {"outputs": 20.0}
    signature = tf.saved_model.build_signature_def(
        {"a": tf.saved_model.build_tensor_info(found.feed_tensors["x"])},
        {"b": tf.saved_model.build_tensor_info(found.fetch_tensors["outputs"])})  # fmt: skip
    assert predictor.from_saved_model(folder, signature_def=signature)({"a": 3.0}) == {"b": 30.0}


def test_tensors_by_name(folder):
    names = {"input_names": {"x": "inputs/x:0", "y": "inputs/y:0"}, "output_names": {"s": "outputs/sum:0"}}
    assert predictor.from_saved_model(folder, tags="serve", **names)({"x": 1.0, "y": 1.0}) == {"s": 2.0}
    for wrong in ({"input_names": {}}, {"output_names": {}}, {**names, "signature_def_key": "product"},
                  {"signature_def_key": "none"}):  # fmt: skip
        with pytest.raises(ValueError):
            predictor.from_saved_model(folder, **wrong)


@pytest.mark.parametrize("tags", ["serve,gpu", ["train"]])
def test_bad_tags(folder, tags):
    with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
        predictor.from_saved_model(folder, tags=tags)


def test_looking_into_a_model(folder):
    reader = tf.contrib.saved_model.python.saved_model.reader
    assert reader.get_saved_model_tag_sets(folder) == [["serve"]]
    (graph,) = reader.read_saved_model(folder).meta_graphs
    find = tf.contrib.saved_model.get_signature_def_by_key
    assert find(graph, "product").outputs["outputs"].name == "outputs/product:0"
    with pytest.raises(ValueError, match="serving_default"):
        find(graph, "none")
    with pytest.raises(OSError):
        reader.read_saved_model(f"{folder}/none")


def test_predictors_of_contrib_learn_estimators(tmp_path):
    learn = tf.contrib.learn

    def model_fn(features, labels, mode):
        weight = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))
        both = {"product": features["x"] * weight, "total": features["x"] + weight}
        loss = tf.reduce_sum(both["product"]) * 0.0
        step = tf.assign_add(tf.train.get_or_create_global_step(), 1).op
        alternatives = {key: (learn.ProblemType.UNSPECIFIED, {key: value}) for key, value in both.items()}
        return learn.ModelFnOps(mode, both, loss, step, output_alternatives=alternatives)

    estimator = learn.Estimator(model_fn, str(tmp_path))
    estimator.fit(input_fn=lambda: ({"x": tf.constant([1.0])}, tf.constant([1.0])), steps=1)

    def input_fn():
        x = tf.placeholder(tf.float32, [None])
        return learn.utils.input_fn_utils.InputFnOps({"x": x}, None, {"x": x})

    for key, wanted in (("product", 6.0), ("total", 5.0)):
        predict = tf.contrib.predictor.from_contrib_estimator(estimator, input_fn, output_alternative_key=key)
        assert {name: value.tolist() for name, value in predict({"x": [2.0]}).items()} == {key: [wanted]}
    with pytest.raises(ValueError, match="default_output_alternative"):
        tf.contrib.predictor.from_contrib_estimator(estimator, input_fn)
    with pytest.raises(TypeError, match="tf.contrib.learn"):
        tf.contrib.predictor.from_contrib_estimator(tf.estimator.Estimator(lambda features: None), input_fn)
