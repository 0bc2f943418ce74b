"""tf.keras.mixed_precision.experimental.Policy: the dtypes of layers' computations and variables."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.base import dtypes, errors, logging
from evergraph.base.export import export
from evergraph.run import mixed_precision
from evergraph.train.loss_scale import DynamicLossScale, as_loss_scale

USE_DEFAULT = "USE_DEFAULT"
_SUFFIXES = ("_with_float32_vars", "_float32_vars")


@export("keras.mixed_precision.experimental.Policy")
class Policy:
    """The dtype that a layer computes in, and that of its variables.

    Args:
        name: a dtype, for both; "mixed_float16" or "mixed_bfloat16", to compute in it with float32 variables; "infer"
            for the dtype of the first input. "_with_float32_vars" after a dtype or "infer" has float32 variables.
        loss_scale: the loss scale of models that are compiled; by default a dynamic one for "mixed_float16" and none
            for others.

    Raises:
        TypeError: the name is not a text.
        ValueError: there is no such policy.
    """

    def __init__(self, name: str, loss_scale: Any = USE_DEFAULT) -> None:
        if isinstance(name, dtypes.DType):
            raise TypeError(f"'name' must be a string, not a DType: pass {name.name!r}")
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        self._compute_dtype, self._variable_dtype = _parsed(name)
        self._name = "float32" if name == "float32_with_float32_vars" else name
        if loss_scale == USE_DEFAULT:
            loss_scale = "dynamic" if name == "mixed_float16" else None
        elif loss_scale and self._compute_dtype not in ("float16", None):
            logging.warn(f"A loss scale helps where gradients are of float16, and the policy {name} has none: it got "
                         f"loss_scale={loss_scale}")
        self._loss_scale = as_loss_scale(loss_scale)

    name = property(lambda self: self._name, doc="The name.")
    compute_dtype = property(lambda self: self._compute_dtype, doc="The dtype to compute in; None for the input's.")
    variable_dtype = property(lambda self: self._variable_dtype, doc="The dtype of variables; None for the input's.")
    should_cast_variables = property(lambda self: self._variable_dtype != self._compute_dtype,
                                     doc="Whether variables are cast when they are used.")
    loss_scale = property(lambda self: self._loss_scale, doc="The loss scale, or None.")

    def __repr__(self) -> str:
        return f'<Policy "{self.name}", loss_scale={self.loss_scale}>'

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
        config: dict[str, Any] = {"name": self.name}
        if not (isinstance(self._loss_scale, DynamicLossScale) and self.name == "mixed_float16"):
            config["loss_scale"] = None if self._loss_scale is None else {
                "class_name": type(self._loss_scale).__name__, "config": self._loss_scale.get_config()}
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Policy:
        """A policy with these arguments."""
        scale = config.get("loss_scale", USE_DEFAULT)
        if isinstance(scale, dict):
            scale = as_loss_scale("dynamic" if scale["class_name"] == "DynamicLossScale" else
                                  scale["config"]["loss_scale_value"])
        return cls(config["name"], scale)


def _parsed(name: str) -> tuple[str | None, str | None]:
    """(the dtype to compute in, the dtype of variables) of a policy's name."""
    if name.startswith("mixed_") and name in ("mixed_float16", "mixed_bfloat16"):
        return name.removeprefix("mixed_"), "float32"
    base = next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)
    variables = "float32" if base != name else None
    if base == "infer":
        return None, variables
    try:
        dtype = dtypes.as_dtype(base).name
    except TypeError:
        raise ValueError(f"Cannot convert value {name} to a mixed precision Policy. Valid are the names of dtypes, "
                         f"mixed_float16, mixed_bfloat16 and infer") from None
    return dtype, variables or dtype


def with_input_dtype(policy: Policy, dtype: Any) -> Policy:
    """A policy that infers its dtype, for an input of this one."""
    name = dtypes.as_dtype(dtype).name
    if policy.compute_dtype is not None:
        return policy
    return Policy(name if policy.variable_dtype is None else f"{name}_with_float32_vars", policy.loss_scale)


class _Global:
    policy: Policy | None = None


@export("keras.mixed_precision.experimental.global_policy")
def global_policy() -> Policy:
    """The policy of layers that are not given a dtype: "infer" unless it is set."""
    if _Global.policy is None:
        _Global.policy = Policy("infer")
    return _Global.policy


@export("keras.mixed_precision.experimental.set_policy")
def set_policy(policy: Any) -> None:
    """Sets the policy of layers that are made from now on and are not given a dtype.

    Args:
        policy: a policy or its name; None for "infer".

    Raises:
        UnimplementedError: its layers would cast their variables.
        ValueError: the graph rewrite for mixed precision is enabled; or the policy names a dtype, which only
            TensorFlow 2's layers can follow.
    """
    if mixed_precision.setting.is_on:
        raise ValueError("the mixed precision graph rewrite has already been enabled, which a policy excludes")
    made = Policy(policy) if isinstance(policy, str) else policy
    if made is not None and made.compute_dtype is not None:
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2; give layers a dtype")
    if made is not None:
        layer_dtype(made)
    _Global.policy = made


def layer_dtype(dtype: Any) -> Any:
    """The dtype of a layer that was given a dtype or a policy.

    Raises:
        UnimplementedError: the layer would cast its variables.
    """
    if not isinstance(dtype, Policy):
        return dtype
    if dtype.should_cast_variables:
        raise errors.UnimplementedError(
            None, None, f"layers that compute in another dtype than their variables' ({dtype.name}): "
            f"tf.train.experimental.enable_mixed_precision_graph_rewrite has programs compute in half precision")
    return dtype.compute_dtype


@contextlib.contextmanager
def policy_scope(policy: Any) -> Iterator[None]:
    """Context manager that sets the global policy."""
    before = _Global.policy
    set_policy(policy)
    try:
        yield
    finally:
        _Global.policy = before
