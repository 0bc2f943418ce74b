"""Parses the one-line declaration of an op; tools/signature.py prints it.

    MatMul(a: T, b: T, *, transpose_a: bool = False, transpose_b: bool = False, T: number) -> product: T
    StringJoin(inputs: N * string, *, N: int >= 1, separator: string = '') -> output: string
    AssignAdd(ref: Ref(T), value: T, *, T: number, use_locking: bool = False) -> output_ref: Ref(T)

Inputs precede `*`, attrs follow it in TensorFlow's order, outputs follow the arrow (`()` or no arrow: none).

    input, output   name: type | Ref(type) | N * type | N * Ref(type)      a type is a dtype or the name of an attr
    attr            name: kind [>= minimum] [= default]
    kind            int float bool string type shape tensor func | domain | list(any of these)
    domain          {float, double} | {'SAME', 'VALID'} | a name in DOMAINS | {floating, string}
    default         3, 0.5, inf, nan, True, 'text', int32, [1, 2], a shape ([-1, 2]; None: unknown rank),
                    a tensor (uint8[255, 0, 0]; a scalar: int32:1)
"""

from __future__ import annotations

import ast
import enum
import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from evergraph.base.dtypes import DType, as_dtype


class _Required(enum.Enum):
    REQUIRED = "REQUIRED"

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required.REQUIRED
"""The default of an attr that has none."""

KINDS = frozenset({"int", "float", "bool", "string", "type", "shape", "tensor", "func"})

# The sets of types that many ops allow, in TensorFlow's order. Other sets are written out in braces.
DOMAINS: dict[str, tuple[str, ...]] = {
    "index": ("int32", "int64"),
    "floating": ("bfloat16", "half", "float", "double"),
    "inexact": ("bfloat16", "half", "float", "double", "complex64", "complex128"),
    "integer": ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    "real": ("float", "double", "int32", "uint8", "int16", "int8", "int64", "bfloat16", "uint16", "half", "uint32",
             "uint64"),
    "number": ("float", "double", "int32", "uint8", "int16", "int8", "complex64", "int64", "qint8", "quint8", "qint32",
               "bfloat16", "uint16", "complex128", "half", "uint32", "uint64"),
    "quantized": ("qint8", "quint8", "qint32", "qint16", "quint16"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arg:
    """One input or output; exactly one of `type`, `type_attr` and `list_attr` is set.

    Attributes:
        type: the dtype, when it is fixed.
        type_attr: the name of the `type` attr that holds the dtype.
        number_attr: the name of the `int` attr that holds the length, for a list of tensors of one dtype.
        list_attr: the name of the `list(type)` attr, for a list of tensors with a dtype each.
        is_ref: whether the tensors are references to a variable's storage.
    """

    name: str
    type: DType | None = None
    type_attr: str | None = None
    number_attr: str | None = None
    list_attr: str | None = None
    is_ref: bool = False

    @property
    def is_list(self) -> bool:
        return self.number_attr is not None or self.list_attr is not None


@dataclass(frozen=True, slots=True)
class Attr:
    """One attr. `allowed` is empty if every value of its kind is allowed.

    `default` is REQUIRED, or a value of the kind: DType for type, tuple (None: unknown rank) for shape, a tuple for
    list(...), a read-only array for tensor. Floats are rounded to float32, which is all that TensorFlow keeps.
    `minimum` bounds an int, or the length of a list.
    """

    name: str
    kind: str
    default: Any = REQUIRED
    allowed: tuple[Any, ...] = ()
    minimum: int | None = None


@dataclass(frozen=True)
class Signature:
    """The signature of an op: inputs, attrs and outputs."""

    name: str
    inputs: tuple[Arg, ...]
    attrs: tuple[Attr, ...]
    outputs: tuple[Arg, ...]

    @functools.cached_property
    def attr(self) -> dict[str, Attr]:
        """The attrs by name, in order."""
        return {attr.name: attr for attr in self.attrs}

    @functools.cached_property
    def inferred(self) -> frozenset[str]:
        """The names of the attrs that the inputs determine."""
        named = {name for arg in self.inputs for name in (arg.type_attr, arg.number_attr, arg.list_attr)}
        return frozenset(name for name in named if name is not None)


# ---------------------------------------------------------------- reading

_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = rf"\[(?:{_STRING}|\[[^\[\]]*\]|[^\[\]'\"])*\]"
_DOMAIN = rf"\{{(?:{_STRING}|[^}}'\"])*\}}"
_END = r"\s*(,|\)|$)\s*"

_HEAD = re.compile(r"\s*(\w+)\s*\(\s*")
_ARROW = re.compile(r"\s*(?:->\s*(?:\(\s*\)\s*$)?)?")
_STAR = re.compile(r"\*\s*,\s*")
_ARG = re.compile(rf"(\w+)\s*:\s*(?:(\w+)\s*\*\s*)?(Ref\s*\(\s*)?(\w+)(?(3)\s*\)){_END}")
_ATTR = re.compile(
    rf"""(\w+)\s*:\s*
    (\w+(?:\(\s*(?:\w+|{_DOMAIN})\s*\))?|{_DOMAIN})\s*
    (?:>=\s*(-?\d+)\s*)?
    (?:=\s*({_STRING}|\w*{_LIST}|[^\s,()\[\]{{}}'"]+))?{_END}""",
    re.VERBOSE,
)


def parse(line: str) -> Signature:
    """Parses a declaration line. Raises ValueError, with line and position, on a syntax error."""
    try:
        return _parse(line)
    except ValueError as error:
        raise ValueError(f"op signature {line!r}: {error}") from error


def _parse(line: str) -> Signature:
    head = _HEAD.match(line)
    if head is None:
        raise _syntax_error(line, 0, "an op name and '('")
    inputs, position, end = _parse_args(line, head.end(), closing=")")
    attrs: list[Attr] = []
    if star := None if end == ")" else _STAR.match(line, position):
        attrs, position, end = _parse_attrs(line, star.end())
    if end != ")":
        raise _syntax_error(line, position, "')'")
    arrow = _ARROW.match(line, position)
    assert arrow is not None  # every part of the pattern is optional
    if arrow.end() < len(line) and "->" not in arrow.group():
        raise _syntax_error(line, arrow.end(), "'->'")
    outputs, position, end = _parse_args(line, arrow.end(), closing="")
    if end or position < len(line):
        raise _syntax_error(line, position, "the end of the line")
    kinds = {attr.name: attr.kind for attr in attrs}
    if len(kinds) < len(attrs):
        raise ValueError("an attr is declared twice")
    return Signature(head[1], tuple(_resolve(arg, kinds) for arg in inputs), tuple(attrs),
                     tuple(_resolve(arg, kinds) for arg in outputs))  # fmt: skip


def _parse_args(line: str, position: int, closing: str) -> tuple[list[re.Match[str]], int, str]:
    """Parses arguments up to `closing` or `*`; returns them, the position of their end, and the delimiter."""
    found: list[re.Match[str]] = []
    if line[position : position + 1] == closing == ")":
        return found, position + 1, closing
    end = ","
    while end == "," and line[position : position + 1] != "*" and position < len(line):
        match = _ARG.match(line, position)
        if match is None:
            raise _syntax_error(line, position, "'name: type'")
        found.append(match)
        position, end = match.end(), match[5]
    if not found and line[position : position + 1] != "*":
        end = ""
    return found, position, end


def _parse_attrs(line: str, position: int) -> tuple[list[Attr], int, str]:
    found: list[Attr] = []
    end = ","
    while end == ",":
        match = _ATTR.match(line, position)
        if match is None:
            raise _syntax_error(line, position, "'name: kind'")
        found.append(_attr(match[1], match[2], match[3], match[4]))
        position, end = match.end(), match[5]
    return found, position, end


def _resolve(match: re.Match[str], kinds: Mapping[str, str]) -> Arg:
    name, number, ref, type_name, _ = match.groups()
    return argument(name, type_name, number, ref is not None, kinds.get(type_name), kinds.get(number))


@functools.lru_cache(maxsize=4096)
def argument(
    name: str, type_name: str, number: str | None, is_ref: bool, kind: str | None, number_kind: str | None
) -> Arg:
    """One argument; `kind` and `number_kind` are the kinds of the attrs that it names."""
    if number is not None and number_kind != "int":
        raise ValueError(f"'{name}: {number} * {type_name}' wants an attr '{number}: int'")
    match kind:
        case None:
            return Arg(name, type=dtype_called(type_name), number_attr=number, is_ref=is_ref)
        case "type":
            return Arg(name, type_attr=type_name, number_attr=number, is_ref=is_ref)
        case "list(type)" if number is None:
            return Arg(name, list_attr=type_name, is_ref=is_ref)
        case _:
            raise ValueError(f"'{name}: {type_name}' cannot take its type from an attr of kind {kind}")


@functools.lru_cache(maxsize=4096)
def _attr(name: str, kind_text: str, minimum: str | None, default: str | None) -> Attr:
    kind, allowed = _kind(kind_text)
    value = REQUIRED if default is None else _default(kind, default)
    return Attr(name, kind, value, allowed, None if minimum is None else int(minimum))


@functools.lru_cache(maxsize=512)
def _kind(text: str) -> tuple[str, tuple[Any, ...]]:
    """The kind that a word, a domain or a list(...) denotes, and its allowed values."""
    if text in KINDS:
        return text, ()
    if text in DOMAINS:
        return "type", tuple(map(dtype_called, DOMAINS[text]))
    if text.startswith("{"):
        words = re.findall(rf"{_STRING}|[^\s,{{}}]+", text)
        if words and words[0][0] in "'\"":
            return "string", tuple(map(_string, words))
        names = [name for word in words for name in DOMAINS.get(word, (word,))]
        return "type", tuple(map(dtype_called, dict.fromkeys(names)))
    if text.startswith("list("):
        kind, allowed = _kind(text[5:-1].strip())
        return f"list({kind})", allowed
    raise ValueError(f"'{text}' is neither a kind ({', '.join(sorted(KINDS))}) nor a domain ({', '.join(DOMAINS)})")


@functools.lru_cache(maxsize=256)
def dtype_called(name: str) -> DType:
    try:
        return as_dtype(name)
    except TypeError:
        raise ValueError(f"'{name}' is neither a dtype nor the name of an attr") from None


def rounded(text: Any) -> float:
    """A float attr's value, rounded to the 32 bits that TensorFlow keeps."""
    return float(np.float32(text))


def _bool(text: str) -> bool:
    return {"True": True, "False": False, "true": True, "false": False}[text]


def _string(text: str) -> str:
    if text[0] not in "'\"":
        raise ValueError("a string wants quotes")
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


def _shape(text: str) -> tuple[int | None, ...] | None:
    return as_shape(ast.literal_eval(text))


def as_shape(dims: Any) -> tuple[int | None, ...] | None:
    return None if dims is None else tuple(None if dim is None or dim < 0 else int(dim) for dim in dims)


@functools.lru_cache(maxsize=64)
def array_in(text: str) -> np.ndarray:
    """Parses `uint8[1, 2]` or `int32:1` to an array.

    Cached, so that attrs with equal texts hold one object and compare equal.
    """
    type_name = text.partition("[" if "[" in text else ":")[0]
    array = np.array(ast.literal_eval(text[len(type_name) :].lstrip(":")), dtype_called(type_name).np)
    array.setflags(write=False)
    return array


_READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": rounded,
    "bool": _bool,
    "string": _string,
    "type": dtype_called,
    "shape": _shape,
    "tensor": array_in,
}


@functools.lru_cache(maxsize=1024)
def _default(kind: str, text: str) -> Any:
    element = kind[5:-1] if kind.startswith("list(") else kind
    try:
        if element == kind:
            return _READERS[kind](text)
        if element == "shape":
            return tuple(map(as_shape, ast.literal_eval(text)))
        if text[0] != "[":
            raise ValueError("a list wants brackets")
        return tuple(map(_READERS[element], re.findall(rf"{_STRING}|[^\s,\[\]]+", text)))
    except (ValueError, KeyError, SyntaxError, TypeError) as error:
        raise ValueError(f"{text} is no default for an attr of kind {kind}") from error


def _syntax_error(line: str, position: int, wanted: str) -> ValueError:
    return ValueError(f"expected {wanted} at {line[position:][:40]!r}")
