"""Runs what a test has built in the default graph, in a session of its own."""

import evergraph as tf


def run(fetches, feeds=None, tier=None):
    """What the fetches give."""
    with tf.Session(tier=tier) as session:
        return session.run(fetches, feeds)


def evaluated(fetches, feeds=None, tier=None):
    """What the fetches give once all variables are initialized."""
    with tf.Session(tier=tier) as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def interpreted(fetches, feeds=None, tier="numpy"):
    """The same by NumPy alone, unless another tier is asked for."""
    return evaluated(fetches, feeds, tier)
