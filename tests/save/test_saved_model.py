"""tf.saved_model: writing models, loading them, their signatures and assets."""

import os

import numpy as np
import pytest

import evergraph as tf
from evergraph.save.saved_model_builder import _SavedModelBuilder
from evergraph.save.saved_model_loader import SavedModelLoader, get_train_op, parse_saved_model
from tests.harness.session import started

sm = tf.saved_model


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "model")


def scaled(factor=2.0):
    """(placeholder, the same times a variable)."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    return x, tf.multiply(x, tf.get_variable("w", initializer=[factor, 1.0]), name="y")


def run_signature(folder, feeds, key="serving_default", tags=("serve",), **options):
    with tf.Session(graph=tf.Graph()) as session:
        signature = sm.load(session, tags, folder, **options).signature_def[key]
        scope = options.get("import_scope")
        named = lambda info: f"{scope}/{info.name}" if scope else info.name
        return session.run({name: named(info) for name, info in signature.outputs.items()},
                           {named(signature.inputs[name]): value for name, value in feeds.items()})  # fmt: skip


# ---- there and back


@pytest.mark.parametrize("resource", [False, True])
def test_simple_save(folder, resource):
    with tf.variable_scope("", use_resource=resource):
        x, y = scaled()
    with started() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": y})
    assert sorted(os.listdir(folder)) == ["saved_model.pb", "variables"]
    assert sorted(os.listdir(f"{folder}/variables")) == ["variables.data-00000-of-00001", "variables.index"]
    result = run_signature(folder, {"x": [[1.0, 5.0]]})
    np.testing.assert_array_equal(result["y"], [[2.0, 5.0]])
    np.testing.assert_array_equal(run_signature(folder, {"x": [[1.0, 5.0]]}, import_scope="a")["y"], [[2.0, 5.0]])


def test_as_text(folder):
    x, y = scaled()
    builder = sm.Builder(folder)
    with started() as session:
        builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": sm.predict_signature_def(
            {"x": x}, {"y": y})})  # fmt: skip
    assert builder.save(as_text=True) == f"{folder}/saved_model.pbtxt".encode()
    np.testing.assert_array_equal(run_signature(folder, {"x": [[3.0, 5.0]]})["y"], [[6.0, 5.0]])
    assert sm.contains_saved_model(folder) and sm.loader.maybe_saved_model_directory(folder)


def test_several_graphs_share_variables(folder):
    builder = sm.builder.SavedModelBuilder(folder)
    with pytest.raises(AssertionError):
        builder.add_meta_graph(["early"])
    scaled()
    with started() as session:
        builder.add_meta_graph_and_variables(session, ["train"])
        with pytest.raises(AssertionError):
            builder.add_meta_graph_and_variables(session, ["again"])
    with tf.Graph().as_default():
        x, y = scaled(7.0)
        signature = sm.predict_signature_def({"x": x}, {"y": y + 1.0})
        builder.add_meta_graph(["serve", "gpu"], {"serving_default": signature}, strip_default_attrs=True)
    builder.save()
    result = run_signature(folder, {"x": [[1.0, 5.0]]}, tags=["gpu", "serve", "gpu"])
    np.testing.assert_array_equal(result["y"], [[3.0, 6.0]])
    with tf.Session(graph=tf.Graph()) as session:
        with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
            sm.load(session, ["serve"], folder)


def test_a_graph_without_variables(folder):
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.Session() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": x + 1.0})
    assert run_signature(folder, {"x": 1.0})["y"] == 2


def test_defaults_come_back(folder):
    builder = sm.Builder(folder)
    tf.complex(1.0, 2.0, name="c")
    with tf.Session() as session:
        builder.add_meta_graph_and_variables(session, ["foo"], strip_default_attrs=True)
    builder.save()
    node = lambda message: next(node for node in message.graph_def.node if node.name == "c")
    assert "Tout" not in node(parse_saved_model(folder).meta_graphs[0]).attr
    with tf.Session(graph=tf.Graph()) as session:
        assert "Tout" in node(sm.load(session, ["foo"], folder)).attr


def test_devices_are_cleared(folder):
    builder = sm.Builder(folder)
    with tf.device("/gpu:3"):
        tf.constant(1.0, name="c")
    with tf.Session() as session:
        builder.add_meta_graph_and_variables(session, ["kept"])
        builder.add_meta_graph(["cleared"], clear_devices=True)
    builder.save()
    kept, cleared = parse_saved_model(folder).meta_graphs
    assert [node.device for node in kept.graph_def.node if node.name == "c"] == ["/device:GPU:3"]
    assert not any(node.device for node in cleared.graph_def.node)


# ---- operations that run when a model is loaded


@pytest.mark.parametrize("argument", ["main_op", "legacy_init_op"])
def test_main_op(folder, argument):
    total = tf.get_variable("total", initializer=0.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    w = tf.get_variable("w", initializer=3.0)
    op = tf.group(tf.assign(total, w * 2.0))
    builder = sm.Builder(folder)
    with started() as session:
        builder.add_meta_graph_and_variables(session, ["serve"], **{argument: op})
        with pytest.raises(ValueError, match="already contains"):
            builder.add_meta_graph(["more"], main_op=op)
    builder.save()
    with tf.Session(graph=tf.Graph()) as session:
        assert not sm.load(session, ["serve"], folder, import_scope="in").signature_def
        assert session.run("in/total:0") == 6


def test_ops_in_signatures(folder):
    v = tf.get_variable("v", initializer=1)
    with started() as session:
        builder = _SavedModelBuilder(folder)
        builder.add_meta_graph_and_variables(
            session, ["a"], init_op=tf.group(tf.assign(v, 5)), train_op=tf.assign_add(v, 1))  # fmt: skip
        builder.add_meta_graph(["b"], train_op=tf.no_op())
    builder.save()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        message = sm.load(session, ["a"], folder)
        assert set(message.signature_def) == {"__saved_model_init_op", "__saved_model_train_op"}
        assert session.run("v:0") == 5 and session.run(get_train_op(message)) == 6
    with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
        assert isinstance(get_train_op(sm.load(session, ["b"], folder)), tf.Operation)


def test_main_ops(graph):
    tf.get_variable("v", initializer=1)
    count = len(graph.get_operations())
    assert sm.main_op.main_op().name == "group_deps"
    assert [op.name for op in graph.get_operations()[count:]] == ["init", "init_1", "init_all_tables", "group_deps"]
    restoring = sm.main_op_with_restore("v/Assign")
    assert [op.name for op in restoring.control_inputs] == ["group_deps_1", "v/Assign"]


# ---- the three steps of a loader


def test_loader_in_steps(folder):
    x, y = scaled()
    with started() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": y})
    loader = SavedModelLoader(folder)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        saver, (found,) = loader.load_graph(graph, ["serve"], return_elements=["w:0"])
        assert found is graph.get_tensor_by_name("w:0")
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run("w:0")
        with pytest.raises(ValueError):
            loader.restore_variables(session, None)
        loader.restore_variables(session, saver)
        loader.run_init_ops(session, ["serve"])
        assert session.run("w:0").tolist() == [2, 1]
        with pytest.raises(ValueError):
            loader.load_graph(graph, ["serve"], return_elements=["none:0"])


# ---- signatures


def test_signature_of_kinds():
    text, number = tf.constant("a", name="t"), tf.constant(1.0, name="n")
    regression = sm.regression_signature_def(text, number)
    assert regression.inputs["inputs"].name == "t:0" and regression.outputs["outputs"].dtype == tf.float32.enum
    both = sm.classification_signature_def(text, text, number)
    assert sorted(both.outputs) == ["classes", "scores"]
    for signature in (regression, both, sm.classification_signature_def(text, None, number),
                      sm.classification_signature_def(text, text, None), sm.predict_signature_def({"a": text}, {
                          "b": number})):  # fmt: skip
        assert sm.is_valid_signature(signature)


@pytest.mark.parametrize("build", [
    lambda t, n: sm.regression_signature_def(n, n), lambda t, n: sm.regression_signature_def(t, t),
    lambda t, n: sm.regression_signature_def(None, n), lambda t, n: sm.classification_signature_def(n, t, n),
    lambda t, n: sm.classification_signature_def(t, n, n), lambda t, n: sm.classification_signature_def(t, t, t),
    lambda t, n: sm.classification_signature_def(t, None, None), lambda t, n: sm.predict_signature_def({}, {"y": n}),
    lambda t, n: sm.predict_signature_def({"x": n}, None),
])  # fmt: skip
def test_signatures_refused(build):
    with pytest.raises(ValueError):
        build(tf.constant("a"), tf.constant(1.0))


@pytest.mark.parametrize("inputs, outputs, method", [
    ("t", "c", "other"), ("n", "c", sm.CLASSIFY_METHOD_NAME), ("t", "", sm.CLASSIFY_METHOD_NAME),
    ("", "c", sm.CLASSIFY_METHOD_NAME), ("t", "cx", sm.CLASSIFY_METHOD_NAME), ("t", "c", sm.REGRESS_METHOD_NAME),
    ("", "c", sm.PREDICT_METHOD_NAME), ("t", "", sm.PREDICT_METHOD_NAME),
])  # fmt: skip
def test_invalid_signatures(inputs, outputs, method):
    info = {"t": ("inputs", tf.constant("a")), "n": ("inputs", tf.constant(1.0)), "c": ("classes", tf.constant("a")),
            "x": ("extra", tf.constant("a"))}  # fmt: skip
    built = lambda keys: {info[key][0]: sm.build_tensor_info(info[key][1]) for key in keys}
    assert not sm.is_valid_signature(sm.build_signature_def(built(inputs), built(outputs), method))


def test_tensor_infos(graph):
    ref = tf.get_variable("ref", initializer=[1.0])
    handle = tf.get_variable("handle", initializer=[1.0], use_resource=True)
    unknown = tf.placeholder(tf.int64, name="u")
    assert (sm.build_tensor_info(ref).name, sm.build_tensor_info(ref).dtype) == ("ref:0", tf.float32.ref.enum)
    assert (sm.build_tensor_info(handle).name, sm.build_tensor_info(handle).dtype) == ("handle:0", tf.float32.enum)
    assert sm.build_tensor_info(unknown).tensor_shape.unknown_rank
    for tensor in (tf.sparse_placeholder(tf.float32, [2, None]), tf.ragged.constant([[[1], []], [[2, 3]]]),
                   tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), unknown):  # fmt: skip
        found = sm.get_tensor_from_tensor_info(sm.build_tensor_info(tensor))
        assert type(found) is type(tensor)
        if found is not tensor:
            assert [a.name for a in found._components()] == [b.name for b in tensor._components()]
    info = sm.build_tensor_info(unknown)
    info.name = "none:0"
    with pytest.raises(KeyError):
        sm.get_tensor_from_tensor_info(info)
    info.ClearField("name")
    with pytest.raises(ValueError):
        sm.get_tensor_from_tensor_info(info)


def test_signatures_are_checked(folder):
    builder = sm.Builder(folder)
    info = sm.build_tensor_info(tf.constant(1.0))
    with tf.Session() as session:
        for key in ("__saved_model_init_op", "__saved_model_train_op"):
            with pytest.raises(KeyError):
                builder.add_meta_graph_and_variables(session, ["a"], {key: sm.build_signature_def({"x": info})})
        for broken in (tf.TensorInfo(dtype=1), tf.TensorInfo(name="x"), tf.TensorInfo()):
            with pytest.raises(AssertionError):
                builder.add_meta_graph_and_variables(session, ["a"], {"k": sm.build_signature_def({"x": broken})})


# ---- assets


def asset(path, content, name):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content)
    return tf.constant(path, name=name)


@pytest.mark.parametrize("kind", [sm.Builder, _SavedModelBuilder])
def test_assets(folder, tmp_path, kind):
    first = asset(f"{tmp_path}/a/words.txt", "one", "first")
    same = asset(f"{tmp_path}/b/words.txt", "one", "same")
    other = asset(f"{tmp_path}/c/words.txt", "two", "other")
    path = tf.get_variable("path", initializer=tf.constant("", tf.string), collections=[])
    argument = "assets_collection" if kind is sm.Builder else "assets_list"
    run = "main_op" if kind is sm.Builder else "init_op"
    builder = kind(folder)
    with tf.Session() as session:
        builder.add_meta_graph_and_variables(session, ["serve"], **{
            argument: [first, same, other], run: tf.group(tf.assign(path, other))})  # fmt: skip
    builder.save()
    assert sorted(os.listdir(f"{folder}/assets")) == ["words.txt", "words.txt_1"]
    moved = f"{tmp_path}/moved"
    os.rename(folder, moved)
    with tf.Session(graph=tf.Graph()) as session:
        sm.load(session, ["serve"], moved, import_scope="m")
        assert session.run("m/path:0") == f"{moved}/assets/words.txt_1".encode()


@pytest.mark.parametrize("make, error", [
    (lambda: "words.txt", TypeError), (lambda: tf.constant(3), TypeError), (lambda: tf.constant(""), ValueError),
    (lambda: tf.placeholder(tf.string), TypeError), (lambda: tf.constant("/nowhere/x"), tf.errors.NotFoundError),
])  # fmt: skip
def test_assets_refused(folder, make, error):
    with tf.Session() as session, pytest.raises(error):
        sm.Builder(folder).add_meta_graph_and_variables(session, ["serve"], assets_collection=[make()])


# ---- what is not a model


def test_nothing_there(tmp_path):
    with tf.Session() as session:
        for place in (tmp_path / "none", tmp_path):
            assert not sm.contains_saved_model(place)
            with pytest.raises(OSError, match="SavedModel file does not exist at"):
                sm.load(session, ["serve"], place)


def test_directory_in_use(tmp_path):
    sm.Builder(tmp_path)
    (tmp_path / "x").write_text("")
    with pytest.raises(AssertionError):
        sm.Builder(tmp_path)


@pytest.mark.parametrize("name", ["saved_model.pb", "saved_model.pbtxt"])
def test_garbage(tmp_path, name):
    for content in (b"\xff\xfe garbage", b"invalid content"):
        (tmp_path / name).write_bytes(content)
        with tf.Session() as session, pytest.raises(OSError, match="Cannot parse file"):
            sm.load(session, ["serve"], tmp_path)


def test_damaged_models_raise(folder, tmp_path):
    """Whatever is changed in a model, loading and running it gives an error or the model, and never hangs."""
    x, y = scaled()
    w = asset(f"{tmp_path}/words.txt", "a\nb", "asset")
    builder = sm.Builder(folder)
    with started() as session:
        signature = sm.predict_signature_def({"x": x}, {"y": y})
        builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": signature}, [w], tf.no_op())
    path = builder.save().decode()
    with open(path, "rb") as file:
        whole = file.read()
    rng = np.random.RandomState(0)
    failed = 0
    for trial in range(60):
        data = bytearray(whole[: rng.randint(len(whole))] if trial % 4 == 0 else whole)
        for place in rng.randint(max(len(data), 1), size=trial % 4):
            data[place] = rng.randint(256)
        with open(path, "wb") as file:
            file.write(data)
        try:
            run_signature(folder, {"x": [[1.0, 2.0]]})
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, tf.OpError):
            failed += 1
    assert failed > 20


def test_assets_stay_inside(folder):
    with tf.Session() as session:
        sm.simple_save(session, folder, {"x": tf.constant(1.0)}, {"y": tf.constant("a", name="path")})
    message = parse_saved_model(folder)
    definition = message.meta_graphs[0].asset_file_def.add(filename="../../etc/passwd")
    definition.tensor_info.name = "path:0"
    with open(f"{folder}/saved_model.pb", "wb") as file:
        file.write(message.SerializeToString())
    with tf.Session(graph=tf.Graph()) as session, pytest.raises(ValueError, match="not in the directory"):
        sm.load(session, ["serve"], folder)


def test_variables_missing(folder):
    x, y = scaled()
    with started() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": y})
    os.remove(f"{folder}/variables/variables.index")
    with tf.Session(graph=tf.Graph()) as session, pytest.raises(ValueError):
        sm.load(session, ["serve"], folder)


# ---- as objects


@pytest.mark.parametrize("resource", [False, True])
def test_signatures_are_called(folder, resource):
    with tf.variable_scope("", use_resource=resource):
        x, y = scaled()
    with started() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": y, "x": x})
    with tf.Graph().as_default() as graph, tf.Session() as session:
        model, other = sm.load_v2(folder), sm.load_v2(folder, tags="serve")
        function = model.signatures["serving_default"]
        value = tf.constant([[1.0, 1.0]])
        calls = [function(x=value), function(value), other.signatures["serving_default"](x=[[1.0, 1.0]])]
        assert calls[0]["x"] is value and [v.name for v in model.variables] == ["loaded/w:0"]
        assert not [op for op in graph.get_operations() if op.type == "Placeholder"]
        session.run(tf.global_variables_initializer())
        session.run(model.variables[0].assign([5.0, 6.0]))
        assert [session.run(call["y"]).tolist() for call in calls] == [[[5, 6]], [[5, 6]], [[2, 1]]]
        session.run(model.initializer)
        assert session.run(calls[0]["y"]).tolist() == [[2, 1]]
        (gradient,) = tf.gradients(calls[0]["y"], value)
        assert session.run(gradient).tolist() == [[2, 1]]
        for arguments in ([], [value, value]):
            with pytest.raises(TypeError):
                function(*arguments)
        with pytest.raises(TypeError):
            function(z=value)


def test_objects_with_tables_and_assets(folder, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a\nb\n")
    table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
        str(words), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
    x = tf.placeholder(tf.string, [None], name="x")
    with tf.Session() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": table.lookup(x)}, tf.tables_initializer())
    words.unlink()
    with tf.Graph().as_default(), tf.Session() as session:
        y = sm.load_v2(folder).signatures["serving_default"](tf.constant(["b", "z"]))["y"]
        session.run(tf.tables_initializer())
        assert session.run(y).tolist() == [1, -1]


def test_objects_with_sparse_inputs(folder):
    x = tf.sparse_placeholder(tf.float32, [2, 2])
    with tf.Session() as session:
        sm.simple_save(session, folder, {"x": x}, {"y": tf.sparse_tensor_to_dense(x)})
    with tf.Graph().as_default(), tf.Session() as session:
        function = sm.load_v2(folder).signatures["serving_default"]
        y = function(tf.SparseTensor([[0, 1]], [3.0], [2, 2]))["y"]
        assert session.run(y).tolist() == [[0, 3], [0, 0]]
        with pytest.raises(TypeError):
            function(tf.zeros([2, 2]))


def test_which_graph(folder):
    builder = sm.Builder(folder)
    with tf.Session() as session:
        builder.add_meta_graph_and_variables(session, ["a"])
        builder.add_meta_graph(["b", "c"])
    builder.save()
    with pytest.raises(ValueError, match="2 graphs"):
        sm.load_v2(folder)
    assert sm.load_v2(folder, tags=["c", "b"]).signatures == {}
    with pytest.raises(RuntimeError):
        sm.load_v2(folder, tags="c")


def test_objects_are_not_saved():
    for call in (lambda: sm.save(None, "x"), lambda: sm.experimental.save(None, "x")):
        with pytest.raises(ValueError, match="tracks its attributes"):
            call()
