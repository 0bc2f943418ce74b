"""What a SavedModel directory holds."""

from __future__ import annotations

import os
from typing import Any

from evergraph.cli.reports.checkpoint import checkpoint_report
from evergraph.cli.reports.graph import INIT_OP, collection_table, graph_tables, meta_facts, signature_table
from evergraph.cli.reports.report import Report, Table

NAMES = ("saved_model.pb", "saved_model.pbtxt")


def saved_model_report(folder: str, model: Any, verify: bool = False) -> Report:
    """Says which meta graphs, signatures, variables and assets a SavedModel has.

    Raises:
        OpError: its variables are damaged.
    """
    metas = [(list(meta.meta_info_def.tags), meta) for meta in model.meta_graphs]
    tables = [
        Table("meta_graphs", ["tags", "tensorflow_version", "nodes", "functions", "init_op"],
              [[tags, meta.meta_info_def.tensorflow_version, len(meta.graph_def.node),
                len(meta.graph_def.library.function), _init_op(meta)] for tags, meta in metas]),
        signature_table(metas),
        Table("assets", ["file", "bytes", "tensor"], _assets(folder, model)),
    ]  # fmt: skip
    facts: dict[str, Any] = {"schema_version": model.saved_model_schema_version}
    prefix = os.path.join(folder, "variables", "variables")
    if os.path.exists(f"{prefix}.index"):
        variables = checkpoint_report(prefix, verify=verify)
        facts |= {name: variables.facts[name] for name in ("tensor_count", "elements", "tensor_bytes")}
        tables += variables.tables
    if len(metas) == 1:
        facts |= meta_facts(metas[0][1])
        tables += [collection_table(metas[0][1]), *(t for t in graph_tables(metas[0][1].graph_def) if t.name == "ops")]
    return Report("saved_model", folder, facts, tables)


def _init_op(meta: Any) -> str | None:
    for key in ("saved_model_main_op", "legacy_init_op"):
        names = meta.collection_def[key].node_list.value if key in meta.collection_def else ()
        if names:
            return names[0]
    return meta.signature_def[INIT_OP].outputs[INIT_OP].name if INIT_OP in meta.signature_def else None


def _assets(folder: str, model: Any) -> list[list[Any]]:
    tensors = {asset.filename: asset.tensor_info.name for meta in model.meta_graphs for asset in meta.asset_file_def}
    home = os.path.join(folder, "assets")
    stored = sorted(os.listdir(home)) if os.path.isdir(home) else []
    size = lambda name: os.path.getsize(os.path.join(home, name)) if name in stored else None
    return [[name, size(name), tensors.get(name)] for name in dict.fromkeys([*stored, *tensors])]
