"""The public functions of `tf.autograph`."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import io
import textwrap
import tokenize
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from evergraph.autograph.convert import is_generator, transformed
from evergraph.autograph.effects import with_effects
from evergraph.autograph.features import Feature, features_of
from evergraph.autograph.runtime import Runtime, unconverted
from evergraph.autograph.source import NoSource
from evergraph.autograph.status import Verbosity, conversion
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.convert import convert_to_tensor


@export("autograph.to_graph", "contrib.autograph.to_graph")
def to_graph(entity: Any, recursive: bool = True, arg_values: Any = None, arg_types: Any = None,
             experimental_optional_features: Any = None) -> Any:
    """Converts a Python function into one that builds graph control flow where its conditions and loops see tensors.

    >>> def relu(x):
    ...     if x > 0:
    ...         return x
    ...     return tf.zeros_like(x)
    >>> y = tf.autograph.to_graph(relu)(tf.constant(-3.0))

    Args:
        entity: a function, a method, an object with `__call__`, or a class, whose methods are then converted.
        recursive: whether the functions that it calls are converted too; libraries are not.
        arg_values: has no effect: the conversion needs no values.
        arg_types: has no effect: the conversion needs no types.
        experimental_optional_features: a tf.autograph.experimental.Feature, or several.

    Returns:
        The converted function, or a subclass with converted methods.

    Raises:
        ValueError: the source cannot be had, or has a statement that cannot be converted.
        TypeError: `entity` is nothing that can be converted.
    """
    runtime = Runtime(recursive, features_of(experimental_optional_features))
    if isinstance(entity, type):
        return _converted_class(entity, runtime)
    return _prepared(_converted(entity, runtime), runtime)


def _converted(entity: Any, runtime: Runtime) -> Any:
    if isinstance(entity, MethodType):
        return MethodType(_converted(entity.__func__, runtime), entity.__self__)
    if isinstance(entity, functools.partial):
        return functools.partial(_converted(entity.func, runtime), *entity.args, **entity.keywords)
    entity = getattr(entity, "_not_converted", entity)
    if not isinstance(entity, FunctionType):
        method = getattr(type(entity), "__call__", None)  # noqa: B004 - the method itself
        if not isinstance(method, FunctionType):
            raise TypeError(f"to_graph converts functions, methods and objects with __call__, got {entity!r}")
        return MethodType(_converted(method, runtime), entity)
    return entity if is_generator(entity) else runtime.convert(entity)


def _converted_class(kind: type, runtime: Runtime) -> type:
    methods = {name: _converted(value, runtime) for name, value in vars(kind).items()
               if isinstance(value, FunctionType)}
    if not methods:
        raise ValueError(f"Cannot convert {kind}: no member methods were found.")
    return type(kind)(kind.__name__, (kind,), {**methods, "__doc__": kind.__doc__, "__module__": kind.__module__})


def _prepared(function: Callable[..., Any], runtime: Runtime) -> Callable[..., Any]:
    """The function with what concerns its call as a whole: that conversion is on, and some features."""
    name = getattr(function, "__name__", "function").strip("<>")

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        call = functools.partial(function, *args, **kwargs)
        if runtime.uses(Feature.AUTO_CONTROL_DEPS):
            call = functools.partial(with_effects, call)
        scope = name_scope(name) if runtime.uses(Feature.NAME_SCOPES) else contextlib.nullcontext()
        with scope, conversion.pushed(True, enforce_nesting=False):
            return call()

    return run


@export("autograph.to_code", "contrib.autograph.to_code")
def to_code(entity: Any, recursive: bool = True, arg_values: Any = None, arg_types: Any = None,
            indentation: str = "  ", experimental_optional_features: Any = None) -> str:
    """The source of the function that `to_graph` makes, to be read: `ag__` stands for AutoGraph's operators.

    Args:
        entity: a function, a method, or a class.
        recursive: has no effect: calls look alike.
        arg_values: has no effect, as in `to_graph`.
        arg_types: has no effect, as in `to_graph`.
        indentation: the white space of one level.
        experimental_optional_features: have no effect: operators find out about them when they run.

    Raises:
        ValueError: the source cannot be had, or has a statement that cannot be converted.
    """
    features_of(experimental_optional_features)
    if isinstance(entity, type):
        methods = [value for value in vars(entity).values() if isinstance(value, FunctionType)]
        parts = [textwrap.indent(ast.unparse(transformed(each)), "    ") for each in methods]
        return _indented("\n\n".join([f"class {entity.__name__}:", *parts]) + "\n", indentation)
    function = getattr(entity, "__func__", entity)
    function = getattr(function, "_not_converted", function)
    if not isinstance(function, FunctionType):
        raise NoSource(f"to_code shows functions, methods and classes, got {entity!r}")
    return _indented(ast.unparse(transformed(function)) + "\n", indentation)


def _indented(code: str, indentation: str) -> str:
    """The code with other white space in front of its lines; strings over several lines stay as they are."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.STRING:
            inside |= set(range(token.start[0] + 1, token.end[0] + 1))
    lines = code.splitlines(keepends=True)
    depths = [0 if number in inside else (len(line) - len(line.lstrip(" "))) // 4
              for number, line in enumerate(lines, 1)]
    return "".join(indentation * depth + line[4 * depth:] for depth, line in zip(depths, lines))


@export("autograph.trace")
def trace(*args: Any) -> None:
    """Prints its arguments while a function is traced; the graph prints nothing when it runs.

    Args:
        *args: what to print.
    """
    print(*args)


@export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Says how much is logged about conversions; the environment variable AUTOGRAPH_VERBOSITY gives the first level.

    Args:
        level: 0 for warnings alone; 1 also names the functions that are converted, 3 shows their code too.
        alsologtostdout: whether to print it too.
    """
    Verbosity.level, Verbosity.to_stdout = level, alsologtostdout


@export("autograph.experimental.do_not_convert", "contrib.autograph.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: keeps a function, and what it calls, from being converted.

    Args:
        func: the function; without it, this gives the decorator.
    """
    if func is None:
        return do_not_convert

    run = unconverted(func)
    run._not_converted = func  # type: ignore[attr-defined]
    return run


_NOT_GIVEN = object()


@export("autograph.experimental.set_loop_options", "contrib.autograph.set_loop_options")
def set_loop_options(parallel_iterations: Any = _NOT_GIVEN, back_prop: Any = _NOT_GIVEN,
                     swap_memory: Any = _NOT_GIVEN, maximum_iterations: Any = _NOT_GIVEN) -> None:
    """Says, as a statement of a loop, how the loop is staged: the options are those of `tf.while_loop`.

    Conversion takes the statement out of the loop. Where a loop is not converted or not staged, it has no effect.

    Args:
        parallel_iterations: kept in the graph for TensorFlow.
        back_prop: False stops gradients at the loop.
        swap_memory: has no meaning here.
        maximum_iterations: the loop ends after so many iterations in any case.
    """


@export("contrib.autograph.ConversionOptions")
@dataclasses.dataclass(frozen=True)
class ConversionOptions:
    """How `converted_call` converts.

    Attributes:
        recursive: whether the functions that are called inside are converted too.
        user_requested: whether a function that cannot be converted is an error, rather than called as it is.
        internal_convert_user_code: False converts builtins alone.
        optional_features: a tf.autograph.experimental.Feature, or several.
    """

    recursive: bool = False
    user_requested: bool = False
    internal_convert_user_code: bool = True
    optional_features: Any = Feature.ALL


@export("contrib.autograph.converted_call")
def converted_call(f: Any, options: ConversionOptions, args: Any, kwargs: Any) -> Any:
    """Converts what is called, and calls it.

    >>> tf.contrib.autograph.converted_call(len, tf.contrib.autograph.ConversionOptions(), ([1, 2],), None)
    2

    Args:
        f: a function, a method, an object with `__call__`, or a builtin.
        options: a ConversionOptions.
        args: the arguments.
        kwargs: those with names, or None.
    """
    runtime = Runtime(options.recursive, features_of(options.optional_features))
    if options.user_requested and isinstance(f, (FunctionType, MethodType)):
        made = _converted(f, runtime)
    elif options.internal_convert_user_code:
        made = runtime.form_of(f)
    else:
        made = Runtime(recursive=False, features=runtime.features).call(f)
    with conversion.pushed(True, enforce_nesting=False):
        return made(*args, **kwargs or {})


@export("contrib.autograph.stack")
def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list or of a TensorArray as one tensor.

    Args:
        list_or_tensor: a list, a tuple or a TensorArray.
        element_dtype: the dtype of the result, for a list of numbers.
        strict: False gives anything else back as it is.

    Raises:
        ValueError: `list_or_tensor` is something else, and `strict` is True.
    """
    if isinstance(list_or_tensor, TensorArray):
        return list_or_tensor.stack()
    if isinstance(list_or_tensor, (list, tuple)):
        return array.stack([convert_to_tensor(each, element_dtype) for each in list_or_tensor])
    if strict:
        raise ValueError(f"stack takes a list or a TensorArray, got {list_or_tensor!r}")
    return list_or_tensor


@export("contrib.autograph.convert")
def convert(recursive: bool = False, optional_features: Any = None, user_requested: bool = True) -> Any:
    """Decorator: converts a function when it is first called.

    Args:
        recursive: whether the functions that it calls are converted too.
        optional_features: as in `tf.autograph.to_graph`.
        user_requested: False lets the function run as it is, after a warning, if it cannot be converted.
    """
    runtime = Runtime(recursive, features_of(optional_features))

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        made: list[Any] = []

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            if not made:
                form = _converted(function, runtime) if user_requested else runtime.form_of(function)
                made.append(_prepared(form, runtime))
            return made[0](*args, **kwargs)

        return run

    return decorate
