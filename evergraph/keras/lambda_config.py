"""The functions of Lambda layers in configurations: by name, or by bytecode for those without one."""
from __future__ import annotations

import sys
import types
from typing import Any

from evergraph.keras import bytecode, objects


def described(key: str, value: Any, module_key: str | None = None) -> dict[str, Any]:
    """An argument of a Lambda layer, with what kind of value it is and the module of a function."""
    if isinstance(value, types.FunctionType):
        found, kind = list(bytecode.func_dump(value)), "lambda"
    elif callable(value):
        found, kind = value.__name__, "function"
    else:
        found, kind = value, "raw"
    return {key: found, f"{key}_type": kind, module_key or f"{key}_module": getattr(value, "__module__", None)}


def understood(config: dict[str, Any], custom_objects: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a Lambda layer from its configuration.

    Raises:
        ValueError: a function is unknown, or not to be trusted.
    """
    found = dict(config)
    for key, module_key in (("function", "module"), ("output_shape", "output_shape_module"), ("mask", "mask_module")):
        module, kind = found.pop(module_key, None), found.pop(f"{key}_type", None)
        if kind == "lambda":
            found[key] = _unnamed(found.get("name"), found[key], module, custom_objects)
        elif kind == "function" or isinstance(found.get(key), str):
            found[key] = objects.deserialize_keras_object(found[key], {}, custom_objects, f"{key} in a Lambda layer")
        elif key == "output_shape" and isinstance(found.get(key), list):
            found[key] = tuple(found[key])
    return found


def _unnamed(layer: Any, parts: Any, module: Any, custom_objects: dict[str, Any]) -> Any:
    """The function without a name of a layer."""
    known = {**objects.get_custom_objects(), **custom_objects}
    if layer in known:
        return known[layer]
    if isinstance(parts, dict):  # TensorFlow 2.13 and later
        parts = [parts["config"][name] for name in ("code", "defaults", "closure")]
    code = parts[0] if isinstance(parts, (list, tuple)) else parts
    if not bytecode.is_trusted(code):
        raise ValueError(f"The file holds the function of the Lambda layer {layer} as bytecode, which another program "
                         f"wrote and which is not run. Give the function as custom_objects={{{layer!r}: function}}; or "
                         f"call tf.keras.config.enable_unsafe_deserialization() if you trust the file")
    names = vars(sys.modules[module]) if module in sys.modules else None
    return bytecode.func_load(parts, globs=names)
