# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.test."""

from absl.testing.absltest import TestCase as _TestCase
from collections.abc import Collection
from contextlib import AbstractContextManager
from evergraph import ConfigProto, Graph
from evergraph.distribute import Server
from types import ModuleType
from typing import Any

class Benchmark:
    """The base of classes of benchmarks: methods whose names begin with "benchmark" and report what they
    measured."""
    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is a base class rather than benchmarks."""
    def report_benchmark(
        self, iters: int | None = None, cpu_time: float | None = None, wall_time: float | None = None,
        throughput: float | None = None, extras: dict[str, Any] | None = None, name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Prints what was measured, in one line."""
    def run_op_benchmark(
        self, sess: Any, op_or_tensor: Any, feed_dict: Any = None, burn_iters: int = 2, min_iters: int = 10,
        store_trace: bool = False, store_memory_usage: bool = True, name: str | None = None, extras: Any = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Runs an operation repeatedly and reports the median time of a step."""
    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors in the default session."""

class StubOutForTesting:
    """Replaces attributes for a test, and puts the old ones back."""
    def CleanUp(self) -> None:
        """Puts back everything."""
    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replaces an attribute until `UnsetAll`."""
    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replaces an attribute, where the class or module that defines it has it, until `SmartUnsetAll`."""
    def UnsetAll(self) -> None:
        """Puts back what `Set` replaced, the latest first."""
    def SmartUnsetAll(self) -> None:
        """Puts back what `SmartSet` replaced, the latest first."""
    def __enter__(self) -> StubOutForTesting: ...
    def __exit__(self, *error: Any) -> None: ...
    def __init__(self) -> None: ...

class TestCase(_TestCase):
    """A test case with sessions and comparisons of arrays."""
    def setUp(self) -> None: ...
    def tearDown(self) -> None: ...
    def get_temp_dir(self) -> Any:
        """A directory of the test's own."""
    def captureWritesToStream(self, stream: Any) -> AbstractContextManager[Any]:
        """A block that keeps what is written to a stream with a file descriptor; its `contents()` are the
        text."""
    def session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False,
    ) -> AbstractContextManager[Any]:
        """A session that is closed at the end of the block."""
    def cached_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False,
    ) -> AbstractContextManager[Any]:
        """A session that all blocks of one test share; with eager execution, an object that has
        `run(fetches)`."""
    def test_session(
        self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False,
    ) -> AbstractContextManager[Any]:
        """The session that all blocks of the test share, unless the arguments ask for another one; None when
        eager."""
    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors in the session around, or else in the one that all blocks of the test share."""
    def checkedThread(self, target: Any, args: Any = None, kwargs: Any = None) -> Any:
        """A thread with `start`, `join` and `is_alive`; joining it fails the test when its function raised."""
    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> Any:
        """Both have the same shape and elements; ragged tensors are compared with each other, or with lists of
        rows."""
    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Some element differs."""
    def assertAllClose(self, a: Any, b: Any, rtol: Any = 1e-06, atol: Any = 1e-06, msg: Any = None) -> None:
        """Both structures hold the same numbers, up to `atol + rtol * |b|`."""
    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: Any = 1e-06, atol: Any = 1e-06, float_rtol: Any = 1e-06,
        float_atol: Any = 1e-06, half_rtol: Any = 0.001, half_atol: Any = 0.001, bfloat16_rtol: Any = 0.01,
        bfloat16_atol: Any = 0.01, msg: Any = None,
    ) -> None:
        """As assertAllClose, with wider limits for narrower floats."""
    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """Some element differs by more than the limits of assertAllClose."""
    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """All elements are above a number."""
    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """All elements are below a number."""
    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """No element is below a number."""
    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """No element is above a number."""
    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: Any = False,
        open_upper_bound: Any = False,
    ) -> None:
        """All elements lie between two numbers, which belong to the range unless it is open there."""
    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """All elements are members of a set."""
    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """A tensor or array has a dtype."""
    def assertNear(self, f1: Any, f2: Any, err: Any, msg: Any = None) -> None:
        """Two numbers differ by at most `err`, or are equal infinities."""
    def assertArrayNear(self, farray1: Any, farray2: Any, err: Any, msg: Any = None) -> None:
        """Two lists of numbers are equally long, and each pair differs by at most `err`."""
    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: Any, msg: Any = None) -> None:
        """The difference of two arrays has a norm below `err`."""
    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        """A tensor's static shape is that of an array."""
    def assertStartsWith(self, actual: Any, expected_start: Any, msg: Any = None) -> None:
        """A string begins with another one."""
    def assertDeviceEqual(self, device1: Any, device2: Any, msg: Any = None) -> None:
        """Two names are of one device."""
    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: str, msg: Any = None) -> None:
        """The message is the expected one, which may be given as text."""
    def assertProtoEqualsVersion(
        self, expected: Any, actual: Any, producer: Any = None, min_consumer: Any = 0, msg: Any = None,
    ) -> None:
        """As assertProtoEquals of a GraphDef, given as text without the versions that every graph has."""
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: Any,
    ) -> AbstractContextManager[Any]:
        """The block raises an exception of a class, whose text matches or which a function accepts."""
    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The block raises an OpError whose text matches."""
    def __init__(self, methodName: Any = 'runTest') -> None: ...

def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False,
) -> None:
    """Raises AssertionError when two GraphDefs differ in more than the order of nodes and control
    inputs."""

def benchmark_config() -> ConfigProto:
    """The ConfigProto for benchmarks."""

def compute_gradient(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None, delta: Any = 0.001,
    init_targets: Any = None, extra_feed_dict: Any = None,
) -> Any:
    """The Jacobian of y by x twice: from tf.gradients, and from differences."""

def compute_gradient_error(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None, delta: Any = 0.001,
    init_targets: Any = None, extra_feed_dict: Any = None,
) -> Any:
    """The largest difference between the two Jacobians of a gradient; the arguments are those of
    `compute_gradient`."""

def create_local_cluster(
    num_workers: int, num_ps: int, protocol: str = 'grpc', worker_config: Any = None, ps_config: Any = None,
) -> tuple[list[Server], list[Server]]:
    """Starts the servers of a cluster in this process."""

def get_temp_dir() -> Any:
    """The directory for temporary files of tests: $TEST_TMPDIR, or one made for this process."""

def gpu_device_name(skip_devices: Collection[str] = ...) -> str:
    """The name of the first GPU, or ""."""

def is_built_with_cuda() -> bool:
    """Whether JAX's CUDA plugin is installed."""

def is_built_with_gpu_support() -> bool:
    """Whether JAX can use a GPU, should there be one."""

def is_built_with_rocm() -> bool:
    """Whether JAX's ROCm plugin is installed."""

def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None,
    skip_devices: Collection[str] = ...,
) -> bool:
    """Whether there is a GPU."""

def main(argv: Any = None) -> None:
    """Runs the tests of the calling program."""

mock: ModuleType

def test_src_dir_path(relative_path: Any) -> Any:
    """A path below the directory that holds the tests' sources."""
