"""Makes frozen graphs of mapped ops at random, and compares the converted models with a session:

    python -m tests.lite.random_models --seeds 0 500

A seed is a graph. Values pass through functions that keep them small, so that rounding does not grow, and through none
that jumps. Each output may be off by 1e-5 of its largest element.
"""

import argparse
import sys

import numpy as np

import evergraph as tf
from tests.harness.session import started
from tests.lite.running import converter, ran

TOLERANCE = 1e-5
MOST_ELEMENTS = 4096


class Maker:
    """Adds nodes to the default graph, over tensors of known shapes.

    Attributes:
        rng: chooses.
        tensors: the floating-point tensors that there are.
    """

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)
        self.inputs = [tf.placeholder(tf.float32, self.shape(), name=f"x{n}") for n in range(self.rng.randint(1, 3))]
        self.tensors = list(self.inputs)

    def shape(self):
        return [int(self.rng.randint(1, 6)) for _ in range(self.rng.choice([1, 2, 3, 4, 4]))]

    def pick(self, rank=None):
        """A tensor, of this rank if one is asked for; others are reshaped to it."""
        tensor = self.tensors[self.rng.randint(len(self.tensors))]
        if rank is None or len(tensor.shape) == rank:
            return tensor
        sizes = tensor.shape.as_list() + [1] * rank
        return tf.reshape(tensor, [*sizes[:rank - 1], -1] if len(tensor.shape) > rank else sizes[:rank])

    def constant(self, *shape):
        return self.rng.uniform(-1, 1, shape).astype(np.float32)

    def axis(self, tensor):
        return int(self.rng.randint(len(tensor.shape)))

    def step(self):
        kind = KINDS[self.rng.randint(len(KINDS))]
        made = kind(self)
        if made is not None and made.shape.num_elements() and made.shape.num_elements() <= MOST_ELEMENTS:
            self.tensors.append(made)


def unary(make):
    names = "abs cos sin tanh sigmoid square negative".split()
    return getattr(tf.math, make.rng.choice(names))(make.pick())


def nn_unary(make):
    names = "relu relu6 elu softplus softsign selu leaky_relu softmax log_softmax".split()
    return getattr(tf.nn, make.rng.choice(names))(make.pick())


def guarded(make):
    """Functions of positive numbers."""
    x = tf.abs(make.pick()) + 0.5
    return getattr(tf.math, make.rng.choice("sqrt rsqrt log reciprocal log1p".split()))(x)


def binary(make):
    x = make.pick()
    other = x if make.rng.rand() < 0.3 else make.constant(*x.shape.as_list()[make.axis(x):])
    names = "add subtract multiply maximum minimum squared_difference".split()
    return getattr(tf.math, make.rng.choice(names))(x, other)


def bounded(make):
    return tf.tanh(make.pick())


def reduced(make):
    x = make.pick()
    name = make.rng.choice("reduce_sum reduce_mean reduce_max reduce_min".split())
    axes = sorted({make.axis(x), make.axis(x)})
    keep = len(axes) == len(x.shape) or bool(make.rng.rand() < 0.5)
    return getattr(tf, name)(x, axes, keepdims=keep)


def dense(make):
    x = make.pick(2)
    y = tf.matmul(tf.tanh(x), make.constant(x.shape.as_list()[1], make.rng.randint(1, 6)))
    return activated(make, y + make.constant(y.shape.as_list()[1]) if make.rng.rand() < 0.7 else y)


def activated(make, y):
    return [tf.identity, tf.nn.relu, tf.nn.relu6][make.rng.randint(3)](y)


def convolved(make):
    x = tf.tanh(make.pick(4))
    window = [min(int(make.rng.randint(1, 4)), size) for size in x.shape.as_list()[1:3]]
    strides, padding = [1, *make.rng.randint(1, 3, 2).tolist(), 1], make.rng.choice(["SAME", "VALID"])
    channels = x.shape.as_list()[3]
    if make.rng.rand() < 0.3:
        strides[2] = strides[1]
        y = tf.nn.depthwise_conv2d(x, make.constant(*window, channels, make.rng.randint(1, 3)), strides, padding)
    else:
        y = tf.nn.conv2d(x, make.constant(*window, channels, make.rng.randint(1, 5)), strides, padding)
    size = y.shape.as_list()[3]
    for _ in range(make.rng.randint(3)):
        y = y * make.constant(size) if make.rng.rand() < 0.5 else y + make.constant(size)
    return activated(make, y)


def normalized(make):
    x = make.pick(4)
    size = x.shape.as_list()[3]
    scale, offset, mean, variance = (make.constant(size) for _ in range(4))
    return tf.raw_ops.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=mean, variance=np.abs(variance) + 0.5,
                                       is_training=False)[0]


def pooled(make):
    x = make.pick(4)
    window = [1, *(min(2, size) for size in x.shape.as_list()[1:3]), 1]
    pool = [tf.nn.max_pool, tf.nn.avg_pool][make.rng.randint(2)]
    return pool(x, window, [1, *make.rng.randint(1, 3, 2).tolist(), 1], make.rng.choice(["SAME", "VALID"]))


def resized(make):
    x = make.pick(4)
    resize = [tf.image.resize_bilinear, tf.image.resize_nearest_neighbor][make.rng.randint(2)]
    return resize(x, make.rng.randint(1, 8, 2).tolist())


def reshaped(make):
    x = make.pick()
    sizes = [size for size in x.shape.as_list() if size > 1]
    make.rng.shuffle(sizes)
    return tf.reshape(x, [*sizes, -1] if make.rng.rand() < 0.5 else [-1, *sizes])


def transposed(make):
    x = make.pick()
    return tf.transpose(x, make.rng.permutation(len(x.shape)).tolist())


def sliced(make):
    x = make.pick()
    parts = []
    for size in x.shape.as_list():
        first = int(make.rng.randint(size))
        last = int(make.rng.randint(first + 1, size + 1))
        parts.append([slice(first, last), slice(None), slice(None, None, -1), first][make.rng.randint(4)])
    found = x[tuple(parts)]
    return found if len(found.shape) else None


def joined(make):
    x = make.pick()
    axis = make.axis(x)
    join = tf.stack if make.rng.rand() < 0.5 and len(x.shape) < 4 else tf.concat
    return join([x, tf.tanh(x)], axis)


def split(make):
    x = make.pick()
    axis = make.axis(x)
    size = x.shape.as_list()[axis]
    if size > 1:
        first = int(make.rng.randint(1, size))
        return tf.split(x, [first, size - first], axis)[0]
    return tf.unstack(x, axis=axis)[0] if len(x.shape) > 1 else None


def padded(make):
    x = make.pick()
    amounts = make.rng.randint(0, 2, (len(x.shape), 2)).tolist()
    return tf.pad(x, amounts, constant_values=float(make.rng.choice([0.0, 1.5])))


def gathered(make):
    x = make.pick()
    axis = make.axis(x)
    return tf.gather(x, make.rng.randint(0, x.shape.as_list()[axis], 3), axis=axis)


def tiled(make):
    x = make.pick()
    return tf.tile(x, make.rng.randint(1, 3, len(x.shape)).tolist())


def reversed_(make):
    x = make.pick()
    return tf.reverse(x, [make.axis(x)])


def summed(make):
    x = make.pick()
    return tf.cumsum(x, make.axis(x), exclusive=bool(make.rng.rand() < 0.5), reverse=bool(make.rng.rand() < 0.5))


def chosen(make):
    x = make.pick()
    return tf.where(make.rng.rand(*x.shape.as_list()) < 0.5, x, tf.tanh(x))


def multiplied(make):
    x = tf.tanh(make.pick(3))
    return tf.matmul(x, x, transpose_b=True) if make.rng.rand() < 0.5 else tf.matmul(x, x, transpose_a=True)


def branched(make):
    x = make.pick()
    return tf.cond(tf.shape(x)[0] > 2, lambda: x + 1.0, lambda: tf.tanh(x))


def looped(make):
    x = tf.tanh(make.pick())
    return tf.while_loop(lambda n, a: n < 3, lambda n, a: (n + 1, tf.sin(a) + x), [0, x])[1]


def squeezed(make):
    x = make.pick()
    return tf.squeeze(tf.expand_dims(x, make.axis(x))) if x.shape.num_elements() > 1 else tf.expand_dims(x, 0)


KINDS = [unary, nn_unary, guarded, binary, bounded, reduced, dense, convolved, normalized, pooled, resized, reshaped,
         transposed, sliced, joined, split, padded, gathered, tiled, reversed_, summed, chosen, multiplied, branched,
         looped, squeezed]  # fmt: skip


def difference(seed):
    """How a converted model differs from the session, in words, or None."""
    with tf.Graph().as_default():
        make = Maker(seed)
        for _ in range(make.rng.randint(3, 15)):
            make.step()
        outputs = [tf.identity(each, name=f"out{n}") for n, each in enumerate(make.tensors[-3:])]
        feeds = {each: make.constant(*each.shape.as_list()) for each in make.inputs}
        with started() as session:
            expected = session.run(outputs, feeds)
            found = ran(converter(session, feeds, outputs).convert(), *feeds.values())
    for output, ours, lites in zip(outputs, expected, found, strict=True):
        scale = max(1.0, np.abs(ours).max(initial=0))
        if ours.shape != lites.shape:
            return f"{output.op.inputs[0].op.type}: shape {lites.shape}, not {ours.shape}"
        if not np.allclose(lites, ours, rtol=0, atol=TOLERANCE * scale):
            return f"{output.op.inputs[0].op.type}: off by {np.abs(lites - ours).max() / scale:.2g}"
    return None


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 500), metavar=("FIRST", "LAST"))
    first, last = parser.parse_args(words).seeds
    wrong = 0
    for seed in range(first, last):
        try:
            told = difference(seed)
        except Exception as error:  # every seed is tried, whatever an earlier one raised
            told = f"{type(error).__name__}: {error}"
        if told:
            wrong += 1
            print(f"seed {seed}: {told}")
    print(f"{last - first} graphs, {wrong} differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
