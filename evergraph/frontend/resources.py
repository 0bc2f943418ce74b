"""Resources of a graph that a session creates before its first step, such as ensembles of trees."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.frontend import array, indexing
from evergraph.frontend.blocks import device, name_scope
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.control_flow import group
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.math.elementwise import logical_not

# What the collections hold: how a session creates a resource, and how it finds out that it has.
Resource = collections.namedtuple("Resource", ["handle", "create", "is_initialized"])


def register_resource(handle: Tensor, create_op: Operation, is_initialized_op: Tensor, is_shared: bool = True) -> None:
    """Adds a resource to those that are initialized with the graph's variables.

    Args:
        handle: the handle.
        create_op: creates the resource.
        is_initialized_op: whether the session has created it.
        is_shared: whether all workers share it.
    """
    add_to_collection(GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES,
                      Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Any]:
    """The resources that workers share."""
    return get_collection(GraphKeys.RESOURCES)


def local_resources() -> list[Any]:
    """The resources of this worker."""
    return get_collection(GraphKeys.LOCAL_RESOURCES)


def initialize_resources(resource_list: Sequence[Any], name: str = "init") -> Operation:
    """An operation that creates resources."""
    return group(*(resource.create for resource in resource_list), name=name)


def report_uninitialized_resources(resource_list: Sequence[Any] | None = None,
                                   name: str = "report_uninitialized_resources") -> Tensor:
    """The names of the resources that do not exist yet; by default of all resources."""
    resources = [*shared_resources(), *local_resources()] if resource_list is None else resource_list
    with name_scope(name), device("/cpu:0"):
        if not resources:
            return convert_to_tensor([], dtypes.string)
        missing = logical_not(array.stack([resource.is_initialized for resource in resources]))
        return indexing.boolean_mask(convert_to_tensor([resource.handle.name for resource in resources]), missing)
