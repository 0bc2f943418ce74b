"""What programs derive from TensorFlow's ControlFlowContext: objects that are told of the operations made inside."""

from __future__ import annotations

from typing import Any

from evergraph.graph.graph import default_graph


class ControlFlowContext:
    """Is told of each operation that is made in the default graph between `Enter` and `Exit`, by `AddOp`.

    Conditionals and loops make graphs of their own here and no contexts: this class is for those that derive from it.

    Args:
        values_def: a message of the values of a saved context, which has no meaning here.
        import_scope: the scope of that, likewise.
    """

    def __init__(self, values_def: Any = None, import_scope: str | None = None) -> None:
        self._name, self._outer_context = "", default_graph()._get_control_flow_context()

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def outer_context(self) -> Any:
        """The context in which it was made, or None."""
        return self._outer_context

    @property
    def grad_state(self) -> None:
        """None: it has no state of a gradient."""
        return None

    @property
    def back_prop(self) -> bool:
        """Whether it is of a gradient's forward pass: False."""
        return False

    def Enter(self) -> None:  # noqa: N802  TensorFlow's names
        """Has it told of the operations that this thread makes in the default graph from now on."""
        graph = default_graph()
        self._outer_context = graph._get_control_flow_context()
        graph._set_control_flow_context(self)

    def Exit(self) -> None:  # noqa: N802
        """Ends that: the context around it is told again."""
        default_graph()._set_control_flow_context(self._outer_context)

    def AddOp(self, op: Any) -> None:  # noqa: N802
        """Is told of a new operation. Those around hear of it too."""
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def AddInnerOp(self, op: Any) -> None:  # noqa: N802
        """Is told of an operation that was made in a context inside this one."""
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def IsWhileContext(self) -> bool:  # noqa: N802
        """Whether it is that of a loop: False."""
        return False

    def IsCondContext(self) -> bool:  # noqa: N802
        """Whether it is that of a branch: False."""
        return False

    def IsXLAContext(self) -> bool:  # noqa: N802
        """Whether it is that of a compiled block: False."""
        return False

    def GetWhileContext(self) -> Any:  # noqa: N802
        """The loop around it, which has no context here: None."""
        return None
