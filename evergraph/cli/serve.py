"""Serves models to TensorFlow Serving's clients, over REST and gRPC.

    evergraph serve export                            the versions in a directory, or one SavedModel; named after it
    evergraph serve --model iris=exports/iris --model mnist=exports/mnist
    evergraph serve --model_config_file models.config --enable_batching
    evergraph serve frozen.pb --input x=features --output y=softmax
    evergraph serve --check export                    says what would be served, and why not

Options of TensorFlow Serving's have its names, with underscores or dashes.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from evergraph.cli.plain import plain

if TYPE_CHECKING:
    from evergraph.serving.options import Options


def execute(words: list[str]) -> int:
    """Serves until SIGTERM; returns 1, with one line on stderr, when it cannot begin."""
    given = parsed(words)
    try:
        # Only now: what serves takes a second to import, which --help need not wait for.
        from evergraph.serving import check, workers
    except ModuleNotFoundError as error:
        print(f"evergraph serve: {error.name} is not installed: pip install httptools orjson uvloop",
              file=sys.stderr)  # fmt: skip
        return 1
    from evergraph.base import errors, logging

    logging.set_verbosity(logging.INFO)
    try:
        options = _options(given)
        if given.check:
            return check.report(options)
        return workers.serve(options, given.workers)
    except (errors.OpError, OSError, ValueError) as error:
        reason = getattr(error, "message", None) or str(error)
        print(f"evergraph serve: {plain(' '.join(reason.split()))}", file=sys.stderr)
        return 1


def parsed(words: list[str]) -> argparse.Namespace:
    """The words of the command by name. A switch stands alone, or has `=true` or `=false` behind it."""
    bare = {f"--{name.replace('_', dash)}" for name in SWITCHES for dash in "_-"}
    return _parser().parse_args([f"{word}=true" if word in bare else word for word in words])


SWITCHES = ("enable_batching", "enable_model_warmup", "rest_api_enable_cors_support")


def _options(given: argparse.Namespace) -> Options:
    """What the words of the command mean.

    Raises:
        ValueError, OpError: they contradict each other, or a file is not sound.
    """
    from evergraph.serving import config, listening, options, servable

    return options.Options(
        sources=_sources(given, config),
        model_config_file=given.model_config_file,
        config_poll_seconds=given.model_config_file_poll_wait_seconds,
        loading=servable.Loading(
            tags=given.saved_model_tags.split(","), inputs=_named(given.input), outputs=_named(given.output),
            allow_outside=given.allow_files_and_python, tier=given.tier),
        batching=_batching(given, config),
        limits=listening.Limits(body=given.max_body_bytes, seconds=given.read_timeout, idle=given.idle_timeout,
                                connections=given.max_connections),
        host=given.host,
        rest_port=_port(given.rest_api_port),
        grpc_port=_port(given.port),
        grpc_path=given.grpc_socket_path or None,
        poll_seconds=given.file_system_poll_wait_seconds,
        timeout=given.rest_api_timeout_in_ms / 1000,
        threads=given.grpc_max_threads,
        warms_up=given.enable_model_warmup,
        cors=given.rest_api_enable_cors_support,
        token=_token(given),
        tls=_tls(given, config),
        metrics_path=_metrics_path(given, config),
        access_log=given.access_log,
        grace=given.grace,
    )  # fmt: skip


def _sources(given: argparse.Namespace, config: Any) -> list[Any]:
    pairs = [("", path) for path in (given.path, given.model_base_path) if path]
    if given.model_name:
        if len(pairs) != 1:
            raise ValueError(f"--model_name names one model that is given by its path, and there are {len(pairs)}")
        pairs = [(given.model_name, pairs[0][1])]
    pairs += _named(given.model).items()
    if bool(pairs) == bool(given.model_config_file):
        raise ValueError("say what to serve: a directory, --model NAME=PATH or --model_config_file, and one kind alone")
    sources = [config.Source(name or _name_of(path), path) for name, path in pairs]
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise ValueError(f"two models have one name: {', '.join(names)}")
    return sources


def _name_of(path: str) -> str:
    """The name of a model that is given by its path alone: that of its file or directory."""
    folder, name = os.path.split(path.rstrip("/"))
    name = os.path.basename(folder) if name.isdecimal() and folder else name
    return name.removesuffix(".pb").removesuffix(".pbtxt") or "default"


def _named(pairs: list[str]) -> dict[str, str]:
    """A dictionary of NAME=VALUE words; one without a name is named after its value.

    Raises:
        ValueError: a name is there twice.
    """
    found = {word.partition("=")[0]: word.partition("=")[2] or word for word in pairs}
    if len(found) < len(pairs):
        raise ValueError(f"a name is given twice: {', '.join(pairs)}")
    return found


def _port(number: int) -> int | None:
    return None if number < 0 else number


def _batching(given: argparse.Namespace, config: Any) -> Any:
    from evergraph.serving.batching import Batching

    if given.batching_parameters_file:
        return config.read_batching(given.batching_parameters_file)
    return Batching() if given.enable_batching else None


def _token(given: argparse.Namespace) -> str | None:
    if not given.token_file:
        return os.environ.get("EVERGRAPH_SERVE_TOKEN")
    with open(given.token_file) as file:
        return file.read().strip()


def _tls(given: argparse.Namespace, config: Any) -> tuple[bytes, bytes, bytes | None] | None:
    if given.ssl_config_file:
        found = config.read_tls(given.ssl_config_file)
        clients = found.custom_ca.encode() if found.client_verify else None
        return found.server_key.encode(), found.server_cert.encode(), clients
    if not given.tls_key and not given.tls_certificate:
        return None
    if not given.tls_key or not given.tls_certificate:
        raise ValueError("--tls-key and --tls-certificate go together")
    with open(given.tls_key, "rb") as key, open(given.tls_certificate, "rb") as certificate:
        return key.read(), certificate.read(), None


def _metrics_path(given: argparse.Namespace, config: Any) -> str | None:
    if given.monitoring_config_file:
        return config.read_monitoring(given.monitoring_config_file)
    return config.METRICS_PATH


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def add(name: str, **keywords: Any) -> None:
        parser.add_argument(*dict.fromkeys([name, name[:2] + name[2:].replace("_", "-")]), **keywords)

    def switch(name: str, default: bool, text: str) -> None:
        add(name, default=default, type=_truth, metavar="BOOL", help=text)

    parser.add_argument("path", nargs="?", help="a directory of versions, a SavedModel, or a frozen graph")
    add("--check", action="store_true", help="load the models, say what would be served, and end")
    _add_models(add)
    _add_ports(add, switch)
    _add_running(add, switch)
    return parser


def _add_models(add: Any) -> None:
    add("--model", action="append", default=[], metavar="NAME=PATH", help="a model; may be given several times")
    add("--model_name", default="", metavar="NAME", help="the name of the model that is given by its path")
    add("--model_base_path", default="", metavar="PATH", help="another way to give the path")
    add("--model_config_file", metavar="FILE", help="the models, as a ModelServerConfig in protobuf's text form")
    add("--model_config_file_poll_wait_seconds", type=float, default=0, metavar="S",
        help="how often to read that file again (0: never)")
    add("--file_system_poll_wait_seconds", type=float, default=1, metavar="S",
        help="how often to look for new versions (1; 0: never)")
    add("--saved_model_tags", default="serve", metavar="A,B", help="the graph of a SavedModel (serve)")
    add("--input", action="append", default=[], metavar="NAME=TENSOR", help="of a frozen graph; several times")
    add("--output", action="append", default=[], metavar="NAME=TENSOR", help="of a frozen graph; several times")
    add("--allow-files-and-python", action="store_true", help="serve signatures that touch files or run Python")
    add("--tier", choices=["numpy", "xla"], help="how models run; by default the policy decides")


def _add_ports(add: Any, switch: Any) -> None:
    add("--host", default="127.0.0.1", help="the address to listen at; 0.0.0.0 for all (127.0.0.1)")
    add("--port", type=int, default=8500, help="of gRPC (8500; 0: any; -1: none)")
    add("--grpc_socket_path", metavar="PATH", help="a Unix socket for gRPC, beside its port")
    add("--rest_api_port", type=int, default=8501, help="of REST (8501; 0: any; -1: none)")
    add("--rest_api_timeout_in_ms", type=int, default=30000, metavar="MS", help="for a REST request (30000)")
    switch("--rest_api_enable_cors_support", False, "let pages of other sites ask")
    add("--ssl_config_file", metavar="FILE", help="TLS: an SSLConfig in protobuf's text form")
    add("--tls-key", metavar="FILE", help="TLS: the private key, in PEM form")
    add("--tls-certificate", metavar="FILE", help="TLS: the certificate, in PEM form")
    add("--token-file", metavar="FILE", help="a token that requests must bear; also $EVERGRAPH_SERVE_TOKEN")
    add("--max-body-bytes", type=int, default=64 * 2**20, metavar="N", help="of a request (67108864)")
    add("--max-connections", type=int, default=10_000, metavar="N", help="of REST, and of gRPC, at a time (10000)")
    add("--read-timeout", type=float, default=30, metavar="S", help="for a request to arrive (30)")
    add("--idle-timeout", type=float, default=300, metavar="S", help="for a connection without a request (300)")


def _add_running(add: Any, switch: Any) -> None:
    add("--workers", type=int, default=1, metavar="N", help="processes that share the ports (1)")
    add("--grpc_max_threads", type=int, default=8, metavar="N", help="runs under way that take long (8)")
    switch("--enable_batching", False, "run what waits together")
    add("--batching_parameters_file", metavar="FILE", help="the same, with BatchingParameters in protobuf's text form")
    switch("--enable_model_warmup", True, "run a version before it takes over")
    add("--monitoring_config_file", metavar="FILE", help="where the metrics are: a MonitoringConfig in text form")
    add("--access-log", metavar="FILE", help="a line of JSON for each answer; - for standard output")
    add("--grace", type=float, default=30, metavar="S", help="for requests under way after SIGTERM (30)")


def _truth(word: str) -> bool:
    if word.lower() not in ("true", "false", "1", "0"):
        raise argparse.ArgumentTypeError(f"{word!r} is neither true nor false")
    return word.lower() in ("true", "1")
