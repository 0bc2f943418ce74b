"""How and where an Estimator runs: tf.estimator.RunConfig."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from evergraph import proto
from evergraph.base.export import export
from evergraph.base.text import path_to_str
from evergraph.estimator.calls import declared
from evergraph.estimator.replicated import check_strategy, strategies, works_in_step
from evergraph.estimator.tf_config import read_environment, role_in_step, role_of, session_config_of

_DEFAULT = object()

_REPLACEABLE = (
    "model_dir", "tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs",
    "session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours", "log_step_count_steps",
    "train_distribute", "device_fn", "protocol", "eval_distribute", "experimental_distribute",
    "experimental_max_worker_delay_secs", "session_creation_timeout_secs",
)


@export("estimator.RunConfig")
class RunConfig:
    """The settings of an Estimator's runs: seeds, files, sessions, and its place in a cluster.

    The place is read from the environment variable TF_CONFIG, a JSON object with "cluster" (job -> addresses), "task"
    ({"type", "index"}), "session_master", "eval_session_master", "service" and "model_dir".

    >>> config = tf.estimator.RunConfig(save_checkpoints_steps=100)
    >>> config.replace(tf_random_seed=7).save_checkpoints_steps
    100

    Args:
        model_dir: the directory of checkpoints and events.
        tf_random_seed: the graph-level seed.
        save_summary_steps: the number of steps between summaries; 0 or None for none.
        save_checkpoints_steps: the number of steps between checkpoints.
        save_checkpoints_secs: the number of seconds between checkpoints, 600 unless one of the two is given. None for
            both saves none.
        session_config: the ConfigProto of sessions.
        keep_checkpoint_max: how many checkpoints to keep; 0 or None keeps all.
        keep_checkpoint_every_n_hours: one checkpoint of so many hours is kept for good.
        log_step_count_steps: the number of steps between logs of the loss and the speed; None for none.
        train_distribute: a distribution strategy, such as tf.distribute.MirroredStrategy.
        device_fn: a function of `op` that names the device of an operation.
        protocol: the protocol of the cluster's servers, "grpc" by default.
        eval_distribute: the same, for evaluation.
        experimental_distribute: both strategies in one object, a tf.contrib.distribute.DistributeConfig.
        experimental_max_worker_delay_secs: the most seconds by which a worker starts after the chief.
        session_creation_timeout_secs: the most seconds that a worker waits for the chief.

    Raises:
        ValueError: a value is out of its range, or TF_CONFIG contradicts itself.
        UnimplementedError: something else is given as a distribution strategy.
    """

    def __init__(self, model_dir: Any = None, tf_random_seed: int | None = None,
                 save_summary_steps: int | None = 100, save_checkpoints_steps: Any = _DEFAULT,
                 save_checkpoints_secs: Any = _DEFAULT, session_config: Any = None,
                 keep_checkpoint_max: int | None = 5, keep_checkpoint_every_n_hours: float | None = 10000,
                 log_step_count_steps: int | None = 100, train_distribute: Any = None,
                 device_fn: Callable[[Any], Any] | None = None, protocol: str | None = None,
                 eval_distribute: Any = None, experimental_distribute: Any = None,
                 experimental_max_worker_delay_secs: int | None = None,
                 session_creation_timeout_secs: int = 7200) -> None:
        if save_checkpoints_steps is _DEFAULT and save_checkpoints_secs is _DEFAULT:
            save_checkpoints_secs = 600
        steps = None if save_checkpoints_steps is _DEFAULT else save_checkpoints_steps
        secs = None if save_checkpoints_secs is _DEFAULT else save_checkpoints_secs
        settings = read_environment()
        self._service = settings.get("service")
        in_step = settings.get("cluster") and (works_in_step(train_distribute) or works_in_step(
            getattr(experimental_distribute, "train_distribute", None)))
        role = role_in_step(settings) if in_step else self._role(settings, protocol)
        self._cluster_spec, self._task_type, self._task_id = role.cluster_spec, role.task_type, role.task_id
        self._master, self._evaluation_master, self._is_chief = role.master, role.evaluation_master, role.is_chief
        self._num_ps_replicas, self._num_worker_replicas = role.num_ps_replicas, role.num_worker_replicas
        self._global_id_in_cluster = role.global_id_in_cluster
        self._set(
            model_dir=_agreed_model_dir(path_to_str(model_dir), settings.get("model_dir")),
            tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps, save_checkpoints_steps=steps,
            save_checkpoints_secs=secs, session_config=session_config, keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, log_step_count_steps=log_step_count_steps,
            train_distribute=train_distribute, device_fn=device_fn, protocol=protocol, eval_distribute=eval_distribute,
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs)
        if self._session_config is None:
            self._session_config = session_config_of(role)

    def _role(self, settings: Any, protocol: str | None) -> Any:
        """What this process is in the cluster that TF_CONFIG describes."""
        return role_of(settings, protocol)

    def _set(self, **values: Any) -> None:
        """Checks and takes some of the settings."""
        if values.get("save_checkpoints_steps") is not None and values.get("save_checkpoints_secs") is not None:
            raise ValueError("`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.")
        if values.get("experimental_distribute") is not None:
            values["train_distribute"], values["eval_distribute"] = strategies(
                values["experimental_distribute"], values.get("train_distribute"), values.get("eval_distribute"))
        for name, value in values.items():
            if value is not None:
                _check(name, value)
            setattr(self, f"_{name}", value)

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other settings.

        Args:
            **kwargs: any arguments of the constructor. Giving one of `save_checkpoints_steps` and
                `save_checkpoints_secs` takes back the other.

        Raises:
            ValueError: a setting cannot be replaced, or its value is out of range.
        """
        return RunConfig._replace(self, _REPLACEABLE, **kwargs)

    @staticmethod
    def _replace(config: RunConfig, allowed_properties: Any = None, **kwargs: Any) -> RunConfig:
        """A copy with other settings among those that are allowed."""
        for name in kwargs:
            if name not in (allowed_properties or ()):
                raise ValueError(f"Replacing {name} is not supported, only {allowed_properties}")
        changed = copy.deepcopy(config)
        steps, secs = "save_checkpoints_steps", "save_checkpoints_secs"
        if steps in kwargs or secs in kwargs:
            kwargs = {steps: None, secs: None, **kwargs}
        changed._set(**kwargs)
        return changed

    model_dir = property(lambda self: self._model_dir)
    tf_random_seed = property(lambda self: self._tf_random_seed)
    save_summary_steps = property(lambda self: self._save_summary_steps)
    save_checkpoints_steps = property(lambda self: self._save_checkpoints_steps)
    save_checkpoints_secs = property(lambda self: self._save_checkpoints_secs)
    session_config = property(lambda self: self._session_config)
    keep_checkpoint_max = property(lambda self: self._keep_checkpoint_max)
    keep_checkpoint_every_n_hours = property(lambda self: self._keep_checkpoint_every_n_hours)
    log_step_count_steps = property(lambda self: self._log_step_count_steps)
    train_distribute = property(lambda self: self._train_distribute)
    eval_distribute = property(lambda self: self._eval_distribute)
    device_fn = property(lambda self: self._device_fn)
    protocol = property(lambda self: self._protocol)
    experimental_max_worker_delay_secs = property(lambda self: self._experimental_max_worker_delay_secs)
    session_creation_timeout_secs = property(lambda self: self._session_creation_timeout_secs)
    cluster_spec = property(lambda self: self._cluster_spec)
    task_type = property(lambda self: self._task_type)
    task_id = property(lambda self: self._task_id)
    master = property(lambda self: self._master)
    evaluation_master = property(lambda self: self._evaluation_master)
    is_chief = property(lambda self: self._is_chief)
    num_ps_replicas = property(lambda self: self._num_ps_replicas)
    num_worker_replicas = property(lambda self: self._num_worker_replicas)
    global_id_in_cluster = property(lambda self: self._global_id_in_cluster)
    service = property(lambda self: self._service)


def _agreed_model_dir(given: str | None, environment: str | None) -> str | None:
    if given is not None and environment is not None and given != environment:
        raise ValueError("`model_dir` provided in RunConfig construct, if set, must have the same value as the "
                         f"model_dir in TF_CONFIG. They are {given} and {environment}")
    return given if given is not None else environment


def _is_integer(value: Any) -> bool:
    return isinstance(value, int)


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "model_dir": (bool, "model_dir should be non-empty"),
    "save_summary_steps": (lambda steps: steps >= 0, "save_summary_steps should be >= 0"),
    "save_checkpoints_steps": (lambda steps: steps >= 0, "save_checkpoints_steps should be >= 0"),
    "save_checkpoints_secs": (lambda secs: secs >= 0, "save_checkpoints_secs should be >= 0"),
    "session_config": (lambda config: isinstance(config, proto.config_pb2.ConfigProto),
                       "session_config must be instance of ConfigProto"),
    "keep_checkpoint_max": (lambda number: number >= 0, "keep_checkpoint_max should be >= 0"),
    "keep_checkpoint_every_n_hours": (lambda hours: hours > 0, "keep_checkpoint_every_n_hours should be > 0"),
    "log_step_count_steps": (lambda steps: steps > 0, "log_step_count_steps should be > 0"),
    "tf_random_seed": (_is_integer, "tf_random_seed must be integer."),
    "device_fn": (lambda function: callable(function) and set(declared(function)) == {"op"},
                  'device_fn must be callable with exactly one argument "op".'),
    "protocol": (lambda name: name in ("grpc", "grpc+verbs"), "the protocols are grpc and grpc+verbs."),
    "experimental_max_worker_delay_secs": (
        _is_integer, "experimental_max_worker_delay_secs must be an integer if set."),
    "session_creation_timeout_secs": (lambda secs: secs > 0, "session_creation_timeout_secs should be > 0"),
}


def _check(name: str, value: Any) -> None:
    """Raises for a setting that is out of its range."""
    if name == "experimental_distribute":
        return  # its strategies are checked
    if name in ("train_distribute", "eval_distribute"):
        check_strategy(name, value)
        return
    is_right, message = _CHECKS[name]
    if not is_right(value):
        raise ValueError(f"{message} Given: {value}")
