"""Checkpoints and models on other file systems than the operating system's."""

import os

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import files


@pytest.fixture(params=["memory", "file"])
def folder(request, tmp_path):
    if request.param == "file":
        yield f"file://{tmp_path}"
        return
    path = f"memory://checkpoints/{tmp_path.name}"
    yield path
    if files.exists(path):
        files.rmtree(path)


def variables(resource=False):
    with tf.variable_scope("", use_resource=resource):
        a = tf.get_variable("a", initializer=np.arange(3000, dtype=np.float32))
        b = tf.get_variable("b", initializer=tf.constant(["x", "yz"]))
        tf.get_variable("p", initializer=tf.constant(np.eye(4)), partitioner=tf.fixed_size_partitioner(2))
    return a, b


@pytest.mark.parametrize("options", [{}, {"sharded": True}, {"write_version": tf.train.SaverDef.V1}],
                         ids=["plain", "sharded", "first format"])  # fmt: skip
def test_save_and_restore(folder, options):
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = variables()
        saver = tf.train.Saver(max_to_keep=2, **options)
        session.run(tf.global_variables_initializer())
        paths = []
        for step in (1, 2, 2, 3):
            a.load(np.full(3000, step, np.float32), session)
            paths.append(saver.save(session, f"{folder}/m", global_step=step))
        assert tf.train.latest_checkpoint(folder) == paths[-1]
        assert not tf.train.checkpoint_exists(paths[0]) and tf.train.checkpoint_exists(paths[1])
        assert len(tf.train.get_checkpoint_mtimes(paths[2:])) == 2
        names = files.listdir(folder)
        assert not [name for name in names if "tmp" in name or "temp" in name], names
        state = tf.train.get_checkpoint_state(folder)
        assert list(state.all_model_checkpoint_paths) == paths[2:]
    with tf.Graph().as_default(), tf.Session() as session:
        saver = tf.train.import_meta_graph(f"{folder}/m-3.meta")
        saver.restore(session, paths[-1])
        assert session.run("a:0").tolist() == [3.0] * 3000 and session.run("b:0").tolist() == [b"x", b"yz"]
    reader = tf.train.load_checkpoint(folder)
    np.testing.assert_array_equal(reader.get_tensor("p"), np.eye(4))


def test_the_same_name_again(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        a, _ = variables()
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        for value in (1.0, 2.0, 3.0):
            a.load(np.full(3000, value, np.float32), session)
            path = saver.save(session, f"{folder}/m")
            assert tf.train.load_variable(path, "a").tolist() == [value] * 3000
    assert len([name for name in files.listdir(folder) if ".data-" in name]) == 1


def test_relative_paths_in_the_state_file(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        variables()
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver(save_relative_paths=True).save(session, f"{folder}/m")
    assert b'model_checkpoint_path: "m"' in files.read_file(f"{folder}/checkpoint")
    assert tf.train.latest_checkpoint(folder) == path == f"{folder}/m"


def test_saved_models(folder, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("a\nb")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [], name="x")
        y = x * tf.get_variable("w", initializer=3.0)
        tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, tf.constant(str(words), name="asset"))
        content = tf.io.read_file(tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)[0])
        local = tf.get_variable("local", initializer=tf.constant(""), collections=[])
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, f"{folder}/model", {"x": x}, {"y": y},
                                   legacy_init_op=tf.group(tf.assign(local, content)))  # fmt: skip
    os.remove(words)
    assert tf.saved_model.contains_saved_model(f"{folder}/model")
    found = tf.contrib.predictor.from_saved_model(f"{folder}/model")
    assert found({"x": 2.0}) == {"y": 6.0}
    assert found.session.run("local:0") == b"a\nb"


@pytest.mark.parametrize("damage", ["index", "data"])
def test_damage_and_absence(folder, damage):
    with tf.Graph().as_default(), tf.Session() as session:
        variables()
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        path = saver.save(session, f"{folder}/m")
        target = f"{path}.index" if damage == "index" else f"{path}.data-00000-of-00001"
        content = files.read_file(target)
        files.write_file(target, content[:-30])
        with pytest.raises((tf.errors.DataLossError, tf.errors.OutOfRangeError)):
            saver.restore(session, path)
        with pytest.raises(ValueError):
            saver.restore(session, f"{folder}/none")
        files.remove(target)
        with pytest.raises((ValueError, tf.errors.NotFoundError)):
            saver.restore(session, path)
