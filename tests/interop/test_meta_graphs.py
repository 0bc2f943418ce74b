"""MetaGraphDefs go both ways, with their variables and collections."""

import numpy as np

import evergraph as tf
from evergraph.save.meta_graph import import_scoped_meta_graph
from tests.interop.judge import ask


def build(tf):
    """A model with both kinds of variables, and collections of every kind."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.variable_scope("layer"):
        w = tf.get_variable("w", initializer=np.array([[1.0, 2.0], [3.0, 4.0]], "f"))
        b = tf.get_variable("b", initializer=np.array([0.5, -0.5], "f"), use_resource=True)
        step = tf.get_variable("step", initializer=7, trainable=False)
    y = tf.add(tf.matmul(x, w), b, name="y")
    for key, item in (("tensors", y), ("ops", y.op), ("text", "a"), ("ints", 3), ("floats", 2.5)):
        tf.add_to_collection(key, item)
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)


def describe(tf, session, prefix):
    """What a program sees of an imported MetaGraphDef."""
    session.run(tf.global_variables_initializer())
    return {
        "variables": [(v.name, v.dtype.base_dtype.name, v.shape.as_list()) for v in tf.global_variables()],
        "trainable": [v.name for v in tf.trainable_variables()],
        "step": [v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_STEP)],
        "collections": [[getattr(item, "name", item) for item in tf.get_collection(key)]
                        for key in ("tensors", "ops", "text", "ints", "floats")],
        "y": np.asarray(session.run(f"{prefix}y:0", {f"{prefix}x:0": [[1.0, 2.0]]})).tolist(),
    }  # fmt: skip


def read_and_write(tf, source, message, scope):
    """TensorFlow's part: describes a MetaGraphDef that it imports, and writes its own of the same program."""
    scoped = {"np": np}
    exec(source, scoped)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(tf.MetaGraphDef.FromString(message), import_scope=scope)
        seen = scoped["describe"](tf, session, f"{scope}/")
    with tf.Graph().as_default():
        scoped["build"](tf)
        return seen, tf.train.export_meta_graph().SerializeToString()


def test_both_ways(tmp_path):
    import inspect

    with tf.Graph().as_default():
        build(tf)
        ours = tf.train.export_meta_graph()
    source = inspect.getsource(build) + inspect.getsource(describe)
    seen, theirs = ask(read_and_write, tmp_path, source=source, message=ours.SerializeToString(), scope="imported")
    for message in (ours, tf.MetaGraphDef.FromString(theirs)):
        with tf.Graph().as_default(), tf.Session() as session:
            import_scoped_meta_graph(message, import_scope="imported")
            assert describe(tf, session, "imported/") == seen
