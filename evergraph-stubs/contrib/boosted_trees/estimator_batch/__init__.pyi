# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.estimator_batch."""

from evergraph.contrib.boosted_trees.estimator_batch import estimator as estimator, trainer_hooks as trainer_hooks
