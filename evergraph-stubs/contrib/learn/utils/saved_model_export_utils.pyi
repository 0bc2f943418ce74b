# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.saved_model_export_utils."""

from evergraph.contrib.learn.utils import extend_export_strategy as extend_export_strategy
from evergraph.contrib.learn.utils import make_best_model_export_strategy as make_best_model_export_strategy
from evergraph.contrib.learn import make_export_strategy as make_export_strategy
from evergraph.contrib.learn.utils import make_parsing_export_strategy as make_parsing_export_strategy
