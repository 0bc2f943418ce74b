"""Quantized models: how large they are, what types they have, and how far their numbers are off."""

from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph.lite.choices import ConverterError
from tests.harness.session import started
from tests.lite.running import converter, ran, steps

pytest.importorskip("ai_edge_litert")

DATA = Path(__file__).parent / "data"
INT8 = tf.lite.OpsSet.TFLITE_BUILTINS_INT8


@pytest.fixture(scope="module")
def model():
    """A frozen graph with enough weights to be worth it, images, and what a session gives for them."""
    rng = np.random.RandomState(0)
    images = rng.rand(4, 12, 12, 3).astype(np.float32)
    with tf.Graph().as_default():
        tf.set_random_seed(0)
        x = tf.placeholder(tf.float32, [None, 12, 12, 3], name="x")
        y = tf.layers.separable_conv2d(tf.layers.conv2d(x, 48, 3, activation=tf.nn.relu6), 32, 3, activation=tf.nn.relu)
        y = tf.layers.dense(tf.layers.flatten(tf.layers.max_pooling2d(y, 2, 2)), 10)
        y = tf.nn.softmax(y, name="prob")
        with started() as session:
            expected = session.run(y, {x: images})
            message = tf.graph_util.convert_variables_to_constants(
                session, tf.get_default_graph().as_graph_def(), ["prob"])
    return message, images, expected


def converted(model, **attributes):
    made = tf.lite.TFLiteConverter(model[0], None, None, [("x", [None, 12, 12, 3])], ["prob"])
    for name, value in attributes.items():
        setattr(made, name, value)
    return made.convert()


def samples(model):
    return lambda: ([image[None]] for image in model[1])


def test_float16_weights_are_half_as_large(model):
    spec = tf.lite.TargetSpec(supported_types=[tf.float16])
    whole = converted(model)
    half = converted(model, target_spec=spec, optimizations=[tf.lite.Optimize.DEFAULT])
    assert len(half) < 0.6 * len(whole) and "DEQUANTIZE" in steps(half)
    np.testing.assert_allclose(ran(half, model[1])[0], model[2], atol=1e-3)


def test_8_bit_weights_are_a_quarter_as_large(model):
    whole = converted(model)
    small = converted(model, post_training_quantize=True)
    assert len(small) < 0.4 * len(whole) and steps(small) == steps(whole)
    np.testing.assert_allclose(ran(small, model[1])[0], model[2], atol=0.01)


def test_tables_are_stored_in_8_bits():
    ids = tf.placeholder(tf.int32, [None], name="ids")
    y = tf.nn.embedding_lookup(tf.get_variable("table", [40, 32]), ids)
    with started() as session:
        whole = converter(session, [ids], [y]).convert()
        small = converter(session, [ids], [y], optimizations=[tf.lite.Optimize.DEFAULT]).convert()
        expected = session.run(y, {ids: [3, 39]})
    assert steps(small) == ["GATHER", "DEQUANTIZE"] and len(small) < 0.5 * len(whole)
    np.testing.assert_allclose(ran(small, np.int32([3, 39]))[0], expected, atol=0.004)


def test_loops_are_not_quantized_by_samples():
    x = tf.placeholder(tf.float32, [1, 4, 3], name="x")
    y, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), x, dtype=tf.float32)
    with started() as session, pytest.raises(ConverterError, match="loops and branches.*While"):
        converter(session, [x], [y], optimizations=[tf.lite.Optimize.DEFAULT],
                  representative_dataset=lambda: [[np.ones([1, 4, 3], np.float32)]]).convert()


def test_small_weights_stay_as_they_are():
    x = tf.placeholder(tf.float32, [1, 4], name="x")
    y = tf.matmul(x, np.ones([4, 4], np.float32))
    with started() as session:
        small, whole = (converter(session, [x], [y], post_training_quantize=each).convert() for each in (True, False))
    assert small == whole


def test_calibrated_models_take_and_return_floats(model):
    content = converted(model, optimizations=[tf.lite.Optimize.DEFAULT], representative_dataset=samples(model))
    assert steps(content)[0] == "QUANTIZE" and steps(content)[-1] == "DEQUANTIZE"
    np.testing.assert_allclose(ran(content, model[1])[0], model[2], atol=0.02)


@pytest.mark.parametrize("kind", [tf.int8, tf.uint8])
def test_calibrated_models_take_and_return_integers(model, kind):
    dataset = tf.lite.RepresentativeDataset(samples(model))
    content = converted(model, target_spec=tf.lite.TargetSpec([INT8]), representative_dataset=dataset,
                        inference_input_type=kind, inference_output_type=kind)
    interpreter = tf.lite.Interpreter(model_content=content)
    given, made = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    assert given["dtype"] == made["dtype"] == kind.as_numpy_dtype
    scale, zero = given["quantization"]
    integers = np.round(model[1] / scale + zero).astype(kind.as_numpy_dtype)
    found = (ran(content, integers)[0].astype(np.float32) - made["quantization"][1]) * made["quantization"][0]
    np.testing.assert_allclose(found, model[2], atol=0.02)


def test_a_model_of_tensorflow_is_as_close_to_it_as_its_own_quantized_model():
    answers = np.load(DATA / "cnn_int8.npz")
    made = tf.lite.TFLiteConverter.from_frozen_graph(str(DATA / "cnn_frozen.pb"), ["x"], ["prob"])
    made.optimizations, made.representative_dataset = [tf.lite.Optimize.DEFAULT], lambda: [[answers["x"]]]
    np.testing.assert_allclose(ran(made.convert(), answers["x"])[0], answers["y"], atol=2 / 256)


def test_samples_are_needed_and_must_fit(model):
    with pytest.raises(ValueError, match="gave no samples"):
        converted(model, optimizations=[tf.lite.Optimize.DEFAULT], representative_dataset=lambda: [])
    with pytest.raises(ValueError, match="leaves out"):
        converted(model, optimizations=[tf.lite.Optimize.DEFAULT], representative_dataset=samples(model),
                  target_spec=tf.lite.TargetSpec([INT8], [tf.float16]))


def test_an_op_without_an_integer_kernel_is_refused_where_floats_are():
    x = tf.placeholder(tf.float32, [1, 4], name="x")
    with started() as session:
        given = {"representative_dataset": lambda: [[np.ones([1, 4], np.float32)]]}
        mixed = converter(session, [x], [tf.sin(x)], optimizations=[tf.lite.Optimize.DEFAULT], **given).convert()
        assert ran(mixed, [[0, 1, 2, 3]])[0] == pytest.approx(np.sin([[0, 1, 2, 3]]), abs=1e-6)
        with pytest.raises(ConverterError, match="cannot be quantized"):
            converter(session, [x], [tf.sin(x)], target_spec=tf.lite.TargetSpec([INT8]), **given).convert()


# ---- quantized training


def trained_model():
    """A layer between fake quantizations, as quantized training leaves it."""
    rng = np.random.RandomState(2)
    x = tf.placeholder(tf.float32, [1, 8], name="x")
    weights = tf.fake_quant_with_min_max_args(tf.constant(rng.uniform(-1, 1, [8, 4]).astype(np.float32)), min=-1, max=1)
    y = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, weights), rng.rand(4).astype(np.float32)))
    return x, tf.fake_quant_with_min_max_args(y, min=0, max=6, name="y")


def test_ranges_of_fake_quantization_make_a_uint8_model():
    x, y = trained_model()
    given = np.arange(0, 256, 32, np.uint8)[None]
    with started() as session:
        expected = session.run(y, {x: given / 255})
        content = converter(session, [x], [y], inference_type=tf.uint8, quantized_input_stats={"x": (0, 255)}).convert()
    assert steps(content) == ["FULLY_CONNECTED"]
    assert ran(content, given)[0] * (6 / 255) == pytest.approx(expected, abs=1.5 * 6 / 255)


def test_a_uint8_model_may_take_and_return_floats():
    x, y = trained_model()
    given = np.linspace(0, 1, 8, dtype=np.float32)[None]
    with started() as session:
        expected = session.run(y, {x: given})
        content = converter(session, [x], [y], inference_type=tf.uint8, quantized_input_stats={"x": (0, 255)},
                            inference_input_type=tf.float32, inference_output_type=tf.float32).convert()
    assert ran(content, given)[0] == pytest.approx(expected, abs=2 * 6 / 255)


def test_a_float_model_may_take_integers():
    x = tf.placeholder(tf.float32, [3], name="x")
    with started() as session:
        content = converter(session, [x], [x * 2.0], inference_input_type=tf.uint8,
                            quantized_input_stats={"x": (128, 64)}).convert()
    assert ran(content, [0, 128, 192])[0].tolist() == [-4, 0, 2]


def test_unknown_ranges_are_told_or_given():
    x = tf.placeholder(tf.float32, [3], name="x")
    y = tf.add(x, x, name="y")
    with started() as session:
        given = {"inference_type": tf.uint8, "quantized_input_stats": {"x": (0, 100)}}
        with pytest.raises(ConverterError, match="ranges of y are unknown"):
            converter(session, [x], [y], **given).convert()
        content = converter(session, [x], [y], default_ranges_stats=(0, 5.1), **given).convert()
    assert ran(content, [0, 100, 200])[0].tolist() == [0, 100, 200]  # hundredths come in, fiftieths go out


@pytest.mark.parametrize("join", [False, True])
def test_concatenated_ranges(join):
    a, b = (tf.placeholder(tf.float32, [2], name=name) for name in "ab")
    joined = tf.fake_quant_with_min_max_args(tf.concat([a * 1.0, b * 1.0], 0), min=0, max=2)
    stats = {"a": (0, 255), "b": (0, 255)}
    with started() as session:
        content = converter(session, [a, b], [joined], inference_type=tf.uint8, default_ranges_stats=(0, 1),
                            quantized_input_stats=stats, change_concat_input_ranges=join).convert()
    scales = {each["name"]: each["quantization"][0] for each in
              tf.lite.Interpreter(model_content=content).get_tensor_details()}
    assert scales["mul"] == pytest.approx((2 if join else 1) / 255)
