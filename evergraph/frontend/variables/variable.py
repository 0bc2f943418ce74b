"""tf.Variable: a tensor that keeps its value from step to step.

Two kinds share one interface. A RefVariable (the default) is a VariableV2 node whose value is read once a step through
`w/read`; a ResourceVariable is a VarHandleOp that every use reads anew.
"""
from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import indexing
from evergraph.frontend.blocks import control_dependencies, name_of_scope, name_scope, placed_as
from evergraph.frontend.variables.base import Variable, shape_for, within_scope
from evergraph.frontend.variables.deferred import waiting
from evergraph.frontend.variables.initial import safe_value
from evergraph.graph import scopes
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic, index
from evergraph.ops.state import variable_rows as rows
from evergraph.ops.state import variables as ops

export("Variable")(Variable)


class RefVariable(Variable, resource=False):
    """A variable whose value other operations reach by reference."""

    def _build(self, initial_value: Any, validate_shape: bool, caching_device: Any, name: str | None, dtype: Any,
               shape: Any) -> None:
        from_function = callable(initial_value)
        with name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            own_name = name_of_scope(scope)
            with placed_as(own_name) if from_function else contextlib.nullcontext():
                self._initial_value = _first_value(initial_value, dtype)
                static = shape_for(self._initial_value, validate_shape, shape)
                self._variable = ops.variable_v2(static, self._initial_value.dtype.base_dtype,
                                                 container=self._graph._container, name=scope)
            start = safe_value(own_name, self._initial_value)
            self._initializer_op = ops.assign(self._variable, start, validate_shape=validate_shape).op
            self._snapshot = self._read_at(caching_device)

    def _read_at(self, caching_device: Any) -> Tensor:
        if caching_device is None:
            with self._graph.colocate_with(self._variable.op):
                return basic.identity(self._variable, name="read")
        with self._graph.device(caching_device(self._variable.op) if callable(caching_device) else caching_device):
            return basic.identity(self._variable, name="read")

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        graph = self._graph = default_graph()
        find = lambda name: graph.as_graph_element(within_scope(name, import_scope))
        self._variable, self._initializer_op = find(variable_def.variable_name), find(variable_def.initializer_name)
        self._initial_value = find(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._snapshot = find(variable_def.snapshot_name)
        self._read_common_proto(variable_def)

    def _proto_name(self) -> str:
        return self._variable.name

    def _fill_proto(self, message: Any, inside: Callable[[str], str]) -> None:
        message.snapshot_name = inside(self._snapshot.name)

    op = property(lambda self: self._variable.op)
    dtype = property(lambda self: self._variable.dtype)
    shape = property(lambda self: self._variable.shape)

    def set_shape(self, shape: Any) -> None:
        self._variable.set_shape(shape)
        self._snapshot.set_shape(shape)

    def value(self) -> Tensor:
        return self._snapshot

    def read_value(self) -> Tensor:
        return basic.identity(self._variable, name="read")

    def _ref(self) -> Tensor:
        return self._variable

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def _is_set(self) -> Tensor:
        return ops.is_variable_initialized(self._variable)

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return _result(ops.assign(self._variable, value, use_locking=use_locking, name=name), read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        return _result(ops.assign_add(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        return _result(ops.assign_sub(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def count_up_to(self, limit: int) -> Tensor:
        return ops.count_up_to(self._variable, limit=limit)

    def _scatter(self, kind: str, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
        return rows.REF_SCATTERS[kind](self._variable, indices, updates, use_locking=use_locking, name=name)

    def _assign_strided(self, begin: Tensor, end: Tensor, strides: Tensor, value: Any, name: str | None,
                        **masks: int) -> Any:
        return index.strided_slice_assign(self._variable, begin, end, strides, value, name=name, **masks)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        return indexing.gather(self, indices, name=name)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        return indexing.gather_nd(self, indices, name=name)


def _result(tensor: Tensor, read_value: bool) -> Any:
    return tensor if read_value else tensor.op


def _first_value(initial_value: Any, dtype: Any) -> Tensor:
    """The initial value as a tensor; a function is called in a name scope of its own."""
    if not callable(initial_value):
        return convert_to_tensor(initial_value, dtype, name="initial_value")
    with name_scope("Initializer"), default_graph().device(None):
        return convert_to_tensor(initial_value(), dtype, name="initial_value")


class ResourceVariable(Variable, resource=True):
    """A variable that is reached through a handle; every use reads the value it has at that time."""

    def _build(self, initial_value: Any, validate_shape: bool, caching_device: Any, name: str | None, dtype: Any,
               shape: Any) -> None:
        from_function = callable(initial_value)
        self._cached_value: Tensor | None = None
        if self._graph.is_eager:
            self._build_at_once(initial_value() if from_function else initial_value, validate_shape, name, dtype, shape)
            return
        with name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            own_name = name_of_scope(scope)
            with placed_as(own_name):
                with name_scope("Initializer"), self._graph.device(None):
                    first = initial_value() if from_function else initial_value
                    self._initial_value = convert_to_tensor(first, dtype, name="initial_value")
                static = shape_for(self._initial_value, validate_shape, shape)
                self.handle = ops.var_handle_op(dtype=self._initial_value.dtype.base_dtype, shape=static,
                                                shared_name=own_name, container=self._graph._container, name=scope)
            self._settle_handle()
            with name_scope("IsInitialized"):
                self._is_initialized_op = ops.var_is_initialized_op(self.handle)
            with name_scope("Assign") as assign_scope, self._graph.colocate_with(None, ignore_existing=True), \
                    self._graph.device(self.handle.device):
                start = safe_value(own_name, self._initial_value)
                self._initializer_op = ops.assign_variable_op(self.handle, start, name=assign_scope)
            with name_scope("Read"):
                with self._graph.device(self.handle.device):
                    self._graph_element = self._read()
                if caching_device is not None:
                    self._cached_value = self._copied_to(caching_device)

    def _build_at_once(self, initial_value: Any, validate_shape: bool, name: str | None, dtype: Any,
                       shape: Any) -> None:
        """Makes the variable and assigns its first value, which nothing has to run."""
        with name_scope(name, "Variable") as scope:
            first = convert_to_tensor(initial_value, dtype, name="initial_value")
            self.handle = ops.var_handle_op(dtype=first.dtype.base_dtype, name=scope,
                                            shape=shape_for(first, validate_shape, shape))
            self._settle_handle()
            ops.assign_variable_op(self.handle, first)
        self._initializer_op = self._initial_value = self._graph_element = None
        self._is_awaited = bool(waiting)

    def _copied_to(self, caching_device: Any) -> Tensor:
        place = caching_device(self.handle.source) if callable(caching_device) else caching_device
        with self._graph.colocate_with(None, ignore_existing=True), self._graph.device(place):
            return basic.identity(self._graph_element)

    def _settle_handle(self) -> None:
        self._dtype, self._static = self.handle.source.attrs["dtype"], self.handle.source.attrs["shape"]

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        if not variable_def.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        graph = self._graph = default_graph()
        find = lambda name: graph.as_graph_element(within_scope(name, import_scope))
        self.handle, self._initializer_op = find(variable_def.variable_name), find(variable_def.initializer_name)
        self._settle_handle()
        self._initial_value = find(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._cached_value = None
        if variable_def.snapshot_name:
            self._graph_element = find(variable_def.snapshot_name)
            if self._graph_element.op.opdef.kind is not Kind.READ:
                self._cached_value = self._graph_element
        else:
            with name_scope("Read"):
                self._graph_element = self._read()
        self._is_initialized_op = next(
            (c.outputs[0] for c in self.handle.consumers() if c.opdef is ops.var_is_initialized_op), None)
        self._read_common_proto(variable_def)

    def _proto_name(self) -> str:
        return self.handle.name

    def _fill_proto(self, message: Any, inside: Callable[[str], str]) -> None:
        message.is_resource = True
        read = self._graph_element if self._cached_value is None else self._cached_value
        message.snapshot_name = inside(read.name)

    op = property(lambda self: self.handle.source)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: TensorShape(self._static))
    graph = property(lambda self: self.handle.graph)

    @property
    def _handle(self) -> Tensor:
        return self.handle

    @property
    def create(self) -> Operation:
        """The operation that gives the variable its first value."""
        if self._graph.is_eager:
            raise RuntimeError("create() of a reference variable needs a graph, which eager execution does not keep.")
        return self._initializer_op

    def set_shape(self, shape: Any) -> None:
        self._static = TensorShape(self._static).merge_with(TensorShape(shape)).tuple

    _is_awaited = False  # whether a checkpoint may have a value for the variable once its owner holds it

    def _read(self) -> Tensor:
        if self._is_awaited:
            self._is_awaited = False
            waiting.settle()
        if scopes.tapes.items:
            scopes.accessed(self)
        value = ops.read_variable_op(self.handle, self._dtype)
        value.set_shape(self._static)
        return value

    def value(self) -> Tensor:
        if self._cached_value is not None:
            return self._cached_value
        graph = default_graph()
        if graph.is_eager:
            return self._read()
        with graph.colocate_with(None, ignore_existing=True), graph.device(self.handle.device):
            return self._read()

    def read_value(self) -> Tensor:
        if default_graph().is_eager:
            return self._read()
        with name_scope("Read"):
            value = self._read()
        return basic.identity(value)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has a value."""
        return ops.var_is_initialized_op(self.handle, name=name)

    def _is_set(self) -> Tensor:
        return self.is_initialized()

    def _ref(self) -> Tensor:
        return self.handle

    def _as_graph_element(self) -> Tensor:
        return self._graph_element

    @classmethod
    def _TensorConversionFunction(cls, v: Any, dtype: Any = None, name: str | None = None,  # noqa: N802
                                  as_ref: bool = False) -> Any:
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(v.dtype):
            return NotImplemented
        return v.read_value().op.inputs[0] if as_ref else v.value()

    def _updated(self, operation: Operation, read_value: bool) -> Any:
        return UpdatedVariable(self, operation) if read_value else operation

    def _at_home(self) -> Any:
        """Makes the variable's own graph the default one, except in a function, which takes the handle in."""
        graph = default_graph()
        return contextlib.nullcontext() if isinstance(graph, FuncGraph) else self.handle.graph.as_default()

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        with self._at_home():
            tensor = convert_to_tensor(value, self._dtype)
            self.shape.assert_is_compatible_with(tensor.shape)
            return self._updated(ops.assign_variable_op(self.handle, tensor, name=name), read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        with self._at_home():
            delta = convert_to_tensor(delta, self._dtype)
            return self._updated(ops.assign_add_variable_op(self.handle, delta, name=name), read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        with self._at_home():
            delta = convert_to_tensor(delta, self._dtype)
            return self._updated(ops.assign_sub_variable_op(self.handle, delta, name=name), read_value)

    def __deepcopy__(self, memo: Any) -> Any:
        if self._graph.is_eager:
            memo[id(self)] = copy = ResourceVariable(
                self.read_value(), trainable=self._trainable, name=self.op.name, constraint=self._constraint)
            return copy
        raise NotImplementedError("A variable of a graph has no copy: it lives in that graph.")

    def __reduce__(self) -> Any:
        if not self._graph.is_eager:
            raise NotImplementedError("A variable of a graph is not pickled: it lives in that graph.")
        make = functools.partial(ResourceVariable, trainable=self._trainable, name=self._shared_name,
                                 dtype=self._dtype, constraint=self._constraint)
        return make, (self.numpy(),)

    def count_up_to(self, limit: int) -> Tensor:
        return ops.resource_count_up_to(self.handle, limit=limit, T=self._dtype)

    def _scatter(self, kind: str, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
        updates = convert_to_tensor(updates, self._dtype)
        return self._updated(rows.RESOURCE_SCATTERS[kind](self.handle, indices, updates, name=name), read_value=True)

    def _assign_strided(self, begin: Tensor, end: Tensor, strides: Tensor, value: Any, name: str | None,
                        **masks: int) -> Any:
        value = convert_to_tensor(value, self._dtype)
        update = index.resource_strided_slice_assign(self.handle, begin, end, strides, value, name=name, **masks)
        return self._updated(update, read_value=True)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        scopes.accessed(self)
        with name_scope(name or "Gather") as scope:
            value = rows.resource_gather(self.handle, indices, dtype=self._dtype, name=scope)
        return basic.identity(value)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        scopes.accessed(self)
        with name_scope(name or "GatherNd") as scope:
            value = rows.resource_gather_nd(self.handle, indices, dtype=self._dtype, name=scope)
        return basic.identity(value)


register_tensor_conversion_function(ResourceVariable, ResourceVariable._TensorConversionFunction, priority=50)


def variable_of_handle(handle: Tensor, trainable: bool = True) -> ResourceVariable:
    """The variable that a handle with handle data refers to, such as an argument of a function."""
    variable = ResourceVariable.__new__(ResourceVariable)
    variable._begin(trainable)
    variable._graph, variable.handle, variable._cached_value = handle.graph, handle, None
    variable._dtype, variable._static = handle._handle_data.dtype, handle._handle_data.shape
    variable._initializer_op = variable._initial_value = variable._graph_element = None
    return variable


def is_resource_variable(var: Any) -> bool:
    """Whether a variable is reached through a handle."""
    return isinstance(var, ResourceVariable)


class UpdatedVariable(ResourceVariable):
    """A resource variable as it is after an update: whoever reads it waits for the update."""

    def __init__(self, variable: ResourceVariable, update: Operation) -> None:
        vars(self).update(vars(variable))  # the same variable in all else
        vars(self).pop("_distributed_container", None)  # which does not wait for the update
        self._cached_value, self._update = None, update
        if self._graph.is_eager:
            return
        self._graph_element = None
        if not isinstance(default_graph(), FuncGraph):  # a function reads on demand: nothing fetches from inside of it
            self._as_graph_element()

    def _as_graph_element(self) -> Tensor:
        if self._graph_element is None:
            with control_dependencies([self._update]):
                self._graph_element = self._read()
        return self._graph_element

    def value(self) -> Tensor:
        with control_dependencies([self._update]):
            return super().value()

    def read_value(self) -> Tensor:
        with control_dependencies([self._update]):
            return super().read_value()

    def _updated(self, operation: Operation, read_value: bool) -> Any:
        return UpdatedVariable(self, operation) if read_value else operation

    device = property(lambda self: self.handle.device)  # whatever device the update names

    @property
    def op(self) -> Operation:
        """The update itself, so that depending on this object means waiting for it."""
        return self._update

    @property
    def name(self) -> str:
        return "UnreadVariable" if self._graph.is_eager else self._update.name
