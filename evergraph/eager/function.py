"""tf.function: Python functions traced into functions of graphs, one for each kind of arguments."""

from __future__ import annotations

import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.autograph.features import features_of
from evergraph.autograph.runtime import Runtime, converted, unconverted
from evergraph.base import errors, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.eager.calls import call_function
from evergraph.frontend.variables.base import Variable, variable_creator_scope
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.specs import TensorSpec


class Execution:
    """How functions run.

    Attributes:
        functions_eagerly: as plain Python, without a trace.
    """

    functions_eagerly = False


execution = Execution()


@export("function")
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
) -> Any:
    """Traces a Python function into a graph when it is called; later calls with the same kind of arguments run that.

    >>> @tf.function
    ... def scaled(x, by):
    ...     return x * by

    Tensors and arrays are arguments of the graph: one is traced for each combination of their dtypes and shapes, for
    each value of the other arguments, and for each structure. Effects happen in the order of the program at every call.
    What the function creates once, such as variables, it has to create in its first call.

    Args:
        func: the function; without it, this is a decorator with options.
        input_signature: a tf.TensorSpec for each argument, or a structure of them: then one graph serves all calls.
        autograph: whether conditions and loops of Python that see tensors become those of the graph; False calls the
            function as it is.
        experimental_autograph_options: a tf.autograph.experimental.Feature, or several.
        experimental_relax_shapes: whether sizes that differ from call to call become unknown, for fewer graphs.
        experimental_compile: has no effect: XLA compiles what is worth it in any case.

    Returns:
        A function that also has `get_concrete_function`, `python_function` and `input_signature`.
    """
    runtime = Runtime(features=features_of(experimental_autograph_options)) if autograph else None
    make = functools.partial(Function, input_signature=input_signature, relax_shapes=experimental_relax_shapes,
                             runtime=runtime)
    return make if func is None else make(func)


@export("contrib.eager.defun")
def defun(func: Callable[..., Any] | None = None, input_signature: Sequence[Any] | None = None, autograph: bool = True,
          experimental_autograph_options: Any = None, experimental_relax_shapes: bool = False) -> Any:
    """The older form of `tf.function`, with the same arguments."""
    return function(func, input_signature, autograph, experimental_autograph_options, experimental_relax_shapes)


class Function:
    """What `tf.function` makes."""

    def __init__(self, python_function: Callable[..., Any], input_signature: Sequence[Any] | None = None,
                 relax_shapes: bool = False, name: str | None = None, runtime: Runtime | None = None) -> None:
        if not callable(python_function):
            raise TypeError(f"tf.function needs a function, got {python_function!r}")
        self._python_function, self._relax_shapes, self._runtime = python_function, relax_shapes, runtime
        self._signature = None if input_signature is None else tuple(input_signature)
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self._parameters = _parameters(python_function)
        self._positional = _positional(self._parameters)
        self._lock = threading.RLock()
        self._traced: dict[Any, ConcreteFunction] = {}
        self._relaxed: dict[Any, Relaxed] = {}
        self._bound: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()
        self._may_create = True
        functools.update_wrapper(self, python_function)

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._python_function

    @property
    def input_signature(self) -> Any:
        """The specs of the arguments, or None."""
        return self._signature

    def __get__(self, instance: Any, owner: Any) -> Any:
        """The function as a method of an instance, which has traces of its own."""
        if instance is None:
            return self
        if instance not in self._bound:
            held = weakref.ref(instance)
            method = functools.wraps(self._python_function)(
                lambda *args, **kwargs: self._traceable()(held(), *args, **kwargs))
            method.__signature__ = _without_self(self._python_function)  # type: ignore[attr-defined]
            self._bound[instance] = Function(method, self._signature, self._relax_shapes, self._name, self._runtime)
        return self._bound[instance]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if execution.functions_eagerly:
            return self._python_function(*args, **kwargs)
        arguments = self._bind(args, kwargs)
        concrete = self._concrete(arguments)
        return concrete.call_flat(arguments.tensors)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The traced function for arguments of this kind; a tf.TensorSpec stands for tensors of unknown value.

        Raises:
            ValueError: there are arguments besides the input signature.
        """
        if self._signature is not None and (args or kwargs):
            given = nest.flatten((args, kwargs))
            if len(given) != len(nest.flatten(self._signature)):
                raise ValueError("a function with an input_signature takes no other arguments for its trace")
        if self._signature is not None:
            args, kwargs = self._signature, {}
        return self._concrete(self._bind(args, kwargs))

    # ---- tracing

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        if self._parameters is not None:
            bound = self._parameters.bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if self._signature is not None:
            args = self._fitted(args)
        return Arguments(args, kwargs, self._positional)

    def _fitted(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments as tensors of the input signature.

        Raises:
            ValueError: they do not fit it.
        """
        assert self._signature is not None
        given = args[: len(self._signature)]
        try:
            values = nest.flatten_up_to(self._signature, given, check_types=False)
        except (ValueError, TypeError):
            raise ValueError(f"Structure of Python function inputs {given} does not match the input_signature "
                             f"{self._signature}") from None
        flat = []
        for spec, value in zip(nest.flatten(self._signature), values, strict=True):
            if not isinstance(value, (Tensor, TensorSpec)):
                value = convert_to_tensor(value, spec.dtype)
            if not spec.is_compatible_with(value) if not isinstance(value, TensorSpec) else spec != value:
                raise ValueError(f"Python inputs incompatible with input_signature: {value} does not fit {spec}")
            flat.append(Specified(value, spec))
        return (*nest.pack_sequence_as(self._signature, flat), *args[len(self._signature):])

    def _concrete(self, arguments: Arguments) -> ConcreteFunction:
        key = (_place(), arguments.key)
        with self._lock:
            found = self._traced.get(key)
            if found is None and self._relax_shapes and self._signature is None:
                found = self._relaxed_for(arguments)
            if found is None:
                found = self._traced[key] = self._trace(arguments, _shapes(arguments))
        return found

    def _relaxed_for(self, arguments: Arguments) -> ConcreteFunction | None:
        """A trace with unknown sizes where those of earlier calls differ; None for the first two shapes."""
        key = (_place(), arguments.ranks)
        seen = self._relaxed.setdefault(key, Relaxed())
        seen.misses += 1
        if seen.misses == 2:
            seen.shapes = _shapes(arguments)
        if seen.misses < 3:
            return None
        shapes = [a.most_specific_compatible_shape(b) for a, b in zip(_shapes(arguments), seen.shapes, strict=True)]
        if seen.concrete is None or [s.tuple for s in shapes] != [s.tuple for s in seen.shapes]:
            seen.shapes, seen.concrete = shapes, self._trace(arguments, shapes)
        return seen.concrete

    def _traceable(self) -> Callable[..., Any]:
        """What a trace calls: the Python function, converted by AutoGraph unless `autograph` was False."""
        if self._runtime is None:
            return unconverted(self._python_function)
        return converted(self._python_function, self._runtime)

    def _trace(self, arguments: Arguments, shapes: list[TensorShape]) -> ConcreteFunction:
        """Traces; a first trace that makes variables is followed by another, which uses them."""
        if not self._may_create:
            with variable_creator_scope(_refuse):
                return ConcreteFunction(self._name, self._traceable(), arguments, shapes)
        made: list[Any] = []

        def creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            made.append(next_creator(**kwargs))
            return made[-1]

        with variable_creator_scope(creator):
            concrete = ConcreteFunction(self._name, self._traceable(), arguments, shapes)
        self._may_create = False
        return self._trace(arguments, shapes) if made else concrete


class Relaxed:
    """The traces for tensors of some ranks: how often none was found, the sizes in common, and the trace for these."""

    def __init__(self) -> None:
        self.misses = 0
        self.shapes: list[TensorShape] = []
        self.concrete: ConcreteFunction | None = None


def _shapes(arguments: Arguments) -> list[TensorShape]:
    return [TensorShape(spec.shape) for spec in arguments.specs]


def _refuse(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    raise ValueError("a tf.function may create variables only in its first call, and a later call created one")


def _parameters(python_function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(python_function)
    except (TypeError, ValueError):
        return None


def _positional(parameters: inspect.Signature | None) -> list[str]:
    """The names of the parameters that take one positional argument each."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [] if parameters is None else [p.name for p in parameters.parameters.values() if p.kind in kinds]


def _without_self(python_function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(python_function)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _place() -> Any:
    """What a trace belongs to besides its arguments: the graph around, whose tensors it may use."""
    graph = default_graph()
    return None if graph.is_eager else graph


# ---- arguments


class Specified:
    """A tensor, or the spec of one, for a place of the input signature."""

    def __init__(self, value: Any, spec: TensorSpec) -> None:
        self.value, self.spec = value, spec


class Arguments:
    """The arguments of a call: tensors, and other values that a trace is made for.

    Attributes:
        tensors: the tensors among them, in order.
        specs: the dtype and shape of each.
        key: equal for arguments that one trace serves.
        ranks: the same without the sizes of shapes.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], names: Sequence[str] = ()) -> None:
        self._structure, self._names = (tuple(args), kwargs), names
        self._leaves = [_as_leaf(leaf) for leaf in nest.flatten(self._structure, expand_composites=True)]
        self.tensors = [leaf for leaf in map(_value, self._leaves) if isinstance(leaf, Tensor)]
        self.specs = [_spec(leaf) for leaf in self._leaves if _spec(leaf) is not None]
        form = repr(nest.map_structure(lambda leaf: 0, self._structure))
        self.words = self._words()
        self.key = (form, *(_leaf_key(leaf, True) for leaf in self._leaves))
        self.ranks = (form, *(_leaf_key(leaf, False) for leaf in self._leaves))

    def _words(self) -> list[str | None]:
        """The keyword of each tensor: the name of its spec or parameter; None inside of structures."""
        words: list[str | None] = []
        for place, value in enumerate(self._structure[0]):
            name = self._names[place] if place < len(self._names) else None
            for leaf in nest.flatten(value, expand_composites=True):
                spec = _spec(_as_leaf(leaf))
                if spec is not None:
                    words.append(spec.name or (name if leaf is value else None))
        for name, value in sorted(self._structure[1].items()):
            leaves = nest.flatten(value, expand_composites=True)
            words += [name if leaf is value else None for leaf in leaves if _spec(_as_leaf(leaf)) is not None]
        return words

    def placed_in(self, graph: FuncGraph, shapes: list[TensorShape]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """(args, kwargs) with new arguments of `graph` for the tensors."""
        sizes = iter(shapes)
        words = iter(self.words)
        leaves = [leaf if _spec(leaf) is None else
                  graph.add_input(_spec(leaf).dtype, next(sizes).tuple, _label(next(words))) for leaf in self._leaves]
        args, kwargs = nest.pack_sequence_as(self._structure, leaves, expand_composites=True)
        return args, kwargs

    def described(self) -> Any:
        """(args, kwargs) with the specs of the tensors."""
        args, kwargs = nest.map_structure(lambda leaf: _spec(_as_leaf(leaf)) or leaf, self._structure)
        named = [TensorSpec(each.shape, each.dtype, each.name or name) if isinstance(each, TensorSpec) else each
                 for each, name in zip(args, self._names)]
        return (*named, *args[len(self._names):]), kwargs


def _as_leaf(leaf: Any) -> Any:
    """A leaf of the arguments; arrays become tensors."""
    return convert_to_tensor(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf


def _value(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, Specified) else leaf


def _spec(leaf: Any) -> Any:
    """The spec of a leaf that is an argument of the graph; None for other values."""
    if isinstance(leaf, Specified):
        return leaf.spec
    if isinstance(leaf, TensorSpec):
        return leaf
    return TensorSpec(leaf.shape, leaf.dtype.base_dtype) if isinstance(leaf, Tensor) else None


def _label(word: str | None) -> str:
    """The name of the node of an argument."""
    return word if word and word.replace("_", "a").isalnum() and word[0] != "_" else "arg"


def _leaf_key(leaf: Any, with_sizes: bool) -> Any:
    spec = _spec(leaf)
    if spec is not None:
        shape = TensorShape(spec.shape)
        return "tensor", spec.dtype, shape.tuple if with_sizes else shape.ndims
    if isinstance(leaf, Variable):
        return "variable", leaf.serial
    try:
        hash(leaf)
    except TypeError:
        raise ValueError(f"an argument of a tf.function is a tensor, an array or a hashable value, got {leaf!r}") \
            from None
    return leaf


# ---- traces


class _Reads(list[Any]):
    """A tape of the variables that a trace reads."""

    def record(self, operation: Operation) -> None:
        """Operations do not matter to it."""

    def accessed(self, variable: Any) -> None:
        """Notes a variable."""
        if not any(variable is each for each in self):
            self.append(variable)


class ConcreteFunction:
    """One traced function: a graph for arguments of one kind.

    Attributes:
        graph: the FuncGraph.
        structured_outputs: what the Python function returned, as tensors of the graph.
    """

    def __init__(self, name: str, python_function: Callable[..., Any], arguments: Arguments,
                 shapes: list[TensorShape]) -> None:
        self.graph = FuncGraph(f"__inference_{name}")
        self._reads = _Reads()
        with scopes.unrecorded(), scopes.tapes.pushed(self._reads), self.graph.as_default():
            args, kwargs = arguments.placed_in(self.graph, shapes)
            self._count = len(self.graph.inputs)
            result = python_function(*args, **kwargs)
            self.structured_outputs = nest.map_structure(self._output, result)
        flat = nest.flatten(self.structured_outputs, expand_composites=True)
        self.graph.outputs = [t for t in flat if t is not None]
        self._specs, self._words, self._signature = arguments.specs, arguments.words, arguments.described()

    def _output(self, value: Any) -> Any:
        """A returned value as a tensor of the graph, or None for one that is none."""
        if value is None or isinstance(value, Operation):
            return None
        if nest.is_nested_or_composite(value):
            parts = [self.graph.capture(t) for t in nest.flatten(value, expand_composites=True)]
            return nest.pack_sequence_as(value, parts, expand_composites=True)
        try:
            return self.graph.capture(convert_to_tensor(value))
        except (TypeError, ValueError) as error:
            raise TypeError(f"To be compatible with tf.function, Python functions must return zero or more Tensors; in "
                            f"compilation of {self.graph.name}, found return value of type {type(value).__name__}, "
                            f"which is not a Tensor.") from error

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
    def structured_input_signature(self) -> Any:
        """(args, kwargs) of the function with a tf.TensorSpec for each tensor."""
        return self._signature

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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The results for these tensors, in the order of the arguments; keywords are their names."""
        given = list(nest.flatten(args, expand_composites=True))
        for word in self._words[len(given):]:
            if word not in kwargs:
                raise TypeError(f"{self.name} takes the tensors {self._words}, got {len(given)} and {sorted(kwargs)}")
            given.append(kwargs.pop(word))
        if kwargs or len(given) > len(self._specs):
            raise TypeError(f"{self.name} takes {len(self._specs)} tensors, got others: {sorted(kwargs) or given}")
        given = [convert_to_tensor(value, spec.dtype) for value, spec in zip(given, self._specs, strict=True)]
        for value, spec in zip(given, self._specs, strict=True):
            if not TensorShape(spec.shape).is_compatible_with(value.shape):
                raise errors.InvalidArgumentError(
                    None, None, f"{self.name} takes a tensor of shape {spec.shape}, got one of shape {value.shape}")
        return self.call_flat(given)

    def call_flat(self, tensors: Sequence[Tensor]) -> Any:
        """The results for the tensors among the arguments."""
        if scopes.tapes.items:
            for variable in self._reads:
                scopes.accessed(variable)
        found = iter(call_function(self.graph, [*tensors, *self.graph.captures]) or ())
        flat = [None if t is None else next(found)
                for t in nest.flatten(self.structured_outputs, expand_composites=True)]
        return nest.pack_sequence_as(self.structured_outputs, flat, expand_composites=True)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}>"
