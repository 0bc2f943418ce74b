"""tf.train.Checkpoint and tf.train.CheckpointManager."""

import os
import time

import numpy as np
import pytest

import evergraph as tf
from evergraph.base import dtypes
from evergraph.base.no_dependency import NoDependency
from evergraph.eager.graph import EAGER
from evergraph.formats.bundle import Part, write_bundle
from evergraph.save.object_message import read_graph


def keys(path):
    names = tf.train.load_checkpoint(path).get_variable_to_shape_map()
    return sorted(name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name in names if not name.startswith("_CHECK"))


def training(units=2):
    """(layer, optimizer, step of training) of a small model."""
    layer, optimizer = tf.layers.Dense(units, name="dense"), tf.train.AdamOptimizer(0.1)
    return layer, optimizer, optimizer.minimize(tf.reduce_sum(tf.square(layer(tf.ones([1, 3])))))


# ---- names, and the graph of objects


def test_keys(session, tmp_path):
    layer, optimizer, _ = training()
    stuff = [tf.Variable(1.0), {"k": tf.Variable(2.0), "a/b.c": tf.Variable(3.0), "n": 4}, "text"]
    checkpoint = tf.train.Checkpoint(layer=layer, opt=optimizer, stuff=stuff, nested=tf.train.Checkpoint(v=stuff[0]))
    session.run(tf.global_variables_initializer())
    path = checkpoint.save(str(tmp_path / "c"))
    assert path == str(tmp_path / "c-1") and tf.train.latest_checkpoint(tmp_path) == path
    assert keys(path) == [
        "layer/bias", "layer/bias/.OPTIMIZER_SLOT/opt/m", "layer/bias/.OPTIMIZER_SLOT/opt/v", "layer/kernel",
        "layer/kernel/.OPTIMIZER_SLOT/opt/m", "layer/kernel/.OPTIMIZER_SLOT/opt/v", "nested/v", "opt/beta1_power",
        "opt/beta2_power", "save_counter", "stuff/1/a.Sb..c", "stuff/1/k"]  # fmt: skip
    root = read_graph(path).nodes[0]
    assert [child.local_name for child in root.children] == ["layer", "nested", "opt", "stuff", "save_counter"]
    assert b'model_checkpoint_path: "c-1"' in (tmp_path / "checkpoint").read_bytes()


def test_keys_of_cells_and_modules(session, tmp_path):
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.BasicLSTMCell(2))])  # fmt: skip
    tf.nn.dynamic_rnn(cell, tf.zeros([1, 2, 3]), dtype=tf.float32)

    class Pair(tf.Module):
        def __init__(self):
            super().__init__()
            self.left, self._right = tf.Variable(1.0), [tf.Variable(2.0)]
            self.size, self.names, self.function = 3, ["x"], lambda: None

    class Block(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = tf.layers.Dense(2)

        def build(self, shape):
            self.scale = self.add_weight("scale", [], initializer=tf.ones_initializer())
            super().build(shape)

        def call(self, x):
            return self.inner(x) * self.scale

    block = Block()
    block(tf.ones([1, 3]))
    pair = Pair()
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(cell=cell, pair=pair, block=block).write(str(tmp_path / "w"), session)
    assert path == str(tmp_path / "w")
    assert keys(path) == [
        "block/inner/bias", "block/inner/kernel", "block/scale", "cell/cell-0/candidate.Sbias",
        "cell/cell-0/candidate.Skernel", "cell/cell-0/gates.Sbias", "cell/cell-0/gates.Skernel",
        "cell/cell-1/cell/bias", "cell/cell-1/cell/kernel", "pair/_right/0", "pair/left"]  # fmt: skip


# ---- there and back


@pytest.mark.parametrize("resource", [False, True])
def test_restore(tmp_path, resource):
    with tf.Session() as session, tf.variable_scope("", use_resource=resource):
        layer, optimizer, step = training()
        checkpoint = tf.train.Checkpoint(layer=layer, optimizer=optimizer)
        session.run(tf.global_variables_initializer())
        session.run(step)
        path = checkpoint.save(tmp_path / "c")
        wanted = session.run([layer.kernel, optimizer.get_slot(layer.bias, "v"), checkpoint.save_counter])
        session.run(step)
        count = len(session.graph.get_operations())
        assert checkpoint.save(tmp_path / "c").endswith("c-2")
        assert len(session.graph.get_operations()) == count  # the nodes are made once
    with tf.Session() as session:
        status = checkpoint.restore(path)
        assert status.assert_consumed() is status and status.assert_nontrivial_match() is status.expect_partial()
        status.run_restore_ops(session)
        found = session.run([layer.kernel, optimizer.get_slot(layer.bias, "v"), checkpoint.save_counter])
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other)
        assert checkpoint.save(tmp_path / "c").endswith("c-2")


def test_objects_that_come_later(session, tmp_path):
    layer, optimizer, _ = training()
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(layer=layer, optimizer=optimizer).save(tmp_path / "c", session)
    kernel = session.run(layer.kernel)
    with tf.Graph().as_default(), tf.Session() as session:
        layer, optimizer = tf.layers.Dense(2), tf.train.AdamOptimizer(0.1)
        checkpoint = tf.train.Checkpoint(layer=layer)
        status = checkpoint.restore(path)
        loss = tf.reduce_sum(layer(tf.ones([1, 3])))
        checkpoint.optimizer = optimizer
        with pytest.raises(AssertionError):
            status.assert_consumed()
        optimizer.minimize(loss)
        status.assert_consumed().initialize_or_restore(session)
        np.testing.assert_array_equal(session.run(layer.kernel), kernel)


def test_what_is_missing(session, tmp_path):
    a, b = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0)
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(a=a).write(tmp_path / "c", session)
    session.run([a.assign(9.0), b.assign(9.0)])
    status = tf.train.Checkpoint(a=a, other=b).restore(path)
    for check in (status.assert_consumed, status.assert_existing_objects_matched):
        with pytest.raises(AssertionError, match="'b:0'"):
            check()
    status.initialize_or_restore(session)
    assert session.run([a, b]) == [1, 2]
    empty = tf.train.Checkpoint().read(path)
    empty.assert_existing_objects_matched().run_restore_ops(session)
    for check in (empty.assert_consumed, empty.assert_nontrivial_match):
        with pytest.raises(AssertionError):
            check()


def test_shapes_and_types_must_fit(session, tmp_path):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    session.run(v.initializer)
    path = tf.train.Checkpoint(v=v).write(tmp_path / "c")
    for value in ([1.0, 2.0, 3.0], [1, 2]):
        for resource in (False, True):
            other = tf.Variable(value, use_resource=resource)
            with pytest.raises(tf.errors.InvalidArgumentError):
                tf.train.Checkpoint(v=other).restore(path).run_restore_ops()


def test_initializing_leaves_what_was_restored_later(session, tmp_path):
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
    session.run([v.assign(7.0), w.assign(8.0)])
    path = tf.train.Checkpoint(v=v).write(tmp_path / "c")
    session.run([v.assign(0.0), w.assign(0.0)])
    everything, one = tf.train.Checkpoint(v=v, w=w).restore(None), tf.train.Checkpoint(v=v).read(path)
    one.run_restore_ops()
    everything.initialize_or_restore()
    assert session.run([v, w]) == [7, 2]


def test_no_checkpoint(session, tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    status = checkpoint.restore(None)
    for call in (status.assert_consumed, status.run_restore_ops, status.assert_existing_objects_matched):
        with pytest.raises(AssertionError):
            call()
    status.initialize_or_restore()
    assert session.run([v, checkpoint.save_counter]) == [1, 0]
    with pytest.raises(tf.errors.NotFoundError):
        checkpoint.restore(tmp_path / "none")


@pytest.mark.parametrize("value", [3, "text", None, np.ones(2)])
def test_what_cannot_be_held(value):
    with pytest.raises(ValueError):
        tf.train.Checkpoint(x=value)


def test_tensors_cannot_be_held(session, tmp_path):
    with pytest.raises(ValueError):
        tf.train.Checkpoint(x=tf.constant(1.0))
    with pytest.raises(ValueError, match="3"):
        tf.train.Checkpoint(x={3: tf.Variable(1.0)}).write(tmp_path / "c")


def test_without_a_session_it_is_that_of_keras(tmp_path):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    with pytest.raises(tf.errors.FailedPreconditionError):
        checkpoint.save(tmp_path / "c")
    session = tf.keras.backend.get_session()  # initializes the variables
    path = checkpoint.save(tmp_path / "c")
    session.run(v.assign(7.0))
    checkpoint.restore(path).assert_consumed().run_restore_ops()
    assert session.run(v) == 1.0
    assert tf.train.CheckpointManager(checkpoint, tmp_path, 3).save().endswith("ckpt-3")


def test_objects_that_say_how_they_are_saved(session, tmp_path):
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
    session.run(table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)))
    path = tf.train.Checkpoint(table=table).write(tmp_path / "c", session)
    assert keys(path) == ["table/.ATTRIBUTES/table-keys", "table/.ATTRIBUTES/table-values"]
    with tf.Session() as other:
        tf.train.Checkpoint(table=table).read(path).assert_consumed().run_restore_ops(other)
        assert other.run(table.lookup(tf.constant(["b", "z"]))).tolist() == [2, -1]


# ---- both kinds of checkpoints


def test_variables_by_name_into_objects(session, tmp_path):
    a, b = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0, use_resource=True)
    session.run(tf.global_variables_initializer())
    path = tf.train.Saver([a, b]).save(session, str(tmp_path / "m"))
    session.run([a.assign(9.0), b.assign(9.0)])
    checkpoint = tf.train.Checkpoint(one=a, more=[b])
    checkpoint.restore(path).assert_consumed().initialize_or_restore(session)
    assert session.run([a, b, checkpoint.save_counter]) == [1, 2, 0]
    other = tf.train.Checkpoint(one=a, more=tf.get_variable("c", initializer=0.0)).restore(path)
    with pytest.raises(AssertionError, match="'c:0'"):
        other.assert_consumed()
    with pytest.raises(tf.errors.NotFoundError):
        other.run_restore_ops(session)


def test_objects_into_variables_by_name(session, tmp_path):
    a, b = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0, use_resource=True)
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(one=a, more=[b]).write(tmp_path / "c")
    session.run([a.assign(9.0), b.assign(9.0)])
    saver = tf.train.Saver([a, b])
    saver.restore(session, path)
    assert session.run([a, b]) == [1, 2]
    count = len(session.graph.get_operations())
    saver.restore(session, path)
    assert len(session.graph.get_operations()) == count
    tf.get_variable("c", initializer=0.0)
    with pytest.raises(tf.errors.NotFoundError, match="named c"):
        tf.train.Saver().restore(session, path)


def test_warm_start_from_objects(session, tmp_path):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    session.run(v.initializer)
    tf.train.Checkpoint(inside=v).save(tmp_path / "c")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=[0.0, 0.0])
        tf.train.warm_start(str(tmp_path))
        session.run(tf.global_variables_initializer())
        assert session.run(v).tolist() == [1, 2]


# ---- damage


def test_damaged_graphs_of_objects(session, tmp_path):
    """Whatever the message in a checkpoint says, restoring gives an error or restores, and never hangs."""
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=[2.0])
    session.run(tf.global_variables_initializer())
    checkpoint = tf.train.Checkpoint(v=v, parts=[w, {"w": w}])
    path = checkpoint.write(tmp_path / "c")
    whole = read_graph(path).SerializeToString()
    values = {name: tf.train.load_variable(path, name) for name, _ in tf.train.list_variables(path)}
    rng = np.random.RandomState(0)
    for trial in range(150):
        data = bytearray(whole[: rng.randint(len(whole))] if trial % 5 == 0 else whole)
        for place in rng.randint(max(len(data), 1), size=1 + trial % 3):
            if len(data):
                data[place] = rng.randint(256)
        values["_CHECKPOINTABLE_OBJECT_GRAPH"] = bytes(data)
        parts = []
        for name, value in values.items():
            is_text = isinstance(value, bytes)
            parts.append(Part(name, np.array(value, object if is_text else np.float32),
                              dtypes.string if is_text else dtypes.float32))  # fmt: skip
        write_bundle(str(tmp_path / "damaged"), parts)
        try:
            checkpoint.read(tmp_path / "damaged").assert_consumed().run_restore_ops()
        except (AssertionError, tf.OpError):
            pass


def test_a_cycle_of_objects(session, tmp_path):
    node = tf.train.Checkpoint(v=tf.Variable(1.0))
    node.itself, node.others = node, [node]
    node.others.append(node.others)
    session.run(node.v.initializer)
    path = node.write(tmp_path / "c")
    node.read(path).assert_consumed().run_restore_ops()


# ---- managers


def test_manager(session, tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    session.run(v.initializer)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path, max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.checkpoints == []
    paths = [manager.save() for _ in range(3)] + [manager.save(checkpoint_number=10)]
    assert [os.path.basename(path) for path in paths] == ["ckpt-1", "ckpt-2", "ckpt-3", "ckpt-10"]
    assert manager.checkpoints == paths[2:] and manager.latest_checkpoint == paths[-1]
    assert [tf.train.checkpoint_exists(path) for path in paths] == [False, False, True, True]
    state = tf.train.get_checkpoint_state(tmp_path)
    assert list(state.all_model_checkpoint_paths) == paths[2:] and len(state.all_model_checkpoint_timestamps) == 2
    assert 'model_checkpoint_path: "ckpt-10"' in (tmp_path / "checkpoint").read_text()
    again = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path, max_to_keep=1, checkpoint_name="x")
    assert again.checkpoints == paths[2:]
    number = tf.Variable(7)
    session.run(number.initializer)
    assert again.save(checkpoint_number=number) == str(tmp_path / "x-7")
    assert again.checkpoints == [str(tmp_path / "x-7")]
    assert not tf.train.checkpoint_exists(paths[-1])


def test_manager_keeps_all_or_refuses(session, tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    session.run(v.initializer)
    with pytest.raises(ValueError):
        tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path, max_to_keep=0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path, max_to_keep=None)
    assert all(tf.train.checkpoint_exists(path) for path in [manager.save() for _ in range(7)])


def test_manager_keeps_one_every_hour(session, tmp_path, monkeypatch):
    v = tf.get_variable("v", initializer=1.0)
    session.run(v.initializer)
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path, 1, keep_checkpoint_every_n_hours=1)
    paths = []
    for minutes in (10, 70, 20, 80, 5):
        now[0] += minutes * 60
        paths.append(manager.save())
    assert [tf.train.checkpoint_exists(path) for path in paths] == [False, True, False, True, True]


def test_manager_leaves_what_no_manager_wrote(session, tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.get_variable("v", initializer=1.0))
    session.run(checkpoint.v.initializer)
    before = [checkpoint.save(tmp_path / "own") for _ in range(2)]
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1)
    assert manager.latest_checkpoint == before[-1] and manager.checkpoints == []
    after = [manager.save() for _ in range(2)]
    assert manager.checkpoints == after[1:] and not tf.train.checkpoint_exists(after[0])
    assert all(tf.train.checkpoint_exists(path) for path in before)


def test_manager_and_a_clock_that_was_set_back(session, tmp_path, monkeypatch):
    checkpoint = tf.train.Checkpoint(v=tf.get_variable("v", initializer=1.0))
    session.run(checkpoint.v.initializer)
    now = [10000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    before = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1).save()
    now[0] = 5000.0
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1)
    assert manager.latest_checkpoint == before and manager.checkpoints == []
    paths = [manager.save() for _ in range(2)]
    assert manager.checkpoints == paths[1:] and tf.train.checkpoint_exists(before)


# ---- functions around them


def test_looking_at_objects(session, tmp_path):
    layer, optimizer, _ = training()
    checkpoint = tf.train.Checkpoint(layer=layer, optimizer=optimizer)
    found = tf.contrib.checkpoint.list_objects(checkpoint)
    assert found[0] is checkpoint and optimizer.get_slot(layer.kernel, "m") in found
    session.run(tf.global_variables_initializer())
    path = checkpoint.write(tmp_path / "c")
    message = tf.contrib.checkpoint.object_metadata(path)
    assert "dense/kernel" in [each.full_name for node in message.nodes for each in node.attributes]
    with pytest.raises(ValueError):
        tf.contrib.checkpoint.object_metadata(tf.train.Saver().save(session, str(tmp_path / "m")))


def test_savers_take_objects(session, tmp_path):
    class Doubled(tf.contrib.checkpoint.Checkpointable):
        def __init__(self):
            self.v = tf.get_variable("v", initializer=3.0)
            self.name = "doubled"

        def _gather_saveables_for_checkpoint(self):
            return {"VARIABLE_VALUE": self.v}

    item = Doubled()
    session.run(item.v.initializer)
    for argument in ([item], {"other": item}):
        saver = tf.train.Saver(argument)
        path = saver.save(session, str(tmp_path / "m"))
        session.run(item.v.assign(0.0))
        saver.restore(session, path)
        assert session.run(item.v) == 3
    assert tf.train.list_variables(path) == [("other", [])]


@pytest.mark.parametrize("base", [tf.Module, tf.contrib.checkpoint.Checkpointable, tf.keras.layers.Layer])
def test_attributes_without_a_dependency(base, session, tmp_path):
    holder = base()
    holder.kept, holder.options = tf.Variable(1.0), NoDependency({"table": tf.Variable(2.0)})
    holder.later = NoDependency([tf.Variable(3.0)])
    assert type(holder.options) is dict and type(holder.later) is list
    holder.later = list(holder.later)  # which is followed again
    session.run(tf.global_variables_initializer())
    path = tf.train.Checkpoint(holder=holder).save(str(tmp_path / "it"), session=session)
    names = [name for name, _ in tf.train.list_variables(path)]
    assert any("kept" in name for name in names) and any("later" in name for name in names)
    assert not any("options" in name for name in names)


def test_a_subclass_need_not_call_the_constructor(session, tmp_path):
    class Own(tf.train.Checkpoint):
        def __init__(self):
            self.v = tf.Variable(3.0)

    own = Own()
    session.run(own.v.initializer)
    assert keys(own.save(tmp_path / "c")) == ["save_counter", "v"]


def test_a_function_writes_when_it_is_called(tmp_path):
    with EAGER.as_default():
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        write = tf.function(lambda: checkpoint.write(str(tmp_path / "objects")))
        for value in (2.0, 3.0):
            checkpoint.v.assign(value)
            path = write().numpy().decode()
            assert tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE") == value


def test_numbers_of_a_manager_with_eager_execution(tmp_path):
    with EAGER.as_default():
        step = tf.Variable(4, dtype=tf.int64)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), str(tmp_path), 1)
        assert manager.save(checkpoint_number=step).endswith("-4")
