# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.mixed_precision.experimental."""

from typing import Any

class Policy:
    """The dtype that a layer computes in, and that of its variables."""
    @property
    def name(self) -> Any:
        """The name."""
    @property
    def compute_dtype(self) -> Any:
        """The dtype to compute in; None for the input's."""
    @property
    def variable_dtype(self) -> Any:
        """The dtype of variables; None for the input's."""
    @property
    def should_cast_variables(self) -> Any:
        """Whether variables are cast when they are used."""
    @property
    def loss_scale(self) -> Any:
        """The loss scale, or None."""
    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments, for `from_config`."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Policy:
        """A policy with these arguments."""
    def __init__(self, name: str, loss_scale: Any = 'USE_DEFAULT') -> None: ...

def global_policy() -> Policy:
    """The policy of layers that are not given a dtype: "infer" unless it is set."""

def set_policy(policy: Any) -> None:
    """Sets the policy of layers that are made from now on and are not given a dtype."""
