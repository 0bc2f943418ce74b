"""Variable scopes: tf.get_variable finds or makes variables by name, under the scopes around it."""
from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import init_scope, name_scope, root_graph
from evergraph.frontend.collections import GraphKeys, add_to_collection, get_collection
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization, resource_variables_enabled
from evergraph.frontend.variables.initializers import glorot_uniform_initializer, zeros_initializer
from evergraph.frontend.variables.open_counts import OpenCounts
from evergraph.frontend.variables.partitions import (
    PartitionedVariable,
    PartitionInfo,
    ask_partitioner,
    only_axis,
    slices,
)
from evergraph.frontend.variables.slices import SaveSliceInfo
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.apply import graph_of
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.scopes import DefaultStack
from evergraph.ops.arrays.index import slice_


class Reuse:
    """Whether variables of a scope are made, shared, or whichever fits."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


AUTO_REUSE = export("AUTO_REUSE")(Reuse("_ReuseMode.AUTO_REUSE"))


@export("no_regularizer")
def no_regularizer(_: Any) -> None:
    """A regularizer that does nothing: keeps that of the scopes around away."""
    return None


# ---- the scope

@export("VariableScope")
class VariableScope:
    """The defaults that `tf.get_variable` uses, and the prefix it gives to names.

    Attributes:
        name: the prefix of the variables, without a slash at its end.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults.
        reuse: False or None to make variables, True to share them, tf.AUTO_REUSE for whichever fits.
        original_name_scope: the name scope that was opened with it.
    """

    def __init__(self, reuse: Any, name: str = "", initializer: Any = None, regularizer: Any = None,
                 caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None, name_scope: str = "",
                 dtype: Any = dtypes.float32, use_resource: bool | None = None, constraint: Any = None) -> None:
        self._name, self._reuse, self._name_scope, self._dtype = name, reuse, name_scope, dtype
        self._initializer, self._regularizer, self._constraint = initializer, regularizer, constraint
        self._caching_device, self._partitioner = caching_device, partitioner
        self._custom_getter, self._use_resource = custom_getter, use_resource

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self) -> None:
        """From now on variables of this scope are shared, never made."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the initializer of variables that name none."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the dtype of variables that name none."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are resource variables."""
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the regularizer of variables that name none."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets where variables that do not say are cached."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the partitioner of variables that name none."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the function through which variables are made."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The items of a collection that belong to this scope."""
        return get_collection(name, f"{self._name}/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The trainable variables of this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The global variables of this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The local variables of this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def _copy(self, **changes: Any) -> VariableScope:
        """A scope like this one, but for the changes that are not None."""
        fields = {name: getattr(self, f"_{name}") for name in _FIELDS}
        return VariableScope(**{**fields, **{name: value for name, value in changes.items() if value is not None}})

    def get_variable(self, var_store: VariableStore, name: str, shape: Any = None, dtype: Any = None,
                     initializer: Any = None, regularizer: Any = None, reuse: Any = None, trainable: bool | None = None,
                     collections: Any = None, caching_device: Any = None, partitioner: Any = None,
                     validate_shape: bool = True, use_resource: bool | None = None, custom_getter: Any = None,
                     constraint: Any = None, synchronization: Any = VariableSynchronization.AUTO,
                     aggregation: Any = VariableAggregation.NONE) -> Any:
        """The variable called `name` in this scope; see `tf.get_variable`."""
        either = lambda given, default: default if given is None else given
        full_name = f"{self._name}/{name}" if self._name else name
        with name_scope(None):  # the name of a variable follows from variable scopes alone
            if dtype is not None and initializer is not None and not callable(initializer):
                _require_dtype(initializer, dtype)
            return var_store.get_variable(
                full_name, shape=shape, dtype=either(dtype, self._dtype),
                initializer=either(initializer, self._initializer), regularizer=either(regularizer, self._regularizer),
                reuse=either(reuse, self._reuse), trainable=trainable, collections=collections,
                caching_device=either(caching_device, self._caching_device),
                partitioner=either(partitioner, self._partitioner), validate_shape=validate_shape,
                use_resource=either(use_resource, self._use_resource),
                custom_getter=either(custom_getter, self._custom_getter),
                constraint=either(constraint, self._constraint),
                synchronization=synchronization, aggregation=aggregation)


_FIELDS = ("reuse", "name", "initializer", "regularizer", "caching_device", "partitioner", "custom_getter",
           "name_scope", "dtype", "use_resource", "constraint")


def _require_dtype(initializer: Any, dtype: Any) -> None:
    found = convert_to_tensor(initializer).dtype.base_dtype
    if found is not dtypes.as_dtype(dtype).base_dtype:
        raise ValueError(f"dtype '{dtype}' and the initializer's dtype '{found}' don't match.")


@export("get_variable_scope")
def get_variable_scope() -> VariableScope:
    """Returns the current variable scope."""
    scopes = root_graph().scopes
    if scopes.variable_scope is None:
        scopes.variable_scope = VariableScope(False)
    return scopes.variable_scope


def open_counts() -> OpenCounts:
    scopes = root_graph().scopes
    if scopes.variable_scope_counts is None:
        scopes.variable_scope_counts = OpenCounts()
    return scopes.variable_scope_counts


@contextlib.contextmanager
def entered(scope: VariableScope, shared: bool) -> Iterator[VariableScope]:
    """Makes `scope` the one in force; `shared` when it was opened before and is entered again."""
    before = get_variable_scope()
    scopes = root_graph().scopes
    with open_counts().opened(scope.name, undone=shared):
        scopes.variable_scope = scope
        try:
            yield scope
        finally:
            scopes.variable_scope = before


def _wrapped(getter: Any, outer: Any) -> Any:
    """`getter` around the getter of the enclosing scope."""
    if getter is None or outer is None:
        return getter or outer

    def both(getter: Any, *args: Any, inner: Any = getter, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)
    return both


@export("variable_scope")
class variable_scope:  # noqa: N801 - TensorFlow's own spelling
    """Opens a scope for variables: `tf.get_variable` prefixes names with it, shares by `reuse`, uses its defaults.

    >>> with tf.variable_scope("layer"):
    ...     print(tf.get_variable("w", [2]).name)
    layer/w:0
    >>> with tf.variable_scope("layer", reuse=True):
    ...     print(tf.get_variable("w").name)
    layer/w:0

    Args:
        name_or_scope: the name of a new scope inside the one in force, or a VariableScope to enter again.
        default_name: used when `name_or_scope` is None; it gets a number when it is taken.
        values: tensors whose graph the block is opened in.
        initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults
            for the variables inside.
        reuse: True to share variables, tf.AUTO_REUSE to share or make them, None for what the enclosing scope says.
        auxiliary_name_scope: False keeps the name scope of operations as it is.

    Raises:
        TypeError: neither `name_or_scope` nor `default_name` is given, or an argument is of the wrong type.
        ValueError: `reuse` is given with a default name.
    """

    def __init__(self, name_or_scope: Any, default_name: str | None = None, values: Sequence[Any] | None = None,
                 initializer: Any = None, regularizer: Any = None, caching_device: Any = None, partitioner: Any = None,
                 custom_getter: Any = None, reuse: Any = None, dtype: Any = None, use_resource: bool | None = None,
                 constraint: Any = None, auxiliary_name_scope: bool = True) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError("a variable scope needs name_or_scope or default_name")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"auxiliary_name_scope must be True or False, got {auxiliary_name_scope}")
        if name_or_scope is not None and not isinstance(name_or_scope, (str, VariableScope)):
            raise TypeError("a VariableScope begins with name_or_scope, a string or VariableScope.")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True needs a name_or_scope")
        self._name_or_scope, self._default_name, self._values = name_or_scope, default_name, list(values or ())
        self._reuse, self._custom_getter, self._auxiliary_name_scope = reuse, custom_getter, auxiliary_name_scope
        self._changes = {"initializer": initializer, "regularizer": regularizer, "caching_device": caching_device,
                         "partitioner": partitioner, "dtype": dtype, "use_resource": use_resource,
                         "constraint": constraint}
        self._open: list[contextlib.ExitStack] = []

    def __enter__(self) -> VariableScope:
        stack = contextlib.ExitStack()
        try:
            graph = graph_of(self._values, default_graph())
            stack.enter_context(graph.as_default_if_needed())
            operations_in = self._enter_name_scope(stack)
            shared = isinstance(self._name_or_scope, VariableScope)
            found = stack.enter_context(entered(self._scope(operations_in), shared))
        except BaseException:
            stack.close()
            raise
        self._open.append((stack, found))
        return found

    def _enter_name_scope(self, stack: contextlib.ExitStack) -> str:
        if not self._auxiliary_name_scope:
            current = default_graph().get_name_scope()
            return stack.enter_context(name_scope(f"{current}/" if current else None))
        given = self._name_or_scope
        name = self._default_name if given is None else given if isinstance(given, str) else given.name.split("/")[-1]
        return stack.enter_context(name_scope(name)) if name else ""

    def _scope(self, operations_in: str) -> VariableScope:
        given, outer = self._name_or_scope, get_variable_scope()
        if isinstance(given, VariableScope):
            return given._copy(**self._changes, reuse=self._reuse or None,
                               custom_getter=_wrapped(self._custom_getter, given.custom_getter))
        name = _unique(self._default_name) if given is None else given  # type: ignore[arg-type]
        return outer._copy(**self._changes, name=f"{outer.name}/{name}" if outer.name else name,
                           reuse=self._reuse or outer.reuse, name_scope=operations_in,
                           custom_getter=_wrapped(self._custom_getter, outer.custom_getter))

    def __exit__(self, *error: Any) -> None:
        stack, found = self._open[-1]
        if error[0] is None and get_variable_scope() is not found:
            raise RuntimeError("Improper nesting of variable_scope: a scope that was opened later is still open")
        self._open.pop()
        stack.__exit__(*error)


@contextlib.contextmanager
def pure_variable_scope(name_or_scope: Any, reuse: Any = None, initializer: Any = None, regularizer: Any = None,
                        caching_device: Any = None, partitioner: Any = None, custom_getter: Any = None,
                        old_name_scope: str | None = None, dtype: Any = dtypes.float32,
                        use_resource: bool | None = None, constraint: Any = None) -> Iterator[VariableScope]:
    """A variable scope that leaves the name scope of operations as it is; sonnet opens its modules with it.

    `old_name_scope` becomes the `original_name_scope` of a scope given by name, and `dtype` is not inherited.
    """
    opened = variable_scope(name_or_scope, reuse=reuse, initializer=initializer, regularizer=regularizer,
                            caching_device=caching_device, partitioner=partitioner, custom_getter=custom_getter,
                            dtype=dtype, use_resource=use_resource, constraint=constraint)
    shared = isinstance(name_or_scope, VariableScope)
    operations_in = name_or_scope if old_name_scope is None else old_name_scope
    with entered(opened._scope(operations_in), shared) as scope:
        yield scope


def _unique(prefix: str) -> str:
    """`prefix`, or prefix_1, prefix_2, ... when a scope of that name was opened before."""
    outer, counts = get_variable_scope(), open_counts()
    full = lambda name: f"{outer.name}/{name}" if outer.name else name
    if not counts.get(full(prefix)):
        return prefix
    number = 1
    while counts.get(full(f"{prefix}_{number}")):
        number += 1
    return f"{prefix}_{number}"


@export("variable_op_scope")
@contextlib.contextmanager
def variable_op_scope(values: Sequence[Any], name_or_scope: Any, default_name: str | None = None,
                      initializer: Any = None, regularizer: Any = None, caching_device: Any = None,
                      partitioner: Any = None,
                      custom_getter: Any = None, reuse: Any = None, dtype: Any = None, use_resource: bool | None = None,
                      constraint: Any = None) -> Iterator[VariableScope]:
    """The same as `tf.variable_scope`, with the older order of arguments."""
    with variable_scope(name_or_scope, default_name=default_name, values=values, initializer=initializer,
                        regularizer=regularizer, caching_device=caching_device, partitioner=partitioner,
                        custom_getter=custom_getter, reuse=reuse, dtype=dtype, use_resource=use_resource,
                        constraint=constraint) as scope:
        yield scope


# ---- the variables by name

class VariableStore:
    """The variables that `tf.get_variable` made, by full name.

    Args:
        shares: False with eager execution, where every call makes a new variable, which lives as long as the program
            holds it; tf.contrib.eager.EagerVariableStore keeps a store that shares.
        heeds_scopes: whether the `reuse` of scopes says when, with eager execution too.
    """

    def __init__(self, shares: bool = True, heeds_scopes: bool = False) -> None:
        self.shares, self.heeds_scopes = shares, heeds_scopes
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    @property
    def variables(self) -> list[Any]:
        """The variables, in the order of their names."""
        return [self._vars[name] for name in sorted(self._vars)]

    def as_default(self) -> Any:
        """A with-block in which `tf.get_variable` uses this store with eager execution."""
        return eager_stores.pushed(self)

    def add(self, name: str, variable: Any) -> None:
        """Takes in a variable that was made elsewhere."""
        self._vars[name] = variable

    def get_variable(self, name: str, *, custom_getter: Any = None, **options: Any) -> Any:
        """The variable of that full name, through the custom getter when there is one."""
        if custom_getter is None:
            return self._true_getter(name, **options)
        if not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
        if not _accepts(custom_getter, "constraint"):
            options.pop("constraint")
        if options["trainable"] is None:  # a getter may look at what it will be
            options["trainable"] = options["synchronization"] is not VariableSynchronization.ON_READ
        return custom_getter(getter=self._true_getter, name=name, **options)

    def _true_getter(self, name: str, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None,
                     regularizer: Any = None, reuse: Any = None, trainable: bool | None = None, collections: Any = None,
                     caching_device: Any = None, partitioner: Any = None, validate_shape: bool = True,
                     use_resource: bool | None = None, constraint: Any = None,
                     synchronization: Any = VariableSynchronization.AUTO,
                     aggregation: Any = VariableAggregation.NONE) -> Any:
        made_with = {"trainable": trainable, "collections": collections, "caching_device": caching_device,
                     "validate_shape": validate_shape, "use_resource": use_resource, "constraint": constraint,
                     "synchronization": synchronization, "aggregation": aggregation}
        is_scalar = isinstance(shape, Sequence) and not shape
        if root_graph().is_eager and not self.heeds_scopes:
            reuse = AUTO_REUSE if self.shares else False  # a scope has no say
        if partitioner is not None and not is_scalar:
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
            return self._partitioned(name, shape, dtype, initializer, regularizer, reuse, partitioner, made_with)
        if reuse is True and partitioner is None and name in self._partitioned_vars:
            return self._partitioned(name, shape, dtype, initializer, regularizer, reuse, None, made_with)
        if f"{name}/part_0" in self._vars:
            raise ValueError(f"{name} was made with a partitioner ({name}/part_0), and is asked for without one")
        return self._single(name, shape, dtype, initializer, regularizer, reuse, None, made_with)

    def _single(self, name: str, shape: Any, dtype: Any, initializer: Any, regularizer: Any, reuse: Any,
                partition_info: PartitionInfo | None, made_with: dict[str, Any]) -> Any:
        from_value = initializer is not None and not callable(initializer)
        if shape is not None and from_value:
            raise ValueError("a value as initializer has a shape of its own: leave `shape` out")
        dtype, static = dtypes.as_dtype(dtype), TensorShape(shape)
        if name in self._vars:
            return _shared(name, self._vars[name], static, dtype, reuse)
        if reuse is True:
            raise ValueError(f"Variable {name} does not exist: tf.get_variable() has made none of that name; "
                             f"reuse=tf.AUTO_REUSE would")
        if initializer is None:
            initializer = default_initializer(name, dtype)
        with init_scope():
            start = initializer if from_value else _starter(initializer, static, dtype, partition_info)
        if made_with["use_resource"] is None:
            made_with = {**made_with, "use_resource": resource_variables_enabled()}
        made = Variable(initial_value=start, name=name, dtype=None if from_value else dtype.base_dtype, **made_with)
        if self.shares:
            self._vars[name] = made
        if self.shares and root_graph().is_eager:
            _collect(made, made_with["collections"])
        if regularizer:
            self._regularize(name, made, regularizer)
        return made

    def _regularize(self, name: str, variable: Any, regularizer: Any) -> None:
        """Adds the penalty on a new variable to the regularization losses."""
        with default_graph().colocate_with(variable), name_scope(f"{name}/Regularizer/"), init_scope():
            loss = regularizer(variable)
        if loss is not None:
            add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)

    def _partitioned(self, name: str, shape: Any, dtype: Any, initializer: Any, regularizer: Any, reuse: Any,
                     partitioner: Any, made_with: dict[str, Any]) -> PartitionedVariable:
        if name in self._vars:
            raise ValueError(f"{name} was made without a partitioner, and is asked for with one")
        static, dtype = TensorShape(shape), dtypes.as_dtype(dtype)
        if initializer is not None and not callable(initializer):
            static = static.merge_with(convert_to_tensor(initializer).shape)
        partitions = ask_partitioner(partitioner, static, dtype) if partitioner is not None else None
        if name in self._partitioned_vars:
            return _shared_parts(name, self._partitioned_vars[name], static, dtype, partitions, reuse)
        if reuse is True:
            raise ValueError(f"Partitioned variable {name} does not exist: tf.get_variable() has made none of that "
                             f"name; reuse=tf.AUTO_REUSE would")
        axis, count = only_axis(partitions)
        parts = []
        for number, (offset, size) in enumerate(slices(static.as_list(), count, axis)):
            part_name = f"{name}/part_{number}"
            start, part_shape = _part_of(initializer, part_name, dtype, offset, size)
            info = PartitionInfo(full_shape=static.as_list(), var_offset=offset)
            with name_scope(None):
                part = self._single(part_name, part_shape, dtype, start, regularizer, reuse, info, made_with)
            part._set_save_slice_info(SaveSliceInfo(name, static.as_list(), offset, size))
            parts.append(part)
        made = PartitionedVariable(name=name, shape=static, dtype=dtype, variable_list=parts, partitions=partitions)
        self._partitioned_vars[name] = made
        return made


def _collect(variable: Any, collections: Any) -> None:
    """Adds a variable of eager execution that a store keeps to collections; others would live on through them."""
    keys = list(collections or [GraphKeys.GLOBAL_VARIABLES])
    trained = [GraphKeys.TRAINABLE_VARIABLES] if variable.trainable else []
    for key in dict.fromkeys([*keys, *trained]):
        root_graph().add_to_collection(key, variable)


def _accepts(function: Callable[..., Any], keyword: str) -> bool:
    """Whether the function takes this keyword, by name or by **kwargs."""
    parameters = _parameters(function)
    return keyword in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _requires(function: Callable[..., Any], keyword: str) -> bool:
    """Whether the function cannot be called without this keyword."""
    found = _parameters(function).get(keyword)
    return found is not None and found.default is found.empty


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name; none for one that does not tell."""
    call = type(function).__call__
    try:
        return _method_parameters(call) if inspect.isfunction(call) else inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


@functools.lru_cache
def _method_parameters(method: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a method of a class, such as those of all Glorot initializers, looked up once."""
    return inspect.signature(method).parameters


def _shared(name: str, found: Any, shape: TensorShape, dtype: dtypes.DType, reuse: Any) -> Any:
    """An existing variable, when it may be shared and fits what is asked for."""
    if reuse is False:
        where = f" Originally defined at: {found.op.where}" if found.op.where else ""
        raise ValueError(f"Variable {name} already exists, disallowed: reuse=True or reuse=tf.AUTO_REUSE lets it be "
                         f"used again{where}")
    if not shape.is_compatible_with(found.get_shape()):
        raise ValueError(f"variable {name} exists with shape {found.get_shape()}, and get_variable asks for shape "
                         f"{shape}.")
    if dtype.base_dtype is not found.dtype.base_dtype:
        raise ValueError(f"variable {name} exists with dtype {found.dtype.base_dtype.name}, and get_variable asks "
                         f"for dtype {dtype.name}.")
    return found


def _shared_parts(name: str, found: PartitionedVariable, shape: TensorShape, dtype: dtypes.DType,
                  partitions: list[int] | None, reuse: Any) -> PartitionedVariable:
    if reuse is False:
        raise ValueError(f"Partitioned variable {name} already exists; reuse=True or reuse=tf.AUTO_REUSE lets it be "
                         f"used again")
    if not shape.is_compatible_with(found.get_shape()):
        raise ValueError(f"partitioned variable {name} exists with shape {found.get_shape()}, and get_variable asks "
                         f"for shape {shape}.")
    if not dtype.is_compatible_with(found.dtype):
        raise ValueError(f"partitioned variable {name} exists with dtype {found.dtype.name}, and get_variable asks for "
                         f"dtype {dtype.name}.")
    if partitions is not None and partitions != found._get_partitions():
        raise ValueError(f"Trying to reuse partitioned variable {name}, but specified partitions {partitions} and "
                         f"found partitions {found._get_partitions()}.")
    return found


def _part_of(initializer: Any, part_name: str, dtype: dtypes.DType, offset: list[int], size: list[int]) -> Any:
    """What one part starts with, and its shape when that does not say it."""
    if initializer is None or callable(initializer):
        return initializer, size
    with name_scope(f"{part_name}/PartitionedInitializer"):
        whole = initializer if isinstance(initializer, Tensor) else convert_to_tensor(initializer, dtype)
        return slice_(whole, offset, size), None


def default_initializer(name: str, dtype: dtypes.DType) -> Any:
    """What `tf.get_variable` uses when nobody gives an initializer.

    Raises:
        ValueError: there is no sensible default for this dtype.
    """
    if dtype.is_floating:
        return glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype is dtypes.string:
        return zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype.base_dtype} is required")


def _starter(initializer: Any, shape: TensorShape, dtype: dtypes.DType, info: PartitionInfo | None) -> Any:
    """A function without arguments that gives the initial value."""
    if inspect.isclass(initializer):
        initializer = initializer()
    if shape.is_fully_defined():
        wanted = _requires if info is None else _accepts
        extra = {"partition_info": info} if wanted(initializer, "partition_info") else {}
        return functools.partial(initializer, shape.as_list(), dtype=dtype.base_dtype, **extra)
    required = [p for p in inspect.signature(initializer).parameters.values() if p.default is p.empty]
    if required:
        raise ValueError("an initializer is a function without arguments, or one of tf.initializers together with a "
                         "shape that is fully known")
    return initializer


eager_stores = DefaultStack()
"""The stores of tf.contrib.eager.EagerVariableStore in force, innermost last."""


def default_store() -> VariableStore:
    """The store of the default graph; with eager execution the one that is in force, or one that keeps nothing."""
    graph = root_graph()
    if not graph.is_eager:
        return graph.memo(VariableStore)
    inner = default_graph()
    while isinstance(inner, FuncGraph):
        if (kept := inner.memo(_Kept).store) is not None:
            return kept
        inner = inner.outer_graph
    return eager_stores.top() or VariableStore(shares=False)


class _Kept:
    """The store of a function that has variables of its own."""

    store: VariableStore | None = None


def keep_variables(graph: FuncGraph) -> None:
    """Gives a function a store of its own, in which scopes share variables as they do in graphs."""
    graph.memo(_Kept).store = VariableStore(heeds_scopes=True)


@export("get_variable")
def get_variable(name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
                 trainable: bool | None = None, collections: Any = None, caching_device: Any = None,
                 partitioner: Any = None, validate_shape: bool = True, use_resource: bool | None = None,
                 custom_getter: Any = None, constraint: Any = None, synchronization: Any = VariableSynchronization.AUTO,
                 aggregation: Any = VariableAggregation.NONE) -> Any:
    """Gets the variable of this name in the current variable scope, or creates it, as the scope's `reuse` says.

    Args:
        name: its name in the scope.
        shape: of the variable; not given when `initializer` is a value.
        dtype: float32 unless the scope says otherwise.
        initializer: a value, or a function of (shape, dtype); by default Glorot's uniform one for floats, else zeros.
        regularizer: a function of the variable whose result joins the REGULARIZATION_LOSSES.
        trainable, collections, caching_device, validate_shape, use_resource, constraint, synchronization, aggregation:
            as for `tf.Variable`.
        partitioner: a function of (shape, dtype) that says into how many parts to split each dimension.
        custom_getter: called in place of the getter, with the getter as its first argument.

    Raises:
        ValueError: the variable exists and may not be shared, or must be shared and does not exist, or does not fit.
    """
    return get_variable_scope().get_variable(
        default_store(), name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        trainable=trainable, collections=collections, caching_device=caching_device, partitioner=partitioner,
        validate_shape=validate_shape, use_resource=use_resource, custom_getter=custom_getter, constraint=constraint,
        synchronization=synchronization, aggregation=aggregation)


@export("create_partitioned_variables")
def create_partitioned_variables(shape: Any, slicing: list[int], initializer: Any, dtype: Any = dtypes.float32,
                                 trainable: bool | None = True, collections: Any = None, name: str | None = None,
                                 reuse: Any = None) -> list[Any]:
    """The parts of a variable that is split as `slicing` says; the older form of a partitioner.

    Args:
        shape: of the whole.
        slicing: the number of parts in each dimension; all but one are 1.
        initializer: a value of the whole, or a function of (shape, dtype).
        dtype: of the variable.
        trainable, collections: as for `tf.Variable`.
        name: of the whole; "PartitionedVariable" when not given.
        reuse: whether to share the variable, as for `tf.variable_scope`.

    Raises:
        ValueError: `slicing` does not fit the shape.
    """
    if len(shape) != len(slicing):
        raise ValueError(f"The 'shape' and 'slicing' of a new Variable must have the length: shape: {shape}, slicing: "
                         f"{slicing}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope, name_scope(None):
        whole = default_store().get_variable(
            scope.name, shape=shape, dtype=dtype, initializer=initializer, regularizer=None, reuse=scope.reuse,
            trainable=trainable, collections=collections, caching_device=None, partitioner=lambda **_: slicing,
            validate_shape=True, use_resource=scope.use_resource, constraint=None)
        return list(whole)


@export("get_local_variable")
def get_local_variable(name: str, shape: Any = None, dtype: Any = None, initializer: Any = None,
                       regularizer: Any = None, trainable: bool | None = False, collections: Any = None,
                       caching_device: Any = None,
                       partitioner: Any = None, validate_shape: bool = True, use_resource: bool | None = None,
                       custom_getter: Any = None, constraint: Any = None,
                       synchronization: Any = VariableSynchronization.AUTO,
                       aggregation: Any = VariableAggregation.NONE) -> Any:
    """Gets or creates a local variable, as `tf.get_variable` does: in LOCAL_VARIABLES, not trainable, not saved."""
    return get_variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=False,
        collections=[*(collections or ()), GraphKeys.LOCAL_VARIABLES], caching_device=caching_device,
        partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource, custom_getter=custom_getter,
        constraint=constraint, synchronization=synchronization, aggregation=aggregation)
