"""The nodes whose shapes depend on the length of a tensor list."""

import evergraph as tf
from evergraph.passes.dynamic_lengths import dynamic_length_nodes, only_sets_lengths
from evergraph.passes.prune import prune


def reserved(length):
    return tf.raw_ops.TensorListReserve(element_shape=[2], num_elements=length, element_dtype=tf.float32)


def stacked(handle, element_shape):
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=element_shape, element_dtype=tf.float32)


def test_nodes_between_a_list_and_the_list_of_its_gradients():
    length = tf.placeholder(tf.int32, [])
    handle, element_shape = reserved(length), tf.constant([2])
    rows = stacked(handle, element_shape)
    loss = tf.reduce_sum(rows * rows)
    other = tf.exp(tf.placeholder(tf.float32, [2]))
    gradient = tf.gradients(loss, rows)[0]
    gradients = tf.raw_ops.TensorListFromTensor(tensor=gradient, element_shape=element_shape)
    popped = tf.raw_ops.TensorListPopBack(input_handle=gradients, element_shape=[2], element_dtype=tf.float32)
    nodes = prune([loss, other, *popped], [])
    sized, lists = dynamic_length_nodes(handle, nodes)
    assert lists == [gradients]
    assert {rows.op, loss.op, gradient.op} <= sized
    assert not sized & {handle.op, length.op, other.op, gradients.op, popped.tensor.op}


def test_a_list_made_of_other_elements_is_sized_too():
    handle = reserved(tf.placeholder(tf.int32, []))
    rows = stacked(handle, tf.constant([2]))
    again = tf.raw_ops.TensorListFromTensor(tensor=rows, element_shape=tf.constant([2]))
    sized, lists = dynamic_length_nodes(handle, prune([again], []))
    assert lists == [] and again.op in sized


def test_updates_of_variables_are_not_isolated():
    handle = reserved(tf.placeholder(tf.int32, []))
    total = tf.reduce_sum(stacked(handle, tf.constant([2])))
    update = tf.assign_add(tf.Variable(1.0, use_resource=False), total)
    sized, _ = dynamic_length_nodes(handle, prune([update], []))
    assert total.op in sized and update.op not in sized


def test_what_only_sets_lengths():
    length, also_a_shape = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    lists = [reserved(length), reserved(length + 0), reserved(also_a_shape)]
    filled = tf.fill(tf.stack([also_a_shape]), 1.0), tf.raw_ops.Range(start=0, limit=also_a_shape, delta=1)
    nodes = prune([*lists, *filled], [])
    assert only_sets_lengths(length, nodes)
    assert not only_sets_lengths(also_a_shape, nodes)
    assert not only_sets_lengths(filled[0], nodes)
