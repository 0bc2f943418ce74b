"""tf.test.Benchmark, tf.test.mock and tf.test.StubOutForTesting."""

from __future__ import annotations

import inspect
import time
import unittest.mock
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.export import export
from evergraph.frontend.control_flow import group
from evergraph.graph import scopes
from evergraph.graph.node import Operation
from evergraph.train.chrome_trace import Timeline

mock = export("test.mock")(unittest.mock)


@export("test.benchmark_config")
def benchmark_config() -> Any:
    """The ConfigProto for benchmarks. TensorFlow's turns off a rewrite of graphs that removes what is measured."""
    config = proto.config_pb2.ConfigProto()
    config.graph_options.rewrite_options.dependency_optimization = proto.rewriter_config_pb2.RewriterConfig.OFF
    return config


@export("test.Benchmark")
class Benchmark:
    """The base of classes of benchmarks: methods whose names begin with "benchmark" and report what they measured."""

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is a base class rather than benchmarks."""
        return cls is Benchmark

    def report_benchmark(self, iters: int | None = None, cpu_time: float | None = None, wall_time: float | None = None,
                         throughput: float | None = None, extras: dict[str, Any] | None = None,
                         name: str | None = None, metrics: Any = None) -> None:
        """Prints what was measured, in one line.

        Args:
            iters: the number of repetitions.
            cpu_time: the CPU time of one, in seconds.
            wall_time: the time of one, in seconds.
            throughput: in MB/s.
            extras: more numbers or strings.
            name: the name of the benchmark; by default Class.method of the method that calls.
            metrics: a list of dicts with name, value, min_value and max_value.
        """
        name = name or f"{type(self).__name__}.{_calling_benchmark()}"
        measured = {"iters": iters, "wall_time": wall_time, "cpu_time": cpu_time, "throughput": throughput}
        shown = {key: value for key, value in measured.items() if value is not None}
        if extras:
            shown["extras"] = extras
        if metrics:
            shown["metrics"] = metrics
        print(f"{name}: {shown}")

    def run_op_benchmark(self, sess: Any, op_or_tensor: Any, feed_dict: Any = None, burn_iters: int = 2,
                         min_iters: int = 10, store_trace: bool = False, store_memory_usage: bool = True,
                         name: str | None = None, extras: Any = None, mbs: float = 0) -> dict[str, Any]:
        """Runs an operation repeatedly and reports the median time of a step.

        Args:
            sess: the session.
            op_or_tensor: what to run; of a tensor, its operation, so that its value is not copied.
            feed_dict: what to feed.
            burn_iters: the number of steps before the measurement.
            min_iters: the number of steps measured.
            store_trace: whether the extras contain a trace of one more step, for Chrome.
            store_memory_usage: whether the extras contain the largest memory that XLA allocated for a tensor's program,
                where the trace of a step has it.
            name: the name of the benchmark.
            extras: more to report.
            mbs: the megabytes that a step moves, for the throughput.

        Returns:
            What was reported, as a dict.
        """
        run = op_or_tensor if isinstance(op_or_tensor, Operation) else group(op_or_tensor)
        for _ in range(burn_iters):
            sess.run(run, feed_dict)
        times = [_seconds(sess, run, feed_dict) for _ in range(min_iters)]
        median = float(np.median(times)) if times else float("nan")
        found = dict(extras or {})
        if store_trace:
            found["full_trace_chrome_format"] = _trace(sess, run, feed_dict)
        if store_memory_usage:
            found["allocator_maximum_num_bytes"] = _largest_memory(sess, run, feed_dict)
        throughput = mbs / median if mbs else 0.0
        found.setdefault("wall_time_mean", float(np.mean(times)) if times else float("nan"))
        found.setdefault("wall_time_stdev", float(np.std(times)) if times else float("nan"))
        self.report_benchmark(iters=min_iters, wall_time=median, throughput=throughput, extras=found, name=name)
        return {"name": name, "iters": min_iters, "wall_time": median, "throughput": throughput, "extras": found}

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors in the default session."""
        session = scopes.default_session()
        if session is None:
            raise ValueError("evaluate needs a default session: call it in `with tf.Session():`")
        return session.run(tensors)


def _seconds(sess: Any, run: Any, feed_dict: Any) -> float:
    start = time.perf_counter()
    sess.run(run, feed_dict)
    return time.perf_counter() - start


def _traced(sess: Any, run: Any, feed_dict: Any) -> Any:
    options = proto.config_pb2.RunOptions(trace_level=proto.config_pb2.RunOptions.FULL_TRACE)
    metadata = proto.config_pb2.RunMetadata()
    sess.run(run, feed_dict, options=options, run_metadata=metadata)
    return metadata


def _trace(sess: Any, run: Any, feed_dict: Any) -> str:
    return Timeline(_traced(sess, run, feed_dict).step_stats).generate_chrome_trace_format()


def _largest_memory(sess: Any, run: Any, feed_dict: Any) -> int:
    statistics = _traced(sess, run, feed_dict).step_stats
    return max((memory.total_bytes for device in statistics.dev_stats for node in device.node_stats
                for memory in node.memory), default=0)


def _calling_benchmark() -> str:
    """The name of the benchmark method around, for its report."""
    names = [frame.function for frame in inspect.stack()]
    return next((name for name in names if name.startswith("benchmark")), "benchmark")


@export("test.StubOutForTesting")
class StubOutForTesting:
    """Replaces attributes for a test, and puts the old ones back."""

    def __init__(self) -> None:
        self._replaced: list[tuple[Any, str, Any]] = []
        self._smartly: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *error: Any) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Puts back everything."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replaces an attribute until `UnsetAll`."""
        self._replaced.append((parent, child_name, _own(parent, child_name)))
        setattr(parent, child_name, new_child)

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replaces an attribute, where the class or module that defines it has it, until `SmartUnsetAll`.

        Raises:
            AttributeError: nothing defines it.
        """
        bases = (obj, *type(obj).__mro__) if not isinstance(obj, type) else obj.__mro__
        owner = next((base for base in bases if attr_name in vars(base)), None)
        if owner is None:
            raise AttributeError(f"{obj!r} has no attribute {attr_name!r}")
        self._smartly.append((owner, attr_name, _own(owner, attr_name)))
        setattr(owner, attr_name, new_attr)

    def UnsetAll(self) -> None:
        """Puts back what `Set` replaced, the latest first."""
        _put_back(self._replaced)

    def SmartUnsetAll(self) -> None:
        """Puts back what `SmartSet` replaced, the latest first."""
        _put_back(self._smartly)


def _own(parent: Any, name: str) -> Any:
    """The attribute as its owner holds it, so that a static method stays one."""
    held = getattr(parent, "__dict__", {})
    return held[name] if name in held else getattr(parent, name)


def _put_back(replaced: list[tuple[Any, str, Any]]) -> None:
    while replaced:
        parent, name, old = replaced.pop()
        setattr(parent, name, old)
