# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.regularizers."""

from evergraph.contrib.layers import apply_regularization as apply_regularization
from evergraph.contrib.layers import l1_l2_regularizer as l1_l2_regularizer
from evergraph.contrib.layers import l1_regularizer as l1_regularizer
from evergraph.contrib.layers import l2_regularizer as l2_regularizer
from evergraph.contrib.layers import sum_regularizer as sum_regularizer
