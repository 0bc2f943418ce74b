"""TensorFlow's outcome of a program, with the noise that rounding may make in it.

Noise is measured: the program runs again, twice, with every value that is rounded moved by one unit in the last place.
"""

import numpy as np

from tests.harness.judge import tf
from tests.random_graphs.play import LACKS, Outcome, distance, play

SHAKES = 2  # in one of them, two opposite movements may cancel
BITS = {"float64": 52, "complex128": 52, "float32": 23, "complex64": 23, "float16": 10, "bfloat16": 7}  # of fractions
# What TensorFlow says where it lacks a kernel, or a gradient of rows, of branches or inside of loops.
LACKING = ("No OpKernel was registered", "Could not find device for node", "Cannot update edge, incompatible shapes",
           "'IndexedSlices' and 'float'", "because they are in different while loops")


def answer(source, noisy):
    """TensorFlow's outcome.

    Args:
        source: the text of the program.
        noisy: the text with `noise` around what is rounded; None to measure none.
    """
    plain = play(tf, source, open_session)
    if plain.error is not None:
        lacks = plain.error == "UnimplementedError" or any(words in plain.message for words in LACKING)
        return Outcome(LACKS if lacks else plain.error, plain.message)
    if noisy is None:
        plain.noise = [0.0] * len(plain.arrays)
        return plain
    plain.noise = [max(each) for each in zip(*(_moved(plain, _shaken(noisy, _noise(seed))) for seed in range(SHAKES)))]
    return plain


def _moved(plain, shaken):
    return distance(plain, shaken) if shaken.error is None else [float("inf")] * len(plain.arrays)


def _shaken(noisy, noise):
    """The outcome with noise, also in the slopes of ops that compute them from their rounded results."""
    _SLOPES["noise"] = noise
    return play(tf, noisy, open_session, noise=noise, around=lambda graph: graph.gradient_override_map(
        {"Tanh": "NoisyTanh", "Sigmoid": "NoisySigmoid"}))


_SLOPES = {}


@tf.RegisterGradient("NoisyTanh")
def _(op, dy):
    y = _SLOPES["noise"](op.outputs[0])
    return dy * (1 - y * y)


@tf.RegisterGradient("NoisySigmoid")
def _(op, dy):
    y = _SLOPES["noise"](op.outputs[0])
    return dy * y * (1 - y)


def open_session(graph):
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return tf.Session(graph=graph, config=config)


def _noise(seed):
    random = np.random.RandomState(seed)

    def noise(value):
        shape = value.shape.as_list() if value.shape.is_fully_defined() else []
        unit = 2.0 ** -BITS[value.dtype.base_dtype.name]
        return value * tf.constant(1 + unit * random.choice([-1, 1], shape), value.dtype.base_dtype)

    return noise
