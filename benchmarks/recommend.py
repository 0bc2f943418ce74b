"""Rows about recommenders: steps of wide models, and the sparse ops that they are made of."""

import itertools

import numpy as np

from benchmarks.rows import process, step

WORDS = [b"value-%05d" % number for number in range(20_000)]


@step("Wide&Deep step, batch 40")
def wide_and_deep_40(tf):
    return wide_and_deep(tf, 40)


@step("Wide&Deep step, batch 512")
def wide_and_deep_512(tf):
    return wide_and_deep(tf, 512)


@process("start to first Wide&Deep step, cold cache", cache="cold")
@process("start to first Wide&Deep step, warm cache")
def first_wide_and_deep_step(tf):
    wide_and_deep(tf, 40)()


@step("DeepFM step, 26 fields, 2e5 x 16")
def deep_fm(tf, batch=256, fields=26, rows=200_000, width=16):
    """Factorization machine and two layers of 128 over one table; other ids every step."""
    generator = np.random.RandomState(0)
    ids, labels = tf.placeholder(tf.int32, [None, fields]), tf.placeholder(tf.float32, [None])
    table = tf.get_variable("table", [rows, width], initializer=tf.random_normal_initializer(stddev=0.01, seed=1))
    first = tf.get_variable("first", [rows, 1], initializer=tf.zeros_initializer())
    vectors = tf.nn.embedding_lookup(table, ids)
    linear = tf.reduce_sum(tf.nn.embedding_lookup(first, ids), [1, 2])
    pairs = tf.square(tf.reduce_sum(vectors, 1)) - tf.reduce_sum(tf.square(vectors), 1)
    hidden = tf.reshape(vectors, [-1, fields * width])
    for units in (128, 128):
        hidden = tf.layers.dense(hidden, units, tf.nn.relu)
    logits = linear + 0.5 * tf.reduce_sum(pairs, 1) + tf.squeeze(tf.layers.dense(hidden, 1), 1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.AdagradOptimizer(0.05).minimize(loss)
    batches = [{ids: generator.randint(0, rows, [batch, fields]), labels: generator.randint(0, 2, batch)}
               for _ in range(8)]
    return run_steps(tf, [train, loss], batches)


def update_row(name, make, count, rows=100_000, width=16):
    """Adds the row of an optimizer's step on so many rows of a table, some of them twice; other rows every step."""
    @step(f"{name}, {count:,} of 1e5 x 16")
    def update(tf):
        generator = np.random.RandomState(0)
        ids = tf.placeholder(tf.int32, [None])
        table = tf.get_variable("table", initializer=generator.rand(rows, width).astype(np.float32))
        train = make(tf.train).minimize(tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids))))
        return run_steps(tf, train, [{ids: generator.randint(0, rows, count)} for _ in range(8)])


for _count in (1000, 20_000):
    update_row("GradientDescent", lambda train: train.GradientDescentOptimizer(0.01), _count)
    update_row("Momentum", lambda train: train.MomentumOptimizer(0.01, 0.9), _count)
    update_row("Adagrad", lambda train: train.AdagradOptimizer(0.01), _count)
    update_row("RMSProp", lambda train: train.RMSPropOptimizer(0.01), _count)
    update_row("Ftrl", lambda train: train.FtrlOptimizer(0.01), _count)
    update_row("Adam", lambda train: train.AdamOptimizer(0.01), _count)


@step("embedding_lookup_sparse, 4,096 ids, 2e4 x 32")
def looked_up(tf):
    return combined(tf)


@step("embedding_lookup_sparse's gradient")
def looked_up_gradient(tf):
    return combined(tf, gradient=True)


def combined(tf, gradient=False, examples=512, each=8, rows=20_000, width=32):
    """The mean of the vectors of each example's ids; other ids every step."""
    generator = np.random.RandomState(0)
    table = tf.get_variable("table", initializer=generator.rand(rows, width).astype(np.float32))
    ids = tf.placeholder(tf.int64, [examples * each])
    places = np.stack([np.repeat(np.arange(examples), each), np.tile(np.arange(each), examples)], 1)
    found = tf.nn.embedding_lookup_sparse(table, tf.SparseTensor(places, ids, [examples, each]), None, combiner="mean")
    batches = [{ids: generator.randint(0, rows, examples * each)} for _ in range(8)]
    return run_steps(tf, wanted(tf, found, [table], gradient), batches)


def reduction_row(name, make, gradient=False, rows=4096):
    """Adds the row of an op on a matrix of so many rows, or of its gradient; other numbers of rows every step."""
    @step(f"{name}'s gradient" if gradient else name)
    def reduce(tf):
        generator = np.random.RandomState(0)
        data = tf.get_variable("data", initializer=generator.rand(rows, 64).astype(np.float32))
        ids, places = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
        batches = [{ids: np.sort(generator.randint(0, 500, rows)), places: generator.randint(0, rows, rows)}
                   for _ in range(8)]
        return run_steps(tf, wanted(tf, make(tf, data, ids, places), [data], gradient), batches)


for _gradient in (False, True):
    reduction_row("segment_sum, 4,096 x 64", lambda tf, data, ids, places: tf.segment_sum(data, ids), _gradient)
    reduction_row("unsorted_segment_sum, 4,096 x 64",
                  lambda tf, data, ids, places: tf.unsorted_segment_sum(data, places, 4096), _gradient)
    reduction_row("sparse_segment_sum, 4,096 x 64",
                  lambda tf, data, ids, places: tf.sparse_segment_sum(data, places, ids), _gradient)
    reduction_row("sparse_segment_mean, 4,096 x 64",
                  lambda tf, data, ids, places: tf.sparse_segment_mean(data, places, ids), _gradient)


@step("unique, 20,000 of 5,000 numbers")
def unique(tf):
    generator = np.random.RandomState(0)
    numbers = tf.placeholder(tf.int64, [None])
    return run_steps(tf, list(tf.unique(numbers)), [{numbers: generator.randint(0, 5000, 20_000)} for _ in range(8)])


@step("string_to_hash_bucket_fast, 5,120 strings")
def hashed(tf):
    strings = tf.placeholder(tf.string, [None])
    return run_steps(tf, tf.string_to_hash_bucket_fast(strings, 1000), [{strings: words(5120, at)} for at in range(8)])


@step("sparse_cross_hashed, 3 columns of 512")
def crossed(tf):
    columns = [tf.placeholder(tf.string, [None, 1]) for _ in range(3)]
    found = tf.sparse.cross_hashed(columns, 10_000)
    batches = [{column: words(512, 3 * at + place)[:, None] for place, column in enumerate(columns)}
               for at in range(8)]
    return run_steps(tf, [found.indices, found.values], batches)


def wide_and_deep(tf, batch, layers=(100, 50)):
    """A step with 20 numeric, 10 hashed and 3 crossed columns; other values every step, one in twenty missing."""
    numeric = [f"number{at}" for at in range(20)]
    named = [f"name{at}" for at in range(10)]
    features = {name: tf.placeholder(tf.float32, [None, 1], name) for name in numeric}
    features |= {name: tf.placeholder(tf.string, [None, 1], name) for name in named}
    columns = tf.feature_column
    numbers = [columns.numeric_column(name) for name in numeric]
    buckets = [columns.categorical_column_with_hash_bucket(name, 1000) for name in named]
    crosses = [columns.crossed_column(pair, 10_000) for pair in (named[:2], named[2:4], named[4:7])]
    with tf.variable_scope("wide"):
        wide = columns.linear_model(features, [*numbers, *buckets, *crosses])
    with tf.variable_scope("deep"):
        deep = columns.input_layer(features, [*numbers, *(columns.embedding_column(each, 16) for each in buckets)])
        for units in layers:
            deep = tf.layers.dense(deep, units, tf.nn.relu)
        deep = tf.layers.dense(deep, 1)
    labels = tf.placeholder(tf.float32, [None, 1])
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=wide + deep))
    train = [tf.train.FtrlOptimizer(0.05).minimize(loss, var_list=tf.trainable_variables("wide")),
             tf.train.AdagradOptimizer(0.05).minimize(loss, var_list=tf.trainable_variables("deep"))]
    return run_steps(tf, [train, loss], [feeds(features, labels, batch, seed) for seed in range(8)])


def feeds(features, labels, batch, seed):
    generator = np.random.RandomState(seed)
    numbers = {feature: generator.rand(batch, 1).astype(np.float32)
               for name, feature in features.items() if name.startswith("number")}
    found = {feature: words(batch, seed + 31 * at, missing=0.05)[:, None]
             for at, (name, feature) in enumerate(features.items()) if name.startswith("name")}
    return {**numbers, **found, labels: generator.randint(0, 2, [batch, 1])}


def words(count, seed, missing=0.0):
    """So many strings, common ones more often; some are empty."""
    generator = np.random.RandomState(seed)
    places = (len(WORDS) * generator.rand(count) ** 3).astype(int)
    found = np.array([WORDS[place] for place in places], object)
    found[generator.rand(count) < missing] = b""
    return found


def wanted(tf, result, variables, gradient):
    """What to run: the op, or its gradient, which depends on the op's result."""
    if not gradient:
        return result
    slopes = tf.gradients(result, variables, grad_ys=tf.stop_gradient(result) + 1)
    return [slope.values if isinstance(slope, tf.IndexedSlices) else slope for slope in slopes]


def run_steps(tf, fetches, batches):
    """A function that runs `fetches` with the next of the batches, in a session whose variables are initialized."""
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    turns = itertools.cycle(batches)

    def run():
        session.run(fetches, next(turns))
    return run
