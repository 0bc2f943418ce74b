# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.autograph."""

from typing import Any
from evergraph.autograph import experimental as experimental

import sys
if sys.platform == "":
    del (
        api, convert, effects, features, foreign, libraries, liveness, names, operators, passes, runtime,
        source, status, template,
    )

def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Says how much is logged about conversions; the environment variable AUTOGRAPH_VERBOSITY gives the
    first level."""

def to_code(
    entity: Any, recursive: bool = True, arg_values: Any = None, arg_types: Any = None,
    indentation: str = '  ', experimental_optional_features: Any = None,
) -> str:
    """The source of the function that `to_graph` makes, to be read: `ag__` stands for AutoGraph's
    operators."""

def to_graph(
    entity: Any, recursive: bool = True, arg_values: Any = None, arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """Converts a Python function into one that builds graph control flow where its conditions and loops see
    tensors."""

def trace(*args: Any) -> None:
    """Prints its arguments while a function is traced; the graph prints nothing when it runs."""
