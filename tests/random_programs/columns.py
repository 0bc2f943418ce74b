"""Feature columns: a random set of them over random features, in a linear model, in input layers, and trained."""

from tests.random_graphs.maker import Dice

WORDS = ["", "a", "b", "cc", "zz"]


class Columns:
    """The features and columns so far.

    Attributes:
        features: name -> text of a tensor.
        rows: how many examples there are.
    """

    def __init__(self, seed):
        self.dice, self.features = Dice(seed), {}
        self.rows = self.dice.weighted([(1, 1), (4, 3), (2, 5)])

    def feature(self, text):
        name = f"f{len(self.features)}"
        self.features[name] = text
        return name

    def words(self):
        """A feature of strings: dense of one or two a row, or sparse."""
        picked = lambda count: [self.dice.pick(WORDS) for _ in range(count)]
        if self.dice.chance(0.5):
            width = self.dice.between(1, 2)
            return self.feature(f"tf.constant({[picked(width) for _ in range(self.rows)]})")
        return self.feature(self._sparse(picked, "tf.string"))

    def whole(self, low=-1, high=6):
        """A feature of integers, -1 among them."""
        picked = lambda count: [self.dice.between(low, high) for _ in range(count)]
        if self.dice.chance(0.5):
            return self.feature(f"tf.constant({[picked(2) for _ in range(self.rows)]}, tf.int64)")
        return self.feature(self._sparse(picked, "tf.int64"))

    def buckets(self, high):
        """A feature of numbers of buckets: dense, where -1 stands for none, or sparse. There TensorFlow 1 refuses -1,
        and TensorFlow 2 drops it."""
        is_dense = self.dice.chance(0.5)
        picked = lambda count: [self.dice.between(-1 if is_dense else 0, high) for _ in range(count)]
        if is_dense:
            return self.feature(f"tf.constant({[picked(2) for _ in range(self.rows)]}, tf.int64)")
        return self.feature(self._sparse(picked, "tf.int64"))

    def _sparse(self, picked, dtype):
        places = [[row, at] for row in range(self.rows) for at in range(2) if self.dice.chance(0.6)]
        return (f"tf.SparseTensor(np.array({places}, np.int64).reshape(-1, 2), "
                f"tf.constant({picked(len(places))}, {dtype}, [{len(places)}]), [{self.rows}, 2])")

    def numbers(self, width):
        return self.feature(f"tf.constant(data({len(self.features) + 1}, [{self.rows}, {width}], -3, 3))")


def categorical(c):
    """The text of a categorical column."""
    kind = c.dice.below(6)
    if kind == 0:
        return f"fc.categorical_column_with_hash_bucket('{c.words()}', {c.dice.between(2, 7)})"
    if kind == 1:
        return f"fc.categorical_column_with_hash_bucket('{c.whole()}', {c.dice.between(2, 7)}, tf.int64)"
    if kind == 2:
        more = c.dice.pick(["", ", num_oov_buckets=2", ", default_value=1"])
        return f"fc.categorical_column_with_vocabulary_list('{c.words()}', ['b', 'a', 'cc']{more})"
    if kind == 3:
        more = c.dice.pick(["", ", num_oov_buckets=1", ", default_value=0"])
        return f"fc.categorical_column_with_vocabulary_list('{c.whole()}', [3, 1, 4], tf.int64{more})"
    if kind == 4:
        return f"fc.categorical_column_with_identity('{c.buckets(5)}', 6)"
    return f"fc.categorical_column_with_identity('{c.whole(-1, 9)}', 5, default_value={c.dice.between(0, 4)})"


def crossed(c):
    keys = [f"'{c.words()}'", f"'{c.words()}'"]
    if c.dice.chance(0.4):
        keys.append(bucketized(c))
    if c.dice.chance(0.3):
        keys[0] = f"fc.categorical_column_with_identity('{c.buckets(5)}', 6)"
    return f"fc.crossed_column([{', '.join(keys)}], {c.dice.between(3, 9)}{c.dice.pick(['', ', hash_key=5'])})"


def weighted(c):
    rows = [[c.dice.between(0, 4), c.dice.between(0, 4)] for _ in range(c.rows)]
    name = c.feature(f"tf.constant({rows}, tf.int64)")
    return f"fc.weighted_categorical_column(fc.categorical_column_with_identity('{name}', 5), '{c.numbers(2)}')"


def numeric(c):
    width = c.dice.between(1, 3)
    normalizer = c.dice.pick(["", ", normalizer_fn=lambda x: (x - 1.0) / 2.0"])
    return f"fc.numeric_column('{c.numbers(width)}', {width}{normalizer})"


def bucketized(c):
    return f"fc.bucketized_column(fc.numeric_column('{c.numbers(1)}'), {c.dice.pick(['[0.0]', '[-1.0, 0.5, 2.0]'])})"


def any_sparse(c):
    return c.dice.weighted([(4, categorical), (1.5, crossed), (1, weighted)])(c)


def embedded(c):
    combiner = c.dice.pick(["sum", "mean", "sqrtn"])
    more = c.dice.pick(["", ", max_norm=0.5", ", trainable=False"])
    return (f"fc.embedding_column({any_sparse(c)}, {c.dice.between(1, 3)}, '{combiner}', "
            f"initializer=tf.random_uniform_initializer(-1, 1, seed={c.dice.between(1, 9)}){more})")


def indicated(c):
    return f"fc.indicator_column({any_sparse(c)})"


DENSE = [(2, numeric), (2, bucketized), (3, embedded), (3, indicated)]
LINEAR = [(1.5, numeric), (1.5, bucketized), (3, categorical), (2, crossed), (1, weighted)]

TRAINED = """train = tf.train.{optimizer}.minimize(tf.reduce_sum(tf.square(out - 1.0)))
show(tf.global_variables())
s = session()
s.run([tf.global_variables_initializer(), tf.tables_initializer()])
for _ in range(5):
    show(s.run(out))
    s.run(train)
show(s.run(tf.global_variables()))"""


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    c = Columns(seed)
    is_linear = c.dice.chance(0.5)
    columns = [c.dice.weighted(LINEAR if is_linear else DENSE)(c) for _ in range(c.dice.between(1, 4))]
    statements = ["fc = tf.feature_column", *(f"{name} = {text}" for name, text in c.features.items()),
                  "features = {" + ", ".join(f"'{name}': {name}" for name in c.features) + "}",
                  "columns = []", *(f"columns.append({text})" for text in columns)]
    if is_linear:
        more = c.dice.pick(["", ", units=2", ", sparse_combiner='mean'", ", sparse_combiner='sqrtn'",
                            ", trainable=True"])
        statements.append(f"out = fc.linear_model(features, columns{more})")
    else:
        statements.append("out = fc.input_layer(features, columns)")
        statements.append("out = tf.layers.dense(out, 2, kernel_initializer=tf.glorot_uniform_initializer(seed=3))")
    optimizer = c.dice.pick(["GradientDescentOptimizer(0.05)", "AdagradOptimizer(0.1)", "FtrlOptimizer(0.1)",
                             "AdamOptimizer(0.02)"])
    statements.append(TRAINED.format(optimizer=optimizer))
    return statements
