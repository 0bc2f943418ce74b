# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tpu."""

from evergraph.tpu import CrossShardOptimizer as CrossShardOptimizer
from evergraph.estimator.tpu import InputPipelineConfig as InputPipelineConfig
from evergraph.estimator.tpu import RunConfig as RunConfig
from evergraph.estimator.tpu import TPUConfig as TPUConfig
from evergraph.estimator.tpu import TPUEstimator as TPUEstimator
from evergraph.estimator.tpu import TPUEstimatorSpec as TPUEstimatorSpec
from evergraph.tpu import batch_parallel as batch_parallel
from evergraph.tpu import bfloat16_scope as bfloat16_scope
from evergraph.tpu import core as core
from evergraph.tpu import cross_replica_sum as cross_replica_sum
from evergraph.tpu import outside_compilation as outside_compilation
from evergraph.tpu import replicate as replicate
from evergraph.tpu import rewrite as rewrite
from evergraph.tpu import shard as shard
