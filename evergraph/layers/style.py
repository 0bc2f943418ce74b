"""Whether new layers keep their variables in variable scopes, as tf.layers does, or to themselves, as Keras does."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator

from evergraph.base.export import export


class _Style:
    keras = False


def keras_style() -> bool:
    """Whether layers that are made now keep their variables to themselves."""
    return _Style.keras


@export("layers.experimental.set_keras_style")
def set_keras_style() -> None:
    """From now on new layers keep their variables to themselves; see `tf.layers.experimental.keras_style_scope`."""
    _Style.keras = True


@export("layers.experimental.keras_style_scope")
@contextlib.contextmanager
def keras_style_scope() -> Iterator[None]:
    """A block in which new layers keep their variables to themselves.

    Two layers never share variables then, whatever they are called: to share, call the same layer again. Variable
    scopes around have no say, `scope` and `reuse` are refused, and variables are resource variables. The updates of a
    layer are in `layer.updates`, not in the UPDATE_OPS collection.

    >>> with tf.layers.experimental.keras_style_scope():
    ...     first, second = tf.layers.Dense(2, name="d"), tf.layers.Dense(2, name="d")
    >>> x = tf.zeros([1, 3])
    >>> y = second(x) + first(x)
    >>> second.kernel.name, first.kernel.name
    ('d/kernel:0', 'd_1/kernel:0')
    """
    before, _Style.keras = _Style.keras, True
    try:
        yield
    finally:
        _Style.keras = before
