"""How a server runs: everything that its command can say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evergraph.serving.batching import Batching
from evergraph.serving.config import METRICS_PATH, Source, read_model_config
from evergraph.serving.listening import Limits
from evergraph.serving.servable import Loading


@dataclass(frozen=True)
class Options:
    """How a server runs.

    Attributes:
        sources: the models.
        model_config_file: a file with the models, which is read again when it changes; None without one.
        loading, batching, limits: see there.
        host: the address to listen at.
        rest_port, grpc_port: 0 for any that is free; None for none.
        grpc_path: a path at which gRPC listens, too; None for none.
        poll_seconds: how often to look for new versions; 0 for never.
        timeout: seconds that a REST request may take.
        threads: how many runs may be under way that are too long for the event loop.
        warms_up: whether versions are warmed up before they take over.
        cors: whether pages of other sites may ask.
        token: what requests must bear; None for nothing.
        tls: (key, certificate, certificates of clients or None), in PEM form; None for no TLS.
        metrics_path: where the metrics are; None for nowhere.
        access_log: a file for a line about each answer, or "-" for standard output; None for no log.
        grace: seconds that requests under way have to end in after SIGTERM.
        config_poll_seconds: how often to read the model_config_file again; 0 for never.
        shared: a directory for what several workers tell each other; None without others.
        worker: the place of this one among them.
    """

    sources: Sequence[Source] = ()
    model_config_file: str | None = None
    loading: Loading = field(default_factory=Loading)
    batching: Batching | None = None
    limits: Limits = field(default_factory=Limits)
    host: str = "127.0.0.1"
    rest_port: int | None = 8501
    grpc_port: int | None = 8500
    grpc_path: str | None = None
    poll_seconds: float = 1.0
    timeout: float = 30.0
    threads: int = 8
    warms_up: bool = True
    cors: bool = False
    token: str | None = None
    tls: tuple[bytes, bytes, bytes | None] | None = None
    metrics_path: str | None = METRICS_PATH
    access_log: str | None = None
    grace: float = 30.0
    config_poll_seconds: float = 0.0
    shared: str | None = None
    worker: int = 0


def sources_of_options(options: Options) -> Sequence[Source]:
    """The models, from the file if there is one.

    Raises:
        OpError: the file is not sound.
    """
    return read_model_config(options.model_config_file) if options.model_config_file else options.sources
