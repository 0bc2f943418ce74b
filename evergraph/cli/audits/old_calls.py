"""Calls with the arguments that a function took before TensorFlow 1.0, told by how they are written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping


def is_old(name: str, call: ast.Call) -> bool:
    """Whether a call of a public name means the old arguments; False where the source does not tell."""
    tells = _TELLS.get(name) or _INSIDE.get(name)
    return tells is not None and tells(call.args, {each.arg for each in call.keywords})


def _by_place(given: list[ast.expr], named: set[str | None]) -> bool:
    return bool(given) or "targets" in named


def _concat(given: list[ast.expr], named: set[str | None]) -> bool:
    ends_in_list = len(given) == 2 and isinstance(given[1], (ast.List, ast.Tuple, ast.ListComp))
    is_list = bool(given) and isinstance(given[0], (ast.List, ast.Tuple, ast.ListComp))
    return "concat_dim" in named or bool(given) and (_is_number(given[0]) or ends_in_list and not is_list)


def _split(given: list[ast.expr], named: set[str | None]) -> bool:
    return bool({"split_dim", "num_split"} & named) or bool(given) and _is_number(given[0])


def _reverse(given: list[ast.expr], named: set[str | None]) -> bool:
    marks = getattr(given[1], "elts", []) if len(given) > 1 else []
    return "dims" in named or any(isinstance(each, ast.Constant) and isinstance(each.value, bool) for each in marks)


def _resize(given: list[ast.expr], named: set[str | None]) -> bool:
    return "new_height" in named or len(given) > 2 and _is_number(given[1]) and _is_number(given[2])


def _inputs_first(given: list[ast.expr], named: set[str | None]) -> bool:
    return len(given) > 3 and _is_label(given[3]) and not _is_label(given[2])


def _logits_first(given: list[ast.expr], named: set[str | None]) -> bool:
    return len(given) > 1 and _is_label(given[1]) and not _is_label(given[0])


def _linear(given: list[ast.expr], named: set[str | None]) -> bool:
    return bool({"bias_start", "scope"} & named) or len(given) > 3


_TELLS: Mapping[str, Callable[[list[ast.expr], set[str | None]], bool]] = {
    "concat": _concat,
    "image.resize_images": _resize,
    "nn.ctc_loss": _logits_first,
    "nn.nce_loss": _inputs_first,
    "nn.sampled_softmax_loss": _inputs_first,
    "nn.sigmoid_cross_entropy_with_logits": _by_place,
    "nn.softmax_cross_entropy_with_logits": _by_place,
    "nn.sparse_softmax_cross_entropy_with_logits": _by_place,
    "reverse": _reverse,
    "split": _split,
}

_MODULES = ("array_ops", "ctc_ops", "image_ops", "nn", "nn_impl", "nn_ops")
_INSIDE = {f"python.ops.{module}.{name.rpartition('.')[2]}": tells
           for name, tells in _TELLS.items() for module in _MODULES}  # fmt: skip
_INSIDE |= {f"{module}._linear": _linear for module in ("python.ops.rnn_cell", "python.ops.rnn_cell_impl")}
"""The same functions in the modules inside TensorFlow."""


def _is_number(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_label(node: ast.expr) -> bool:
    """Whether an expression is called labels or targets: no other argument tells the order of these losses."""
    words = [getattr(each, "id", getattr(each, "attr", "")).lower() for each in ast.walk(node)]
    return any("label" in word or "target" in word for word in words)
