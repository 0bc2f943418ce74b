# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.test."""

from collections.abc import Callable, Sequence
from numpy import ndarray
from typing import Any

from evergraph.test import Benchmark as Benchmark
from evergraph.test import TestCase as TestCase
from evergraph.test import benchmark_config as benchmark_config

def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None,
) -> tuple[list[ndarray], list[ndarray]]:
    """The Jacobians of a function by its arguments twice: from tf.gradients, and from differences."""

from evergraph.test import create_local_cluster as create_local_cluster
from evergraph.test import gpu_device_name as gpu_device_name
from evergraph.test import is_built_with_cuda as is_built_with_cuda
from evergraph.test import is_built_with_gpu_support as is_built_with_gpu_support
from evergraph.test import is_built_with_rocm as is_built_with_rocm
from evergraph.test import is_gpu_available as is_gpu_available
from evergraph.test import main as main
