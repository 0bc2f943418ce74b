# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.compat."""

from evergraph.compat import as_text as _as_text

from evergraph.compat import as_bytes as as_bytes
as_str = _as_text
from evergraph.compat import as_str_any as as_str_any
from evergraph.compat import as_text as as_text
bytes_or_text_types: tuple[type, ...]
complex_types: tuple[type, ...]
from evergraph import dimension_at_index as dimension_at_index
from evergraph import dimension_value as dimension_value
from evergraph.compat import forward_compatibility_horizon as forward_compatibility_horizon
from evergraph.compat import forward_compatible as forward_compatible
integral_types: tuple[type, ...]
from evergraph.compat import path_to_str as path_to_str
real_types: tuple[type, ...]
