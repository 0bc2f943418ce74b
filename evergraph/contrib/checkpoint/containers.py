"""Containers of trackable objects."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.base.no_dependency import NoDependency
from evergraph.save.checkpoint_manager import CheckpointManager
from evergraph.save.tracking import Trackable, is_trackable
from evergraph.train.python_state import PythonState

export("contrib.checkpoint.CheckpointManager")(CheckpointManager)
export("contrib.checkpoint.NoDependency")(NoDependency)
export("contrib.checkpoint.PythonState")(PythonState)


@export("contrib.checkpoint.List")
class List(list):
    """A list whose trackable elements checkpoints hold by their places.

    Args:
        *args: the elements.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(args)


@export("contrib.checkpoint.Mapping")
class Mapping(dict):
    """A dictionary that only grows, whose values checkpoints hold by their keys.

    Raises:
        ValueError: a key is no string, or is there already.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"The keys of a Mapping are strings, got {key!r}")
        if self.get(key, value) is not value:
            raise ValueError(f"A Mapping cannot change the value of a key, here {key!r}")
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        raise ValueError("A Mapping does not let go of keys")


@export("contrib.checkpoint.UniqueNameTracker")
class UniqueNameTracker(Trackable):
    """Gives trackable objects names of their own, under which a checkpoint holds them: `x`, `x_1`, `x_2`.

    >>> slots = tf.contrib.checkpoint.UniqueNameTracker()
    >>> slots.track(tf.Variable(3.0), "x"), slots.track(tf.Variable(4.0), "x")  # named x and x_1
    """

    def __init__(self) -> None:
        self._named: dict[str, Any] = {}

    def track(self, trackable: Any, base_name: str) -> Any:
        """Names an object after `base_name`, and returns it.

        Raises:
            ValueError: a checkpoint cannot hold the object.
        """
        if not is_trackable(trackable):
            raise ValueError(f"A checkpoint holds variables, layers and collections of them, not {trackable!r}")
        name, count = base_name, 0
        while name in self._named:
            count += 1
            name = f"{base_name}_{count}"
        self._named[name] = trackable
        return trackable

    def _checkpoint_children(self) -> dict[str, Any]:
        return dict(self._named)

    @property
    def layers(self) -> list[Any]:
        """Those of the objects that are layers."""
        return [each for each in self._named.values() if hasattr(each, "trainable_weights")]

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of the layers."""
        return [variable for layer in self.layers for variable in layer.trainable_weights]

    @property
    def variables(self) -> list[Any]:
        """All variables of the layers."""
        return [variable for layer in self.layers for variable in layer.weights]
