"""The arguments of a call of tf.function: tensors, which its graph takes, and values that a trace is made for."""

from __future__ import annotations

import inspect
import re
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.eager.parts import (
    VariableSpec,
    as_leaf,
    shapeless,
    spec_of,
    tensor_specs,
    tensors_of,
    unnamed,
    value_of,
)
from evergraph.frontend.specs import TensorSpec, TypeSpec
from evergraph.frontend.variables.module import Module
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph import encode
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Tensor


class Parameters:
    """The parameters of a Python function.

    Args:
        signature: as `inspect` has it; None where it cannot be had.
    """

    @classmethod
    def of(cls, python_function: Callable[..., Any]) -> Parameters:
        """The parameters of this function."""
        try:
            return cls(inspect.signature(python_function))
        except (TypeError, ValueError):
            return cls(None)

    def __init__(self, signature: inspect.Signature | None) -> None:
        self.signature = signature
        found = [] if self.signature is None else list(self.signature.parameters.values())
        single = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self._names = [p.name for p in found if p.kind in single]
        self._rest = next((p.name for p in found if p.kind is inspect.Parameter.VAR_POSITIONAL), "arg")
        self._is_plain = all(p.kind in single and p.default is inspect.Parameter.empty for p in found)

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """(args, kwargs) with defaults filled in, and by position what can be given so.

        Raises:
            TypeError: the function does not take such arguments.
        """
        if self.signature is None or self._is_plain and not kwargs and len(args) == len(self._names):
            return args, kwargs
        found = self.signature.bind(*args, **kwargs)
        found.apply_defaults()
        return found.args, found.kwargs

    def name(self, place: int) -> str:
        """The name of the argument at a position."""
        if place < len(self._names):
            return self._names[place]
        return f"{self._rest}_{place - len(self._names)}"

    def kind(self, name: str) -> str:
        """How the argument is given, in the words of `inspect`."""
        known = None if self.signature is None else self.signature.parameters.get(name)
        if known is not None:
            return known.kind.name
        return "POSITIONAL_ONLY" if re.fullmatch(rf"{re.escape(self._rest)}_\d+", name) else "KEYWORD_ONLY"


class Specified:
    """A value, or nothing but the spec of one, for a place of the input signature."""

    def __init__(self, value: Any, spec: TypeSpec) -> None:
        self.value, self.spec = value, spec


class Arguments:
    """The arguments of one call.

    Attributes:
        tensors: the tensors that they consist of, in order.
        variables: the variables among them.
        specs: the spec of each leaf that consists of tensors.
        lacks_values: whether a spec stands for one of them.
        key: equal for arguments that one trace serves.
        group: the same without the sizes of shapes.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], parameters: Parameters) -> None:
        self._structure, self.parameters = (tuple(args), kwargs), parameters
        self.leaves = [as_leaf(leaf) for leaf in nest.flatten(self._structure)]
        form = _form(self._structure)
        self.lacks_values = False
        if all(isinstance(leaf, Tensor) for leaf in self.leaves):  # the common case, and the quickest
            self.tensors, self.variables = self.leaves, []
            self.key: Any = (form, *[(leaf._dtype, leaf._shape) for leaf in self.leaves])
            self._specs: list[Any] | None = None
            return
        self._specs = _specs(self.leaves)
        self.tensors, self.variables = [], []
        for leaf, spec in zip(self.leaves, self._specs, strict=True):
            value = leaf.value if isinstance(leaf, Specified) else leaf
            if isinstance(value, TypeSpec):
                self.lacks_values = True
            elif spec is not None:
                self.tensors += tensors_of(value, spec)
            if isinstance(value, ResourceVariable):
                self.variables.append(value)
        self.key = (form, *map(_leaf_key, self.leaves, self._specs))

    @property
    def all_specs(self) -> list[Any]:
        """The spec of each leaf; None for a value of Python."""
        if self._specs is None:
            self._specs = _specs(self.leaves)
        return self._specs

    @property
    def specs(self) -> list[TypeSpec]:
        return [spec for spec in self.all_specs if spec is not None]

    @property
    def group(self) -> Any:
        return (self.key[0], *[_value_key(leaf) if spec is None else shapeless(spec)
                               for leaf, spec in zip(self.leaves, self.all_specs, strict=True)])

    def names(self) -> list[str]:
        """The name of each leaf: its parameter's, with the path to it inside of a structure."""
        found = []
        for (part, place, *path), _ in nest.flatten_with_tuple_paths(self._structure):
            head = self.parameters.name(place) if part == 0 else str(place)
            found.append("_".join(map(str, (head, *path))))
        return found

    def placed_in(self, graph: FuncGraph, specs: Sequence[TypeSpec]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """(args, kwargs) with new arguments of `graph` for the tensors."""
        wanted = iter(specs)
        leaves = []
        known: dict[int, Any] = {}
        for leaf, own, name in zip(self.leaves, self.all_specs, self.names(), strict=True):
            if own is None:
                leaves.append(leaf)
                continue
            spec = next(wanted)
            value = value_of(spec, [_argument(graph, each, getattr(spec, "name", None) or name)
                                    for each in tensor_specs(spec)])
            if isinstance(spec, VariableSpec):
                value = known.setdefault(spec.alias_id, value)  # type: ignore[arg-type]
            leaves.append(value)
        args, kwargs = nest.pack_sequence_as(self._structure, leaves)
        return args, kwargs

    def described(self, specs: Sequence[TypeSpec]) -> Any:
        """(args, kwargs) with a spec for each leaf that consists of tensors."""
        wanted = iter(specs)
        leaves = [leaf if own is None else _named(next(wanted), name)
                  for leaf, own, name in zip(self.leaves, self.all_specs, self.names(), strict=True)]
        return nest.pack_sequence_as(self._structure, leaves)


def _argument(graph: FuncGraph, spec: TensorSpec, name: str) -> Tensor:
    """A new argument of a function."""
    plain = re.sub(r"\W", "_", name)
    made = graph.add_input(spec.dtype, spec.shape.tuple, plain if plain[:1].isalpha() else f"arg_{plain}")
    made.op.extra["_user_specified_name"] = encode.string_value(name)
    return made


def _named(spec: TypeSpec, name: str) -> TypeSpec:
    return TensorSpec(spec.shape, spec.dtype, spec.name or name) if type(spec) is TensorSpec else spec


def _specs(leaves: Sequence[Any]) -> list[Any]:
    """The spec of each leaf; None for a value of Python."""
    seen: dict[int, int] = {}
    found = []
    for leaf in leaves:
        spec = leaf.spec if isinstance(leaf, Specified) else spec_of(leaf)
        if isinstance(leaf, ResourceVariable):
            alias = seen.setdefault(id(leaf.handle), len(seen))
            spec = VariableSpec(leaf.shape, leaf.dtype, leaf.trainable, alias)
        found.append(spec)
    return found


def _form(structure: Any) -> Any:
    """A key that is equal for structures of the same form."""
    if isinstance(structure, Mapping):
        return ("dict", *[(key, _form(structure[key])) for key in sorted(structure)])
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return (type(structure), *map(_form, structure))
    if isinstance(structure, (list, tuple)):
        return (type(structure).__name__, *map(_form, structure))
    return None if not nest.is_nested(structure) else (type(structure), *map(_form, nest.flatten(structure)))


def _leaf_key(leaf: Any, spec: Any) -> Any:
    if spec is None:
        return _value_key(leaf)
    if isinstance(leaf, TensorSpec) and leaf.name is not None:
        return (spec.dtype, spec.shape.tuple, leaf.name)  # the caller may use the name for the argument
    return (spec.dtype, spec.shape.tuple) if isinstance(spec, TensorSpec) else unnamed(spec)


def _value_key(leaf: Any) -> Any:
    """What a trace for a value of Python is found by: the value, or which object it is, without holding it.

    Raises:
        ValueError: the value is neither hashable nor known by which object it is.
    """
    if isinstance(leaf, Module):
        return weakref.ref(leaf)
    if isinstance(leaf, float) and leaf != leaf:  # NaN is not equal to itself
        return "nan"
    try:
        hash(leaf)
    except TypeError:
        raise ValueError(f"an argument of a tf.function is a tensor, an array or a hashable value, got {leaf!r}") \
            from None
    return leaf


def fitted(signature: Sequence[Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments as values of the specs of an input signature.

    Raises:
        ValueError: they do not fit it.
    """
    given = args[: len(signature)]
    try:
        values = nest.flatten_up_to(tuple(signature), given, check_types=False)
    except (ValueError, TypeError):
        raise ValueError(f"Structure of Python function inputs and input_signature differ: {given} does not match "
                         f"{signature}") from None
    flat = [_fitted(spec, value) for spec, value in zip(nest.flatten(tuple(signature)), values, strict=True)]
    return (*nest.pack_sequence_as(tuple(signature), flat), *args[len(signature):])


def _fitted(spec: TypeSpec, value: Any) -> Specified:
    if isinstance(spec, TensorSpec) and not isinstance(value, (Tensor, TypeSpec)):
        value = convert_to_tensor(value, spec.dtype)
    fits = spec == value if isinstance(value, TypeSpec) else spec.is_compatible_with(value)
    if not fits:
        raise ValueError(f"Python inputs incompatible with input_signature: {value} does not fit {spec}")
    return Specified(value, spec)


def differences(before: Arguments, now: Arguments) -> Iterator[str]:
    """Says which arguments differ between two calls, and how."""
    if before.key[0] != now.key[0]:
        yield "the structure of its arguments changed"
        return
    for name, *pair in zip(now.names(), _shown(before), _shown(now), strict=True):
        if pair[0] != pair[1]:
            yield f"the argument {name!r} changed from {pair[0]} to {pair[1]}"


def _shown(arguments: Arguments) -> list[str]:
    return [repr(leaf) if spec is None else str(unnamed(spec))
            for leaf, spec in zip(arguments.leaves, arguments.all_specs, strict=True)]
