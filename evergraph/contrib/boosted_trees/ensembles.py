"""Ensembles of tf.contrib.boosted_trees as resources of a graph, which checkpoints hold."""

from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.resources import register_resource
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.contrib import tree_ensembles as ops


class TreeEnsembleVariableSaveable(SaveableObject):
    """An ensemble in a checkpoint: its stamp and its serialized trees.

    Args:
        tree_ensemble_handle: the handle.
        create_op: creates the ensemble.
        name: the name that both names begin with.
    """

    def __init__(self, tree_ensemble_handle: Tensor, create_op: Operation, name: str) -> None:
        self._create = create_op
        stamp, trees = ops.tree_ensemble_serialize(tree_ensemble_handle)
        super().__init__(tree_ensemble_handle, [SaveSpec(stamp, "", f"{name}_stamp"),
                                                SaveSpec(trees, "", f"{name}_config")], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Operation:
        with control_dependencies([self._create]):
            return ops.tree_ensemble_deserialize(self.op, *restored_tensors)


def tree_ensemble_variable(stamp_token: Any, tree_ensemble_config: Any, name: str,
                           container: str | None = None) -> Tensor:
    """The handle of an ensemble, which is initialized and saved with the variables.

    Args:
        stamp_token: the first stamp.
        tree_ensemble_config: the trees that it starts with: a serialized DecisionTreeEnsembleConfig.
        name: the name of the handle, and of the values in checkpoints.
        container: of the handle.
    """
    with name_scope(name, "TreeEnsembleVariable") as scope:
        handle = ops.decision_tree_ensemble_resource_handle_op(container=container or "", shared_name=name or "",
                                                               name=scope)
        create = ops.create_tree_ensemble_variable(handle, convert_to_tensor(stamp_token, dtypes.int64),
                                                   convert_to_tensor(tree_ensemble_config, dtypes.string))
        register_resource(handle, create, ops.tree_ensemble_is_initialized_op(handle))
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, TreeEnsembleVariableSaveable(handle, create, handle.name))
        return handle
