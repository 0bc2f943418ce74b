"""Declares ops: one declaration is one TensorFlow op with all its facets.

    @op("Square(x: T, *, T: {half, float, double}) -> y: T", shape=unchanged)
    def square(x):
        return x * x

`square` is then an `OpDef`: calling it adds a node to the default graph, and the GraphDef codec, the raw op, static
shapes, gradients and both execution tiers read the same object.
"""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export as export_name
from evergraph.base.spelling import snake_case
from evergraph.graph import apply, overloads
from evergraph.graph.registry import REGISTRY
from evergraph.graph.signature import REQUIRED, Signature, parse
from evergraph.graph.traits import Traits
from evergraph.kernel import calling
from evergraph.kernel.context import FoldingContext


def STOP(op: Any, *dys: Any) -> list[None]:  # noqa: N802 - a marker as much as a function
    """The gradient of an op that is not differentiable."""
    return [None] * len(op.inputs)


VJP = "vjp"  # JAX derives the gradient from the kernel
Bind = Callable[[Any, Callable[[int], Any]], Callable[..., Any] | None]


class OpDef(Traits):
    """One op: its signature, kernel, facets and traits (see graph/traits.py). Call it to add a node.

    Attributes:
        name: the op's type, such as "MatMul".
        kernel: the Python function that computes it.
        wants: the parameter names of the kernel, in order.
        static: inputs whose values the kernel needs at trace time.
        on: "device", "host" or "anywhere".
        stateful: whether equal nodes may compute different values.
        called: input or attr -> the name of the parameter for it, where TensorFlow's functions use another one.
        broadcasts: the op broadcasts its inputs; the gradient walker reduces its gradients to the inputs' shapes.
        fixed_size_kernel: a kernel that pads its outputs to a size that does not depend on the values, or takes padded
            inputs; see passes/fixed_size_unique.py and passes/padding.py.
        bound: makes functions that take the kernel's place in code for NumPy; see `bind`.
    """

    def __init__(
        self, line: str, kernel: Callable[..., Any], *, shape: Callable[..., Any] | None = None,
        grad: Callable[..., Any] | str | None = None, static: Sequence[str] = (), on: str = "device",
        stateful: bool = False, broadcasts: bool = False, export: Sequence[str] = (),
        called: Mapping[str, str] | None = None, **traits: Any,
    ) -> None:
        super().__init__(**traits)
        self.line, self.kernel = line, kernel
        self.name = line[: line.index("(")].strip()
        self.shape_fn, self.grad_fn = shape, grad
        self.static, self.on, self.stateful, self.broadcasts = tuple(static), on, stateful, broadcasts
        self.called = called or {}
        self.fixed_size_kernel: Callable[..., Any] | None = None
        self.bound: Bind | None = None
        code = kernel.__code__
        self.wants = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.__doc__, self.__module__ = kernel.__doc__, kernel.__module__
        self.__name__ = self.__qualname__ = _legal(snake_case(self.name))
        if self.name in REGISTRY:
            raise ValueError(
                f"op {self.name} is declared twice: in {REGISTRY[self.name].__module__} and {self.__module__}")
        REGISTRY[self.name] = self
        for name in (*export, f"raw_ops.{self.name}"):
            export_name(name, module=self.__module__)(self)

    @functools.cached_property
    def signature(self) -> Signature:
        return parse(self.line)

    @functools.cached_property
    def plan(self) -> apply.Plan:
        """How a call's arguments become inputs and attrs."""
        return apply.Plan(self)

    @functools.cached_property
    def argument_plan(self) -> tuple[calling.Argument, ...]:
        """How inputs, attrs and a context become the kernel's arguments."""
        return calling.argument_plan(self)

    @functools.cached_property
    def needs_session(self) -> bool:
        """Whether the kernel needs a session: it uses state or objects, or calls functions."""
        return (
            not calling.OF_SESSIONS.isdisjoint(self.wants)
            or any(a.kind in ("func", "list(func)") for a in self.signature.attrs)
            or any(a.is_ref or a.type is dtypes.resource for a in self.signature.inputs)
        )

    @functools.cached_property
    def is_pure(self) -> bool:
        """Whether the outputs depend on the inputs and attrs alone."""
        return not self.stateful and not self.needs_session

    @functools.cached_property
    def needs_xla(self) -> bool:
        """Whether the kernel exists for XLA alone."""
        return "lax" in self.wants and self.slow_on_numpy is None

    @functools.cached_property
    def is_foldable(self) -> bool:
        """Whether the op is pure and its kernel runs on NumPy, so that constants can be folded through it."""
        return self.is_pure and FoldingContext.gives.issuperset(calling.MEANINGS.keys() & self.wants)

    def output_dtypes(self, attrs: dict[str, Any]) -> list[dtypes.DType]:
        """The dtype of each output of a node with these attrs."""
        return apply.output_dtypes(self, attrs)

    @functools.cached_property
    def shape_wants(self) -> tuple[str, ...]:
        code = self.shape_fn.__code__ if self.shape_fn else None
        return code.co_varnames[: code.co_argcount] if code else ()

    @functools.cached_property
    def parameters(self) -> tuple[tuple[str, Any], ...]:
        """(name, default) of each parameter of a call except `name`: inputs, then required, then optional attrs."""
        signature = self.signature
        shown = [a for a in signature.attrs if a.name not in signature.inferred]
        return (
            *((a.name, REQUIRED) for a in signature.inputs),
            *((a.name, REQUIRED) for a in shown if a.default is REQUIRED),
            *((a.name, a.default) for a in shown if a.default is not REQUIRED),
        )

    @functools.cached_property
    def _caller(self) -> Callable[..., Any]:
        """A Python function with the op's own parameters, so that binding arguments costs nothing extra."""
        scope: dict[str, Any] = {"_apply": apply.apply_op, "_op": self}
        inputs = [a.name for a in self.signature.inputs]
        words = []
        for position, (name, default) in enumerate(self.parameters):
            scope[f"_default{position}"] = default
            words.append(self._word(name) if default is REQUIRED else f"{self._word(name)}=_default{position}")
        attrs = ", ".join(f"{name!r}: {self._word(name)}" for name, _ in self.parameters if name not in inputs)
        values = "".join(f"{self._word(name)}, " for name in inputs)
        source = (
            f"def {self.__name__}({', '.join([*words, 'name=None'])}):\n"
            f"    return _apply(_op, ({values}), {{{attrs}}}, name)\n"
        )
        exec(compile(source, f"<op {self.name}>", "exec"), scope)
        return scope[self.__name__]

    def _word(self, name: str) -> str:
        """The parameter of a call for an input or attr."""
        return _legal(self.called.get(name, name))

    @property
    def __signature__(self) -> Any:
        return inspect.signature(self._caller)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._caller(*args, **kwargs)
        except overloads.REFUSALS:
            other = overloads.find_overload(self, args, kwargs)
            if other is None:
                raise
        return other(*args, **kwargs)

    def shape(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: `fn` infers the static shapes of the outputs."""
        self.shape_fn = fn
        return fn

    def grad(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: `fn(op, *dys)` builds the gradients of the inputs."""
        self.grad_fn = fn
        return fn

    def bind(self, fn: Bind) -> Bind:
        """Decorator: `fn(node, known)` returns a function of a node's inputs, for code that runs on NumPy often.

        The function computes what the kernel does, but has looked up what is the same in every step: attrs, dtypes, and
        inputs that are constants, of which `known(place)` is the value; it is None for others. `fn` returns None where
        the kernel itself is to be called.
        """
        self.bound = fn
        return fn

    def __repr__(self) -> str:
        return f"<op {' '.join(self.line.split())}>"


def op(line: str, **facets: Any) -> Callable[[Callable[..., Any]], OpDef]:
    """Declares the op whose OpDef `line` spells, with facets and traits; the decorated function is its kernel."""
    return lambda kernel: OpDef(line, kernel, **facets)


def _legal(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name
