"""The tools of `tensorflow.python.tools` that programs call as functions, and `file_io`."""

import pytest

import evergraph as tf
from evergraph.python.lib.io import file_io
from evergraph.python.tools import freeze_graph, inspect_checkpoint


@pytest.fixture
def model(tmp_path):
    """The path of a checkpoint of y = 2x + 1 beside its graph in text form, graph.pbtxt."""
    x = tf.placeholder(tf.float32, [None], name="x")
    w, b = tf.get_variable("w", initializer=2.0), tf.get_variable("b", initializer=[1.0])
    tf.add(w * x, b, name="y")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.write_graph(session.graph, str(tmp_path), "graph.pbtxt")
        return tf.train.Saver().save(session, str(tmp_path / "model"))


def frozen(model, output_node_names="y", **given):
    arguments = {"input_graph": None, "input_saver": "", "input_binary": False, "input_checkpoint": model,
                 "restore_op_name": "save/restore_all", "filename_tensor_name": "save/Const:0",
                 "output_graph": f"{model}.pb", "clear_devices": True, "initializer_nodes": ""}  # fmt: skip
    return freeze_graph.freeze_graph(output_node_names=output_node_names, **{**arguments, **given})


@pytest.mark.parametrize("which", ["input_graph", "input_meta_graph"])
def test_a_frozen_graph_needs_no_variables(model, which):
    path = {"input_graph": f"{model}.pbtxt".replace("model.pbtxt", "graph.pbtxt"), "input_meta_graph": f"{model}.meta"}
    message = frozen(model, **{which: path[which]})
    written = tf.GraphDef.FromString(file_io.read_file_to_string(f"{model}.pb", binary_mode=True))
    assert written == message and not any("Variable" in node.op for node in written.node)
    with tf.Graph().as_default(), tf.Session() as session:
        y, = tf.import_graph_def(written, return_elements=["y:0"])
        assert session.run(y, {"import/x:0": [1, 2]}).tolist() == [3, 5]


def test_a_frozen_saved_model(model, tmp_path):
    with tf.Session() as session:
        tf.train.Saver().restore(session, model)
        x, y = (session.graph.get_tensor_by_name(name) for name in ("x:0", "y:0"))
        tf.saved_model.simple_save(session, str(tmp_path / "saved"), {"x": x}, {"y": y})
    message = frozen(None, "y, w/read", input_saved_model_dir=str(tmp_path / "saved"), output_graph="")
    assert {"x", "y", "w"} <= {node.name for node in message.node}


def test_variables_may_stay(model):
    message = frozen(model, input_meta_graph=f"{model}.meta", variable_names_blacklist="b")
    assert {node.name: node.op for node in message.node if node.name in "wb"} == {"w": "Const", "b": "VariableV2"}


def test_what_freezing_refuses(model):
    with pytest.raises(ValueError, match="name the model"):
        frozen(model)
    with pytest.raises(ValueError, match=r"no nodes \['z'\]"):
        frozen(model, "z", input_meta_graph=f"{model}.meta")
    for name in ("input_saver", "initializer_nodes"):
        with pytest.raises(tf.errors.UnimplementedError, match=f"{name}='init' is not supported"):
            frozen(model, **{"input_meta_graph": f"{model}.meta", name: "init"})


@pytest.mark.parametrize("given, lines", [
    (("", True), ["tensor: b (float32) [1]", "[1.]", "tensor: w (float32) []", "2.0", "# Total number of params: 2"]),
    (("", False, True), ["tensor: b (float32) [1]", "tensor: w (float32) []", "# Total number of params: 2"]),
    (("w", False), ["tensor: w (float32) []", "2.0", "# Total number of params: 2"]),
    (("w", False, False, "b"), ["tensor: w (float32) []", "2.0", "# Total number of params: 1"]),
    (("", False), ["b (DT_FLOAT) [1]", "w (DT_FLOAT) []", "", "# Total number of params: 2"]),
    (("v", False), ["Tensor v not found in checkpoint"]),
])  # fmt: skip
def test_printed_checkpoints(model, capsys, given, lines):
    inspect_checkpoint.print_tensors_in_checkpoint_file(model, *given)
    assert capsys.readouterr().out.splitlines() == lines


def test_a_checkpoint_that_is_not_there_is_told(tmp_path, capsys):
    inspect_checkpoint.print_tensors_in_checkpoint_file(str(tmp_path / "none"), "", True)
    assert "none" in capsys.readouterr().out


def test_files_in_one_call(tmp_path):
    path = str(tmp_path / "file")
    file_io.write_string_to_file(path, "one")
    assert (file_io.read_file_to_string(path), file_io.read_file_to_string(path, True)) == ("one", b"one")
    file_io.atomic_write_string_to_file(path, "two")
    with file_io.FileIO(path, mode="r") as file:
        assert file.read() == "two"
    with pytest.raises(tf.errors.AlreadyExistsError):
        file_io.atomic_write_string_to_file(path, "three", overwrite=False)
    assert file_io.stat(path).length == 3
