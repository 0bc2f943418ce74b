"""The stub of a function or an op: its parameters with their types, what it returns, its first sentence."""

import inspect
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from evergraph.api.stubs import source
from evergraph.api.stubs.page import Page, defined, summary
from evergraph.api.stubs.public import ANY, Public, is_op, reference, union
from evergraph.api.stubs.returns import Returns

ANYTHING = inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                              inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)])  # fmt: skip
# What parameters of these names take, in every function that does not say so itself.
NAMED = {
    "name": "<builtins:str>", "message": "<builtins:str>", "data_format": "<builtins:str>",
    "keepdims": "<builtins:bool>", "keep_dims": "<builtins:bool>", "swap_memory": "<builtins:bool>",
}  # fmt: skip
ATTRS = {"bool": "<builtins:bool>", "int": "<builtins:int>", "float": "<builtins:float>", "string": "<builtins:str>"}


class Functions:
    """Writes functions on a page."""

    def __init__(self, public: Public, returns: Returns, overload_types: Callable[[Any], list[type]]) -> None:
        self.public, self.returns, self.overload_types = public, returns, overload_types

    def lines(self, page: Page, name: str, function: Any) -> list[str]:
        """The definition; two of them where the function is overloaded for other kinds of tensors."""
        parameters = self.parameters(page, signature(function), function)
        result = page.show(self.returns.of(function))
        said = summary(documentation(function))
        types = self.overload_types(function)
        first = parameters[0].partition(":")[0] if parameters else ""
        if not types or first.startswith("*"):
            return defined(name, parameters, result, said)
        special = f"{first}: {page.show(union([self.public.class_type(each) or ANY for each in types]))}"
        overload = f"@{page.name('typing', 'overload')}"
        return [
            overload, *defined(name, [special, *parameters[1:]], page.show(ANY), said),
            overload, *defined(name, parameters, result, said),
        ]  # fmt: skip

    def parameters(self, page: Page, shown: inspect.Signature, function: Any, first: str | None = None) -> list[str]:
        """The parameters as a stub writes them; `first` takes the place of a method's own, self or cls."""
        kinds = inspect.Parameter
        parameters = list(shown.parameters.values())
        words = []
        if first is not None:
            words.append(first)
            parameters = parameters[1:] if parameters[0].kind is not kinds.VAR_POSITIONAL else parameters
        for position, parameter in enumerate(parameters):
            before = parameters[position - 1].kind if position else None
            if parameter.kind is kinds.KEYWORD_ONLY and before not in (kinds.KEYWORD_ONLY, kinds.VAR_POSITIONAL):
                words.append("*")
            words.append(written(parameter, page.show(self.type_of(parameter, function))))
            last = position + 1 == len(parameters) or parameters[position + 1].kind is not kinds.POSITIONAL_ONLY
            if parameter.kind is kinds.POSITIONAL_ONLY and last:
                words.append("/")
        return words

    def type_of(self, parameter: inspect.Parameter, function: Any) -> str:
        """The type of a parameter: as annotated, as the op declares it, or as its name says."""
        found = ANY
        if parameter.annotation is not parameter.empty:
            inner = inspect.unwrap(function.func if isinstance(function, partial) else function)
            found = self.public.annotation(parameter.annotation, source.globals_of(inner.__module__))
        elif is_op(function) and parameter.name in function.signature.attr:
            found = ATTRS.get(function.signature.attr[parameter.name].kind, ANY)
        elif parameter.kind is not parameter.VAR_KEYWORD:
            found = NAMED.get(parameter.name, ANY)
        optional = parameter.default is None and "None" not in found and found != ANY
        return f"{found} | None" if optional else found

    def results(self, page: Page, op: Any) -> Iterator[str]:
        """The named tuple that an op of several outputs returns."""
        yield f"class _{op.name}({page.name('typing', 'NamedTuple')}):"
        tensor = reference("Tensor")
        for field, output in zip(op.plan.result._fields, op.signature.outputs):
            kind = f"<builtins:list>[{tensor}]" if output.is_list else tensor
            yield f"    {field}: {page.show(kind)}"


def signature(function: Any) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # a builtin that does not tell
        return ANYTHING


def documentation(function: Any) -> str | None:
    return function.func.__doc__ if isinstance(function, partial) else function.__doc__


def written(parameter: inspect.Parameter, type_text: str) -> str:
    """`*name: type`, or `name: type = default`."""
    stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
    word = f"{stars}{parameter.name}: {type_text}"
    return word if parameter.default is parameter.empty else f"{word} = {literal(parameter.default)}"


def literal(value: Any) -> str:
    """A default as a stub shows it: simple ones as they are."""
    if type(value) is float and not math.isfinite(value):
        return "..."
    simple = value is None or type(value) in (bool, int, float, str) and len(repr(value)) <= 40
    return repr(value) if simple else "..."
