"""dot_graph_from_checkpoint: the objects of a checkpoint as a graph for Graphviz."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.save.object_tools import object_metadata
from evergraph.save.reader import load_checkpoint


@export("contrib.checkpoint.dot_graph_from_checkpoint")
def dot_graph_from_checkpoint(save_path: str) -> str:
    """The objects of a checkpoint as a text in Graphviz' language: boxes are values, dashed edges lead to slots.

    Args:
        save_path: what `tf.train.Checkpoint.save` returned.

    Raises:
        ValueError: the checkpoint holds variables by name, not objects.
    """
    graph, reader = object_metadata(save_path), load_checkpoint(save_path)
    dtypes, shapes = reader.get_variable_to_dtype_map(), reader.get_variable_to_shape_map()
    lines = ["digraph {"]
    for number, node in enumerate(graph.nodes):
        texts = [_described(each, dtypes, shapes) for each in node.attributes]
        label = "\\n".join(texts) or ("root" if number == 0 else "")
        shape = "box" if texts else "point" if number else "ellipse"
        lines.append(f'  N_{number} [shape={shape} label="{label}"];')
        lines += [f'  N_{number} -> N_{child.node_id} [label="{child.local_name}"];' for child in node.children]
        for slot in node.slot_variables:
            lines.append(f"  N_{number} -> N_{slot.slot_variable_node_id} [label=\"{slot.slot_name}\" style=dashed];")
            lines.append(f"  N_{slot.original_variable_node_id} -> N_{slot.slot_variable_node_id} [style=dotted];")
    return "\n".join([*lines, "}"])


def _described(attribute: Any, dtypes: dict[str, Any], shapes: dict[str, Any]) -> str:
    key = attribute.checkpoint_key
    if key not in shapes:
        return attribute.name
    return f"{attribute.name} {dtypes[key].name} {list(shapes[key])}"
