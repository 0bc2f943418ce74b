# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.optimizer_v2.optimizer_v2_symbols."""

from evergraph.contrib.optimizer_v2 import AdadeltaOptimizer as AdadeltaOptimizer
from evergraph.contrib.optimizer_v2 import AdagradOptimizer as AdagradOptimizer
from evergraph.contrib.optimizer_v2 import AdamOptimizer as AdamOptimizer
from evergraph.contrib.optimizer_v2 import GradientDescentOptimizer as GradientDescentOptimizer
from evergraph.contrib.optimizer_v2 import MomentumOptimizer as MomentumOptimizer
from evergraph.contrib.optimizer_v2 import OptimizerV2 as OptimizerV2
from evergraph.contrib.optimizer_v2 import RMSPropOptimizer as RMSPropOptimizer
