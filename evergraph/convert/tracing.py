"""A frozen graph as a function that JAX can trace for other processes and any platform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.compile import backend
from evergraph.compile.contexts import TraceContext
from evergraph.compile.generated import Lowered
from evergraph.compile.lower import lower
from evergraph.convert.model import Inconvertible, Input, told
from evergraph.frontend.importer import import_graph_def
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.kernel.context import Room
from evergraph.kernel.reasons import NeedStatic, Reason, Uncompilable
from evergraph.passes.dead_code import without_dead_code
from evergraph.passes.imported.functionalize import functionalize
from evergraph.passes.prune import prune
from evergraph.passes.shortcuts import without_idle
from evergraph.passes.state import with_inner

Function = Callable[..., list[Any]]


class _PortableContext(TraceContext):
    """A trace whose program lives without a session: nothing can be done when one of its assumptions fails."""

    def room(self, node: Operation) -> Room:
        def room(length: Any) -> int:
            raise Uncompilable("the length of a list is known to runs alone")

        return room


def traceable(message: Any, inputs: Sequence[Input], outputs: Sequence[str]) -> Function:
    """The function from the inputs to the outputs of a frozen graph; JAX can trace it where kernels are portable.

    Checks of values, such as those of indices and of tf.Assert, are left out.

    Raises:
        Inconvertible: nodes need Python or have state; it lists them all.
    """
    graph = Graph()
    with graph.as_default():
        import_graph_def(message, name="")
    given = [graph.get_tensor_by_name(each.tensor) for each in inputs]
    wanted = [graph.get_tensor_by_name(name) for name in outputs]
    fetches, feeds = without_dead_code(*functionalize(wanted, given))
    nodes = without_idle(prune(fetches, feeds), [each for each in fetches if isinstance(each, Tensor)])
    _refuse_host(nodes, feeds)
    lowered = lower(nodes, feeds, [each for each in fetches if isinstance(each, Tensor)])

    def function(*values: Any) -> list[Any]:
        context = _PortableContext(lambda key: None)
        results = _told(lowered, context, values)
        if context.cells:
            names = [cell.label or key for key, cell in context.cells.items()]
            raise Inconvertible(f"nodes have state, such as random numbers: {told(names)}")
        return [backend.jax().numpy.asarray(each) for each in results]

    return function


def _refuse_host(nodes: Sequence[Operation], given: Sequence[Tensor]) -> None:
    fed = {tensor.op for tensor in given}
    gaps = [node for node in with_inner(nodes) if node not in fed and _is_host_work(node)]
    if gaps:
        shown = [f"{node.type} '{node.name}'" for node in gaps]
        raise Inconvertible(f"{len(gaps)} nodes need Python or strings, which programs of XLA have not: {told(shown)}; "
                            "name inputs behind them (--inputs), or outputs without them (--outputs)")
    texts = [tensor.name for tensor in given if tensor.dtype.base_dtype == dtypes.string]
    if texts:
        raise Inconvertible(f"inputs are strings, which programs of XLA have not: {told(texts)}")


def _is_host_work(node: Operation) -> bool:
    has_text = any(tensor.dtype.base_dtype == dtypes.string for tensor in (*node.inputs, *node.outputs))
    is_idle = node.opdef.kind is Kind.CONSTANT or node.opdef.on == "anywhere"  # such as messages of assertions
    return node.opdef.on == "host" or has_text and not is_idle


def _told(lowered: Lowered, context: TraceContext, values: Sequence[Any]) -> Sequence[Any]:
    """Runs the function; what cannot be traced is told by its node."""
    try:
        return lowered.call(context, *values)
    except NeedStatic as error:
        raise Inconvertible(f"shapes depend on the values of {error.tensor.name}, known to runs alone") from error
    except (Reason, errors.OpError, TypeError, ValueError, IndexError, NotImplementedError) as error:
        node = lowered.node_behind(error)
        where = "" if node is None else f"{node.type} '{node.name}': "
        text = str(getattr(error, "message", None) or error)
        raise Inconvertible(f"{where}{text.partition(chr(10))[0]}") from error  # JAX says much about itself behind it
