"""tf.contrib.framework's variables: model variables, and finding variables by name, scope and suffix."""
from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.devices import DeviceSpec
from evergraph.base.export import export, names_in
from evergraph.contrib.framework.arg_scopes import add_arg_scope
from evergraph.frontend.blocks import control_dependencies, device
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.scope import get_variable, get_variable_scope
from evergraph.frontend.variables.variable import Variable
from evergraph.ops.state import zero_initializers

framework_names = names_in("contrib.framework", "contrib.slim")


def _listed(collections: Any) -> list[Any]:
    return list(collections) if isinstance(collections, (list, tuple, set)) else [collections]


@export(*framework_names("variable"))
@add_arg_scope
def variable(name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
             trainable: bool | None = True, collections: Any = None, caching_device: Any = None, device: Any = None,
             partitioner: Any = None, custom_getter: Any = None, use_resource: bool | None = None,
             synchronization: Any = VariableSynchronization.AUTO,
             aggregation: Any = VariableAggregation.NONE) -> Any:
    """As `tf.get_variable`, on a device of its own when one is given.

    Args:
        name, shape, dtype, initializer, regularizer, trainable, collections, caching_device, partitioner,
        custom_getter,
            use_resource, synchronization, aggregation: as for `tf.get_variable`.
        device: the device to place it on, or a function of the operation that gives it.
    """
    wanted = [GraphKeys.GLOBAL_VARIABLES] if collections is None else _listed(collections)
    getter = get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=get_variable_scope().reuse)
    with _placed(device):
        return getter(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                      trainable=trainable, collections=list(dict.fromkeys(wanted)), caching_device=caching_device,
                      partitioner=partitioner, use_resource=use_resource, synchronization=synchronization,
                      aggregation=aggregation)


def _placed(name_or_function: Any) -> Any:
    return device(name_or_function) if name_or_function else contextlib.nullcontext()


@export(*framework_names("model_variable"))
@add_arg_scope
def model_variable(name: str, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None,
                   regularizer: Any = None, trainable: bool | None = True, collections: Any = None,
                   caching_device: Any = None, device: Any = None, partitioner: Any = None, custom_getter: Any = None,
                   use_resource: bool | None = None, synchronization: Any = VariableSynchronization.AUTO,
                   aggregation: Any = VariableAggregation.NONE) -> Any:
    """A variable that is also in the MODEL_VARIABLES collection: what inference needs. See `variable`."""
    wanted = [*(_listed(collections) if collections else ()), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                    trainable=trainable, collections=wanted, caching_device=caching_device, device=device,
                    partitioner=partitioner, custom_getter=custom_getter, use_resource=use_resource,
                    synchronization=synchronization, aggregation=aggregation)


@export(*framework_names("local_variable"))
def local_variable(initial_value: Any, validate_shape: bool = True, name: str | None = None,
                   use_resource: bool | None = None) -> Any:
    """A variable of this process alone: in LOCAL_VARIABLES, not trainable. The arguments are those of `tf.Variable`."""
    return Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


@export(*framework_names("global_variable"))
def global_variable(initial_value: Any, validate_shape: bool = True, name: str | None = None,
                    use_resource: bool | None = None) -> Any:
    """A variable that machines share: in GLOBAL_VARIABLES, not trainable. The arguments are those of `tf.Variable`."""
    return Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES],
                    validate_shape=validate_shape, name=name, use_resource=use_resource)


@export(*framework_names("add_model_variable"))
def add_model_variable(var: Any) -> None:
    """Adds a variable to the MODEL_VARIABLES collection, unless it is there already."""
    if var not in get_collection(GraphKeys.MODEL_VARIABLES):
        add_to_collection(GraphKeys.MODEL_VARIABLES, var)


# ---- finding variables

@export(*framework_names("get_variables"))
def get_variables(scope: Any = None, suffix: str | None = None,
                  collection: Any = GraphKeys.GLOBAL_VARIABLES) -> list[Any]:
    """The variables of a collection, in a scope and with a name that ends in a suffix, where these are given.

    Args:
        scope: a name or a VariableScope.
        suffix: what the names end with, without ":0".
        collection: where to look.
    """
    prefix = getattr(scope, "name", scope)
    found = get_collection(collection, prefix)
    if suffix is None:
        return found
    suffix = suffix if ":" in suffix else f"{suffix}:"
    return [v for v in found if re.search(suffix, v.name)]


@export(*framework_names("get_model_variables"))
def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the MODEL_VARIABLES collection."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


@export(*framework_names("get_local_variables"))
def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the LOCAL_VARIABLES collection."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


@export(*framework_names("get_trainable_variables"))
def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the TRAINABLE_VARIABLES collection."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


@export(*framework_names("get_variables_by_suffix"))
def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """The global variables whose names end in `suffix`."""
    return get_variables(scope, suffix)


@export(*framework_names("get_variables_by_name"))
def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The global variables that are called `given_name` in whatever scope."""
    return get_variables(scope, rf"(?:^|/){given_name}:")


@export(*framework_names("get_unique_variable"))
def get_unique_variable(var_op_name: str) -> Any:
    """The one variable whose operation is called `var_op_name`.

    Raises:
        ValueError: there is none, or there are several.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


@export(*framework_names("get_variable_full_name"))
def get_variable_full_name(var: Any) -> str:
    """The name of a variable, or of the whole when it is a part of one."""
    info = var._save_slice_info if isinstance(var, Variable) else None
    return var.op.name if info is None else info.full_name


@export(*framework_names("get_variables_to_restore"))
def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """The global variables in the scopes `include`, without those in the scopes `exclude`.

    Raises:
        TypeError: an argument is no list.
    """
    for what, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{what} must be a list or a tuple")
    wanted = [v for scope in (include if include is not None else [None]) for v in get_variables(scope)]
    unwanted = {v for scope in exclude or () for v in get_variables(scope)}
    return [v for v in wanted if v not in unwanted]


@export(*framework_names("filter_variables"))
def filter_variables(var_list: Sequence[Any], include_patterns: Sequence[str] | None = None,
                     exclude_patterns: Sequence[str] | None = None, reg_search: bool = True) -> list[Any]:
    """The variables whose names fit a pattern to include (any, when there is none) and no pattern to exclude.

    Args:
        var_list: the variables.
        include_patterns: regular expressions.
        exclude_patterns: regular expressions.
        reg_search: looks for them anywhere in the name; False, at its beginning.
    """
    fits = re.search if reg_search else re.match
    fits_one = lambda v, patterns: any(fits(pattern, v.name) for pattern in patterns)
    kept = [v for v in var_list if not include_patterns or fits_one(v, include_patterns)]
    return [v for v in kept if not fits_one(v, exclude_patterns or ())]


@export(*framework_names("VariableDeviceChooser"))
class VariableDeviceChooser:
    """A device function that spreads variables over the tasks of a job, one after another.

    >>> chooser = tf.contrib.framework.VariableDeviceChooser(num_tasks=2)
    >>> with tf.contrib.framework.arg_scope([tf.contrib.framework.variable], device=chooser):
    ...     a = tf.contrib.framework.variable("a", [])         # on /job:ps/task:0

    Args:
        num_tasks: the number of tasks; 0 for no job.
        job_name: the name of the job.
        device_type: "CPU" or "GPU".
        device_index: the number of the device in its task.
        replica: the number of the replica; None for none.
    """

    def __init__(self, num_tasks: int = 0, job_name: str = "ps", device_type: str = "CPU", device_index: int = 0,
                 replica: int | None = None) -> None:
        self._num_tasks, self._job_name, self._replica = num_tasks, job_name, replica
        self._device_type, self._device_index, self._next = device_type, device_index, 0

    def __call__(self, op: Any) -> str:
        """The device of the next variable; `op` itself does not matter."""
        spec = DeviceSpec(device_type=self._device_type, device_index=self._device_index, replica=self._replica)
        if self._num_tasks > 0:
            spec = spec.replace(job=self._job_name, task=self._next)
            self._next = (self._next + 1) % self._num_tasks
        return spec.to_string()


@export(*framework_names("zero_initializer"))
def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """Sets a variable to zeros, in place of its initializer; a variable that is initialized already is an error.

    Args:
        ref: the variable.
        use_locking: has no effect: assignments are atomic.
        name: a name for the operation.

    Returns:
        The variable, after that.
    """
    if getattr(ref, "handle", None) is None:
        return zero_initializers.zero_initializer(ref._ref() if hasattr(ref, "_ref") else ref, name=name)
    with control_dependencies([zero_initializers.zero_var_initializer(
            ref.handle, dtype=ref.dtype.base_dtype, shape=ref.shape, name=name)]):
        return ref.read_value()
