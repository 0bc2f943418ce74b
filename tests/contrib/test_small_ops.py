"""Ops of contrib's small libraries, and what is built on them, against values worked out by hand."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import started


def going():
    """The `run` of a session in which everything is initialized."""
    session = started()
    session.run(tf.local_variables_initializer())
    return session.run



def test_slices_are_reduced_between_their_borders(session):
    ops = tf.contrib.reduce_slice_ops
    x = np.array([[1.0, 5.0], [2.0, -4.0], [3.0, 6.0]])
    spans = [[0, 2], [2, 2], [1, 9]]
    assert session.run(ops.reduce_slice_sum(x, spans, 0)).tolist() == [[3, 1], [0, 0], [5, 2]]
    assert session.run(ops.reduce_slice_prod(x, [0, 3], 0)).tolist() == [[6, -120]]
    assert session.run(ops.reduce_slice_max(x.T, [0, 1, 3], 1)).tolist() == [[1, 3], [5, 6]]
    least = session.run(ops.reduce_slice_min(np.array([4, 7], np.int32), [[1, 2], [1, 1]], 0))
    assert least.tolist() == [7, np.iinfo(np.int32).max]
    assert ops.reduce_slice_sum(tf.placeholder(tf.float32, [None, 2]), spans, 0).shape.as_list() == [3, 2]


def test_periodic_resample_moves_elements_and_gradients_back(session):
    resample = tf.contrib.periodic_resample.periodic_resample
    x = tf.constant(np.arange(16.0).reshape(2, 2, 4))
    y = resample(x, [4, 4, None])
    assert y.shape.as_list() == [4, 4, 1]
    assert session.run(y)[:2, :, 0].tolist() == [[0, 2, 4, 6], [1, 3, 5, 7]]
    slope = session.run(tf.gradients(y * y, x)[0])
    np.testing.assert_allclose(slope, 2 * np.arange(16.0).reshape(2, 2, 4))
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match="rank|length"):
        session.run(resample(x, [4, None]))


def test_libsvm_lines_become_a_sparse_tensor(session):
    features, labels = tf.contrib.libsvm.decode_libsvm(["2 0:1.5 3:-2", "-1 1:nan"], num_features=4)
    found, numbers = session.run([features, labels])
    assert found.indices.tolist() == [[0, 0], [0, 3], [1, 1]] and found.dense_shape.tolist() == [2, 4]
    np.testing.assert_array_equal(found.values, np.array([1.5, -2, np.nan], np.float32))
    assert numbers.tolist() == [2, -1] and numbers.dtype == np.int64
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(tf.contrib.libsvm.decode_libsvm(["1 9:1"], num_features=4)[1])


def test_strings_come_in_turn_for_some_epochs():
    element = tf.contrib.input_pipeline.seek_next(["a", "b"], num_epochs=2)
    run = going()
    assert [run(element) for _ in range(4)] == [b"a", b"b", b"a", b"b"]
    with pytest.raises(tf.errors.OutOfRangeError):
        run(element)


def test_shuffled_strings_come_once_in_each_pass():
    element = tf.contrib.input_pipeline.seek_next(list("abcdef"), shuffle=True, seed=3)
    run = going()
    passes = [[run(element) for _ in range(6)] for _ in range(3)]
    assert all(sorted(each) == [b"a", b"b", b"c", b"d", b"e", b"f"] for each in passes)
    assert passes[0] != passes[1] or passes[1] != passes[2]


def test_normal_equations_of_observed_entries(session):
    factors = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    lhs, rhs = session.run(tf.raw_ops.WALSComputePartialLhsAndRhs(
        factors=factors, factor_weights=[], unobserved_weights=0.5, input_weights=[], input_indices=[[0, 1], [1, 0]],
        input_values=[2.0, 1.0], entry_weights=[1.0, 2.0], input_block_size=2, input_is_transpose=False))
    np.testing.assert_allclose(lhs, [np.outer(factors[1], factors[1]), 2 * np.outer(factors[0], factors[0])])
    np.testing.assert_allclose(rhs, [1.5 * 2 * factors[1], 2.5 * factors[0]])


def test_masked_matmul_gives_chosen_elements(session):
    a, b = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.arange(12.0, dtype=np.float32).reshape(3, 4)
    found = session.run(tf.raw_ops.MaskedMatmul(a=a.T, b=b, mask_indices=[[1, 3], [0, 0]], transpose_a=True,
                                                transpose_b=False))
    np.testing.assert_allclose(found, [(a @ b)[1, 3], (a @ b)[0, 0]])


def test_skip_grams_pair_neighbours(session):
    words, targets = tf.contrib.text.skip_gram_sample(tf.constant(["a", "b", "c"]), min_skips=1, max_skips=1)
    assert list(zip(*session.run([words, targets]))) == [(b"a", b"b"), (b"b", b"a"), (b"b", b"c"), (b"c", b"b")]


def test_fused_convolution_of_floats_and_of_int8(session):
    fused = tf.contrib.fused_conv.fused_conv2d_bias_activation
    x, w = np.random.RandomState(0).randn(1, 4, 4, 2), np.random.RandomState(1).randn(2, 2, 2, 3)
    x, w, bias = x.astype(np.float32), w.astype(np.float32), np.array([0.1, 0.2, 0.3], np.float32)
    side = np.ones((1, 3, 3, 3), np.float32)
    made = fused(x, w, bias, [1, 1, 1, 1], "VALID", 2.0, 0.5, side)
    plain = tf.nn.relu(2.0 * tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID") + 0.5 * side + bias)
    np.testing.assert_allclose(*session.run([made, plain]), rtol=1e-5)
    whole = fused(tf.cast([[[[1], [2]], [[3], [127]]]], tf.qint8), tf.cast([[[[2]]]], tf.qint8), [0.0],
                  [1, 1, 1, 1], "SAME", 0.75, activation_mode="None")
    assert np.asarray(session.run(whole)).ravel().astype(int).tolist() == [2, 3, 4, 127]


def test_a_rate_is_the_change_since_the_last_call():
    value, time = tf.placeholder(tf.float32, [1]), tf.placeholder(tf.float32, [1])
    rate = tf.contrib.rate.Rate()(value, time)
    run = going()
    given = [([2], [4]), ([5], [5]), ([9], [5])]
    assert [run(rate, {value: v, time: t}).tolist() for v, t in given] == [[0.5], [3.0], [0.0]]


def test_sparsemax_at_infinities(session):
    rows = np.array([[0, -np.inf, 0], [0, np.inf, 0], [np.nan, 0, 0], [-np.inf] * 3])
    found = session.run(tf.contrib.sparsemax.sparsemax(rows))
    assert found[0].tolist() == [0.5, 0, 0.5] and np.isnan(found[1:]).all()


def test_expectations_by_samples(session):
    monte_carlo = tf.contrib.bayesflow.monte_carlo
    p, q = tf.distributions.Normal(1.0, 0.5), tf.distributions.Normal(0.5, 1.0)
    mean = monte_carlo.expectation_importance_sampler(lambda x: x, p.log_prob, q, n=20000, seed=1)
    second = monte_carlo.expectation_importance_sampler_logspace(
        lambda x: tf.log(x * x), p.log_prob, q, n=20000, seed=2)
    np.testing.assert_allclose(session.run([mean, tf.exp(second)]), [1.0, 1.25], rtol=0.05)
    mu = tf.constant(2.0)
    x = tf.distributions.Normal(mu, 1.0)
    by_score = monte_carlo.expectation(tf.square, x.sample(50000, seed=3), x.log_prob, use_reparametrization=False)
    np.testing.assert_allclose(session.run(tf.gradients(by_score, mu)[0]), 4.0, rtol=0.1)
    with pytest.raises(ValueError, match="exactly one"):
        monte_carlo.expectation_importance_sampler(lambda x: x, p.log_prob, q)


def test_recurrent_computations_differentiate_by_hand_or_by_themselves(session):
    theta, inputs = tf.constant([2.0]), tf.constant([[1.0], [2.0], [3.0]])

    def cell(theta, state, x):
        return [state[0] * theta + x], []

    def cell_grad(theta, state, x, extras, d):
        return d[0] * state[0], [d[0] * theta], d[0]

    for grad in (None, cell_grad):
        states, last = tf.contrib.recurrent.Recurrent(theta, [tf.zeros([1])], inputs, cell, grad)
        slopes = tf.gradients(last[0], [theta, inputs])
        values = session.run([states[0], last[0], *slopes])
        assert [each.ravel().tolist() for each in values] == [[1, 4, 11], [11], [6], [4, 2, 1]]


def test_batched_steps_share_a_call_and_have_gradients(session):
    x = tf.placeholder(tf.float32, [1])
    doubled = tf.contrib.batching.batch_function
    assert callable(doubled)
    from evergraph.contrib.batching import batch_function_v1

    @batch_function_v1(1, 10, 1000)
    def squared(values):
        return values * values

    y = squared(x)
    assert session.run([y, tf.gradients(y, x)[0]], {x: [3.0]})[0].tolist() == [9.0]


def test_variables_and_operations_are_copied_to_another_graph():
    one, other = tf.Graph(), tf.Graph()
    with one.as_default():
        x, w = tf.placeholder(tf.float32, name="x"), tf.Variable(3.0, name="w")
        y = tf.add(w * x, 1.0, name="y")
    copied = tf.contrib.copy_graph.copy_variable_to_graph(w, other, "new")
    made = tf.contrib.copy_graph.copy_op_to_graph(y, other, [copied], "new")
    with other.as_default(), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(made, {tf.contrib.copy_graph.get_copied_op(x, other, "new"): 2.0}) == 7.0
        assert made.name == "new/y:0"


def test_settings_of_cloud_storage_reach_fsspec(monkeypatch):
    import fsspec.config

    monkeypatch.setattr(fsspec.config, "conf", {})
    tf.contrib.cloud.configure_gcs(None, '{"type": "a"}', tf.contrib.cloud.BlockCacheParams(block_size=7))
    assert fsspec.config.conf["gcs"] == {"token": {"type": "a"}, "default_block_size": 7}
    with pytest.raises(tf.errors.UnimplementedError, match="BigQueryReader"):
        tf.contrib.cloud.BigQueryReader("project")


def test_sound_needs_ffmpeg(session, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(tf.errors.UnavailableError, match="ffmpeg"):
        session.run(tf.contrib.ffmpeg.decode_audio(b"", "wav", 8000, 1))
    with pytest.raises(ValueError, match="file_format"):
        tf.contrib.ffmpeg.encode_audio([[0.0]], "mp3", 8000)
