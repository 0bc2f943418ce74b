"""Names that evergraph has only to refuse them: functions whose first act is to raise, found without loading them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from evergraph.api.namespace import home, public_name

_ROOT = Path(__file__).parent.parent.parent.parent
_ABSTRACT = "NotImplementedError"


@cache
def refused(path: str) -> str | None:
    """Where in evergraph a name is refused, "function" or "class"; None for a name that does something."""
    words = path.split(".")
    for length in range(len(words), 1, -1):  # tf.lite.OpHint.OpHintArgumentTracker is below a class
        if target := home(public_name(".".join(words[:length]))):
            module, _, attribute = target.partition(":")
            return _raisers(module).get(attribute)
    return None


@cache
def definitions(module: str) -> list[ast.stmt]:
    """The statements of one of evergraph's modules, which is not loaded."""
    return ast.parse(_text(module)).body


@cache
def _text(module: str) -> str:
    place = _ROOT / module.replace(".", "/")
    source = place.with_suffix(".py") if place.with_suffix(".py").exists() else place / "__init__.py"
    return source.read_text(encoding="utf-8") if source.exists() else ""


@cache
def _raisers(module: str) -> Mapping[str, str]:
    """The definitions of a module that raise whatever they are given."""
    if "raise " not in _text(module) or "UnimplementedError" not in _text(module):
        return {}
    body = definitions(module)
    helpers = {node.name for node in body if isinstance(node, ast.FunctionDef) and _raises(node, frozenset())}
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and _raises(node, helpers):
            found[node.name] = "function"
        elif isinstance(node, ast.ClassDef) and any(
                isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__new__") and _raises(each, helpers)
                for each in node.body):  # fmt: skip
            found[node.name] = "class"
    return found


def _raises(function: ast.FunctionDef, helpers: frozenset[str] | set[str]) -> bool:
    """Whether a function raises before it does anything else, or says by its annotation that it never returns."""
    body = [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    if not body:
        return False
    never = isinstance(function.returns, ast.Name) and function.returns.id == "NoReturn"
    act = body[-1] if never else body[0]
    if isinstance(act, ast.Raise):
        return _ABSTRACT not in ast.dump(act)
    call = act.value if isinstance(act, (ast.Expr, ast.Return)) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in helpers
