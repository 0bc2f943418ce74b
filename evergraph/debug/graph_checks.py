"""Comparisons of GraphDefs and MetaGraphDefs, and of graphs with the operations they should have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.ops.arrays.basic import const
from evergraph.ops.state import lookup as tables


@export("test.assert_equal_graph_def")
def assert_equal_graph_def(actual: Any, expected: Any, checkpoint_v2: bool = False,
                           hash_table_shared_name: bool = False) -> None:
    """Raises AssertionError when two GraphDefs differ in more than the order of nodes and control inputs.

    Args:
        actual: a GraphDef.
        expected: a GraphDef.
        checkpoint_v2: leave out the names of temporary checkpoints, which differ from run to run.
        hash_table_shared_name: leave out the shared names of tables.
    """
    for name, message in (("actual", actual), ("expected", expected)):
        if type(message).__name__ != "GraphDef":
            raise TypeError(f"{name} must be a GraphDef, not {type(message).__name__}")
    ours, theirs = ({n.name: _comparable(n, checkpoint_v2, hash_table_shared_name) for n in g.node}
                    for g in (actual, expected))
    for name in sorted(theirs.keys() - ours.keys()):
        raise AssertionError(f"Did not find expected node '{{{{node {name}}}}}': the graph has {sorted(ours)}")
    for name in sorted(ours.keys() - theirs.keys()):
        raise AssertionError(f"Found unexpected node '{{{{node {name}}}}}': the graph should have {sorted(theirs)}")
    for name, node in theirs.items():
        if ours[name] != node:
            raise AssertionError(f"GraphDefs differ at node {name}:\n{ours[name]}\n{node}")


def first_difference(actual: bytes, expected: bytes) -> bytes:
    """What `assert_equal_graph_def` says of two serialized GraphDefs; empty if they do not differ."""
    try:
        assert_equal_graph_def(*map(proto.graph_pb2.GraphDef.FromString, (actual, expected)))
    except AssertionError as error:
        return str(error).encode()
    return b""


def assert_equal_graph_def_later(expected: Any, actual: Any) -> None:
    """assert_equal_graph_def of TensorFlow 2, which names the expected one first."""
    assert_equal_graph_def(actual, expected, checkpoint_v2=True, hash_table_shared_name=True)


_TABLES = {op.name for op in (
    tables.hash_table, tables.hash_table_v2, tables.mutable_hash_table, tables.mutable_hash_table_v2,
    tables.mutable_hash_table_of_tensors, tables.mutable_hash_table_of_tensors_v2, tables.mutable_dense_hash_table,
    tables.mutable_dense_hash_table_v2)}  # fmt: skip


def _comparable(node: Any, checkpoint_v2: bool, hash_table_shared_name: bool) -> Any:
    copy = type(node)()
    copy.CopyFrom(node)
    copy.ClearField("input")
    copy.input.extend(name for name in node.input if not name.startswith("^"))
    copy.input.extend(sorted(name for name in node.input if name.startswith("^")))
    if checkpoint_v2 and copy.op == const.name and any(b"temp" in s for s in copy.attr["value"].tensor.string_val):
        del copy.attr["value"]
    if hash_table_shared_name and copy.op in _TABLES and "shared_name" in copy.attr:
        del copy.attr["shared_name"]
    return copy


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Fails a test when two MetaGraphDefs differ in more than the order of what their collections and graphs hold.

    Args:
        tester: a tf.test.TestCase.
        a: a MetaGraphDef.
        b: a MetaGraphDef.
    """
    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key, kept in a.collection_def.items():
        kind = kept.WhichOneof("kind")
        tester.assertEqual(kind, b.collection_def[key].WhichOneof("kind"), key)
        both = (sorted(map(str, getattr(one, kind).value)) for one in (kept, b.collection_def[key]))
        tester.assertEqual(*both, key)
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True, hash_table_shared_name=True)
    tester.assertProtoEquals(_rest(a), _rest(b))


def _rest(meta_graph: Any) -> Any:
    """A MetaGraphDef without its graph and collections."""
    copy = type(meta_graph)()
    copy.CopyFrom(meta_graph)
    copy.ClearField("graph_def")
    copy.ClearField("collection_def")
    return copy


def assert_ops_in_graph(expected_ops: Mapping[str, str], graph: Graph) -> dict[str, Any]:
    """The nodes of a graph that have given names, as NodeDefs by name.

    Args:
        expected_ops: name of an operation -> its type.
        graph: the graph.

    Raises:
        ValueError: the graph lacks one of them, or has it with another type.
    """
    found = {node.name: node for node in graph.as_graph_def().node if node.name in expected_ops}
    for name, node in found.items():
        if node.op != expected_ops[name]:
            raise ValueError(f"operation {name} should be a {expected_ops[name]} and is a {node.op}")
    if len(found) < len(expected_ops):
        raise ValueError(f"operations {sorted({*expected_ops} - {*found})} are not in the graph")
    return found


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """The NodeDef of that name in a GraphDef, or None."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def set_producer_version(graph: Graph, producer_version: int) -> None:
    """Makes an older `producer_version` the one that the GraphDef of `graph` names."""
    message = proto.graph_pb2.GraphDef()
    message.versions.producer = producer_version
    with graph.as_default():
        import_graph_def(message, name="")
