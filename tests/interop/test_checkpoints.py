"""Checkpoints go both ways between TensorFlow and evergraph: values, names, graphs with their savers."""

import inspect

import ml_dtypes
import numpy as np
import pytest

import evergraph as eg
from tests.interop.judge import ask

KINDS = ["plain", "resource", "sharded", "v1"]


def values():
    return {
        "float": np.arange(6, dtype=np.float32).reshape(2, 3), "double": np.array([1.5, -2.25]),
        "scalar": np.array(-3, np.int64), "empty": np.zeros([0, 2], np.float32), "bool": np.array([True, False]),
        "int8": np.array([-7, 7], np.int8), "complex": np.array([1 + 2j], np.complex64),
        "half": np.array([0.5, 2], np.float16), "large": np.arange(40000, dtype=np.int32).reshape(100, 400),
        "scope/inner": np.array([[3.0]], np.float32), "text": np.array([[b"x", b"a\0b" * 100, b""]], object),
        "part": np.arange(33, dtype=np.float32).reshape(11, 3),
    }  # fmt: skip


def make(tf, kind, arrays, parts=3):
    """A saver of variables with these values, "part" in so many parts, and a bfloat16 one."""
    with tf.variable_scope("", use_resource=kind == "resource"):
        for name, array in arrays.items():
            if name == "part":
                partitioner = tf.fixed_size_partitioner(parts) if parts > 1 else None
                tf.get_variable(name, initializer=tf.constant(array), partitioner=partitioner)
            elif array.dtype == object:
                tf.get_variable(name, initializer=tf.constant(array.tolist()))
            else:
                tf.get_variable(name, initializer=array)
        if kind != "v1":
            tf.get_variable("brain", initializer=tf.cast([1.5, -3.0], tf.bfloat16))
    version = tf.train.SaverDef.V1 if kind == "v1" else tf.train.SaverDef.V2
    return tf.train.Saver(sharded=kind == "sharded", write_version=version)


def tensorflow_saves(tf, make_source, kind, arrays, path):
    space = {}
    exec(make_source, space)
    # The graph of a resource variable in parts would hold ops that only TensorFlow 2 has.
    saver = space["make"](tf, kind, arrays, parts=1 if kind == "resource" else 3)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return saver.save(session, path, global_step=5)


def tensorflow_reads(tf, path, meta):
    """What is in a checkpoint, read three ways: by the reader, by the saver of the .meta file, by its graph."""
    reader = tf.train.load_checkpoint(path)
    looked = {name: np.asarray(reader.get_tensor(name), np.float32) for name in ("float", "part", "scalar", "empty")}
    saver = tf.train.import_meta_graph(meta)
    with tf.Session() as session:
        saver.restore(session, path)
        parts = {v.op.name: session.run(tf.cast(v, tf.float32) if v.dtype.base_dtype == tf.bfloat16 else v)
                 for v in tf.global_variables()}
        again = saver.save(session, path + "_again")
    return looked, parts, tf.train.latest_checkpoint(path.rpartition("/")[0]) == again


def check(found, arrays, kind):
    for name, array in arrays.items():
        if name not in found:
            found[name] = np.concatenate([found[each] for each in sorted(found) if each.startswith("part/part_")])
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array)
    if kind != "v1":
        assert np.asarray(found["brain"], np.float32).tolist() == [1.5, -3]


def usable(kind):
    arrays = values()
    if kind == "v1":  # TensorFlow's first format has no tensors without elements
        del arrays["empty"]
    return arrays


@pytest.mark.parametrize("kind", KINDS)
def test_evergraph_reads_tensorflows(tmp_path, kind):
    arrays = usable(kind)
    path = ask(tensorflow_saves, tmp_path, make_source=inspect.getsource(make), kind=kind, arrays=arrays,
               path=str(tmp_path / "m"))  # fmt: skip
    assert eg.train.latest_checkpoint(tmp_path) == path
    reader = eg.train.load_checkpoint(tmp_path)
    for name, array in arrays.items():
        np.testing.assert_array_equal(reader.get_tensor(name), array)
    with eg.Graph().as_default(), eg.Session() as session:
        eg.train.import_meta_graph(f"{path.partition('-?')[0]}.meta").restore(session, path)
        check({v.op.name: session.run(v) for v in eg.global_variables()}, arrays, kind)
    with eg.Graph().as_default(), eg.Session() as session:
        make(eg, kind, arrays).restore(session, path)
        check({v.op.name: session.run(v) for v in eg.global_variables()}, arrays, kind)


@pytest.mark.parametrize("kind", ["plain", "resource", "sharded"])
def test_tensorflow_reads_evergraphs(tmp_path, kind):
    arrays = usable(kind)
    with eg.Graph().as_default(), eg.Session() as session:
        saver = make(eg, kind, arrays)
        session.run(eg.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "m"), global_step=5)
    looked, found, is_latest = ask(tensorflow_reads, tmp_path, path=path, meta=f"{path}.meta")
    for name, array in looked.items():
        np.testing.assert_array_equal(array, arrays[name].astype(np.float32))
    check(found, arrays, kind)
    assert is_latest
    again = eg.train.load_checkpoint(str(tmp_path / "m-5_again"))
    for name, array in arrays.items():
        np.testing.assert_array_equal(again.get_tensor(name), array)
    assert again.get_tensor("brain").dtype == ml_dtypes.bfloat16


def nodes_of_savers(tf):
    def two():
        tf.get_variable("a", [2, 3])
        tf.get_variable("b", [2], use_resource=True)

    def parts():
        tf.get_variable("p", [10, 3], partitioner=tf.fixed_size_partitioner(2))

    def devices():
        with tf.device("/job:ps/task:0/cpu:0"):
            tf.get_variable("a", [2, 3])
        with tf.device("/job:ps/task:1"):
            tf.get_variable("b", [2], use_resource=True)
            tf.get_variable("c", [2])

    found = []
    for make_variables, options in ((two, {}), (two, {"reshape": True}), (two, {"name": "foo", "filename": "x"}),
                                    (two, {"restore_sequentially": True}), (parts, {}), (parts, {"reshape": True}),
                                    (devices, {}), (devices, {"sharded": True}), (two, {"sharded": True})):
        with tf.Graph().as_default() as graph:
            make_variables()
            count = len(graph.get_operations())
            message = tf.train.Saver(**options).as_saver_def()
            found.append(([(op.name, op.type, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs),
                            op.device) for op in graph.get_operations()[count:]], message.SerializeToString()))
    return found


# How TensorFlow 2.15 makes the path of shards; 1.15 joins two strings.
NEWER = ("save/StaticRegexFullMatch", "save/Const_1", "save/Const_2", "save/Select", "save/StringJoin")


def test_nodes_are_tensorflows(tmp_path):
    for (ours, message), (theirs, their_message) in zip(nodes_of_savers(eg), ask(nodes_of_savers, tmp_path)):
        assert [n for n in ours if not n[0].startswith("save/StringJoin")] == [n for n in theirs if n[0] not in NEWER]
        assert message == their_message


# ---- every dtype, by the ops themselves


NUMBERS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "complex64", "complex128", "bool", "bfloat16", "qint8", "quint8", "qint32", "qint16", "quint16")  # fmt: skip


def samples():
    """Name -> (dtype, nested list of numbers or bytes): of every dtype one with elements, and a scalar or none."""
    found = {"string": ("string", [[b"", b"a\0"], [b"x" * 300, b"\xff"]]), "string0": ("string", b"alone")}
    for place, name in enumerate(NUMBERS):
        values = [True, False, True] if name == "bool" else [0, 1, 100]
        found[name] = name, [values, values[::-1]]
        found[f"{name}0"] = name, values[1] if place % 2 else [[], []]
    return found


def write_all(tf, path, samples):
    """Writes a checkpoint of these tensors."""
    names = sorted(samples)
    with tf.Graph().as_default(), tf.Session() as session:
        tensors = []
        for name in names:
            dtype, value = samples[name]
            base = tf.constant(value, tf.string if dtype == "string" else tf.bool if dtype == "bool" else tf.int32)
            if dtype.startswith("q"):
                kind = tf.as_dtype(dtype)
                tensors.append(tf.bitcast(tf.cast(base, tf.as_dtype(dtype[1:])), kind))
            else:
                tensors.append(base if dtype == "string" else tf.cast(base, tf.as_dtype(dtype)))
        session.run(tf.raw_ops.SaveV2(prefix=path, tensor_names=names, shape_and_slices=[""] * len(names),
                                      tensors=tensors))  # fmt: skip


def read_all_types(tf, path, samples):
    """Name -> (dtype, values) of what a checkpoint holds, by RestoreV2."""
    names = sorted(samples)
    with tf.Graph().as_default(), tf.Session() as session:
        kinds = [tf.as_dtype(samples[name][0]) for name in names]
        tensors = tf.raw_ops.RestoreV2(prefix=path, tensor_names=names, shape_and_slices=[""] * len(names),
                                       dtypes=kinds)  # fmt: skip
        plain = []
        for tensor, kind in zip(tensors, kinds):
            if kind.is_quantized:
                tensor = tf.bitcast(tensor, tf.as_dtype(kind.name[1:]))
            plain.append(tf.cast(tensor, tf.float32) if kind == tf.bfloat16 else tensor)
        reader = tf.train.load_checkpoint(path)
        kinds = {name: tf.as_dtype(kind).name for name, kind in reader.get_variable_to_dtype_map().items()}
        values = session.run(plain)
        return {name: (kinds[name], value.tolist() if hasattr(value, "tolist") else value)
                for name, value in zip(names, values)}  # fmt: skip


def test_every_dtype_from_tensorflow(tmp_path):
    path = str(tmp_path / "c")
    ask(write_all, tmp_path, path=path, samples=samples())
    assert read_all_types(eg, path, samples()) == samples()
    reader = eg.train.load_checkpoint(path)
    for name, (_, value) in samples().items():
        found = reader.get_tensor(name)
        assert (found if isinstance(found, bytes) else np.asarray(found).tolist()) == value, name


def test_every_dtype_to_tensorflow(tmp_path):
    path = str(tmp_path / "c")
    write_all(eg, path, samples())
    assert ask(read_all_types, tmp_path, path=path, samples=samples()) == samples()


# ---- objects


def objects(tf):
    """A checkpoint of objects of many kinds, and a step of training them."""
    layer, norm = tf.layers.Dense(2, name="dense"), tf.layers.BatchNormalization(name="norm")
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.DropoutWrapper(
        tf.nn.rnn_cell.BasicLSTMCell(2))])  # fmt: skip
    sequence, _ = tf.nn.dynamic_rnn(cell, tf.ones([2, 3, 2]), dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(norm(layer(sequence[:, -1]), training=True))) + tf.reduce_sum(layer.kernel)
    optimizer, step = tf.train.AdamOptimizer(0.1), tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, global_step=step)
    more = [tf.get_variable("resource", initializer=[3, 4], use_resource=True), {"a/b": tf.get_variable(
        "text", initializer=tf.constant(["x", "yz"]))}]  # fmt: skip
    inner = tf.train.Checkpoint(layer=layer, more=more)
    return tf.train.Checkpoint(inner=inner, norm=norm, cell=cell, optimizer=optimizer, step=step), train


def write_objects(tf, source, path):
    space = {}
    exec(source, space)
    checkpoint, train = space["objects"](tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        written = checkpoint.save(path, session=session)
        return written, {v.op.name: session.run(v) for v in tf.global_variables()}


def read_objects(tf, source, path):
    """What the variables hold after the objects are restored."""
    space = {}
    exec(source, space)
    checkpoint, _ = space["objects"](tf)
    with tf.Session() as session:
        checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        return {v.op.name: session.run(v) for v in tf.global_variables()}


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        np.testing.assert_array_equal(found[name], value)


def test_objects_from_tensorflow(tmp_path):
    source = inspect.getsource(objects)
    path, wanted = ask(write_objects, tmp_path, source=source, path=str(tmp_path / "c"))
    assert eg.train.latest_checkpoint(tmp_path) == path
    with eg.Graph().as_default():
        same(read_objects(eg, source, path), wanted)
    with eg.Graph().as_default(), eg.Session() as session:  # by the names of the variables
        objects(eg)
        eg.train.Saver(eg.trainable_variables()).restore(session, path)
        same({v.op.name: session.run(v) for v in eg.trainable_variables()},
             {v.op.name: wanted[v.op.name] for v in eg.trainable_variables()})  # fmt: skip


def test_objects_to_tensorflow(tmp_path):
    source = inspect.getsource(objects)
    with eg.Graph().as_default():
        path, wanted = write_objects(eg, source, str(tmp_path / "c"))
    same(ask(read_objects, tmp_path, source=source, path=path), wanted)
