# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat."""

from contextlib import AbstractContextManager
from typing import Any
from evergraph.compat import v2 as v2, v1 as v1

def as_bytes(bytes_or_text: Any, encoding: str = 'utf-8') -> bytes:
    """Converts a string to bytes."""

as_str = as_text

def as_str_any(value: Any) -> str:
    """Converts any value to text: bytes are decoded as UTF-8, other values are converted with `str`."""

def as_text(bytes_or_text: Any, encoding: str = 'utf-8') -> str:
    """Converts a string to text."""

bytes_or_text_types: tuple[type, ...]
complex_types: tuple[type, ...]
from evergraph import dimension_at_index as dimension_at_index
from evergraph import dimension_value as dimension_value

def forward_compatibility_horizon(year: int, month: int, day: int) -> AbstractContextManager[None]:
    """Context manager that sets another forward-compatibility horizon, for tests."""

def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use an op that TensorFlow introduced on this day, because the day is before the
    horizon."""

integral_types: tuple[type, ...]

def path_to_str(path: Any) -> Any:
    """The text or bytes of a `pathlib.Path` or another path object; other values are returned unchanged."""

real_types: tuple[type, ...]
