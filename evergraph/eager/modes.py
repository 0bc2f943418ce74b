"""Turns eager execution on, and says whether it is."""

from __future__ import annotations

import contextlib
from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.base.shapes import disable_v2_tensorshape, enable_v2_tensorshape
from evergraph.eager.graph import EAGER
from evergraph.eager.placing import placing
from evergraph.frontend.equality import disable_tensor_equality, enable_tensor_equality
from evergraph.frontend.modes import disable_control_flow_v2, enable_control_flow_v2
from evergraph.frontend.variables.base import disable_resource_variables, enable_resource_variables
from evergraph.graph import scopes
from evergraph.graph.graph import Graph, default_graph, global_graph, replace_global_graph
from evergraph.run.devices import logical

SYNC = export("contrib.eager.SYNC")(0)
ASYNC = export("contrib.eager.ASYNC")(1)
DEVICE_PLACEMENT_EXPLICIT = export("contrib.eager.DEVICE_PLACEMENT_EXPLICIT")(0)
DEVICE_PLACEMENT_WARN = export("contrib.eager.DEVICE_PLACEMENT_WARN")(1)
DEVICE_PLACEMENT_SILENT = export("contrib.eager.DEVICE_PLACEMENT_SILENT")(2)


@export("enable_eager_execution", "contrib.eager.enable_eager_execution")
def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Makes ops run when they are called, for the rest of the program. Called before any op is made.

    >>> tf.enable_eager_execution()
    >>> tf.reduce_sum([1.0, 2.0]).numpy()
    3.0

    Args:
        config: a tf.ConfigProto. Its `allow_soft_placement` and its number of CPUs hold for ops; its other options are
            about sessions and threads, and have no effect here.
        device_policy: how tensors reach the device of an op; they are always copied there, without a warning.
        execution_mode: tf.contrib.eager.SYNC or ASYNC; ops always run before their call returns.

    Raises:
        TypeError: `config` is no ConfigProto.
        ValueError: a graph has been used already, or an argument has no such value.
    """
    if config is not None and not isinstance(config, proto.config_pb2.ConfigProto):
        raise TypeError(f"config must be a tf.ConfigProto; got {type(config)}")
    if device_policy not in (None, DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT):
        raise ValueError("device_policy must be one of tf.contrib.eager's DEVICE_PLACEMENT_EXPLICIT, _WARN, "
                         "_SILENT, or None")
    if execution_mode not in (None, SYNC, ASYNC):
        raise ValueError("execution_mode must be one of tf.contrib.eager's SYNC and ASYNC, or None")
    current = global_graph()
    if current is EAGER:
        return
    if scopes.graphs.items or current is not None and current.version:
        raise ValueError("This graph has operations already: tf.enable_eager_execution belongs at the program's start.")
    if config is not None:
        placing.soft = config.allow_soft_placement
        logical.cpus = config.device_count.get("CPU", logical.cpus)
    replace_global_graph(EAGER)


@export("disable_eager_execution")
def disable_eager_execution() -> None:
    """Makes ops go to graphs again, which sessions run."""
    if global_graph() is EAGER:
        replace_global_graph(Graph())


class _Behavior:
    """Whether the program asked for the behaviour of TensorFlow 2."""

    is_later = False


@export("enable_v2_behavior", "compat.v2.enable_v2_behavior")
def enable_v2_behavior() -> None:
    """Asks for TensorFlow 2's ways at a program's start: eager execution, resource variables, shapes of plain numbers,
    tensors that are compared element by element, functional control flow.

    Names keep TensorFlow 1's meaning.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_resource_variables()
    enable_tensor_equality()
    enable_control_flow_v2()
    _Behavior.is_later = True


@export("disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Asks for TensorFlow 1's ways, which are there at first."""
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_resource_variables()
    disable_tensor_equality()
    disable_control_flow_v2()
    _Behavior.is_later = False


def v2_behavior_enabled() -> bool:
    """Whether the program asked for the behaviour of TensorFlow 2."""
    return _Behavior.is_later


def eager_mode() -> Any:
    """A with-block in which ops run when they are called."""
    return EAGER.as_default()


def graph_mode() -> Any:
    """A with-block in which ops go to the default graph, which is what `tf.get_default_graph()` returns."""
    graph = default_graph()
    return graph.as_plain().as_default() if graph.is_eager else contextlib.nullcontext()
