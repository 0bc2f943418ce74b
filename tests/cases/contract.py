"""Products summed over axes, and norms: evergraph/frontend/contract.py and norm.py."""

import numpy as np

from tests.harness import floats, program

a234, b43 = floats(2, 3, 4), floats(4, 3, seed=1)
a245 = floats(2, 4, 5, seed=2)
complex23 = (floats(2, 3) + 1j * floats(2, 3, seed=1)).astype("complex64")


@program(a234, b43)
def tensordot(tf, a, b):
    return (tf.tensordot(a, b, 1), tf.tensordot(a, b, [[1, 2], [1, 0]]), tf.tensordot(a, b, [[-1], [0]]),
            tf.tensordot(a, b, 0), tf.tensordot(a, b, [2, 0]))


@program(a234, floats(4))
def matvec(tf, a, b):
    return tf.linalg.matvec(a, b), tf.linalg.matvec(a, a[:, :, 0], transpose_a=True)


@program(a234, b43, a245)
def einsum(tf, a, b, c):
    return [
        tf.einsum("ijk,kl->ijl", a, b),
        tf.einsum("ijk,kj->i", a, b),
        tf.einsum("bij,bjk->bik", a, c),
        tf.einsum("bij,bjk->ikb", a, c),
        tf.einsum("ijk->kji", a),
        tf.einsum("ijk->j", a),
        tf.einsum("ij,jk", b, a[0]),
        tf.einsum("ij,ij->ij", b, b),
        tf.einsum("i,j->ij", b[0], b[:, 0]),
        tf.einsum("bij,jk,bjl->bikl", a, b, c),
        tf.einsum("...ij,jk->...ik", a, b),
        tf.einsum("ij->", b),
        tf.einsum("ij,kj,lj->ikl", b, b, a[0, :, :3]),
    ]


@program(floats(3, 3))
def einsum_trace(tf, x):
    return tf.einsum("ii", x)


@program(a234)
def vector_norms(tf, x):
    return [tf.norm(x, ord=order, axis=axis, keepdims=keep)
            for order in ("euclidean", 1, 2, np.inf, 3, 0.5) for axis, keep in ((None, False), (1, True), (-1, False))]


@program(a234)
def matrix_norms(tf, x):
    return [tf.norm(x, ord=order, axis=axis, keepdims=keep)
            for order in ("euclidean", "fro", 1, 2, np.inf) for axis, keep in (((0, 1), False), ([-2, -1], True))]


@program(complex23)
def complex_norms(tf, x):
    return tf.norm(x), tf.norm(x, axis=0), tf.norm(x, ord=1, axis=1)


@program(a234)
def normalize(tf, x):
    return (*tf.linalg.normalize(x), *tf.linalg.normalize(x, axis=1), *tf.linalg.normalize(x, ord=1, axis=-1))
