"""tf.function: Python functions traced into functions of graphs, one for each kind of arguments."""

from __future__ import annotations

import functools
import inspect
import operator
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.autograph.features import features_of
from evergraph.autograph.runtime import Runtime, converted, unconverted
from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.eager.arguments import Arguments, Parameters, differences, fitted
from evergraph.eager.concrete import ConcreteFunction, traced
from evergraph.eager.lifting import lifted
from evergraph.eager.parts import includes, unknowns
from evergraph.eager.tensor import EagerTensor
from evergraph.frontend.blocks import root_graph
from evergraph.frontend.specs import TypeSpec
from evergraph.frontend.variables.base import variable_creator_scope
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.state.variables import destroy_resource_op

_WITH_VALUES = frozenset((EagerTensor,))
_MANY = 5  # traces among as many calls make a warning


class Execution:
    """How functions run.

    Attributes:
        functions_eagerly: as plain Python, without a trace.
    """

    functions_eagerly = False


execution = Execution()


@export("function", "contrib.eager.function")
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

    Tensors, arrays and variables are arguments of the graph: one is traced for each combination of their dtypes and
    shapes, for each value of the other arguments, and for each structure. A call uses a graph that was traced for more
    general shapes if there is one. A warning names the arguments that make a function trace again and again. Effects
    happen in the order of the program at every call. What the function creates once, such as variables, it has to
    create in its first call; their initial values may follow from the arguments of that call.

    Args:
        func: the function; without it, this is a decorator with options.
        input_signature: a tf.TensorSpec, or the spec of a sparse or ragged tensor, for each argument, or a structure of
            them: then one graph serves all calls.
        autograph: whether conditions and loops of Python that see tensors become those of the graph; False calls the
            function as it is.
        experimental_autograph_options: a tf.autograph.experimental.Feature, or several.
        experimental_relax_shapes: whether sizes that differ from those of earlier calls become unknown, for fewer
            graphs.
        experimental_compile: has no effect: XLA compiles what is worth it in any case.

    Returns:
        A function that also has `get_concrete_function`, `python_function`, `input_signature` and
        `pretty_printed_concrete_signatures`.
    """
    return _made(func, input_signature, autograph, experimental_autograph_options, experimental_relax_shapes)


@export("contrib.eager.defun")
def defun(func: Callable[..., Any] | None = None, input_signature: Sequence[Any] | None = None, autograph: bool = True,
          experimental_autograph_options: Any = None, experimental_relax_shapes: bool = False) -> Any:
    """The older form of `tf.function`, see there, which traces once and may create variables whenever."""
    return _made(func, input_signature, autograph, experimental_autograph_options, experimental_relax_shapes, True)


def _made(func: Callable[..., Any] | None, input_signature: Sequence[Any] | None, autograph: bool, options: Any,
          relax_shapes: bool, creates_freely: bool = False) -> Any:
    """A function, or what makes one."""
    runtime = Runtime(features=features_of(options)) if autograph else None
    make = functools.partial(Function, input_signature=input_signature, relax_shapes=relax_shapes, runtime=runtime,
                             creates_freely=creates_freely)
    return make if func is None else make(func)


class Function:
    """What `tf.function` makes."""

    def __init__(self, python_function: Callable[..., Any], input_signature: Sequence[Any] | None = None,
                 relax_shapes: bool = False, name: str | None = None, runtime: Runtime | None = None,
                 creates_freely: bool = False) -> None:
        if not callable(python_function):
            raise TypeError(f"tf.function needs a function, got {python_function!r}")
        self._python_function, self._relax_shapes, self._runtime = python_function, relax_shapes, runtime
        self._signature = None if input_signature is None else tuple(input_signature)
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self._parameters = Parameters.of(python_function)
        self._lock = threading.RLock()
        self._traced: dict[Any, ConcreteFunction] = {}
        self._called: dict[Any, ConcreteFunction] = {}  # by the dtypes and shapes of calls with eager tensors alone
        self._groups: dict[Any, list[ConcreteFunction]] = {}
        self._bound: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()
        self._may_create, self._creates_freely = True, creates_freely
        self._history = History(self._name)
        functools.update_wrapper(self, python_function)

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._python_function

    @property
    def input_signature(self) -> Any:
        """The specs of the arguments, or None."""
        return self._signature

    @property
    def parameters(self) -> Parameters:
        """The parameters of the Python function."""
        return self._parameters

    def __get__(self, instance: Any, owner: Any) -> Any:
        """The function as a method of an instance, which has traces of its own."""
        if instance is None:
            return self
        if instance not in self._bound:
            held = weakref.ref(instance)
            method = functools.wraps(self._python_function)(
                lambda *args, **kwargs: self._traceable()(held(), *args, **kwargs))
            method.__signature__ = _without_self(self._python_function)  # type: ignore[attr-defined]
            self._bound[instance] = Function(method, self._signature, self._relax_shapes, self._name, self._runtime,
                                             self._creates_freely)
        return self._bound[instance]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if execution.functions_eagerly:
            return self._python_function(*args, **kwargs)
        is_plain = not kwargs and _WITH_VALUES.issuperset(map(type, args)) and default_graph().is_eager
        key = tuple([(id(t._dtype), t._shape) for t in args]) if is_plain else None
        known = self._called.get(key)
        if known is not None:
            self._history.calls += 1
            return known.call_flat(args)
        arguments = self._bind(args, kwargs)
        if arguments.lacks_values:
            raise ValueError(f"{self._name} takes values, got a spec among {args}; see get_concrete_function")
        concrete = self._concrete(arguments)
        if key is not None and len(arguments.tensors) == len(args) and all(map(operator.is_, arguments.tensors, args)):
            self._called[key] = concrete
        return concrete.call_flat(arguments.tensors, arguments.variables)

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

    def get_initialization_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """A function that gives the variables their initial values, which the first trace makes and leaves without.

        Raises:
            RuntimeError: the function was traced before.
        """
        if self._traced:
            raise RuntimeError("get_initialization_function: too late, after the function has been used")
        made: list[Any] = []

        def creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            made.append(next_creator(**kwargs))
            return made[-1]

        with variable_creator_scope(creator):
            self._concrete(self._bind(args, kwargs))
        values = [variable.read_value() for variable in made]
        for variable in made:
            destroy_resource_op(variable.handle, ignore_lookup_error=True)

        def initialize() -> None:
            for variable, value in zip(made, values, strict=True):
                variable.assign(value)

        return Function(initialize).get_concrete_function()

    def _decorate(self, decorator: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Puts a decorator around the Python function; TensorFlow's private name, which strategies of users call.

        Raises:
            ValueError: the function was traced before.
        """
        if self._traced:
            raise ValueError("a decorator comes too late for functions after they have been traced")
        self._python_function = decorator(self._python_function)
        self._parameters = Parameters.of(self._python_function)

    def concrete_functions(self) -> list[ConcreteFunction]:
        """The functions traced so far with eager execution, or in the program's graph; oldest first."""
        here = _place_of(root_graph())
        found = [concrete for (place, _), group in self._groups.items() if place is here for concrete in group]
        return sorted(found, key=self._order.index)

    _list_all_concrete_functions_for_serialization = concrete_functions  # TensorFlow's private name, which programs use

    def trace_as_inside(self) -> None:
        """Traces for the arguments that only other functions have called this one with, so that a model has it too."""
        here = _place_of(default_graph())
        inside = [each for (place, _), group in self._groups.items() if place is not here for each in group]
        for concrete in inside:
            args, kwargs = concrete.structured_input_signature
            self.get_concrete_function(*args, **kwargs)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The types of the parameters and results of each traced function, as text."""
        return "\n\n".join(each.pretty_printed_signature(verbose) for each in self._order)

    @property
    def _order(self) -> list[ConcreteFunction]:
        return list(dict.fromkeys(self._traced.values()))

    # ---- tracing

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        args, kwargs = self._parameters.bound(args, kwargs)
        if self._signature is not None:
            args = fitted(self._signature, args)
        return Arguments(args, kwargs, self._parameters)

    def _concrete(self, arguments: Arguments) -> ConcreteFunction:
        key = (_place_of(default_graph()), arguments.key)
        found = self._traced.get(key)
        self._history.calls += 1
        if found is None:
            with self._lock:
                found = self._traced.get(key)
                if found is None:
                    found = self._traced[key] = self._for_new_kind(key[0], arguments)
        return found

    def _for_new_kind(self, place: Any, arguments: Arguments) -> ConcreteFunction:
        """A trace for more general shapes, or a new one."""
        group = self._groups.setdefault((place, arguments.group), [])
        specs = arguments.specs
        fitting = [each for each in group if all(map(includes, each.specs, specs)) and _has_names(each, specs)]
        if fitting:
            return min(fitting, key=lambda each: sum(map(unknowns, each.specs)))
        if self._relax_shapes and self._signature is None:
            specs = _widened(specs, group)
        self._history.note(arguments)
        concrete = self._trace(arguments, specs)
        group.append(concrete)
        return concrete

    def _traceable(self) -> Callable[..., Any]:
        """What a trace calls: the Python function, converted by AutoGraph unless `autograph` was False."""
        if self._runtime is None:
            return unconverted(self._python_function)
        return converted(self._python_function, self._runtime)

    def _trace(self, arguments: Arguments, specs: Sequence[TypeSpec]) -> ConcreteFunction:
        """Traces; a first trace that makes variables is followed by another, which uses them."""
        if self._creates_freely:
            with variable_creator_scope(lift):
                return traced(self._name, self._traceable(), arguments, specs)
        if not self._may_create:
            with variable_creator_scope(_refuse):
                return traced(self._name, self._traceable(), arguments, specs)
        made: list[Any] = []

        def creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            made.append(lift(next_creator, **kwargs))
            return made[-1]

        with variable_creator_scope(creator):
            concrete = traced(self._name, self._traceable(), arguments, specs)
        self._may_create = False
        return self._trace(arguments, specs) if made else concrete


class History:
    """How often a function was called and traced, to warn of one that is traced again and again.

    Attributes:
        calls: the calls since the count began.
    """

    def __init__(self, name: str) -> None:
        self.calls = 0
        self._name, self._traces = name, 0
        self._last: Arguments | None = None

    def note(self, arguments: Arguments) -> None:
        """Notes a trace for these arguments; warns if most calls of late made one."""
        if self.calls > 2 * _MANY and self._traces < self.calls / 2:
            self.calls, self._traces = 1, 0
        self._traces += 1
        if self._last is not None and self._traces >= _MANY and self._traces > self.calls / 2:
            logging.warning(
                f"{self._traces} of the last {self.calls} calls of {self._name} traced it anew, which takes long: "
                f"{'; '.join(differences(self._last, arguments)) or 'it was called in another graph'}. Pass tensors "
                f"instead of Python values, and give tensors that differ in shape an input_signature or "
                f"experimental_relax_shapes=True")
        self._last = arguments


def _has_names(concrete: ConcreteFunction, specs: Sequence[TypeSpec]) -> bool:
    """Whether the arguments have the names that specs ask for."""
    wanted = [getattr(spec, "name", None) for spec in specs]
    return all(name in (None, getattr(own, "name", None)) for name, own in zip(wanted, concrete.specs, strict=True))


def _widened(specs: list[TypeSpec], group: Sequence[ConcreteFunction]) -> list[TypeSpec]:
    """Specs that the values of earlier traces fit too."""
    for other in group:
        specs = [spec.most_specific_compatible_type(old) for spec, old in zip(specs, other.specs, strict=True)]
    return specs


def _refuse(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    raise ValueError("a tf.function may create variables only in its first call, and a later call created one")


def lift(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    """Makes a resource variable outside of the function, where its initial value is lifted to."""
    first = kwargs["initial_value"]
    if isinstance(first, Tensor) and isinstance(first.graph, FuncGraph):
        if kwargs["shape"] is None and kwargs["validate_shape"]:
            kwargs["shape"] = first.shape  # the value of this call may say more than the signature
        root = first.graph.root
        kwargs["initial_value"] = root.capture(first) if root.is_eager else lifted(first, root)
    return next_creator(**{**kwargs, "use_resource": kwargs["use_resource"] is not False})


def _without_self(python_function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(python_function)
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _place_of(graph: Graph) -> Any:
    """What a trace belongs to besides its arguments: the graph around, whose tensors it may use."""
    return None if graph.is_eager else graph
