"""Programs that make variables; evergraph's graphs must have the same nodes under the same names as TensorFlow's."""

import numpy as np

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


@program
def ref_variable(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    tf.Variable(3, trainable=False)
    tf.Variable(4, trainable=False)
    v.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0], name="more")
    tf.assign_sub(v, [1.0, 1.0])
    v.read_value()
    (v * 2.0) + 1.0 - v
    tf.negative(v)
    tf.global_variables_initializer()


@program
def variable_from_tensor(tf):
    with tf.name_scope("outer"):
        tf.Variable(tf.zeros([2, 3]), name="z")
        tf.Variable(lambda: tf.ones([2]), name="called")
        tf.Variable(np.float64(1.5), dtype=tf.float32, name="typed")


@program
def resource_variable(tf):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    changed = v.assign([3.0, 4.0])
    changed + 1.0
    v.assign_sub([1.0, 1.0], read_value=False)
    tf.assign_add(v, [1.0, 1.0])
    v.read_value()
    v * 2.0
    tf.matmul([[1.0, 2.0]], tf.reshape(v, [2, 1]))
    v.is_initialized()
    tf.global_variables_initializer()


@program
def parts_of_ref(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    v[0].assign([5.0, 6.0])
    v[:, 1]
    v.scatter_add(tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([0])))
    tf.scatter_update(v, [0], [[1.0, 2.0]])
    tf.scatter_nd_update(v, [[0, 1]], [3.0])
    v.scatter_nd_add([[0, 1]], [3.0])
    tf.count_up_to(tf.Variable(0), 3)


@program
def parts_of_resource(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v", use_resource=True)
    v[0].assign([5.0, 6.0])
    v.gather_nd([[0, 1]])
    v.scatter_sub(tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([0])))
    tf.scatter_add(v, [0], [[1.0, 2.0]])
    tf.scatter_nd_sub(v, [[0, 1]], [3.0])


@program
def batches(tf):
    tf.batch_scatter_update(tf.Variable([[1.0, 2.0]], name="v"), [[0]], [[3.0]])


@program
def devices(tf):
    with tf.device("/job:ps/task:1"):
        r = tf.Variable([1.0], name="r", caching_device="/job:worker")
        s = tf.Variable([1.0], name="s", caching_device="/job:worker", use_resource=True)
        tf.get_variable("t", [2])
    r + s
    tf.global_variables_initializer()


@program
def scopes(tf):
    with tf.variable_scope("a") as a:
        tf.get_variable("w", [2])
        tf.constant(1.0, name="c")
        with tf.variable_scope("b", initializer=tf.zeros_initializer()):
            tf.get_variable("w", [2])
        with tf.variable_scope("b"):
            tf.get_variable("u", [2])
            tf.Variable(1.0, name="plain")
    with tf.variable_scope(a, reuse=True):
        tf.get_variable("w")
        tf.constant(1.0, name="c")
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        tf.get_variable("w", [2])
        tf.get_variable("x", [])
    with tf.variable_scope(a, auxiliary_name_scope=False):
        tf.constant(1.0, name="d")
    with tf.variable_scope(a.original_name_scope):
        tf.constant(1.0, name="e")
    with tf.name_scope("names"):
        tf.get_variable("y", [2])
        with tf.variable_scope("c"):
            tf.get_variable("z", [2])
            tf.constant(1.0, name="f")


@program
def default_names(tf):
    for _ in range(2):
        with tf.variable_scope(None, "layer"):
            tf.get_variable("w", [2])
            with tf.variable_scope(None, default_name="inner"):
                tf.get_variable("w", [2])
            with tf.variable_scope(None, default_name="inner"):
                tf.get_variable("w", [2])
    with tf.variable_scope("outer"):
        with tf.variable_scope(None, "layer"):
            tf.get_variable("w", [2])


@program
def getters(tf):
    def halved(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 0.5

    def renamed(getter, name, *args, **kwargs):
        return getter(name + "_renamed", *args, **kwargs)

    with tf.variable_scope("a", custom_getter=halved):
        tf.get_variable("w", [2])
        with tf.variable_scope("b", custom_getter=renamed):
            tf.get_variable("w", [2])


@program
def initializers(tf):
    kinds = {"z": tf.zeros_initializer(), "o": tf.ones_initializer(), "c": tf.constant_initializer(2.0),
             "u": tf.random_uniform_initializer(-1, 1), "n": tf.random_normal_initializer(),
             "t": tf.truncated_normal_initializer(), "s": tf.variance_scaling_initializer(),
             "g": tf.glorot_uniform_initializer(), "gn": tf.glorot_normal_initializer(),
             "q": tf.orthogonal_initializer(),
             "us": tf.uniform_unit_scaling_initializer(), "h": tf.initializers.he_normal()}
    for name, initializer in kinds.items():
        tf.get_variable(name, [3, 2], initializer=initializer)
    tf.get_variable("large", [1000, 2], initializer=tf.zeros_initializer)
    tf.get_variable("wide", [2, 3, 4], initializer=tf.orthogonal_initializer())
    tf.get_variable("ints", [2], dtype=tf.int32)
    tf.get_variable("words", [2], dtype=tf.string)
    tf.get_variable("given", initializer=[1.0, 2.0])
    tf.get_variable("tensor", initializer=tf.zeros([2]))
    tf.get_local_variable("local", [2])


@program
def partitions(tf):
    p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    tf.get_variable("q", initializer=tf.ones([4]), partitioner=tf.fixed_size_partitioner(2))
    tf.convert_to_tensor(p)
    p.assign(tf.zeros([5, 2]))
    tf.get_variable("one", [5, 2], partitioner=tf.fixed_size_partitioner(1)).as_tensor()
    tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer(), name="old")
    with tf.variable_scope("s", partitioner=tf.variable_axis_size_partitioner(24)):
        tf.get_variable("w", [4, 3])


@program
def initialized(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable(1, name="w", use_resource=True)
    tf.assert_variables_initialized()
    tf.assert_variables_initialized([v])
    tf.is_variable_initialized(v)
    tf.is_variable_initialized(w)
    tf.variables_initializer([])
    tf.local_variables_initializer()
    tf.report_uninitialized_variables([])
    tf.report_uninitialized_variables([v], name="report")


@program
def constrained(tf):
    v = tf.Variable([1.0, 2.0], name="v", constraint=lambda x: tf.maximum(x, 0.0))
    tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.ones([2]), v)])


@program
def partitioned_training(tf):
    p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    tf.train.AdamOptimizer().apply_gradients([(tf.ones(part.shape), part) for part in p])


@program
def float16_training(tf):
    v = tf.Variable(np.ones(2, np.float16), name="v")
    tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(tf.ones([2], tf.float16), v)])


@program
def training_in_a_scope(tf):
    with tf.variable_scope("model"):
        v = tf.get_variable("v", [2])
        with tf.variable_scope("train"):
            tf.train.AdagradOptimizer(0.1).apply_gradients([(tf.ones([2]), v)], name="go")


@program
def moving_average_of_tensor(tf):
    t = tf.constant([1.0, 2.0], name="t") * 2.0
    tf.train.ExponentialMovingAverage(0.9, num_updates=tf.constant(3), zero_debias=True).apply([t])


def nodes(tf, function):
    """What the program put into the graph: [name, op, inputs, device, colocation] of each node."""
    with tf.Graph().as_default() as graph:
        function(tf)
    return [[n.name, n.op, list(n.input), n.device, [c.decode() for c in n.attr["_class"].list.s]]
            for n in graph.as_graph_def().node]
