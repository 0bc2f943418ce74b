"""Operations between the layers of functional models, in configurations: a NodeDef with the values of its constants."""
from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf import json_format

from evergraph import proto
from evergraph.base import nest
from evergraph.frontend.array import constant
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import default_graph
from evergraph.keras import session
from evergraph.keras.layer import Layer, OperationLayer
from evergraph.keras.replay import repeated
from evergraph.save.node_inputs import input_dtypes

_PREFIX = "tf_op_layer_"


class TensorFlowOpLayer(Layer):
    """A layer that repeats an operation of another graph.

    Args:
        node_def: the operation: a dictionary as in JSON, or a serialized NodeDef.
        name: the operation's name.
        constants: the values of inputs that do not come from layers, by index.
        trainable: whether its variables are trainable; it has none.
        dtype: of the layer.
    """

    def __init__(self, node_def, name, constants=None, trainable=True, dtype=None):
        super().__init__(name=_PREFIX + name.removeprefix(_PREFIX), trainable=trainable, dtype=dtype)
        if isinstance(node_def, dict):
            self.node_def = json_format.ParseDict(node_def, proto.node_def_pb2.NodeDef())
        else:
            content = node_def.encode() if isinstance(node_def, str) else node_def
            self.node_def = proto.node_def_pb2.NodeDef.FromString(content)
        self.constants = {int(place): value for place, value in (constants or {}).items()}
        self.built = True

    def call(self, inputs):
        given = iter(nest.flatten(inputs))
        message = proto.graph_pb2.GraphDef()
        node = message.node.add()
        node.CopyFrom(self.node_def)
        node.name = default_graph().unique_name(node.name, mark_as_used=False).rpartition("/")[2]
        count = sum(not each.startswith("^") for each in node.input)
        del node.input[:]
        instead = {}
        for place in range(count):
            node.input.append(f"input_{place}")
            instead[f"input_{place}:0"] = self._constant(place) if place in self.constants else next(given)
        [made] = import_graph_def(message, input_map=instead, return_elements=[node.name], name="")
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)

    def _constant(self, place):
        return constant(self.constants[place], dtype=input_dtypes(self.node_def)[place])

    def get_config(self):
        """The constructor's arguments, for `from_config`."""
        return {"name": self.name.removeprefix(_PREFIX), "trainable": self.trainable, "dtype": self.dtype,
                "node_def": json_format.MessageToDict(self.node_def),
                "constants": {str(place): value for place, value in self.constants.items()}}


def described(layer: OperationLayer) -> dict[str, Any]:
    """The configuration of the layer that repeats a model's operation."""
    operation = layer.operation
    constants = {place: session.get_value(repeated([tensor], {})[0] if default_graph().is_eager else tensor)
                 for place, tensor in enumerate(operation.inputs) if place not in layer.places}
    return {"name": operation.name, "trainable": True, "dtype": None,
            "node_def": json_format.MessageToDict(operation.node_def),
            "constants": {str(place): np.asarray(value).tolist() for place, value in constants.items()}}
