"""The operators of converted code under one roof, and the conversion of what converted code calls."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from evergraph.autograph.convert import convert, is_converted, is_generator, transformed
from evergraph.autograph.features import Feature
from evergraph.autograph.libraries import is_library
from evergraph.autograph.operators import asserting, conditional, items, logic, loop
from evergraph.autograph.operators.builtins import TABLE, print_
from evergraph.autograph.status import Verbosity, conversion, say, warn
from evergraph.frontend.blocks import name_scope

_BUILTINS = (BuiltinFunctionType, type)
_left_alone: set[Any] = set()  # code of functions that could not be converted; the program has been told


class Runtime:
    """What converted code knows as `ag__`.

    Args:
        recursive: whether functions that converted code calls are converted too.
        features: the optional features in use.
    """

    if_ = staticmethod(conditional.if_)
    choose = staticmethod(conditional.choose)
    while_ = staticmethod(loop.while_)
    for_ = staticmethod(loop.for_)
    and_ = staticmethod(logic.and_)
    or_ = staticmethod(logic.or_)
    not_ = staticmethod(logic.not_)
    eq = staticmethod(logic.eq)
    not_eq = staticmethod(logic.not_eq)
    compare = staticmethod(logic.compare)
    assert_ = staticmethod(asserting.assert_)
    set_item = staticmethod(items.set_item)
    update_item = staticmethod(items.update_item)
    append = staticmethod(items.append)
    pop = staticmethod(items.pop)

    def __init__(self, recursive: bool = True, features: frozenset[Feature] = frozenset()) -> None:
        self.recursive, self.features = recursive, features

    def call(self, function: Any) -> Any:
        """What converted code calls instead of `function`."""
        return self.form_of(function) if self.recursive else self._of_builtin(function)

    def form_of(self, function: Any) -> Any:
        """The converted form of the user's functions, methods and objects, and of builtins; others as they are."""
        kind = type(function)
        if kind is FunctionType:
            made = self._of_function(function)
            return self._scoped(made) if self.uses(Feature.NAME_SCOPES) else made
        if kind is BuiltinFunctionType or isinstance(function, type):
            return self._of_builtin(function)
        if kind is MethodType:
            made = self.form_of(function.__func__)
            return function if made is function.__func__ else MethodType(made, function.__self__)
        if kind is functools.partial:
            return functools.partial(self.form_of(function.func), *function.args, **function.keywords)
        method = getattr(kind, "__call__", None)  # noqa: B004 - the method itself, not whether there is one
        made = self._of_function(method) if type(method) is FunctionType else method
        return function if made is method else MethodType(made, function)

    @staticmethod
    def _scoped(function: FunctionType) -> Any:
        """A converted function, with its ops in a name scope with its name."""
        if not is_converted(function):
            return function

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with name_scope(function.__name__.strip("<>")):
                return function(*args, **kwargs)

        return run

    def _of_builtin(self, function: Any) -> Any:
        if function is builtins.print:
            return print_ if self.uses(Feature.BUILTIN_FUNCTIONS) else print
        is_builtin = getattr(function, "__module__", None) == "builtins"
        return TABLE.get(function, function) if is_builtin and isinstance(function, _BUILTINS) else function

    def _of_function(self, function: FunctionType) -> Any:
        code = function.__code__
        if is_converted(function) or code in _left_alone or is_library(code.co_filename) or is_generator(function):
            return function
        try:
            return self.convert(function)
        except Exception as error:
            _left_alone.add(code)
            warn(f"AutoGraph could not convert {function.__qualname__} ({code.co_filename}:{code.co_firstlineno}), "
                 f"which runs as it is: {error}. Functions marked by @tf.autograph.experimental.do_not_convert "
                 f"are left alone without this warning")
            return function

    def convert(self, function: FunctionType) -> Any:
        """The converted function, whatever file it is from.

        Raises:
            NoSource: its source cannot be had.
            CannotConvert: it has a statement that cannot be converted.
        """
        say(1, f"AutoGraph converts {function.__qualname__} of {function.__code__.co_filename}")
        made = convert(function, self)
        if Verbosity.level >= 3:
            say(3, ast.unparse(transformed(function)))
        return made

    def uses(self, feature: Feature) -> bool:
        """Whether an optional feature is in use."""
        return feature in self.features or Feature.ALL in self.features


DEFAULT = Runtime()


def converted(function: Callable[..., Any], runtime: Runtime = DEFAULT) -> Callable[..., Any]:
    """A function that a part of evergraph has been given, converted unless conversion is off here.

    A function that cannot be converted is given back as it is, after a warning.
    """
    if conversion.top() is False:
        return function
    made = runtime.form_of(function)
    if made is function:
        return function

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with conversion.pushed(True, enforce_nesting=False):
            return made(*args, **kwargs)

    return run


def unconverted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as one in which, and in what it calls, nothing is converted."""

    @functools.wraps(function, updated=())
    def run(*args: Any, **kwargs: Any) -> Any:
        with conversion.pushed(False, enforce_nesting=False):
            return function(*args, **kwargs)

    return run
