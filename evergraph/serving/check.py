"""Says what a server would serve, without serving it."""

from __future__ import annotations

import time

from evergraph.serving.models import Model
from evergraph.serving.options import Options
from evergraph.serving.servable import Servable
from evergraph.serving.server import Server


def report(options: Options) -> int:
    """Loads the models and prints their signatures; returns 1 if one of them has no version to serve."""
    start = time.monotonic()
    server = Server(options)
    server.core.models.update()
    for model in server.core.models.by_name.values():
        print("\n".join(_lines(model, options.batching is not None)))
    print(f"loaded and warmed up in {time.monotonic() - start:.1f} s")
    server.core.close()
    return 0 if server.core.models.are_ready else 1


def _lines(model: Model, is_batched: bool) -> list[str]:
    lines = [f"{model.source.name}: {model.source.base_path}"]
    if not model.versions:
        lines.append("  no versions: a version is a directory with a number for its name")
    for number, fate in sorted(model.versions.items()):
        if fate.error is not None:
            lines.append(f"  version {number} cannot be served: {' '.join(fate.error.message.split())}")
        elif number in model.loaded:
            lines += [f"  version {number}", *_signatures(model.loaded[number], is_batched)]
    labels = [f"{label} is version {number}" for label, number in sorted(model.source.labels.items())]
    return lines + ([f"  labels: {', '.join(labels)}"] if labels else [])


def _signatures(servable: Servable, is_batched: bool) -> list[str]:
    lines = []
    for key, signature in servable.signatures.items():
        lines.append(f"    {key}")
        for kind, tensors in (("input", signature.inputs), ("output", signature.outputs)):
            lines += [f"      {kind} {name}: {tensor.dtype.name} {tensor.shape}" for name, tensor in tensors.items()]
        if is_batched and servable.queues[key].batching is None:
            lines.append("      each request runs alone")
    return lines + [f"    {key} is not served: {why}" for key, why in servable.refused.items()]
