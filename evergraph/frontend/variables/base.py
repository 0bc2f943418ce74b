"""What all variables have in common: how they are made, and what can be done with them."""
from __future__ import annotations

import contextlib
import enum
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from evergraph import proto
from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import indexing, operators  # noqa: F401 - operators are what variables take over
from evergraph.frontend.blocks import init_scope, root_graph
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.control_flow import cond
from evergraph.frontend.variables.assign import batch_scatter_update
from evergraph.frontend.variables.slices import SaveSliceInfo
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import register_tensor_conversion_function
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Reference, Tensor, session_for
from evergraph.graph.scopes import DefaultStack


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
    return root_graph().scopes.variable_creators


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
        scope = root_graph().scopes.variable_scope
        use_resource = None if scope is None else scope.use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    if root_graph().is_eager:
        use_resource = True
    return Variable._kinds[bool(use_resource)](**kwargs)


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


observers = DefaultStack()
"""Functions that are called with each new variable."""


# ---- the interface

_serials = itertools.count()
"""The numbers of variables in the order of their creation."""


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
    _kinds: dict[bool, type[Variable]] = {}  # whether it is a resource variable -> the class

    def __init_subclass__(cls, resource: bool | None = None) -> None:
        if resource is not None:
            Variable._kinds[resource] = cls

    def __init__(self, initial_value: Any = None, trainable: bool | None = None, collections: Any = None,
                 validate_shape: bool = True, caching_device: Any = None, name: str | None = None,
                 variable_def: Any = None, dtype: Any = None, expected_shape: Any = None,
                 import_scope: str | None = None, constraint: Callable[..., Any] | None = None,
                 use_resource: bool | None = None,
                 synchronization: VariableSynchronization = VariableSynchronization.AUTO,
                 aggregation: VariableAggregation = VariableAggregation.NONE, shape: Any = None) -> None:
        if use_resource is not None and Variable._kinds[use_resource] is not type(self):
            raise ValueError(f"use_resource={use_resource} does not make a {type(self).__name__}")
        self._save_slice_info: Any = None
        self.serial = next(_serials)
        if variable_def is not None:
            if default_graph().is_eager:
                raise ValueError("Creating variables from a `VariableDef` is not supported in EAGER mode.")
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._init_from_proto(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, self._trainable = _settled(synchronization, aggregation, trainable)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if constraint is not None and not callable(constraint):
            raise ValueError(f"constraint must be a function of the variable, got {constraint!r}")
        self._constraint = constraint
        collections = _checked_collections(collections)
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
        with init_scope():
            self._graph = default_graph()
            if not self._graph.is_eager:
                _require_outside(initial_value, self._graph, name)
            self._build(initial_value, validate_shape, caching_device, name, dtype, shape)
            if not self._graph.is_eager:
                add_to_collections(collections, self)
            elif GraphKeys.GLOBAL_STEP in collections:  # the only one that has a meaning then
                add_to_collections([GraphKeys.GLOBAL_STEP], self)
        for observe in observers.items:
            observe(self)

    def _begin(self, trainable: bool) -> None:
        """Settles what a variable has that is made from another one's handle."""
        self._save_slice_info: Any = None
        self.serial = next(_serials)
        self._synchronization, self._aggregation = VariableSynchronization.AUTO, VariableAggregation.NONE
        self._trainable, self._constraint = trainable, None

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

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
        """Adds `delta`; see `assign`."""
        raise NotImplementedError

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None,
                   read_value: bool = True) -> Any:
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
        """The name of the variable, such as "w:0"."""
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
        """The graph that has the variable."""
        return self.op.graph

    @property
    def device(self) -> str:
        """The device that the program asked for."""
        return self.handle.device if self._graph.is_eager else self.op.device  # type: ignore[attr-defined]

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the values."""
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
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
        self._require_graph("initial_value")
        return self._initial_value

    @property
    def initializer(self) -> Operation:
        """The operation that sets the variable to its initial value."""
        return self._initializer_op

    @property
    def trainable(self) -> bool:
        """Whether optimizers change it by default."""
        return self._trainable

    @property
    def constraint(self) -> Callable[..., Any] | None:
        """A function that is applied after each update, or None."""
        return self._constraint

    @property
    def synchronization(self) -> VariableSynchronization:
        """When copies of it are brought together."""
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        """How updates of its copies are combined."""
        return self._aggregation

    def initialized_value(self) -> Tensor:
        """The value, or the initial value while the variable has none."""
        if self.graph.is_eager:
            return self.read_value()
        with init_scope():
            return cond(self._is_set(), self.read_value, lambda: self.initial_value)

    def numpy(self) -> Any:
        """The value as an array, with eager execution.

        Raises:
            NotImplementedError: the variable is in a graph.
        """
        if not self.graph.is_eager:
            raise NotImplementedError("numpy() reads a variable at once, which needs eager execution; Session.run "
                                      "reads those of graphs.")
        return self.read_value().numpy()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if not self.graph.is_eager:
            raise NotImplementedError(f"Cannot convert a variable of a graph ({self.name}) to a numpy array.")
        return self.read_value().__array__(dtype)

    def __bool__(self) -> bool:
        return bool(self.read_value()) if self.graph.is_eager else True

    def __int__(self) -> int:
        return int(self.read_value())

    def __float__(self) -> float:
        return float(self.read_value())

    def _require_graph(self, what: str) -> None:
        """Raises RuntimeError if the variable is in no graph."""
        if self.graph.is_eager:
            raise RuntimeError(f"{what} not supported in EAGER mode.")

    def eval(self, session: Any = None) -> Any:
        """The value in `session`, or in the default session."""
        self._require_graph("eval")
        return self._as_graph_element().eval(session=session)

    def load(self, value: Any, session: Any = None) -> None:
        """Sets the value in `session`, or in the default session, without adding to the graph."""
        if self.graph.is_eager:
            self.assign(value)
            return
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
        self._require_graph("to_proto")
        if export_scope is not None and not self.op.name.startswith(export_scope):
            return None
        inside = lambda name: without_scope(name, export_scope)
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
        return Variable._kinds[variable_def.is_resource](variable_def=variable_def, import_scope=import_scope)

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
        if self.graph.is_eager:
            with self.graph.as_default():  # a trace may be going on
                value = self.read_value()._text(repr) if self._is_set() else "<unprintable>"
            return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={value}>"
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    @classmethod
    def _TensorConversionFunction(cls, v: Variable, dtype: Any = None, name: str | None = None,  # noqa: N802
                                  as_ref: bool = False) -> Any:
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(v.dtype.base_dtype):
            raise ValueError(f"variable {v.name} of dtype {v.dtype.name!r} cannot be read as a tensor of dtype "
                             f"{dtypes.as_dtype(dtype).name!r}")
        return v._ref() if as_ref else v.value()


register_tensor_conversion_function(Variable, Variable._TensorConversionFunction)


def _operator(name: str) -> Callable[..., Any]:
    def apply(self: Variable, *args: Any) -> Any:
        return getattr(Tensor, name)(self._AsTensor(), *args)
    apply.__name__ = name
    return apply


for _name in Tensor.OVERLOADABLE_OPERATORS - {"__getitem__"}:
    setattr(Variable, _name, _operator(_name))


def _require_outside(initial_value: Any, graph: Graph, name: str | None) -> None:
    """Raises ValueError for a value made in a loop or branch: a variable belongs to the graph around those."""
    inner = getattr(initial_value, "graph", graph) if isinstance(initial_value, Tensor) else graph
    if inner is not graph and isinstance(inner, FuncGraph):
        raise ValueError(f"The initial value of variable '{name or 'Variable'}' is made inside a loop or a conditional,"
                         f" by '{initial_value.op.name}'. A function makes it outside: tf.Variable(lambda: ...)")


def _settled(synchronization: Any, aggregation: Any, trainable: bool | None) -> tuple[Any, Any, bool]:
    """The three with their defaults filled in; raises ValueError for one that is none."""
    aggregation = VariableAggregation.NONE if aggregation is None else aggregation
    if not isinstance(aggregation, VariableAggregation):
        raise ValueError(f"Invalid variable aggregation mode: {aggregation}")
    synchronization = VariableSynchronization.AUTO if synchronization is None else synchronization
    if not isinstance(synchronization, VariableSynchronization):
        raise ValueError(f"Invalid variable synchronization mode: {synchronization}")
    if trainable is None:
        trainable = synchronization is not VariableSynchronization.ON_READ
    return synchronization, aggregation, trainable


def _checked_collections(collections: Any) -> list[Any]:
    if collections is None:
        return [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError(f"collections must be a list, tuple or set of names, got {collections!r}")
    return list(collections)


def without_scope(name: str, scope: str | None) -> str:
    if not scope:
        return name
    scope = scope.rstrip("/")
    return name[len(scope) + 1:] if name.startswith(f"{scope}/") else name


def within_scope(name: str, scope: str | None) -> str:
    return f"{scope.rstrip('/')}/{name}" if scope else name


def shape_for(initial_value: Tensor, validate_shape: bool, shape: Any) -> TensorShape:
    """The static shape of a variable that starts with this value."""
    if shape is not None:
        wanted = TensorShape(shape)
        if not wanted.is_compatible_with(initial_value.shape):
            raise ValueError(f"initial value of shape {initial_value.shape} is not compatible with `shape`, {wanted}")
        return wanted
    if not validate_shape:
        return TensorShape(None)
    if not initial_value.shape.is_fully_defined():
        raise ValueError(f"initial_value needs a fully defined static shape, got {initial_value}")
    return initial_value.shape
