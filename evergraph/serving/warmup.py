"""Warms a version up before it takes over: the requests that it brings along, then every batch size."""

from __future__ import annotations

import os
import time
from typing import Any

from evergraph import proto
from evergraph.base import errors, files, logging
from evergraph.base.errors import invalid
from evergraph.formats.records import tf_record_iterator
from evergraph.formats.tensor_messages import proto_to_array
from evergraph.proto.wire import from_bytes
from evergraph.save import saved_model_constants as constants
from evergraph.serving.batching import Batching
from evergraph.serving.examples import INPUTS, outputs_for, serialized
from evergraph.serving.servable import Servable
from evergraph.serving.signature import Signature

REQUESTS = os.path.join("assets.extra", "tf_serving_warmup_requests")
MOST_REQUESTS = 1000
ROWS = 64  # that a signature is measured with if its requests are not put together
RUNS = 20  # of each size: loops over arrays are recorded by then, and what is worth compiling at once is compiled
SIZE_SECONDS = 1.0  # after which a size has had enough runs (python -m benchmarks.serve --warmup tells what they do)
LIGHT_SECONDS = 0.001
"""A run that is shorter is left to the thread of the event loop. Handing it over and back takes 30 us of processor time
(python -m benchmarks.serve --threads), twice a small run; nothing else waits longer than this. At twice the time,
requests to other models wait twice as long; at half of it, models between the two cost those 30 us more."""


def warm_up(servable: Servable, batching: Batching | None) -> None:
    """Runs the model on its own requests, then on zeros, and notes which signatures are light.

    Raises:
        OpError: a request that the model brings along fails.
    """
    _run_requests(servable)
    for signature in servable.signatures.values():
        if signature.changes_state:
            continue
        try:
            _run_sizes(signature, batching)
        except errors.OpError as error:  # zeros and empty strings need not make sense to a model
            first_line = error.message.partition("\n")[0]
            logging.info(f"{servable.path}: {signature.name!r} cannot be warmed up with zeros: {first_line}")


def _run_sizes(signature: Signature, batching: Batching | None) -> None:
    sizes = batching.sizes if batching is not None and signature.has_rows else (1, ROWS)
    seconds = 0.0
    for size in sizes:
        values, until = signature.example(size), time.perf_counter() + SIZE_SECONDS
        for _ in range(RUNS):
            start = time.perf_counter()
            signature.run(values, signature.output_names)
            now = time.perf_counter()
            seconds = now - start
            if now > until:
                break
    signature.is_light = seconds < LIGHT_SECONDS and not signature.waits_for_others


def _run_requests(servable: Servable) -> None:
    path = os.path.join(servable.path, REQUESTS)
    if not files.exists(path):
        return
    for number, record in enumerate(tf_record_iterator(path)):
        if number == MOST_REQUESTS:
            raise invalid(f"{path} has more than {MOST_REQUESTS} requests")
        try:
            log = from_bytes(record, proto.serving_pb2.PredictionLog())
        except ValueError as error:
            raise invalid(f"{path}: {error}") from None
        _run_logged(servable, log)


def _run_logged(servable: Servable, log: Any) -> None:
    kind = log.WhichOneof("log_type")
    request = getattr(log, kind).request if kind else None
    if kind == "predict_log":
        signature = servable.signature(request.model_spec.signature_name)
        values = {name: proto_to_array(value) for name, value in request.inputs.items()}
        signature.run(signature.in_order(values), signature.select(list(request.output_filter)))
    elif kind in ("classify_log", "regress_log"):
        method = constants.CLASSIFY_METHOD_NAME if kind == "classify_log" else constants.REGRESS_METHOD_NAME
        _run_examples(servable, request.model_spec.signature_name, method, request.input)
    elif kind == "multi_inference_log":
        for task in request.tasks:
            _run_examples(servable, task.model_spec.signature_name, task.method_name, request.input)
    else:
        raise invalid(f"{servable.path}: a request to warm up with is neither predict, classify nor regress")


def _run_examples(servable: Servable, key: str, method: str, given: Any) -> None:
    signature = servable.signature(key)
    signature.run(signature.in_order({INPUTS: serialized(given)}), outputs_for(signature, method))
