"""The kinds of files: how to make a sound one, how to read it, and what reading a damaged one may come to."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from google.protobuf.message import DecodeError

import evergraph as tf
from evergraph import proto
from evergraph.formats import lmdb
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.save.state import V1, V2
from tests.harness.lmdb import lmdb_file


@dataclass(frozen=True)
class Kind:
    """One kind of file.

    Attributes:
        make: (folder) -> the path of the file that will be damaged.
        read: (path) -> its content.
        is_right: (content of the damaged file, that of the sound one, whether the file was cut off) -> whether the
            damage was noticed, or harmless. Files without checksums cannot tell a value from another: any is right.
        allowed: what else may come of it: the error classes that TensorFlow raises.
    """

    make: Callable
    read: Callable
    allowed: tuple
    is_right: Callable = field(default=lambda value, sound, was_cut: True)


KINDS: dict[str, Kind] = {}


NOTICED = "the damage was noticed"


def is_beginning(value, sound, was_cut):
    """Records are read until the damage; what was read before it is sound. A file may end anywhere."""
    if value[-1:] == [NOTICED]:
        return value[:-1] == sound[:len(value) - 1]
    return value == (sound[:len(value)] if was_cut else sound)


def until_damage(records):
    """The records that can be read, and whether there was damage after them."""
    found = []
    try:
        found.extend(records)
    except tf.errors.DataLossError:
        found.append(NOTICED)
    return found


# ---- records

def records(compression):
    def make(folder):
        path = folder / "records"
        with tf.python_io.TFRecordWriter(path, compression) as writer:
            for item in (b"", b"one", b"x" * 300, bytes(range(256)), b"last"):
                writer.write(item)
        return path

    def read(path):
        return until_damage(tf.python_io.tf_record_iterator(path, compression))
    return Kind(make, read, (), is_beginning)


for compression in ("", "GZIP", "ZLIB"):
    KINDS[f"TFRecord {compression or 'plain'}"] = records(compression)


def make_events(folder):
    with tf.summary.FileWriter(folder) as writer:
        for step in range(15):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=step / 2)]), step)
    return Path(writer.path)


def read_events(path):
    return until_damage(event.SerializeToString() for event in tf.train.summary_iterator(path))


KINDS["event file"] = Kind(make_events, read_events, (), is_beginning)


# ---- checkpoints

def save(folder, version, sliced=True):
    """Writes a checkpoint of some variables; returns its prefix."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("w", initializer=np.arange(60, dtype=np.float32).reshape(20, 3))
        tf.get_variable("step", initializer=np.int64(7))
        tf.get_variable("text", initializer=tf.constant([b"one", b"", b"three"]))
        if sliced:
            tf.get_variable("parts", [10, 2], initializer=tf.ones_initializer(),
                            partitioner=tf.fixed_size_partitioner(3))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(write_version=version).save(session, str(folder / "model"))


def read_checkpoint(prefix):
    reader = open_checkpoint(prefix)
    return {name: (reader.dtype(name), reader.read(name).tolist()) for name in reader.names()}


def checkpoint(version, suffix):
    return Kind(lambda folder: Path(save(folder, version) + suffix),
                lambda path: read_checkpoint(str(path)[:len(str(path)) - len(suffix)]),
                (tf.errors.DataLossError, tf.errors.OutOfRangeError, tf.errors.NotFoundError,
                 tf.errors.UnimplementedError), lambda value, sound, was_cut: value == sound)


KINDS["V2 index"] = checkpoint(V2, ".index")
KINDS["V2 data"] = checkpoint(V2, ".data-00000-of-00001")
KINDS["V1 checkpoint"] = checkpoint(V1, "")


def make_state(folder):
    prefix = save(folder, V2)
    tf.train.update_checkpoint_state(str(folder), prefix, [*(f"{prefix}-{number}" for number in range(12)), prefix])
    return folder / "checkpoint"


KINDS["checkpoint state"] = Kind(make_state, lambda path: tf.train.latest_checkpoint(str(path.parent)),
                                 (ValueError,), lambda value, sound, was_cut: value in (None, sound))


# ---- graphs

def build():
    """Some of what graphs hold: variables, a loop, a branch, a function, strings, shapes."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
    y = tf.nn.relu(tf.matmul(x, w), name="y")
    _, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.reduce_sum(y)), [0, 0.0])
    branch = tf.cond(total > 1, lambda: tf.constant("many"), lambda: tf.constant("few"))
    tf.strings.join([branch, tf.constant(b"\xff\x00")], name="out")
    return x, y


def make_meta_graph(folder):
    with tf.Graph().as_default():
        build()
        tf.train.Saver()
        tf.train.export_meta_graph(str(folder / "model.meta"))
    return folder / "model.meta"


def import_meta_graph(path):
    with tf.Graph().as_default():
        tf.train.import_meta_graph(str(path))


GRAPH_ERRORS = (tf.errors.OpError, ValueError, OSError, DecodeError)
# A collection may name what is not in the graph.
META_GRAPH_ERRORS = (*GRAPH_ERRORS, KeyError)
KINDS[".meta"] = Kind(make_meta_graph, import_meta_graph, (*META_GRAPH_ERRORS, TypeError))


def graph_file(as_text):
    def make(folder):
        with tf.Graph().as_default() as graph:
            build()
            return Path(tf.train.write_graph(graph, str(folder), "graph", as_text))

    def read(path):
        data = path.read_bytes()
        message = tf.GraphDef()
        if as_text:
            from google.protobuf import text_format
            try:
                text_format.Merge(data, message)
            except (text_format.ParseError, UnicodeDecodeError) as error:
                raise DecodeError(error) from None
        else:
            message.ParseFromString(data)
        import_graph(message)
    return Kind(make, read, GRAPH_ERRORS)


def import_graph(message):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        graph.as_graph_def(add_shapes=True)


KINDS["GraphDef"] = graph_file(as_text=False)
KINDS["GraphDef text"] = graph_file(as_text=True)


def saved_model(name):
    def make(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            x, y = build()
            session.run(tf.global_variables_initializer())
            tf.saved_model.simple_save(session, str(folder / "saved"), {"x": x}, {"y": y})
        return folder / "saved" / name

    def read(path):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.saved_model.loader.load(session, ["serve"], str(path).partition("/saved/")[0] + "/saved")
    # RuntimeError: there is nothing with these tags. TypeError: the saver feeds what is not in the graph.
    return Kind(make, read, (*META_GRAPH_ERRORS, RuntimeError, TypeError))


KINDS["SavedModel"] = saved_model("saved_model.pb")


# ---- Examples

def make_example(folder):
    message = tf.train.Example(features=tf.train.Features(feature={
        "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 300, -5, *range(90, 160)])),
        "b": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5] * 4)),
        "c": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"some text", b"", b"more"] * 20)),
    }))  # fmt: skip
    (folder / "example").write_bytes(message.SerializeToString())
    return folder / "example"


def read_example(path):
    return parse_examples([path.read_bytes()] * 3)


def parse_examples(serialized):
    """The outputs of the op, after checking their dtypes and shapes."""
    from evergraph.ops.strings.parsing import columns
    floats, integers, strings = map(np.dtype, (np.float32, np.int64, object))
    indices, values, shapes, dense = columns(
        serialized, ["name"] * len(serialized), ["c"], [strings], ["a", "b"], [integers, floats], [(None,), (4,)],
        [np.int64(0), np.zeros(4, np.float32)])
    assert [value.dtype for value in (*values, *dense)] == [strings, integers, floats]
    assert indices[0].shape == (len(values[0]), 2) and dense[1].shape == (len(serialized), 4)
    assert all(isinstance(value, bytes) for value in values[0]) and (indices[0] < shapes[0]).all()
    return [value.tolist() for value in (*indices, *values, *shapes, *dense)]


KINDS["Example"] = Kind(make_example, read_example, (tf.errors.InvalidArgumentError,))


# ---- what ops decode: WAV files, LMDB files, ensembles of trees

ops = tf.raw_ops


def make_wav(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        sound = np.sin(np.arange(60, dtype=np.float32)).reshape(30, 2)
        (folder / "sound.wav").write_bytes(session.run(tf.audio.encode_wav(sound, 8000)))
    return folder / "sound.wav"


def read_wav(path):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.audio.decode_wav(tf.constant(path.read_bytes())))


KINDS["WAV"] = Kind(make_wav, read_wav, (tf.errors.InvalidArgumentError,))


def make_lmdb(folder):
    (folder / "data.mdb").write_bytes(lmdb_file([(b"%d" % i, b"v%d" % i) for i in range(4)], (b"9", bytes(5000))))
    return folder / "data.mdb"


KINDS["LMDB"] = Kind(make_lmdb, lambda path: list(lmdb.records(str(path))), (tf.errors.DataLossError,))


def make_ensemble(folder):
    leaves = [{"leaf": {"scalar": value}} for value in (0.5, -0.25, 0.125)]
    splits = [{"bucketized_split": {"feature_id": 0, "threshold": 1, "left_id": 1, "right_id": 2}, "metadata": {}},
              {"categorical_split": {"feature_id": 1, "value": 2, "left_id": 3, "right_id": 4}, "metadata": {}}]
    tree = {"nodes": [splits[0], splits[1], *leaves]}
    meta = {"num_layers_grown": 2, "is_finalized": True}
    message = proto.boosted_trees_pb2.TreeEnsemble(trees=[tree] * 2, tree_weights=[1.0, 0.5], tree_metadata=[meta] * 2)
    (folder / "ensemble").write_bytes(message.SerializeToString())
    return folder / "ensemble"


def read_ensemble(path):
    with tf.Graph().as_default(), tf.Session() as session:
        handle = ops.BoostedTreesEnsembleResourceHandleOp()
        session.run(ops.BoostedTreesCreateEnsemble(
            tree_ensemble_handle=handle, stamp_token=np.int64(0), tree_ensemble_serialized=path.read_bytes()))
        features = [np.arange(4, dtype=np.int32), np.arange(4, dtype=np.int32)]
        return session.run([
            ops.BoostedTreesPredict(tree_ensemble_handle=handle, bucketized_features=features, logits_dimension=1),
            ops.BoostedTreesExampleDebugOutputs(tree_ensemble_handle=handle, bucketized_features=features,
                                                logits_dimension=1)])


KINDS["ensemble of trees"] = Kind(make_ensemble, read_ensemble,
                                  (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError))


def make_contrib_ensemble(folder):
    leaves = [{"leaf": {"vector": {"value": [value]}}} for value in (0.5, -0.25)]
    split = {"dense_float_binary_split": {"feature_column": 0, "threshold": 0.5, "left_id": 1, "right_id": 2}}
    meta = {"num_layers_grown": 1, "is_finalized": True}
    message = proto.contrib_trees_pb2.DecisionTreeEnsembleConfig(
        trees=[{"nodes": [split, *leaves]}] * 2, tree_weights=[1.0, 0.5], tree_metadata=[meta] * 2)
    (folder / "trees").write_bytes(message.SerializeToString())
    return folder / "trees"


def read_contrib_ensemble(path):
    features = dict(
        dense_float_features=[np.arange(4, dtype=np.float32)[:, None]], sparse_float_feature_indices=[],
        sparse_float_feature_values=[], sparse_float_feature_shapes=[], sparse_int_feature_indices=[],
        sparse_int_feature_values=[], sparse_int_feature_shapes=[])
    with tf.Graph().as_default(), tf.Session() as session:
        handle = ops.DecisionTreeEnsembleResourceHandleOp()
        session.run(ops.CreateTreeEnsembleVariable(
            tree_ensemble_handle=handle, stamp_token=np.int64(0), tree_ensemble_config=path.read_bytes()))
        return session.run(ops.GradientTreesPrediction(
            tree_ensemble_handle=handle, seed=np.int64(0), **features, use_locking=True, center_bias=False,
            apply_dropout=False, apply_averaging=False, reduce_dim=True,
            learner_config=proto.contrib_trees_pb2.LearnerConfig(num_classes=2).SerializeToString()))


KINDS["contrib's ensemble of trees"] = Kind(make_contrib_ensemble, read_contrib_ensemble,
                                            (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError))
