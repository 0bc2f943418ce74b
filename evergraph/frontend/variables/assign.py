"""Functions that change variables, initialize them, and ask whether they are initialized."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, indexing
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import global_variables, local_variables
from evergraph.frontend.control_flow import group
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math.elementwise import logical_not
from evergraph.ops.state import variable_rows as rows
from evergraph.ops.state import variables as ops


def _is_ref(ref: Any) -> bool:
    return ref.dtype.is_ref


@export("assign")
def assign(ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None,
           name: str | None = None) -> Any:
    """Assigns a value to a variable when the returned tensor or operation runs.

    Args:
        ref: a variable, or a reference tensor.
        value: the new value.
        validate_shape: False lets the value have another shape than the variable.
        use_locking: has no meaning here: updates never tear.
        name: of the new operation.

    Returns:
        The variable after the update.
    """
    if _is_ref(ref):
        return ops.assign(ref, value, validate_shape=validate_shape, use_locking=use_locking, name=name)
    return ref.assign(value, name=name)


@export("assign_add")
def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Adds to a variable when the returned tensor or operation runs: ref += value.

    Args:
        ref, value, use_locking, name: as for `tf.assign`.
    """
    if _is_ref(ref):
        return ops.assign_add(ref, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@export("assign_sub")
def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtracts from a variable when the returned tensor or operation runs: ref -= value.

    Args:
        ref, value, use_locking, name: as for `tf.assign`.
    """
    if _is_ref(ref):
        return ops.assign_sub(ref, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


@export("count_up_to")
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Increments a variable and returns its value from before; at `limit` the run raises OutOfRangeError.

    Args:
        ref: an int32 or int64 scalar variable.
        limit: the first value that is not returned.
        name: of the operation.
    """
    if _is_ref(ref):
        return ops.count_up_to(ref, limit=limit, name=name)
    return ops.resource_count_up_to(ref.handle, limit=limit, T=ref.dtype, name=name)


# ---- initializing

@export("variables_initializer", "initializers.variables", "initialize_variables")
def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Operation:
    """Returns an operation that gives variables their initial values.

    Args:
        var_list: the variables; those created later are not among them.
        name: of the operation.
    """
    return group(*(v.initializer for v in var_list), name=name)


@export("global_variables_initializer", "initializers.global_variables", "initialize_all_variables")
def global_variables_initializer() -> Operation:
    """Returns an operation that initializes all global variables created so far; run it once before training.

    >>> with tf.Session() as session:
    ...     session.run(tf.global_variables_initializer())
    """
    return variables_initializer(global_variables())


@export("local_variables_initializer", "initializers.local_variables", "initialize_local_variables")
def local_variables_initializer() -> Operation:
    """Returns an operation that initializes all local variables created so far, such as the counters of metrics."""
    return variables_initializer(local_variables())


@export("is_variable_initialized")
def is_variable_initialized(variable: Any) -> Tensor:
    """Whether the variable has a value."""
    if _is_ref(variable):
        return ops.is_variable_initialized(variable)
    return variable.is_initialized()


class Report(NamedTuple):
    """What a report on uninitialized variables consists of.

    Attributes:
        rewirings: the number of changes of the graph until it was made.
        names: of the variables.
        have: for each, the tensor that says whether it has a value.
    """

    rewirings: int
    names: list[str]
    have: list[Tensor]


class Reports(dict[Tensor, Report]):
    """The reports of a graph. A session, which knows what it stores, can answer them without a run."""

    def add(self, graph: Graph, tensor: Tensor, names: list[str], have: list[Tensor]) -> None:
        """Adds a report, unless it waits for other operations or asks more than whether variables are set."""
        if graph.is_eager or graph.scopes.control:
            return
        if all(each.op.opdef in (ops.is_variable_initialized, ops.var_is_initialized_op) for each in have):
            self[tensor] = Report(graph._rewirings, names, have)

    def find(self, graph: Graph, tensor: Any) -> Report | None:
        """The report that a tensor is, if the graph is still as it was."""
        report = self.get(tensor) if isinstance(tensor, Tensor) else None
        return report if report is not None and report.rewirings == graph._rewirings else None


@export("report_uninitialized_variables")
def report_uninitialized_variables(var_list: Sequence[Any] | None = None,
                                   name: str = "report_uninitialized_variables") -> Tensor:
    """Returns the names of the variables that have no value yet, as a 1-D string tensor.

    Args:
        var_list: the variables to look at; by default the global and local ones.
        name: of the operations.
    """
    variables = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    graph = default_graph()
    with name_scope(name):
        have = [is_variable_initialized(v) for v in variables]
        with graph.device("/cpu:0"):
            if not variables:
                return convert_to_tensor([], dtypes.string)
            missing = logical_not(array.stack(have))
            names = [v.op.name for v in variables]
            report = indexing.boolean_mask(convert_to_tensor(names), missing)
    graph.memo(Reports).add(graph, report, names, have)
    return report


@export("assert_variables_initialized")
def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Tensor | None:
    """A tensor that cannot be computed while one of the variables has no value.

    Args:
        var_list: the variables to look at; by default the global and local ones. None when there are none.
    """
    variables = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    if not variables:
        return None
    ranks = []
    for variable in variables:
        with default_graph().colocate_with(variable.op):
            ranks.append(basic.rank(variable))
    return ranks[0] if len(ranks) == 1 else array.stack(ranks)


# ---- rows and places

_ROWS = "which rows; a row may occur more than once."
_PLACES = "which places, by the vectors in its last dimension; a place may occur more than once."


def _scatter(kind: str, summary: str, locking: bool = False) -> Any:
    """A public scatter function: for a ref variable the op itself, for a resource variable its method."""
    def function(ref: Any, indices: Any, updates: Any, use_locking: bool = locking, name: str | None = None) -> Any:
        if _is_ref(ref):
            return rows.REF_SCATTERS[kind](ref, indices, updates, use_locking=use_locking, name=name)
        return ref._scatter(kind, indices, updates, use_locking, name)
    function.__name__ = function.__qualname__ = f"scatter_{kind}"
    function.__doc__ = f"""{summary}

    Args:
        ref: a variable, or a reference tensor.
        indices: {_PLACES if kind.startswith("nd_") else _ROWS}
        updates: what to use there.
        use_locking: has no meaning here: updates never tear.
        name: of the new operation.

    Returns:
        The variable after the update.
    """
    return function


scatter_update = export("scatter_update")(_scatter("update", "Assigns rows of a variable.", True))
scatter_add = export("scatter_add")(_scatter("add", "Adds to rows of a variable."))
scatter_sub = export("scatter_sub")(_scatter("sub", "Subtracts from rows of a variable."))
scatter_mul = export("scatter_mul")(_scatter("mul", "Multiplies rows of a variable."))
scatter_div = export("scatter_div")(_scatter("div", "Divides rows of a variable."))
scatter_min = export("scatter_min")(_scatter("min", "Keeps the smaller of rows of a variable and the updates."))
scatter_max = export("scatter_max")(_scatter("max", "Keeps the larger of rows of a variable and the updates."))
scatter_nd_update = export("scatter_nd_update")(_scatter("nd_update", "Assigns places of a variable.", True))
scatter_nd_add = export("scatter_nd_add")(_scatter("nd_add", "Adds to places of a variable."))
scatter_nd_sub = export("scatter_nd_sub")(_scatter("nd_sub", "Subtracts from places of a variable."))


@export("batch_scatter_update")
def batch_scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True,
                         name: str | None = None) -> Any:
    """Assigns rows of each batch entry of a variable.

    Args:
        ref: a variable whose first dimensions are the batch.
        indices: of shape batch + [n]: which rows of each entry.
        updates: of shape batch + [n] + the shape of a row.
        use_locking: has no meaning here: updates never tear.
        name: of the new operation.

    Returns:
        The variable after the update.
    """
    with name_scope(name):
        indices = convert_to_tensor(indices, name="indices")
        sizes, rank = array.shape(indices, out_type=indices.dtype), indices.shape.ndims
        rows_at = array.expand_dims(indices, -1)
        places = [_counted(sizes, axis, rank) * array.ones_like(rows_at) for axis in range(rank - 1)]
        return scatter_nd_update(ref, array.concat([*places, rows_at], -1), updates, use_locking=use_locking)


def _counted(sizes: Tensor, axis: int, rank: int) -> Tensor:
    """The numbers along one axis of the batch, in a shape that broadcasts over the others."""
    size = sizes[axis]
    with name_scope("Range") as scope:
        first, step = array.constant(0, size.dtype, name="start"), array.constant(1, size.dtype, name="delta")
        numbers = basic.range_(first, size, step, name=scope)
    return array.reshape(numbers, [1] * axis + [size] + [1] * (rank - axis))
