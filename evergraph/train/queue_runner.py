"""Threads that fill queues: tf.train.QueueRunner and the collection of those a graph wants."""
from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from evergraph import proto
from evergraph.base import errors, logging
from evergraph.base.export import export
from evergraph.frontend.collections import GraphKeys, add_to_collection
from evergraph.frontend.variables.base import within_scope, without_scope
from evergraph.graph.graph import default_graph
from evergraph.run.session import BaseSession, get_default_session
from evergraph.save.proto_functions import register_proto_function
from evergraph.train.coordinator import Coordinator


def require_graph() -> None:
    """Raises RuntimeError with eager execution, before a queue is filled that nobody would empty."""
    if default_graph().is_eager:
        raise RuntimeError("queue runners repeat operations of a graph, and eager execution is on: read the data with "
                           "tf.data")


@export("train.QueueRunner", "train.queue_runner.QueueRunner")
class QueueRunner:
    """Fills a queue from background threads, each of which runs one enqueue operation until the input ends.

    The queue is closed when all threads have reached the end of the input. When a coordinator requests a stop, pending
    enqueue operations are cancelled.

    Args:
        queue: the queue.
        enqueue_ops: the enqueue operations, one for each thread.
        close_op: the operation that closes the queue and lets pending enqueue operations finish; by default
            `queue.close()`.
        cancel_op: the operation that closes the queue and cancels pending enqueue operations.
        queue_closed_exception_types: exceptions that mark the end of the input; by default (OutOfRangeError,).
        queue_runner_def: a QueueRunnerDef message to create the queue runner from, in place of the above.
        import_scope: the name scope into which the graph of that message was imported.

    Raises:
        ValueError: both or neither of `queue_runner_def` and `queue` are given, or there are no operations.
        TypeError: `queue_closed_exception_types` is no tuple of error classes.
        RuntimeError: ops run when they are called, so that there is no operation that threads could repeat.
    """

    def __init__(self, queue: Any = None, enqueue_ops: Sequence[Any] | None = None, close_op: Any = None,
                 cancel_op: Any = None, queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
                 queue_runner_def: Any = None, import_scope: str | None = None) -> None:
        require_graph()
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError("give queue_runner_def, or queue and enqueue_ops, but not both")
            self._read_proto(queue_runner_def, import_scope)
        else:
            self._set(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types)
        self._lock = threading.Lock()
        # How many threads run in each session: the last one of a session closes its queue.
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[Exception] = []

    def _set(self, queue: Any, enqueue_ops: Any, close_op: Any, cancel_op: Any, ended: Any) -> None:
        if not queue or not enqueue_ops:
            raise ValueError("a queue runner needs a queue and enqueue_ops")
        ended = (errors.OutOfRangeError,) if ended is None else ended
        if not isinstance(ended, tuple) or not ended or not all(
                isinstance(t, type) and issubclass(t, errors.OpError) for t in ended):
            raise TypeError(f"queue_closed_exception_types must be a tuple of tf.errors classes, not {ended}")
        self._queue, self._enqueue_ops, self._ended = queue, enqueue_ops, ended
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op

    def _read_proto(self, message: Any, import_scope: str | None) -> None:
        element = lambda name: default_graph().as_graph_element(within_scope(name, import_scope))
        self._queue = element(message.queue_name)
        self._enqueue_ops = [element(name) for name in message.enqueue_op_name]
        self._close_op, self._cancel_op = element(message.close_op_name), element(message.cancel_op_name)
        codes = message.queue_closed_exception_types
        self._ended = tuple(map(errors.exception_type_from_error_code, codes)) or (errors.OutOfRangeError,)

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(lambda self: self._close_op)
    cancel_op = property(lambda self: self._cancel_op)
    queue_closed_exception_types = property(lambda self: self._ended)
    name = property(lambda self: self._queue.name)

    @property
    def exceptions_raised(self) -> list[Exception]:
        """The exceptions that the last created threads raised without a coordinator to report them to."""
        return self._exceptions_raised

    def create_threads(self, sess: Any, coord: Coordinator | None = None, daemon: bool = False,
                       start: bool = False) -> list[threading.Thread]:
        """Creates the threads that run the enqueue operations in a session; none if they are running there already.

        Args:
            sess: the session.
            coord: a Coordinator, which can stop the threads and which they report exceptions to.
            daemon: whether the threads are daemon threads, which do not keep the program alive.
            start: whether to start the threads.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        thread = lambda name, work, *args: threading.Thread(target=work, args=args, daemon=daemon,
                                                            name=f"QueueRunnerThread-{self.name}-{name}")
        threads = [thread(op.name, self._fill, sess, op, coord) for op in self._enqueue_ops]
        if coord is not None:
            threads.append(thread("close_on_stop", self._cancel_on_stop, sess, coord))
        for each in threads:
            if coord is not None:
                coord.register_thread(each)
            if start:
                each.start()
        return threads

    def _fill(self, sess: Any, enqueue_op: Any, coord: Coordinator | None) -> None:
        """Runs one operation until the input ends, the coordinator stops or something fails."""
        try:
            enqueue = self._enqueuer(sess, enqueue_op)
            while coord is None or not coord.should_stop():
                try:
                    enqueue()
                except self._ended:
                    if self._was_last(sess):
                        self._run_quietly(sess, self._close_op)
                    return
            self._was_last(sess)
        except Exception as error:
            self._was_last(sess)
            was_closed = isinstance(error, errors.CancelledError) and coord is not None and coord.joined
            if was_closed:  # nobody waits for this thread any more
                return
            if coord is None:
                logging.error("A thread that fills a queue has failed: %s", error)
                with self._lock:
                    self._exceptions_raised.append(error)
            else:
                coord.request_stop(error)

    def _enqueuer(self, sess: Any, enqueue_op: Any) -> Callable[[], Any]:
        """A function that runs an enqueue operation once; it raises an error of the closed queue at the end."""
        return sess.make_callable(enqueue_op)

    def _was_last(self, sess: Any) -> bool:
        """Takes note that a thread of the session has ended; gives whether it was the last."""
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess] == 0

    def _cancel_on_stop(self, sess: Any, coord: Coordinator) -> None:
        coord.wait_for_stop()
        self._run_quietly(sess, self._cancel_op)

    def _run_quietly(self, sess: Any, operation: Any) -> None:
        """Runs an operation that may come too late: the queue or the session may be closed already."""
        try:
            sess.run(operation)
        except Exception as error:
            logging.vlog(1, "Too late to close a queue: %s", error)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A QueueRunnerDef message, or None when the queue is not in `export_scope`."""
        if export_scope is not None and not self._queue.name.startswith(export_scope):
            return None
        inside: Callable[[Any], str] = lambda element: without_scope(element.name, export_scope)
        return proto.queue_runner_pb2.QueueRunnerDef(
            queue_name=inside(self._queue), enqueue_op_name=[inside(op) for op in self._enqueue_ops],
            close_op_name=inside(self._close_op), cancel_op_name=inside(self._cancel_op),
            queue_closed_exception_types=[errors.error_code_from_exception_type(t) for t in self._ended])

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The queue runner that a message describes; its nodes must be in the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


register_proto_function(GraphKeys.QUEUE_RUNNERS, proto.queue_runner_pb2.QueueRunnerDef, QueueRunner.to_proto,
                        QueueRunner.from_proto)


@export("train.add_queue_runner", "train.queue_runner.add_queue_runner")
def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds a queue runner to the collection whose threads `tf.train.start_queue_runners` starts."""
    add_to_collection(collection, qr)


@export("train.start_queue_runners", "train.queue_runner.start_queue_runners")
def start_queue_runners(sess: Any = None, coord: Coordinator | None = None, daemon: bool = True, start: bool = True,
                        collection: str = GraphKeys.QUEUE_RUNNERS) -> list[threading.Thread]:
    """Starts the threads of all queue runners in a collection of the graph.

    Args:
        sess: the session; by default the default session.
        coord: a Coordinator for the threads.
        daemon: whether the threads are daemon threads, which do not keep the program alive.
        start: whether to start the threads, or only to create them.
        collection: the collection of queue runners.

    Returns:
        The list of threads.

    Raises:
        ValueError: there is no session.
        TypeError: `sess` is no tf.Session.
    """
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise ValueError("there is no session to start queue runners in: give sess, or call this inside "
                         "`with sess.as_default()`")
    if not isinstance(sess, BaseSession):
        if hasattr(sess, "should_stop") and hasattr(sess, "run"):  # a monitored session has started them already
            return []
        raise TypeError(f"sess must be a tf.Session, not {type(sess).__name__}")
    with sess.graph.as_default():
        runners = sess.graph.get_collection_ref(collection)
        for place, item in enumerate(runners):
            if not isinstance(item, QueueRunner):  # was imported before this module was
                runners[place] = QueueRunner.from_proto(item)
        return [t for runner in runners
                for t in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)]
