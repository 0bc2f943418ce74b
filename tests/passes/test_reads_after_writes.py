"""A read that depends on a write comes after it; any other comes before."""

import pytest

import evergraph as tf
from evergraph.passes.prune import prune
from evergraph.passes.reads_after_writes import late_reads, with_early_reads


def ref_variable():
    return tf.Variable(1.0, use_resource=False, name="w")


def test_a_user_of_the_read_node_that_depends_on_a_write_reads_late():
    w = ref_variable()
    read = w + 1.0
    with tf.control_dependencies([tf.assign_add(w, 1.0)]):
        late = w * 2.0
    found = late_reads(prune([read, late], []), [])
    assert found == {late.op: {0: w._ref()}} and read.op not in found


def test_data_dependencies_count():
    w = ref_variable()
    written = tf.assign_add(w, 1.0)
    product = tf.multiply(tf.square(written), w.value())
    assert late_reads(prune([product], []), [])[product.op] == {1: w._ref()}


def test_writes_of_other_variables_do_not():
    v, w = ref_variable(), ref_variable()
    with tf.control_dependencies([tf.assign_add(v, 1.0)]):
        product = w * 2.0
    assert late_reads(prune([product], []), []) == {}


def test_a_read_node_of_its_own_and_fed_reads_stay():
    w = ref_variable()
    with tf.control_dependencies([tf.assign_add(w, 1.0)]):
        own = w.read_value()
        product, fed = own * 2.0, w * 3.0
    assert late_reads(prune([product], []), []) == {}
    assert late_reads(prune([fed], [w.value()]), [w.value()]) == {}


def test_an_identity_of_the_read_node_is_a_read_too():
    w = ref_variable()
    same = tf.identity(tf.identity(w))
    with tf.control_dependencies([tf.assign_add(w, 1.0)]):
        late = same * 2.0
    assert late_reads(prune([late], []), [])[late.op] == {0: w._ref()}
    assert late_reads(prune([late], [same]), [same]) == {} == late_reads(prune([late], [w.value()]), [w.value()])


def test_early_reads_move_before_the_first_update():
    v = tf.Variable(1.0, use_resource=True)
    update = v.assign_add(1.0, read_value=False)
    read = v.read_value()
    nodes = prune([update, read], [])
    moved = with_early_reads(nodes)
    places = {node: moved.index(node) for node in nodes}
    reads = [node for node in nodes if node.type == "ReadVariableOp" and not node.control_inputs]
    assert nodes.index(reads[-1]) > nodes.index(update) and all(places[node] < places[update] for node in reads)
    assert sorted(node.name for node in moved) == sorted(node.name for node in nodes)


def test_early_reads_stay_after_assignments_and_their_dependencies():
    v = tf.Variable(1.0, use_resource=True)
    assigned = v.assign(2.0, read_value=False)
    read = v.read_value().op.inputs[0].op
    assert with_early_reads(prune([assigned, read], [])) == prune([assigned, read], [])
    update = v.assign_add(1.0, read_value=False)
    with tf.control_dependencies([update]):
        after = v.read_value()
    moved = with_early_reads(prune([after], []))
    assert moved.index(update) < moved.index(next(n for n in moved if n.type == "ReadVariableOp" and n.control_inputs))


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_late_read_whose_node_is_in_an_earlier_stage(tier):
    w = ref_variable()
    number = tf.string_to_number(tf.as_string(w.value()))  # on the host
    with tf.control_dependencies([tf.assign_add(w, 1.0), number]):
        after = w.value() * 10.0 + number
    with tf.Session(tier=tier) as session:
        session.run(w.initializer)
        assert [session.run(after), session.run(after)] == [21.0, 32.0]
