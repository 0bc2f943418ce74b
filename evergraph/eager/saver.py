"""Savers of tf.contrib.eager: variables by name, written and read at once, or read as they are made."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.text import as_text, path_to_str
from evergraph.frontend.variables.base import observers
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.state.checkpoints import open_checkpoint
from evergraph.save import saver as savers


@export("contrib.eager.Saver")
class Saver:
    """Writes and reads variables by name, with eager execution.

    Args:
        var_list: the variables: a list, or by name.

    Raises:
        RuntimeError: there are no variables to save.
    """

    def __init__(self, var_list: Any) -> None:
        self._saver = savers.Saver(var_list)

    def save(self, file_prefix: Any, global_step: Any = None) -> str:
        """Writes a checkpoint, whose name ends in the step if one is given; returns its path."""
        return self._saver.save(None, as_text(path_to_str(file_prefix)), global_step)

    def restore(self, file_prefix: Any) -> None:
        """Gives the variables the values of a checkpoint.

        Raises:
            NotFoundError: it has no value for one of them.
        """
        self._saver.restore(None, as_text(path_to_str(file_prefix)))


@export("contrib.eager.get_optimizer_variables")
def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer; `optimizer.variables()` by now."""
    return optimizer.variables()


@export("contrib.eager.restore_variables_on_create")
@contextlib.contextmanager
def restore_variables_on_create(save_path: Any, map_func: Callable[[str], str] | None = None) -> Iterator[None]:
    """A with-block in which new variables start with the values that a checkpoint has under their names.

    Args:
        save_path: the checkpoint; None for new variables to start as they would.
        map_func: from the name of a variable to that in the checkpoint.

    Raises:
        NotFoundError: the checkpoint has no value for a variable.
        ValueError: `map_func` is no function.
    """
    if map_func is not None and not callable(map_func):
        raise ValueError(f"map_func must be a function of a name, got {map_func!r}")
    if save_path is None:
        yield
        return
    reader = open_checkpoint(as_text(path_to_str(save_path)))

    def restore(variable: Any) -> None:
        name = variable._shared_name if map_func is None else map_func(variable._shared_name)
        if name not in reader:
            raise errors.NotFoundError(None, None, f"{name} not found in checkpoint {save_path}")
        variable.assign(convert_to_tensor(reader.read(name)))

    with observers.pushed(restore):
        yield
