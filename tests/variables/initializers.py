"""Initializers with fixed seeds, and the variables they start."""

INITIALIZERS = {
    "zeros": (lambda tf: tf.zeros_initializer(), [3, 2], "float32"),
    "ones_int": (lambda tf: tf.ones_initializer(), [3], "int32"),
    "constant": (lambda tf: tf.constant_initializer([1.0, 2.0, 3.0]), [2, 3], "float32"),
    "uniform": (lambda tf: tf.random_uniform_initializer(-1, 2, seed=7), [3, 5], "float32"),
    "uniform_int": (lambda tf: tf.random_uniform_initializer(0, 100, seed=7), [7], "int32"),
    "uniform_double": (lambda tf: tf.random_uniform_initializer(-1, 2, seed=7), [3, 5], "float64"),
    "normal": (lambda tf: tf.random_normal_initializer(1.0, 2.0, seed=7), [3, 5], "float32"),
    "truncated_normal": (lambda tf: tf.truncated_normal_initializer(0.0, 0.1, seed=7), [3, 5], "float32"),
    "scaled": (lambda tf: tf.variance_scaling_initializer(seed=7), [3, 5], "float32"),
    "scaled_fan_out": (lambda tf: tf.variance_scaling_initializer(2.0, "fan_out", "uniform", seed=7), [2, 3, 4, 5],
                       "float32"),
    "scaled_untruncated": (lambda tf: tf.variance_scaling_initializer(
        1.5, "fan_avg", "untruncated_normal", seed=7), [3, 5], "float32"),
    "unit_scaling": (lambda tf: tf.uniform_unit_scaling_initializer(1.5, seed=7), [3, 5], "float32"),
    "glorot_uniform": (lambda tf: tf.glorot_uniform_initializer(seed=7), [3, 5], "float32"),
    "glorot_normal": (lambda tf: tf.glorot_normal_initializer(seed=7), [4], "float32"),
    "he_normal": (lambda tf: tf.initializers.he_normal(seed=7), [3, 5], "float32"),
    "he_uniform": (lambda tf: tf.initializers.he_uniform(seed=7), [3, 5], "float32"),
    "lecun_normal": (lambda tf: tf.initializers.lecun_normal(seed=7), [3, 5], "float32"),
    "lecun_uniform": (lambda tf: tf.initializers.lecun_uniform(seed=7), [3, 5], "float32"),
    "orthogonal": (lambda tf: tf.orthogonal_initializer(2.0, seed=7), [4, 3], "float32"),
    "orthogonal_wide": (lambda tf: tf.orthogonal_initializer(seed=7), [2, 2, 5], "float32"),
    "identity": (lambda tf: tf.initializers.identity(2.0), [2, 3], "float32"),
}


def started(tf, name):
    """The value that a variable with this initializer starts with."""
    make, shape, dtype = INITIALIZERS[name]
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", shape, tf.as_dtype(dtype), initializer=make(tf))
        session.run(v.initializer)
        return session.run(v)
