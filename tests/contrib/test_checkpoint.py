"""Objects of tf.contrib.checkpoint, saved and restored."""

import numpy as np
import pytest

import evergraph as tf

objects = tf.contrib.checkpoint


def test_arrays_of_a_numpy_state_come_back(session, tmp_path):
    state = objects.NumpyState()
    checkpoint = tf.train.Checkpoint(numpy=state)
    state.a, state.n = np.ones([2, 2]), np.int64(3)
    path = checkpoint.save(str(tmp_path / "c"))
    fresh = objects.NumpyState()
    tf.train.Checkpoint(numpy=fresh).restore(path).run_restore_ops()
    np.testing.assert_array_equal(fresh.a, np.ones([2, 2]))
    assert fresh.n == 3
    with pytest.raises(NotImplementedError):
        state.v = tf.Variable(1.0)


def test_python_state_needs_no_session_to_be_restored_and_no_new_operations(session, tmp_path):
    state = objects.NumpyState()
    checkpoint = tf.train.Checkpoint(numpy=state)
    state.a = np.zeros([2])
    path = checkpoint.save(str(tmp_path / "c"))
    state.a[0] = 4.0
    session.graph.finalize()
    second = checkpoint.save(str(tmp_path / "c"))
    checkpoint.restore(path)
    assert state.a.tolist() == [0, 0]
    checkpoint.restore(second)
    assert state.a.tolist() == [4, 0]


def test_names_of_tracked_objects_are_unique(session, tmp_path):
    slots = objects.UniqueNameTracker()
    made = [slots.track(tf.get_variable(f"v{n}", initializer=float(n)), name) for n, name in enumerate(["x", "x", "y"])]
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(slots=slots).save(str(tmp_path / "c"))
    names = {child.local_name for node in objects.object_metadata(path).nodes for child in node.children}
    assert names == {"slots", "x", "x_1", "y", "save_counter"} and len(made) == 3
    text = objects.dot_graph_from_checkpoint(path)
    assert text.startswith("digraph {") and 'label="x_1"' in text and "VARIABLE_VALUE float32 []" in text


class Halves(objects.CheckpointableBase):
    def __init__(self):
        self.whole = tf.Variable([0.0, 0.0], use_resource=True)
        parts = objects.split_dependency(
            ["first", "second"], [tf.float32] * 2,
            lambda parts: parts.update(first=self.whole[:1], second=self.whole[1:]),
            lambda parts: self.whole.assign(tf.concat([parts["first"], parts["second"]], 0)), "")
        for name, part in parts.items():
            self._track_trackable(part, name)


def test_a_value_is_saved_in_parts(session, tmp_path):
    halves = Halves()
    session.run(halves.whole.assign([3.0, 4.0]))
    path = tf.train.Checkpoint(it=halves).save(str(tmp_path / "c"))
    apart = tf.contrib.checkpoint.Checkpointable()
    apart.first, apart.second = (tf.Variable([0.0], use_resource=True) for _ in range(2))
    tf.train.Checkpoint(it=apart).restore(path).assert_consumed().run_restore_ops()
    assert session.run([apart.first, apart.second]) == [[3.0], [4.0]]
    again = Halves()
    tf.train.Checkpoint(it=again).restore(path).run_restore_ops()
    assert session.run(again.whole).tolist() == [3.0, 4.0]


def test_lists_and_mappings():
    assert objects.List(1, 2) == [1, 2]
    mapping = objects.Mapping(a=1)
    with pytest.raises(ValueError, match="change"):
        mapping["a"] = 2
    with pytest.raises(TypeError):
        mapping[3] = 1


def test_children_are_found_by_name():
    root, leaf, other = (tf.contrib.checkpoint.Checkpointable() for _ in range(3))
    root.leaf = leaf
    assert root._lookup_dependency("leaf") is leaf and root._lookup_dependency("none") is None
    assert [tuple(each) for each in root._checkpoint_dependencies] == [("leaf", leaf)]
    with pytest.raises(ValueError, match="already declared"):
        root._track_trackable(other, name="leaf")
    root._track_trackable(other, name="leaf", overwrite=True)
    assert root._checkpoint_dependencies[0].ref is other


def test_a_template_names_the_templates_in_it():
    inner = [tf.make_template("inner", lambda: tf.get_variable("v", [])) for _ in range(2)]
    outer = tf.make_template("outer", lambda: [each() for each in inner])
    assert not outer._variables_created
    outer()
    assert outer._variables_created
    assert [each.ref for each in outer._checkpoint_dependencies] == inner
