"""Concrete functions: graphs traced for arguments of one kind."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.shapes import TensorShape
from evergraph.eager.arguments import Arguments, Parameters
from evergraph.eager.calls import call_function
from evergraph.eager.deferred import TracedGraph
from evergraph.eager.parts import spec_of, tensor_specs, tensors_of, value_of
from evergraph.frontend.collections import USED_OUTSIDE
from evergraph.frontend.specs import TensorSpec, TypeSpec
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Operation, Tensor


class _Reads(list[Any]):
    """A tape of the variables that a trace reads."""

    def record(self, operation: Operation) -> None:
        """Operations do not matter to it."""

    def accessed(self, variable: Any) -> None:
        """Notes a variable."""
        if not any(variable is each for each in self):
            self.append(variable)


def traced(name: str, python_function: Callable[..., Any], arguments: Arguments,
           specs: Sequence[TypeSpec], is_dataflow: bool = False) -> ConcreteFunction:
    """Calls a Python function with new arguments of a new graph, and makes a function of what it returns.

    Operations that change something run in every call; with `is_dataflow`, only if a result depends on them.

    Raises:
        TypeError: it returns something other than tensors.
    """
    graph = TracedGraph(f"__inference_{name}")
    graph.is_dataflow = is_dataflow
    reads = _Reads()
    with scopes.unrecorded(), scopes.tapes.pushed(reads), graph.as_default(), graph.own_collections(USED_OUTSIDE):
        args, kwargs = arguments.placed_in(graph, specs)
        given = set(graph.inputs)
        graph.arguments = {} if arguments.lacks_values else dict(zip(graph.inputs, arguments.tensors, strict=True))
        result = python_function(*args, **kwargs)
        outputs = nest.map_structure(lambda value: _output(graph, value), result)
    graph.arguments = {}
    graph.put_deferred_last()
    leaves = [leaf for leaf in nest.flatten(outputs) if leaf is not None]
    graph.outputs = [t for leaf in leaves for t in tensors_of(leaf, spec_of(leaf))]
    outside = [variable for variable in reads if variable.handle not in given]
    graph.read_variables = list(map(weakref.ref, outside))
    graph.control_outputs = graph.order().ends
    graph.structured_input_signature, graph.structured_outputs = arguments.described(specs), outputs
    concrete = ConcreteFunction(graph, arguments.parameters, graph.structured_input_signature, outputs, outside)
    concrete.reads_arguments = len(outside) < len(reads)
    return concrete


def _output(graph: FuncGraph, value: Any) -> Any:
    """A returned value as tensors of the graph, or None for one that is none."""
    if value is None or isinstance(value, Operation):
        return None
    spec = None if isinstance(value, (Tensor, ResourceVariable)) else spec_of(value)
    if spec is not None:
        return value_of(spec, [graph.capture(t) for t in tensors_of(value, spec)])
    try:
        return graph.capture(convert_to_tensor(value))
    except (TypeError, ValueError) as error:
        raise TypeError(f"{graph.name}, traced by tf.function, must return zero or more Tensors; it returned a "
                        f"{type(value).__name__}, which cannot become one.") from error


class ConcreteFunction:
    """One traced function: a graph for arguments of one kind.

    Attributes:
        graph: the FuncGraph.
        parameters: those of the Python function.
        structured_input_signature: (args, kwargs) of the function with a spec for each value made of tensors.
        structured_outputs: what the Python function returned, as tensors of the graph.
        reads_arguments: whether it reads variables that it gets as arguments.
    """

    def __init__(self, graph: FuncGraph, parameters: Parameters, signature: Any, outputs: Any,
                 variables: Sequence[Any]) -> None:
        self.graph, self.parameters, self._reads = graph, parameters, list(variables)
        self.structured_input_signature, self.structured_outputs = signature, outputs
        self.reads_arguments = False
        self.specs: list[TypeSpec] = [leaf for leaf in nest.flatten(signature) if isinstance(leaf, TypeSpec)]
        self._leaves = nest.flatten(outputs)
        self._is_single = isinstance(outputs, Tensor)
        self._results = [None if leaf is None else spec_of(leaf) for leaf in self._leaves]

    @property
    def name(self) -> str:
        """Its name in the library of functions."""
        return self.graph.name

    @property
    def inputs(self) -> list[Tensor]:
        """The arguments of the graph, captures last."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[Tensor]:
        """The results of the graph."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that the function uses."""
        return list(self.graph.captures)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that the function reads."""
        return tuple(self._reads)

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of them that are trainable."""
        return tuple(v for v in self._reads if v.trainable)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return nest.map_structure(lambda t: None if t is None else t.dtype, self.structured_outputs)

    @property
    def output_shapes(self) -> Any:
        """The static shapes of the results, in their structure."""
        return nest.map_structure(lambda t: None if t is None else t.shape, self.structured_outputs)

    # ---- calls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results for these arguments, which are structured as they were for the trace.

        Values of Python that the function was traced for may be left out. Tensors inside of structures may also be
        given one by one, in order, or by the names of their specs.

        Raises:
            TypeError: an argument is missing, or there are others.
        """
        return self.call_leaves(list(self._leaves_given(args, dict(kwargs))))

    def call_leaves(self, values: Sequence[Any]) -> Any:
        """The results for the values of the specs in the signature, in order. Shapes are not held to the specs'."""
        tensors = []
        for value, spec in zip(values, self.specs, strict=True):
            value = convert_to_tensor(value, spec.dtype) if isinstance(spec, TensorSpec) else value
            tensors += tensors_of(value, spec)
        return self.call_flat(tensors, [value for value in values if isinstance(value, ResourceVariable)])

    def _leaves_given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
        """The values of the leaves that consist of tensors, in order."""
        items = self._items_for(args)
        given = dict(zip([name for name, _ in self._places(items, len(args))], args))
        if len(given) < len(args) or given.keys() & kwargs.keys():
            raise TypeError(f"{self.name} takes {self._shown()}, got {len(args)} by position and {sorted(kwargs)}")
        given |= kwargs
        for name, wanted in items:
            is_first = nest.is_nested(wanted) and not nest.is_nested(given.get(name, ()))
            if name in given and not is_first:
                yield from self._parts(name, wanted, given.pop(name))
            else:
                yield from self._one_by_one(name, wanted, given)
        if given:
            raise TypeError(f"{self.name} takes {self._shown()}, got others: {sorted(given)}")

    def _items_for(self, args: tuple[Any, ...]) -> list[tuple[str, Any]]:
        """(name, spec or value) of what the arguments are: those of the function, or the leaves of all of them."""
        items = self._given()
        is_whole = len(args) <= len(self.structured_input_signature[0]) and not any(
            nest.is_nested(wanted) and not nest.is_nested(arg) for arg, (_, wanted) in zip(args, _holding(items)))
        return items if is_whole else [(spec.name, spec) for _, wanted in items for spec in _tensors_in(wanted)]

    def _places(self, items: list[tuple[str, Any]], count: int) -> list[tuple[str, Any]]:
        """Those of the items that so many arguments by position stand for; values of Python may be left out."""
        most = max(len(self.structured_input_signature[0]), len(items) == 1)  # the only argument needs no name
        by_position = items[:most] if items == self._given() else items
        return _holding(by_position) if count <= len(_holding(by_position)) else by_position

    def _one_by_one(self, name: str, wanted: Any, given: dict[str, Any]) -> Iterator[Any]:
        """The leaves of an argument by their own names, or by the argument's, numbered from the second on."""
        for number, leaf in enumerate(_tensors_in(wanted)):
            names = (getattr(leaf, "name", None), f"{name}_{number}" if number else name)
            found = next((each for each in names if each in given), None)
            if found is None:
                raise TypeError(f"{self.name} is missing its argument {name!r}; it takes {self._shown()}")
            yield given.pop(found)

    def _parts(self, name: str, wanted: Any, value: Any) -> Iterator[Any]:
        try:
            leaves = nest.flatten_up_to(wanted, value, check_types=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{self.name} takes {wanted} for {name!r}, got {value!r}") from error
        for each, leaf in zip(nest.flatten(wanted), leaves, strict=True):
            if isinstance(each, TypeSpec):
                yield leaf
            else:
                self._require_same(name, each, leaf)

    def _require_same(self, name: str, wanted: Any, value: Any) -> None:
        if wanted is not value and wanted != value:
            raise TypeError(f"{self.name} was traced for {wanted!r} as {name!r}, got {value!r}")

    def call_flat(self, tensors: Sequence[Tensor], variables: Sequence[Any] = ()) -> Any:
        """The results for the tensors among the arguments, and the variables among these."""
        if scopes.tapes.items:
            for variable in [*self._reads, *(variables if self.reads_arguments else ())]:
                scopes.accessed(variable)
        deferred = self.graph.deferred_values() if isinstance(self.graph, TracedGraph) else ()
        found = call_function(self.graph, [*tensors, *self.graph.captures, *deferred]) or ()
        if self._is_single:
            return found[0]
        rest = iter(found)
        leaves = [None if spec is None else value_of(spec, [next(rest) for _ in tensor_specs(spec)])
                  for spec in self._results]
        return nest.pack_sequence_as(self.structured_outputs, leaves)

    # ---- in words

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The types of the parameters, of the result and of what the function captures, a line each."""
        if not verbose:
            return self._shown()
        given = [f"  {name} ({self.parameters.kind(name)}): {type_text(value)}" for name, value in self._given()]
        captured = [f"  {id(t)}: {type_text(spec_of(t))}" for t in self.graph.captures]
        result = f"  {type_text(self._output_types())}"
        return "\n".join(["Input Parameters:", *(given or ["  None"]), "Output Type:", result,
                          "Captures:", *(captured or ["  None"])])

    def _given(self) -> list[tuple[str, Any]]:
        """(name, spec or value) of each argument."""
        args, kwargs = self.structured_input_signature
        names = [getattr(arg, "name", None) or self.parameters.name(i) for i, arg in enumerate(args)]
        return [*zip(names, args), *sorted(kwargs.items())]

    def _output_types(self) -> Any:
        return nest.pack_sequence_as(self.structured_outputs, self._results)

    def _shown(self) -> str:
        inside = ", ".join(f"{name}: {type_text(value)}" for name, value in self._given())
        return f"({inside}) -> {type_text(self._output_types())}"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self._shown()} at 0x{id(self):X}>"


def _tensors_in(wanted: Any) -> list[Any]:
    return [leaf for leaf in nest.flatten(wanted) if isinstance(leaf, TypeSpec)]


def _holding(items: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The items that consist of tensors."""
    return [item for item in items if _tensors_in(item[1])]


def type_text(value: Any) -> str:
    """A structure of specs and values as later TensorFlows print types."""
    if isinstance(value, TensorSpec):
        return f"TensorSpec(shape={TensorShape(value.shape)}, dtype={value.dtype!r}, name=None)"
    if isinstance(value, TypeSpec):
        return repr(value)
    if isinstance(value, dict):
        return f"Dict[{', '.join(f'[{key!r}, {type_text(each)}]' for key, each in value.items())}]"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        inside = ", ".join(f"[{key!r}, {type_text(each)}]" for key, each in value._asdict().items())
        return f"{type(value).__name__}[{inside}]"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.capitalize()}[{', '.join(map(type_text, value))}]"
    return f"Literal[{value!r}]"
