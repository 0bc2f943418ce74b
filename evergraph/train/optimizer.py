"""The base of all optimizers: gradients of a loss, slots beside variables, and the operation that updates them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend import array, math, replicas
from evergraph.frontend.blocks import colocate_with, control_dependencies, init_scope, name_scope
from evergraph.frontend.collections import GraphKeys, get_collection, get_collection_ref, trainable_variables
from evergraph.frontend.control_flow import group
from evergraph.frontend.gradients import gradients
from evergraph.frontend.recording import Recording
from evergraph.frontend.variables.deferred import waiting
from evergraph.frontend.variables.variable import ResourceVariable, Variable
from evergraph.graph.composite import IndexedSlices, convert_to_tensor_or_indexed_slices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.differentiate import gated
from evergraph.graph.function import FuncGraph
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays.search import unique
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.nn.updates import Rule
from evergraph.ops.state.variable_rows import RESOURCE_SCATTERS
from evergraph.ops.state.variables import assign_add, assign_add_variable_op
from evergraph.train import slots


@export("train.Optimizer")
class Optimizer:
    """The base class of optimizers, which compute gradients of a loss and update variables by them.

    >>> w = tf.Variable(3.0)
    >>> train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w)

    A subclass defines `_apply_dense` and `_apply_sparse` (for ref variables), `_resource_apply_dense` and
    `_resource_apply_sparse` (for resource variables), and where it needs them `_create_slots`, `_prepare`, `_finish`.
    One whose updates are the ops of a rule, as are all of tf.train, sets `rule` instead, names the slots in the rule's
    order, and gives the hyperparameters by input name.

    Args:
        use_locking: has no effect on the updates; it is an attr of the update operations in the GraphDef.
        name: the name scope of the update operations and the name of the slot variables.

    Raises:
        ValueError: `name` is empty.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    # Not a class between this one and its subclasses: programs ask whether `__base__` of these is tf.train.Optimizer.
    rule: Rule | None = None
    slot_names: tuple[str, ...] = ()

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._slots: dict[str, dict[Any, Any]] = {}
        self._non_slot_dict: dict[Any, Any] = {}

    def get_name(self) -> str:
        """The name that the optimizer was given."""
        return self._name

    def minimize(self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = GATE_OP,
                 aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
                 grad_loss: Any = None) -> Operation:
        """Computes the gradients of `loss` and applies them: `compute_gradients`, then `apply_gradients`.

        Args:
            loss: the tensor to minimize; with eager execution a function without arguments that computes it.
            global_step: a variable that every update increments by one.
            var_list: the variables to update; by default the collection of trainable variables.
            gate_gradients: GATE_NONE lets every gradient be applied as soon as it is computed, GATE_OP waits for all
                gradients of one operation, GATE_GRAPH for all gradients of the loss.
            aggregation_method: a tf.AggregationMethod, which says how gradients of one tensor are summed.
            colocate_gradients_with_ops: places gradient operations on the devices of the operations they belong to.
            name: the name of the returned operation.
            grad_loss: the gradient with respect to `loss`, from which the others are computed; by default 1.

        Returns:
            An operation that updates the variables, and `global_step` after them; None with eager execution.

        Raises:
            ValueError: no variable has a gradient.
        """
        # By keyword, because subclasses of programs override it with fewer arguments and **kwargs.
        pairs = self.compute_gradients(loss, var_list=var_list, gate_gradients=gate_gradients,
                                       aggregation_method=aggregation_method,
                                       colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss)
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(f"No gradients provided for any variable: {loss} does not depend, through ops that have a "
                             f"gradient, on any of {[str(v) for _, v in pairs]}")
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(self, loss: Any, var_list: Any = None, gate_gradients: int = GATE_OP,
                          aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
                          grad_loss: Any = None) -> list[tuple[Any, Any]]:
        """Computes the gradients of `loss`; the first half of `minimize`, with the same arguments.

        Returns:
            A list of (gradient, variable) pairs. The gradient is a tensor, IndexedSlices, or None for a variable that
            `loss` does not depend on.

        Raises:
            ValueError: `loss` or a variable is not of a floating dtype, or there are no variables.
            NotImplementedError: `var_list` contains something else than variables and tensors.
        """
        if default_graph().is_eager and not callable(loss):
            raise RuntimeError(f"eager compute_gradients differentiates a call: loss must be a function, got {loss!r}")
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(f"gate_gradients must be GATE_NONE, GATE_OP or GATE_GRAPH of Optimizer, got "
                             f"{gate_gradients}")
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if default_graph().is_eager:
            return self._gradients_at_once(loss, var_list, grad_loss)
        loss = _share_of(loss() if callable(loss) else loss)
        self._assert_valid_dtypes([loss])
        variables = self._to_optimize(var_list)
        targets = [v if isinstance(v, (ResourceVariable, Tensor)) else v._ref() for v in variables]
        found = gradients(loss, targets, grad_ys=grad_loss, gate_gradients=gate_gradients == Optimizer.GATE_OP,
                          aggregation_method=aggregation_method,
                          colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gate_gradients == Optimizer.GATE_GRAPH:
            found = gated(found)
        pairs = list(zip(found, variables))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None and v.dtype is not dtypes.resource])
        return pairs

    def _gradients_at_once(self, loss: Callable[[], Any], var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
        """The gradients of a loss that is computed now, by the variables given or else by those that it reads."""
        recording = Recording()
        with recording.recorded():
            if var_list is not None:
                for item in nest.flatten(var_list):
                    (recording.watch if isinstance(item, Tensor) else recording.watch_variable)(item)
            value = _share_of(convert_to_tensor(loss()))
        self._assert_valid_dtypes([value])
        variables = self._to_optimize(recording.variables if var_list is None else var_list)
        given = None if grad_loss is None else [convert_to_tensor(grad_loss)]
        sources = [v if isinstance(v, Tensor) else v.handle for v in variables]
        return list(zip(recording.gradients([value], sources, given), variables))

    def _to_optimize(self, var_list: Any) -> list[Any]:
        if var_list is None:
            found = trainable_variables() + get_collection(GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        else:
            found = [part for v in nest.flatten(var_list) for part in (v if hasattr(v, "_get_variable_list") else (v,))]
        if not found:
            raise ValueError("No variables to optimize.")
        for v in found:
            if not isinstance(v, (Variable, Tensor)):
                raise NotImplementedError(f"Trying to optimize unsupported type {v!r}")
        return found

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None,
                        name: str | None = None) -> Operation:
        """Applies gradients to variables; the second half of `minimize`.

        Args:
            grads_and_vars: (gradient, variable) pairs, as `compute_gradients` returns them; pairs without a gradient
                are skipped.
            global_step: a variable that is incremented by one after the updates.
            name: the name of the returned operation.

        Returns:
            An operation that applies all gradients; None with eager execution, where it has run.

        Raises:
            TypeError: a gradient is no tensor.
            ValueError: no variable has a gradient.
        """
        pairs = list(grads_and_vars)
        if replicas.distributed():
            return self._apply_for_all(pairs, global_step, name)
        pairs = [(_as_gradient(g), v) for g, v in pairs]
        changed = _with_gradient(pairs)
        with init_scope():
            self._create_slots(changed)
            if waiting:
                waiting.settle()
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = [self._update(g, v) for g, v in pairs if g is not None]
            done = self._finish(updates, scope) if global_step is None else self._counted(updates, global_step, scope)
        operation = done.source if isinstance(done, Tensor) else done
        if default_graph().is_eager:
            return None
        recorded = get_collection_ref(GraphKeys.TRAIN_OP)
        if operation not in recorded:
            recorded.append(operation)
        return operation

    def _apply_for_all(self, pairs: list[tuple[Any, Any]], global_step: Any, name: str | None) -> Any:
        """Applies the sums of the replicas' gradients, to the copy of each variable on each device.

        Raises:
            RuntimeError: it is called for all replicas, which have no gradients.
        """
        if replicas.current().replica is None:  # type: ignore[union-attr]
            raise RuntimeError("gradients are those of one replica: apply_gradients belongs in a replica context, the "
                               "function that strategy.experimental_run_v2 calls for each of them")
        _with_gradient(pairs)
        variables = [replicas.whole(variable) for _, variable in pairs]
        return replicas.merged(self._apply_sums, [gradient for gradient, _ in pairs], variables, global_step, name)

    def _apply_sums(self, strategy: Any, gradients: list[Any], variables: list[Any], global_step: Any,
                    name: str | None) -> Any:
        extended = strategy.extended
        given = [(g, v) for g, v in zip(gradients, variables) if g is not None]
        sums = extended.batch_reduce_to("SUM", given)
        with init_scope():
            self._create_slots([v for _, v in given])
            if waiting:
                waiting.settle()
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = [each for (_, variable), gradient in zip(given, sums)
                       for each in extended.update(variable, lambda v, g: self._update(_as_gradient(g), v), (gradient,),
                                                   group=False)]
            finish = lambda done: self._finish([*done], "update")
            done = extended.update_non_slot(extended.non_slot_devices(variables), finish, (updates,), group=False)
            if global_step is not None:
                with control_dependencies([] if default_graph().is_eager else done):
                    done = extended.update(global_step, lambda v: v.assign_add(1, read_value=False), group=False)
            if default_graph().is_eager:
                return None
            operation = group(*done, name=scope)
        recorded = get_collection_ref(GraphKeys.TRAIN_OP)
        if operation not in recorded:
            recorded.append(operation)
        return operation

    def _counted(self, updates: list[Any], global_step: Any, scope: str) -> Any:
        """Adds one to the global step when the updates are done."""
        with control_dependencies([self._finish(updates, "update")]), colocate_with(global_step.op):
            if isinstance(global_step, ResourceVariable):
                return assign_add_variable_op(global_step.handle, convert_to_tensor(1, global_step.dtype), name=scope)
            return assign_add(global_step, 1, name=scope)

    def _update(self, gradient: Any, variable: Any) -> Any:
        """Changes one variable, in a name scope of its own."""
        if isinstance(variable, Tensor):
            raise NotImplementedError(f"Trying to update a Tensor {variable}")
        with name_scope(f"update_{variable.op.name}"), colocate_with(variable.op):
            resource = isinstance(variable, ResourceVariable)
            if isinstance(gradient, IndexedSlices):
                if variable.constraint is not None:
                    raise RuntimeError("a variable with a constraint cannot be updated by rows")
                if resource:
                    return self._resource_apply_sparse_duplicate_indices(gradient.values, variable, gradient.indices)
                return self._apply_sparse_duplicate_indices(gradient, variable)
            apply = self._resource_apply_dense if resource else self._apply_dense
            update = apply(gradient, variable)
            if variable.constraint is None:
                return update
            with control_dependencies([update]):
                return variable.assign(variable.constraint(variable))

    # ---- slots and other variables of the optimizer

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot variable called `name` of variable `var`, such as Adam's "m"; None if there is none."""
        return self._slots.get(name, {}).get(slot_key(var))

    def get_slot_names(self) -> list[str]:
        """The names of the slot variables that this optimizer has created, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """The variables of the optimizer's own state in the default graph: slots and counters, sorted by name."""
        graph = _outermost(default_graph())
        own = [*self._non_slot_dict.values(), *(s for named in self._slots.values() for s in named.values())]
        return sorted((v for v in own if v.op.graph is graph), key=lambda v: v.name)

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """A variable that belongs to the optimizer as a whole; made once a graph."""
        key = (name, colocate_with.graph)
        if key not in self._non_slot_dict:
            with default_graph().colocate_with(colocate_with.op):
                self._non_slot_dict[key] = Variable(initial_value, name=name, trainable=False,
                                                    use_resource=isinstance(colocate_with, ResourceVariable))
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        return self._non_slot_dict.get((name, _outermost(graph)))

    def _non_slot_variables(self) -> Any:
        return self._non_slot_dict.values()

    def _checkpoint_children(self) -> dict[str, Any]:
        """What tf.train.Checkpoint finds below an optimizer; it asks for the slots by `get_slot`."""
        graph = default_graph()
        own = sorted((name, variable) for (name, home), variable in self._non_slot_dict.items() if home is graph)
        return dict(own)

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _slot(self, var: Any, slot_name: str, make: Callable[[], Any]) -> Any:
        named = self._slot_dict(slot_name)
        if slot_key(var) not in named:
            named[slot_key(var)] = make()
        return named[slot_key(var)]

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        """The slot, made to start with the tensor `val`."""
        return self._slot(var, slot_name, lambda: slots.create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str,
                                           op_name: str) -> Any:
        """The slot, made with an initializer."""
        return self._slot(var, slot_name,
                          lambda: slots.create_slot_with_initializer(var, initializer, shape, dtype, op_name))

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot, made to start with zeros."""
        return self._slot(var, slot_name, lambda: slots.create_zeros_slot(var, op_name))

    # ---- what subclasses define

    def _valid_dtypes(self) -> set[dtypes.DType]:
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: Sequence[Any]) -> None:
        valid = self._valid_dtypes()
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                raise ValueError(f"Invalid type {t.dtype.base_dtype!r} for {t}, expected: "
                                 f"{sorted(v.name for v in valid)}.")

    def _create_slots(self, var_list: list[Any]) -> None:
        """Makes the slots of these variables."""

    def _prepare(self) -> None:
        """Makes the tensors that all updates use."""

    def _finish(self, update_ops: list[Any], name_scope: str) -> Any:
        """What is done when all updates are."""
        return group(*update_ops, name=name_scope)

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._apply_rule("dense", var, grad)

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._apply_rule("resource_dense", var, grad)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        """Applies a gradient whose indices are all different."""
        return self._apply_rule("sparse", var, grad.values, grad.indices)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Any:
        """Applies a gradient whose indices are all different."""
        return self._apply_rule("resource_sparse", var, grad, indices)

    def _hyperparameters(self, var: Any) -> dict[str, Any]:
        """The other inputs of the rule by name, in order; tensors are cast to the variable's dtype."""
        raise NotImplementedError

    def _flags(self) -> dict[str, bool]:
        """The attrs of the rule's ops, apart from use_locking."""
        return {}

    def _apply_rule(self, form: str, var: Any, grad: Tensor, indices: Tensor | None = None) -> Operation:
        if self.rule is None:
            raise NotImplementedError
        operation = getattr(self.rule, form)
        resource = form.startswith("resource")
        cells = [var, *(self.get_slot(var, name) for name in self.slot_names)]
        cells = [c.handle if resource else c for c in cells]
        dtype = var.dtype.base_dtype
        rates = {name: value if name == "global_step" else math.cast(value, dtype)
                 for name, value in self._hyperparameters(var).items()}
        gradient = "delta" if any(name == "delta" for name, _ in operation.parameters) else "grad"
        rows = {} if indices is None else {"indices": indices}
        done = operation(*cells, **rates, **{gradient: grad}, **rows, use_locking=self._use_locking, **self._flags())
        return done if resource else done.op

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """Applies a gradient that may name rows more than once; by default their values are added up first."""
        values, indices = added_up(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, var: Any, indices: Tensor) -> Any:
        """Applies a gradient that may name rows more than once; by default their values are added up first."""
        values, indices = added_up(grad, indices)
        return self._resource_apply_sparse(values, var, indices)

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Tensor:
        """Adds rows to a resource variable and gives its new value."""
        with control_dependencies([RESOURCE_SCATTERS["add"](x.handle, i, v)]):
            return x.value()

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param


def added_up(values: Tensor, indices: Tensor) -> tuple[Tensor, Tensor]:
    """The rows with those of equal index added up, and the indices that are left."""
    distinct, places = unique(indices)
    return unsorted_segment_sum(values, places, array.shape(distinct)[0]), distinct


def _outermost(graph: Any) -> Any:
    """The graph that variables live in, also for what is built inside a branch or loop."""
    return graph.root if isinstance(graph, FuncGraph) else graph


def slot_key(var: Any) -> Any:
    """What tells a variable from others: its name in its graph, but its handle where names are not unique."""
    var = getattr(replicas.whole(var), "primary", var)  # the copies of a variable have one slot, with copies too
    return var.handle if var.graph.is_eager else (var.op.graph, var.op.name)


def _share_of(loss: Any) -> Any:
    """The loss of a replica as a part of that of all, where losses are means over their batches."""
    if not replicas.scales_loss():
        return loss
    count = replicas.current().strategy.num_replicas_in_sync  # type: ignore[union-attr]
    return loss if count == 1 else loss * convert_to_tensor(1.0 / count, loss.dtype)


def _with_gradient(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """The variables that have a gradient.

    Raises:
        ValueError: there is none.
    """
    if not pairs:
        raise ValueError("No variables provided.")
    found = [v for g, v in pairs if g is not None]
    if not found:
        raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
    return found


def _as_gradient(gradient: Any) -> Any:
    if gradient is None:
        return None
    try:
        found = convert_to_tensor_or_indexed_slices(gradient)
    except TypeError:
        found = None
    if not isinstance(found, (Tensor, IndexedSlices)):
        raise TypeError(f"a gradient is a tensor, IndexedSlices or None, got {gradient}")
    return found
