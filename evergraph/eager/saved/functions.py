"""Functions of a loaded SavedModel."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import errors, nest
from evergraph.eager.arguments import Parameters
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.parts import spec_of, tensor_specs, value_of
from evergraph.eager.saved.structures import decoded
from evergraph.frontend.specs import TensorSpec, TypeSpec
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.decode import new_functions
from evergraph.graph.function import FuncGraph, unique_function_name
from evergraph.graph.graph import Graph
from evergraph.graph.node import Tensor, share_handle_data
from evergraph.graph.renaming import rename_functions
from evergraph.ops.arrays.basic import identity


def added_library(graph: Graph, library: Any) -> dict[str, str]:
    """Adds the functions of a model to a graph under new names; returns the names: in the model -> in the graph."""
    names = {each.signature.name: unique_function_name(graph, each.signature.name) for each in library.function}
    renamed = proto.function_pb2.FunctionDefLibrary()
    renamed.CopyFrom(library)
    rename_functions(renamed, names)
    for node in [node for function in renamed.function for node in function.node_def]:
        node.attr.pop("_gradient_op_type", None)  # a gradient that the writing program had registered
    graph.library.update(new_functions(graph, renamed))
    return names


def restored(graph: Graph, name: str, message: Any, parameters: Parameters, bound: Sequence[Tensor],
             variables: Sequence[Any]) -> ConcreteFunction:
    """A function of the model, with what it captures bound to tensors of the program.

    Args:
        graph: the graph that has the functions of the model.
        name: that of the function in the graph.
        message: its SavedConcreteFunction.
        parameters: those of the Python function it was traced from.
        bound: the captured tensors, which are its last arguments.
        variables: the variables among them.
    """
    function: FuncGraph = graph.function(name)
    inner = function.inputs[len(function.inputs) - len(bound):]
    for outside, inside in zip(bound, inner, strict=True):
        share_handle_data(outside, inside)
        function.captures[outside if outside not in function.captures else identity(outside)] = inside
    outputs = decoded(message.output_signature)
    rest = iter(function.outputs)
    leaves = [value_of(leaf, [_shaped(next(rest), each) for each in tensor_specs(leaf)])
              if isinstance(leaf, TypeSpec) else leaf for leaf in nest.flatten(outputs)]
    with function.as_default():
        structured = nest.pack_sequence_as(outputs, leaves)
    return ConcreteFunction(function, parameters, decoded(message.canonicalized_input_signature), structured, variables)


def _shaped(tensor: Tensor, spec: TensorSpec) -> Tensor:
    if tensor._handle_data is None:
        tensor.set_shape(spec.shape)
    return tensor


class Trace:
    """A graph of a function of a loaded model, which is built when it is first called.

    Args:
        signature: the arguments that it was traced for.
        build: makes it.
    """

    def __init__(self, signature: Any, build: Callable[[], ConcreteFunction]) -> None:
        self.signature, self._build = signature, build
        self._built: ConcreteFunction | None = None

    def built(self) -> ConcreteFunction:
        """The graph as a function."""
        if self._built is None:
            self._built = self._build()
        return self._built


class RestoredFunction:
    """A tf.function of a loaded model: it calls the graph that was traced for arguments of that kind."""

    def __init__(self, parameters: Parameters, traces: list[Trace], input_signature: Any) -> None:
        self.parameters, self._traces, self._signature = parameters, traces, input_signature

    @property
    def input_signature(self) -> Any:
        """The specs of the arguments, or None."""
        return self._signature

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The graphs, in the order of the model."""
        return [trace.built() for trace in self._traces]

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        """The same: TensorFlow's private name, which programs use."""
        return self.concrete_functions

    @property
    def __signature__(self) -> inspect.Signature | None:
        """What `inspect` says of the function: the parameters of the one that was saved."""
        return self.parameters.signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results of the graph for these arguments.

        Raises:
            ValueError: the model has no graph for such arguments.
        """
        given = self.parameters.bound(args, kwargs)
        for exactly in (True, False):
            for trace in self._traces:
                leaves = _fitted(trace.signature, given, exactly)
                if leaves is not None:
                    return trace.built().call_leaves(leaves)
        raise ValueError(self._no_graph_for(given))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph that was traced for arguments of this kind; a tf.TensorSpec stands for a tensor.

        Raises:
            ValueError: the model has none.
        """
        if self._signature is not None and not args and not kwargs:
            args = tuple(self._signature)
        given = self.parameters.bound(args, kwargs)
        for trace in self._traces:
            if _fitted(trace.signature, given, True) is not None:
                return trace.built()
        raise ValueError(self._no_graph_for(given))

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The types of the parameters and results of each graph, as text."""
        return "\n\n".join(each.pretty_printed_signature(verbose) for each in self.concrete_functions)

    def _no_graph_for(self, given: Any) -> str:
        known = "\n".join(f"  {each.signature}" for each in self._traces)
        return (f"the model has no graph for the arguments {given}: it holds those that its functions were traced for "
                f"before it was saved:\n{known or '  none'}")


def only_graph(function: Any) -> ConcreteFunction:
    """The graph of a function without arguments.

    Raises:
        ValueError: it is no function, or has no graph.
    """
    if isinstance(function, ConcreteFunction):
        return function
    graphs = getattr(function, "_list_all_concrete_functions_for_serialization", list)()
    if len(graphs) != 1:
        raise ValueError(f"a function without arguments has one graph, got {function!r} with {len(graphs)}")
    return graphs[0]


def _fitted(wanted: Any, given: Any, exactly: bool) -> list[Any] | None:
    """The values for the specs of a signature; None if the arguments do not fit it.

    With `exactly` false numbers and lists of them become tensors where the signature has tensors.
    """
    try:
        leaves = nest.flatten_up_to(wanted, given, check_types=False)
    except (TypeError, ValueError):
        return None
    found = []
    for spec, value in zip(nest.flatten(wanted), leaves, strict=True):
        if not isinstance(spec, TypeSpec):
            if nest.is_nested(value) or spec_of(value) is not None or not _same(spec, value):
                return None
            continue
        if isinstance(spec, TensorSpec) and (isinstance(value, (np.ndarray, np.generic)) or not exactly):
            value = _converted(value, spec)
        own = spec_of(value)
        if own is None or not _fits(spec, own):
            return None
        found.append(value)
    return found


def _same(wanted: Any, value: Any) -> bool:
    return bool(wanted is value or wanted == value)


def _fits(spec: TypeSpec, own: TypeSpec) -> bool:
    """Whether a value with the spec `own` is one of `spec`: the names and aliases of variables do not matter."""
    if type(spec) is not type(own):
        return False
    if hasattr(spec, "alias_id"):
        return spec.dtype == own.dtype and spec.shape.is_compatible_with(own.shape)  # type: ignore[attr-defined]
    return spec.is_compatible_with(own)


def _converted(value: Any, spec: TensorSpec) -> Any:
    try:
        return convert_to_tensor(value, None if isinstance(value, np.ndarray) else spec.dtype)
    except (TypeError, ValueError, errors.OpError):
        return None
