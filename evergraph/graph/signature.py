"""Parses and formats the one-line declaration of an op.

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
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from evergraph.base.dtypes import DType, as_dtype, short_name


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

    @functools.cached_property
    def text(self) -> str:
        """The line that declares this signature."""
        return format(self)


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
    return _arg(name, type_name, number, ref is not None, kinds.get(type_name), kinds.get(number))


@functools.lru_cache(maxsize=4096)
def _arg(name: str, type_name: str, number: str | None, is_ref: bool, kind: str | None, number_kind: str | None) -> Arg:
    """One argument; `kind` and `number_kind` are the kinds of the attrs that it names."""
    if number is not None and number_kind != "int":
        raise ValueError(f"'{name}: {number} * {type_name}' wants an attr '{number}: int'")
    match kind:
        case None:
            return Arg(name, type=_dtype(type_name), number_attr=number, is_ref=is_ref)
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
        return "type", tuple(map(_dtype, DOMAINS[text]))
    if text.startswith("{"):
        words = re.findall(rf"{_STRING}|[^\s,{{}}]+", text)
        if words and words[0][0] in "'\"":
            return "string", tuple(map(_string, words))
        names = [name for word in words for name in DOMAINS.get(word, (word,))]
        return "type", tuple(map(_dtype, dict.fromkeys(names)))
    if text.startswith("list("):
        kind, allowed = _kind(text[5:-1].strip())
        return f"list({kind})", allowed
    raise ValueError(f"'{text}' is neither a kind ({', '.join(sorted(KINDS))}) nor a domain ({', '.join(DOMAINS)})")


@functools.lru_cache(maxsize=256)
def _dtype(name: str) -> DType:
    try:
        return as_dtype(name)
    except TypeError:
        raise ValueError(f"'{name}' is neither a dtype nor the name of an attr") from None


def _float(text: Any) -> float:
    """A float attr's value, rounded to the 32 bits that TensorFlow keeps."""
    return float(np.float32(text))


def _bool(text: str) -> bool:
    return {"True": True, "False": False, "true": True, "false": False}[text]


def _string(text: str) -> str:
    if text[0] not in "'\"":
        raise ValueError("a string wants quotes")
    return ast.literal_eval(text) if "\\" in text else text[1:-1]


def _shape(text: str) -> tuple[int | None, ...] | None:
    return _as_shape(ast.literal_eval(text))


def _as_shape(dims: Any) -> tuple[int | None, ...] | None:
    return None if dims is None else tuple(None if dim is None or dim < 0 else int(dim) for dim in dims)


@functools.lru_cache(maxsize=64)
def _tensor(text: str) -> np.ndarray:
    """Parses `uint8[1, 2]` or `int32:1` to an array.

    Cached, so that attrs with equal texts hold one object and compare equal.
    """
    type_name = text.partition("[" if "[" in text else ":")[0]
    array = np.array(ast.literal_eval(text[len(type_name) :].lstrip(":")), _dtype(type_name).np)
    array.setflags(write=False)
    return array


_READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": _float,
    "bool": _bool,
    "string": _string,
    "type": _dtype,
    "shape": _shape,
    "tensor": _tensor,
}


@functools.lru_cache(maxsize=1024)
def _default(kind: str, text: str) -> Any:
    element = kind[5:-1] if kind.startswith("list(") else kind
    try:
        if element == kind:
            return _READERS[kind](text)
        if element == "shape":
            return tuple(map(_as_shape, ast.literal_eval(text)))
        if text[0] != "[":
            raise ValueError("a list wants brackets")
        return tuple(map(_READERS[element], re.findall(rf"{_STRING}|[^\s,\[\]]+", text)))
    except (ValueError, KeyError, SyntaxError, TypeError) as error:
        raise ValueError(f"{text} is no default for an attr of kind {kind}") from error


def _syntax_error(line: str, position: int, wanted: str) -> ValueError:
    return ValueError(f"expected {wanted} at {line[position:][:40]!r}")


# ---------------------------------------------------------------- formatting


def format(signature: Signature) -> str:
    """The declaration line of a signature: `parse(format(s)) == s`."""
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
    return _arg(name, type_name, number, ref is not None, kinds.get(type_name), kinds.get(number))


def _entry_attr(name: str, kind: str, facets: Mapping[str, Any] | None = None) -> Attr:
    facets = facets or {}
    as_value = _dtype if "type" in kind else str
    default = _entry_value(kind, facets["default"]) if "default" in facets else REQUIRED
    return Attr(name, kind, default, tuple(map(as_value, facets.get("allowed", ()))), facets.get("min"))


def _entry_value(kind: str, value: Any) -> Any:
    if kind.startswith("list("):
        return tuple(_entry_value(kind[5:-1], item) for item in value)
    match kind:
        case "type":
            return _dtype(value)
        case "float":
            return _float(value)
        case "tensor":
            return _tensor(value)
        case "shape":
            return None if value == "unknown" else _as_shape(value)
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
