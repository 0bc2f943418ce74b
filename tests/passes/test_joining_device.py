"""Host nodes that follow from constants, and samplers, are part of the program that uses them."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.kernel import native_draws
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from tests.harness.session import KINDS, TIERS, evaluated, run

MASK = np.array([True, False, True, True])


def stages(fetches, feeds=()):
    return partition(prune(fetches, feeds), fetches, feeds)


def test_coordinates_of_a_constant_mask():
    x = tf.placeholder(tf.float32, [4, 2])
    (stage,) = stages([tf.boolean_mask(x, MASK) * 2.0], [x])
    assert not stage.on_host
    assert any(node.type == "Where" for node in stage.nodes)


def test_ids_of_a_constant_sparse_tensor():
    table = tf.get_variable("table", [9, 2])
    ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([3, 1, 3], tf.int64), [3, 2])
    found = tf.nn.embedding_lookup_sparse(table, ids, None, combiner="sum")
    (stage,) = stages([found])
    assert not stage.on_host


@TIERS
def test_numbers(tier):
    x = tf.placeholder(tf.float32, [4, 2])
    masked = tf.boolean_mask(x, MASK)
    parts = tf.dynamic_partition(x, [1, 0, 1, 1], 2)
    slope = tf.gradients(tf.reduce_sum(masked * masked), x)[0]
    value = np.arange(8, dtype=np.float32).reshape(4, 2)
    for _ in range(2):
        found = run([masked, slope, *parts], {x: value}, tier)
        wanted = [value[MASK], 2 * value * MASK[:, None], value[~MASK], value[MASK]]
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_the_host_needs_stays_there():
    text = tf.as_string(tf.unique([3, 1, 3])[0])
    (stage,) = stages([text])
    assert stage.on_host


def test_what_is_fetched_or_fed_stays_there():
    x = tf.placeholder(tf.float32, [])
    distinct = tf.unique(tf.constant([3, 1, 3]))[0]
    result = tf.cast(distinct, tf.float32) + x
    assert [stage.on_host for stage in stages([distinct, result], [x])] == [True, False]
    numbers = tf.constant([3, 1, 3])
    fed = tf.cast(tf.unique(numbers)[0], tf.float32) + x
    assert [stage.on_host for stage in stages([fed], [numbers, x])] == [True, False]
    assert run(fed, {numbers: [7, 7, 7], x: 1.0}).tolist() == [8.0]


@TIERS
def test_errors(tier):
    x = tf.placeholder(tf.float32, [])
    parts = tf.dynamic_partition([1.0, 2.0], [0, 5], 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"partitions\[1\] = 5 is not in \[0, 2\)"):
        run(parts[0] + x, {x: 1.0}, tier)


@KINDS
def test_the_host_reads_variables_itself(resource):
    numbers = tf.Variable([3, 1, 3], use_resource=resource)
    distinct = tf.unique(numbers)[0]
    (stage,) = stages([distinct])
    assert stage.on_host
    assert evaluated(distinct).tolist() == [3, 1]
    with tf.control_dependencies([distinct]):
        update = tf.assign(numbers, [4, 4, 5])
    with tf.Session() as session:
        session.run(numbers.initializer)
        assert session.run([distinct, update])[0].tolist() == [3, 1]
        assert session.run(distinct).tolist() == [4, 5]


def sampled(classes=1000, unique=True, seed=7):
    labels = tf.placeholder(tf.int64, [3, 1])
    found = tf.nn.log_uniform_candidate_sampler(labels, 1, 20, unique, classes, seed=seed)
    return labels, [tf.identity(each) * 1 for each in found]


def test_a_sampler_joins_the_nodes_that_use_it():
    labels, results = sampled()
    assert [stage.on_host for stage in stages(results, [labels])] == [False]


def test_a_sampler_stays_with_host_nodes():
    labels = tf.placeholder(tf.int64, [3, 1])
    candidates = tf.nn.log_uniform_candidate_sampler(labels, 1, 20, True, 1000)[0]
    hits = tf.nn.compute_accidental_hits(labels, candidates, 1)
    first, *_ = stages([hits[0], candidates * 1], [labels])
    assert first.on_host and candidates.op in first.nodes


@pytest.mark.parametrize("classes, unique", [(1000, True), (1000, False), (25, True)])
def test_samples_of_all_tiers(classes, unique):
    labels, results = sampled(classes, unique)
    found = {}
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            found[tier] = [session.run(results, {labels: [[0], [24], [3]]}) for _ in range(3)]
    for one, other in zip(sum(found["numpy"], []), sum(found["xla"], []), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
        assert one.dtype == other.dtype


def test_a_sampler_without_the_kernel(monkeypatch):
    labels, results = sampled()
    expected = run(results, {labels: [[0], [24], [3]]}, "numpy")
    monkeypatch.setattr(native_draws, "takes_candidates", lambda *given: False)
    for one, other in zip(run(results, {labels: [[0], [24], [3]]}, "xla"), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_sampler_of_too_few_classes():
    labels, results = sampled(classes=10)
    with pytest.raises(tf.errors.InvalidArgumentError, match="fewer classes than different samples"):
        run(results, {labels: [[0], [1], [3]]}, "xla")
