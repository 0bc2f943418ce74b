"""What tf.saved_model.save refuses, and what it leaves out."""

import pytest

import evergraph as tf
from evergraph.base import logging


def with_signature(function, *specs):
    return tf.function(function, input_signature=list(specs))


def saved(made, folder, **kwargs):
    tf.saved_model.save(made, str(folder / "model"), **kwargs)
    return tf.saved_model.load_v2(str(folder / "model"))


def test_the_only_function_with_a_signature_is_the_default(tmp_path):
    made = tf.Module()
    made.double = with_signature(lambda x: x * 2.0, tf.TensorSpec([None]))
    made.other = tf.function(lambda x: x)
    signature = saved(made, tmp_path).signatures["serving_default"]
    assert signature(x=tf.constant([1.0]))["output_0"].numpy() == [2.0]
    assert signature.structured_outputs.keys() == {"output_0"}


def test_two_functions_with_signatures_make_no_default(tmp_path):
    made = tf.Module()
    made.one, made.two = (with_signature(lambda x: x, tf.TensorSpec([])) for _ in range(2))
    assert saved(made, tmp_path).signatures == {}


def test_variables_of_functions_must_be_attributes(tmp_path):
    made, v = tf.Module(), tf.Variable(1.0)
    made.f = with_signature(lambda x: x + v, tf.TensorSpec([]))
    with pytest.raises(AssertionError, match="attribute"):
        saved(made, tmp_path)
    made.v = v
    assert saved(made, tmp_path).f(tf.constant(1.0)).numpy() == 2.0


@pytest.mark.parametrize("signatures", [
    lambda: tf.function(lambda x: x), lambda: (lambda x: x),
    lambda: with_signature(lambda x: None, tf.TensorSpec([])),
    lambda: with_signature(lambda x: {"a": [x]}, tf.TensorSpec([])),
    lambda: with_signature(lambda x: x.values, tf.SparseTensorSpec([None])),
], ids=["no specs", "no function", "no result", "structure", "sparse"])
def test_signatures_that_are_none(signatures, tmp_path):
    with pytest.raises(ValueError):
        saved(tf.Module(), tmp_path, signatures=signatures())
    assert not (tmp_path / "model").exists()


def test_reserved_names_of_signatures(tmp_path):
    with pytest.raises(KeyError, match="reserved"):
        saved(tf.Module(), tmp_path, signatures={
            "__saved_model_init_op": with_signature(lambda x: x, tf.TensorSpec([]))})


def test_objects_that_track_nothing(tmp_path):
    with pytest.raises(ValueError, match="tf.Module"):
        saved(3, tmp_path)
    made = tf.Module()
    made.parts = {1: tf.Variable(1.0)}
    with pytest.raises(ValueError, match="key 1"):
        saved(made, tmp_path)


def test_a_function_has_no_values(tmp_path):
    with pytest.raises(AssertionError, match="tf.function"):
        tf.function(lambda: saved(tf.Module(), tmp_path))()


def test_traces_for_objects_are_left_out(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(logging, "warning", lambda text, *_: said.append(text))
    made = tf.Module()
    made.f = tf.function(lambda x, how: how(x))
    made.f(tf.constant(1.0), tf.exp)
    loaded = saved(made, tmp_path)
    assert len(said) == 1 and "not saved" in said[0]
    with pytest.raises(ValueError, match="no graph for"):
        loaded.f(tf.constant(1.0), tf.exp)


def test_loaded_functions_take_what_they_were_traced_for(tmp_path):
    made = tf.Module()
    made.f = with_signature(lambda x: x * 2.0, tf.TensorSpec([None]))
    loaded = saved(made, tmp_path)
    assert loaded.f([1.0, 2.0]).numpy().tolist() == [2.0, 4.0]
    for wrong in (tf.constant(1.0), tf.constant([1]), "a"):
        with pytest.raises(ValueError, match="no graph for"):
            loaded.f(wrong)
    assert loaded.f.get_concrete_function().structured_input_signature[0][0].shape.as_list() == [None]


def test_layers_are_parts(tmp_path):
    made = tf.Module()
    made.layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
    made.f = with_signature(lambda x: made.layer(x), tf.TensorSpec([None, 3]))
    loaded = saved(made, tmp_path)
    assert loaded.f(tf.ones([1, 3])).numpy().tolist() == [[3.0, 3.0]]
    loaded.layer.kernel.assign(tf.zeros([3, 2]))
    assert loaded.f(tf.ones([1, 3])).numpy().tolist() == [[0.0, 0.0]]


def test_an_attribute_called_signatures(tmp_path):
    module = tf.Module()
    module.signatures = {"f": tf.Variable(1.0)}
    with pytest.raises(ValueError, match="'signatures' of the object"):
        tf.saved_model.save(module, str(tmp_path / "model"))
