"""Calls of functions, by kinds of arguments: the number of traces after each call. TensorFlow's answers are kept.

Each row takes the package and gives (args, kwargs) of the calls; `OPTIONS` has what tf.function gets besides.
"""

import collections

import numpy as np

TRACES = {}
OPTIONS = {}
Pair, Other = (collections.namedtuple(name, "a b") for name in ("Pair", "Other"))


def row(function=None, **options):
    if function is None:
        return lambda made: row(made, **options)
    TRACES[function.__name__], OPTIONS[function.__name__] = function, options
    return function


def by_position(*values):
    return [((value,), {}) for value in values]


class Thing:
    pass


@row
def python_values(tf):
    return by_position(1, 1.0, True, 2, 1, "a", b"a", None, (), [], 1j, 1j, float("nan"), float("nan"))


@row
def dtypes_of_tensors(tf):
    return by_position(*(tf.constant(v) for v in (1, 2, 1.0, True, "a")), tf.constant(1, tf.int64))


@row
def shapes_of_tensors(tf):
    return by_position(*(tf.ones([n]) for n in (1, 2, 3, 1)), *(tf.ones([1, n]) for n in (1, 2, 1)))


@row(experimental_relax_shapes=True)
def relaxed_shapes(tf):
    return by_position(*(tf.ones([n]) for n in (1, 2, 3, 4, 1)), *(tf.ones([1, n]) for n in (1, 2, 3)))


@row(experimental_relax_shapes=True)
def relaxed_shapes_and_values(tf):
    return [((tf.ones([n, 3]), n > 2), {}) for n in (1, 2, 3, 4, 1)]


@row(experimental_relax_shapes=True)
def relaxed_values(tf):
    return by_position(1, 2, 3, 1)


@row
def variables(tf):
    one, two, other = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(1.0, trainable=False)
    return [*by_position(one, two, tf.Variable(3), other), ((one, one), {}), ((one, two), {}), ((two, one), {}),
            ((two, two), {}), *by_position([one], [two])]


@row
def sparse_tensors(tf):
    def sparse(count, rows=3):
        return tf.SparseTensor([[i, 0] for i in range(count)], [1.0] * count, [rows, 2])

    return by_position(sparse(1), sparse(2), sparse(1, 4), tf.constant(1.0))


@row
def ragged_tensors(tf):
    return by_position(*map(tf.ragged.constant, ([[1], [2, 3]], [[1, 2], [2, 3]], [[1]], [[1.0], [2.0]])))


@row
def slices(tf):
    made = lambda n: tf.IndexedSlices(tf.ones([n, 2]), tf.range(n), tf.constant([5, 2]))
    return by_position(made(1), made(2), made(1))


@row
def datasets(tf):
    return by_position(tf.data.Dataset.range(1), tf.data.Dataset.range(2), tf.data.Dataset.range(1).batch(2))


@row
def iterators(tf):
    return by_position(iter(tf.data.Dataset.range(1)), iter(tf.data.Dataset.range(2)),
                       iter(tf.data.Dataset.from_tensors(1.0)))


@row
def arrays(tf):
    return by_position(np.float32(1), np.float32(2), np.ones(2), np.ones(2, np.float32), np.ones(3, np.float32),
                       tf.constant(1.0))


@row
def structures(tf):
    one, two = tf.constant(1), tf.constant(2)
    return by_position([one, two], (one, two), {"a": one}, {"a": one, "b": two}, {"b": one, "a": two}, [one],
                       collections.OrderedDict(a=one), Pair(one, two), Other(one, two), Pair(one, 3), [1, [2, one]],
                       [1, [2, two]], [1, [3, one]])


@row
def structures_of_values(tf):
    return by_position([1, 2], (1, 2), [1, 2], {"a": 1}, {"a": 1.0}, {"a": True}, range(3), range(3), range(4))


@row
def keywords(tf):
    return [((), {"x": tf.constant(1)}), ((), {"x": tf.constant(2)}), ((), {"y": tf.constant(1)}),
            ((), {"x": tf.constant(1.0)}), ((), {"x": 1}), ((), {"x": 1, "y": tf.constant(2)})]


@row
def objects(tf):
    thing, other, module, second = Thing(), Thing(), tf.Module(), tf.Module()
    return by_position(thing, other, thing, len, tf.float32, tf.int32, tf.float32, module, second, module, [module],
                       frozenset([1]), frozenset([1]))


def counted(tf, name):
    """How many traces there were after each call of a row."""
    traces = []

    @tf.function(autograph=False, **OPTIONS[name])
    def function(*args, **kwargs):
        traces.append((args, kwargs))
        return tf.constant(0)

    counts = []
    for args, kwargs in TRACES[name](tf):
        function(*args, **kwargs)
        counts.append(len(traces))
    return counts


def counted_with_defaults(tf):
    """The same for a function that has defaults."""
    traces, counts = [], []

    @tf.function(autograph=False)
    def function(x, y=2, *, z=3):
        traces.append((x, y, z))
        return tf.constant(0)

    one = tf.constant(1)
    for args, kwargs in [((one,), {}), ((one, 2), {}), ((one,), {"y": 2}), ((), {"x": one}), ((one,), {"z": 3}),
                         ((one, 3), {}), ((one,), {"z": one}), ((one, 2.0), {})]:
        function(*args, **kwargs)
        counts.append(len(traces))
    return counts


def counted_after_specs(tf):
    """The same when a function was traced for unknown sizes before it is called."""
    traces, counts = [], []

    @tf.function(autograph=False)
    def function(x, y=None):
        traces.append((x, y))
        return tf.constant(0)

    function.get_concrete_function(tf.TensorSpec([None, 2]))
    function.get_concrete_function(tf.TensorSpec(None, tf.int32))
    for x in (tf.ones([1, 2]), tf.ones([3, 2]), tf.ones([3, 3]), tf.constant(1), tf.constant([1]), tf.ones([3, 2])):
        function(x)
        counts.append(len(traces))
    return counts


def all_counts(tf):
    """Name of the row -> the numbers of traces."""
    return {**{name: counted(tf, name) for name in TRACES}, "defaults": counted_with_defaults(tf),
            "after_specs": counted_after_specs(tf)}
