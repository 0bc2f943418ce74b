"""Configurations of layers and optimizers that later versions of TensorFlow wrote, in the terms of TensorFlow 1.15."""
from __future__ import annotations

from typing import Any

from evergraph.base import errors

_ADDED = {"ragged": (False,), "groups": (1,), "synchronized": (False,), "keepdims": (False,), "score_mode": ("dot",),
          "autocast": (True,), "zero_output_for_mask": (False,), "rng_type": (None,)}
"""Argument that TensorFlow 1.15 does not have -> the values that mean what it does without."""

_TAKEN = {"ragged": ("InputLayer",), "zero_output_for_mask": ("RNN", "LSTM", "GRU", "SimpleRNN", "ConvLSTM2D")}
"""Argument -> the classes that take it here."""


def understood(entry: Any) -> Any:
    """The class and configuration of a layer, without what says the default of an argument that is not known here.

    Raises:
        UnimplementedError: such an argument has another value.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("config"), dict):
        return entry
    name, config = entry.get("class_name"), {key: _plain(value) for key, value in entry["config"].items()}
    for key, neutral in _ADDED.items():
        if key in config and name not in _TAKEN.get(key, ()):
            if config.pop(key) not in neutral:
                raise errors.UnimplementedError(None, None, f"layer {name} with {key}={entry['config'][key]!r}")
    if isinstance(config.get("dtype"), dict):
        config["dtype"] = config["dtype"]["config"]["name"]
    return {**entry, "config": config}


def _plain(value: Any) -> Any:
    """A value with tuples that are written as dictionaries made lists."""
    if isinstance(value, dict) and value.get("class_name") == "__tuple__":
        return list(value["items"])
    return value


_OF_OPTIMIZERS = {"weight_decay": (None, 0, 0.0), "global_clipnorm": (None,), "use_ema": (False,),
                  "is_legacy_optimizer": (True, False), "jit_compile": (True, False)}
"""Argument of optimizers that TensorFlow 1.15 does not have -> the values that mean what it does without."""


def understood_optimizer(entry: dict[str, Any]) -> dict[str, Any]:
    """The class and configuration of an optimizer, without what TensorFlow 1.15 does not know.

    Raises:
        UnimplementedError: such an argument has a value that changes how the optimizer works.
    """
    config = dict(entry["config"])
    for key, neutral in _OF_OPTIMIZERS.items():
        if key in config and config.pop(key) not in neutral:
            raise errors.UnimplementedError(None, None, f"{entry['class_name']} with {key}={entry['config'][key]!r}")
    for key in ("ema_momentum", "ema_overwrite_frequency"):  # of use_ema
        config.pop(key, None)
    return {**entry, "class_name": entry["class_name"].removeprefix("Custom>"), "config": config}
