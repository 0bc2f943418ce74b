# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils."""

from evergraph.contrib.learn.utils import (
    input_fn_utils as input_fn_utils, saved_model_export_utils as saved_model_export_utils,
)
