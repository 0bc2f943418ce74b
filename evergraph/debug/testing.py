"""tf.test: what TensorFlow programs use to test themselves."""

from __future__ import annotations

import contextlib
import os
import random
import tempfile
import threading
from typing import Any

import numpy as np
from absl.testing import absltest

from evergraph import proto
from evergraph.base import nest
from evergraph.base.export import export
from evergraph.debug.comparisons import Comparisons
from evergraph.debug.gpus import CPU, gpu_device_name
from evergraph.debug.standing_in import EagerSessionWarner, FakeEagerSession
from evergraph.frontend.ragged.tensor import RaggedTensor
from evergraph.frontend.ragged.value import RaggedTensorValue
from evergraph.frontend.random import set_random_seed
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from evergraph.graph.graph import Graph, default_graph, reset_default_graph
from evergraph.graph.node import Tensor
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
        self._made_with = (None, None, False)
        self._directory = None
        self._threads = []

    def setUp(self):
        super().setUp()
        if self.id().endswith(".test_session"):
            self.skipTest("test_session is a method of tests, not a test")
        self._close_cached()
        self._directory = None
        random.seed(_SEED)
        np.random.seed(_SEED)
        _empty_default_graph()
        set_random_seed(_SEED)

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._threads = []
        self._close_cached()
        super().tearDown()

    def _close_cached(self):
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def get_temp_dir(self):
        """A directory of the test's own."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(dir=get_temp_dir())
        return self._directory

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """A block that keeps what is written to a stream with a file descriptor; its `contents()` are the text."""
        with tempfile.NamedTemporaryFile(dir=self.get_temp_dir(), delete=False) as file:
            stream.flush()
            descriptor = os.dup(stream.fileno())
            os.dup2(file.fileno(), stream.fileno())
            try:
                yield CapturedWrites(file.name)
            finally:
                stream.flush()
                os.dup2(descriptor, stream.fileno())
                os.close(descriptor)

    @contextlib.contextmanager
    def session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False):
        """A session that is closed at the end of the block.

        Without `use_gpu` or `force_gpu` new nodes ask for the CPU; with `force_gpu` for the first GPU. With eager
        execution there are no sessions, and using what the block gets raises an error.
        """
        if default_graph().is_eager:
            yield EagerSessionWarner()
            return
        config = config or _config(force_gpu)
        with Session(graph=graph, config=config) as session, _device(session.graph, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False,
                       force_gpu: bool = False):
        """A session that all blocks of one test share; with eager execution, an object that has `run(fetches)`.

        Raises:
            ValueError: the session of an earlier block has another graph, configuration or `force_gpu`.
        """
        if default_graph().is_eager:
            yield FakeEagerSession(self)
            return
        made_with = (graph, config, force_gpu)
        if self._cached is None:
            self._cached, self._made_with = Session(graph=graph, config=config or _config(force_gpu)), made_with
        for what, one, two in zip(("graph", "config", "force_gpu"), self._made_with, made_with):
            if one is not two and one != two:
                raise ValueError(f"the session that this test shares was made with another {what}: {one}, not {two}")
        session = self._cached
        with session.graph.as_default(), session.as_default(), _device(session.graph, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def test_session(self, graph: Graph | None = None, config: Any = None, use_gpu: bool = False,
                     force_gpu: bool = False):
        """The session that all blocks of the test share, unless the arguments ask for another one; None when eager."""
        if default_graph().is_eager:
            yield None
            return
        shared = graph is None and (self._cached is None or self._made_with == (None, config, force_gpu))
        make = self.cached_session if shared else self.session
        with make(graph, config, use_gpu, force_gpu) as session:
            yield session

    def evaluate(self, tensors):
        """The values of tensors in the session around, or else in the one that all blocks of the test share."""
        if callable(tensors) and not isinstance(tensors, (Tensor, list, tuple, dict)):
            return self.evaluate(tensors())
        if default_graph().is_eager:
            return nest.map_structure(self._eager_value, tensors)
        session = scopes.default_session()
        if session is not None:
            return session.run(tensors)
        with self._shared_session() as session:
            return session.run(tensors)

    def _eager_value(self, tensor):
        """What a session would return for a tensor that has its value already."""
        if tensor is None:
            return None
        if isinstance(tensor, SparseTensor):
            return SparseTensorValue(*map(self.evaluate, (tensor.indices, tensor.values, tensor.dense_shape)))
        if isinstance(tensor, RaggedTensor):
            return RaggedTensorValue(self.evaluate(tensor.values), self.evaluate(tensor.row_splits))
        if isinstance(tensor, IndexedSlices):
            return IndexedSlicesValue(*map(self.evaluate, (tensor.values, tensor.indices, tensor.dense_shape)))
        if hasattr(tensor, "numpy"):
            return tensor.numpy()
        if callable(tensor):
            return self.evaluate(tensor())
        raise ValueError(f"Unsupported type {type(tensor)}.")

    def _shared_session(self):
        """The test's own session, whatever it was made with."""
        graph, config, force_gpu = self._made_with if self._cached is not None else (None, None, False)
        return self.cached_session(graph, config, force_gpu=force_gpu)

    def checkedThread(self, target, args=None, kwargs=None):
        """A thread with `start`, `join` and `is_alive`; joining it fails the test when its function raised.

        A test that ends without joining it fails, too.
        """
        thread = _CheckedThread(self, target, args or (), kwargs or {})
        self._threads.append(thread)
        return thread


def _empty_default_graph():
    """Makes the default graph an empty one; inside a block of a graph, the test begins in that graph as it is."""
    if all(graph.is_eager for graph in scopes.graphs.items):
        reset_default_graph()


class CapturedWrites:
    """What a file holds: the text that `captureWritesToStream` keeps there."""

    def __init__(self, capture_location):
        self.capture_location = capture_location

    def contents(self):
        """All that has been written up to now."""
        with open(self.capture_location) as file:
            return file.read()


class _CheckedThread:
    """Runs a function beside the test and keeps what it raised."""

    def __init__(self, test, target, args, kwargs):
        self._test = test
        self._error = None
        self._is_joined = False
        self._thread = threading.Thread(target=self._run, args=(target, args, kwargs))

    def _run(self, target, args, kwargs):
        try:
            target(*args, **kwargs)
        except Exception as error:
            self._error = error

    def start(self):
        self._thread.start()

    def join(self):
        self._is_joined = True
        self._thread.join()
        if self._error is not None:
            self._test.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self):
        return self._thread.is_alive()

    def check_termination(self):
        """Fails the test if nobody has joined the thread."""
        if not self._is_joined:
            self._test.fail("A checked thread was not joined.")


def _device(graph, use_gpu, force_gpu):
    if force_gpu:
        return graph.device(gpu_device_name() or "/device:GPU:0")
    return contextlib.nullcontext() if use_gpu else graph.device(CPU)


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
