"""What makes a graph ready to train, tf.train.Scaffold, and sessions ready to run, tf.train.SessionManager."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evergraph.base import errors, logging
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.collections import (
    GraphKeys,
    add_to_collection,
    get_collection,
    global_variables,
)
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.resources import (
    initialize_resources,
    local_resources,
    report_uninitialized_resources,
    shared_resources,
)
from evergraph.frontend.variables.assign import (
    Reports,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.run.session import Session
from evergraph.save.saver import Saver
from evergraph.save.state import get_checkpoint_state
from evergraph.summary import summaries

# ---- what a graph is initialized with


def default_init_op() -> Operation:
    """An operation that initializes global variables and shared resources."""
    return group(global_variables_initializer(), initialize_resources(shared_resources()))


def _default_ready_op() -> Tensor:
    return _report(None, [*shared_resources(), *local_resources()])


def _default_ready_for_local_init_op() -> Tensor:
    return _report(global_variables(), shared_resources())


def _report(variables: Sequence[Any] | None, resources: Sequence[Any]) -> Tensor:
    """The names of what has no value yet among variables, by default all of them, and resources."""
    graph, named = default_graph(), report_uninitialized_variables(variables)
    both = array.concat([named, report_uninitialized_resources(resources)], 0)
    reports = graph.memo(Reports)
    if not resources and (known := reports.find(graph, named)) is not None:
        reports.add(graph, both, known.names, known.have)
    return both


@export("train.Scaffold")
class Scaffold:
    """The initializers, checks, summaries and saver that a MonitoredSession needs besides the model.

    Those that are not given are taken from the graph's collections, or created, when the scaffold is finalized.

    Args:
        init_op: the operation that initializes the global variables when there is no checkpoint.
        init_feed_dict: the feeds of `init_op`.
        init_fn: a function of (scaffold, session) that is called after `init_op`.
        ready_op: a string tensor with the names of uninitialized variables; the session is ready when it is empty.
        ready_for_local_init_op: a string tensor with the names of variables that `local_init_op` still waits for.
        local_init_op: the operation that initializes local variables and tables, in every new session, also after a
            checkpoint was restored.
        summary_op: the merged summary.
        saver: the Saver that writes and restores checkpoints.
        copy_from_scaffold: another Scaffold, whose items are used where none is given.

    Raises:
        TypeError: `copy_from_scaffold` is no Scaffold.
    """

    def __init__(self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Callable[..., Any] | None = None,
                 ready_op: Any = None, ready_for_local_init_op: Any = None, local_init_op: Any = None,
                 summary_op: Any = None, saver: Saver | None = None,
                 copy_from_scaffold: Scaffold | None = None) -> None:
        if copy_from_scaffold is not None and not isinstance(copy_from_scaffold, Scaffold):
            raise TypeError(f"copy_from_scaffold is not a Scaffold instance but {copy_from_scaffold!r}")
        given = {"init_op": init_op, "init_feed_dict": init_feed_dict, "user_init_fn": init_fn, "ready_op": ready_op,
                 "ready_for_local_init_op": ready_for_local_init_op, "local_init_op": local_init_op,
                 "summary_op": summary_op, "saver": saver}
        self._pieces = {name: getattr(copy_from_scaffold, "_pieces", {}).get(name) if piece is None else piece
                        for name, piece in given.items()}

    init_op = property(lambda self: self._pieces["init_op"])
    init_feed_dict = property(lambda self: self._pieces["init_feed_dict"])
    ready_op = property(lambda self: self._pieces["ready_op"])
    ready_for_local_init_op = property(lambda self: self._pieces["ready_for_local_init_op"])
    local_init_op = property(lambda self: self._pieces["local_init_op"])
    summary_op = property(lambda self: self._pieces["summary_op"])
    saver = property(lambda self: self._pieces["saver"])

    @property
    def init_fn(self) -> Callable[[Any], Any] | None:
        """A function of the session alone, or None."""
        function = self._pieces["user_init_fn"]
        return None if function is None else lambda session: function(self, session)

    def finalize(self) -> Scaffold:
        """Creates what was not given and finalizes the graph.

        Raises:
            RuntimeError: a collection has more than one item where one is needed.
        """
        makers: dict[str, tuple[str, Callable[[], Any]]] = {
            "init_op": (GraphKeys.INIT_OP, default_init_op),
            "ready_op": (GraphKeys.READY_OP, _default_ready_op),
            "ready_for_local_init_op": (GraphKeys.READY_FOR_LOCAL_INIT_OP, _default_ready_for_local_init_op),
            "local_init_op": (GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op),
            "summary_op": (GraphKeys.SUMMARY_OP, summaries.merge_all),
            "saver": (GraphKeys.SAVERS, lambda: Saver(sharded=True, allow_empty=True)),
        }
        for name, (key, make) in makers.items():
            if self._pieces[name] is None:
                self._pieces[name] = Scaffold.get_or_default(name, key, make)
        self.saver.build()
        default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The only item of a collection; if it is empty, the result of `default_constructor`, which is added to it.

        Args:
            arg_name: the name of the item in error messages.
            collection_key: the collection.
            default_constructor: a function without arguments that creates the item; a result of None is not added.

        Raises:
            RuntimeError: the collection has several items.
        """
        found = get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(f"More than one item in {collection_key!r}: say which one by giving "
                               f"{arg_name} to tf.train.Scaffold")
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Operation:
        """An operation that initializes local variables, tables and local resources."""
        return group(local_variables_initializer(), tables_initializer(), initialize_resources(local_resources()))


# ---- making sessions ready

# 1 has a chief restore its checkpoint over variables that parameter servers have kept, as TensorFlow's does.
_ROLLS_BACK = "EVERGRAPH_CHIEF_RESTORES"


@export("train.SessionManager")
class SessionManager:
    """Creates sessions whose variables are restored from a checkpoint or initialized.

    Args:
        local_init_op: the operation that initializes local variables and tables, run when the global variables have
            values.
        ready_op: a string tensor with the names of uninitialized variables; None takes every session for ready.
        ready_for_local_init_op: a string tensor with the names of variables that `local_init_op` still waits for.
        graph: the graph of the sessions; by default the default graph.
        recovery_wait_secs: the number of seconds between two checks for a checkpoint or another process.
        local_init_run_options: the RunOptions of `local_init_op`.

    Raises:
        ValueError: `ready_for_local_init_op` is given without `local_init_op`.
    """

    def __init__(self, local_init_op: Any = None, ready_op: Any = None, ready_for_local_init_op: Any = None,
                 graph: Graph | None = None, recovery_wait_secs: float = 30,
                 local_init_run_options: Any = None) -> None:
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError("ready_for_local_init_op says when local_init_op may run, which is not given")
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = default_graph() if graph is None else graph
        self._wait_secs, self._local_init_run_options = recovery_wait_secs, local_init_run_options

    def prepare_session(self, master: str, init_op: Any = None, saver: Saver | None = None,
                        checkpoint_dir: str | None = None, checkpoint_filename_with_path: str | None = None,
                        wait_for_checkpoint: bool = False, max_wait_secs: float = 7200, config: Any = None,
                        init_feed_dict: Any = None, init_fn: Callable[[Any], Any] | None = None) -> Session:
        """Creates a session that is ready to run: restores a checkpoint if there is one, else runs the initializers.

        Args:
            master: the target of the session.
            init_op: the operation that initializes the variables when there is no checkpoint.
            saver: the Saver that restores the checkpoint.
            checkpoint_dir: the directory whose latest checkpoint is restored.
            checkpoint_filename_with_path: the checkpoint to restore, in place of a directory.
            wait_for_checkpoint: whether to wait for a checkpoint to appear.
            max_wait_secs: the maximum time to wait.
            config: a ConfigProto.
            init_feed_dict: the feeds of `init_op`.
            init_fn: a function of the session that is called after `init_op`.

        Raises:
            RuntimeError: the session is not ready after the initialization.
            ValueError: both a directory and a checkpoint are given.
        """
        sess, is_restored = self._restored(master, saver, checkpoint_dir, checkpoint_filename_with_path,
                                           wait_for_checkpoint, max_wait_secs, config)
        with _closed_on_error(sess):
            if not is_restored:
                self._initialize(sess, init_op, init_feed_dict, init_fn)
            what = f"init_op: {_name(init_op)}, init_fn: {init_fn}, local_init_op: {_name(self._local_init_op)}"
            missing = self._run_local_init(sess)
            if missing:
                raise RuntimeError("Init operations did not make model ready: local_init_op may not run yet: "
                                   f"{missing} (with {what})")
            missing = _missing(self._ready_op, sess)
            if missing:
                raise RuntimeError(f"Init operations did not make model ready: {missing} (with {what})")
        return sess

    def _initialize(self, sess: Session, init_op: Any, feed_dict: Any, init_fn: Callable[[Any], Any] | None) -> None:
        if init_op is None and init_fn is None and self._local_init_op is None:
            raise RuntimeError("the variables have no values: there is no checkpoint, and no init_op or init_fn or "
                               "local_init_op was given")
        if init_op is not None:
            sess.run(init_op, feed_dict=feed_dict)
        if init_fn is not None:
            init_fn(sess)

    def recover_session(self, master: str, saver: Saver | None = None, checkpoint_dir: str | None = None,
                        checkpoint_filename_with_path: str | None = None, wait_for_checkpoint: bool = False,
                        max_wait_secs: float = 7200, config: Any = None) -> tuple[Session, bool]:
        """Creates a session and restores a checkpoint if there is one; returns (session, whether it is ready).

        The arguments are those of `prepare_session`.

        Raises:
            ValueError: both a directory and a checkpoint are given.
        """
        sess, is_restored = self._restored(master, saver, checkpoint_dir, checkpoint_filename_with_path,
                                           wait_for_checkpoint, max_wait_secs, config)
        with _closed_on_error(sess):
            missing = self._run_local_init(sess)
            if not is_restored:
                return sess, False
            missing = missing or _missing(self._ready_op, sess)
        if missing:
            logging.info("The checkpoint left the model unready: %s", missing)
        return sess, not missing

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = float("Inf")) -> Session:
        """Creates a session and waits until another process, the chief, has initialized the variables.

        Args:
            master: the target of the session.
            config: a ConfigProto.
            max_wait_secs: the maximum time to wait.

        Raises:
            DeadlineExceededError: the variables are not initialized after that time.
        """
        deadline = time.monotonic() + (float("inf") if max_wait_secs is None else max_wait_secs)
        while True:
            sess = Session(master, graph=self._graph, config=config)
            with _closed_on_error(sess):
                missing = self._run_local_init(sess) or _missing(self._ready_op, sess)
            if not missing:
                return sess
            sess.close()
            if time.monotonic() + self._wait_secs > deadline:
                raise errors.DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {max_wait_secs} seconds: {missing}")
            logging.info("Waiting for the model to be ready: %s", missing)
            time.sleep(self._wait_secs)

    def _restored(self, master: str, saver: Saver | None, folder: str | None, path: str | None, wait: bool,
                  max_wait_secs: float, config: Any) -> tuple[Session, bool]:
        """(a new session, whether a checkpoint was restored in it)."""
        if folder and path:
            raise ValueError("give checkpoint_dir or checkpoint_filename_with_path, not both")
        sess = Session(master, graph=self._graph, config=config)
        if saver is None or not (folder or path):
            return sess, False
        with _closed_on_error(sess):
            if path:
                saver.restore(sess, path)
                return sess, True
            state = self._checkpoint_state(folder, max_wait_secs if wait else 0)
            if state is None:
                return sess, False
            if master and self._is_alive(sess):
                logging.info("The variables have values, newer than the checkpoint: training goes on with them.")
            else:
                saver.restore(sess, state.model_checkpoint_path)
            saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def _is_alive(self, sess: Session) -> bool:
        """Whether parameter servers have kept all global variables of training whose chief was started again."""
        ready = self._ready_for_local_init_op if self._ready_for_local_init_op is not None else self._ready_op
        return ready is not None and os.environ.get(_ROLLS_BACK) != "1" and not _missing(ready, sess)

    def _checkpoint_state(self, folder: str | None, max_wait_secs: float) -> Any:
        """The state of a directory once it has a checkpoint; None when it has none in that time."""
        waited = 0.0
        while True:
            state = get_checkpoint_state(folder)
            if state is not None and state.model_checkpoint_path:
                return state
            if waited >= max_wait_secs:
                return None
            logging.info("Waiting for a checkpoint in %s", folder)
            time.sleep(self._wait_secs)
            waited += self._wait_secs

    def _run_local_init(self, sess: Session) -> str | None:
        """Runs `local_init_op` when it may run; gives what it still waits for."""
        if self._local_init_op is None:
            return None
        missing = _missing(self._ready_for_local_init_op, sess)
        if not missing:
            logging.info("Running local_init_op.")
            sess.run(self._local_init_op, options=self._local_init_run_options)
            logging.info("Done running local_init_op.")
        return missing


def _missing(ready_op: Any, sess: Session) -> str | None:
    """What a session still lacks, in words; None when it lacks nothing."""
    if ready_op is None:
        return None
    try:
        names = _reported(ready_op, sess)
        if names is None:
            names = sess.run(ready_op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            raise
        return f"no value yet: {error}"
    # An operation, or numbers as of tf.assert_variables_initialized, have failed by now when something is missing.
    if names is None or np.asarray(names).dtype.kind not in "OSU" or not np.size(names):
        return None
    return "Variables not initialized: " + ", ".join(name.decode() for name in np.ravel(names))


def _reported(ready_op: Any, sess: Session) -> list[bytes] | None:
    """The names that a report on variables gives, from what the session stores; None if only a run can tell."""
    report = sess.graph.memo(Reports).find(sess.graph, ready_op)
    are_set = sess._are_set(report.have) if report is not None else None
    if report is None or are_set is None:
        return None
    return [name.encode() for name, is_set in zip(report.names, are_set, strict=True) if not is_set]


def _name(operation: Any) -> str:
    return getattr(operation, "name", str(operation))


@contextlib.contextmanager
def _closed_on_error(sess: Session) -> Any:
    """A block after whose failure the session is closed."""
    try:
        yield
    except BaseException:
        sess.close()
        raise
