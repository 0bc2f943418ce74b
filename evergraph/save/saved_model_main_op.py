"""Main ops, which a loader runs after restoring a SavedModel's variables."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import global_variables_initializer, local_variables_initializer
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation


def _initialize_tables() -> Operation:
    return group(*get_collection(GraphKeys.TABLE_INITIALIZERS), name="init_all_tables")


@export("saved_model.main_op.main_op")
def main_op() -> Operation:
    """An operation that initializes all variables and tables."""
    return group(global_variables_initializer(), local_variables_initializer(), _initialize_tables())


@export("saved_model.main_op_with_restore", "saved_model.main_op.main_op_with_restore")
def main_op_with_restore(restore_op_name: Any) -> Operation:
    """An operation that initializes all variables and tables, then runs a restore operation.

    Args:
        restore_op_name: the operation, or its name.
    """
    with control_dependencies([main_op()]):
        restore = restore_op_name
        if isinstance(restore, str):
            restore = default_graph().get_operation_by_name(restore)
        return group(restore)


