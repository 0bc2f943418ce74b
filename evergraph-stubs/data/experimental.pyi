# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.data.experimental."""

from evergraph import RaggedTensorSpec
from evergraph.data import DatasetSpec
from typing import Any

AUTOTUNE: int
DatasetStructure = DatasetSpec

class DistributeOptions:
    """How a dataset is divided among workers."""
    auto_shard: Any
    num_devices: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class MapVectorizationOptions:
    """When functions are applied to batches in place of elements."""
    enabled: Any
    use_choose_fastest: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class OptimizationOptions:
    """How datasets are rewritten before they run, which changes no element."""
    apply_default_optimizations: Any
    autotune: Any
    autotune_algorithm: Any
    autotune_buffers: Any
    autotune_cpu_budget: Any
    filter_fusion: Any
    filter_with_random_uniform_fusion: Any
    hoist_random_uniform: Any
    map_and_batch_fusion: Any
    map_and_filter_fusion: Any
    map_fusion: Any
    map_parallelization: Any
    map_vectorization: Any
    noop_elimination: Any
    parallel_batch: Any
    shuffle_and_repeat_fusion: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """The same as `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""

class StatsOptions:
    """What is measured of a dataset."""
    aggregator: Any
    prefix: Any
    counter_prefix: Any
    latency_all_edges: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

class ThreadingOptions:
    """Threads of a dataset."""
    max_intra_op_parallelism: Any
    private_threadpool_size: Any
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(self) -> None: ...

def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of the specs of a dataset's or iterator's elements."""
