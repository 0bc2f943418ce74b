"""Sparse, ragged and string tensors of random contents, some of them empty, through chains of their functions."""

from tests.random_graphs.maker import Dice

# {p}, {q} are sparse of one dense shape [rows, columns], {r} ragged of rank
# 2, {w} a vector of strings, {m} dense of the shape of {p}, {k} a number of rows
FIRST = "tf.SparseTensor({p}.indices, tf.zeros_like({p}.values, tf.int64), {p}.dense_shape)"  # the first row, often
SPARSE = [
    "tf.sparse_add({p}, {q})", "tf.sparse_add({p}, {q}, 0.6)", "tf.sparse_concat(0, [{p}, {q}])",
    "tf.sparse_concat(1, [{p}, {q}])", "tf.sparse_reorder({p})", "tf.sparse_transpose({p})",
    "tf.sparse_reshape({p}, [-1, 1])", "tf.sparse_reshape({p}, [{cols}, {rows}])",
    "tf.sparse_slice({p}, [0, 1], [{rows}, 2])", "tf.sparse_split(sp_input={p}, num_split=2, axis=1)[1]",
    "tf.sparse_retain({p}, {p}.values > 0)", "tf.sparse_fill_empty_rows({p}, 7.0)[0]", "tf.sparse_maximum({p}, {q})",
    "tf.sparse_minimum({p}, {q})", "{p} * {m}", "{p} / (2.0 + {m})", "tf.sparse_reduce_sum_sparse({p}, 1)",
    "tf.sparse_reduce_max_sparse({p}, 0, keep_dims=True)", "tf.sparse.expand_dims({p}, 1)",
    "tf.sparse_reset_shape({p}, [{rows} + 1, {cols} + 2])", "tf.sparse_reset_shape({p})", "tf.sparse_softmax({p})",
    "tf.sparse.from_dense({m})", "tf.deserialize_many_sparse(tf.serialize_many_sparse({p}), tf.float32, 2)",
    "tf.sparse.eye({rows}, {cols})", "{r}.to_sparse()", "tf.cast({p}, tf.int64)",
    "tf.edit_distance(tf.string_split({w}, ''), tf.string_split({w}, ''))", "tf.string_split({w})",
    "tf.string_split({w}, '', False)", "tf.sparse.cross([tf.string_split({w}), tf.string_split({w})])",
    "tf.sets.set_union(tf.cast(tf.sparse_reorder({p}), tf.int32), tf.cast({q}, tf.int32))",
    "tf.sets.set_difference(tf.cast({m}, tf.int32), tf.cast({m}, tf.int32))",
    "tf.sets.set_intersection(tf.cast({m}, tf.int32), tf.cast({q}, tf.int32))",
]  # fmt: skip
DENSE = [
    "tf.sparse_tensor_to_dense({p})", "tf.sparse_tensor_to_dense({p}, 9.0)",
    "tf.sparse_reduce_sum({p}, 1, keep_dims=True)", "tf.sparse_reduce_sum({p})", "tf.sparse_reduce_max({p}, 0)",
    "tf.sparse_tensor_dense_matmul({p}, {m}, adjoint_b=True)",
    "tf.sparse_tensor_dense_matmul({p}, {m}, adjoint_a=True)", "tf.sparse_to_indicator(tf.cast({p}, tf.int64), 4)",
    "tf.sparse.segment_sum({m}, tf.zeros([0], tf.int32), tf.zeros([0], tf.int32))",
    f"tf.nn.embedding_lookup_sparse({{m}}, {FIRST}, None, combiner='{{how}}')",
    f"tf.nn.embedding_lookup_sparse({{m}}, {FIRST}, {{p}}, combiner='sum')",
    f"tf.nn.safe_embedding_lookup_sparse({{m}}, {FIRST}, combiner='{{how}}')",
    "tf.sparse.to_dense(tf.sparse_fill_empty_rows({p}, 7.0)[0])", "tf.sparse_fill_empty_rows({p}, 7.0)[1]",
    "tf.sets.set_size({p})", "tf.shape({m})", "tf.gradients(tf.sparse_reduce_sum({p}, 0), {p}.values)[0]",
    "tf.gradients(tf.sparse_tensor_dense_matmul({p}, {m}, adjoint_a=True), {m})[0]",
    "tf.gradients(tf.sparse_tensor_to_dense({p}) * {m}, {m})[0]", "tf.sparse_add({p}, {m})",
    "tf.unsorted_segment_sum({m}, tf.range({rows}), 2)",
]  # fmt: skip
RAGGED = [
    "{r} + 1.0", "{r} * {r}", "tf.reduce_sum({r}, axis={axis})", "tf.reduce_max({r}, axis=1)",
    "tf.reduce_mean({r}, 1)", "tf.concat([{r}, {r}], axis={axis})", "tf.stack([{r}, {r}], axis={axis})", "{r}[:, :1]",
    "{r}[1:]", "{r}[::2]", "{r}[0]", "{r}[:, -2:]", "{r}[:, None]", "tf.gather({r}, [{k}, 0])",
    "tf.expand_dims({r}, {axis})", "tf.tile({r}, [2, 1])", "tf.ragged.boolean_mask({r}, {r} > 0.0)",
    "tf.ragged.map_flat_values(tf.abs, {r})", "tf.where({r} > 0.0, {r}, -{r})", "tf.reduce_any({r} > 0.5, axis=1)",
    "{r}.to_tensor()", "{r}.to_tensor(default_value=5.0)", "{r}.row_lengths()", "{r}.nested_row_splits[0]",
    "{r}.bounding_shape()", "{r}.value_rowids()", "{r}.nrows()", "tf.ragged.range({r}.row_lengths())",
    "tf.ragged.stack_dynamic_partitions({m}, tf.range({rows}), {rows})", "tf.RaggedTensor.from_tensor({m})",
    "tf.RaggedTensor.from_tensor({m}, lengths=tf.ones([{rows}], tf.int64))",
    "tf.RaggedTensor.from_tensor({m}, padding=0.5)",
    "tf.RaggedTensor.from_sparse(tf.sparse_slice({p}, [0, 0], [0, 1]))", "tf.map_fn(tf.reduce_sum, {r}, tf.float32)",
    "tf.cast({r}, tf.int32)", "tf.equal({r}, {r})", "tf.strings.split({w})", "tf.strings.split({w}, ',', 1)",
    "tf.strings.unicode_decode({w}, 'UTF-8')", "tf.strings.unicode_split({w}, 'UTF-8')",
    "tf.strings.bytes_split({w})", "tf.gradients(tf.reduce_sum({r} * {r}, axis=1), {r}.flat_values)[0]",
    "tf.size({r})", "tf.rank({r})", "tf.squeeze(tf.expand_dims({r}, 1), 1)", "tf.strings.as_string({r})",
    "tf.ones_like({r})", "tf.segment_sum({m}, tf.range({rows}))",
    "tf.batch_gather({r}, tf.zeros_like(tf.cast({r}, tf.int32)))",
]  # fmt: skip
TEXTS = [
    "tf.strings.join([{w}, {w}], '-')", "tf.strings.reduce_join([{w}, {w}], {axis})", "tf.strings.substr({w}, 0, 2)",
    "tf.strings.substr({w}, -1, 1)", "tf.strings.length({w})", "tf.strings.length({w}, unit='UTF8_CHAR')",
    "tf.strings.upper({w})", "tf.strings.strip({w})", "tf.strings.regex_replace({w}, '[ab]+', 'x', False)",
    "tf.strings.regex_full_match({w}, '.*b')", "tf.string_to_hash_bucket_strong({w}, 9, [1, 2])",
    "tf.string_to_hash_bucket({w}, 9)", "tf.encode_base64({w}, True)", "tf.decode_base64(tf.encode_base64({w}))",
    "tf.decode_raw(tf.substr({w}, 0, 0), tf.uint8)", "tf.unique({w})[0]", "tf.unique_with_counts({w})[2]",
    "tf.strings.to_number(tf.as_string({m}))", "tf.as_string({m}, precision=2)", "tf.as_string({m}, scientific=True)",
    "tf.as_string({m}, width=9, fill='0')", "tf.strings.format('{{}}', {m})", "tf.equal({w}, {w}[:1])",
    "tf.gather({w}, [0])", "tf.concat([{w}, {w}], 0)", "tf.strings.unicode_transcode({w}, 'UTF-8', 'UTF-16-BE')",
    "tf.strings.unicode_script(tf.strings.unicode_decode({w}, 'UTF-8').flat_values)", "tf.serialize_tensor({w})",
    "tf.parse_tensor(tf.serialize_tensor({w}), tf.string)", "tf.reverse({w}, [0])", "tf.tile({w}, [2])",
    "tf.pad({w}, [[1, 1]], constant_values='z')", "tf.math.segment_sum({m}, tf.range({rows}))",
    "tf.strings.lower({w})",
]  # fmt: skip
WORDS = ["", "a", "ab", "b a", "é", "a,b", "aab ba", " ", "日本"]


def _sparse(dice, rows, cols, seed):
    """A SparseTensor with entries in order, none of them in some rows."""
    places = [[i, j] for i in range(rows) for j in range(cols) if dice.chance(0.35)]
    return (f"tf.SparseTensor(np.array({places}, np.int64).reshape(-1, 2), data({seed}, [{len(places)}]), "
            f"[{rows}, {cols}])")


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    dice = Dice(seed)
    rows, cols = dice.weighted([(1, 0), (2, 1), (4, 3), (3, 2)]), dice.weighted([(1, 0), (1, 1), (4, 3), (3, 4)])
    lengths = [dice.weighted([(2, 0), (2, 1), (2, 3)]) for _ in range(rows)]
    words = [dice.pick(WORDS) for _ in range(dice.weighted([(1, 0), (2, 1), (4, 4)]))]
    statements = [
        f"p = {_sparse(dice, rows, cols, 1)}", f"q = {_sparse(dice, rows, cols, 2)}",
        f"r = tf.RaggedTensor.from_row_lengths(data(3, [{sum(lengths)}]), np.array({lengths}, np.int64))",
        f"w = tf.constant({words}, tf.string, [{len(words)}])", f"m = tf.constant(data(4, [{rows}, {cols}]))",
        "s = session()"]
    for _ in range(dice.between(3, 5)):
        text = dice.pick(dice.pick([SPARSE, DENSE, RAGGED, TEXTS])).format(
            p="p", q="q", r="r", w="w", m="m", rows=rows, cols=cols, k=max(rows - 1, 0), axis=dice.between(0, 1),
            how=dice.pick(["sum", "mean", "sqrtn"]))
        statements.append(f"attempt(lambda: s.run({text}))")
    return statements
