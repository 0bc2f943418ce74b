# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.bayesflow."""

from evergraph.contrib.bayesflow import monte_carlo as monte_carlo, stochastic_tensor as stochastic_tensor
