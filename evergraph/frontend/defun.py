"""Functions of the graph's library that programs define: `tensorflow.python.framework.function.Defun`."""
from __future__ import annotations

import inspect
import itertools
import weakref
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.graph.convert import to_tensor
from evergraph.graph.differentiate import REGISTERED
from evergraph.graph.function import FuncGraph, has_effect, trace
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.control import functional

_gradient_names = itertools.count()
# What tells TensorFlow how to compile or to inline a function, and means nothing here.
_WITHOUT_MEANING = frozenset({"noinline", "compiled", "separate_compiled_gradients", "capture_by_value"})


class Defun:
    """Decorator: the function's body becomes a function of the graph, and a call of it one node.

        @function.Defun(tf.float32, tf.float32)
        def scaled(x, by):
            return x * by

    Args:
        *input_types: the dtypes of the arguments; without any, those of each call are taken.
        func_name: its name in the library; that of the Python function by default.
        grad_func: another defined function: of the arguments and the gradients of the outputs, giving those of the
            arguments.
        python_grad_func: a Python function of the call's operation and the gradients of the outputs, giving the
            gradients of the arguments.
        out_names: names of the outputs, which nothing here shows; as many as there are outputs.
        shape_func: gives, for the call's operation, the shapes of its outputs.
        **options: how TensorFlow compiles or inlines, which has no meaning here.

    Raises:
        TypeError: an option that TensorFlow does not have.
    """

    def __init__(self, *input_types: Any, func_name: str | None = None, grad_func: Any = None,
                 python_grad_func: Callable[..., Any] | None = None, out_names: list[str] | None = None,
                 shape_func: Callable[[Operation], Any] | None = None, **options: Any) -> None:
        unknown = [name for name in options if name not in _WITHOUT_MEANING and not name.startswith("_")]
        if unknown:
            raise TypeError(f"Defun got unexpected options {unknown}")
        if grad_func is not None and python_grad_func is not None:
            raise ValueError("a function has one gradient: grad_func or python_grad_func")
        self._types = [dtypes.as_dtype(t) for t in input_types]
        self._options = {"func_name": func_name, "gradient": grad_func or python_grad_func,
                         "by_call": python_grad_func is not None, "out_names": out_names, "shape_func": shape_func}

    def __call__(self, func: Callable[..., Any]) -> DefinedFunction:
        """The defined function.

        Raises:
            ValueError: `func` cannot be called, has defaults or keywords, or takes another number of arguments.
        """
        if not callable(func):
            raise ValueError(f"{func} cannot be called")
        parameters = inspect.signature(func).parameters.values()
        plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        if any(p.default is not p.empty or p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD) for p in parameters):
            raise ValueError("a function of the graph has neither default values nor keyword arguments")
        if self._types and not variadic and len(plain) != len(self._types):
            raise ValueError(f"the function takes {len(plain)} arguments, but {len(self._types)} dtypes are given")
        types = None if not self._types and (plain or variadic) else self._types
        return DefinedFunction(func, types, [p.name for p in plain], **self._options)


class DefinedFunction:
    """A function of the graph. Its body is built when it is first called in a graph, for each choice of dtypes."""

    def __init__(self, func: Callable[..., Any], types: list[dtypes.DType] | None, names: list[str],
                 func_name: str | None, gradient: Any, by_call: bool, out_names: list[str] | None,
                 shape_func: Any) -> None:
        self._func, self._types, self._names = func, types, names
        self._gradient, self._by_call, self._out_names, self._shape_func = gradient, by_call, out_names, shape_func
        self._name = func_name or getattr(func, "__name__", type(func).__name__).replace("<lambda>", "lambda")
        self._bodies: weakref.WeakKeyDictionary[Any, dict[Any, FuncGraph]] = weakref.WeakKeyDictionary()

    @property
    def name(self) -> str:
        """Its name; a number is added where a library has such a function already."""
        return self._name

    @property
    def declared_input_types(self) -> list[dtypes.DType] | None:
        """The dtypes of the arguments, None when each call says them."""
        return self._types

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors of the default graph that the body uses besides its arguments."""
        return [t for body in self._bodies.get(default_graph(), {}).values() for t in body.captures]

    def add_to_graph(self, g: Any) -> None:
        """Builds the body in the graph, unless it is there.

        Raises:
            ValueError: the dtypes of the arguments are not known before a call.
        """
        if self._types is None:
            raise ValueError(f"function {self.name!r} has no dtypes until it is called")
        with g.as_default():
            self._body(self._types)

    def __call__(self, *args: Any, name: str | None = None, **options: Any) -> Any:
        """Adds a call: gives its output, a tuple of them, or the operation when there are none.

        Raises:
            ValueError: there are too few or too many arguments.
        """
        unknown = [option for option in options if option not in _WITHOUT_MEANING]
        if unknown:
            raise ValueError(f"a call of a function of the graph takes no {unknown}")
        expected = len(args) if self._types is None else len(self._types)
        if len(args) != expected:
            raise ValueError(f"function {self.name!r} takes {expected} arguments, got {len(args)}")
        return self._called([to_tensor(a, t) for a, t in zip(args, self._types or [None] * expected)], name)

    def _called(self, tensors: list[Tensor], name: str | None) -> Any:
        graph = default_graph()
        body = self._body([t.dtype.base_dtype for t in tensors])
        captured = [graph.capture(t) if isinstance(graph, FuncGraph) else t for t in body.captures]
        op = functional.stateful_partitioned_call if body.control_outputs else functional.partitioned_call
        with graph.gradient_override_map(self._override(op.name, len(tensors))):
            outputs = op([*tensors, *captured], Tout=[t.dtype.base_dtype for t in body.outputs], f=body,
                         name=name or self._name)
        if not outputs:
            return graph.get_operations()[-1]  # a list of no outputs does not tell whose they are
        self._give_shapes(outputs, body)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _give_shapes(self, outputs: list[Tensor], body: FuncGraph) -> None:
        """The shapes that the body tells, whatever those of the arguments are, and the user's function."""
        for output, own in zip(outputs, body.outputs, strict=True):
            output._shape = own._shape
        if self._shape_func is not None:
            for output, shape in zip(outputs, self._shape_func(outputs[0].op), strict=True):
                output.set_shape(shape)

    # ---- the body

    def _body(self, types: list[dtypes.DType]) -> FuncGraph:
        graph = default_graph()
        known = self._bodies.setdefault(graph, {})
        if tuple(types) not in known:
            known[tuple(types)] = self._built(types)
        return known[tuple(types)]

    def _built(self, types: list[dtypes.DType]) -> FuncGraph:
        names = [self._names[i] if i < len(self._names) else f"arg{i}" for i in range(len(types))]
        body, result = trace(self._name, self._func, [(t, None, n) for t, n in zip(types, names)])
        if result is None or isinstance(result, Operation):
            result = []
        with body.as_default():
            found = [to_tensor(r) for r in (nest.flatten(result) if isinstance(result, (list, tuple)) else [result])]
            body.outputs = [body.capture(t) for t in found]
        body.control_outputs = [node for node in body.get_operations() if has_effect(node)]
        if self._out_names is not None and len(self._out_names) != len(body.outputs):
            raise ValueError(f"there are {len(body.outputs)} outputs, but out_names has {len(self._out_names)}")
        return body

    # ---- its gradient

    def _override(self, op_type: str, count: int) -> dict[str, str]:
        if self._gradient is None:
            return {}
        name = f"Defun-{next(_gradient_names)}"
        REGISTERED[name] = lambda op, *dys: self._gradients(op, dys, count)
        return {op_type: name}

    def _gradients(self, op: Operation, dys: tuple[Any, ...], count: int) -> list[Any]:
        """The gradients of the arguments; captured tensors get none."""
        found = self._gradient(op, *dys) if self._by_call else self._gradient(*op.inputs[:count], *dys)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        return [*found, *[None] * (len(op.inputs) - len(found))]
