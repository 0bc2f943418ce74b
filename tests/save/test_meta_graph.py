"""MetaGraphDefs: what is in them, scopes, files, and what comes back."""

import pytest

import evergraph as tf
from evergraph.save.meta_graph import import_scoped_meta_graph
from evergraph.save.scoped_meta_graph import copy_scoped_meta_graph, export_scoped_meta_graph


def names(graph):
    return [op.name for op in graph.get_operations()]


def test_collections_by_kind():
    with tf.name_scope("scope"):
        c = tf.constant(1.0, name="c")
    for key, item in [("tensors", c), ("ops", c.op), ("text", "a"), ("bytes", b"b"), ("ints", 3), ("floats", 2.5),
                      ("mixed", c), ("mixed", 3), ("objects", object()), (("no", "text"), c)]:  # fmt: skip
        tf.add_to_collection(key, item)
    message = tf.train.export_meta_graph()
    written = {key: (entry.WhichOneof("kind"), list(getattr(entry, entry.WhichOneof("kind")).value))
               for key, entry in message.collection_def.items()}  # fmt: skip
    assert written == {
        "tensors": ("node_list", ["scope/c:0"]), "ops": ("node_list", ["scope/c"]), "text": ("bytes_list", [b"a"]),
        "bytes": ("bytes_list", [b"b"]), "ints": ("int64_list", [3]), "floats": ("float_list", [2.5]),
    }  # fmt: skip
    assert [op.name for op in message.meta_info_def.stripped_op_list.op] == ["Const"]
    assert message.meta_info_def.tensorflow_version == "1.15.0"
    assert message.graph_def.node[0].attr["_output_shapes"].list.shape


def test_chosen_collections():
    tf.constant(1.0)
    for key in "ab":
        tf.add_to_collection(key, 1)
    assert set(tf.train.export_meta_graph(collection_list=["a"]).collection_def) == {"a"}


@pytest.mark.parametrize("scope", [None, "imported"])
def test_variables_come_back(graph, scope):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=3.0, use_resource=True, trainable=False)
    tf.add_to_collection("results", tf.identity(v * w, name="result"))
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default() as other, tf.Session() as session:
        found = import_scoped_meta_graph(message, import_scope=scope)
        prefix = f"{scope}/" if scope else ""
        assert set(found) == {"v:0", "w:0"}
        assert [each.name for each in tf.global_variables()] == [f"{prefix}v:0", f"{prefix}w:0"]
        assert tf.trainable_variables() == [found["v:0"]]
        assert names(other) == [prefix + name for name in names(graph)]
        session.run(tf.global_variables_initializer())
        assert session.run(tf.get_collection("results")[0]).tolist() == [3, 6]


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_branches_and_loops_that_read_a_variable(tier):
    w = tf.get_variable("w", initializer=3, use_resource=False)
    tf.cond(tf.placeholder_with_default(True, []), lambda: w.read_value() + 1, lambda: 0, name="branch")
    tf.while_loop(lambda i: i < 2 * w.read_value(), lambda i: i + w.read_value(), [0], name="loop")
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session(tier=tier) as session:
        tf.train.import_meta_graph(message)
        session.run(tf.global_variables_initializer())
        ends = [each.outputs[0] for each in graph.get_operations() if each.name in ("branch/Merge", "loop/Exit")]
        assert session.run(ends) == [4, 6]


def test_the_scope_in_force_is_the_one_to_import_into(tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.name_scope("model"):
            saver = tf.train.import_meta_graph(f"{path}.meta")
        saver.restore(session, path)
        assert session.run("model/v:0") == 1


def test_one_saver_is_kept():
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=1.0)
    savers = [tf.train.Saver([v], name="one"), tf.train.Saver([w], name="two")]
    for saver in savers:
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    message = savers[1].export_meta_graph(clear_extraneous_savers=True)
    assert list(message.collection_def["savers"].bytes_list.value) == [savers[1].saver_def.SerializeToString()]
    assert {node.name.partition("/")[0] for node in message.graph_def.node} == {"v", "w", "two"}
    assert "savers" not in tf.train.export_meta_graph(clear_extraneous_savers=True).collection_def


def test_places_outside_a_scope_are_forgotten():
    outside = tf.constant(1.0, name="outside")
    with tf.name_scope("a"):
        inside = tf.constant(1.0, name="inside")
        for name, other in (("one", outside), ("two", inside)):
            with tf.colocate_with(other.op):
                tf.constant(2.0, name=name)
    message, _ = export_scoped_meta_graph(export_scope="a")
    groups = {node.name: list(node.attr["_class"].list.s) for node in message.graph_def.node if "_class" in node.attr}
    assert groups == {"two": [b"loc:@inside"]}


def test_scopes_are_copied():
    with tf.variable_scope("a"):
        v = tf.get_variable("v", initializer=2.0)
        tf.multiply(v, 3.0, name="y")
    message, found = export_scoped_meta_graph(export_scope="a")
    assert found == {"v:0": v} and {node.name for node in message.graph_def.node} >= {"v", "y"}
    copied = copy_scoped_meta_graph("a", "b")
    with tf.Session() as session:
        session.run(copied["v:0"].initializer)
        assert copied["v:0"].name == "b/v:0" and session.run("b/y:0") == 6
    with pytest.raises(ValueError):
        copy_scoped_meta_graph("a", "a")


def test_ops_that_are_not_known():
    graph_def = tf.GraphDef()
    graph_def.node.add(name="n", op="Unheard").attr["a"].i = 1
    message = tf.train.export_meta_graph(graph_def=graph_def, strip_default_attrs=True)
    assert message.graph_def.node[0].attr["a"].i == 1 and not message.meta_info_def.stripped_op_list.op


def test_messages_in_collections_are_renamed():
    from evergraph.proto import control_flow_pb2

    tf.constant(1.0, name="c")
    context = control_flow_pb2.CondContextDef(context_name="cond/cond_text", pred_name="pred:0", branch=1)
    context.values_def.values.append("a:0")
    context.values_def.external_values["b:0"] = "c:0"
    tf.add_to_collection(tf.GraphKeys.COND_CONTEXT, context)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        import_scoped_meta_graph(message, import_scope="new")
        (renamed,) = tf.get_collection(tf.GraphKeys.COND_CONTEXT)
        assert (renamed.context_name, renamed.pred_name, renamed.branch) == ("new/cond/cond_text", "new/pred:0", 1)
        assert list(renamed.values_def.values) == ["new/a:0"]
        assert dict(renamed.values_def.external_values) == {"new/b:0": "new/c:0"}
        again = tf.train.export_meta_graph(export_scope="new")
        key = tf.GraphKeys.COND_CONTEXT
        assert again.collection_def[key] == message.collection_def[key]


def test_a_part_of_a_graph():
    x, wait = tf.placeholder(tf.float32, [], name="x"), tf.no_op(name="wait")
    with tf.name_scope("part"), tf.device("/cpu:0"):
        c = tf.constant(1.0, name="c")
        with tf.control_dependencies([wait]):
            y = tf.add(x, c, name="y")
    tf.add_to_collection("results", y)
    tf.add_to_collection("results", tf.identity(y, name="outside"))
    message = tf.train.export_meta_graph(export_scope="part", clear_devices=True)
    nodes = {node.name: node for node in message.graph_def.node}
    assert list(nodes) == ["c", "y"]
    assert list(nodes["y"].input) == ["$unbound_inputs_x", "c", "^$unbound_inputs_wait"]
    assert not nodes["c"].device
    assert list(message.collection_def["results"].node_list.value) == ["y:0"]
    with tf.Graph().as_default() as other, tf.Session() as session:
        with pytest.raises(ValueError, match="unbound inputs"):
            tf.train.import_meta_graph(message)
        three = tf.constant(3.0)
        given = {"$unbound_inputs_x": three, "^$unbound_inputs_wait": three}
        tf.train.import_meta_graph(message, import_scope="new", input_map=given)
        assert names(other) == ["Const", "new/c", "new/y"]
        assert session.run(tf.get_collection("results")[0]) == 4


def test_defaults_can_be_left_out():
    tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]), transpose_a=True, name="m")
    message = tf.train.export_meta_graph(strip_default_attrs=True)
    attrs = {node.name: set(node.attr) for node in message.graph_def.node}
    assert attrs["m"] == {"T", "transpose_a", "_output_shapes"}
    assert message.meta_info_def.stripped_default_attrs
    with tf.Graph().as_default() as other:
        tf.train.import_meta_graph(message)
        assert other.get_operation_by_name("m").get_attr("transpose_b") is False


@pytest.mark.parametrize("as_text", [False, True])
def test_files(tmp_path, as_text):
    tf.constant(1.0, name="c")
    path = str(tmp_path / "folder" / "graph.meta")
    tf.train.export_meta_graph(path, as_text=as_text)
    with tf.Graph().as_default() as other:
        assert tf.train.import_meta_graph(path) is None
        assert names(other) == ["c"]


def test_files_that_are_none(tmp_path):
    (tmp_path / "garbage").write_bytes(b"garbage\xff\xff")
    for name in ("absent", "garbage"):
        with pytest.raises(OSError):
            tf.train.import_meta_graph(str(tmp_path / name))
    with pytest.raises(TypeError):
        tf.train.import_meta_graph(3)


def test_unknown_keywords():
    with pytest.raises(TypeError):
        tf.train.export_meta_graph(foo=3)
    with pytest.raises(TypeError):
        tf.train.import_meta_graph(tf.MetaGraphDef(), foo=3)


@pytest.mark.parametrize("as_text", [False, True])
def test_write_graph(graph, tmp_path, as_text):
    tf.constant(1.0, name="c")
    path = tf.io.write_graph(graph, str(tmp_path / "folder"), "graph.pb", as_text=as_text)
    data = (tmp_path / "folder" / "graph.pb").read_bytes()
    assert path == str(tmp_path / "folder" / "graph.pb")
    assert (b'name: "c"' in data) is as_text
    assert tf.train.write_graph(graph.as_graph_def(), str(tmp_path), "again.pb", as_text) == str(tmp_path / "again.pb")
    assert (tmp_path / "again.pb").read_bytes() == data


def test_a_variable_that_another_thread_makes_meanwhile(monkeypatch):
    graph = tf.Graph()
    with graph.as_default():
        tf.get_variable("first", [2])
    encode = tf.Graph.as_graph_def

    def then_made(self, *args, **kwargs):
        message = encode(self, *args, **kwargs)
        with self.as_default():
            tf.get_variable("second", [2])
        return message

    monkeypatch.setattr(tf.Graph, "as_graph_def", then_made)
    message = tf.train.export_meta_graph(graph=graph)
    monkeypatch.undo()
    tf.train.import_meta_graph(message)
    assert [v.op.name for v in tf.global_variables()] == ["first"]
