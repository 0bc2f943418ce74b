# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.estimator.tpu.experimental."""

from typing import Any, NamedTuple, Self

class _Fields(NamedTuple):
    feature_columns: Any = None
    optimization_parameters: Any = None
    clipping_limit: Any = None
    pipeline_execution_with_tensor_core: Any = False
    experimental_gradient_multiplier_fn: Any = None
    feature_to_config_dict: Any = None
    table_to_config_dict: Any = None
    partition_strategy: Any = 'div'

class EmbeddingConfigSpec(_Fields):
    """The embedding tables that the embedding cores of TPUs hold and train."""
    def __new__(cls, *args: Any, **options: Any) -> Self: ...
