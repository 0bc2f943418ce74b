"""Which nodes of imported graphs belong to TensorFlow 1's conditionals and loops: `python.ops.control_flow_util`.

Conditionals and loops that are built here are single nodes, If and While, so these tell of graphs that were read.
"""

from __future__ import annotations

from evergraph.frontend.modes import control_flow_v2_enabled
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation
from evergraph.ops.control import frames


def is_switch(op: Operation) -> bool:
    """Whether it hands its input on to one of two branches."""
    return op.opdef in (frames.switch, frames.ref_switch)


def is_merge(op: Operation) -> bool:
    """Whether it takes the value of the branch that was run."""
    return op.opdef in (frames.merge, frames.ref_merge)


def is_loop_enter(op: Operation) -> bool:
    """Whether it hands a value into the frame of a loop."""
    return op.opdef in (frames.enter, frames.ref_enter)


def is_loop_exit(op: Operation) -> bool:
    """Whether it hands a value out of the frame of a loop."""
    return op.opdef in (frames.exit_, frames.ref_exit)


def wants_functional(graph: Graph) -> bool:
    """Whether the program asked for functional conditionals and loops; the same in every graph."""
    return control_flow_v2_enabled()


def context_around(ctxt: None, stop_ctxt: None = None) -> None:
    """The context of a loop or of XLA that encloses another; no graph has contexts, so there is none."""
    return None


def is_within_xla(graph: Graph) -> bool:
    """Whether a graph, or one around it, was opened for XLA alone; no graph is."""
    return False
