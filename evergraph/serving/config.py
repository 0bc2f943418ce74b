"""What to serve: models, versions and labels, and the configuration files that TensorFlow Serving has for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.base import files
from evergraph.base.errors import invalid
from evergraph.proto.text import from_text
from evergraph.save.saved_model_loader import contains_saved_model
from evergraph.serving.batching import Batching

Policy = Callable[[Sequence[int]], set[int]]
"""Chooses versions to serve of those that there are, which are in rising order."""


def latest(count: int) -> Policy:
    return lambda versions: set(versions[-count:])


def every(versions: Sequence[int]) -> set[int]:
    return set(versions)


def specific(wanted: Sequence[int]) -> Policy:
    return lambda versions: set(versions) & set(wanted)


@dataclass(frozen=True)
class Source:
    """One model to serve.

    Attributes:
        name: its name in requests.
        base_path: a directory whose subdirectories are versions, a SavedModel, or a frozen graph.
        policy: which versions to serve.
        labels: versions by other names.
    """

    name: str
    base_path: str
    policy: Policy = field(default_factory=lambda: latest(1))
    labels: Mapping[str, int] = field(default_factory=dict)

    def versions(self) -> dict[int, str]:
        """The paths of all versions that there are, in rising order.

        A model that is no directory of versions is version 1, unless its directory is named by a number.
        """
        if contains_saved_model(self.base_path) or files.exists(self.base_path) and not files.isdir(self.base_path):
            name = os.path.basename(self.base_path.rstrip("/"))
            return {int(name) if name.isdecimal() else 1: self.base_path}
        names = files.listdir(self.base_path) if files.isdir(self.base_path) else []
        numbers = {int(name): os.path.join(self.base_path, name) for name in names if _is_version(name)}
        return dict(sorted(numbers.items()))


def _is_version(name: str) -> bool:
    return name.isascii() and name.isdecimal() and int(name) < 2**63


# ---------------------------------------------------------------- files


def read_model_config(path: str) -> list[Source]:
    """The models of a model_config_file.

    Raises:
        InvalidArgumentError: the file is not sound.
    """
    return sources_of(_read(path, proto.serving_pb2.ModelServerConfig()))


def sources_of(config: Any) -> list[Source]:
    """The models of a ModelServerConfig.

    Raises:
        InvalidArgumentError: it is of another kind, or a model is not sound, or named twice.
    """
    if config.WhichOneof("config") != "model_config_list":
        raise invalid("A configuration of models must be a model_config_list")
    sources = [_source(each) for each in config.model_config_list.config]
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise invalid(f"A model is configured twice: {sorted(names)}")
    return sources


def _source(config: Any) -> Source:
    types = proto.serving_pb2.ModelType
    if config.model_platform not in ("", "tensorflow") or config.model_type == types.Value("OTHER"):
        raise invalid(f"The model {config.name!r} is of the platform {config.model_platform!r}, not 'tensorflow'")
    if not config.name or not config.base_path:
        raise invalid(f"A model must have a name and a base_path, not {config.name!r} and {config.base_path!r}")
    return Source(config.name, config.base_path, _policy(config.model_version_policy), dict(config.version_labels))


def _policy(message: Any) -> Policy:
    kind = message.WhichOneof("policy_choice")
    if kind == "all":
        return every
    if kind == "specific":
        return specific(list(message.specific.versions))
    return latest(message.latest.num_versions or 1)


def read_batching(path: str) -> Batching:
    """The parameters of batching in a batching_parameters_file.

    Raises:
        InvalidArgumentError: the file is not sound.
    """
    message = _read(path, proto.serving_pb2.BatchingParameters())
    given: dict[str, Any] = {name: getattr(message, name).value for name in _NUMBERS if message.HasField(name)}
    most = given.get("max_execution_batch_size") or given.get("max_batch_size", Batching.max_batch_size)
    allowed = tuple(message.allowed_batch_sizes)
    if allowed and (list(allowed) != sorted(set(allowed)) or allowed[0] < 1 or allowed[-1] != most):
        raise invalid(f"allowed_batch_sizes must rise and end with {most}, the most rows of a run, not {allowed}")
    wrong = {name: value for name, value in given.items() if value < (name == "max_batch_size")}
    if wrong:
        raise invalid(f"{path}: parameters of batching cannot be {wrong}")
    return Batching(**given, allowed_batch_sizes=allowed, pad_variable_length_inputs=message.pad_variable_length_inputs)


_NUMBERS = ("max_batch_size", "batch_timeout_micros", "max_enqueued_batches", "num_batch_threads",
            "enable_large_batch_splitting", "max_execution_batch_size")  # fmt: skip


def read_monitoring(path: str) -> str | None:
    """Where the metrics are, by a monitoring_config_file; None if it switches them off."""
    config = _read(path, proto.serving_pb2.MonitoringConfig()).prometheus_config
    return (config.path or METRICS_PATH) if config.enable else None


METRICS_PATH = "/monitoring/prometheus/metrics"


def read_tls(path: str) -> Any:
    """The SSLConfig of an ssl_config_file: the key and certificates themselves, in PEM form."""
    return _read(path, proto.serving_pb2.SSLConfig())


def _read(path: str, message: Any) -> Any:
    try:
        return from_text(files.read_file(path).decode(), message)
    except ValueError as error:
        raise invalid(f"{path} is no {type(message).__name__}: {error}") from None
