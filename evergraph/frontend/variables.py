"""tf.Variable: a tensor that keeps its value from step to step.

Two kinds share one interface. A RefVariable (the default) is a VariableV2 node whose value is read once a step through
`w/read`; a ResourceVariable is a VarHandleOp that every use reads anew.
"""
from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import indexing
from evergraph.frontend.blocks import control_dependencies, init_scope, name_of_scope, name_scope, placed_as, root_graph
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.control_flow import cond
from evergraph.frontend.initial import safe_value
from evergraph.frontend.slices import SaveSliceInfo
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Reference, Tensor, session_for
from evergraph.ops import basic, index
from evergraph.ops import variable_rows as rows
from evergraph.ops import variables as ops


@export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the copies of a distributed variable are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How the updates of the copies of a distributed variable are combined."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


_resource_by_default = [False]


@export("enable_resource_variables")
def enable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` give resource variables where nothing else is asked for."""
    _resource_by_default[0] = True


@export("disable_resource_variables")
def disable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` give ref variables where nothing else is asked for."""
    _resource_by_default[0] = False


@export("resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether variables are resource variables by default."""
    return _resource_by_default[0]


# ---- who makes a variable

def _creators() -> list[Callable[..., Any]]:
    """The functions that may change how variables are made here, innermost last."""
    scopes = root_graph().scopes
    if not hasattr(scopes, "variable_creators"):
        scopes.variable_creators = []  # type: ignore[attr-defined]
    return scopes.variable_creators  # type: ignore[attr-defined]


@export("variable_creator_scope")
@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Variables made inside the block are made by `variable_creator(next_creator, **kwargs)`.

    The keywords are those of `tf.Variable`; `next_creator(**kwargs)` makes the variable without this block.
    """
    creators = _creators()
    creators.append(variable_creator)
    try:
        yield
    finally:
        creators.remove(variable_creator)


def _create(**kwargs: Any) -> Any:
    """Makes a variable of the kind the arguments and the scopes around ask for."""
    use_resource = kwargs.pop("use_resource", None)
    if use_resource is None:
        scope = getattr(root_graph().scopes, "variable_scope", None)
        use_resource = None if scope is None else scope.use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    return ResourceVariable(**kwargs) if use_resource else RefVariable(**kwargs)


def _with(creator: Callable[..., Any], next_creator: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **kwargs: creator(next_creator, **kwargs)


class _MadeByCreators(type):
    """Calling tf.Variable asks the creators in force; calling one of its kinds makes just that."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Variable:
            return super().__call__(*args, **kwargs)
        given = dict(zip(_PARAMETERS, args))
        doubled = given.keys() & kwargs.keys()
        unknown = kwargs.keys() - set(_PARAMETERS)
        if len(args) > len(_PARAMETERS) or doubled or unknown:
            raise TypeError(f"tf.Variable takes {', '.join(_PARAMETERS)}; got {len(args)} positional arguments"
                            + "".join(f", an unknown or repeated {name!r}" for name in sorted(doubled | unknown)))
        make = _create
        for creator in _creators():
            make = _with(creator, make)
        return make(**{**_PARAMETERS, **given, **kwargs})


_PARAMETERS = {
    "initial_value": None, "trainable": None, "collections": None, "validate_shape": True, "caching_device": None,
    "name": None, "variable_def": None, "dtype": None, "expected_shape": None, "import_scope": None, "constraint": None,
    "use_resource": None, "synchronization": VariableSynchronization.AUTO, "aggregation": VariableAggregation.NONE,
    "shape": None,
}


# ---- the interface

@export("Variable")
class Variable(metaclass=_MadeByCreators):
    """A tensor that keeps its value from step to step. It must be initialized before it is read.

    >>> w = tf.Variable([1.0, 2.0], name="w")
    >>> double = w.assign(w * 2.0)
    >>> with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     sess.run(double).tolist()
    [2.0, 4.0]

    Args:
        initial_value: a tensor or a value, or a function without arguments that returns one.
        trainable: whether optimizers change it by default; True unless `synchronization` is ON_READ.
        collections: the graph collections to add it to; by default GLOBAL_VARIABLES.
        validate_shape: False lets the shape of the value change.
        caching_device: where the value that other operations read is kept.
        name: "Variable" when not given.
        variable_def: a VariableDef message to rebuild the variable from, whose nodes are in the graph already.
        dtype: what `initial_value` is converted to.
        expected_shape: older TensorFlow's name for a check of the shape; has no meaning any more.
        import_scope: the name scope that the nodes of `variable_def` were imported into.
        constraint: a function of the variable that gives its value after an optimizer's update.
        use_resource: True for a resource variable, False for a ref variable.
        synchronization: a tf.VariableSynchronization.
        aggregation: a tf.VariableAggregation.
        shape: the static shape, when it says less than that of `initial_value`.

    Raises:
        ValueError: there is no initial value, or its shape is not known.
    """

    SaveSliceInfo = SaveSliceInfo
    __array_priority__ = 100
    _is_tensor_like = True

    def __init__(self, initial_value: Any = None, trainable: bool | None = None, collections: Any = None,
                 validate_shape: bool = True, caching_device: Any = None, name: str | None = None,
                 variable_def: Any = None, dtype: Any = None, expected_shape: Any = None, import_scope: str | None = None,
                 constraint: Callable[..., Any] | None = None,
                 synchronization: VariableSynchronization = VariableSynchronization.AUTO,
                 aggregation: VariableAggregation = VariableAggregation.NONE, shape: Any = None) -> None:
        self._save_slice_info: Any = None
        self._cycle_of_updates: Any = None
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._init_from_proto(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, self._trainable = _settled(synchronization, aggregation, trainable)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._constraint = constraint
        collections = _checked_collections(collections)
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
        with init_scope():
            self._graph = default_graph()
            self._build(initial_value, validate_shape, caching_device, name, dtype, shape)
            add_to_collections(collections, self)

    # what each kind says for itself

    def _build(self, initial_value: Any, validate_shape: bool, caching_device: Any, name: str | None, dtype: Any,
               shape: Any) -> None:
        """Adds the nodes of the variable to the graph."""
        raise NotImplementedError

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        raise NotImplementedError

    def value(self) -> Tensor:
        """The tensor that holds the value as it is read by other operations."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """A new tensor with the value at the time it runs, so that control dependencies can order it."""
        raise NotImplementedError

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Makes `value` the variable's value.

        Args:
            value: the new value.
            use_locking: has no meaning here: updates never tear.
            name: of the new operation.
            read_value: False gives back the operation instead of the new value.
        """
        raise NotImplementedError

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Adds `delta`; see `assign`."""
        raise NotImplementedError

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Subtracts `delta`; see `assign`."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Tensor:
        """Adds one and gives the value before; at `limit` the run ends with an OutOfRangeError."""
        raise NotImplementedError

    def _is_set(self) -> Tensor:
        """Whether the variable has a value."""
        raise NotImplementedError

    def _scatter(self, kind: str, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
        """Applies the scatter op of that kind."""
        raise NotImplementedError

    # the same for all

    @property
    def name(self) -> str:
        return f"{self.op.name}:0"

    @property
    def op(self) -> Operation:
        """The operation that holds the value."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        return self.op.name

    @property
    def graph(self) -> Graph:
        return self.op.graph

    @property
    def device(self) -> str:
        return self.op.device

    @property
    def dtype(self) -> dtypes.DType:
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        raise NotImplementedError

    def get_shape(self) -> TensorShape:
        """The static shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Adds what is known about the static shape."""
        raise NotImplementedError

    @property
    def initial_value(self) -> Tensor:
        """The tensor that the initializer assigns."""
        return self._initial_value

    @property
    def initializer(self) -> Operation:
        """The operation that sets the variable to its initial value."""
        return self._initializer_op

    @property
    def trainable(self) -> bool:
        return self._trainable

    @property
    def constraint(self) -> Callable[..., Any] | None:
        return self._constraint

    @property
    def synchronization(self) -> VariableSynchronization:
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        return self._aggregation

    def initialized_value(self) -> Tensor:
        """The value, or the initial value while the variable has none."""
        with init_scope():
            return cond(self._is_set(), self.read_value, lambda: self.initial_value)

    def eval(self, session: Any = None) -> Any:
        """The value in `session`, or in the default session."""
        return self._as_graph_element().eval(session=session)

    def load(self, value: Any, session: Any = None) -> None:
        """Sets the value in `session`, or in the default session, without adding to the graph."""
        found = session_for(session, self.graph, "load variable", "`var.load(value, session=sess)`")
        found.run(self.initializer, {self.initializer.inputs[1]: value})

    def experimental_ref(self) -> Reference:
        """A key for dictionaries and sets that stands for this variable."""
        return Reference(self)

    ref = experimental_ref

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds the rows of `sparse_delta`."""
        return self._scatter_slices("add", sparse_delta, use_locking, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts the rows of `sparse_delta`."""
        return self._scatter_slices("sub", sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiplies by the rows of `sparse_delta`."""
        return self._scatter_slices("mul", sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Divides by the rows of `sparse_delta`."""
        return self._scatter_slices("div", sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Keeps the smaller of each element and the rows of `sparse_delta`."""
        return self._scatter_slices("min", sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Keeps the larger of each element and the rows of `sparse_delta`."""
        return self._scatter_slices("max", sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Assigns the rows of `sparse_delta`."""
        return self._scatter_slices("update", sparse_delta, use_locking, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` at the places that `indices` names."""
        return self._scatter("nd_add", indices, updates, True, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` at the places that `indices` names."""
        return self._scatter("nd_sub", indices, updates, True, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Assigns `updates` at the places that `indices` names."""
        return self._scatter("nd_update", indices, updates, True, name)

    def batch_scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False,
                             name: str | None = None) -> Any:
        """Assigns the rows of `sparse_delta`, whose indices count within each batch entry; see
        `tf.batch_scatter_update`."""
        from evergraph.frontend.assign import batch_scatter_update
        return batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name)

    def _scatter_slices(self, kind: str, delta: Any, use_locking: bool, name: str | None) -> Any:
        if not isinstance(delta, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {delta}")
        return self._scatter(kind, delta.indices, delta.values, use_locking, name)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows that `indices` names."""
        raise NotImplementedError

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The slices at the places that `indices` names."""
        raise NotImplementedError

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The variable as a VariableDef message, or None when it is not in `export_scope`."""
        if export_scope is not None and not self.op.name.startswith(export_scope):
            return None
        inside = lambda name: _without_scope(name, export_scope)
        message = proto.variable_pb2.VariableDef(
            variable_name=inside(self._proto_name()), trainable=self.trainable,
            synchronization=self.synchronization.value, aggregation=self.aggregation.value)
        if getattr(self, "_initial_value", None) is not None:
            message.initial_value_name = inside(self._initial_value.name)
        message.initializer_name = inside(self.initializer.name)
        self._fill_proto(message, inside)
        if self._save_slice_info is not None:
            message.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope=export_scope))
        return message

    def _proto_name(self) -> str:
        raise NotImplementedError

    def _fill_proto(self, message: Any, inside: Callable[[str], str]) -> None:
        raise NotImplementedError

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Variable:
        """The variable that a VariableDef describes; its nodes must be in the default graph."""
        kind = ResourceVariable if variable_def.is_resource else RefVariable
        return kind(variable_def=variable_def, import_scope=import_scope)

    def _read_common_proto(self, message: Any) -> None:
        self._trainable, self._constraint = message.trainable, None
        self._synchronization = VariableSynchronization(message.synchronization)
        self._aggregation = VariableAggregation(message.aggregation)
        if message.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(save_slice_info_def=message.save_slice_info_def)

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    def _as_graph_element(self) -> Tensor:
        """What a session runs when the variable is fetched."""
        raise NotImplementedError

    def _AsTensor(self) -> Tensor:  # noqa: N802 - programs call it by this name
        return self.value()

    def _ref(self) -> Tensor:
        """What is given to operations that change the variable."""
        raise NotImplementedError

    def _should_act_as_resource_variable(self) -> None:
        pass

    def __getitem__(self, spec: Any) -> Tensor:
        """A part of the value, as for tensors; it also has `assign`, which changes that part of the variable."""
        return indexing.getitem(self._AsTensor(), spec, self)

    def _assign_strided(self, begin: Tensor, end: Tensor, strides: Tensor, value: Any, name: str | None,
                        **masks: int) -> Any:
        raise NotImplementedError

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    @classmethod
    def _TensorConversionFunction(cls, v: Variable, dtype: Any = None, name: str | None = None,  # noqa: N802
                                  as_ref: bool = False) -> Any:
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(v.dtype.base_dtype):
            raise ValueError(f"Incompatible type conversion requested to type {dtypes.as_dtype(dtype).name!r} for variable "
                             f"of type {v.dtype.name!r}")
        return v._ref() if as_ref else v.value()


register_tensor_conversion_function(Variable, Variable._TensorConversionFunction)


def _operator(name: str) -> Callable[..., Any]:
    def apply(self: Variable, *args: Any) -> Any:
        return getattr(Tensor, name)(self._AsTensor(), *args)
    apply.__name__ = name
    return apply


for _name in Tensor.OVERLOADABLE_OPERATORS - {"__getitem__"}:
    setattr(Variable, _name, _operator(_name))


def _settled(synchronization: Any, aggregation: Any, trainable: bool | None) -> tuple[Any, Any, bool]:
    """The three with their defaults filled in; raises ValueError where they contradict each other."""
    aggregation = VariableAggregation.NONE if aggregation is None else aggregation
    if not isinstance(aggregation, VariableAggregation):
        raise ValueError(f"Invalid variable aggregation mode: {aggregation}")
    synchronization = VariableSynchronization.AUTO if synchronization is None else synchronization
    if not isinstance(synchronization, VariableSynchronization):
        raise ValueError(f"Invalid variable synchronization mode: {synchronization}")
    on_read = synchronization is VariableSynchronization.ON_READ
    if on_read and trainable:
        raise ValueError("Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable "
                         "variables. You have specified trainable=True and synchronization=ON_READ.")
    return synchronization, aggregation, not on_read if trainable is None else trainable


def _checked_collections(collections: Any) -> list[Any]:
    if collections is None:
        return [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError(f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections} "
                         f"of type {type(collections)}")
    return list(collections)


def _without_scope(name: str, scope: str | None) -> str:
    if not scope:
        return name
    scope = scope.rstrip("/")
    return name[len(scope) + 1:] if name.startswith(f"{scope}/") else name


def _within_scope(name: str, scope: str | None) -> str:
    return f"{scope.rstrip('/')}/{name}" if scope else name


def _shape_for(initial_value: Tensor, validate_shape: bool, shape: Any) -> TensorShape:
    """The static shape of a variable that starts with this value."""
    if shape is not None:
        wanted = TensorShape(shape)
        if not wanted.is_compatible_with(initial_value.shape):
            raise ValueError(f"The initial value's shape ({initial_value.shape}) is not compatible with the explicitly "
                             f"supplied `shape` argument ({wanted}).")
        return wanted
    if not validate_shape:
        return TensorShape(None)
    if not initial_value.shape.is_fully_defined():
        raise ValueError(f"initial_value must have a shape specified: {initial_value}")
    return initial_value.shape


# ---- the two kinds

class RefVariable(Variable):
    """A variable whose value other operations reach by reference."""

    def _build(self, initial_value: Any, validate_shape: bool, caching_device: Any, name: str | None, dtype: Any,
               shape: Any) -> None:
        from_function = callable(initial_value)
        with name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            own_name = name_of_scope(scope)
            with placed_as(own_name) if from_function else contextlib.nullcontext():
                self._initial_value = _first_value(initial_value, dtype)
                static = _shape_for(self._initial_value, validate_shape, shape)
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
        find = lambda name: graph.as_graph_element(_within_scope(name, import_scope))
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

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return _result(ops.assign_add(self._variable, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
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


class ResourceVariable(Variable):
    """A variable that is reached through a handle; every use reads the value it has at that time."""

    def _build(self, initial_value: Any, validate_shape: bool, caching_device: Any, name: str | None, dtype: Any,
               shape: Any) -> None:
        from_function = callable(initial_value)
        self._cached: Tensor | None = None
        with name_scope(name, "Variable", [] if from_function else [initial_value]) as scope:
            own_name = name_of_scope(scope)
            with placed_as(own_name):
                with name_scope("Initializer"), self._graph.device(None):
                    first = initial_value() if from_function else initial_value
                    self._initial_value = convert_to_tensor(first, dtype, name="initial_value")
                static = _shape_for(self._initial_value, validate_shape, shape)
                self.handle = ops.var_handle_op(dtype=self._initial_value.dtype.base_dtype, shape=static, shared_name=own_name,
                                                container=self._graph._container, name=scope)
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
                    with self._graph.device(caching_device(self.handle.op) if callable(caching_device) else caching_device):
                        self._cached = basic.identity(self._graph_element)

    def _settle_handle(self) -> None:
        self._dtype, self._static = self.handle.op.attrs["dtype"], self.handle.op.attrs["shape"]

    def _init_from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        if not variable_def.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        graph = self._graph = default_graph()
        find = lambda name: graph.as_graph_element(_within_scope(name, import_scope))
        self.handle, self._initializer_op = find(variable_def.variable_name), find(variable_def.initializer_name)
        self._settle_handle()
        self._initial_value = find(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._cached = None
        if variable_def.snapshot_name:
            self._graph_element = find(variable_def.snapshot_name)
            if self._graph_element.op.type != "ReadVariableOp":
                self._cached = self._graph_element
        else:
            with name_scope("Read"):
                self._graph_element = self._read()
        self._is_initialized_op = next(
            (c.outputs[0] for c in self.handle.consumers() if c.type == "VarIsInitializedOp"), None)
        self._read_common_proto(variable_def)

    def _proto_name(self) -> str:
        return self.handle.name

    def _fill_proto(self, message: Any, inside: Callable[[str], str]) -> None:
        message.is_resource = True
        message.snapshot_name = inside((self._cached if self._cached is not None else self._graph_element).name)

    op = property(lambda self: self.handle.op)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: TensorShape(self._static))
    graph = property(lambda self: self.handle.graph)

    @property
    def _handle(self) -> Tensor:
        return self.handle

    @property
    def create(self) -> Operation:
        """The operation that gives the variable its first value."""
        return self._initializer_op

    def set_shape(self, shape: Any) -> None:
        self._static = TensorShape(self._static).merge_with(TensorShape(shape)).tuple

    def _read(self) -> Tensor:
        value = ops.read_variable_op(self.handle, self._dtype)
        value.set_shape(self._static)
        return value

    def value(self) -> Tensor:
        if self._cached is not None:
            return self._cached
        graph = default_graph()
        with graph.colocate_with(None, ignore_existing=True), graph.device(self.handle.device):
            return self._read()

    def read_value(self) -> Tensor:
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

    def _converted(self, value: Any) -> Tensor:
        tensor = convert_to_tensor(value, self._dtype)
        self.shape.assert_is_compatible_with(tensor.shape)
        return tensor

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return self._updated(ops.assign_variable_op(self.handle, self._converted(value), name=name), read_value)

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return self._updated(ops.assign_add_variable_op(self.handle, self._converted(delta), name=name), read_value)

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return self._updated(ops.assign_sub_variable_op(self.handle, self._converted(delta), name=name), read_value)

    def count_up_to(self, limit: int) -> Tensor:
        return ops.resource_count_up_to(self.handle, limit=limit, T=self._dtype)

    def _scatter(self, kind: str, indices: Any, updates: Any, use_locking: bool, name: str | None) -> Any:
        updates = convert_to_tensor(updates, self._dtype)
        return self._updated(rows.RESOURCE_SCATTERS[kind](self.handle, indices, updates, name=name), read_value=True)

    def _assign_strided(self, begin: Tensor, end: Tensor, strides: Tensor, value: Any, name: str | None,
                        **masks: int) -> Any:
        value = convert_to_tensor(value, self._dtype)
        return self._updated(index.resource_strided_slice_assign(self.handle, begin, end, strides, value, name=name, **masks),
                             read_value=True)

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        with name_scope(name or "Gather") as scope:
            value = rows.resource_gather(self.handle, indices, dtype=self._dtype, name=scope)
        return basic.identity(value)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        with name_scope(name or "GatherNd") as scope:
            value = rows.resource_gather_nd(self.handle, indices, dtype=self._dtype, name=scope)
        return basic.identity(value)


register_tensor_conversion_function(ResourceVariable, ResourceVariable._TensorConversionFunction, priority=50)


class UpdatedVariable(ResourceVariable):
    """A resource variable as it is after an update: whoever reads it waits for the update."""

    def __init__(self, variable: ResourceVariable, update: Operation) -> None:
        self.__dict__.update(variable.__dict__)
        self._cached, self._update = None, update
        with control_dependencies([update]):
            self._graph_element = self._read()

    def value(self) -> Tensor:
        with control_dependencies([self._update]):
            return super().value()

    def read_value(self) -> Tensor:
        with control_dependencies([self._update]):
            return super().read_value()

    def _updated(self, operation: Operation, read_value: bool) -> Any:
        return UpdatedVariable(self, operation) if read_value else operation

    @property
    def op(self) -> Operation:
        """The update itself, so that depending on this object means waiting for it."""
        return self._update

    @property
    def name(self) -> str:
        return f"{self.handle.op.name}:0"
