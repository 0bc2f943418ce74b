"""How tensors are cut for TPU cores."""

import pytest

import evergraph as tf
from evergraph.distribute.tpu_sharding import InfeedQueue, ShardingPolicy


def policy(count, dimension):
    made = ShardingPolicy()
    made.set_number_of_shards(count)
    made.set_shard_dimension(dimension)
    return made


def test_parts_and_wholes():
    halves = policy(2, 1)
    assert str(halves) == "ShardingPolicy(2 shards dimension 1)"
    assert halves.get_sharded_shape([3, 8, 5]) == [3, 4, 5]
    assert halves.get_unsharded_shape([[3, 4, 5]] * 2) == [3, 8, 5]


@pytest.mark.parametrize("shape", [[3, 7], [3, None], [3], None])
def test_what_cannot_be_cut(shape):
    with pytest.raises(ValueError):
        policy(2, 1).get_sharded_shape(tf.TensorShape(shape))


def test_a_frozen_policy_keeps_what_it_is():
    fixed = policy(2, 1)
    fixed.freeze()
    fixed.merge(policy(2, 1))
    with pytest.raises(ValueError, match="frozen"):
        fixed.merge(policy(4, 1))


def test_a_queue_of_parts():
    queue = InfeedQueue(number_of_tuple_elements=2)
    queue.set_configuration_from_sharded_input_tensors([[tf.zeros([2, 3]), tf.constant([1])]] * 4)
    assert queue.tuple_shapes == [[8, 3], [4]] and queue.tuple_types == [tf.float32, tf.int32]
    queue.freeze()
    with pytest.raises(ValueError):
        queue.set_number_of_shards(3)
