"""Graphs that one thread extends while others look at them."""

import sys
import threading

import pytest

import evergraph as tf


@pytest.fixture(autouse=True)
def many_turns():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_graph_is_encoded_and_imported_while_another_thread_adds_loops():
    graph, is_over, failed = tf.get_default_graph(), threading.Event(), []
    small = tf.Graph()
    with small.as_default():
        tf.constant(1.0, name="one")
    definition = small.as_graph_def()

    def look():
        while not is_over.is_set():
            try:
                graph.as_graph_def()
                with graph.as_default():
                    tf.import_graph_def(definition, name="again")
            except Exception as error:
                failed.append(error)
                return

    looking = threading.Thread(target=look)
    looking.start()
    for _ in range(25):
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        tf.while_loop(lambda x, y: x < 10, lambda x, y: (x + 1, x * y), [x, y])
    is_over.set()
    looking.join()
    assert not failed


class Watched(tf.Graph):
    """A graph that is looked at before each node that is added, as by another thread."""

    def add_node(self, *args, **kwargs):
        for node in self.as_graph_def().node:
            self.__dict__.setdefault("seen", set()).update(node.attr["_class"].list.s)
        return super().add_node(*args, **kwargs)


def test_imported_nodes_stand_beside_imported_ones_at_once():
    with tf.Graph().as_default() as source:
        v = tf.get_variable("v", [2])
        with tf.colocate_with(v):
            tf.identity(v)
    graph = Watched()
    with graph.as_default():
        tf.import_graph_def(source.as_graph_def(), name="again")
    assert graph.seen == {b"loc:@again/v"}
