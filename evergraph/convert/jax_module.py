"""Models as modules for JAX: a Python file, the program as StableHLO, and the weights in a file of safetensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base import dtypes
from evergraph.convert import stablehlo
from evergraph.convert.model import Inconvertible, Input, Model, placeholder_node
from evergraph.convert.tracing import Function, traceable
from evergraph.formats import safetensors, tensor_messages
from evergraph.ops.arrays.basic import const

Weight = np.ndarray[Any, Any]

_SOURCE = '''"""{stem}, converted by evergraph. It needs JAX and NumPy, and the files {stem}.* beside it.

    import {stem}
    {stem}.predict({call})        # a dictionary with {results}

`apply(weights, inputs)` is a function for `jax.jit`{derivatives}; `weights()` reads those of the model, by name.
`INPUTS` has the shape and dtype of each input, with None for sizes that are open.
"""

import json
import pathlib

import jax
import ml_dtypes
import numpy as np
from jax import export

_HERE = pathlib.Path(__file__)
_DTYPES = {{"F64": np.float64, "F32": np.float32, "F16": np.float16, "BF16": ml_dtypes.bfloat16}}
_PROGRAM = export.deserialize(bytearray(_HERE.with_suffix(".stablehlo").read_bytes()))
INPUTS = {{
{table}
}}


def weights(path=_HERE.with_suffix(".safetensors")):
    """The arrays of a file of safetensors, by name."""
    content = pathlib.Path(path).read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    return {{
        name: np.frombuffer(content[start + entry["data_offsets"][0]:start + entry["data_offsets"][1]],
                            _DTYPES[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
    }}


def apply(weights, inputs):
    """The outputs by name, for arrays by name."""
    return _PROGRAM.call(weights, inputs)


_apply = jax.jit(apply)


def predict(**inputs):
    """The outputs by name as NumPy arrays, with the weights of the model."""
    if not hasattr(predict, "weights"):
        predict.weights = weights()
    return jax.tree.map(np.asarray, _apply(predict.weights, inputs))
'''


def files(model: Model, stem: str, platforms: Sequence[str]) -> dict[str, bytes]:
    """Ending -> content of the files of a module, which is named `stem`.

    Constants of real numbers that have an axis are the weights, under the names of their nodes.

    Raises:
        Inconvertible: nodes have no counterpart, or sizes have to be known.
    """
    if not stem.isidentifier():
        raise Inconvertible(f"{stem!r} is no name of a module")
    message, weights = _without_weights(model.message)
    is_differentiable, content = _program(replace(model, message=message), weights, platforms)
    shown = [f"    {name!r}: ({list(each.shape)!r}, {each.dtype.name!r})," for name, each in model.inputs.items()]
    call = ", ".join(f"{name}=..." if name.isidentifier() else f"**{{{_quoted(name)}: ...}}" for name in model.inputs)
    text = _SOURCE.format(
        stem=stem, call=call, results=", ".join(map(_quoted, model.outputs)), table="\n".join(shown),
        derivatives=" and `jax.grad`" if is_differentiable else ", which has no gradient")
    return {".py": text.encode(), ".stablehlo": content,
            ".safetensors": safetensors.packed(weights, {"format": "np"})}  # fmt: skip


def _quoted(name: str) -> str:
    """A name as it may stand in a docstring, which it must not end: names come from files of others."""
    return repr(name).replace("\\", "\\\\").replace('"', '\\"')


def _program(model: Model, weights: Mapping[str, Weight], platforms: Sequence[str]) -> tuple[bool, bytes]:
    """Whether it has a gradient, and the serialized program of weights and inputs, both by name."""
    outputs, names = dict(model.outputs), list(model.inputs)
    given = [Input(name, dtypes.as_dtype(each.dtype), each.shape) for name, each in weights.items()]
    inputs = [*given, *model.inputs.values()]
    function = traceable(model.message, inputs, list(outputs.values()))

    def exported(run: Function, specs: Sequence[Any]) -> Any:
        def call(parameters: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
            values = [*(parameters[name] for name in weights), *(arguments[name] for name in names)]
            return dict(zip(outputs, run(*values)))

        both = dict(zip(weights, specs)), dict(zip(names, specs[len(weights):]))
        return stablehlo.export(call, platforms, both, {})

    made = stablehlo.with_open_sizes(function, inputs, exported)
    try:
        with stablehlo.without_paths():
            return True, bytes(made.serialize(vjp_order=1))
    except (ValueError, NotImplementedError, TypeError):  # loops whose number of rounds a run tells have none
        return False, bytes(made.serialize())


def _without_weights(message: Any) -> tuple[Any, dict[str, Weight]]:
    """A GraphDef with placeholders for its weights, and the weights by node."""
    changed = proto.graph_pb2.GraphDef(library=message.library, versions=message.versions)
    weights = {}
    for node in message.node:
        value = _weight(node)
        if value is None:
            changed.node.append(node)
        else:
            weights[node.name] = value
            changed.node.append(placeholder_node(Input(node.name, dtypes.as_dtype(value.dtype), value.shape)))
    return changed, weights


def _weight(node: Any) -> Weight | None:
    if node.op != const.name or not dtypes.as_dtype(node.attr["dtype"].type).is_floating:
        return None
    value = tensor_messages.proto_to_array(node.attr["value"].tensor)
    return value if value.ndim else None
