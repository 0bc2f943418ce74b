"""Whether a session computes in mixed precision: what the program, the environment and the session's config say."""

from __future__ import annotations

import os
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.base.devices import Place
from evergraph.compile import backend
from evergraph.graph.traits import Half
from evergraph.ops.half_precision import LISTS
from evergraph.passes.half_precision import MixedPrecision

_SWITCHES = ("TF_ENABLE_AUTO_MIXED_PRECISION", "TF_ENABLE_AUTO_MIXED_PRECISION_GRAPH_REWRITE")
_PREFIX = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_"
_IGNORES_SPEED = f"{_PREFIX}IGNORE_PERFORMANCE"
_DTYPE = "EVERGRAPH_HALF_PRECISION"
_ON, _OFF = 1, 2  # of a RewriterConfig
# The words of TensorFlow 1.15 for the lists, and later ones.
_WORDS = {Half.ALLOW: ("WHITELIST", "ALLOWLIST"), Half.INFER: ("GRAYLIST", "INFERLIST"),
          Half.DENY: ("BLACKLIST", "DENYLIST"), Half.CLEAR: ("CLEARLIST",)}  # fmt: skip


class _Setting:
    """What the program has asked for.

    Attributes:
        is_on: whether new sessions compute in mixed precision.
        was_off: whether there was a session that does not.
    """

    is_on = False
    was_off = False


setting = _Setting()


def mixed_precision(config: Any, best: Place) -> MixedPrecision | None:
    """How a new session with this tf.ConfigProto and this best device computes in mixed precision; None if it does not.
    """
    said = config.graph_options.rewrite_options.auto_mixed_precision if config is not None else 0
    wanted = said == _ON or said != _OFF and (setting.is_on or any(os.environ.get(name) == "1" for name in _SWITCHES))
    dtype = _dtype(best) if wanted else None
    if dtype is None:
        setting.was_off = setting.was_off or not wanted
        return None
    return MixedPrecision(dtype, _lists())


def _dtype(best: Place) -> dtypes.DType | None:
    """The dtype that the device is fast in; None where it is none.

    Raises:
        InvalidArgumentError: the environment names no such dtype.
    """
    named = os.environ.get(_DTYPE)
    if named is not None and named not in ("bfloat16", "float16"):
        raise errors.InvalidArgumentError(None, None, f"{_DTYPE} must be bfloat16 or float16, not {named!r}")
    fast = _fast_dtype(best)
    if fast is None and os.environ.get(_IGNORES_SPEED) == "1":
        fast = dtypes.bfloat16
    return dtypes.as_dtype(named) if fast is not None and named is not None else fast


def _fast_dtype(best: Place) -> dtypes.DType | None:
    """bfloat16 on TPUs and on NVIDIA GPUs since Ampere, float16 on Volta and Turing, none on CPUs and older GPUs."""
    if best.platform != "gpu":
        return dtypes.bfloat16 if best.platform == "tpu" else None
    capability = getattr(backend.jax().devices()[0], "compute_capability", None)
    if capability is None:
        return None
    major = float(capability)
    return dtypes.bfloat16 if major >= 8 else dtypes.float16 if major >= 7 else None


def _lists() -> dict[str, Half]:
    """The lists, with what the environment adds to each and takes away from it."""
    lists = dict(LISTS)
    for half, words in _WORDS.items():
        for word in words:
            for name in _named(f"{word}_REMOVE"):
                if lists.get(name) is half:
                    del lists[name]
    for half, words in _WORDS.items():
        for word in words:
            lists.update(dict.fromkeys(_named(f"{word}_ADD"), half))
    return lists


def _named(what: str) -> list[str]:
    return [name.strip() for name in os.environ.get(f"{_PREFIX}{what}", "").split(",") if name.strip()]
