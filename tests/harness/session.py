"""Runs what a test has built in the default graph, in a session of its own."""

import pytest

import evergraph as tf

TIERS = pytest.mark.parametrize("tier", ["numpy", "xla"])
KINDS = pytest.mark.parametrize("resource", [False, True], ids=["ref", "resource"])  # of variables


def run(fetches, feeds=None, tier=None):
    """What the fetches give."""
    with tf.Session(tier=tier) as session:
        return session.run(fetches, feeds)


def evaluated(fetches, feeds=None, tier=None):
    """What the fetches give once all variables are initialized."""
    with started(tier) as session:
        return session.run(fetches, feeds)


def interpreted(fetches, feeds=None, tier="numpy"):
    """The same by NumPy alone, unless another tier is asked for."""
    return evaluated(fetches, feeds, tier)


def started(tier=None):
    """A session with all variables initialized, for a `with` block."""
    session = tf.Session(tier=tier)
    session.run(tf.global_variables_initializer())
    return session
