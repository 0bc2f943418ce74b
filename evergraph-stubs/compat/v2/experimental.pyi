# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.experimental."""

from evergraph.experimental import function_executor_type as function_executor_type
