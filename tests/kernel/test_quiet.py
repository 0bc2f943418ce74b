"""Computing without NumPy's warnings, and with subnormal numbers taken for zero."""

import warnings

import ml_dtypes
import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.graph.shaping import static_value
from evergraph.kernel import quiet
from evergraph.kernel.quiet import quietly

subnormals = pytest.mark.skipif(native.steps is None, reason="without the C code they stay on NumPy")

SMALL = np.array([1e-40, -1e-42, 2e-38], np.float32)


def is_kept():
    return SMALL[0] * np.float32(1) > 0


@subnormals
@pytest.mark.parametrize("tier", ["numpy", "xla"])
@pytest.mark.parametrize("compute, wanted", [
    (lambda x: x * 0.25, [0, 0, 0]),
    (lambda x: x - 2e-38, [-2e-38, -2e-38, 0]),
    (tf.sqrt, [0, 0, np.sqrt(np.float32(2e-38))]),
    (tf.reduce_sum, 2e-38),
    (lambda x: x > 0.0, [False, False, True]),
    (lambda x: tf.cast(x, tf.float64), [0, 0, np.float64(np.float32(2e-38))]),
    (lambda x: tf.matmul(x[None], [[1.0], [1.0], [1.0]]), [[2e-38]]),
    (tf.identity, SMALL),
])
def test_in_a_step(tier, compute, wanted):
    x = tf.placeholder(tf.float32, [3])
    with tf.Session(tier=tier) as session:
        assert np.array_equal(session.run(compute(x), {x: SMALL}), np.array(wanted, np.asarray(wanted).dtype)
                              .astype(compute(x).dtype.as_numpy_dtype))
    assert is_kept()


@subnormals
def test_what_decays_ends_at_zero():
    v = tf.Variable(1e-37)
    decay = tf.assign(v, v * 0.5)
    with tf.Session(tier="numpy") as session:
        session.run(v.initializer)
        assert [session.run(decay) for _ in range(5)][-1] == 0


@subnormals
def test_python_functions_of_the_program_keep_them():
    def triple(x):
        return x * np.float32(3)

    assert tf.Session().run(tf.py_func(triple, [SMALL], tf.float32))[0] > 0


@subnormals
def test_a_dataset_takes_them_for_zero():
    element = tf.data.make_one_shot_iterator(tf.data.Dataset.from_tensors(SMALL).map(lambda x: x * 1.0)).get_next()
    assert tf.Session().run(element)[0] == 0


@subnormals
def test_an_error_leaves_nothing_behind():
    def fails():
        assert not is_kept()
        raise ValueError

    with pytest.raises(ValueError):
        quietly(fails)
    assert is_kept()


@subnormals
def test_numpy_does_not_warn_of_them():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert quietly(lambda: np.finfo(np.float32).smallest_subnormal) > 0
        assert quietly(lambda: ml_dtypes.finfo(np.float32).smallest_subnormal) > 0


@pytest.fixture(params=["by its variable", "by errstate"])
def way(request, monkeypatch):
    if request.param == "by errstate":
        monkeypatch.setattr(quiet, "_SETTING", None)


@pytest.mark.usefixtures("way")
def test_nothing_is_said():
    with np.errstate(all="raise"):
        assert quietly(np.divide, np.float32(1), np.float32(0)) == np.inf
        assert np.isnan(quietly(np.log, np.float32(-1)))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("before", ["raise", "warn"])
def test_what_was_said_before_is_said_after(before):
    with np.errstate(all=before):
        known = np.geterr()
        assert set(quietly(np.geterr).values()) == {"ignore"}
        assert np.geterr() == known
        with pytest.raises(ZeroDivisionError):
            quietly(divmod, 1, 0)
        assert np.geterr() == known


@pytest.mark.usefixtures("way")
def test_a_function_that_changes_what_is_said():
    known = np.geterr()
    quietly(lambda: np.seterr(all="raise"))
    assert np.geterr() == known


@subnormals
def test_folded_constants():
    tiny = 0.1 * tf.constant(np.finfo(np.float32).tiny)
    with tf.Session() as session:
        assert session.run(tiny) == 0 and static_value(tiny) == 0
