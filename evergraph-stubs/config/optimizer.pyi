# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.config.optimizer."""

from typing import Any

def get_experimental_options() -> dict[str, Any]:
    """What `set_experimental_options` has set, and whether new sessions compute in mixed precision, if
    anyone said."""

def get_jit() -> bool:
    """What `set_jit` has set; False at first."""

def set_experimental_options(options: dict[str, Any]) -> None:
    """Sets options of TensorFlow's graph optimizer."""

def set_jit(enabled: bool) -> None:
    """Notes whether XLA should compile: here it compiles what is worth it in any case."""
