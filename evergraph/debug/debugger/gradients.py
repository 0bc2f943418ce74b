"""Finds the gradients of tensors while `tf.gradients` adds them: tensorflow.python.debug.lib.debug_gradients."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable
from typing import Any

from evergraph.frontend.array import identity
from evergraph.frontend.gradients import custom_gradient
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.debugging import DEBUG_IDENTITY

_MARK = "_tfdbg_gradient"


class GradientsDebugger:
    """Knows the gradients of tensors that are identified or watched, with regard to a y.

    Args:
        y_tensor: what is differentiated; only remembered.
    """

    def __init__(self, y_tensor: Tensor | None = None) -> None:
        self.y_tensor, self._gradients, self._is_active = y_tensor, dict[str, Any](), True
        self._number = len(_debuggers)
        _debuggers.add(self)

    def __enter__(self) -> GradientsDebugger:
        self._is_active = True
        return self

    def __exit__(self, *raised: Any) -> None:
        self._is_active = False

    def identify_gradient(self, input_tensor: Tensor) -> Tensor:
        """The tensor once more; gradients that flow through it are noted.

        Raises:
            ValueError: the debugger has identified it already.
        """
        name = f"{input_tensor.op.name}_{input_tensor.value_index}{_MARK}_{self._number}"
        graph = input_tensor.graph
        if any(operation.name == name for operation in graph.get_operations()):
            raise ValueError(f"The graph already contains an op named {name}")

        @custom_gradient
        def passed(x: Tensor) -> Any:
            def gradient(dy: Tensor) -> Tensor:
                self.register_gradient_tensor(input_tensor.name, dy)
                return dy

            return identity(x, name=name), gradient

        with graph.as_default():
            return passed(input_tensor)

    def watch_gradients_by_tensors(self, graph: Graph, tensors: Iterable[Any] | Any) -> GradientsDebugger:
        """Identifies tensors in a graph that is there already: what takes them takes them through the debugger."""
        if not isinstance(tensors, (list, tuple)):
            tensors = [tensors]
        return self._watch(graph, {_name(tensor) for tensor in tensors}.__contains__)

    def watch_gradients_by_tensor_names(self, graph: Graph, tensor_name_regex: str) -> GradientsDebugger:
        """Identifies the tensors whose names match a pattern; see `watch_gradients_by_tensors`."""
        pattern = re.compile(tensor_name_regex)
        return self._watch(graph, lambda name: pattern.match(name) is not None)

    def _watch(self, graph: Graph, is_watched: Any) -> GradientsDebugger:
        for operation in list(graph.get_operations()):
            if _MARK in operation.name:
                continue
            for tensor in operation.outputs:
                if not is_watched(tensor.name):
                    continue
                users = [user for user in tensor.consumers() if not _takes_reference(user, tensor)]
                through = self.identify_gradient(tensor)
                for user in users:
                    for place, each in enumerate(user.inputs):
                        if each is tensor:
                            user._update_input(place, through)
        return self

    def register_gradient_tensor(self, x_tensor_name: str, gradient_tensor: Tensor) -> None:
        """Notes a gradient, while the debugger's with-block is open or was never used."""
        if self._is_active:
            self._gradients[x_tensor_name] = gradient_tensor

    def gradient_tensor(self, x_tensor: Any) -> Tensor:
        """The gradient of a tensor, a variable or a name.

        Raises:
            TypeError: it is something else.
            LookupError: no gradient of it was noted.
        """
        name = _name(x_tensor)
        if name not in self._gradients:
            raise LookupError(f"This GradientsDebugger has not received any gradient tensor for x-tensor {name}")
        return self._gradients[name]

    def gradient_tensors(self) -> dict[str, Tensor]:
        """Tensor -> its gradient."""
        return self._gradients


_debuggers: weakref.WeakSet[GradientsDebugger] = weakref.WeakSet()


def clear_gradient_debuggers() -> None:
    """Has all debuggers forget the gradients that they know."""
    for debugger in _debuggers:
        debugger.gradient_tensors().clear()


def gradient_values_from_dump(grad_debugger: GradientsDebugger, x_tensor: Any, dump: Any) -> list[Any]:
    """The values of the gradient of a tensor in a dumped run.

    Raises:
        LookupError: no gradient of it was noted.
    """
    gradient = grad_debugger.gradient_tensor(x_tensor)
    return dump.get_tensors(gradient.op.name, gradient.value_index, DEBUG_IDENTITY)


def _name(tensor: Any) -> str:
    if isinstance(tensor, str):
        return tensor
    if isinstance(tensor, Operation) or not isinstance(getattr(tensor, "name", None), str):
        raise TypeError(f"x_tensor is a name, a tensor or a variable, not {type(tensor)}")
    return tensor.name


def _takes_reference(user: Operation, tensor: Tensor) -> bool:
    """Whether a node takes a tensor as a variable to assign to."""
    return tensor.dtype.is_ref and any(
        each is tensor and argument.is_ref for each, argument in zip(user.inputs, user.opdef.plan.inputs))
