"""Functions of tf.compat.v2 that are TensorFlow 1's with their parameters in another order or under other names.

A row names the function and its parameters, in TensorFlow 2's order:

    count_nonzero: input! axis keepdims dtype name

    axis             a parameter of TensorFlow 1's function, with the default it has there
    input!           one without a default
    input=tensor     one that TensorFlow 1's function calls `tensor`
    padding~VALID    one with a default of its own
    strategy:div     no parameter: what TensorFlow 1's function is given
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def functions(table: str, targets: Mapping[str, Callable[..., Any]]) -> Iterator[tuple[list[str], Callable[..., Any]]]:
    """The functions of a table, each with its public names.

    Args:
        table: the rows; several public names of a function are separated by commas.
        targets: TensorFlow 1's function of each row, by its first name.
    """
    for row in table.strip().splitlines():
        names, _, words = row.partition(":")
        public = names.split(",")
        yield [f"compat.v2.{name}" for name in public], reordered(targets[public[0]], words.split())


def reordered(target: Callable[..., Any], words: list[str]) -> Callable[..., Any]:
    """A function that takes the parameters that the words say and calls `target`."""
    own = inspect.signature(target).parameters
    meant: dict[str, str] = {}
    fixed: dict[str, Any] = {}
    parameters = []
    for word in words:
        if ":" in word:
            name, _, value = word.partition(":")
            fixed[name] = _literal(value)
            continue
        name, theirs, default = _read(word, own)
        meant[name] = theirs
        parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    signature = inspect.Signature(parameters)
    defaults = {p.name: p.default for p in parameters if _has_own_default(p, own, meant)}

    def function(*args: Any, **kwargs: Any) -> Any:
        given = {**defaults, **signature.bind(*args, **kwargs).arguments}
        return target(**fixed, **{meant[name]: value for name, value in given.items()})

    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = target.__name__
    function.__doc__ = target.__doc__
    return function


def _read(word: str, own: Mapping[str, inspect.Parameter]) -> tuple[str, str, Any]:
    """(name, name in TensorFlow 1's function, default) of a parameter."""
    if word.endswith("!"):
        return word[:-1], word[:-1], inspect.Parameter.empty
    if "~" in word:
        name, _, value = word.partition("~")
        return name, name, _literal(value)
    name, _, theirs = word.partition("=")
    return name, theirs or name, own[theirs or name].default


def _has_own_default(parameter: inspect.Parameter, own: Mapping[str, inspect.Parameter], meant: dict[str, str]) -> bool:
    theirs = own[meant[parameter.name]].default
    return parameter.default is not inspect.Parameter.empty and parameter.default is not theirs


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return text
