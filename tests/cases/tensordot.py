"""Products summed along any axes."""

from tests.harness import floats, program

a, b = floats(2, 3, 4), floats(4, 3, 5)


@program(a, b)
def along_axes(tf, a, b):
    products = [tf.tensordot(a, b, [[2, 1], [0, 1]]), tf.tensordot(a, b, [2, 0]), tf.tensordot(a, b, 1),
                tf.tensordot(a, b, [[-1], [-3]]), tf.tensordot(a, b, 0)]
    return [*products, *tf.gradients(products[0], [a, b])]


@program(floats(2, 3, 4), floats(4, 6))
def rows_by_matrix(tf, x, w):
    return [tf.tensordot(x, w, [[2], [0]]), tf.tensordot(w, w, [[0, 1], [0, 1]])]
