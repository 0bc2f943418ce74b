# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.autograph.experimental."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Self

class Feature(Enum):
    """What a conversion may do besides control flow."""
    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All features except some."""
    ALL = 'ALL'
    AUTO_CONTROL_DEPS = 'AUTO_CONTROL_DEPS'
    ASSERT_STATEMENTS = 'ASSERT_STATEMENTS'
    BUILTIN_FUNCTIONS = 'BUILTIN_FUNCTIONS'
    EQUALITY_OPERATORS = 'EQUALITY_OPERATORS'
    LISTS = 'LISTS'
    NAME_SCOPES = 'NAME_SCOPES'
    def __new__(
        cls, value: Any, names: Any = None, *, module: Any = None, qualname: Any = None, type: Any = None,
        start: Any = 1, boundary: Any = None,
    ) -> Self: ...

def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: keeps a function, and what it calls, from being converted."""

def set_loop_options(
    parallel_iterations: Any = ..., back_prop: Any = ..., swap_memory: Any = ...,
    maximum_iterations: Any = ...,
) -> None:
    """Says, as a statement of a loop, how the loop is staged: the options are those of `tf.while_loop`."""
