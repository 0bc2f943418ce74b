# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.input_fn_utils."""

from evergraph.contrib.learn import InputFnOps as InputFnOps
