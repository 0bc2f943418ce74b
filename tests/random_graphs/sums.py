"""Steps that combine elements: reductions, products of matrices, segments, losses."""

from tests.random_graphs.arrays import axis_of, keeping, replaced, with_axis
from tests.random_graphs.maker import COMPLEX, FLOATS, INEXACT, NUMBERS, WIDE

PRODUCTS = INEXACT + ("int32", "int64")


def reduced(maker, value, axis, written, keep):
    """Arguments of a reduction as text, and the shape that it gives; an axis of None is all of them."""
    if axis is None:
        return f"keepdims={keep}", (1,) * value.rank if keep else ()
    return f"axis={written}, keepdims={keep}", replaced(value.shape, axis, *([1] if keep else []))


def reduction(maker, names, dtypes, bound, grain, exact=False, dtype=None):
    value = maker.find(dtypes, ranks=(1, 2, 3), exact=exact)
    if value is None:
        return None
    axis, written = (None, None) if maker.dice.chance(0.3) else axis_of(maker, value)
    arguments, shape = reduced(maker, value, axis, written, maker.dice.chance(0.3))
    count = value.size if axis is None else value.shape[axis]
    return maker.emit(f"tf.{maker.dice.pick(names)}({{0}}, {arguments})", [value], dtype or value.dtype, shape,
                      bound(value.bound, count), grain(value.grain, count) if value.exact and grain else None)


def total(maker):
    return reduction(maker, ["reduce_sum"], NUMBERS, lambda b, n: b * n, lambda g, n: g)


def mean(maker):
    return reduction(maker, ["reduce_mean"], INEXACT + ("int32", "int64"), lambda b, n: b, None)


def product(maker):
    value = maker.find(PRODUCTS, ranks=(1, 2), where=lambda each: each.bound ** each.size < 1000)
    if value is None:
        return None
    axis, written = axis_of(maker, value)
    count = value.shape[axis]
    return maker.emit(f"tf.reduce_prod({{0}}, axis={written})", [value], value.dtype, replaced(value.shape, axis),
                      value.bound**count, value.grain * count if value.exact else None)


def extreme(maker):
    return reduction(maker, ["reduce_max", "reduce_min"], FLOATS + ("int32", "int64", "uint8", "int8"),
                     lambda b, n: b, lambda g, n: g, exact=True)


def truth(maker):
    return reduction(maker, ["reduce_any", "reduce_all"], ("bool",), lambda b, n: 1, lambda g, n: 0)


def spread(maker):
    return reduction(maker, ["math.reduce_variance", "reduce_logsumexp", "math.reduce_euclidean_norm"], WIDE,
                     lambda b, n: b * b + b * n + 3, None, exact=True)


def nonzeros(maker):
    return reduction(maker, ["count_nonzero"], WIDE + ("int32", "bool"), lambda b, n: n, lambda g, n: 0, exact=True,
                     dtype="int64")


def place(maker):
    value, axis, _ = with_axis(maker, WIDE + ("int32", "int64"), exact=True)
    if value is None:
        return None
    kind = maker.dice.pick(["argmax", "argmin"])
    dtype = maker.dice.pick(["int32", "int64"])
    return maker.emit(f"tf.{kind}({{0}}, {axis}, output_type=tf.{dtype})", [value], dtype,
                      replaced(value.shape, axis), 4)


def running(maker):
    value, axis, written = with_axis(maker, PRODUCTS)
    if value is None:
        return None
    options = f"exclusive={maker.dice.chance(0.4)}, reverse={maker.dice.chance(0.4)}"
    if value.bound ** value.shape[axis] < 300 and maker.dice.chance(0.3):
        return maker.emit(f"tf.cumprod({{0}}, {written}, {options})", [value], value.dtype, value.shape,
                          max(1, value.bound ** value.shape[axis]),
                          value.grain * value.shape[axis] if value.exact else None)
    return keeping(maker, f"tf.cumsum({{0}}, {written}, {options})", [value], value.shape,
                   bound=value.bound * value.shape[axis])


def softmaxes(maker):
    value = maker.find(FLOATS, ranks=(1, 2))
    if value is None:
        return None
    text = maker.dice.pick(["tf.nn.softmax({0})", "tf.nn.log_softmax({0})", "tf.nn.softmax({0}, axis=0)"])
    return maker.emit(text, [value], value.dtype, value.shape, 2 * value.bound + 3)


def losses(maker):
    value = maker.find(WIDE + ("float16",), ranks=(2,))
    if value is None:
        return None
    rows, columns = value.shape
    if maker.dice.chance(0.5):
        labels = [maker.dice.below(columns) for _ in range(rows)]
        text = f"tf.nn.sparse_softmax_cross_entropy_with_logits(labels={labels}, logits={{0}})"
        return maker.emit(text, [value], value.dtype, (rows,), 2 * value.bound + 3)
    other = maker.like(value)
    return maker.emit("tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax({1}), logits={0})", [value, other],
                      value.dtype, (rows,), 2 * value.bound + 3)


def moments(maker):
    value, axis, written = with_axis(maker, FLOATS)
    return value and maker.emit(f"tf.nn.moments({{0}}, [{axis}])[{maker.dice.below(2)}]", [value], value.dtype,
                                replaced(value.shape, axis), value.bound**2 + value.bound)


def matmul(maker):
    first = maker.find(PRODUCTS, ranks=(2, 3))
    if first is None:
        return None
    transposed = maker.dice.chance(0.3)
    rows, inner = first.shape[-2:] if not transposed else first.shape[:-3:-1]
    flag = ", transpose_a=True" if transposed else ""
    second = maker.find((first.dtype,), where=lambda each: each.rank == first.rank
                        and each.shape[:-2] == first.shape[:-2] and inner in each.shape[-2:])
    if second is None:
        return None
    turned = second.shape[-2] != inner
    flag += ", transpose_b=True" if turned else ""
    columns = second.shape[-2] if turned else second.shape[-1]
    return _product(maker, f"tf.matmul({{0}}, {{1}}{flag})", first, second, (*first.shape[:-2], rows, columns), inner)


def _product(maker, text, first, second, shape, inner):
    grain = first.grain + second.grain if first.exact and second.exact else None
    return maker.emit(text, [first, second], first.dtype, shape, inner * first.bound * second.bound, grain)


def contraction(maker):
    first = maker.find(INEXACT, ranks=(1, 2))
    if first is None:
        return None
    second = maker.find((first.dtype,), where=lambda each: each.rank in (1, 2) and each.shape[0] == first.shape[-1])
    if second is None:
        return None
    left, right = "ij"[2 - first.rank:], "jk"[:second.rank]
    shape = (*first.shape[:-1], *second.shape[1:])
    text = maker.dice.pick([f"tf.einsum('{left},{right}->{left[:-1]}{right[1:]}', {{0}}, {{1}})",
                            "tf.tensordot({0}, {1}, 1)"])
    return _product(maker, text, first, second, shape, first.shape[-1])


def square_matrices(maker):
    value = maker.find(INEXACT, ranks=(2, 3), where=lambda each: each.shape[-1] == each.shape[-2] > 1)
    if value is None:
        return None
    text, drop = maker.dice.pick([("tf.matrix_diag_part({0})", 1), ("tf.trace({0})", 2),
                                  ("tf.matrix_band_part({0}, 0, -1)", 0),
                                  ("tf.matrix_band_part({0}, 1, 0)", 0), ("tf.linalg.matrix_transpose({0})", 0),
                                  ("tf.matrix_set_diag({0}, tf.reduce_sum({0}, -1))", 0)])
    return keeping(maker, text, [value], value.shape[:value.rank - drop], bound=value.bound * 4)


def decompositions(maker):
    """Of matrices that a heavy diagonal keeps far from singular."""
    value = maker.find(WIDE + COMPLEX, ranks=(2,), where=lambda each: each.shape[0] == each.shape[1] > 1)
    if value is None:
        return None
    size = value.shape[0]
    heavy = f"({{0}} * 0.01 + 40.0 * tf.eye({size}, dtype={{0}}.dtype))"
    symmetric = f"(tf.matmul({{0}}, {{0}}, adjoint_b=True) * 0.001 + 2.0 * tf.eye({size}, dtype={{0}}.dtype))"
    text, shape, bound = maker.dice.pick([
        (f"tf.matrix_inverse({heavy})", value.shape, 1), (f"tf.cholesky({symmetric})", value.shape, 100),
        (f"tf.matrix_determinant({heavy} * 0.1)", (), 400),
        (f"tf.matrix_solve({heavy}, {{0}})", value.shape, value.bound),
        (f"tf.matrix_triangular_solve({heavy}, {{0}})", value.shape, value.bound)])
    return maker.emit(text, [value], value.dtype, shape, bound)


def diagonal(maker):
    value = maker.find(NUMBERS, ranks=(1,), where=lambda each: each.size <= 3)
    return value and keeping(maker, "tf.matrix_diag({0})", [value], (value.size, value.size))


def cross(maker):
    value = maker.find(WIDE + ("int32", "float16"), ranks=(1, 2), where=lambda each: each.shape[-1] == 3)
    if value is None:
        return None
    other = maker.like(value)
    return maker.emit("tf.cross({0}, {1})", [value, other], value.dtype, value.shape, 2 * value.bound * other.bound,
                      value.grain + other.grain if value.exact and other.exact else None)


def bias(maker):
    value = maker.find(WIDE + ("int32", "float16"), ranks=(2,))
    if value is None:
        return None
    added = maker.find((value.dtype,), where=lambda each: each.shape == value.shape[-1:])
    return added and keeping(maker, "tf.nn.bias_add({0}, {1})", [value, added], value.shape,
                             bound=value.bound + added.bound)


def segments(maker):
    """Sums, means and extrema of rows with sorted numbers; extrema of exact rows alone."""
    kind = maker.dice.pick(["sum", "mean", "prod", "max", "min"])
    value = maker.find(WIDE + ("int32", "int64", "float16"), ranks=(1, 2), exact=kind in ("max", "min"),
                       where=lambda each: kind != "prod" or each.bound < 4)
    if value is None:
        return None
    ids = [0]
    for _ in range(value.shape[0] - 1):
        ids.append(ids[-1] + maker.dice.below(2))
    bound = value.bound ** (value.shape[0] if kind == "prod" else 1) * (value.shape[0] if kind == "sum" else 1)
    grain = value.grain if value.exact and kind in ("sum", "max", "min") else None
    return maker.emit(f"tf.segment_{kind}({{0}}, {ids})", [value], value.dtype, (ids[-1] + 1, *value.shape[1:]),
                      bound, grain)


def unsorted_segments(maker):
    kind = maker.dice.pick(["sum", "mean", "prod", "sqrt_n", "max", "min"])
    value = maker.find(WIDE if kind in ("mean", "sqrt_n") else (*WIDE, "int32", "int64"), ranks=(1, 2),
                       exact=kind in ("max", "min"), where=lambda each: kind != "prod" or each.bound < 4)
    if value is None:
        return None
    count = min(2, value.shape[0])
    ids = list(range(count)) + [maker.dice.between(-1, 1) if count > 1 else 0 for _ in range(value.shape[0] - count)]
    ids = maker.dice.shuffled(ids)
    bound = value.bound ** value.shape[0] if kind == "prod" else value.bound * value.shape[0]
    grain = value.grain if value.exact and kind in ("sum", "max", "min") else None
    return maker.emit(f"tf.math.unsorted_segment_{kind}({{0}}, {ids}, {count})", [value], value.dtype,
                      (count, *value.shape[1:]), bound, grain)


def sparse_segments(maker):
    value = maker.find(WIDE, ranks=(2,))
    if value is None:
        return None
    rows = [maker.dice.below(value.shape[0]) for _ in range(3)]
    kind = maker.dice.pick(["sum", "mean", "sqrt_n"])
    return maker.emit(f"tf.sparse_segment_{kind}({{0}}, {rows}, [0, 0, 1])", [value], value.dtype, (2, value.shape[1]),
                      2 * value.bound)


def lookup(maker):
    value = maker.find(WIDE, ranks=(2,))
    if value is None:
        return None
    rows = [maker.dice.below(value.shape[0]) for _ in range(2)]
    return keeping(maker, f"tf.nn.embedding_lookup({{0}}, {rows})", [value], (2, value.shape[1]))


def normalized(maker):
    value = maker.find(WIDE, ranks=(1, 2))
    return value and maker.emit("tf.nn.l2_normalize({0} + 0.3, -1, epsilon=0.01)", [value], value.dtype, value.shape, 1)


def clipped_by_norm(maker):
    value = maker.find(WIDE, ranks=(1, 2), exact=True)
    return value and maker.emit("tf.clip_by_norm({0} + 0.3, 1.5)", [value], value.dtype, value.shape, 2)


def fourier(maker):
    value = maker.find((*COMPLEX, "float32"), ranks=(1, 2))
    if value is None:
        return None
    bound = value.bound * value.shape[-1]
    if value.dtype in COMPLEX:
        return maker.emit(maker.dice.pick(["tf.fft({0})", "tf.ifft({0})"]), [value], value.dtype, value.shape, bound)
    text = maker.dice.pick(["tf.signal.rfft({0})", f"tf.signal.rfft({{0}}, [{value.shape[-1]}])"])
    return maker.emit(text, [value], "complex64", (*value.shape[:-1], value.shape[-1] // 2 + 1), bound)


def sparse(maker):
    """Sparse tensors made of values of the graph."""
    value = maker.find(WIDE, ranks=(1,), where=lambda each: each.size > 1)
    if value is None:
        return None
    matrix = maker.find((value.dtype,), ranks=(2,))
    if matrix is None or maker.dice.chance(0.4):
        text, shape = maker.dice.pick([
            ("tf.sparse.to_dense(tf.SparseTensor([[0], [2]], {0}[:2], [4]))", (4,)),
            ("tf.sparse_reduce_sum(tf.SparseTensor([[0, 1], [1, 1]], {0}[:2], [2, 3]), 0)", (3,)),
            ("tf.sparse.to_dense(tf.sparse.reorder(tf.SparseTensor([[1, 0], [0, 1]], {0}[:2], [2, 2])))", (2, 2)),
            ("tf.sparse_softmax(tf.SparseTensor([[0, 0], [0, 2]], {0}[:2], [1, 3])).values", (2,))])
        return maker.emit(text, [value], value.dtype, shape, 2 * value.bound + 1)
    held = f"tf.SparseTensor([[0, 0], [1, {matrix.shape[0] - 1}]], {{0}}[:2], [2, {matrix.shape[0]}])"
    return maker.emit(f"tf.sparse_tensor_dense_matmul({held}, {{1}})", [value, matrix], value.dtype,
                      (2, matrix.shape[1]), 2 * value.bound * matrix.bound)


def windows(maker):
    """Convolutions and pools of a picture of 3 x 3."""
    value = maker.find(("float32",), ranks=(2,), where=lambda each: each.shape == (3, 3))
    if value is None:
        return None
    picture = "tf.reshape({0}, [1, 3, 3, 1])"
    kernel = f"tf.constant({[maker.dice.between(-4, 4) / 4 for _ in range(4)]}, tf.float32, [2, 2, 1, 1])"
    texts = [f"tf.nn.conv2d({picture}, {kernel}, [1, 1, 1, 1], 'VALID')",
             f"tf.nn.avg_pool({picture}, [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')"]
    if value.exact:
        texts.append(f"tf.nn.max_pool({picture}, [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')")
    return maker.emit(maker.dice.pick(texts), [value], "float32", (1, 2, 2, 1), 4 * value.bound)


OPS = [(4, total), (2, mean), (1, product), (2, extreme), (0.7, truth), (1, spread), (0.5, nonzeros), (1, place),
       (2, running), (1, softmaxes), (1.2, losses), (0.7, moments), (4, matmul), (1.5, contraction),
       (1, square_matrices), (1, decompositions), (0.6, diagonal), (0.4, cross), (0.6, bias), (1.2, segments),
       (1.2, unsorted_segments), (0.6, sparse_segments), (0.5, lookup), (0.4, normalized), (0.4, clipped_by_norm),
       (0.5, fourier), (0.7, sparse), (0.3, windows)]
