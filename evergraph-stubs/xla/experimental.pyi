# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.xla.experimental."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

def compile(computation: Callable[..., Any], inputs: Any = None) -> Any:
    """Builds a computation; the session compiles it with the rest of its step."""

def jit_scope(
    compile_ops: Any = True, separate_compiled_gradients: bool = False,
) -> AbstractContextManager[None]:
    """A context whose operations have the attrs with which TensorFlow selects them for compilation."""
