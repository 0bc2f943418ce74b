"""tf.test: what TensorFlow programs use to test themselves."""

from __future__ import annotations

import contextlib
import os
import pkgutil
import random
import tempfile
from typing import Any

import numpy as np
from absl.testing import absltest
from google.protobuf import text_format

from evergraph import proto
from evergraph.base import errors, nest
from evergraph.base.export import export
from evergraph.frontend.random import set_random_seed
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlicesValue, SparseTensorValue
from evergraph.graph.graph import Graph, reset_default_graph
from evergraph.ops.arrays.basic import const
from evergraph.ops.state import lookup as tables
from evergraph.run.devices import session_devices
from evergraph.run.session import Session

_SEED = 87654321  # what TensorFlow's own tests start from


def _config(force_gpu: bool) -> Any:
    """What test sessions are made with: a device that there is not is another one, unless a GPU is the point."""
    return proto.config_pb2.ConfigProto(allow_soft_placement=not force_gpu)


@export("test.TestCase")
class TestCase(absltest.TestCase):
    """A test case with sessions and comparisons of arrays. Each test starts with an empty default graph."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._cached = None
        self._directory = None

    def setUp(self):
        super().setUp()
        random.seed(_SEED)
        np.random.seed(_SEED)
        reset_default_graph()
        set_random_seed(_SEED)

    def tearDown(self):
        if self._cached is not None:
            self._cached.close()
            self._cached = None
        super().tearDown()

    def get_temp_dir(self):
        """A directory of the test's own."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(dir=get_temp_dir())
        return self._directory

    @contextlib.contextmanager
    def session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False):
        """A session that is closed at the end of the block.

        Without `use_gpu` or `force_gpu` new nodes ask for the CPU; with `force_gpu` for the first GPU.
        """
        config = config or _config(force_gpu)
        with Session(graph=graph, config=config) as session, _device(session.graph, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False,
                       force_gpu: bool = False):
        """A session that all blocks of one test share."""
        if self._cached is None:
            self._cached = Session(graph=graph, config=config or _config(force_gpu))
        session = self._cached
        with session.graph.as_default(), session.as_default(), _device(session.graph, use_gpu, force_gpu):
            yield session

    test_session = cached_session

    def evaluate(self, tensors):
        """The values of tensors in the session around, or else in the one that all blocks of the test share."""
        session = scopes.default_session()
        if session is not None:
            return session.run(tensors)
        with self.cached_session() as session:
            return session.run(tensors)

    def assertAllEqual(self, a, b, msg=None):
        """Both have the same shape and elements."""
        a, b = _array(a), _array(b)
        self.assertEqual(a.shape, b.shape, _joined(msg, f"shapes differ: {a.shape} and {b.shape}"))
        same = (a == b) | ((a != a) & (b != b)) if a.dtype.kind in "fc" and b.dtype.kind in "fc" else a == b
        if not np.all(same):
            self.fail(_joined(msg, f"{np.sum(~np.asarray(same))} elements differ:\n{a}\n{b}"))

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Both structures hold the same numbers, up to `atol + rtol * |b|`."""
        if isinstance(a, dict) or not all(map(_is_regular, (a, b))):
            nest.assert_same_structure(a, b, check_types=False)
            for one, two in zip(nest.flatten(a), nest.flatten(b)):
                self.assertAllClose(one, two, rtol, atol, msg)
            return
        a, b = _array(a), _array(b)
        self.assertEqual(a.shape, b.shape, _joined(msg, f"shapes differ: {a.shape} and {b.shape}"))
        half = any(x.dtype.itemsize == 2 and x.dtype.kind in "fV" for x in (a, b))
        rtol, atol = (max(rtol, 1e-3), max(atol, 1e-3)) if half else (rtol, atol)
        np.testing.assert_allclose(a.astype(_wide(a)), b.astype(_wide(b)), rtol, atol, err_msg=msg or "")

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6,
                                      half_rtol=1e-3, half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        """As assertAllClose, with wider limits for narrower floats."""
        names = {_array(a).dtype.name, _array(b).dtype.name}
        wider = {"float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
                 "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol)}
        for relative, absolute in (wider[name] for name in names if name in wider):
            rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a, b, **kwargs):
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("The two values are close at all elements")

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        self.assertEqual(np_array.shape, tuple(tf_tensor.get_shape().as_list()), msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        """The message is the expected one, which may be given as text."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = text_format.Parse(expected, type(message)())
        self.assertEqual(expected, message, msg)

    @contextlib.contextmanager
    def assertRaisesOpError(self, expected_err_re_or_predicate):
        """The block raises an OpError whose text matches."""
        with self.assertRaisesRegex(errors.OpError, expected_err_re_or_predicate):
            yield


def _device(graph, use_gpu, force_gpu):
    if force_gpu:
        return graph.device(gpu_device_name() or "/device:GPU:0")
    return contextlib.nullcontext() if use_gpu else graph.device("/device:CPU:0")


def _is_regular(value):
    """Whether lists in lists, where they are, make an array."""
    return not isinstance(value, (list, tuple)) or _array(value).dtype != object


def _array(value):
    if isinstance(value, (SparseTensorValue, IndexedSlicesValue)):
        raise TypeError(f"compare the parts of a {type(value).__name__}")
    if hasattr(value, "eval") and not isinstance(value, np.ndarray):
        value = value.eval()
    if isinstance(value, np.ndarray):
        return value
    try:
        return np.array(value)
    except ValueError:  # a list of things that are no numbers, or of rows of different lengths
        return np.array(value, dtype=object)


def _wide(array):
    return np.float64 if array.dtype.kind not in "c" else np.complex128


def _joined(msg, text):
    return f"{msg}: {text}" if msg else text


@export("test.main")
def main(argv=None):
    """Runs the tests of the calling program."""
    absltest.main(argv=argv)


@export("test.get_temp_dir")
def get_temp_dir():
    """The directory for temporary files of tests: $TEST_TMPDIR, or one made for this process."""
    global _temporary
    if os.environ.get("TEST_TMPDIR"):
        return os.environ["TEST_TMPDIR"]
    _temporary = _temporary or tempfile.mkdtemp(prefix="evergraph_test_")
    return _temporary


_temporary: str | None = None


@export("test.test_src_dir_path")
def test_src_dir_path(relative_path):
    """A path below the directory that holds the tests' sources."""
    return os.path.join(os.environ.get("TEST_SRCDIR", os.getcwd()), relative_path)


@export("test.gpu_device_name")
def gpu_device_name():
    """The name of the first GPU, or ""."""
    found = [name for name in session_devices() if "device:GPU" in name]
    return f"/device:{found[0].rpartition('device:')[2]}" if found else ""


@export("test.is_gpu_available")
def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """Whether there is a GPU; JAX names no compute capability that could be compared before a program runs.

    Raises:
        UnimplementedError: `min_cuda_compute_capability` is given.
    """
    if min_cuda_compute_capability is not None:
        raise errors.UnimplementedError(None, None, "tf.test.is_gpu_available: min_cuda_compute_capability")
    return bool(gpu_device_name()) and (not cuda_only or is_built_with_cuda())


@export("test.is_built_with_cuda")
def is_built_with_cuda():
    """Whether JAX's CUDA plugin is installed."""
    return _has_plugin("jax_cuda")


@export("test.is_built_with_rocm")
def is_built_with_rocm():
    """Whether JAX's ROCm plugin is installed."""
    return _has_plugin("jax_rocm")


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support():
    """Whether JAX can use a GPU, should there be one."""
    return is_built_with_cuda() or is_built_with_rocm()


def _has_plugin(prefix):
    return any(m.name.startswith(prefix) and m.name.endswith("plugin") for m in pkgutil.iter_modules())


@export("test.assert_equal_graph_def")
def assert_equal_graph_def(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """Raises AssertionError when two GraphDefs differ in more than the order of their nodes.

    Args:
        actual: a GraphDef.
        expected: a GraphDef.
        checkpoint_v2: leave out the names of temporary checkpoints, which differ from run to run.
        hash_table_shared_name: leave out the shared names of tables.
    """
    for name, message in (("actual", actual), ("expected", expected)):
        if type(message).__name__ != "GraphDef":
            raise TypeError(f"{name} must be a GraphDef, not {type(message).__name__}")
    ours, theirs = ({n.name: _comparable(n, checkpoint_v2, hash_table_shared_name) for n in g.node}
                    for g in (actual, expected))
    missing, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
    if missing or extra:
        raise AssertionError(f"GraphDefs differ: missing nodes {missing}, unexpected nodes {extra}")
    for name, node in theirs.items():
        if ours[name] != node:
            raise AssertionError(f"GraphDefs differ at node {name}:\n{ours[name]}\n{node}")


_TABLES = {op.name for op in (
    tables.hash_table, tables.hash_table_v2, tables.mutable_hash_table, tables.mutable_hash_table_v2,
    tables.mutable_hash_table_of_tensors, tables.mutable_hash_table_of_tensors_v2, tables.mutable_dense_hash_table,
    tables.mutable_dense_hash_table_v2)}  # fmt: skip


def _comparable(node, checkpoint_v2, hash_table_shared_name):
    copy = type(node)()
    copy.CopyFrom(node)
    if checkpoint_v2 and copy.op == const.name and any(b"temp" in s for s in copy.attr["value"].tensor.string_val):
        del copy.attr["value"]
    if hash_table_shared_name and copy.op in _TABLES and "shared_name" in copy.attr:
        del copy.attr["shared_name"]
    return copy
