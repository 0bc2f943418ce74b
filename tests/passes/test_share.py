"""Which fetch lists can share a step, and the outputs that a step has for other lists."""

import pytest

import evergraph as tf
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune
from evergraph.passes.share import left_beside, updating, with_foreseen


class Net:
    """A network with a step, and what programs look at beside it."""

    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.w = tf.Variable(tf.ones([4, 3]))
        self.wide = tf.matmul(self.x, tf.ones([4, 5000]))
        self.rows = tf.matmul(self.x, self.w)
        self.square = tf.square(self.rows)
        self.loss = tf.reduce_mean(self.square)
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def stages(self, *fetches):
        nodes = prune(fetches, [self.x])
        return with_foreseen(partition(nodes, fetches, [self.x]), nodes, [self.x])

    def left(self, done, *fetches, checked=()):
        """The names of the nodes that a list has beside a step; None if it cannot share the step."""
        stages = self.stages(*done)
        found = left_beside(prune(fetches, [self.x]), fetches, [self.x], stages[:updating(stages) + 1], checked)
        return None if found is None else [node.name for node in found]


def test_a_step_gives_out_what_others_make_scalars_of():
    net = Net()
    accuracy = tf.reduce_mean(tf.cast(net.rows > 0.0, tf.float32))
    tf.reduce_sum(net.wide)
    (stage,) = net.stages(net.train)
    assert net.rows in stage.outputs and net.wide not in stage.outputs
    assert accuracy.op.name in net.left([net.train], net.train, accuracy)


def test_a_list_that_asks_for_less():
    net = Net()
    assert net.left([net.train, net.loss], net.train) == []
    assert net.left([net.train, net.loss], net.train, checked=[net.loss.op]) is None      # it could fail


@pytest.mark.parametrize("look", [
    lambda net: net.w + 1.0,                                                # the value from before the update
    lambda net: tf.assign_add(tf.Variable(0.0), net.loss),                  # another update
    lambda net: tf.random_uniform([]) + net.loss,                           # another random number
    lambda net: tf.py_func(lambda value: value, [net.loss], tf.float32),    # Python could do anything
])  # fmt: skip
def test_lists_that_need_a_step_of_their_own(look):
    net = Net()
    tensor = look(net)
    assert net.left([net.train], net.train, tensor) is None


def test_lists_without_updates_have_nothing_to_share():
    net = Net()
    assert updating(net.stages(net.loss)) is None
    assert net.left([net.train], net.loss) is None
