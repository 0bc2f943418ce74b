"""tf.contrib.slim: what a model consists of, summaries under other names, queue runners around a block."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evergraph.base.export import export, names_in
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.nn.activations import zero_fraction
from evergraph.frontend.printing import Print
from evergraph.summary import summaries
from evergraph.train.coordinator import Coordinator

_names = names_in("contrib.slim")


# ---- slim.model_analyzer

@export(*_names("model_analyzer.tensor_description"))
def tensor_description(var: Any) -> str:
    """The dtype and shape of a tensor or variable, such as "(float32_ref 3x4)"."""
    sizes = "x".join(str(size) for size in var.shape.as_list())
    return f"({var.dtype.name} {sizes})"


@export(*_names("model_analyzer.analyze_ops"))
def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """How many elements the results of all operations have; -1 for none of which it is known.

    Args:
        graph: the graph.
        print_info: whether they are printed.
    """
    total = 0
    for operation in graph.get_operations():
        known = [output for output in operation.outputs if output.shape.is_fully_defined()]
        size = sum(int(np.prod(output.shape.as_list())) for output in known)
        if print_info:
            print(operation.name, "->", ", ".join(f"{output.name} {tensor_description(output)}" for output in known))
        total += size
    return total


@export(*_names("model_analyzer.analyze_vars"))
def analyze_vars(variables: Sequence[Any], print_info: bool = False) -> tuple[int, int]:
    """(how many elements variables have, how many bytes they take).

    Args:
        variables: the variables.
        print_info: whether they are printed.
    """
    elements = size = 0
    for variable in variables:
        count = int(np.prod(variable.shape.as_list()))
        elements, size = elements + count, size + count * variable.dtype.size
        if print_info:
            print(variable.name, tensor_description(variable), f"[{count}, bytes: {count * variable.dtype.size}]")
    if print_info:
        print("Total size of variables:", elements)
        print("Total bytes of variables:", size)
    return elements, size


# ---- slim.summaries

def _named(tensor: Any, name: str | None, prefix: str | None, postfix: str | None = None) -> str:
    name = name or tensor.op.name
    name = f"{prefix}/{name}" if prefix else name
    return f"{name}/{postfix}" if postfix else name


@export(*_names("summaries.add_histogram_summary"))
def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """A histogram, named `prefix`/`name`; by default after the tensor."""
    return summaries.histogram(_named(tensor, name, prefix), tensor)


@export(*_names("summaries.add_image_summary"))
def add_image_summary(tensor: Any, name: str | None = None, prefix: str | None = None,
                      print_summary: bool = False) -> Any:
    """Images, named `prefix`/`name`; by default after the tensor.

    Args:
        tensor: images [batch, height, width, channels].
        name, prefix: of the summary.
        print_summary: whether the tensor is printed too.
    """
    tag = _named(tensor, name, prefix)
    made = summaries.image(name=tag, tensor=tensor)
    return _printed(made, tensor, tag) if print_summary else made


@export(*_names("summaries.add_scalar_summary"))
def add_scalar_summary(tensor: Any, name: str | None = None, prefix: str | None = None,
                       print_summary: bool = False) -> Any:
    """A scalar, named `prefix`/`name`; by default after the tensor.

    Args:
        tensor: a scalar tensor.
        name, prefix: of the summary.
        print_summary: whether it is printed too.
    """
    tag = _named(tensor, name, prefix)
    made = summaries.scalar(name=tag, tensor=tensor, collections=[] if print_summary else None)
    if not print_summary:
        return made
    printed = _printed(made, tensor, tag)
    add_to_collection(GraphKeys.SUMMARIES, printed)
    return printed


def _printed(made: Any, tensor: Any, tag: str) -> Any:
    return Print(made, [tensor], tag)


@export(*_names("summaries.add_zero_fraction_summary"))
def add_zero_fraction_summary(tensor: Any, name: str | None = None, prefix: str | None = None,
                              print_summary: bool = False) -> Any:
    """The share of zeros in a tensor, named `prefix`/Fraction of Zero Values/`name`."""
    tag = _named(tensor, name, prefix, "Fraction of Zero Values")
    return add_scalar_summary(zero_fraction(tensor), name=tag.replace(" ", "_"), print_summary=print_summary)


@export(*_names("summaries.add_histogram_summaries"))
def add_histogram_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """A histogram of each tensor."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


@export(*_names("summaries.add_image_summaries"))
def add_image_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """The images of each tensor."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


@export(*_names("summaries.add_scalar_summaries"))
def add_scalar_summaries(tensors: Sequence[Any], prefix: str | None = None, print_summary: bool = False) -> list[Any]:
    """A scalar summary of each of `values`, its name behind `prefix`; with `print_summary` it is printed, too."""
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]


@export(*_names("summaries.add_zero_fraction_summaries"))
def add_zero_fraction_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """The share of zeros in each tensor."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]


# ---- slim.queues

@export(*_names("queues.NestedQueueRunnerError"))
class NestedQueueRunnerError(Exception):
    """A block with queue runners stands inside another one."""


_inside = threading.local()


@export(*_names("queues.QueueRunners"))
@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:  # noqa: N802 - TensorFlow's own spelling
    """A block during which the queue runners of the graph run in a session.

    Raises:
        NestedQueueRunnerError: there is such a block around.
    """
    if getattr(_inside, "running", False):
        raise NestedQueueRunnerError("there is a block with queue runners around this one")
    _inside.running, coordinator, threads = True, Coordinator(), []
    try:
        for runner in get_collection(GraphKeys.QUEUE_RUNNERS):
            threads += runner.create_threads(session, coord=coordinator, daemon=True, start=True)
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        finally:
            _inside.running = False
