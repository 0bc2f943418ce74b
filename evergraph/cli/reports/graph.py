"""What a GraphDef or MetaGraphDef holds."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

from evergraph.base import dtypes
from evergraph.cli.reports.report import Report, Table
from evergraph.formats.tensor_messages import proto_to_shape
from evergraph.ops.arrays import basic
from evergraph.ops.state import variables

INIT_OP = "__saved_model_init_op"  # TensorFlow 2 keeps it among the signatures
INPUTS = {op.name for op in (basic.placeholder, basic.placeholder_v2, basic.placeholder_with_default)}
_VARIABLES = {op.name for op in (variables.variable, variables.variable_v2, variables.var_handle_op)}


def graph_report(path: str, graph: Any) -> Report:
    """Says which ops, inputs, outputs, variables and functions a GraphDef has."""
    return Report("graph", path, graph_facts(graph), graph_tables(graph))


def graph_facts(graph: Any) -> dict[str, Any]:
    return {
        "nodes": len(graph.node),
        "graph_bytes": graph.ByteSize(),
        "constant_bytes": sum(node.attr["value"].ByteSize() for node in graph.node if node.op == basic.const.name),
        "producer": graph.versions.producer,
        "min_consumer": graph.versions.min_consumer,
        "devices": sorted({node.device for node in graph.node if node.device}),
    }


def graph_tables(graph: Any) -> list[Table]:
    counts = collections.Counter(node.op for node in graph.node)
    columns = ["name", "op", "dtype", "shape"]
    functions = [[f.signature.name, len(f.node_def), [a.name for a in f.signature.input_arg],
                  [a.name for a in f.signature.output_arg]] for f in graph.library.function]  # fmt: skip
    return [
        Table("inputs", columns, [_node_row(node) for node in graph.node if node.op in INPUTS]),
        Table("outputs", ["name", "op"], [[node.name, node.op] for node in unused(graph)]),
        Table("variables", columns, [_node_row(node) for node in graph.node if node.op in _VARIABLES]),
        Table("functions", ["name", "nodes", "inputs", "outputs"], functions),
        Table("ops", ["op", "count"], sorted(map(list, counts.items()), key=lambda row: (-row[1], row[0]))),
    ]


def unused(graph: Any) -> Iterable[Any]:
    """Nodes that no other takes anything from: what the graph is for."""
    used = {name.lstrip("^").split(":")[0] for node in graph.node for name in node.input}
    return [node for node in graph.node if node.name not in used and node.op != basic.no_op.name]


def _node_row(node: Any) -> list[Any]:
    attr = node.attr
    shapes = [*attr["_output_shapes"].list.shape] if "_output_shapes" in attr else [None]
    shape = attr["shape"].shape if "shape" in attr and attr["shape"].HasField("shape") else shapes[0]
    return [node.name, node.op, dtype_name(attr["dtype"].type), shape_list(shape)]


def dtype_name(number: int) -> str | None:
    """The name of a DataType; None for 0, which is none, and the number of one that evergraph does not know."""
    if not number:
        return None
    try:
        return dtypes.as_dtype(number).name
    except TypeError:
        return f"DataType {number}"


def shape_list(message: Any) -> list[int | None] | None:
    """A TensorShapeProto as a list, unknown sizes None; None for an unknown rank."""
    shape = None if message is None else proto_to_shape(message)
    return None if shape is None else list(shape)


# ---- MetaGraphDef


def meta_graph_report(path: str, meta: Any) -> Report:
    """Says what a MetaGraphDef adds to its graph: where it comes from, collections, signatures, how it is saved."""
    return Report("meta_graph", path, meta_facts(meta), [
        signature_table([(list(meta.meta_info_def.tags), meta)]), collection_table(meta), *graph_tables(meta.graph_def),
    ])  # fmt: skip


def meta_facts(meta: Any) -> dict[str, Any]:
    saver = meta.saver_def
    return {
        "tensorflow_version": meta.meta_info_def.tensorflow_version,
        "tags": list(meta.meta_info_def.tags),
        "saver": f"{saver.restore_op_name} from {saver.filename_tensor_name}" if meta.HasField("saver_def") else None,
        **graph_facts(meta.graph_def),
    }


def collection_table(meta: Any) -> Table:
    rows = []
    for name, collection in sorted(meta.collection_def.items()):
        kind = collection.WhichOneof("kind")
        items = getattr(collection, kind).value if kind else ()
        rows.append([name, kind.removesuffix("_list") if kind else None, len(items)])
    return Table("collections", ["name", "kind", "items"], rows)


def signature_table(metas: Iterable[tuple[list[str], Any]]) -> Table:
    """Each argument and result of each signature."""
    rows = [[tags, key, signature.method_name, role, name, dtype_name(info.dtype),
             shape_list(info.tensor_shape if info.HasField("tensor_shape") else None), _tensor_of(info)]
            for tags, meta in metas for key, signature in sorted(meta.signature_def.items()) if key != INIT_OP
            for role, side in (("input", signature.inputs), ("output", signature.outputs))
            for name, info in sorted(side.items())]  # fmt: skip
    return Table("signatures", ["tags", "signature", "method", "role", "name", "dtype", "shape", "tensor"], rows)


def _tensor_of(info: Any) -> str:
    encoding = info.WhichOneof("encoding")
    if encoding == "coo_sparse":
        return f"{info.coo_sparse.values_tensor_name} (sparse)"
    return info.name if encoding == "name" else encoding or ""
