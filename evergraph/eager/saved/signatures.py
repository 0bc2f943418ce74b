"""The signatures of a SavedModel: functions from tensors by name to tensors by name, which servers call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import nest
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.function import Function
from evergraph.eager.saved.objects import FUNCTIONS, Parts
from evergraph.frontend.specs import TensorSpec
from evergraph.graph.node import Tensor
from evergraph.save import saved_model_constants as constants

DEFAULT = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def canonical(obj: Any, signatures: Any, parts: Parts | None = None) -> dict[str, ConcreteFunction]:
    """Name -> a function from tensors by name to tensors by name.

    Args:
        obj: the object that is saved; the only function of it with an input signature is the default signature, if it
            has results.
        signatures: a function, or functions by name, or None.
        parts: what finds the parts of the object.

    Raises:
        ValueError: a signature is no such function, or has a reserved name.
    """
    if signatures is None:
        found = [each for each in (parts or Parts()).children(obj).values()
                 if isinstance(each, FUNCTIONS) and _takes_tensors(each.input_signature)]
        is_one = len(found) == 1 and _concrete(found[0]).structured_outputs is not None
        signatures = {DEFAULT: found[0]} if is_one else {}
    if not isinstance(signatures, Mapping):
        signatures = {DEFAULT: signatures}
    for name in signatures:
        if name in constants.RESERVED_SIGNATURE_KEYS:
            raise KeyError(f"the name {name!r} of a signature is reserved for what SavedModels themselves need")
    return {name: _wrapped(name, _concrete(function)) for name, function in signatures.items()}


def _takes_tensors(input_signature: Any) -> bool:
    """Whether a function has an input signature, and a server can give all of it."""
    return input_signature is not None and all(isinstance(each, TensorSpec) for each in nest.flatten(input_signature))


def _concrete(function: Any) -> ConcreteFunction:
    if isinstance(function, ConcreteFunction):
        return function
    if not isinstance(function, FUNCTIONS) or function.input_signature is None:
        raise ValueError(f"a signature is a tf.function with an input_signature, or a concrete function, got "
                         f"{function!r}")
    return function.get_concrete_function()


def _wrapped(name: str, function: ConcreteFunction) -> ConcreteFunction:
    """The function with arguments and results by name."""
    specs = _named(nest.flatten(function.structured_input_signature))

    def signature_wrapper(**tensors: Tensor) -> dict[str, Tensor]:
        return _by_name(name, function.call_flat([tensors[key] for key in specs]))

    wrapper = Function(signature_wrapper, name=f"signature_wrapper_{name}")
    return wrapper.get_concrete_function(**specs)


def _named(leaves: list[Any]) -> dict[str, TensorSpec]:
    """The specs of the arguments under different names.

    Raises:
        ValueError: an argument is something other than a tensor.
    """
    found: dict[str, TensorSpec] = {}
    for place, spec in enumerate(leaf for leaf in leaves if not isinstance(leaf, (int, float, str, type(None)))):
        if not isinstance(spec, TensorSpec):
            raise ValueError(f"the arguments of a signature are tensors, got {spec!r}")
        base = name = spec.name or f"arg_{place}"
        number = 0
        while name in found:
            number += 1
            name = f"{base}_{number}"
        found[name] = TensorSpec(spec.shape, spec.dtype, name)
    return found


def _by_name(name: str, result: Any) -> dict[str, Tensor]:
    if isinstance(result, Mapping):
        outputs = dict(result)
    elif isinstance(result, (list, tuple)):
        outputs = {f"output_{place}": value for place, value in enumerate(result)}
    else:
        outputs = {"output_0": result}
    for key, value in outputs.items():
        if not isinstance(value, Tensor) or not isinstance(key, str):
            raise ValueError(f"a signature returns a tensor, several, or tensors by name; {name!r} returns {value!r} "
                             f"as {key!r}")
    return outputs
