# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.losses."""

from evergraph.contrib.losses import absolute_difference as absolute_difference
from evergraph.contrib.losses import add_loss as add_loss
from evergraph.contrib.losses import compute_weighted_loss as compute_weighted_loss
from evergraph.contrib.losses import cosine_distance as cosine_distance
from evergraph.contrib.losses import get_losses as get_losses
from evergraph.contrib.losses import get_regularization_losses as get_regularization_losses
from evergraph.contrib.losses import get_total_loss as get_total_loss
from evergraph.contrib.losses import hinge_loss as hinge_loss
from evergraph.contrib.losses import log_loss as log_loss
from evergraph.contrib.losses import mean_pairwise_squared_error as mean_pairwise_squared_error
from evergraph.contrib.losses import mean_squared_error as mean_squared_error
from evergraph.contrib.losses import sigmoid_cross_entropy as sigmoid_cross_entropy
from evergraph.contrib.losses import softmax_cross_entropy as softmax_cross_entropy
from evergraph.contrib.losses import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
