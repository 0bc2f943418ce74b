# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.input_fn_utils."""

from evergraph.contrib.learn import InputFnOps as InputFnOps
from evergraph.contrib.learn import build_default_serving_input_fn as build_default_serving_input_fn
from evergraph.contrib.learn import build_parsing_serving_input_fn as build_parsing_serving_input_fn
