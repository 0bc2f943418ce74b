"""Which ops a signature may have that is served: none that touches files or runs Python."""

import importlib
import pkgutil
import re
import sys
from collections import defaultdict

import pytest

import evergraph as tf
import evergraph.ops
from evergraph.graph.opdef import REGISTRY
from evergraph.serving.outside import nodes_of, reaching_outside


def elements(dataset):
    return tf.data.experimental.get_single_element(dataset.batch(10))


def sampled(**weights):
    return tf.nn.fixed_unigram_candidate_sampler([[1]], 1, 2, True, 3, **weights)[0]


def printed(x, stream):
    with tf.control_dependencies([tf.print("x", output_stream=stream)]):
        return tf.identity(x)


def decoded(source):
    return tf.io.decode_proto([b""], "m.M", ["f"], [tf.int32], source)[0]


NAME = "the name of a file"
SIGNATURES = {
    "nothing": (lambda x: x + 1, False),
    "read_file": (lambda x: tf.io.read_file(NAME), True),
    "py_func": (lambda x: tf.py_func(lambda y: y, [x], tf.float32), True),
    "records": (lambda x: elements(tf.data.TFRecordDataset(NAME)), True),
    "generator": (lambda x: elements(tf.data.Dataset.from_generator(lambda: [1], tf.int32)), True),
    "records, inside a function": (lambda x: elements(tf.data.Dataset.from_tensors(NAME).flat_map(
        tf.data.TextLineDataset)), True),
    "range": (lambda x: elements(tf.data.Dataset.range(3)), False),
    "kept in memory": (lambda x: elements(tf.data.Dataset.range(3).cache()), False),
    "kept in a file": (lambda x: elements(tf.data.Dataset.range(3).cache(NAME)), True),
    "kept in a file that is fed": (lambda x: elements(tf.data.Dataset.range(3).cache(tf.as_string(x))), True),
    "print": (lambda x: printed(x, sys.stdout), False),
    "print to a file": (lambda x: printed(x, f"file://{NAME}"), True),
    "sampler": (lambda x: sampled(unigrams=[1.0, 1.0, 1.0]), False),
    "sampler with a file": (lambda x: sampled(vocab_file=NAME), True),
    "decode_proto": (lambda x: decoded("local://"), False),
    "decode_proto with a file": (lambda x: decoded(NAME), True),
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNATURES)
def test_what_reaches_outside(name, graph):
    build, reaches = SIGNATURES[name]
    x = tf.placeholder(tf.float32, [])
    assert bool(reaching_outside(nodes_of([build(x)], [x]))) == reaches


def test_versions_of_an_op_are_alike():
    for module in pkgutil.walk_packages(evergraph.ops.__path__, "evergraph.ops."):
        importlib.import_module(module.name)
    found = defaultdict(set)
    for name, op in REGISTRY.items():
        found[re.sub(r"^Experimental|V\d$", "", name)].add(bool(op.outside))
    assert [name for name, kinds in found.items() if len(kinds) > 1] == ["Print"]  # PrintV2 alone prints to files
