"""tf.contrib.framework and tf.contrib.slim: variables from values and from checkpoints."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.contrib.framework.variables import framework_names, get_unique_variable, get_variable_full_name
from evergraph.frontend.array import placeholder
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.save.reader import NewCheckpointReader
from evergraph.save.saver import Saver


@export(*framework_names("assign_from_values"))
def assign_from_values(var_names_to_values: dict[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """(an operation that sets variables, the dictionary to feed it with): the values stay out of the graph.

    Args:
        var_names_to_values: arrays by the names of variables.
    """
    operations, feeds = [], {}
    for name, value in var_names_to_values.items():
        variable = get_unique_variable(name)
        given = placeholder(variable.dtype.base_dtype, name=f"placeholder/{variable.op.name}")
        given.set_shape(np.shape(value))
        operations.append(variable.assign(given))
        feeds[given] = np.reshape(value, variable.shape.as_list())
    return group(*operations), feeds


@export(*framework_names("assign_from_values_fn"))
def assign_from_values_fn(var_names_to_values: dict[str, Any]) -> Callable[[Any], None]:
    """A function of a session that sets variables; see `assign_from_values`."""
    operation, feeds = assign_from_values(var_names_to_values)

    def assign(session: Any) -> None:
        session.run(operation, feeds)
    return assign


def _by_name(var_list: Any) -> dict[str, list[Any]]:
    """The parts of each variable by its name in the checkpoint."""
    if isinstance(var_list, dict):
        found = var_list
    else:
        found = {}
        for variable in var_list:
            found.setdefault(get_variable_full_name(variable) if hasattr(variable, "op") else variable.name,
                             []).append(variable)
    return {name: list(value) if isinstance(value, (list, tuple, PartitionedVariable)) else [value]
            for name, value in found.items()}


@export(*framework_names("assign_from_checkpoint"))
def assign_from_checkpoint(model_path: str, var_list: Any, ignore_missing_vars: bool = False) -> tuple[Any, Any]:
    """(an operation that sets variables, the dictionary of values from a checkpoint to feed it with).

    Args:
        model_path: of the checkpoint.
        var_list: a list of variables, or a dictionary from names in the checkpoint to variables.
        ignore_missing_vars: whether variables that the checkpoint lacks are left alone.

    Raises:
        ValueError: the checkpoint lacks a variable, or has it in another shape.
    """
    reader = NewCheckpointReader(model_path)
    operations, feeds = [], {}
    for name, parts in _by_name(var_list).items():
        if not reader.has_tensor(name):
            text = f"the checkpoint has no variable {name}"
            if not ignore_missing_vars:
                raise ValueError(text)
            logging.warning(text)
            continue
        value = reader.get_tensor(name)
        for part in parts:
            operation, feed = _assigned(part, _portion(part, value), name)
            operations.append(operation)
            feeds.update(feed)
    return group(*operations), feeds


def _portion(variable: Any, value: Any) -> Any:
    """What of a value belongs to a part of a variable."""
    info = getattr(variable, "_save_slice_info", None)
    if info is None:
        return value
    return value[tuple(slice(start, start + size) for start, size in zip(info.var_offset, info.var_shape))]


def _assigned(variable: Any, value: Any, name: str) -> tuple[Any, dict[Any, Any]]:
    if not variable.shape.is_compatible_with(np.shape(value)):
        raise ValueError(f"{name} has shape {np.shape(value)} in the checkpoint, {variable.name} {variable.shape}")
    given = placeholder(variable.dtype.base_dtype, shape=np.shape(value), name=f"placeholder/{variable.op.name}")
    return variable.assign(given), {given: value}


@export(*framework_names("assign_from_checkpoint_fn"))
def assign_from_checkpoint_fn(model_path: str, var_list: Any, ignore_missing_vars: bool = False,
                              reshape_variables: bool = False) -> Callable[[Any], None] | None:
    """A function of a session that restores variables from a checkpoint.

    Args:
        model_path: of the checkpoint.
        var_list: a list of variables, or a dictionary from names in the checkpoint to variables.
        ignore_missing_vars: whether variables that the checkpoint lacks are left alone.
        reshape_variables: whether a variable may have another shape there, of as many elements.

    Returns:
        The function; None when there is nothing to restore.

    Raises:
        ValueError: there are no variables.
    """
    if not var_list:
        raise ValueError("there are no variables to restore")
    if ignore_missing_vars:
        reader = NewCheckpointReader(model_path)
        found = {name: parts for name, parts in _by_name(var_list).items() if reader.has_tensor(name)}
        for name in _by_name(var_list):
            if name not in found:
                logging.warning("Variable %s missing in checkpoint %s", name, model_path)
        var_list = {name: parts[0] if len(parts) == 1 else parts for name, parts in found.items()}
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables)

    def restore(session: Any) -> None:
        saver.restore(session, model_path)
    return restore
