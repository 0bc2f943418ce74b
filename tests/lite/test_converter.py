"""`tf.lite.TFLiteConverter`: where models come from, and what a converter may be asked for."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.lite.choices import ConverterError
from tests.harness.session import started
from tests.lite.running import both, converter, ran, steps

pytest.importorskip("ai_edge_litert")

DATA = Path(__file__).parent / "data"
rng = np.random.RandomState(0)


def small_model():
    """An input and an output: a convolution with batch normalization, and a dense layer."""
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    y = tf.layers.conv2d(x, 4, 3, padding="same", use_bias=False)
    y = tf.nn.relu6(tf.layers.batch_normalization(y, momentum=0.5))
    y = tf.layers.dense(tf.layers.flatten(y), 5)
    return x, tf.nn.softmax(y, name="prob")


@pytest.mark.parametrize("graph, output, recorded", [
    ("cnn_frozen.pb", "prob", "cnn_float.npz"), ("cnnbn_frozen.pb", "prob", "cnnbn.npz"),
    ("ops_frozen.pb", "add", "ops_float.npz"),
    ("lstm_frozen.pb", "dense/BiasAdd", "lstm.npz"),
])
def test_frozen_graphs_of_tensorflow_give_its_numbers(graph, output, recorded):
    content = tf.lite.TFLiteConverter.from_frozen_graph(str(DATA / graph), ["x"], [output]).convert()
    answers = np.load(DATA / recorded)
    np.testing.assert_allclose(ran(content, answers["x"])[0], answers["y"], atol=1e-6)


def test_a_convolution_takes_in_its_normalization_bias_and_activation():
    content = tf.lite.TFLiteConverter.from_frozen_graph(str(DATA / "cnn_frozen.pb"), ["x"], ["prob"]).convert()
    assert steps(content) == ["CONV_2D", "DEPTHWISE_CONV_2D", "MAX_POOL_2D", "AVERAGE_POOL_2D", "RESIZE_BILINEAR",
                              "PAD", "MEAN", "FULLY_CONNECTED", "FULLY_CONNECTED", "SOFTMAX"]


def test_the_batch_size_stays_open():
    x, y = small_model()
    with started() as session:
        content = converter(session, [x], [y]).convert()
        for batch in (1, 3):
            images = rng.rand(batch, 8, 8, 3).astype(np.float32)
            np.testing.assert_allclose(ran(content, images)[0], session.run(y, {x: images}), atol=1e-6)


def test_from_saved_model_takes_inputs_by_name(tmp_path):
    b, a = tf.placeholder(tf.float32, [2], name="b"), tf.placeholder(tf.float32, [2], name="a")
    with started() as session:
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"p": b, "q": a}, {"r": b - 2 * a})
    content = tf.lite.TFLiteConverter.from_saved_model(str(tmp_path / "model")).convert()
    assert ran(content, [1, 2], [10, 20])[0].tolist() == [8, 16]  # a comes first
    with pytest.raises(ValueError, match="no signature 'other'; it has"):
        tf.lite.TFLiteConverter.from_saved_model(str(tmp_path / "model"), signature_key="other")


@pytest.mark.parametrize("from_file", [True, False], ids=["file", "model"])
def test_from_keras(from_file, tmp_path):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Conv2D(4, 3, activation="relu", input_shape=(6, 6, 2)), layers.BatchNormalization(),
        layers.MaxPool2D(), layers.Flatten(), layers.Dropout(0.5), layers.Dense(3, activation="softmax")])
    images = rng.rand(2, 6, 6, 2).astype(np.float32)
    expected = model.predict(images)
    if from_file:
        pytest.importorskip("h5py")
        model.save(str(tmp_path / "model.h5"))
        made = tf.lite.TFLiteConverter.from_keras_model_file(str(tmp_path / "model.h5"))
    else:
        made = tf.lite.TFLiteConverter.from_keras_model(model)
    np.testing.assert_allclose(ran(made.convert(), images)[0], expected, atol=1e-6)


def test_all_nodes_without_a_counterpart_are_in_one_error():
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    y = tf.matrix_inverse(x, name="inverse") + tf.lgamma(x, name="gamma") + tf.lgamma(x, name="again")
    with started() as session, pytest.raises(ConverterError) as raised:
        converter(session, [x], [y]).convert()
    text = str(raised.value)
    assert text.startswith("3 nodes")
    assert all(word in text for word in ("MatrixInverse", "'gamma'", "'again'", "Lgamma"))
    assert f"{Path(__file__).name}:" in text


def test_a_placeholder_that_is_no_input_is_told():
    a, b = tf.placeholder(tf.float32, [2], name="a"), tf.placeholder(tf.float32, [2], name="b")
    with started() as session, pytest.raises(ConverterError, match="'b'"):
        converter(session, [a], [a + b]).convert()


def test_custom_operators_have_the_name_of_the_op():
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    with started() as session:
        content = converter(session, [x], [tf.matrix_inverse(x)], allow_custom_ops=True).convert()
    assert steps(content) == ["CUSTOM"] and b"MatrixInverse" in content


def test_select_tf_ops_says_why_it_does_not_help():
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    spec = tf.lite.TargetSpec({tf.lite.OpsSet.TFLITE_BUILTINS, tf.lite.OpsSet.SELECT_TF_OPS})
    with started() as session, pytest.raises(ConverterError, match="none of TensorFlow's kernels"):
        converter(session, [x], [tf.matrix_inverse(x)], target_spec=spec).convert()


def test_a_kernel_that_lacks_a_type_is_found_by_converting():
    x = tf.placeholder(tf.float16, [2], name="x")
    with started() as session, pytest.raises(ConverterError, match="It was made of Cumsum 'sums'"):
        converter(session, [x], [tf.cumsum(x, name="sums")]).convert()


def test_control_dependencies_are_dropped_or_refused():
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([tf.assert_non_negative(x)]):
        y = tf.identity(x * 2.0, name="y")
    with started() as session:
        assert ran(converter(session, [x], [y]).convert(), [1, 2])[0].tolist() == [2, 4]
        with pytest.raises(ConverterError, match="drop_control_dependency is False; nodes with some are mul/y"):
            converter(session, [x], [y], drop_control_dependency=False).convert()


def test_drawings(tmp_path):
    x, y = small_model()
    with started() as session:
        text = converter(session, [x], [y], output_format=tf.lite.constants.GRAPHVIZ_DOT).convert().decode()
        assert text.startswith("digraph") and "CONV_2D" in text and "RELU6" not in text
        converter(session, [x], [y], dump_graphviz_dir=str(tmp_path), dump_graphviz_video=True).convert()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "model_at_import.dot", "model_converted.dot", "model_fused.dot"]
    assert "RELU6" in (tmp_path / "model_at_import.dot").read_text()


def test_toco_convert_takes_a_graph_def():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.fake_quant_with_min_max_args(x + x, min=0.0, max=1.0)
    message = tf.get_default_graph().as_graph_def()
    assert ran(tf.lite.toco_convert(message, [x], [y]), [0.2, 0.9])[0] == pytest.approx([0.4, 1.0], abs=1 / 255)
    content = tf.lite.toco_convert(message, [x], [y], inference_type=tf.uint8, quantized_input_stats=[(0.0, 255.0)])
    assert ran(content, [51, 102])[0] == pytest.approx([102, 204], abs=1)
    with pytest.raises(TypeError, match="no argument 'inferenc_type'"):
        tf.lite.toco_convert(message, [x], [y], inferenc_type=tf.uint8)


def test_attributes_that_cannot_be_meant_are_refused():
    x = tf.placeholder(tf.float32, [2], name="x")
    with started() as session:
        for attributes, text in [
            ({"inference_type": tf.int32}, "inference_type must be"),
            ({"optimizations": ["small"]}, "optimizations must be"),
            ({"inference_type": tf.uint8}, "not available for input tensors 'x'"),
            ({"target_spec": tf.lite.TargetSpec(supported_types=[tf.int8])}, "set representative_dataset"),
        ]:
            with pytest.raises(ValueError, match=text):
                converter(session, [x], [x + x], **attributes).convert()
        with pytest.raises(tf.errors.UnimplementedError):
            converter(session, [x], [x + x], reorder_across_fake_quant=True).convert()


@pytest.mark.parametrize("make", [
    lambda: tf.lite.OpHint("f"),
    lambda: tf.lite.OpHint.OpHintArgumentTracker("f", "id", "node", "attr"),
    lambda: tf.lite.experimental.convert_op_hints_to_stubs(),
])
def test_hints_say_what_to_do_instead(make):
    with pytest.raises(tf.errors.UnimplementedError, match="Leave the hints out"):
        make()


def test_supported_ops_are_those_of_the_table():
    names = [each.op for each in tf.lite.experimental.get_potentially_supported_ops()]
    assert names == sorted(names) and {"Conv2D", "While", "StridedSlice"} <= set(names)


def test_an_input_may_be_an_output():
    x = tf.placeholder(tf.float32, [2], name="x")
    (same, more), (found, doubled) = both([tf.identity(x), x + x], {x: [1.0, 2.0]})
    assert found.tolist() == same.tolist() and doubled.tolist() == more.tolist()
