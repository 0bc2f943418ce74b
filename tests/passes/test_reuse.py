"""What a compiled program keeps in memory because it is read again: the pass, and the programs it shortens."""

import numpy as np

import evergraph as tf
from evergraph.passes.materialize import materialized
from evergraph.passes.prune import prune


def chosen(*fetches, feeds=()):
    return {tensor.op.name for tensor in materialized(prune(list(fetches), list(feeds)))}


def chain(x, links):
    """Each link is read twice: by the next one, and by a sum."""
    sums, value = [], x
    for link in range(links):
        value = tf.add(value * 0.5, tf.square(x), name=f"link{link}")
        sums.append(tf.reduce_sum(tf.sin(value)))
    return tf.add_n(sums)


def test_a_long_chain_is_kept_at_every_link():
    assert chosen(chain(tf.placeholder(tf.float32, [8]), 5)) >= {f"link{i}" for i in range(1, 4)}


def test_what_is_cheap_or_read_once_is_not_kept():
    x = tf.placeholder(tf.float32, [8])
    twice = x + 1.0
    once = tf.exp(tf.sin(tf.cos(tf.tanh(x * 2.0) - x)))
    assert chosen(tf.reduce_sum(twice * twice) + tf.reduce_sum(once)) == set()


def test_a_random_mask_is_kept_for_the_way_back():
    x = tf.placeholder(tf.float32, [8, 8])
    y = tf.nn.dropout(x * x, keep_prob=0.5, seed=1)
    assert len(chosen(*tf.gradients(y, x), y)) >= 1


def test_products_lie_in_memory_anyway():
    x = tf.placeholder(tf.float32, [8, 8])
    y = tf.matmul(tf.exp(tf.sin(tf.cos(tf.tanh(x)))), x)
    assert "MatMul" not in chosen(tf.exp(y) + tf.sin(y))


def test_both_tiers_agree_on_a_long_chain(graph):
    x = tf.placeholder(tf.float64, [8])
    slope, = tf.gradients(chain(x, 40), x)
    values = {}
    for tier in ("numpy", "xla"):
        with tf.Session(tier=tier) as session:
            values[tier] = session.run(slope, {x: np.linspace(-1, 1, 8)})
    np.testing.assert_allclose(values["numpy"], values["xla"], rtol=1e-12)
