"""tf.test: what TensorFlow programs use to test themselves."""

from __future__ import annotations

import contextlib
import os
import pkgutil
import random
import tempfile
import threading
from typing import Any

import numpy as np
from absl.testing import absltest

from evergraph import proto
from evergraph.base import errors, nest
from evergraph.base.export import export
from evergraph.debug.comparisons import Comparisons
from evergraph.frontend.random import set_random_seed
from evergraph.graph import scopes
from evergraph.graph.graph import Graph, default_graph, reset_default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.basic import const
from evergraph.ops.state import lookup as tables
from evergraph.run.devices import session_devices
from evergraph.run.session import Session

_SEED = 87654321  # what TensorFlow's own tests start from


def _config(force_gpu: bool) -> Any:
    """What test sessions are made with: a device that there is not is another one, unless a GPU is the point."""
    return proto.config_pb2.ConfigProto(allow_soft_placement=not force_gpu)


@export("test.TestCase")
class TestCase(Comparisons):
    """A test case with sessions and comparisons of arrays. Each test starts with an empty default graph."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._cached = None
        self._made_with = (None, None, False, False)
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
        """A session that all blocks of one test share.

        Raises:
            ValueError: the session of an earlier block has another graph, configuration or device.
        """
        made_with = (graph, config, use_gpu, force_gpu)
        if self._cached is None:
            self._cached, self._made_with = Session(graph=graph, config=config or _config(force_gpu)), made_with
        for what, one, two in zip(("graph", "config", "use_gpu", "force_gpu"), self._made_with, made_with):
            if one is not two and one != two:
                raise ValueError(f"the session that this test shares was made with another {what}: {one}, not {two}")
        session = self._cached
        with session.graph.as_default(), session.as_default(), _device(session.graph, use_gpu, force_gpu):
            yield session

    def test_session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False,
                     force_gpu: bool = False):
        """A session of the given graph; without one, that of cached_session."""
        if graph is not None:
            return self.session(graph, config, use_gpu, force_gpu)
        return self.cached_session(None, config, use_gpu, force_gpu)

    def evaluate(self, tensors):
        """The values of tensors in the session around, or else in the one that all blocks of the test share."""
        if callable(tensors) and not isinstance(tensors, (Tensor, list, tuple, dict)):
            return self.evaluate(tensors())
        if default_graph().is_eager:
            return nest.map_structure(_value, tensors)
        session = scopes.default_session()
        if session is not None:
            return session.run(tensors)
        with self._shared_session() as session:
            return session.run(tensors)

    def _shared_session(self):
        """The test's own session, whatever it was made with."""
        return self.cached_session() if self._cached is None else self.cached_session(*self._made_with)

    def checkedThread(self, target, args=None, kwargs=None):
        """A thread with `start`, `join` and `is_alive`; joining it fails the test when its function raised."""
        return _CheckedThread(self, target, args or (), kwargs or {})


class _CheckedThread:
    """Runs a function beside the test and keeps what it raised."""

    def __init__(self, test, target, args, kwargs):
        self._test = test
        self._error = None
        self._thread = threading.Thread(target=self._run, args=(target, args, kwargs))

    def _run(self, target, args, kwargs):
        try:
            target(*args, **kwargs)
        except Exception as error:
            self._error = error

    def start(self):
        self._thread.start()

    def join(self):
        self._thread.join()
        if self._error is not None:
            self._test.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self):
        return self._thread.is_alive()


def _value(tensor):
    return tensor.numpy() if hasattr(tensor, "numpy") else tensor


def _device(graph, use_gpu, force_gpu):
    if force_gpu:
        return graph.device(gpu_device_name() or "/device:GPU:0")
    return contextlib.nullcontext() if use_gpu else graph.device("/device:CPU:0")


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
