"""Messages as text: what protobuf's own writer says, with sorted maps."""

from google.protobuf import text_format
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef

from evergraph.proto.text import from_text, to_text


def graph():
    """A node whose attrs hold further maps, strings that look like text, and a node without attrs."""
    message = GraphDef()
    node = message.node.add(name="a", op="Map", input=["b", "^c"], device="/cpu:0")
    node.attr["f"].func.name = "g"
    node.attr["f"].func.attr["y"].s = b'attr {\n  key: "z"\n}\n'
    node.attr["f"].func.attr["x"].f = 0.5
    node.attr["T"].type = 1
    node.attr["shapes"].list.shape.add().dim.add(size=3)
    plain = message.node.add(name="b", op="Const")
    for name in ("value", "dtype", "_class"):
        plain.attr[name].i = len(name)
    message.node.add(name="c")
    message.versions.producer = 27
    return message


def test_text_is_that_of_protobuf():
    assert to_text(graph()) == text_format.MessageToString(graph())


def test_maps_of_messages_and_fields_around_them():
    message = MetaGraphDef(graph_def=graph())
    for key in ("train_op", "a", "summaries"):
        message.collection_def[key].node_list.value.append(f"of {key}")
    message.signature_def["serving"].inputs["x"].name = "x:0"
    assert to_text(message) == text_format.MessageToString(message)


def test_text_is_read_back():
    assert from_text(to_text(graph()), GraphDef()) == graph()
    assert to_text(GraphDef()) == ""
