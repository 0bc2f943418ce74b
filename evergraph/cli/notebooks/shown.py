"""What notebooks show of sessions, graphs, tensors, variables, datasets and Estimators, as HTML."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from evergraph.cli.notebooks.drawing import drawn

_TABLE = "border-collapse:collapse;font:13px/1.5 ui-monospace,monospace"
_CELL = "text-align:left;padding:1px 12px 1px 0;vertical-align:top"


def graph_html(graph: Any) -> str:
    """Counts, and the graph drawn."""
    nodes = graph.get_operations()
    if not nodes:
        return _table("Graph", {"nodes": "none yet"})
    kinds = Counter(node.type for node in nodes).most_common(6)
    held = _table("Graph", {
        "nodes": f"{len(nodes):,}",
        "variables": f"{len(graph.get_collection('variables')):,}",
        "ops": ", ".join(f"{kind} {count}" for kind, count in kinds),
    })  # fmt: skip
    return held + drawn(nodes)


def session_html(session: Any) -> str:
    """Which devices a session has, and how much its variables hold."""
    nodes = session.graph.get_operations()
    variables = session.graph.get_collection("variables")
    return _table(type(session).__name__, {
        "devices": ", ".join(device.name for device in session.list_devices()),
        "graph": f"{len(nodes):,} nodes",
        "variables": f"{len(variables):,}, {_bytes(variables)}",
    })  # fmt: skip


def tensor_html(tensor: Any) -> str:
    """Name, dtype, shape, the op and the line that made it; of an eager tensor its value, too."""
    rows = {"dtype": tensor.dtype.name, "shape": str(tensor.shape)}
    if hasattr(tensor, "numpy"):
        return _table("Tensor", {**rows, "value": str(tensor.numpy())})
    inputs = ", ".join(each.name for each in tensor.op.inputs)
    made = tensor.op.traceback[-1] if tensor.op.traceback else None
    return _table("Tensor", {"name": tensor.name, **rows, "op": f"{tensor.op.type}({inputs})",
                             "made in": f"{os.path.basename(made[0])}:{made[1]}" if made else ""})  # fmt: skip


def variable_html(variable: Any) -> str:
    """Name, dtype and shape."""
    rows = {"name": variable.name, "dtype": variable.dtype.base_dtype.name, "shape": str(variable.shape),
            "trainable": "yes" if variable.trainable else "no"}  # fmt: skip
    return _table("Variable", rows)


def dataset_html(dataset: Any) -> str:
    """What its elements are."""
    return _table(type(dataset).__name__.removesuffix("V1"), {"elements": str(dataset.element_spec)})


def estimator_html(estimator: Any) -> str:
    """The model's directory, its latest checkpoint, its parameters."""
    return _table(type(estimator).__name__, {
        "model_dir": estimator.model_dir,
        "latest checkpoint": os.path.basename(estimator.latest_checkpoint() or "none yet"),
        "params": ", ".join(f"{key} {value}" for key, value in dict(estimator.params).items()) or "none",
    })  # fmt: skip


_SHOWN: Mapping[str, Callable[[Any], str]] = {
    "evergraph.graph.graph:Graph": graph_html,
    "evergraph.run.session:BaseSession": session_html,
    "evergraph.graph.node:Tensor": tensor_html,
    "evergraph.frontend.variables.base:Variable": variable_html,
    "evergraph.data.dataset:DatasetV2": dataset_html,
    "evergraph.estimator.estimator:Estimator": estimator_html,
}
HTML = {tuple(name.split(":")): show for name, show in _SHOWN.items()}
"""(module, class) -> what shows one; also one of a class below."""


def _table(title: str, rows: Mapping[str, str]) -> str:
    lines = "".join(f"<tr><td style='{_CELL};opacity:.7'>{escape(key)}<td style='{_CELL}'>{escape(value)}</tr>"
                    for key, value in rows.items() if value)  # fmt: skip
    return f"<b>{escape(title)}</b><table style='{_TABLE}'>{lines}</table>"


def _bytes(variables: Any) -> str:
    sizes = [each.shape.num_elements() for each in variables]
    whole = sum((size or 0) * each.dtype.base_dtype.size for size, each in zip(sizes, variables))
    return f"{whole / 2**20:.1f} MiB" if whole >= 2**20 else f"{whole / 2**10:.1f} KiB"
