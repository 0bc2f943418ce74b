# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.autograph."""

from typing import Any

class ConversionOptions:
    """How `converted_call` converts."""
    recursive: bool
    user_requested: bool
    internal_convert_user_code: bool
    optional_features: Any
    def __delattr__(self, name: str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(
        self, recursive: bool = False, user_requested: bool = False, internal_convert_user_code: bool = True,
        optional_features: Any = ...,
    ) -> None: ...

from evergraph.autograph.experimental import Feature as Feature

def convert(recursive: bool = False, optional_features: Any = None, user_requested: bool = True) -> Any:
    """Decorator: converts a function when it is first called."""

def converted_call(f: Any, options: ConversionOptions, args: Any, kwargs: Any) -> Any:
    """Converts what is called, and calls it."""

from evergraph.autograph.experimental import do_not_convert as do_not_convert
from evergraph.autograph.experimental import set_loop_options as set_loop_options

def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list or of a TensorArray as one tensor."""

from evergraph.autograph import to_code as to_code
from evergraph.autograph import to_graph as to_graph
