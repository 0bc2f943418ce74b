"""Switches between TensorFlow 1's and 2's ways. Graphs are TensorFlow 1's here, so most have one position only."""

from __future__ import annotations

import contextlib

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.frontend.blocks import root_graph
from evergraph.graph.graph import default_graph


class _ControlFlow:
    """Which control flow a program asked for."""

    functional = False


@export("enable_control_flow_v2")
def enable_control_flow_v2():
    """Asks for functional conditionals and loops, which evergraph builds in any case."""
    _ControlFlow.functional = True


@export("disable_control_flow_v2")
def disable_control_flow_v2():
    """Asks for TensorFlow 1's conditionals and loops: evergraph's behave alike, and are functional all the same."""
    _ControlFlow.functional = False


@export("control_flow_v2_enabled")
def control_flow_v2_enabled():
    """Whether the program asked for functional conditionals and loops."""
    return _ControlFlow.functional


@export("executing_eagerly", "contrib.eager.executing_eagerly", "contrib.eager.in_eager_mode")
def executing_eagerly():
    """Whether ops run when they are called, rather than being added to a graph that a session runs."""
    return default_graph().is_eager


def executing_eagerly_outside_functions():
    """Whether ops run when they are called outside of the functions that are being traced here."""
    return root_graph().is_eager


@export("experimental.function_executor_type")
@contextlib.contextmanager
def function_executor_type(executor_type):
    """A context in which TensorFlow runs functions by another executor. Functions are compiled here, so it only checks.

    Args:
        executor_type: None, "DEFAULT" or "SINGLE_THREADED_EXECUTOR".

    Raises:
        NotFoundError: there is no such executor.
    """
    if executor_type not in (None, "", "DEFAULT", "SINGLE_THREADED_EXECUTOR"):
        raise errors.NotFoundError(None, None, f"there is no executor {executor_type!r}")
    yield


@export("experimental.output_all_intermediates")
def output_all_intermediates(state):
    """Whether functional conditionals and loops of TensorFlow output all intermediate tensors, for gradients.

    Those that a gradient needs are output here in any case, and none otherwise.

    Args:
        state: True, False, or None for TensorFlow's choice.

    Raises:
        TypeError: `state` is something else.
    """
    if state not in (True, False, None):
        raise TypeError(f"state must be True, False or None, not {state!r}")
