"""The messages that describe functions in a SavedModel: their parameters, arguments and results."""

from __future__ import annotations

import collections
import inspect
from typing import Any

from evergraph import proto
from evergraph.base import nest
from evergraph.eager.arguments import Parameters
from evergraph.eager.concrete import ConcreteFunction
from evergraph.eager.parts import spec_of
from evergraph.eager.saved.structures import CannotEncodeError, decoded, encoded
from evergraph.frontend.specs import TensorSpec, TypeSpec

FullArgSpec = collections.namedtuple(
    "FullArgSpec", ["args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations"])


def function_spec(parameters: Parameters, input_signature: Any) -> Any:
    """The FunctionSpec message of a Python function; a default that a file cannot hold is written as None."""
    message = proto.saved_object_graph_pb2.FunctionSpec()
    message.fullargspec.CopyFrom(encoded(_argspec(parameters.signature)))
    message.input_signature.CopyFrom(encoded(None if input_signature is None else tuple(input_signature)))
    return message


def _argspec(signature: inspect.Signature | None) -> FullArgSpec:
    kinds = inspect.Parameter
    found = [] if signature is None else list(signature.parameters.values())
    plain = [p for p in found if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    words = [p for p in found if p.kind is kinds.KEYWORD_ONLY]
    rest = next((p.name for p in found if p.kind is kinds.VAR_POSITIONAL), None)
    more = next((p.name for p in found if p.kind is kinds.VAR_KEYWORD), None)
    defaults = tuple(_plain(p.default) for p in plain if p.default is not kinds.empty)
    by_name = {p.name: _plain(p.default) for p in words if p.default is not kinds.empty}
    if signature is None:
        rest, more = "args", "kwargs"
    return FullArgSpec([p.name for p in plain], rest, more, defaults or None, [p.name for p in words], by_name or None,
                       {})


def _plain(default: Any) -> Any:
    try:
        encoded(default)
    except CannotEncodeError:
        return None
    return default


def parameters_of(message: Any) -> Parameters:
    """The parameters of the Python function that a FunctionSpec describes.

    Raises:
        ValueError: the message contradicts itself.
    """
    try:
        return Parameters(_signature(decoded(message.fullargspec), message.is_method))
    except (AttributeError, TypeError) as error:
        raise ValueError(f"a function of the SavedModel has no such parameters: {error}") from None


def _signature(spec: Any, is_method: bool) -> inspect.Signature:
    names = list(spec.args[1:] if is_method else spec.args)
    kinds, empty = inspect.Parameter, inspect.Parameter.empty
    defaults = [empty] * (len(names) - len(spec.defaults or ())) + list(spec.defaults or ())
    found = [kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=default)
             for name, default in zip(names, defaults[-len(names):] if names else [])]
    if spec.varargs:
        found.append(kinds(spec.varargs, kinds.VAR_POSITIONAL))
    by_name = spec.kwonlydefaults or {}
    found += [kinds(name, kinds.KEYWORD_ONLY, default=by_name.get(name, empty)) for name in spec.kwonlyargs]
    if spec.varkw:
        found.append(kinds(spec.varkw, kinds.VAR_KEYWORD))
    return inspect.Signature(found)


def concrete_message(function: ConcreteFunction) -> Any:
    """The SavedConcreteFunction message of a function, without what it captures.

    Raises:
        CannotEncodeError: it was traced for values that have no form in a file.
    """
    message = proto.saved_object_graph_pb2.SavedConcreteFunction()
    args, kwargs = function.structured_input_signature
    message.canonicalized_input_signature.CopyFrom(encoded((tuple(args), dict(kwargs))))
    message.output_signature.CopyFrom(encoded(nest.map_structure(_result, function.structured_outputs)))
    return message


def _result(value: Any) -> Any:
    if value is None:
        return None
    spec = spec_of(value)
    return TensorSpec(spec.shape, spec.dtype, "output") if isinstance(spec, TensorSpec) else spec


def argument_keywords(function: ConcreteFunction) -> list[str]:
    """The names of the tensors that a function takes."""
    leaves = nest.flatten(function.structured_input_signature)
    return [getattr(leaf, "name", None) or f"arg_{i}" for i, leaf in enumerate(leaves) if isinstance(leaf, TypeSpec)]
