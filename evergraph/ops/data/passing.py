"""Datasets of the same elements as another: what they add is a condition, a delay, or has no meaning here."""

from __future__ import annotations

import threading
from typing import Any

from evergraph.base import errors
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import scalar
from evergraph.graph.traits import ANY
from evergraph.kernel.values import boxed
from evergraph.ops.data.naming import two_names
from evergraph.ops.data.pipeline import TYPES, Element, Iterator, Transformed, as_dataset, dataset_op, number


class Delayed(Transformed):
    """The same elements; each comes some time after it was asked for."""

    def __init__(self, node: Any, source: Any, seconds: float) -> None:
        super().__init__(node, source)
        self.seconds = seconds

    def iterate(self, scope: Any) -> Iterator:
        return _DelayedIterator(self.source.iterate(scope), self.seconds)


class _DelayedIterator(Iterator):
    def __init__(self, source: Iterator, seconds: float) -> None:
        super().__init__(source)
        self._seconds, self._stopped = seconds, threading.Event()

    def get(self) -> Element | None:
        if self._stopped.wait(self._seconds):
            raise errors.CancelledError(None, None, "the iterator was closed")
        return self.source.get()

    def stop(self) -> None:
        self._stopped.set()
        super().stop()


class WithCount(Transformed):
    """The same elements, which must be so many."""

    def __init__(self, node: Any, source: Any, count: int) -> None:
        super().__init__(node, source)
        self.count = count

    def iterate(self, scope: Any) -> Iterator:
        return _WithCountIterator(self.source.iterate(scope), self.count)

    def cardinality(self) -> int:
        return self.count


class _WithCountIterator(Iterator):
    kept = ("_seen",)

    def __init__(self, source: Iterator, count: int) -> None:
        super().__init__(source)
        self._count, self._seen = count, 0

    def get(self) -> Element | None:
        element = self.source.get()
        self._seen += element is not None
        wrong = self._seen < self._count if element is None else 0 <= self._count < self._seen
        if wrong:
            raise errors.FailedPreconditionError(
                None, None, f"the dataset has {'only' if element is None else 'at least'} {self._seen} elements, "
                f"asserted were {self._count}")
        return element


@two_names(f"SleepDataset(input_dataset: variant, sleep_microseconds: int64, *, {TYPES})", {})
def sleep_dataset(node, input_dataset, sleep_microseconds):
    """A dataset whose elements come some time after they were asked for."""
    return Delayed(node, input_dataset, number(sleep_microseconds) / 1e6)


@dataset_op(f"AssertCardinalityDataset(input_dataset: variant, cardinality: int64, *, {TYPES})", {})
def assert_cardinality_dataset(node, input_dataset, cardinality):
    """A dataset of the same elements, which must be so many."""
    return WithCount(node, input_dataset, number(cardinality))


def _same(input_dataset):
    """The same dataset."""
    return as_dataset(input_dataset)


non_serializable_dataset = two_names(f"NonSerializableDataset(input_dataset: variant, *, {TYPES})", {})(_same)
model_dataset = dataset_op(f"ModelDataset(input_dataset: variant, *, algorithm: int = 0, cpu_budget: int = 0, {TYPES})",
                           {"ram_budget": ANY})(_same)
optimize_dataset_v2 = dataset_op(
    "OptimizeDatasetV2(input_dataset: variant, optimizations_enabled: string, optimizations_disabled: string, "
    f"optimizations_default: string, *, {TYPES}, optimization_configs: list(string) = [])", {})(_same)
finalize_dataset = dataset_op(f"FinalizeDataset(input_dataset: variant, *, has_captured_ref: bool = False, {TYPES})",
                              {})(_same)
rewrite_dataset = dataset_op(f"RewriteDataset(input_dataset: variant, rewrite_name: string, *, {TYPES})", {})(_same)


@two_names(f"MaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64, *, {TYPES})", {})
def max_intra_op_parallelism_dataset(input_dataset, max_intra_op_parallelism):
    """The same dataset: kernels on the host use the threads of NumPy."""
    if number(max_intra_op_parallelism) < 0:
        raise invalid("`max_intra_op_parallelism` must be >= 0")
    return as_dataset(input_dataset)


@two_names(f"PrivateThreadPoolDataset(input_dataset: variant, num_threads: int64, *, {TYPES})", {})
def private_thread_pool_dataset(input_dataset, num_threads):
    """The same dataset: each transformation has its own thread."""
    if number(num_threads) < 0:
        raise invalid("`num_threads` must be >= 0")
    return as_dataset(input_dataset)


_POOL = "display_name: string, container: string = '', shared_name: string = ''"


def _thread_pool(node):
    """What ThreadPoolDataset takes: the number of threads."""
    return boxed(node.attrs["num_threads"])


thread_pool_handle, experimental_thread_pool_handle = (
    op(f"{name}(*, num_threads: int, max_intra_op_parallelism: int = 1, {_POOL}) -> handle: resource", stateful=True,
       on="host", shape=scalar, grad=STOP)(_thread_pool)
    for name in ("ThreadPoolHandle", "ExperimentalThreadPoolHandle"))


@two_names(f"ThreadPoolDataset(input_dataset: variant, thread_pool: resource, *, {TYPES})", {}, stateful=True)
def thread_pool_dataset(input_dataset):
    """The same dataset: each transformation has its own thread."""
    return as_dataset(input_dataset)


# ---- datasets in tensors


def _variant(input_handle):
    """The tensor, which needs no wrapping here."""
    return input_handle


wrap_dataset_variant, unwrap_dataset_variant = (
    op(f"{name}(input_handle: variant) -> output_handle: variant", on="host", shape=scalar, grad=STOP)(_variant)
    for name in ("WrapDatasetVariant", "UnwrapDatasetVariant"))
