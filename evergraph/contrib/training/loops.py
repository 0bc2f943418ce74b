"""tf.contrib.training: the training loop, and evaluations of one checkpoint after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.save.reader import checkpoints_iterator
from evergraph.summary.summaries import merge_all
from evergraph.summary.writer import FileWriterCache
from evergraph.train.evaluation import counting, run_evaluation
from evergraph.train.global_step import get_or_create_global_step
from evergraph.train.monitored import MonitoredTrainingSession
from evergraph.train.scaffold import Scaffold
from evergraph.train.session_run_hook import SessionRunHook


@export("contrib.training.train")
def train(train_op: Any, logdir: str | None, master: str = "", is_chief: bool = True, scaffold: Scaffold | None = None,
          hooks: Sequence[SessionRunHook] | None = None, chief_only_hooks: Sequence[SessionRunHook] | None = None,
          save_checkpoint_secs: float | None = 600, save_summaries_steps: int | None = 100, config: Any = None,
          max_wait_secs: float = 7200, run_metadata: Any = None) -> Any:
    """Runs a training operation until a hook asks to stop or the input ends.

    Args:
        train_op: what to run, such as the result of `tf.contrib.training.create_train_op`.
        logdir: the directory of checkpoints and summaries.
        master: the target of the session.
        is_chief: whether this process initializes and saves.
        scaffold: a Scaffold.
        hooks: SessionRunHooks.
        chief_only_hooks: those of the chief alone.
        save_checkpoint_secs: the time between checkpoints; None for none.
        save_summaries_steps: the number of steps between summaries; None for none.
        config: a ConfigProto.
        max_wait_secs: how long other workers wait for the chief.
        run_metadata: a RunMetadata that is filled by each step.

    Returns:
        The last value of `train_op`; None if it never ran.

    Raises:
        ValueError: there is no `logdir` and something is to be saved.
    """
    if logdir is None and is_chief and (save_summaries_steps or save_checkpoint_secs):
        raise ValueError("without a logdir, save_summaries_steps and save_checkpoint_secs must be None")
    loss = None
    with MonitoredTrainingSession(
            master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
            chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
            save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


@export("contrib.training.SummaryAtEndHook")
class SummaryAtEndHook(SessionRunHook):
    """Writes summaries when a session ends, such as after an evaluation.

    Args:
        log_dir: the directory of the event file.
        summary_writer: a FileWriter, in place of a directory.
        summary_op: the summaries; by default all of the graph.
        feed_dict: the feeds for them.

    Raises:
        ValueError: there is neither a directory nor a writer.
    """

    def __init__(self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None,
                 feed_dict: Any = None) -> None:
        if log_dir is None and summary_writer is None:
            raise ValueError("SummaryAtEndHook needs log_dir or summary_writer")
        self._log_dir, self._writer, self._feeds = log_dir, summary_writer, feed_dict
        self._summary_op, self._is_given = summary_op, summary_op is not None

    def begin(self) -> None:
        if not self._is_given:
            self._summary_op = merge_all()
        self._step = get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._writer is None:
            self._writer = FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        step = session.run(self._step)
        if self._summary_op is not None:
            self._writer.add_summary(session.run(self._summary_op, self._feeds), step)
        self._writer.flush()


@export("contrib.training.evaluate_repeatedly")
def evaluate_repeatedly(checkpoint_dir: str, master: str = "", scaffold: Scaffold | None = None, eval_ops: Any = None,
                        feed_dict: Any = None, final_ops: Any = None, final_ops_feed_dict: Any = None,
                        eval_interval_secs: float = 60, hooks: Sequence[SessionRunHook] | None = None,
                        config: Any = None, max_number_of_evaluations: int | None = None,
                        timeout: float | None = None, timeout_fn: Callable[[], Any] | None = None) -> Any:
    """Evaluates each new checkpoint of a directory; see `tf.contrib.training.evaluate_once`.

    Args:
        checkpoint_dir: the directory.
        master: the target of the session.
        scaffold: the Scaffold with the saver and initializers.
        eval_ops: what to run until the input ends or a hook asks to stop.
        feed_dict: the feeds of `eval_ops`.
        final_ops: what to fetch at the end of each evaluation.
        final_ops_feed_dict: the feeds of `final_ops`.
        eval_interval_secs: the least time between the starts of two evaluations.
        hooks: SessionRunHooks.
        config: a ConfigProto.
        max_number_of_evaluations: after how many evaluations to return; None for no limit.
        timeout: how many seconds to wait for a checkpoint; None for any time.
        timeout_fn: called after that time; waiting goes on while it returns False.

    Returns:
        The last values of `final_ops`; None without any.
    """
    hooks = list(hooks or ())
    counted = counting(eval_ops, hooks)
    values = None
    checkpoints = checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for number, checkpoint in enumerate(checkpoints, 1):
        values = run_evaluation(checkpoint, counted, master, scaffold, feed_dict, final_ops, final_ops_feed_dict,
                                hooks, config)
        if max_number_of_evaluations is not None and number >= max_number_of_evaluations:
            break
    return values
