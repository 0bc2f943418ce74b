"""Signatures as text that `graph/signature.py` parses, and those of TensorFlow's ops from recorded data."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.base.dtypes import as_dtype, short_name
from evergraph.graph.signature import (
    DOMAINS,
    REQUIRED,
    Arg,
    Attr,
    Signature,
    argument,
    array_in,
    as_shape,
    dtype_called,
    rounded,
)


def text_of(signature: Signature) -> str:
    """The declaration line of a signature: `parse(text_of(s)) == s`."""
    inputs, attrs, outputs = parts(signature)
    params = inputs + (["*", *attrs] if attrs else [])
    return f"{signature.name}({', '.join(params)}) -> {', '.join(outputs) or '()'}"


def parts(signature: Signature) -> tuple[list[str], list[str], list[str]]:
    """The texts of inputs, attrs and outputs, for callers that wrap lines."""
    return (
        [_arg_text(arg) for arg in signature.inputs],
        [_attr_text(attr) for attr in signature.attrs],
        [_arg_text(arg) for arg in signature.outputs],
    )


def _arg_text(arg: Arg) -> str:
    type_text = arg.type_attr or arg.list_attr or (short_name(arg.type) if arg.type else "")
    if arg.is_ref:
        type_text = f"Ref({type_text})"
    return f"{arg.name}: {arg.number_attr} * {type_text}" if arg.number_attr else f"{arg.name}: {type_text}"


def _attr_text(attr: Attr) -> str:
    is_list = attr.kind.startswith("list(")
    element = attr.kind[5:-1] if is_list else attr.kind
    kind = _domain_text(attr.allowed) if attr.allowed else element
    text = f"{attr.name}: list({kind})" if is_list else f"{attr.name}: {kind}"
    if attr.minimum is not None:
        text += f" >= {attr.minimum}"
    if attr.default is not REQUIRED:
        text += f" = {_value_text(attr.kind, attr.default)}"
    return text


def _domain_text(allowed: tuple[Any, ...]) -> str:
    if isinstance(allowed[0], str):
        return f"{{{', '.join(map(repr, allowed))}}}"
    return _types_text(tuple(map(short_name, allowed)))


@functools.lru_cache(maxsize=256)
def _types_text(names: tuple[str, ...]) -> str:
    """The shortest text for a set of types: a domain, or in braces domains (where there are many) and single types."""
    whole = frozenset(names)
    if exact := [domain for domain, types in DOMAINS.items() if whole == frozenset(types)]:
        return exact[0]
    words: list[str] = []
    rest = list(names)
    if len(names) > 5:
        for domain, types in sorted(DOMAINS.items(), key=lambda item: -len(item[1])):
            if set(types) <= set(rest):
                words.append(domain)
                rest = [name for name in rest if name not in types]
    return f"{{{', '.join(words + rest)}}}"


def _value_text(kind: str, value: Any) -> str:
    if kind.startswith("list("):
        return f"[{', '.join(_value_text(kind[5:-1], item) for item in value)}]"
    match kind:
        case "float":
            return str(np.float32(value))  # the shortest text that float32 reads back: 0.0001, not 9.99999975e-05
        case "type":
            return short_name(value)
        case "shape":
            return "None" if value is None else str([-1 if dim is None else dim for dim in value])
        case "tensor":
            return f"{short_name(as_dtype(value.dtype))}{'' if value.ndim else ':'}{value.tolist()}"
        case _:
            return repr(value)


# ---------------------------------------------------------------- TensorFlow's own definitions, as recorded data

_ENTRY_ARG = re.compile(r"(\w+): (?:(\w+)\*)?(\w+)(\[\])?( &)?")


def from_opdef_entry(name: str, entry: Mapping[str, Any]) -> Signature:
    """The signature of a recorded op: {"in": ["x: T"], "out": [...], "attr": {"T": ["type", {"allowed": [...]}]}}.

    In a record, `N*T` is a list, `T[]` a list whose dtypes T lists, and `&` marks references.
    """
    attrs = tuple(_entry_attr(attr_name, *description) for attr_name, description in entry["attr"].items())
    kinds = {attr.name: attr.kind for attr in attrs}
    return Signature(name, tuple(_entry_arg(text, kinds) for text in entry["in"]), attrs,
                     tuple(_entry_arg(text, kinds) for text in entry["out"]))  # fmt: skip


def _entry_arg(text: str, kinds: Mapping[str, str]) -> Arg:
    match = _ENTRY_ARG.fullmatch(text)
    if match is None:
        raise ValueError(f"not a recorded argument: {text!r}")
    name, number, type_name, _, ref = match.groups()
    return argument(name, type_name, number, ref is not None, kinds.get(type_name), kinds.get(number))


def _entry_attr(name: str, kind: str, facets: Mapping[str, Any] | None = None) -> Attr:
    facets = facets or {}
    as_value = dtype_called if "type" in kind else str
    default = _entry_value(kind, facets["default"]) if "default" in facets else REQUIRED
    return Attr(name, kind, default, tuple(map(as_value, facets.get("allowed", ()))), facets.get("min"))


def _entry_value(kind: str, value: Any) -> Any:
    if kind.startswith("list("):
        return tuple(_entry_value(kind[5:-1], item) for item in value)
    match kind:
        case "type":
            return dtype_called(value)
        case "float":
            return rounded(value)
        case "tensor":
            return array_in(value)
        case "shape":
            return None if value == "unknown" else as_shape(value)
        case _:
            return value


def differences(declared: Signature, recorded: Signature) -> list[str]:
    """The differences between a declaration and the recorded definition; empty if they agree.

    The order of allowed values is irrelevant; every other order matters.
    """
    found = []
    for facet in ("name", "inputs", "outputs"):
        ours, theirs = getattr(declared, facet), getattr(recorded, facet)
        if ours != theirs:
            found.append(f"{facet}: {ours} is not {theirs}")
    if list(declared.attr) != list(recorded.attr):
        found.append(f"attrs: {list(declared.attr)} are not {list(recorded.attr)}")
    both = declared.attr.keys() & recorded.attr.keys()
    pairs = [(declared.attr[name], recorded.attr[name]) for name in recorded.attr if name in both]
    return found + [f"attr {_attr_text(a)!r} is not {_attr_text(b)!r}" for a, b in pairs if not _same(a, b)]


def _same(a: Attr, b: Attr) -> bool:
    if (a.kind, a.minimum, frozenset(a.allowed)) != (b.kind, b.minimum, frozenset(b.allowed)):
        return False
    both_nan = a.kind == "float" and all(isinstance(x, float) and math.isnan(x) for x in (a.default, b.default))
    return both_nan or (type(a.default), a.default) == (type(b.default), b.default)
