"""What surrounds a kernel: where the arguments besides its inputs and attrs come from.

A kernel names what it needs as parameters. `kernel/calling.py` says what each name means, and asks a context for those
that depend on where the kernel runs:

| context | where | kernels see | gives |
|---|---|---|---|
| `NumpyContext` | compile/contexts.py | NumPy arrays; a step that runs as Python | everything |
| `TraceContext` | compile/contexts.py | tracers and NumPy arrays; JAX traces a step | everything but `shared` |
| `EagerContext` | eager/context.py | NumPy arrays; an op that runs when it is called | everything |
| `FoldingContext` | here | NumPy arrays, while a graph is built or a loop analysed | `xp`, `node`, `check`, `room` |
| `AbstractContext` | here | tracers, to infer static shapes | `xp`, `lax`, `node`, `check`, `room` |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeVar

import numpy as np

from evergraph.base import errors
from evergraph.kernel.reasons import NeedStatic
from evergraph.kernel.values import array_module, is_traced, settled

if TYPE_CHECKING:
    from evergraph.graph.function import FuncGraph
    from evergraph.graph.node import Operation, Tensor
    from evergraph.kernel.cells import Cell
    from evergraph.kernel.philox import Stream

ErrorClass = Callable[[Any, Any, str], errors.OpError]  # of (node_def, op, message)
Room = Callable[[Any], int]


class Check(Protocol):
    """What kernels get as `check`."""

    def __call__(self, ok: Any, message: str, *data: Any, error: ErrorClass = ...) -> None:
        """Fails the step unless every element of `ok` is true.

        Args:
            ok: a boolean or an array of them, traced or concrete.
            message: what is wrong; each `{}` in it shows one value of `data`.
            data: those values, traced or concrete.
            error: the class of the error, InvalidArgumentError by default.
        """


class Shared(Protocol):
    """What kernels get as `shared`."""

    def __call__(self, make: Callable[[], Any], key: str = ...) -> Any:
        """The session's object for this node (a queue, a table), made by `make` when first used.

        An object with a `key` of its own is shared by all nodes of the session that name it.
        """


class Function(Protocol):
    """What kernels get for an attr that names a function: `function(*arguments)` returns the list of its outputs."""

    graph: FuncGraph

    def __call__(self, *arguments: Any) -> list[Any]: ...


class Detached(Protocol):
    """Calls functions when the step is over, from any thread. Each call is a step of its own."""

    def function(self, graph: FuncGraph, streams: dict[str, Any]) -> Callable[..., list[Any]]:
        """A callable for `graph`: `function(*arguments)` returns the list of its outputs.

        Random ops in it draw from `streams`, states by key that belong to the caller, so that two callers draw the
        same numbers; everything else that the function uses is the session's.
        """

    def may_run_at_once(self, graph: FuncGraph) -> bool:
        """Whether calls of the function may happen at the same time.

        They may if it draws nothing and has no side effects but those of Python functions, whose order is not promised.
        """

    def is_worth_threads(self, graph: FuncGraph) -> bool:
        """Whether the function has ops that are worth threads, see graph/traits.py."""

    def is_quiet(self, graph: FuncGraph) -> bool:
        """Whether nobody can tell when the function is called: it has no side effects and reads no variable."""

    def batched(self, graph: FuncGraph, streams: dict[str, Any], count: int) -> Callable[..., list[Any]] | None:
        """A callable for many rows at once: `function(rows, columns, captured)` returns the columns of the outputs.

        The columns of the first `count` inputs have a value for each row, as arrays or lists; the other inputs are
        the same for all. A call that fails has drawn no random numbers. None if rows could not tell a call for all
        from a call for each, because the function has side effects.
        """


F = TypeVar("F", bound=Function)


class Context(Protocol[F]):
    """Gives kernels what they ask for. Each method is named after the kernel parameter it answers.

    Attributes:
        gives: the parameter names that this context has an answer to; the others raise InternalError.
        tracing: whether JAX traces the kernels.
    """

    gives: ClassVar[frozenset[str]]
    tracing: ClassVar[bool]

    # ---- inputs and outputs

    def static(self, value: Any, tensor: Tensor) -> Any:
        """The value of an input that the op declares static.

        Raises:
            NeedStatic: the value is only being traced.
        """

    def settle(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A result of a kernel as an array of the dtype that its output is declared with."""

    # ---- what a kernel asks for by name

    def xp(self, *values: Any) -> Any:
        """`xp`: numpy if all inputs are concrete, else jax.numpy."""

    def lax(self, node: Operation) -> Any:
        """`lax`: jax.lax; a kernel that asks for it exists for XLA alone, unless the op says `slow_on_numpy`."""

    def rng(self, node: Operation) -> Stream:
        """`rng`: the node's Philox stream."""

    def cell(self, node: Operation) -> Cell:
        """`cell`: the node's storage between steps."""

    def shared(self, node: Operation) -> Shared:
        """`shared`: the session's Python objects."""

    def check(self, node: Operation) -> Check:
        """`check`: how the kernel validates values. Fails at once, or when the compiled program has run."""

    def room(self, node: Operation) -> Room:
        """`room`: `room(length)` is a number of rows that a list needs at most whose length is a tracer."""

    # ---- functions

    def function(self, graph: FuncGraph) -> F:
        """The callable of an attr that names a function."""

    def choose(self, node: Operation, index: Any, branches: Sequence[F], arguments: Sequence[Any]) -> list[Any]:
        """The outputs of branch number `index`, of the last branch if there is no such number."""

    def repeat(self, node: Operation, cond: F, body: F, arguments: Sequence[Any]) -> list[Any]:
        """The loop variables after `body` has run for as long as `cond` holds."""

    def call(self, node: Operation, function: F, arguments: Sequence[Any]) -> list[Any]:
        """The outputs of a function that the node calls."""

    def gradient(self, node: Operation, function: F, values: Sequence[Any]) -> list[Any]:
        """The gradients of a function by its arguments; `values` are those arguments, then the outputs' gradients."""

    def detached(self) -> Detached:
        """How objects of the session, such as iterators, call functions after this step."""


class PureContext:
    """Serves kernels whose outputs follow from inputs and attrs alone; has no session and calls no functions."""

    gives: ClassVar[frozenset[str]] = frozenset({"xp", "node", "check", "room"})
    tracing: ClassVar[bool] = False

    def _refuse(self, node: Operation) -> NoReturn:
        raise errors.InternalError(None, node, f"{node.type} needs a session")

    lax = rng = cell = shared = _refuse

    def room(self, node: Operation) -> Room:
        return not_traced

    def function(self, graph: FuncGraph) -> Function:
        raise errors.InternalError(None, None, f"the function {graph.name} needs a session")

    def choose(self, node: Operation, index: Any, branches: Sequence[Function], arguments: Sequence[Any]) -> list[Any]:
        self._refuse(node)

    def repeat(self, node: Operation, cond: Function, body: Function, arguments: Sequence[Any]) -> list[Any]:
        self._refuse(node)

    def call(self, node: Operation, function: Function, arguments: Sequence[Any]) -> list[Any]:
        self._refuse(node)

    def gradient(self, node: Operation, function: Function, values: Sequence[Any]) -> list[Any]:
        self._refuse(node)

    def detached(self) -> Detached:
        raise errors.InternalError(None, None, "functions cannot be called without a session")


def not_traced(length: Any) -> int:
    """`room` where every value is concrete."""
    raise errors.InternalError(None, None, f"the length of a list is {length}, which is no number")


def always_numpy(*values: Any) -> Any:
    """`xp` where every value is concrete."""
    return np


def unchanged(value: Any, tensor: Tensor) -> Any:
    """`static` where every value is concrete."""
    return value


def check_now(ok: Any, message: str, *data: Any, error: ErrorClass = errors.InvalidArgumentError) -> None:
    """`check` for concrete values.

    Raises:
        error: `ok` does not hold everywhere.
    """
    if ok is not True and ok is not np.True_ and not np.all(ok):
        raise error(None, None, message_with(message, data))


def message_with(message: str, data: Sequence[Any]) -> str:
    """The message of a failed check, with the values it names filled in."""
    return message.format(*(np.asarray(d) for d in data)) if data else message


class FoldingContext(PureContext):
    """Computes pure nodes on NumPy while no step runs: constants of a graph that is being built, trip counts."""

    xp, static = staticmethod(always_numpy), staticmethod(unchanged)
    settle = staticmethod(settled)

    def check(self, node: Operation) -> Check:
        return check_now


class AbstractContext(PureContext):
    """Traces kernels for the shapes of their results; no program is compiled and no check decided."""

    gives = PureContext.gives | {"lax"}
    tracing = True
    xp = staticmethod(array_module)

    def static(self, value: Any, tensor: Tensor) -> Any:
        if is_traced(value):
            raise NeedStatic(tensor)
        return value

    def settle(self, value: Any, dtype: np.dtype[Any]) -> Any:
        return value  # only its shape is looked at

    def lax(self, node: Operation) -> Any:
        import jax

        return jax.lax

    def check(self, node: Operation) -> Check:
        return undecided


def undecided(ok: Any, message: str, *data: Any, error: ErrorClass = errors.InvalidArgumentError) -> None:
    """`check` where values are not known: the run decides."""
