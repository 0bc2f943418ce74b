"""tf.train.Saver and what goes with it."""

import os
import time

import ml_dtypes
import numpy as np
import pytest

import evergraph as tf
from evergraph.graph import graphdef
from tests.harness.session import started


def nodes(graph, scope="save/"):
    return [(op.name, op.type, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs), op.device)
            for op in graph.get_operations() if op.name.startswith(scope)]


# ---- the nodes, as TensorFlow makes them


def test_nodes(graph):
    tf.get_variable("a", [2, 3])
    tf.get_variable("b", [2], use_resource=True)
    saver = tf.train.Saver()
    head = ["save/Const:0"]
    cpu = "/device:CPU:0"
    assert nodes(graph) == [
        ("save/filename/input", "Const", [], [], ""),
        ("save/filename", "PlaceholderWithDefault", ["save/filename/input:0"], [], ""),
        ("save/Const", "PlaceholderWithDefault", ["save/filename:0"], [], ""),
        ("save/SaveV2/tensor_names", "Const", [], [], ""),
        ("save/SaveV2/shape_and_slices", "Const", [], [], ""),
        ("save/SaveV2", "SaveV2", [*head, "save/SaveV2/tensor_names:0", "save/SaveV2/shape_and_slices:0", "a:0",
                                   "b/Read/ReadVariableOp:0"], [], ""),
        ("save/control_dependency", "Identity", head, ["save/SaveV2"], ""),
        ("save/RestoreV2/tensor_names", "Const", [], [], cpu),
        ("save/RestoreV2/shape_and_slices", "Const", [], [], cpu),
        ("save/RestoreV2", "RestoreV2", [*head, "save/RestoreV2/tensor_names:0", "save/RestoreV2/shape_and_slices:0"],
         [], cpu),
        ("save/Assign", "Assign", ["a:0", "save/RestoreV2:0"], [], ""),
        ("save/Identity", "Identity", ["save/RestoreV2:1"], [], ""),
        ("save/AssignVariableOp", "AssignVariableOp", ["b:0", "save/Identity:0"], [], ""),
        ("save/restore_all", "NoOp", [], ["save/Assign", "save/AssignVariableOp"], ""),
    ]  # fmt: skip
    message = saver.as_saver_def()
    assert message.filename_tensor_name == "save/Const:0"
    assert message.save_tensor_name == "save/control_dependency:0"
    assert message.restore_op_name == "save/restore_all"
    assert (message.max_to_keep, message.version) == (5, tf.train.SaverDef.V2)


def test_nodes_of_shards(graph):
    with tf.device("/job:ps/task:0/cpu:0"):
        tf.get_variable("a", [2, 3])
    with tf.device("/job:ps/task:1"):
        tf.get_variable("b", [2])
    saver = tf.train.Saver(sharded=True)
    devices = {name: device for name, _, _, _, device in nodes(graph)}
    assert devices["save/ShardedFilename_1"] == devices["save/MergeV2Checkpoints"] == "/job:ps/task:1/device:CPU:0"
    assert devices["save/SaveV2"] == "/job:ps/task:0/device:CPU:0"
    assert devices["save/restore_shard_1"] == devices["save/restore_all/NoOp_1"] == "/job:ps/task:1"
    assert saver.as_saver_def().save_tensor_name == "save/Identity:0"


# ---- saving and restoring


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("options", [{}, {"sharded": True}, {"reshape": True}, {"restore_sequentially": True},
                                     {"write_version": tf.train.SaverDef.V1}], ids=str)
def test_round_trip(tmp_path, use_resource, options):
    scope = tf.variable_scope("", use_resource=use_resource)
    with scope:
        tf.get_variable("a", [2, 3], initializer=tf.random_normal_initializer())
        tf.get_variable("i", initializer=np.int64(-3))
        tf.get_variable("none", initializer=np.zeros([0, 2], np.float64))
        tf.get_variable("s", initializer=tf.constant([[b"x", b"a\0b"]]))
        tf.get_variable("p", [10, 3], partitioner=tf.fixed_size_partitioner(3))
        tf.get_variable("flag", initializer=np.array([True, False]))
        tf.get_variable("small", initializer=np.array([1.5, -2], ml_dtypes.bfloat16))
    saver = tf.train.Saver(**options)
    with started() as session:
        wanted = session.run(tf.global_variables())
        path = saver.save(session, str(tmp_path / "m"), global_step=7)
    with tf.Session() as session:
        saver.restore(session, path)
        for got, want in zip(session.run(tf.global_variables()), wanted, strict=True):
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)


def test_names_and_parts_of_other_sizes(tmp_path):
    whole = tf.get_variable("p", initializer=np.arange(30.0).reshape(10, 3))
    with started() as session:
        path = tf.train.Saver({"other": whole}).save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        parts = tf.get_variable("q", [10, 3], tf.float64, partitioner=tf.fixed_size_partitioner(4))
        saver = tf.train.Saver({"other": parts})
        saver.restore(session, path)
        np.testing.assert_array_equal(session.run(parts.as_tensor()), np.arange(30.0).reshape(10, 3))
        path = saver.save(session, str(tmp_path / "n"))
    with tf.Graph().as_default(), tf.Session() as session:
        parts = tf.get_variable("q", [10, 3], tf.float64, partitioner=tf.fixed_size_partitioner(3))
        tf.train.Saver({"other": parts}).restore(session, path)
        np.testing.assert_array_equal(session.run(parts.as_tensor()), np.arange(30.0).reshape(10, 3))


def test_reshape(tmp_path):
    tf.get_variable("v", initializer=np.arange(6.0))
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", [2, 3], tf.float64)
        tf.train.Saver(reshape=True).restore(session, path)
        assert session.run(v).tolist() == [[0, 1, 2], [3, 4, 5]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="a shape or dtype that is another"):
            tf.train.Saver().restore(session, path)


def test_a_saveable_of_ones_own(tmp_path):
    from evergraph.save.saveables import SaveableObject, SaveSpec

    class Doubled(SaveableObject):
        def __init__(self, variable):
            super().__init__(variable, [SaveSpec(variable * 2, "", "twice")], "twice")

        def restore(self, restored_tensors, restored_shapes):
            return self.op.assign(restored_tensors[0] / 2)

    v = tf.get_variable("v", initializer=3.0)
    saver = tf.train.Saver([Doubled(v)])
    with started() as session:
        path = saver.save(session, str(tmp_path / "m"))
        assert tf.train.load_variable(path, "twice") == 6
        session.run(v.assign(0.0))
        saver.restore(session, path)
        assert session.run(v) == 3


# ---- which checkpoints are kept


def files(folder):
    return sorted(each for each in os.listdir(folder) if each.endswith(".index"))


def test_max_to_keep(tmp_path):
    v = tf.get_variable("v", initializer=3.0)
    saver = tf.train.Saver([v], max_to_keep=2)
    with started() as session:
        for step in (1, 2, 3, 2):
            saver.save(session, str(tmp_path / "m"), global_step=step)
    assert files(tmp_path) == ["m-2.index", "m-3.index"]
    assert not (tmp_path / "m-1.meta").exists()
    assert [os.path.basename(path) for path in saver.last_checkpoints] == ["m-3", "m-2"]
    assert tf.train.latest_checkpoint(tmp_path) == str(tmp_path / "m-2")
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert list(state.all_model_checkpoint_paths) == saver.last_checkpoints


def test_all_are_kept(tmp_path):
    v = tf.get_variable("v", initializer=3.0)
    saver = tf.train.Saver([v], max_to_keep=0)
    with started() as session:
        for step in range(7):
            saver.save(session, str(tmp_path / "m"), global_step=step, write_meta_graph=False)
    assert len(files(tmp_path)) == 7 and not list(tmp_path.glob("*.meta"))
    assert list(tf.train.get_checkpoint_state(tmp_path).all_model_checkpoint_paths) == [str(tmp_path / "m-6")]


def test_one_is_kept_for_good(tmp_path):
    v = tf.get_variable("v", initializer=3.0)
    saver = tf.train.Saver([v], max_to_keep=1, keep_checkpoint_every_n_hours=0.2 / 3600)
    with started() as session:
        saver.save(session, str(tmp_path / "m"), global_step=1)
        time.sleep(0.3)
        for step in (2, 3, 4):
            saver.save(session, str(tmp_path / "m"), global_step=step)
    assert "m-2.index" in files(tmp_path) and "m-1.index" not in files(tmp_path)


def test_another_saver_goes_on(tmp_path):
    v = tf.get_variable("v", initializer=3.0)
    with started() as session:
        first = tf.train.Saver([v], max_to_keep=2)
        for step in (1, 2):
            first.save(session, str(tmp_path / "m"), global_step=step)
        second = tf.train.Saver([v], max_to_keep=2)
        second.recover_last_checkpoints([*first.last_checkpoints, str(tmp_path / "gone")])
        assert second.last_checkpoints == first.last_checkpoints
        second.save(session, str(tmp_path / "m"), global_step=3)
    assert files(tmp_path) == ["m-2.index", "m-3.index"]


def test_step_numbers(tmp_path):
    step = tf.train.create_global_step()
    saver = tf.train.Saver(pad_step_number=True)
    with started() as session:
        session.run(step.assign(42))
        assert saver.save(session, str(tmp_path / "m"), global_step=step) == str(tmp_path / "m-00000042")
        assert saver.save(session, str(tmp_path / "m"), global_step=np.int64(3)) == str(tmp_path / "m-00000003")


def test_directories_may_move(tmp_path):
    v = tf.get_variable("v", initializer=3.0)
    (tmp_path / "old").mkdir()
    with started() as session:
        tf.train.Saver([v], save_relative_paths=True).save(session, str(tmp_path / "old" / "m"))
    (tmp_path / "old").rename(tmp_path / "new")
    assert tf.train.latest_checkpoint(tmp_path / "new") == str(tmp_path / "new" / "m")


def test_relative_directories(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    v = tf.get_variable("v", initializer=3.0)
    with started() as session:
        assert tf.train.Saver([v]).save(session, "folder/m") == "folder/m"
        assert tf.train.Saver([v]).save(session, "m") == "m"
    assert 'model_checkpoint_path: "m"' in (tmp_path / "folder" / "checkpoint").read_text()
    assert tf.train.latest_checkpoint("folder") == "folder/m"
    assert tf.train.latest_checkpoint("") == "m"


def test_saving_again_to_the_same_path(tmp_path):
    v = tf.get_variable("v", initializer=0.0)
    saver = tf.train.Saver([v])
    with started() as session:
        for value in (1.0, 2.0, 3.0):
            session.run(v.assign(value))
            path = saver.save(session, str(tmp_path / "m"))
            assert tf.train.load_variable(path, "v") == value
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m.data-00000-of-00001", "m.index", "m.meta"]


# ---- graphs from files


@pytest.mark.parametrize("scope", [None, "inner"])
def test_import_meta_graph(tmp_path, scope):
    v = tf.get_variable("v", initializer=3.0)
    tf.identity(v * 2, name="twice")
    with started() as session:
        saver = tf.train.Saver(max_to_keep=17)
        path = saver.save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        saver = tf.train.import_meta_graph(f"{path}.meta", import_scope=scope)
        assert saver.as_saver_def().max_to_keep == 17
        saver.restore(session, path)
        assert session.run(f"{scope}/twice:0" if scope else "twice:0") == 6


def test_savers_in_collections():
    tf.get_variable("v", initializer=3.0)
    saver = tf.train.Saver()
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        assert tf.train.import_meta_graph(message) is not None
        (found,) = tf.get_collection(tf.GraphKeys.SAVERS)
        assert found.to_proto() == saver.to_proto()


# ---- errors


def test_wrong_variables():
    a, b, c = tf.get_variable("a", [2, 3]), tf.get_variable("b", [2]), tf.constant(1.0)
    for items, kind, text in (
        ([a, c], TypeError, "a saver saves variables"),
        ({"a": a, "b": c}, TypeError, "only variables"),
        (5, TypeError, "a list or a dictionary"),
        ([a, a], ValueError, "got two of the same name: a"),
        ({"a": [a, b]}, ValueError, "Slices must all be slices"),
        ({"x": a, "y": a}, ValueError, "under two names"),
        ([], ValueError, "No variables to save"),
    ):
        with pytest.raises(kind, match=text):
            tf.train.Saver(items)
    with pytest.raises(ValueError, match="built later"):
        tf.train.Saver([a], defer_build=True)


def test_wrong_paths(tmp_path):
    tf.get_variable("a", [2, 3])
    saver = tf.train.Saver()
    with started() as session:
        for path, kind, text, more in (
            (tmp_path / "x" / "y" / "m", ValueError, "the directory that should hold it doesn't exist", {}),
            (tmp_path / "checkpoint", ValueError, "'latest_filename' collides with 'save_path'", {}),
            (tmp_path / "m", ValueError, "must be a file name without folders", {"latest_filename": "a/b"}),
        ):
            with pytest.raises(kind, match=text):
                saver.save(session, str(path), **more)
        with pytest.raises(TypeError, match="'sess' must be a Session"):
            saver.save(None, str(tmp_path / "m"))
        with pytest.raises(ValueError, match="save_path is None"):
            saver.restore(session, None)
        with pytest.raises(ValueError, match="there is no checkpoint at save_path: /nowhere/m"):
            saver.restore(session, "/nowhere/m")


def test_what_does_not_fit(tmp_path):
    tf.get_variable("a", [2, 3])
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        for wrong, kind in (({"b": tf.get_variable("b", [2])}, tf.errors.NotFoundError),
                            ({"a": tf.get_variable("c", [3, 2])}, tf.errors.InvalidArgumentError),
                            ({"a": tf.get_variable("d", [2, 3], tf.int32)}, tf.errors.InvalidArgumentError),
                            ({"a": tf.get_variable("e", [3, 2], use_resource=True)}, tf.errors.InvalidArgumentError)):
            with pytest.raises(kind, match="Restoring from checkpoint failed"):
                tf.train.Saver(wrong).restore(session, path)


def test_damage(tmp_path):
    tf.get_variable("a", [20, 30])
    saver = tf.train.Saver()
    with started() as session:
        path = saver.save(session, str(tmp_path / "m"))
        data = tmp_path / "m.data-00000-of-00001"
        whole = data.read_bytes()
        data.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(tf.errors.DataLossError):
            saver.restore(session, path)
        data.write_bytes(whole[:100])
        with pytest.raises(tf.errors.OutOfRangeError):
            saver.restore(session, path)
        data.unlink()
        with pytest.raises(tf.errors.NotFoundError):
            saver.restore(session, path)


def test_uninitialized(tmp_path):
    tf.get_variable("a", [2])
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError):
        tf.train.Saver().save(session, str(tmp_path / "m"))
    assert not os.listdir(tmp_path)


def test_deferred_and_empty(tmp_path):
    saver = tf.train.Saver(defer_build=True)
    tf.get_variable("a", [2])
    with started() as session:
        with pytest.raises(RuntimeError, match="build"):
            saver.save(session, str(tmp_path / "m"))
        saver.build()
        assert saver.save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        empty = tf.train.Saver(allow_empty=True)
        assert empty.save(session, str(tmp_path / "e")) is None
        empty.restore(session, str(tmp_path / "e"))


# ---- the state file, and looking into checkpoints


def test_state_files(tmp_path):
    assert tf.train.get_checkpoint_state(tmp_path) is None
    state = tmp_path / "checkpoint"
    for garbage in (b"garbage", b"\xff\xfe\x00"):
        state.write_bytes(garbage)
        assert tf.train.latest_checkpoint(tmp_path) is None
    state.write_text("")
    with pytest.raises(ValueError, match="Invalid checkpoint state"):
        tf.train.get_checkpoint_state(tmp_path)
    tf.train.update_checkpoint_state(str(tmp_path), str(tmp_path / "b"), [str(tmp_path / "a")])
    assert list(tf.train.get_checkpoint_state(tmp_path).all_model_checkpoint_paths) == [
        str(tmp_path / "a"), str(tmp_path / "b")]
    assert tf.train.latest_checkpoint(tmp_path) is None
    with pytest.raises(ValueError, match="a time for each checkpoint"):
        tf.train.generate_checkpoint_state_proto("x", "x/a", ["x/a"], [1.0, 2.0])


def test_looking_into_a_checkpoint(tmp_path):
    tf.get_variable("a", initializer=np.arange(6, dtype=np.int32).reshape(2, 3))
    tf.get_variable("p", [10, 3], partitioner=tf.fixed_size_partitioner(3))
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    reader = tf.train.load_checkpoint(tmp_path)
    assert reader.get_variable_to_shape_map() == {"a": [2, 3], "p": [10, 3]}
    assert reader.get_variable_to_dtype_map() == {"a": tf.int32, "p": tf.float32}
    assert reader.has_tensor("a") and not reader.has_tensor("b")
    assert reader.debug_string() == b"a (DT_INT32) [2,3]\np (DT_FLOAT) [10,3]\n"
    assert tf.train.list_variables(path) == [("a", [2, 3]), ("p", [10, 3])]
    assert tf.train.load_variable(tmp_path, "a:0").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(tf.errors.NotFoundError, match="Key b not found in checkpoint"):
        reader.get_tensor("b")
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files"):
        tf.train.NewCheckpointReader("/nowhere/m")
    assert tf.train.checkpoint_exists(path) and len(tf.train.get_checkpoint_mtimes([path, "/nowhere"])) == 1
    assert list(tf.train.checkpoints_iterator(tmp_path, timeout=0)) == [path]
    tf.train.remove_checkpoint(path)
    assert os.listdir(tmp_path) == ["checkpoint"]


# ---- starting with another model's values


@pytest.mark.parametrize("use_resource", [False, True])
def test_init_from_checkpoint(tmp_path, use_resource):
    with tf.variable_scope("a"):
        tf.get_variable("w", initializer=[1.0, 2.0])
        tf.get_variable("p", initializer=np.arange(10.0))
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.variable_scope("n", use_resource=use_resource):
        w, x = tf.get_variable("w", [2]), tf.get_variable("x", [2])
        p = tf.get_variable("q", [10], tf.float64, partitioner=tf.fixed_size_partitioner(3))
        tf.train.init_from_checkpoint(str(tmp_path), {"a/w": "n/w", "a/p": p})
        tf.train.init_from_checkpoint(path, {"a/w": x})
        with started() as session:
            assert session.run([w, x])[1].tolist() == [1, 2] == session.run(w).tolist()
            assert session.run(p.as_tensor()).tolist() == list(range(10))
        with pytest.raises(ValueError, match="has no tensor zz"):
            tf.train.init_from_checkpoint(path, {"zz": w})
        with pytest.raises(ValueError, match="has no tensor a/q"):
            tf.train.init_from_checkpoint(path, {"a/": "n/"})
        with pytest.raises(ValueError, match="of the checkpoint has shape"):
            tf.train.init_from_checkpoint(path, {"a/p": w})
        with pytest.raises(ValueError, match="both end in"):
            tf.train.init_from_checkpoint(path, {"a": "n/"})


def test_init_scopes(tmp_path):
    with tf.variable_scope("a"):
        tf.get_variable("w", initializer=[1.0, 2.0])
        tf.get_variable("p", initializer=np.arange(10.0))
    with started() as session:
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.variable_scope("n"):
        w = tf.get_variable("w", [2])
        p = tf.get_variable("p", [10], tf.float64, partitioner=tf.fixed_size_partitioner(3))
        tf.train.init_from_checkpoint(path, {"a/": "n/"})
        with started() as session:
            assert session.run(w).tolist() == [1, 2]
            assert session.run(p.as_tensor()).tolist() == list(range(10))


def test_warm_start(tmp_path):
    tf.get_variable("w", initializer=[1.0, 2.0])
    tf.get_variable("old", initializer=[3.0], trainable=False)
    with started() as session:
        tf.train.Saver().save(session, str(tmp_path / "m"))
    for wanted, renamed, expected in ((".*", None, [1, 2, 0]), (["w", "n"], {"n": "old"}, [1, 2, 3]),
                                      ("nothing", None, [0, 0, 0])):
        with tf.Graph().as_default():
            w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
            n = tf.get_variable("n", [1], initializer=tf.zeros_initializer(), trainable=False)
            tf.train.warm_start(str(tmp_path), wanted, var_name_to_prev_var_name=renamed)
            with started() as session:
                assert np.concatenate(session.run([w, n])).tolist() == expected
            with pytest.raises(ValueError, match="that there are not"):
                tf.train.warm_start(str(tmp_path), wanted, var_name_to_prev_var_name={"missing": "old"})


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("axis", [0, 1])
def test_warm_start_with_vocabulary(tmp_path, parts, axis):
    if axis and parts > 1:
        pytest.skip("a vocabulary of columns is not split by rows in its words")
    (tmp_path / "old").write_text("apple\nbanana\nguava\n")
    (tmp_path / "new").write_text("orange\nguava\nbanana\napple\n")
    rows = np.array([[1.0, 2], [3, 4], [5, 6]], np.float32)
    tf.get_variable("w", initializer=rows if axis == 0 else rows.T.copy())
    with started() as session:
        tf.train.Saver().save(session, str(tmp_path / "m"))
    info = tf.train.VocabInfo(str(tmp_path / "new"), 4, 1, str(tmp_path / "old"), axis=axis,
                              backup_initializer=tf.constant_initializer(9.0))  # fmt: skip
    with tf.Graph().as_default():
        partitioner = tf.fixed_size_partitioner(parts) if parts > 1 else None
        w = tf.get_variable("w", [5, 2] if axis == 0 else [2, 5], partitioner=partitioner)
        tf.train.warm_start(str(tmp_path), var_name_to_vocab_info={"w": info})
        with started() as session:
            got = session.run(w if parts == 1 else w.as_tensor())
    expected = np.array([[9, 9], [5, 6], [3, 4], [1, 2], [9, 9]])
    assert got.tolist() == (expected if axis == 0 else expected.T).tolist()


def test_a_graph_is_encoded_once_for_many_checkpoints(tmp_path, monkeypatch):
    """And again when it has changed, or a function that it calls."""
    encoded, count = graphdef._encoded, []
    monkeypatch.setattr(graphdef, "_encoded", lambda *arguments: count.append(1) or encoded(*arguments))
    v = tf.get_variable("v", [2])
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    saver = tf.train.Saver()
    with started() as session:
        def saved():
            path = saver.save(session, str(tmp_path / "model"))
            return tf.MetaGraphDef.FromString((tmp_path / "model.meta").read_bytes()).graph_def if path else None

        first = saved()
        assert saved() == first and len(count) == 1
        v.op._set_device("/device:CPU:0")
        assert saved() != first and len(count) == 2
        tf.identity(loop, name="last")
        assert saved().node[-1].name == "last" and len(count) == 3
        (body,) = [each for name, each in v.graph._functions.items() if "body" in name]
        body.get_operations()[-1]._set_device("/device:CPU:0")
        assert saved().library != first.library and len(count) == 4
        assert saved().library != first.library and len(count) == 4
