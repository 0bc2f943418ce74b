# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.autograph."""

from typing import Any

from evergraph.autograph.experimental import Feature as Feature

def convert(recursive: bool = False, optional_features: Any = None, user_requested: bool = True) -> Any:
    """Decorator: converts a function when it is first called."""

from evergraph.autograph.experimental import do_not_convert as do_not_convert
from evergraph.autograph.experimental import set_loop_options as set_loop_options
from evergraph.autograph import to_code as to_code
from evergraph.autograph import to_graph as to_graph
