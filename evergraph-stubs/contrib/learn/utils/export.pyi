# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.utils.export."""

from evergraph.contrib.learn.utils import classification_signature_fn as classification_signature_fn
from evergraph.contrib.learn.utils import classification_signature_fn_with_prob as classification_signature_fn_with_prob
from evergraph.contrib.learn.utils import generic_signature_fn as generic_signature_fn
from evergraph.contrib.learn.utils import logistic_regression_signature_fn as logistic_regression_signature_fn
from evergraph.contrib.learn.utils import regression_signature_fn as regression_signature_fn
