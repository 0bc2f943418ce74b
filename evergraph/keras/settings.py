"""tf.keras.backend's settings: default dtype, image layout, fuzz factor, learning phase."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope, root_graph
from evergraph.graph.convert import constant
from evergraph.keras import history
from evergraph.ops.arrays import basic


class _Settings:
    floatx = "float32"
    epsilon = 1e-7
    image_data_format = "channels_last"


@export("keras.backend.backend")
def backend() -> str:
    """The name of the backend: "tensorflow"."""
    return "tensorflow"


@export("keras.backend.floatx")
def floatx() -> str:
    """The name of the default dtype."""
    return _Settings.floatx


@export("keras.backend.set_floatx")
def set_floatx(value: str) -> None:
    """Sets the default dtype.

    Raises:
        ValueError: it is not "float16", "float32" or "float64".
    """
    if value not in ("float16", "float32", "float64"):
        raise ValueError(f"Unknown floatx type: {value}")
    _Settings.floatx = value


@export("keras.backend.epsilon")
def epsilon() -> float:
    """The fuzz factor that keeps quotients and logarithms finite."""
    return _Settings.epsilon


@export("keras.backend.set_epsilon")
def set_epsilon(value: float) -> None:
    """Sets the fuzz factor."""
    _Settings.epsilon = value


@export("keras.backend.image_data_format")
def image_data_format() -> str:
    """The default layout of images: "channels_last" or "channels_first"."""
    return _Settings.image_data_format


@export("keras.backend.set_image_data_format")
def set_image_data_format(data_format: str) -> None:
    """Sets the default layout of images.

    Raises:
        ValueError: it is not "channels_last" or "channels_first".
    """
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Unknown data_format: {data_format}")
    _Settings.image_data_format = data_format


def layout_of(data_format: str | None) -> str:
    """Resolves the layout argument; None is the default layout.

    Raises:
        ValueError: it is neither "channels_last" nor "channels_first".
    """
    found = image_data_format() if data_format is None else str(data_format).lower()
    if found not in ("channels_last", "channels_first"):
        raise ValueError(f'data_format must be "channels_first" or "channels_last", got {data_format!r}')
    return found


# ---- the learning phase

class _Phase:
    """The learning phase of a graph: 1 or 0, the placeholder, or None before its first use."""

    value: Any = None


@export("keras.backend.learning_phase")
def learning_phase() -> Any:
    """The learning phase: 1 (training) or 0 if set; else in a graph, or where a model is described with eager
    execution, a bool placeholder that defaults to False, and 0 where operations run at once.
    """
    root, graph = root_graph(), history.described_around() or root_graph()
    fixed = root.memo(_Phase).value
    if root.is_eager and (fixed is not None or graph is root):
        return fixed or 0
    phase = graph.memo(_Phase)
    if phase.value is None:
        with graph.as_default(), graph.control_dependencies(None), name_scope(""):
            phase.value = basic.placeholder_with_default(
                constant(False, name="keras_learning_phase/input"), shape=[], name="keras_learning_phase")
    return phase.value


def learning_phase_if_any() -> Any:
    """The learning phase of the default graph; None before its first use."""
    return root_graph().memo(_Phase).value


@export("keras.backend.set_learning_phase")
def set_learning_phase(value: int) -> None:
    """Fixes the learning phase of the default graph.

    Raises:
        ValueError: it is not 0 or 1.
    """
    if value not in (0, 1):
        raise ValueError(f"the learning phase is 0 or 1, not {value}")
    root_graph().memo(_Phase).value = value


@export("keras.backend.learning_phase_scope")
@contextlib.contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """Context manager that fixes the learning phase of the default graph.

    Raises:
        ValueError: it is not 0 or 1.
    """
    phase = root_graph().memo(_Phase)
    before = phase.value
    set_learning_phase(value)
    try:
        yield
    finally:
        phase.value = before
