"""Random Examples parse to what TensorFlow parses them to, and a graph that parses runs in TensorFlow."""

import numpy as np

import evergraph as tf
from tests.interop.judge import ask


def build(tf, serialized):
    """Every kind of feature, of a batch and of its first example."""
    wanted = {
        "i": tf.FixedLenFeature([2], tf.int64, [7, 8]), "f": tf.VarLenFeature(tf.float32),
        "b": tf.VarLenFeature(tf.string), "r": tf.FixedLenSequenceFeature([2], tf.float32, True, -1.0),
        "s": tf.SparseFeature(["k", "l"], "v", tf.float32, [50, 50]),
    }  # fmt: skip
    batch, single = tf.parse_example(serialized, wanted), tf.parse_single_example(serialized[0], wanted)
    return [tensor for tensors in (batch, single) for _, tensor in sorted(tensors.items())]


def parse(tf, source, serialized):
    scoped = {"np": np}
    exec(source, scoped)
    with tf.Session() as session:
        fetched = session.run(scoped["build"](tf, tf.constant(serialized)))
    return [[np.asarray(part) for part in (value if isinstance(value, tuple) else [value])] for value in fetched]


def run_graph(tf, graph_def, names):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(graph_def), name="")
        return session.run(names)


def both(tf, source, serialized, graph_def, names, helpers):
    """TensorFlow's part: its own graph, and ours."""
    scoped = {"np": np}
    exec(helpers, scoped)
    return scoped["parse"](tf, source, serialized), scoped["run_graph"](tf, graph_def, names)


def random_examples(count):
    random, train = np.random.RandomState(3), tf.train
    for _ in range(count):
        size, rows = random.randint(0, 5), random.randint(0, 4)
        present = {
            "i": train.Feature(int64_list=train.Int64List(value=random.randint(-(1 << 60), 1 << 60, 2))),
            "f": train.Feature(float_list=train.FloatList(value=random.rand(random.randint(0, 60)))),
            "b": train.Feature(bytes_list=train.BytesList(value=[random.bytes(n) for n in range(size)])),
            "r": train.Feature(float_list=train.FloatList(value=random.rand(rows * 2))),
        }
        kept = {key: value for key, value in present.items() if random.rand() < 0.7}
        for key in "kl":
            kept[key] = train.Feature(int64_list=train.Int64List(value=random.permutation(50)[:size]))
        kept["v"] = train.Feature(float_list=train.FloatList(value=random.rand(size)))
        yield train.Example(features=train.Features(feature=kept)).SerializeToString()


def test_random_examples(tmp_path):
    import inspect

    serialized = list(random_examples(40))
    source = inspect.getsource(build)
    with tf.Graph().as_default() as graph:
        tensors = build(tf, tf.constant(serialized))
        flat = [part for each in tensors for part in (
            [each.indices, each.values, each.dense_shape] if isinstance(each, tf.SparseTensor) else [each])]
    with tf.Graph().as_default():
        ours = parse(tf, source, serialized)
    theirs, ran = ask(both, tmp_path, source=source, serialized=serialized,
                      graph_def=graph.as_graph_def().SerializeToString(), names=[part.name for part in flat],
                      helpers="\n".join(map(inspect.getsource, (parse, run_graph))))  # fmt: skip
    for mine, other in zip(ours, theirs, strict=True):
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype
    for a, b in zip([part for each in ours for part in each], ran, strict=True):
        np.testing.assert_array_equal(a, b)
