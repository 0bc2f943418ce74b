"""tf.wrap_function: functions in the manner of TensorFlow 1, traced at once, of which parts can be taken."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from evergraph import proto
from evergraph.autograph.runtime import unconverted
from evergraph.base import nest
from evergraph.base.export import export
from evergraph.eager.arguments import Arguments, Parameters
from evergraph.eager.concrete import ConcreteFunction, traced
from evergraph.eager.function import lift
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.specs import TensorSpec
from evergraph.frontend.variables.base import variable_creator_scope
from evergraph.frontend.variables.scope import keep_variables
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor, share_handle_data


@export("wrap_function")
def wrap_function(fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> WrappedFunction:
    """Traces a function of TensorFlow 1's kind: once, with variables of its own, and without what no result needs.

    >>> tf.enable_eager_execution()
    >>> def counted(x):
    ...     total = tf.Variable(5.0)
    ...     with tf.control_dependencies([total.assign_add(x)]):
    ...         return total.read_value()
    >>> add = tf.wrap_function(counted, [tf.TensorSpec([], tf.float32)])
    >>> [float(add(1.0)), float(add(1.0))]
    [6.0, 7.0]

    Args:
        fn: the function. Operations in it run if a result depends on them, by data or by control dependencies.
        signature: its arguments: specs for tensors, and any other values.
        name: a name for the graph.

    Returns:
        A function that also has `prune`, `graph`, `variables`, and what concrete functions of tf.function have.
    """
    plain = unconverted(fn)

    def with_variables_of_its_own(*args: Any, **kwargs: Any) -> Any:
        graph = default_graph()
        keep_variables(graph)
        if graph.root.is_eager:  # which has no collections of variables that the function's could join
            graph._collections.update({name: [] for name in GraphKeys._VARIABLE_COLLECTIONS})
        return plain(*args, **kwargs)

    parameters = Parameters.of(fn)
    arguments = Arguments(*parameters.bound(tuple(signature), {}), parameters)
    with variable_creator_scope(_lift_and_collect):
        made = traced(name or getattr(fn, "__name__", "wrapped"), with_variables_of_its_own, arguments,
                      arguments.specs, is_dataflow=True)
    return WrappedFunction(made.graph, parameters, made.structured_input_signature, made.structured_outputs,
                           made.variables)


def _lift_and_collect(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    """Makes a variable outside of the function, and adds it to the function's collections."""
    graph, variable = default_graph(), lift(next_creator, **kwargs)
    if graph.root.is_eager:
        names = list(kwargs.get("collections") or [GraphKeys.GLOBAL_VARIABLES])
        graph.add_to_collections([*names, *[GraphKeys.TRAINABLE_VARIABLES] * bool(variable.trainable)], variable)
    return variable


class WrappedFunction(ConcreteFunction):
    """What `tf.wrap_function` makes."""

    def prune(self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None) -> WrappedFunction:
        """A function from some tensors of the graph to others, with the same variables.

        Args:
            feeds: the tensors that become arguments, in a structure; arguments of the whole function that the fetches
                depend on are among them.
            fetches: what the new function returns: tensors in a structure, or their names, also as TensorInfo. An
                operation in it runs, and gives None.
            name: a name for the graph.
            input_signature: the specs of the arguments, where those of the feeds are not to be.

        Raises:
            ValueError: a fetch depends on an argument that is not fed.
        """
        captured = set(self.graph.captures.values())  # which stay captured, fed or not
        given = [t for t in nest.flatten(feeds, expand_composites=True) if t not in captured]
        fetches = nest.map_structure(self._element, fetches)
        wanted = nest.flatten(fetches, expand_composites=True)
        part = FuncGraph(name or f"{self.name}_pruned", self.graph.outer_graph)
        part.is_dataflow = True
        copier = _Copier(self.graph, part, given)
        with part.as_default():
            leaves = [None if isinstance(each, Operation) else copier.tensor(each) for each in wanted]
            done = part.control_outputs = [copier.node(each) for each in wanted if isinstance(each, Operation)]
            part.outputs = [t for t in leaves if t is not None]
            if done:  # a function runs an operation because a result waits for it
                with part.control_dependencies(done):
                    part.outputs.append(convert_to_tensor(True))
        specs = nest.flatten(input_signature) if input_signature is not None else [
            TensorSpec(t.shape, t.dtype, t.op.name) for t in given]
        outputs = nest.pack_sequence_as(fetches, leaves, expand_composites=True)
        used = [v for v in self.variables if v.handle in part.captures]
        part.read_variables = list(map(weakref.ref, used))
        return WrappedFunction(part, Parameters(None), (tuple(specs), {}), outputs, used)

    def _element(self, fetch: Any) -> Any:
        """What a fetch stands for in the graph: itself, unless it is a name."""
        name = fetch.name if isinstance(fetch, proto.meta_graph_pb2.TensorInfo) else fetch
        return self.graph.as_graph_element(name) if isinstance(name, str) else fetch


class _Copier:
    """Copies those nodes of one function into another that are asked for, with all that they depend on."""

    def __init__(self, whole: FuncGraph, part: FuncGraph, given: Sequence[Tensor]) -> None:
        self._whole, self._part = whole, part
        self._outside = {inner: outer for outer, inner in whole.captures.items()}
        self._tensors = {t: part.add_input(t._dtype, t._shape, t.op.name) for t in given}
        self._nodes: dict[Operation, Operation] = {}

    def tensor(self, tensor: Tensor) -> Tensor:
        """The copy of a tensor."""
        if tensor not in self._tensors:
            if tensor in self._outside:
                self._tensors[tensor] = self._part.capture(self._outside[tensor])
            elif any(tensor is each for each in self._whole.inputs):
                raise ValueError(f"prune: the fetches depend on {tensor.name}, an argument that is not among the feeds")
            else:
                self._tensors[tensor] = self.node(tensor.op).outputs[tensor.value_index]
        return self._tensors[tensor]

    def node(self, node: Operation) -> Operation:
        """The copy of a node."""
        for each in self._needed(node):
            self._part.claim_name(each.name)
            copy = self._part.add_node(each.opdef, each.name, [self.tensor(t) for t in each._inputs], dict(each.attrs))
            copy.extra.update(each.extra)
            copy._add_control_inputs([self._nodes[c] for c in each._control_inputs])
            for old, new in zip(each.outputs, copy.outputs, strict=True):
                new._shape = old._shape
                share_handle_data(old, new)
            self._nodes[each] = copy
        return self._nodes[node]

    def _needed(self, node: Operation) -> list[Operation]:
        """The node and those before it that are not copied yet, in the order in which the function has them."""
        found: set[Operation] = set()
        known = {*self._tensors, *self._whole.inputs}
        stack = [node]
        while stack:
            each = stack.pop()
            if each in found or each in self._nodes:
                continue
            found.add(each)
            stack += each._control_inputs
            stack += [t.op for t in each._inputs if t not in known]
        return [each for each in self._whole._nodes if each in found]
