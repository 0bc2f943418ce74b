"""tf.linalg.LinearOperator: hints, kinds of results, refusals and assertions. Numbers are in tests/cases."""

import numpy as np
import pytest

import evergraph as tf

L = tf.linalg
MATRIX = np.float32([[2, 1], [1, 3]])
WIDE = np.ones([2, 3], np.float32)

pytestmark = pytest.mark.usefixtures("session")


def hints(operator):
    return (operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite, operator.is_square)


@pytest.mark.parametrize("make, wanted", [
    (lambda: L.LinearOperatorFullMatrix(MATRIX), (None, None, None, True)),
    (lambda: L.LinearOperatorFullMatrix(WIDE), (None, None, None, False)),
    (lambda: L.LinearOperatorFullMatrix(MATRIX, is_positive_definite=True), (True, None, True, True)),
    (lambda: L.LinearOperatorDiag([1.0, 2.0]), (None, True, None, True)),
    (lambda: L.LinearOperatorDiag(np.ones([2], np.complex64)), (None, None, None, True)),
    (lambda: L.LinearOperatorIdentity(2), (True, True, True, True)),
    (lambda: L.LinearOperatorScaledIdentity(2, 3.0), (None, True, None, True)),
    (lambda: L.LinearOperatorZeros(2), (False, True, False, True)),
    (lambda: L.LinearOperatorHouseholder([1.0, 0.0]), (None, True, False, True)),
    (lambda: L.LinearOperatorCirculant([1.0, 2.0]), (None, True, None, True)),
    (lambda: L.LinearOperatorAdjoint(L.LinearOperatorFullMatrix(MATRIX, is_non_singular=True)),
     (True, None, None, True)),
    (lambda: L.LinearOperatorInversion(L.LinearOperatorFullMatrix(MATRIX, is_self_adjoint=False)),
     (None, False, None, True)),
    (lambda: L.LinearOperatorKronecker([L.LinearOperatorDiag([1.0], is_positive_definite=True)] * 2),
     (True, True, True, True)),
    (lambda: L.LinearOperatorBlockDiag([L.LinearOperatorDiag([1.0]), L.LinearOperatorFullMatrix(MATRIX)]),
     (None, None, None, True)),
    (lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True), WIDE),
     (True, True, True, True)),
    (lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorDiag([1.0, 2.0]), WIDE, v=WIDE),
     (None, None, None, True)),
])
def test_hints(make, wanted):
    assert hints(make()) == wanted


@pytest.mark.parametrize("make", [
    lambda: L.LinearOperatorFullMatrix(MATRIX, is_self_adjoint=True, is_square=False),
    lambda: L.LinearOperatorFullMatrix(MATRIX, is_non_singular=False, is_positive_definite=True),
    lambda: L.LinearOperatorFullMatrix(MATRIX, is_square=False).is_square,
    lambda: L.LinearOperatorFullMatrix([1.0]),
    lambda: L.LinearOperatorDiag(1.0),
    lambda: L.LinearOperatorDiag([1.0], is_self_adjoint=False),
    lambda: L.LinearOperatorIdentity(2, is_non_singular=None),
    lambda: L.LinearOperatorIdentity(-1),
    lambda: L.LinearOperatorIdentity([2]),
    lambda: L.LinearOperatorIdentity(2, batch_shape=3),
    lambda: L.LinearOperatorZeros(2, 3),
    lambda: L.LinearOperatorZeros(2, is_self_adjoint=False),
    lambda: L.LinearOperatorHouseholder([1.0], is_positive_definite=True),
    lambda: L.LinearOperatorCirculant([1.0], is_self_adjoint=False),
    lambda: L.LinearOperatorCirculant2D([1.0]),
    lambda: L.LinearOperatorToeplitz([1.0], 1.0),
    lambda: L.LinearOperatorToeplitz([1.0], [1.0, 2.0]).shape,
    lambda: L.LinearOperatorAdjoint(L.LinearOperatorFullMatrix(MATRIX, is_positive_definite=False),
                                    is_positive_definite=True),
    lambda: L.LinearOperatorInversion(L.LinearOperatorFullMatrix(MATRIX, is_non_singular=False)),
    lambda: L.LinearOperatorComposition([]),
    lambda: L.LinearOperatorComposition([L.LinearOperatorIdentity(2), L.LinearOperatorIdentity(3)]),
    lambda: L.LinearOperatorComposition([L.LinearOperatorIdentity(2)], is_non_singular=False),
    lambda: L.LinearOperatorBlockDiag([L.LinearOperatorFullMatrix(WIDE)]),
    lambda: L.LinearOperatorKronecker([]),
    lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorIdentity(3), np.ones([4, 2], np.float32)),
    lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorIdentity(3, batch_shape=[4]), np.ones([5, 3, 2], "f")),
    lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorIdentity(3), np.ones([3, 2], "f"), diag_update=[1.0] * 3),
    lambda: L.LinearOperatorLowRankUpdate(L.LinearOperatorIdentity(3), np.ones([3, 2], "f"),
                                          is_diag_update_positive=False),
    lambda: L.LinearOperatorFullMatrix(MATRIX).matmul(np.ones([3, 2], np.float32)),
    lambda: L.LinearOperatorFullMatrix(MATRIX).cholesky(),
    lambda: L.LinearOperatorFullMatrix(MATRIX, is_non_singular=False).inverse(),
    lambda: L.LinearOperatorFullMatrix(WIDE).inverse(),
])
def test_what_cannot_be(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("make, error", [
    (lambda: L.LinearOperatorFullMatrix([[1]]), TypeError),
    (lambda: L.LinearOperatorFullMatrix(MATRIX).matmul(np.ones([2, 2])), TypeError),
    (lambda: L.LinearOperatorIdentity(2.0), TypeError),
    (lambda: L.LinearOperatorIdentity(tf.Variable(2)), TypeError),
    (lambda: L.LinearOperatorComposition([L.LinearOperatorIdentity(2, dtype=t) for t in ("float32", "float64")]),
     TypeError),
    (lambda: L.LinearOperatorZeros(2).solve(MATRIX), NotImplementedError),
    (lambda: L.LinearOperatorFullMatrix(WIDE).determinant(), NotImplementedError),
    (lambda: L.LinearOperatorFullMatrix(WIDE).solve(WIDE), NotImplementedError),
    (lambda: L.LinearOperatorFullMatrix(MATRIX).assert_positive_definite(), NotImplementedError),
    (lambda: L.LinearOperatorZeros(2).assert_non_singular(), tf.errors.InvalidArgumentError),
])
def test_what_is_refused(make, error):
    with pytest.raises(error):
        make()


def kinds():
    full = L.LinearOperatorFullMatrix(MATRIX, is_non_singular=True)
    return {"Full": full, "Diag": L.LinearOperatorDiag([1.0, 2.0]), "Identity": L.LinearOperatorIdentity(2),
            "Scaled": L.LinearOperatorScaledIdentity(2, 3.0), "Lower": L.LinearOperatorLowerTriangular(MATRIX),
            "Zeros": L.LinearOperatorZeros(2), "Block": L.LinearOperatorBlockDiag([L.LinearOperatorDiag([2.0])] * 2),
            "Circulant": L.LinearOperatorCirculant([2.0, 1.0], tf.float32), "Inverse": full.inverse(),
            "Adjoint": full.adjoint()}


@pytest.mark.parametrize("left, right, wanted", [
    ("Full", "Full", "Composition"), ("Full", "Identity", "FullMatrix"), ("Identity", "Full", "FullMatrix"),
    ("Diag", "Diag", "Diag"), ("Diag", "Scaled", "Diag"), ("Scaled", "Diag", "Diag"),
    ("Scaled", "Scaled", "ScaledIdentity"), ("Identity", "Scaled", "ScaledIdentity"),
    ("Diag", "Lower", "LowerTriangular"), ("Lower", "Diag", "LowerTriangular"), ("Full", "Zeros", "Zeros"),
    ("Zeros", "Identity", "Zeros"), ("Identity", "Zeros", "Zeros"), ("Block", "Block", "BlockDiag"),
    ("Circulant", "Circulant", "Circulant"), ("Inverse", "Full", "Composition"),
])
def test_products(session, left, right, wanted):
    made = kinds()
    product = made[left].matmul(made[right])
    assert type(product).__name__ == f"LinearOperator{wanted}"
    got, a, b = session.run([product.to_dense(), made[left].to_dense(), made[right].to_dense()])
    np.testing.assert_allclose(got, a @ b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("left, right, wanted", [
    ("Full", "Full", "Composition"), ("Full", "Identity", "Inversion"), ("Identity", "Full", "FullMatrix"),
    ("Diag", "Diag", "Diag"), ("Diag", "Scaled", "Diag"), ("Scaled", "Diag", "Diag"),
    ("Scaled", "Scaled", "ScaledIdentity"), ("Diag", "Lower", "LowerTriangular"), ("Inverse", "Identity", "FullMatrix"),
    ("Circulant", "Circulant", "Circulant"), ("Block", "Block", "BlockDiag"), ("Adjoint", "Identity", "Inversion"),
])
def test_quotients(session, left, right, wanted):
    made = kinds()
    quotient = made[left].solve(made[right])
    assert type(quotient).__name__ == f"LinearOperator{wanted}"
    got, a, b = session.run([quotient.to_dense(), made[left].to_dense(), made[right].to_dense()])
    np.testing.assert_allclose(got, np.linalg.solve(a, b), rtol=1e-4, atol=1e-6)


def test_adjoints_and_inverses_of_themselves(session):
    full = L.LinearOperatorFullMatrix(MATRIX)
    assert full.adjoint().adjoint() is full and full.inverse().inverse() is full
    assert L.LinearOperatorFullMatrix(MATRIX, is_self_adjoint=True).adjoint().name == "LinearOperatorFullMatrix"
    block = L.LinearOperatorBlockDiag([full, full])
    assert [type(each) for each in block.inverse().operators] == [L.LinearOperatorInversion] * 2
    kronecker = L.LinearOperatorKronecker([full, L.LinearOperatorDiag([1.0, 4.0])])
    got, wanted = session.run([kronecker.inverse().to_dense(), kronecker.to_dense()])
    np.testing.assert_allclose(got, np.linalg.inv(wanted), rtol=1e-5, atol=1e-6)


def test_names():
    left, right = (L.LinearOperatorFullMatrix(MATRIX, name=name) for name in ("left", "right"))
    assert L.LinearOperatorComposition([left, right]).name == "left_o_right"
    assert L.LinearOperatorBlockDiag([left, right]).name == "left_ds_right"
    assert L.LinearOperatorKronecker([left, right]).name == "left_x_right"
    assert left.adjoint().name == "left_adjoint" and left.inverse().name == "left_inv"
    assert left.matvec([1.0, 2.0]).name.startswith("left/matvec/")


@pytest.mark.parametrize("make, assertion", [
    (lambda: L.LinearOperatorDiag([1.0, 0.0]), "assert_non_singular"),
    (lambda: L.LinearOperatorDiag([1.0, 0.0]), "assert_positive_definite"),
    (lambda: L.LinearOperatorDiag(np.array([1, 1j], np.complex64)), "assert_self_adjoint"),
    (lambda: L.LinearOperatorLowerTriangular([[1.0, 0.0], [1.0, 0.0]]), "assert_non_singular"),
    (lambda: L.LinearOperatorFullMatrix([[1.0, 1.0], [1.0, 1.0]]), "assert_non_singular"),
    (lambda: L.LinearOperatorFullMatrix([[1.0, 2.0], [1.0, 1.0]]), "assert_self_adjoint"),
    (lambda: L.LinearOperatorFullMatrix([[1.0, 1.0], [1.0, 1.0]], is_self_adjoint=True), "assert_positive_definite"),
    (lambda: L.LinearOperatorScaledIdentity(2, 0.0), "assert_non_singular"),
    (lambda: L.LinearOperatorScaledIdentity(2, -1.0), "assert_positive_definite"),
    (lambda: L.LinearOperatorCirculant([1.0, 0.0]), "assert_non_singular"),
    (lambda: L.LinearOperatorCirculant([1.0, -1.0]), "assert_positive_definite"),
    (lambda: L.LinearOperatorCirculant(np.array([1, 1j], np.complex64)), "assert_hermitian_spectrum"),
    (lambda: L.LinearOperatorBlockDiag([L.LinearOperatorDiag([0.0])]), "assert_non_singular"),
    (lambda: L.LinearOperatorKronecker([L.LinearOperatorDiag([0.0])]), "assert_non_singular"),
])
def test_assertions_that_fail(session, make, assertion):
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(getattr(make(), assertion)())


@pytest.mark.parametrize("make", [
    lambda: L.LinearOperatorDiag([1.0, 2.0]), lambda: L.LinearOperatorIdentity(2),
    lambda: L.LinearOperatorScaledIdentity(2, 2.0), lambda: L.LinearOperatorCirculant([2.0, 1.0]),
    lambda: L.LinearOperatorFullMatrix(MATRIX, is_self_adjoint=True),
    lambda: L.LinearOperatorBlockDiag([L.LinearOperatorDiag([1.0])]),
])
def test_assertions_that_hold(session, make):
    operator = make()
    session.run([operator.assert_non_singular(), operator.assert_positive_definite(), operator.assert_self_adjoint()])


def test_sizes_that_are_only_known_when_it_runs(session):
    rows, batch = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    operator = L.LinearOperatorIdentity(rows, batch_shape=batch, assert_proper_shapes=True)
    x = tf.placeholder(tf.float32)
    fed = {rows: 2, batch: [3], x: MATRIX}
    assert session.run(operator.matmul(x), fed).shape == (3, 2, 2)
    assert session.run(operator.shape_tensor(), fed).tolist() == [3, 2, 2]
    for wrong in ({rows: -1}, {rows: [2]}, {batch: 3}, {x: np.ones([3, 2], np.float32)}):
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(operator.matmul(x), fed | wrong)


def test_variables_are_listed_and_differentiated(session):
    diagonal = tf.Variable([1.0, 3.0], name="diagonal")
    operator = L.LinearOperatorComposition([L.LinearOperatorDiag(diagonal), L.LinearOperatorFullMatrix(MATRIX)])
    assert operator.trainable_variables == (diagonal,)
    assert [each.name for each in operator.submodules] == ["LinearOperatorDiag", "LinearOperatorFullMatrix"]
    slope, = tf.gradients(operator.log_abs_determinant(), [diagonal])
    session.run(tf.global_variables_initializer())
    np.testing.assert_allclose(session.run(slope), [1.0, 1 / 3], rtol=1e-6)


def test_a_kind_of_ones_own(session):
    class Shift(tf.linalg.LinearOperator):
        """Moves every entry down by one, and around."""

        def __init__(self, size):
            self.size = size
            super().__init__(tf.float32, is_non_singular=True, name="Shift")

        def _shape(self):
            return tf.TensorShape([self.size, self.size])

        def _shape_tensor(self):
            return tf.constant([self.size, self.size])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            x = tf.linalg.adjoint(x) if adjoint_arg else x
            return tf.roll(x, -1 if adjoint else 1, -2)

    shift, wanted = Shift(3), np.roll(np.eye(3, dtype=np.float32), 1, 0)
    dense, solved, determinant, twice = session.run(
        [shift.to_dense(), shift.solvevec([1.0, 2.0, 3.0]), shift.determinant(), (shift @ shift).to_dense()])
    np.testing.assert_allclose(dense, wanted)
    np.testing.assert_allclose(solved, [2, 3, 1], rtol=1e-6)
    np.testing.assert_allclose([determinant], [1], rtol=1e-6)
    np.testing.assert_allclose(twice, wanted @ wanted)


def test_module():
    class Layer(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            with self.name_scope:
                self.w = tf.Variable(1.0, name="w")
            self.parts = {"frozen": tf.Variable(2.0, trainable=False, name="f")}

        @tf.Module.with_name_scope
        def double(self):
            return tf.multiply(self.w, 2.0, name="double")

    layer = Layer()
    assert layer.name == "layer" and layer.w.name == "layer/w:0" and layer.double().name == "layer/double:0"
    assert [v.name for v in layer.variables] == ["f:0", "layer/w:0"]
    assert layer.trainable_variables == (layer.w,)
    with pytest.raises(ValueError, match="valid"):
        Layer("not an identifier")


def test_one_side_of_unknown_rank_may_hold_more_than_one_matrix(session):
    axis = tf.placeholder(tf.float32)
    assert tf.matmul(axis, MATRIX).op.type == "BatchMatMulV2"
    operator = L.LinearOperatorHouseholder(axis)
    value = np.float32([[1, 0], [0, 2]])
    got = session.run(operator.solve(MATRIX, adjoint=True), {axis: value})
    wanted = [(np.eye(2) - 2 * np.outer(v, v) / (v @ v)) @ MATRIX for v in value]
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


@pytest.mark.parametrize("function, message", [
    (lambda operator: L.logdet(operator), "positive definite"),
    (lambda operator: L.solve(MATRIX, operator), "right-hand side"),
    (lambda operator: tf.matmul(operator, MATRIX, transpose_a=True), "transposed"),
    (lambda operator: L.diag_part(operator, k=1), "main diagonal"),
])
def test_functions_of_matrices_refuse_what_operators_cannot(function, message):
    with pytest.raises(ValueError, match=message):
        function(L.LinearOperatorFullMatrix(MATRIX))
