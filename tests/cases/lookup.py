"""Lookup tables. What a program returns is fetched step by step, in order, through control dependencies."""

from tests.harness import i64, in_order, program, strings

WORDS = strings([b"a", b"b", b"c"])
NUMBERS = i64([10, 20, 30])


def failing(error, *inputs):
    """As @program, for one that ends in this error."""
    return lambda build: program(*inputs)(build).fails(error)


def exporting(*inputs):
    """As @program, for one whose results have a shape that the first run finds out."""
    return lambda build: program(*inputs)(build).repeated(2)


def find(tf, table, keys, default):
    return lambda: tf.raw_ops.LookupTableFindV2(table_handle=table, keys=keys, default_value=default)


def insert(tf, table, keys, values):
    return lambda: tf.raw_ops.LookupTableInsertV2(table_handle=table, keys=keys, values=values)


def size(tf, table):
    return lambda: tf.raw_ops.LookupTableSizeV2(table_handle=table)


def initialize(tf, table, keys, values):
    return lambda: tf.raw_ops.InitializeTableV2(table_handle=table, keys=keys, values=values)


@program(WORDS, NUMBERS)
def static_table(tf, words, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    default = tf.constant(-1, tf.int64)
    return in_order(tf, initialize(tf, table, words, numbers), size(tf, table),
                    find(tf, table, tf.constant([["c", "x"], ["a", ""]]), default),
                    initialize(tf, table, words, numbers), size(tf, table))


@program(NUMBERS, WORDS)
def static_table_of_strings(tf, numbers, words):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.int64, value_dtype=tf.string)
    return in_order(tf, initialize(tf, table, numbers, words),
                    find(tf, table, tf.constant([30, 5], tf.int64), tf.constant("none")))


@program(WORDS, NUMBERS)
def imported_static_table(tf, words, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    fill = lambda: tf.raw_ops.LookupTableImportV2(table_handle=table, keys=words, values=numbers)
    return in_order(tf, fill, find(tf, table, words[::-1], tf.constant(0, tf.int64)))


@failing("FailedPreconditionError", WORDS)
def not_initialized(tf, words):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    return find(tf, table, words, tf.constant(-1, tf.int64))()


@failing("FailedPreconditionError", WORDS, NUMBERS)
def two_values_for_a_key(tf, words, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    return in_order(tf, initialize(tf, table, tf.concat([words, words], 0), tf.concat([numbers, numbers + 1], 0)),
                    size(tf, table))


@failing("FailedPreconditionError", WORDS, NUMBERS)
def filled_with_fewer(tf, words, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    return in_order(tf, initialize(tf, table, words, numbers), initialize(tf, table, words[:1], numbers[:1]),
                    size(tf, table))


@failing("UnimplementedError", WORDS, NUMBERS)
def insert_into_static(tf, words, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    return in_order(tf, initialize(tf, table, words, numbers), insert(tf, table, words, numbers), size(tf, table))


@failing("InvalidArgumentError", NUMBERS)
def no_such_table(tf, numbers):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.float32, value_dtype=tf.int64)
    return in_order(tf, size(tf, table))


@program(WORDS, NUMBERS)
def mutable_table(tf, words, numbers):
    table = tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    remove = lambda: tf.raw_ops.LookupTableRemoveV2(table_handle=table, keys=tf.constant(["b", "q"]))
    one = tf.constant(["c"])
    return in_order(tf, insert(tf, table, words, numbers), size(tf, table), remove, size(tf, table),
                    find(tf, table, words, tf.constant(-1, tf.int64)), insert(tf, table, one, numbers[:1]),
                    find(tf, table, words, tf.constant([1, 2, 3], tf.int64)))


@failing("InvalidArgumentError", WORDS, NUMBERS)
def wrong_number_of_values(tf, words, numbers):
    table = tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    return in_order(tf, insert(tf, table, words, numbers[:2]), size(tf, table))


@program(WORDS, NUMBERS)
def table_of_vectors(tf, words, numbers):
    table = tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    default = tf.constant([7, 8], tf.int64)
    return in_order(tf, insert(tf, table, words, tf.stack([numbers, -numbers], 1)),
                    find(tf, table, tf.constant([["a", "z"], ["c", "b"]]), default))


@failing("InvalidArgumentError", WORDS, NUMBERS)
def scalar_default_for_vectors(tf, words, numbers):
    table = tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    return find(tf, table, words, tf.constant(7, tf.int64))()


def dense(tf, empty=0, deleted=-1, buckets=4, **more):
    return tf.raw_ops.MutableDenseHashTableV2(empty_key=tf.constant(empty, tf.int64), value_dtype=tf.int64,
                                              deleted_key=tf.constant(deleted, tf.int64), initial_num_buckets=buckets,
                                              **more)


def export(tf, table):
    return lambda: list(tf.raw_ops.LookupTableExportV2(table_handle=table, Tkeys=tf.int64, Tvalues=tf.int64))


@program(i64([5, 6, 7, 8, 9, 13]))
def dense_table(tf, keys):
    table = dense(tf)
    remove = lambda: tf.raw_ops.LookupTableRemoveV2(table_handle=table, keys=keys[:1])
    return in_order(tf, insert(tf, table, keys, keys * keys), remove, size(tf, table),
                    find(tf, table, keys, tf.constant(77, tf.int64)))


@exporting(i64([5, 6, 7, 8, 9, 13]))
def buckets_of_dense_table(tf, keys):
    table = dense(tf)
    return in_order(tf, insert(tf, table, keys, keys * keys), export(tf, table))


@exporting(i64([[1, 2], [3, 4], [5, 6]]))
def dense_table_of_vectors(tf, keys):
    table = dense(tf, [0, 0], [-1, -1], value_shape=[3])
    values = tf.concat([keys, keys[:, :1]], 1)
    return in_order(tf, insert(tf, table, keys, values), export(tf, table),
                    find(tf, table, keys[::-1] + tf.constant([[0, 0], [0, 0], [0, 9]], tf.int64),
                         tf.constant([7, 7, 7], tf.int64)))


@program(strings([b"one", b"two", b"three"]))
def dense_table_of_strings(tf, keys):
    table = tf.raw_ops.MutableDenseHashTableV2(empty_key=tf.constant(""), deleted_key=tf.constant("-"),
                                               value_dtype=tf.int64, initial_num_buckets=8)
    out = lambda: list(tf.raw_ops.LookupTableExportV2(table_handle=table, Tkeys=tf.string, Tvalues=tf.int64))
    return in_order(tf, insert(tf, table, keys, tf.constant([1, 2, 3], tf.int64)), out)


@failing("InvalidArgumentError", i64([5, 0]))
def dense_table_and_its_empty_key(tf, keys):
    table = dense(tf)
    return in_order(tf, insert(tf, table, keys, keys), size(tf, table))


@failing("InvalidArgumentError", i64([5, -1]))
def dense_table_and_its_deleted_key(tf, keys):
    return find(tf, dense(tf), keys, tf.constant(1, tf.int64))()


@failing("InvalidArgumentError", i64([5]))
def dense_table_of_twelve_buckets(tf, keys):
    return find(tf, dense(tf, buckets=12), keys, tf.constant(1, tf.int64))()


@failing("InvalidArgumentError", i64([5]))
def dense_table_of_one_mark(tf, keys):
    return find(tf, dense(tf, deleted=0), keys, tf.constant(1, tf.int64))()


@program(i64([5, 6, 7]))
def import_of_buckets(tf, keys):
    first, second = dense(tf), dense(tf)
    buckets = [None, None]

    def carry():
        buckets[:] = export(tf, first)()
        return tf.raw_ops.LookupTableImportV2(table_handle=second, keys=buckets[0], values=buckets[1])
    return in_order(tf, insert(tf, first, keys, keys + 1), carry, size(tf, second),
                    find(tf, second, keys, tf.constant(0, tf.int64)))
