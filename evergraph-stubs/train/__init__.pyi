# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.train."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from evergraph import ConfigProto, FIFOQueue, Graph, MetaGraphDef, Operation, Session, Tensor, Variable
from evergraph.contrib.checkpoint import Checkpointable
from evergraph.estimator import SessionRunHook as _SessionRunHook, VocabInfo as _VocabInfo
from evergraph.raw_ops import _SdcaOptimizer
from google.protobuf.internal.containers import (
    MessageMap, RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer, ScalarMap,
)
from google.protobuf.message import Message
from threading import Thread
from typing import Any, Self
from evergraph.train import experimental as experimental, queue_runner as queue_runner

import sys
if sys.platform == "":
    del (
        adadelta, adagrad, adam, basic_loops, batches, chrome_trace, cluster, coordinator, cross_shard,
        device_setter, evaluation, ftrl, gradient_descent, hooks, input_pipeline_hook, loss_scale,
        loss_scale_optimizer, momentum, monitored, moving_averages, optimizer, producers, proximal,
        python_state, quantized_training, rmsprop, scaffold, schedules, session_run_hook, slots, supervisor,
        sync_replicas, timer, worker_context,
    )

class AdadeltaOptimizer(Optimizer):
    """The Adadelta optimizer (Zeiler, 2012): scales gradients by the running sizes of updates over those of
    gradients."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-08, use_locking: bool = False,
        name: str = 'Adadelta',
    ) -> None: ...

class AdagradDAOptimizer(Optimizer):
    """Adagrad by dual averaging (Duchi et al., 2011), with l1 and l2 regularization; for large sparse
    linear models."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any, global_step: Any, initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        use_locking: bool = False, name: str = 'AdagradDA',
    ) -> None: ...

class AdagradOptimizer(Optimizer):
    """The Adagrad optimizer (Duchi et al., 2011): a learning rate for each element, which falls with its
    gradients."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = 'Adagrad',
    ) -> None: ...

class AdamOptimizer(Optimizer):
    """The Adam optimizer (Kingma and Ba, 2014): gradient descent with running means of the gradients and
    their squares."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-08,
        use_locking: bool = False, name: str = 'Adam',
    ) -> None: ...

class BytesList(Message):
    value: RepeatedScalarFieldContainer[bytes]
    def __init__(self, *, value: Any = ...) -> None: ...

class Checkpoint(Checkpointable):
    """Saves and restores objects: variables, layers, optimizers, modules, lists and dictionaries of
    them."""
    @property
    def save_counter(self) -> Variable:
        """The variable that counts the calls of `save`; it is part of the checkpoint."""
    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Writes the objects to a checkpoint of exactly this name; returns its path."""
    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Writes the objects to a checkpoint `<file_prefix>-<number>`, the latest of its directory."""
    def read(self, save_path: Any) -> Any:
        """Prepares to restore the objects from a checkpoint of `write`; see `restore`, which includes the
        counter."""
    def restore(self, save_path: Any) -> Any:
        """Prepares to restore the objects."""
    def __init__(self, **kwargs: Any) -> None: ...

class CheckpointManager:
    """Manages the checkpoints of a directory: keeps the last ones, and optionally one every few hours."""
    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint; None if there is none."""
    @property
    def checkpoints(self) -> list[str]:
        """The paths of the managed checkpoints, oldest first; without those kept permanently."""
    def save(self, checkpoint_number: Any = None) -> str:
        """Writes a checkpoint, and removes old ones."""
    def __init__(
        self, checkpoint: Any, directory: Any, max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None, checkpoint_name: str = 'ckpt',
    ) -> None: ...

from evergraph.estimator import CheckpointSaverHook as CheckpointSaverHook
from evergraph.estimator import CheckpointSaverListener as CheckpointSaverListener

class ChiefSessionCreator(SessionCreator):
    """Creates sessions for the chief: restores the variables from a checkpoint, or initializes them."""
    def create_session(self) -> Any:
        """A new session that is ready to run."""
    def __init__(
        self, scaffold: Scaffold | None = None, master: str = '', config: Any = None,
        checkpoint_dir: str | None = None, checkpoint_filename_with_path: str | None = None,
    ) -> None: ...

class ClusterDef(Message):
    job: RepeatedCompositeFieldContainer[JobDef]
    def __init__(self, *, job: Any = ...) -> None: ...

class ClusterSpec:
    """The jobs of a cluster, and the network addresses of their tasks."""
    @property
    def jobs(self) -> Any: ...
    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has."""
    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of a job's tasks, sorted."""
    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task."""
    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job's tasks by their numbers; None for numbers that are left out."""
    def as_dict(self) -> dict[str, Any]:
        """A dict from job names to lists of addresses, or to dicts where task numbers are left out."""
    def as_cluster_def(self) -> ClusterDef:
        """A ClusterDef message, its jobs sorted by name."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __init__(self, cluster: Any) -> None: ...

class Coordinator:
    """Coordinates the shutdown of threads: any of them can request a stop, and `join` raises the first
    exception."""
    @property
    def joined(self) -> bool:
        """Whether `join` has returned or raised."""
    def request_stop(self, ex: Any = None) -> None:
        """Requests that all threads stop."""
    def clear_stop(self) -> None:
        """Resets the coordinator after a `join`, so that it can be used again."""
    def should_stop(self) -> bool:
        """Whether a stop was requested."""
    def stop_on_exception(self) -> AbstractContextManager[None]:
        """A context manager that catches any exception and requests a stop with it."""
    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is requested, at most `timeout` seconds; returns whether it was."""
    def register_thread(self, thread: Thread) -> None:
        """Adds a thread to those that `join` waits for."""
    def join(
        self, threads: Iterable[Thread] | None = None, stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits until all threads have ended, and raises the exception that was given to `request_stop`, if
        any."""
    def raise_requested_exception(self) -> None:
        """Raises the exception that was given to `request_stop`, if any."""
    def __init__(self, clean_stop_exception_types: Sequence[type[BaseException]] | None = None) -> None: ...

class Example(Message):
    features: Features
    def __init__(self, *, features: Any = ...) -> None: ...

class ExponentialMovingAverage:
    """Exponential moving averages of variables and tensors: average = decay * average + (1 - decay) *
    value."""
    @property
    def name(self) -> str:
        """The name of the averages."""
    def apply(self, var_list: Sequence[Any] | None = None) -> Operation:
        """Creates the average variables and returns an operation that updates them."""
    def average(self, var: Any) -> Any:
        """The variable that holds the average of `var`, or None if `apply` was not called with it."""
    def average_name(self, var: Any) -> str:
        """The name of the average variable of `var`, which is its key in a checkpoint; also before it
        exists."""
    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> dict[str, Any]:
        """Checkpoint name -> variable, so that variables are restored from their averages where they have
        any."""
    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
        name: str = 'ExponentialMovingAverage',
    ) -> None: ...

class Feature(Message):
    bytes_list: BytesList
    float_list: FloatList
    int64_list: Int64List
    def __init__(self, *, bytes_list: Any = ..., float_list: Any = ..., int64_list: Any = ...) -> None: ...

class FeatureList(Message):
    feature: RepeatedCompositeFieldContainer[Feature]
    def __init__(self, *, feature: Any = ...) -> None: ...

class FeatureLists(Message):
    feature_list: MessageMap[str, FeatureList]
    def __init__(self, *, feature_list: Any = ...) -> None: ...

class Features(Message):
    feature: MessageMap[str, Feature]
    def __init__(self, *, feature: Any = ...) -> None: ...

from evergraph.estimator import FeedFnHook as FeedFnHook
from evergraph.estimator import FinalOpsHook as FinalOpsHook

class FloatList(Message):
    value: RepeatedScalarFieldContainer[float]
    def __init__(self, *, value: Any = ...) -> None: ...

class FtrlOptimizer(Optimizer):
    """The FTRL-Proximal optimizer (McMahan et al., 2013), follow the regularized leader; for wide sparse
    linear models."""
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any, learning_rate_power: float = -0.5, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        use_locking: bool = False, name: str = 'Ftrl', accum_name: str | None = None,
        linear_name: str | None = None, l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None: ...

from evergraph.estimator import GlobalStepWaiterHook as GlobalStepWaiterHook

class GradientDescentOptimizer(Optimizer):
    """Gradient descent: `var -= learning_rate * gradient`."""
    rule: tuple
    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = 'GradientDescent',
    ) -> None: ...

class Int64List(Message):
    value: RepeatedScalarFieldContainer[int]
    def __init__(self, *, value: Any = ...) -> None: ...

class JobDef(Message):
    name: str
    tasks: ScalarMap[int, str]
    def __init__(self, *, name: Any = ..., tasks: Any = ...) -> None: ...

from evergraph.estimator import LoggingTensorHook as LoggingTensorHook

class LooperThread(Thread):
    """A thread that calls a function repeatedly until its coordinator requests a stop."""
    def isAlive(self) -> Any:
        """Return whether the thread is alive."""
    @staticmethod
    def loop(
        coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any],
        args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:
        """Creates and starts a LooperThread."""
    def run(self) -> None: ...
    def start_loop(self) -> None:
        """Called once, before the first call of `run_loop`."""
    def stop_loop(self) -> None:
        """Called once, after the last call of `run_loop`."""
    def run_loop(self) -> None:
        """One iteration: calls the target."""
    def __init__(
        self, coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any] | None = None,
        args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None,
    ) -> None: ...

class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum, optionally Nesterov's accelerated gradient."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = 'Momentum',
        use_nesterov: bool = False,
    ) -> None: ...

class MonitoredSession:
    """A session for training that initializes or restores variables, calls hooks, and recovers from lost
    workers."""
    StepContext: type
    @property
    def graph(self) -> Graph | None:
        """The graph; None when the session is closed."""
    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
    ) -> Any:
        """Runs as tf.Session.run does, with what the hooks add."""
    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a function that makes a step; gives what it returns."""
    def should_stop(self) -> bool:
        """Whether a hook or a thread asked to stop, or the session is closed."""
    def close(self) -> None:
        """Lets the hooks end, stops the threads and closes the session."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool: ...
    def __init__(
        self, session_creator: SessionCreator | None = None, hooks: Sequence[_SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None: ...

def MonitoredTrainingSession(
    master: str = '', is_chief: bool = True, checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None, hooks: Sequence[_SessionRunHook] | None = None,
    chief_only_hooks: Sequence[_SessionRunHook] | None = None, save_checkpoint_secs: Any = ...,
    save_summaries_steps: Any = ..., save_summaries_secs: Any = ..., config: Any = None,
    stop_grace_period_secs: float = 120, log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200, save_checkpoint_steps: Any = ..., summary_dir: str | None = None,
) -> MonitoredSession:
    """Creates a MonitoredSession that restores the latest checkpoint and saves checkpoints and
    summaries."""

from evergraph.estimator import NanLossDuringTrainingError as NanLossDuringTrainingError
from evergraph.estimator import NanTensorHook as NanTensorHook

def NewCheckpointReader(filepattern: Any) -> Any:
    """Opens a checkpoint for reading."""

class Optimizer:
    """The base class of optimizers, which compute gradients of a loss and update variables by them."""
    GATE_NONE: int
    GATE_OP: int
    GATE_GRAPH: int
    rule: tuple | None
    slot_names: tuple[str, ...]
    def get_name(self) -> str:
        """The name that the optimizer was given."""
    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None,
    ) -> Operation:
        """Computes the gradients of `loss` and applies them: `compute_gradients`, then `apply_gradients`."""
    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = 1, aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False, grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Computes the gradients of `loss`; the first half of `minimize`, with the same arguments."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """Applies gradients to variables; the second half of `minimize`."""
    def get_slot(self, var: Any, name: str) -> Any:
        """The slot variable called `name` of variable `var`, such as Adam's "m"; None if there is none."""
    def get_slot_names(self) -> list[str]:
        """The names of the slot variables that this optimizer has created, sorted."""
    def variables(self) -> list[Any]:
        """The variables of the optimizer's own state in the default graph: slots and counters, sorted by
        name."""
    def __init__(self, use_locking: bool, name: str) -> None: ...

from evergraph.estimator import ProfilerHook as ProfilerHook

class ProximalAdagradOptimizer(Optimizer):
    """Proximal Adagrad: Adagrad with forward-backward splitting (Duchi and Singer, 2009), with l1 and l2
    penalties."""
    rule: tuple
    slot_names: tuple[str, ...]
    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        use_locking: bool = False, name: str = 'ProximalAdagrad',
    ) -> None: ...

class ProximalGradientDescentOptimizer(Optimizer):
    """Proximal gradient descent, or forward-backward splitting (Duchi and Singer, 2009), with l1 and l2
    penalties."""
    rule: tuple
    def __init__(
        self, learning_rate: Any, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = 'ProximalGradientDescent',
    ) -> None: ...

class QueueRunner:
    """Fills a queue from background threads, each of which runs one enqueue operation until the input
    ends."""
    @property
    def queue(self) -> Any: ...
    @property
    def enqueue_ops(self) -> Any: ...
    @property
    def close_op(self) -> Any: ...
    @property
    def cancel_op(self) -> Any: ...
    @property
    def queue_closed_exception_types(self) -> Any: ...
    @property
    def name(self) -> Any: ...
    @property
    def exceptions_raised(self) -> list[Exception]:
        """The exceptions that the last created threads raised without a coordinator to report them to."""
    def create_threads(
        self, sess: Any, coord: Coordinator | None = None, daemon: bool = False, start: bool = False,
    ) -> list[Thread]:
        """Creates the threads that run the enqueue operations in a session; none if they are running there
        already."""
    def to_proto(self, export_scope: str | None = None) -> Any:
        """A QueueRunnerDef message, or None when the queue is not in `export_scope`."""
    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The queue runner that a message describes; its nodes must be in the default graph."""
    def __init__(
        self, queue: Any = None, enqueue_ops: Sequence[Any] | None = None, close_op: Any = None,
        cancel_op: Any = None, queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
        queue_runner_def: Any = None, import_scope: str | None = None,
    ) -> None: ...

class RMSPropOptimizer(Optimizer):
    """The RMSProp optimizer (Tieleman and Hinton, 2012): divides gradients by their running root mean
    square."""
    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = 'RMSProp',
    ) -> None: ...

class Saver:
    """Saves variables to checkpoints and restores them."""
    def build(self) -> None:
        """Adds the nodes to the default graph, for savers created with `defer_build`."""
    def save(
        self, sess: Any, save_path: Any, global_step: Any = None, latest_filename: str | None = None,
        meta_graph_suffix: str = 'meta', write_meta_graph: bool = True, write_state: bool = True,
        strip_default_attrs: bool = False, save_debug_info: bool = False,
    ) -> str | None:
        """Saves the variables of a session to a checkpoint."""
    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints that this saver wrote and has not removed, oldest first."""
    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Sets the list of checkpoints, without timestamps; none of them will be kept permanently."""
    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: Sequence[tuple[str, float]],
    ) -> None:
        """Sets the list of checkpoints, with their timestamps in seconds since the epoch."""
    def recover_last_checkpoints(self, checkpoint_paths: Iterable[str]) -> None:
        """Takes over the existing ones of these checkpoints, written by another saver."""
    def restore(self, sess: Any, save_path: Any) -> None:
        """Restores the variables of a session from a checkpoint."""
    def as_saver_def(self) -> Any:
        """The SaverDef message that describes the nodes."""
    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaverDef message with names relative to `export_scope`; None if the nodes are outside."""
    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """The saver of a SaverDef; its nodes must be in the graph, below `import_scope`."""
    def export_meta_graph(
        self, filename: str | None = None, collection_list: Iterable[str] | None = None, as_text: bool = False,
        export_scope: str | None = None, clear_devices: bool = False, clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False, save_debug_info: bool = False,
    ) -> MetaGraphDef:
        """Exports the default graph as a MetaGraphDef with this saver; see `tf.train.export_meta_graph`."""
    def __init__(
        self, var_list: Any = None, reshape: bool = False, sharded: bool = False, max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0, name: str | None = None,
        restore_sequentially: bool = False, saver_def: Any = None, builder: Any = None,
        defer_build: bool = False, allow_empty: bool = False, write_version: int = 2,
        pad_step_number: bool = False, save_relative_paths: bool = False, filename: str | None = None,
    ) -> None: ...
    saver_def: Any

class SaverDef(Message):
    CheckpointFormatVersion: Any
    LEGACY: int
    V1: int
    V2: int
    filename_tensor_name: str
    save_tensor_name: str
    restore_op_name: str
    max_to_keep: int
    sharded: bool
    keep_checkpoint_every_n_hours: float
    version: int
    def __init__(
        self, *, filename_tensor_name: Any = ..., save_tensor_name: Any = ..., restore_op_name: Any = ...,
        max_to_keep: Any = ..., sharded: Any = ..., keep_checkpoint_every_n_hours: Any = ...,
        version: Any = ...,
    ) -> None: ...

class Scaffold:
    """The initializers, checks, summaries and saver that a MonitoredSession needs besides the model."""
    @property
    def init_op(self) -> Any: ...
    @property
    def init_feed_dict(self) -> Any: ...
    @property
    def ready_op(self) -> Any: ...
    @property
    def ready_for_local_init_op(self) -> Any: ...
    @property
    def local_init_op(self) -> Any: ...
    @property
    def summary_op(self) -> Any: ...
    @property
    def saver(self) -> Any: ...
    @property
    def init_fn(self) -> Callable[[Any], Any] | None:
        """A function of the session alone, or None."""
    def finalize(self) -> Scaffold:
        """Creates what was not given and finalizes the graph."""
    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The only item of a collection; if it is empty, the result of `default_constructor`, which is added to
        it."""
    @staticmethod
    def default_local_init_op() -> Operation:
        """An operation that initializes local variables, tables and local resources."""
    def __init__(
        self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Callable[..., Any] | None = None,
        ready_op: Any = None, ready_for_local_init_op: Any = None, local_init_op: Any = None,
        summary_op: Any = None, saver: Saver | None = None, copy_from_scaffold: Scaffold | None = None,
    ) -> None: ...

from evergraph.estimator import SecondOrStepTimer as SecondOrStepTimer

class SequenceExample(Message):
    context: Features
    feature_lists: FeatureLists
    def __init__(self, *, context: Any = ..., feature_lists: Any = ...) -> None: ...

from evergraph.distribute import Server as Server

class ServerDef(Message):
    cluster: ClusterDef
    job_name: str
    replica: int
    task_index: int
    default_session_config: ConfigProto
    protocol: str
    port: int
    cluster_device_filters: Any
    def __init__(
        self, *, cluster: Any = ..., job_name: Any = ..., replica: Any = ..., task_index: Any = ...,
        default_session_config: Any = ..., protocol: Any = ..., port: Any = ...,
        cluster_device_filters: Any = ...,
    ) -> None: ...

class SessionCreator:
    """The base class of objects that create the sessions of a MonitoredSession."""
    def create_session(self) -> Any:
        """Creates a session that is ready to run."""

class SessionManager:
    """Creates sessions whose variables are restored from a checkpoint or initialized."""
    def prepare_session(
        self, master: str, init_op: Any = None, saver: Saver | None = None, checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None, wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200, config: Any = None, init_feed_dict: Any = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Session:
        """Creates a session that is ready to run: restores a checkpoint if there is one, else runs the
        initializers."""
    def recover_session(
        self, master: str, saver: Saver | None = None, checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None, wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200, config: Any = None,
    ) -> tuple[Session, bool]:
        """Creates a session and restores a checkpoint if there is one; returns (session, whether it is
        ready)."""
    def wait_for_session(
        self, master: str, config: Any = None, max_wait_secs: float | None = ...,
    ) -> Session:
        """Creates a session and waits until another process, the chief, has initialized the variables."""
    def __init__(
        self, local_init_op: Any = None, ready_op: Any = None, ready_for_local_init_op: Any = None,
        graph: Graph | None = None, recovery_wait_secs: float = 30, local_init_run_options: Any = None,
    ) -> None: ...

from evergraph.estimator import SessionRunArgs as SessionRunArgs
from evergraph.estimator import SessionRunContext as SessionRunContext
from evergraph.estimator import SessionRunHook as SessionRunHook
from evergraph.estimator import SessionRunValues as SessionRunValues

class SingularMonitoredSession:
    """A MonitoredSession around a single session, `raw_session()`; it does not recover from lost
    workers."""
    def raw_session(self) -> Any:
        """The session itself; None when it is closed."""
    StepContext: type
    @property
    def graph(self) -> Graph | None:
        """The graph; None when the session is closed."""
    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None,
    ) -> Any:
        """Runs as tf.Session.run does, with what the hooks add."""
    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a function that makes a step; gives what it returns."""
    def should_stop(self) -> bool:
        """Whether a hook or a thread asked to stop, or the session is closed."""
    def close(self) -> None:
        """Lets the hooks end, stops the threads and closes the session."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: Any, value: Any, trace: Any) -> bool: ...
    def __init__(
        self, hooks: Sequence[_SessionRunHook] | None = None, scaffold: Scaffold | None = None,
        master: str = '', config: Any = None, checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120, checkpoint_filename_with_path: str | None = None,
    ) -> None: ...

from evergraph.estimator import StepCounterHook as StepCounterHook
from evergraph.estimator import StopAtStepHook as StopAtStepHook
from evergraph.estimator import SummarySaverHook as SummarySaverHook

class Supervisor:
    """Makes sessions ready, and saves checkpoints and summaries in threads while they run."""
    USE_DEFAULT: int
    @property
    def coord(self) -> Any: ...
    @property
    def global_step(self) -> Any: ...
    @property
    def init_feed_dict(self) -> Any: ...
    @property
    def init_op(self) -> Any: ...
    @property
    def is_chief(self) -> Any: ...
    @property
    def ready_for_local_init_op(self) -> Any: ...
    @property
    def ready_op(self) -> Any: ...
    @property
    def save_model_secs(self) -> Any: ...
    @property
    def save_path(self) -> Any: ...
    @property
    def save_summaries_secs(self) -> Any: ...
    @property
    def saver(self) -> Any: ...
    @property
    def session_manager(self) -> Any: ...
    @property
    def summary_op(self) -> Any: ...
    @property
    def summary_writer(self) -> Any: ...
    def prepare_or_wait_for_session(
        self, master: str = '', config: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200, start_standard_services: bool = True,
    ) -> Session:
        """A session that is ready: the chief makes it so, others wait for the chief."""
    def managed_session(
        self, master: str = '', config: Any = None, start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> AbstractContextManager[Session]:
        """A with-block with a session, after which everything stops and the session is closed."""
    def start_standard_services(self, sess: Session) -> list[LooperThread] | None:
        """Starts the threads that write summaries, the steps per second, and checkpoints; gives them."""
    def start_queue_runners(self, sess: Session, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners; gives them."""
    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:
        """Starts a thread that calls a function again and again until the supervisor stops."""
    def summary_computed(self, sess: Session, summary: Any, global_step: Any = None) -> None:
        """Writes a summary."""
    def stop(
        self, threads: Sequence[Any] | None = None, close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:
        """Stops the threads, and raises what one of them, or `request_stop`, reported."""
    def request_stop(self, ex: Any = None) -> None:
        """Requests that all threads stop, because of an exception or without one."""
    def should_stop(self) -> bool:
        """Whether a stop was requested."""
    def stop_on_exception(self) -> Any:
        """A context manager that catches any exception and requests a stop with it."""
    def wait_for_stop(self) -> None:
        """Waits until a stop is requested."""
    def PrepareSession(
        self, master: str = '', config: Any = None, wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200, start_standard_services: bool = True,
    ) -> Session:
        """A session that is ready: the chief makes it so, others wait for the chief."""
    def StartQueueRunners(self, sess: Session, queue_runners: Sequence[Any] | None = None) -> list[Any]:
        """Starts the threads of queue runners; gives them."""
    def StartStandardServices(self, sess: Session) -> list[LooperThread] | None:
        """Starts the threads that write summaries, the steps per second, and checkpoints; gives them."""
    def Stop(
        self, threads: Sequence[Any] | None = None, close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:
        """Stops the threads, and raises what one of them, or `request_stop`, reported."""
    def RequestStop(self, ex: Any = None) -> None:
        """Requests that all threads stop, because of an exception or without one."""
    def Loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:
        """Starts a thread that calls a function again and again until the supervisor stops."""
    def ShouldStop(self) -> bool:
        """Whether a stop was requested."""
    def StopOnException(self) -> Any:
        """A context manager that catches any exception and requests a stop with it."""
    def WaitForStop(self) -> None:
        """Waits until a stop is requested."""
    def SummaryComputed(self, sess: Session, summary: Any, global_step: Any = None) -> None:
        """Writes a summary."""
    def __init__(
        self, graph: Graph | None = None, ready_op: Any = 0, ready_for_local_init_op: Any = 0,
        is_chief: bool = True, init_op: Any = 0, init_feed_dict: Any = None, local_init_op: Any = 0,
        logdir: str | None = None, summary_op: Any = 0, saver: Any = 0, global_step: Any = 0,
        save_summaries_secs: float = 120, save_model_secs: float = 600, recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120, checkpoint_basename: str = 'model.ckpt',
        session_manager: SessionManager | None = None, summary_writer: Any = 0,
        init_fn: Callable[[Any], Any] | None = None, local_init_run_options: Any = None,
    ) -> None: ...

class SyncReplicasOptimizer(Optimizer):
    """Synchronous data parallel training: applies the mean of the gradients of several workers as one
    step."""
    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the gradients as the wrapped optimizer does; see `tf.train.Optimizer`."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Operation:
        """The training operation of a worker: adds its gradients to the accumulators and waits for the next
        token."""
    def get_chief_queue_runner(self) -> QueueRunner:
        """The queue runner that the chief has to start."""
    def get_init_tokens_op(self, num_tokens: int = -1) -> Operation:
        """An operation of the chief that hands out the first tokens."""
    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> _SessionRunHook:
        """A hook that starts what the chief, or a worker, has to start."""
    def get_slot(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any: ...
    def variables(self) -> list[Any]: ...
    def __init__(
        self, opt: Optimizer, replicas_to_aggregate: int, total_num_replicas: int | None = None,
        variable_averages: Any = None, variables_to_average: Any = None, use_locking: bool = False,
        name: str = 'sync_replicas',
    ) -> None: ...
    local_step_init_op: Any
    chief_init_op: Any
    ready_for_local_init_op: Any

from evergraph.estimator import VocabInfo as VocabInfo

class WorkerSessionCreator(SessionCreator):
    """Creates sessions for a worker: waits until the chief has initialized the variables."""
    def create_session(self) -> Any:
        """A new session that is ready to run."""
    def __init__(
        self, scaffold: Scaffold | None = None, master: str = '', config: Any = None,
        max_wait_secs: float = 1800,
    ) -> None: ...

def add_queue_runner(qr: QueueRunner, collection: str = 'queue_runners') -> None:
    """Adds a queue runner to the collection whose threads `tf.train.start_queue_runners` starts."""

def assert_global_step(global_step_tensor: Any) -> None:
    """Checks that a tensor or variable is an integer scalar, as a global step must be."""

def basic_train_loop(
    supervisor: Any, train_step_fn: Callable[..., Any], args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None, master: str = '',
) -> None:
    """Calls a function again and again, in a session of a supervisor, until the supervisor should stop."""

def batch(
    tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Batches tensors: threads of a queue runner evaluate and enqueue them, and each step dequeues a
    batch."""

def batch_join(
    tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches examples of several sources, a thread for each list or dict in `tensors_list`; see
    `tf.train.batch`."""

def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether a checkpoint exists: its index, or files of the V1 format that match the path."""

def checkpoints_iterator(
    checkpoint_dir: Any, min_interval_secs: float = 0, timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Yields the latest checkpoint of a directory whenever there is a new one."""

def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None,
) -> Tensor:
    """Cosine decay (Loshchilov and Hutter, 2016, without restarts): half a period of a cosine within
    `decay_steps`."""

def cosine_decay_restarts(
    learning_rate: Any, global_step: Any, first_decay_steps: Any, t_mul: Any = 2.0, m_mul: Any = 1.0,
    alpha: Any = 0.0, name: str | None = None,
) -> Tensor:
    """Cosine decay with warm restarts, SGDR (Loshchilov and Hutter, 2016)."""

def create_global_step(graph: Graph | None = None) -> Any:
    """Creates the global step of a graph: an int64 variable with initial value 0 that counts training
    steps."""

def do_quantize_training_on_graphdef(input_graph: Any, num_bits: int) -> Any:
    """A graph whose products and convolutions take inputs that are rounded to a number of bits."""

def exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Exponential decay: learning_rate * decay_rate ** (global_step / decay_steps)."""

def export_meta_graph(
    filename: str | None = None, meta_info_def: Any = None, graph_def: Any = None, saver_def: Any = None,
    collection_list: Iterable[str] | None = None, as_text: bool = False, graph: Graph | None = None,
    export_scope: str | None = None, clear_devices: bool = False, clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False, save_debug_info: bool = False, **kwargs: Any,
) -> MetaGraphDef:
    """Exports the graph and its collections as a MetaGraphDef, and writes it to a file if one is given."""

def generate_checkpoint_state_proto(
    save_dir: str, model_checkpoint_path: str, all_model_checkpoint_paths: Sequence[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """A CheckpointState message for a directory."""

def get_checkpoint_mtimes(checkpoint_prefixes: Iterable[Any]) -> list[float]:
    """The modification times of checkpoints, in seconds since the epoch; missing ones are skipped."""

def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> Any:
    """The CheckpointState message of a directory, with full paths; None if there is no readable one."""

def get_global_step(graph: Graph | None = None) -> Any:
    """The global step variable of a graph, or None if it has none."""

def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step variable of a graph, by default the default graph; created if it has none."""

def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in a session, as a Python int."""

def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any,
) -> Saver | None:
    """Imports the graph and the collections of a MetaGraphDef into the default graph."""

def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Mapping[str, Any]) -> None:
    """Initializes variables from a checkpoint: replaces their initializers."""

def input_producer(
    input_tensor: Any, element_shape: Any = None, num_epochs: int | None = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: str | None = None,
    summary_name: str | None = None, name: str | None = None, cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of the rows of a tensor, filled by a queue runner that is added to the graph's collection."""

def inverse_time_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Inverse time decay: learning_rate / (1 + decay_rate * global_step / decay_steps)."""

def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The path of a directory's latest checkpoint, or None if it has none."""

def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor with the same value that can be evaluated `num_epochs` times and then raises
    OutOfRangeError."""

def linear_cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: Any = 0.5, alpha: Any = 0.0,
    beta: Any = 0.001, name: str | None = None,
) -> Tensor:
    """Linear cosine decay (Bello et al., 2017): a linear decay times a cosine."""

def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """(name, shape) of all variables in a checkpoint, or in the latest one of a directory, by name."""

def load_checkpoint(ckpt_dir_or_file: Any) -> Any:
    """Opens a checkpoint, or the latest one of a directory, for reading."""

def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of a variable in a checkpoint, or in the latest one of a directory."""

from evergraph.io import match_filenames_once as match_filenames_once

def maybe_batch(
    tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Batches the examples for which `keep_input`, one truth or one for each row, is true; see
    `tf.train.batch`."""

def maybe_batch_join(
    tensors_list: Any, keep_input: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """`tf.train.batch_join` of the examples for which `keep_input` is true; see `tf.train.maybe_batch`."""

def maybe_shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any,
    num_threads: int = 1, seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:
    """`tf.train.shuffle_batch` of the examples for which `keep_input` is true; see
    `tf.train.maybe_batch`."""

def maybe_shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, keep_input: Any,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:
    """`tf.train.shuffle_batch_join` of the examples for which `keep_input` is true; see
    `tf.train.maybe_batch`."""

def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Exponential decay with base e: learning_rate * exp(-decay_rate * global_step / decay_steps)."""

def noisy_linear_cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: Any = 1.0,
    variance_decay: Any = 0.55, num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """Linear cosine decay with noise (Bello et al., 2017): `tf.train.linear_cosine_decay` with noise added
    to linear."""

def piecewise_constant(
    x: Any, boundaries: list[Any], values: list[Any], name: str | None = None,
) -> Any:
    """A piecewise constant schedule: values[0] while x <= boundaries[0], values[1] while x <=
    boundaries[1], and so on."""

piecewise_constant_decay = piecewise_constant

def polynomial_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
    power: Any = 1.0, cycle: bool = False, name: str | None = None,
) -> Tensor:
    """Polynomial decay from `learning_rate` to `end_learning_rate` within `decay_steps`; linear decay with
    power 1."""

def range_input_producer(
    limit: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None,
) -> FIFOQueue:
    """A queue of the integers 0, ..., limit - 1."""

def remove_checkpoint(
    checkpoint_prefix: Any, checkpoint_format_version: int = 2, meta_graph_suffix: str = 'meta',
) -> None:
    """Deletes the files of a checkpoint."""

def replica_device_setter(
    ps_tasks: int = 0, ps_device: str | None = '/job:ps', worker_device: str | None = '/job:worker',
    merge_devices: bool = True, cluster: Any = None, ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """A device function for `tf.device` that spreads variables over parameter servers, one after the
    other."""

def sdca_fprint(input: Any, name: str | None = None) -> Tensor:
    """A fingerprint of each string of a vector: two numbers, by FarmHash's Fingerprint128."""

def sdca_optimizer(
    sparse_example_indices: Any, sparse_feature_indices: Any, sparse_feature_values: Any,
    dense_features: Any, example_weights: Any, example_labels: Any, sparse_indices: Any,
    sparse_weights: Any, dense_weights: Any, example_state_data: Any, loss_type: str, l1: float, l2: float,
    num_loss_partitions: int, num_inner_iterations: int, adaptative: bool = False, name: str | None = None,
) -> _SdcaOptimizer:
    """One pass of stochastic dual coordinate ascent over a batch: the new duals, and what to add to the
    weights."""

def sdca_shrink_l1(weights: Any, l1: float, l2: float, name: str | None = None) -> Operation:
    """Moves the weights in variables towards 0 by l1 / l2, and no further than 0."""

def shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, num_threads: int = 1,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None,
    allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Batches tensors in random order: `tf.train.batch` with a RandomShuffleQueue."""

def shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Any:
    """Batches examples of several sources at random, a thread for each of them; see
    `tf.train.shuffle_batch`."""

def slice_input_producer(
    tensor_list: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None,
) -> list[Tensor]:
    """One row of each tensor at the same, in each step another, index: examples from a list of tensors."""

def start_queue_runners(
    sess: Any = None, coord: Coordinator | None = None, daemon: bool = True, start: bool = True,
    collection: str = 'queue_runners',
) -> list[Thread]:
    """Starts the threads of all queue runners in a collection of the graph."""

def string_input_producer(
    string_tensor: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: str | None = None, name: str | None = None, cancel_op: Any = None,
) -> FIFOQueue:
    """A queue of strings, usually file names for a reader."""

def summary_iterator(path: Any) -> Any:
    """The Event messages of an event file, in order."""

def update_checkpoint_state(
    save_dir: str, model_checkpoint_path: str, all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None, all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the `checkpoint` file of a directory; see `tf.train.generate_checkpoint_state_proto`."""

def warm_start(
    ckpt_to_initialize_from: Any, vars_to_warm_start: Any = '.*',
    var_name_to_vocab_info: Mapping[str, _VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Warm-starts a model: initializes its variables from a checkpoint."""

from evergraph.io import write_graph as write_graph
