"""Functions that make a layer and call it, with the layer's own arguments."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_REUSE = """\
        reuse: True to share the variables of an earlier layer of the same name; tf.AUTO_REUSE to create them if there
            is none.
"""
_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD


def function_of(layer: type, name: str, reusable: bool = True) -> Callable[..., Any]:
    """The function (inputs, arguments of the layer, reuse) that makes such a layer and calls it on the inputs.

    Args:
        layer: the class.
        name: what the function is called.
        reusable: whether it takes `reuse`; layers without variables do not.
    """
    own = [p for p in inspect.signature(layer).parameters.values() if p.kind is _KIND]
    last = [inspect.Parameter("reuse", _KIND, default=None)] if reusable else []
    signature = inspect.Signature([inspect.Parameter("inputs", _KIND), *own, *last])

    def function(*args: Any, **kwargs: Any) -> Any:
        arguments = signature.bind(*args, **kwargs).arguments
        inputs, reuse = arguments.pop("inputs"), arguments.pop("reuse", None)
        sharing = {"_scope": arguments.get("name"), "_reuse": reuse} if reusable else {}
        return layer(**arguments, **sharing)(inputs)

    function.__name__ = function.__qualname__ = name
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__doc__ = _described(layer, reusable)
    return function


def _described(layer: type, reusable: bool) -> str:
    """The docstring of the layer, as that of the function."""
    summary, _, rest = (layer.__doc__ or "").partition("\n")
    reuse = _REUSE if reusable else ""
    rest = rest.replace("    Args:\n", "    Args:\n        inputs: a tensor.\n")
    rest = rest.replace("        **kwargs: see `tf.layers.Layer`.\n", reuse)
    return f"{summary}\n\n    Creates a `tf.layers.{layer.__name__}` and calls it on `inputs`.\n{rest}"
