"""Parts of what the host has are taken on the host, where several devices get them."""

import evergraph as tf
from evergraph.base.devices import Place
from evergraph.passes.partition import partition
from evergraph.passes.prune import prune


def stages(fetches, feeds, devices):
    """(whether on the host, the names of nodes with inputs) of each stage; `devices` has names of nodes by device."""
    nodes = prune(fetches, feeds)
    places = {node: Place(device=device) for node in nodes for device, names in devices.items() if node.name in names}
    return [(stage.on_host, [node.name for node in stage.nodes if node._inputs])
            for stage in partition(nodes, fetches, feeds, best=Place(), places=places)]


def test_a_split_batch():
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    first, second = tf.split(x, 2, name="split")
    fetches = [tf.exp(first, name="a"), tf.exp(second, name="b")]
    assert stages(fetches, [x], {"CPU:1": ["b"]}) == [(True, ["split"]), (False, ["a"]), (False, ["b"])]
    assert stages(fetches, [x], {"CPU:1": ["a", "b", "split"]}) == [(False, ["split", "a", "b"])]


def test_rows_that_are_computed_from_the_size_of_a_batch():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    half = tf.floordiv(tf.shape(x, name="shape")[0], 2, name="half")
    fetches = [tf.exp(x[:half], name="a"), tf.exp(x[half:], name="b")]
    (on_host, names), *others = stages(fetches, [x], {"CPU:1": ["b"]})
    assert on_host and {"shape", "half"} < set(names)
    assert others == [(False, ["a"]), (False, ["b"])]


def test_parts_of_what_a_device_computes_stay_there():
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    first, second = tf.split(tf.tanh(x, name="tanh"), 2, name="split")
    found = stages([tf.exp(first, name="a"), tf.exp(second, name="b")], [x], {"CPU:1": ["b"]})
    assert not any(on_host for on_host, _ in found)


def test_a_control_dependency_divides_no_stages():
    x = tf.placeholder(tf.float32, [4], name="x")
    first = tf.exp(x, name="first")
    with tf.control_dependencies([first]):
        second = tf.tanh(x, name="second")
    nodes = prune([first, second], [x])
    places = {node: Place(device="CPU:1") for node in nodes if node.name == "second"}
    found = partition(nodes, [first, second], [x], best=Place(), places=places)
    assert [stage.level for stage in found] == [0, 0]
