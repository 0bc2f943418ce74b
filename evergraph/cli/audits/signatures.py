"""Whether a call's arguments fit a public function: its definition is read, not loaded."""

from __future__ import annotations

import ast
from functools import cache

from evergraph.api.namespace import home, public_name
from evergraph.cli.audits.refusals import definitions

_KEEP_ARGUMENTS = frozenset(["export", "overloadable"])
"""Decorators that leave a function the arguments that its definition names."""


def unfit(path: str, call: ast.Call) -> str | None:
    """What is wrong with the arguments of a call of a name; None where they fit, or where that is not known."""
    arguments = _arguments(path)
    if arguments is None:
        return None
    by_place = [*arguments.posonlyargs, *arguments.args]
    names = [each.arg for each in by_place]
    given = [each.arg for each in call.keywords]
    open_ended = None in given or any(isinstance(each, ast.Starred) for each in call.args)
    if len(call.args) > len(names) and arguments.vararg is None and not open_ended:
        return f"{len(call.args)} arguments, it takes {len(names)}"
    if arguments.kwarg is None:
        known = {*names, *(each.arg for each in arguments.kwonlyargs), None}
        if unknown := next((each for each in given if each not in known), None):
            return f"no argument {unknown}"
    needed = names[len(call.args) : len(names) - len(arguments.defaults)]
    missing = [each for each in needed if each not in given]
    return f"no {', '.join(missing)}" if missing and not open_ended else None


@cache
def _arguments(path: str) -> ast.arguments | None:
    """The arguments of a public function; None for a class, or where a decorator may change them."""
    target = home(public_name(path))
    if target is None:
        return None
    module, _, attribute = target.partition(":")
    found = [node for node in definitions(module) if getattr(node, "name", None) == attribute]
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef):
        return None
    function = found[0]
    decorators = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    return function.args if all(getattr(each, "id", None) in _KEEP_ARGUMENTS for each in decorators) else None
