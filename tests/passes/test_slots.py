"""Slots are variables that one update alone uses."""

import evergraph as tf
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.passes.slots import slots


def slots_of(*fetches):
    stages = partition(prune(fetches, []), fetches, [])
    return [key for stage in stages for key in slots(stage)]


def test_slots():
    w = tf.get_variable("w", [2])
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    train = optimizer.minimize(tf.reduce_sum(w * w))
    assert slots_of(train) == ["w/Momentum"]
    slot = optimizer.get_slot(w, "momentum")
    assert slots_of(train, slot.op.outputs[0]) == []
    assert slots_of(train, tf.norm(slot)) == []
    assert slots_of(tf.norm(slot)) == []
