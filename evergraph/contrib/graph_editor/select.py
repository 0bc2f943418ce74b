"""Selects operations and tensors of a graph: by names, and by walks along its edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from evergraph.base.export import export, names_in
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor

_names = names_in("contrib.graph_editor", "contrib.graph_editor.select")
_of_util = names_in("contrib.graph_editor", "contrib.graph_editor.util")


@export(*_of_util("make_list_of_op"))
def make_list_of_op(ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False) -> list[Any]:
    """Operations as a list.

    Args:
        ops: an operation, several, or a graph.
        check_graph: whether all must be of one graph.
        allow_graph: whether a graph stands for all its operations.
        ignore_ts: whether tensors are left out rather than an error.

    Raises:
        TypeError: something is no operation.
        ValueError: they are of several graphs.
    """
    if isinstance(ops, Graph) and allow_graph:
        return ops.get_operations()
    return _listed(ops, Operation, Tensor if ignore_ts else (), check_graph)


@export(*_of_util("make_list_of_t"))
def make_list_of_t(ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False) -> list[Any]:
    """Tensors as a list; see `make_list_of_op`."""
    if isinstance(ts, Graph) and allow_graph:
        return get_tensors(ts)
    return _listed(ts, Tensor, Operation if ignore_ops else (), check_graph)


def _listed(things: Any, kind: type, ignored: Any, check_graph: bool) -> list[Any]:
    listed = list(things) if isinstance(things, Iterable) and not isinstance(things, (Tensor, str)) else [things]
    kept = [thing for thing in listed if not (ignored and isinstance(thing, ignored))]
    for thing in kept:
        if not isinstance(thing, kind):
            raise TypeError(f"a tf.{kind.__name__} is expected, not {thing!r}")
    if check_graph and len({id(thing.graph) for thing in kept}) > 1:
        raise ValueError("operations and tensors must be of one graph")
    return kept


@export(*_of_util("get_tensors"))
def get_tensors(graph: Graph) -> list[Tensor]:
    """All tensors of a graph."""
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


@export(*_of_util("get_generating_ops"))
def get_generating_ops(ts: Any) -> list[Operation]:
    """The operations that compute tensors, one for each."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


@export(*_of_util("get_consuming_ops"))
def get_consuming_ops(ts: Any) -> list[Operation]:
    """The operations that use tensors, each once."""
    return _unique(op for tensor in make_list_of_t(ts, allow_graph=False) for op in tensor.consumers())


@export(*_of_util("ControlOutputs"))
class ControlOutputs:
    """The operations that wait for each operation of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    graph = property(lambda self: self._graph)

    def get(self, op: Operation) -> list[Operation]:
        """Those that wait for an operation."""
        return list(op._control_outputs)

    def get_all(self) -> dict[Operation, list[Operation]]:
        """All that are waited for, with those that wait."""
        return {op: self.get(op) for op in self._graph.get_operations() if op._control_outputs}

    def update(self) -> ControlOutputs:
        """Itself: the graph is looked at when asked."""
        return self


# ---- edges of operations


def get_input_ts(ops: Any) -> list[Tensor]:
    """The inputs of operations, each once."""
    return _unique(tensor for op in make_list_of_op(ops) for tensor in op.inputs)


def get_output_ts(ops: Any) -> list[Tensor]:
    """The outputs of operations."""
    return [tensor for op in make_list_of_op(ops) for tensor in op.outputs]


@export(*_names("check_cios"))
def check_cios(control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
               control_ios: ControlOutputs | None = None) -> tuple[bool, ControlOutputs | None]:
    """(whether control inputs count, the control outputs that do): `control_ios` stands for both.

    Args:
        control_inputs: whether control inputs count.
        control_outputs: a ControlOutputs, or None.
        control_ios: a ControlOutputs; control inputs count then.

    Raises:
        TypeError: `control_ios` is no ControlOutputs.
        ValueError: it is given beside one of the others.
    """
    if control_ios is None:
        return control_inputs, control_outputs
    if not isinstance(control_ios, ControlOutputs):
        raise TypeError(f"control_ios has to be a ControlOutputs, got {control_ios!r}")
    if control_inputs or control_outputs is not None:
        raise ValueError("control_ios stands for control_inputs and control_outputs: give only one")
    return True, control_ios


@export(*_names("get_ops_ios"))
def get_ops_ios(ops: Any, control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
                control_ios: ControlOutputs | None = None) -> list[Operation]:
    """The operations at the other ends of the edges of operations.

    Args:
        ops: operations.
        control_inputs: whether those count that they wait for.
        control_outputs: those count that wait for them, where given.
        control_ios: a ControlOutputs in place of both.
    """
    waits, waited = check_cios(control_inputs, control_outputs, control_ios)
    return _unique(other for op in make_list_of_op(ops) for other in _neighbours(op, waits, waited))


def _neighbours(op: Operation, waits: bool, waited: ControlOutputs | None) -> Iterator[Operation]:
    yield from (tensor.op for tensor in op.inputs)
    if waits:
        yield from op.control_inputs
    yield from (user for tensor in op.outputs for user in tensor.consumers())
    if waited is not None:
        yield from waited.get(op)


@export(*_names("compute_boundary_ts"))
def compute_boundary_ts(ops: Any) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """(tensors that enter operations, those that leave them, those between them).

    A tensor that is used inside and outside is in the last two.
    """
    listed = make_list_of_op(ops)
    inside = set(listed)
    made = get_output_ts(listed)
    entering = [tensor for tensor in get_input_ts(listed) if tensor.op not in inside]
    leaving = [tensor for tensor in made if not tensor.consumers()
               or any(user not in inside for user in tensor.consumers())]
    return entering, leaving, [tensor for tensor in made if any(user in inside for user in tensor.consumers())]


@export(*_names("get_within_boundary_ops"))
def get_within_boundary_ops(ops: Any, seed_ops: Any, boundary_ops: Any = (), inclusive: bool = True,
                            control_inputs: bool = False, control_outputs: ControlOutputs | None = None,
                            control_ios: ControlOutputs | None = None) -> list[Operation]:
    """The operations that are connected with others, in either direction, up to a boundary.

    Args:
        ops: the operations to stay in.
        seed_ops: where to begin.
        boundary_ops: operations that are not passed.
        inclusive: whether those of them that were reached count.
        control_inputs, control_outputs, control_ios: see `get_ops_ios`.
    """
    waits, waited = check_cios(control_inputs, control_outputs, control_ios)
    allowed, boundary = set(make_list_of_op(ops)), set(make_list_of_op(boundary_ops))
    found = dict.fromkeys(make_list_of_op(seed_ops))
    wave = [op for op in found if op not in boundary]
    while wave:
        reached = _unique(other for op in wave for other in _neighbours(op, waits, waited))
        new = [op for op in reached if op in allowed and op not in found]
        found.update(dict.fromkeys(new))
        wave = [op for op in new if op not in boundary]
    return [op for op in found if inclusive or op not in boundary]


# ---- filters


@export(*_names("can_be_regex"))
def can_be_regex(obj: Any) -> bool:
    """Whether something is a pattern: a text or a compiled one."""
    return isinstance(obj, (str, re.Pattern))


@export(*_names("make_regex"))
def make_regex(obj: Any) -> re.Pattern[str]:
    """A compiled pattern.

    Raises:
        ValueError: something else is given.
    """
    if not can_be_regex(obj):
        raise ValueError(f"a pattern is a text or a compiled one, got {obj!r}")
    return re.compile(obj)


def _as_condition(wanted: Any) -> Callable[[Any], Any]:
    if wanted is True:
        return lambda thing: True
    if isinstance(wanted, (str, re.Pattern)):
        pattern = re.compile(wanted)
        return lambda thing: pattern.search(thing.name)
    return wanted


@export(*_names("filter_ts"))
def filter_ts(ops: Any, positive_filter: Any) -> list[Tensor]:
    """The inputs and outputs of operations for which a function holds; True keeps all."""
    keep = _as_condition(positive_filter)
    found = (t for op in make_list_of_op(ops) for t in (*op.inputs, *op.outputs))
    return [tensor for tensor in _unique(found) if keep(tensor)]


@export(*_names("filter_ts_from_regex"))
def filter_ts_from_regex(ops: Any, regex: Any) -> list[Tensor]:
    """The inputs and outputs of operations whose names a pattern is found in."""
    return filter_ts(ops, re.compile(regex))


@export(*_names("filter_ops"))
def filter_ops(ops: Any, positive_filter: Any) -> list[Operation]:
    """The operations for which a function holds; True keeps all."""
    keep = _as_condition(positive_filter)
    return [op for op in make_list_of_op(ops) if keep(op)]


@export(*_names("filter_ops_from_regex"))
def filter_ops_from_regex(ops: Any, regex: Any) -> list[Operation]:
    """The operations in whose names a pattern is found."""
    return filter_ops(ops, re.compile(regex))


@export(*_names("get_name_scope_ops"))
def get_name_scope_ops(ops: Any, scope: str) -> list[Operation]:
    """The operations in a name scope."""
    scope = scope.rstrip("/")
    return filter_ops_from_regex(ops, rf"^{re.escape(scope)}(/.*)?$") if scope else make_list_of_op(ops)


@export(*_names("select_ops"))
def select_ops(*args: Any, **kwargs: Any) -> list[Operation]:
    """Operations that are given, or in whose names a pattern is found.

    Args:
        args: operations, lists of them, or patterns; tensors are left out. A pattern that begins with "(?#ts)" is of
            tensors.
        kwargs: `graph`, which patterns need; `positive_filter`, a condition; `restrict_ops_regex`, whether only
            patterns that begin with "(?#ops)" count.
    """
    return _selected(args, Operation, "(?#ops)", "(?#ts)", Graph.get_operations, kwargs)


@export(*_names("select_ts"))
def select_ts(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Tensors that are given, or in whose names a pattern is found; see `select_ops`."""
    return _selected(args, Tensor, "(?#ts)", "(?#ops)", get_tensors, kwargs)


@export(*_names("select_ops_and_ts"))
def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Operation], list[Tensor]]:
    """(operations, tensors): patterns are of operations unless they begin with "(?#ts)"."""
    return select_ops(*args, **kwargs), select_ts(*args, restrict_ts_regex=True, **kwargs)


def _selected(args: Any, kind: type, own: str, other: str, everything: Any, options: dict[str, Any]) -> list[Any]:
    graph, keep = options.pop("graph", None), _as_condition(options.pop("positive_filter", True))
    restricted = options.pop("restrict_ops_regex" if kind is Operation else "restrict_ts_regex", False)
    if options:
        raise ValueError(f"there are no arguments {sorted(options)}")
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"graph must be a tf.Graph, not {graph!r}")
    found: list[Any] = []
    for each in args:
        if not isinstance(each, (str, re.Pattern)):
            found += [thing for thing in _listed(each, (Operation, Tensor), (), False) if isinstance(thing, kind)]
            continue
        if graph is None:
            raise ValueError("a pattern needs the graph to look in: graph=...")
        text = each if isinstance(each, str) else each.pattern
        if text.startswith(own) or not restricted and not text.startswith(other):
            pattern = re.compile(each)
            found += [thing for thing in everything(graph) if pattern.search(thing.name)]
    return [thing for thing in _unique(found) if keep(thing)]


# ---- walks


@export(*_names("get_forward_walk_ops"))
def get_forward_walk_ops(seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
                         within_ops_fn: Callable[[Operation], Any] | None = None, stop_at_ts: Any = (),
                         control_outputs: ControlOutputs | None = None) -> list[Operation]:
    """The operations that depend on others.

    Args:
        seed_ops: operations, or tensors, which stand for those that use them.
        inclusive: whether the seeds are among them.
        within_ops: the operations to stay in.
        within_ops_fn: a condition for them.
        stop_at_ts: tensors behind which the walk does not go on.
        control_outputs: also follows control dependencies, where given.
    """
    stop = set(make_list_of_t(stop_at_ts))

    def after(op: Operation) -> Iterator[Operation]:
        for tensor in op.outputs:
            if tensor not in stop:
                yield from tensor.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)

    seeds = _seeds(seed_ops, get_consuming_ops)
    return _walked(seeds, after, inclusive, within_ops, within_ops_fn)


@export(*_names("get_backward_walk_ops"))
def get_backward_walk_ops(seed_ops: Any, inclusive: bool = True, within_ops: Any = None,
                          within_ops_fn: Callable[[Operation], Any] | None = None, stop_at_ts: Any = (),
                          control_inputs: bool = False) -> list[Operation]:
    """The operations that others depend on.

    Args:
        seed_ops: operations, or tensors, which stand for those that compute them.
        inclusive: whether the seeds are among them.
        within_ops: the operations to stay in.
        within_ops_fn: a condition for them.
        stop_at_ts: tensors behind which the walk does not go on.
        control_inputs: whether it follows control dependencies too.
    """
    stop = set(make_list_of_t(stop_at_ts))

    def before(op: Operation) -> Iterator[Operation]:
        yield from (tensor.op for tensor in op.inputs if tensor not in stop)
        if control_inputs:
            yield from op.control_inputs

    return _walked(_seeds(seed_ops, get_generating_ops), before, inclusive, within_ops, within_ops_fn)


@export(*_names("get_walks_intersection_ops"))
def get_walks_intersection_ops(forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
                               backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
                               control_inputs: bool = False, control_outputs: Any = None,
                               control_ios: Any = None) -> list[Operation]:
    """The operations that are in a walk forward and in a walk backward; see `get_forward_walk_ops`."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    forward = get_forward_walk_ops(forward_seed_ops, forward_inclusive, within_ops, within_ops_fn, (), control_outputs)
    backward = set(get_backward_walk_ops(backward_seed_ops, backward_inclusive, within_ops, within_ops_fn, (),
                                         control_inputs))
    return [op for op in forward if op in backward]


@export(*_names("get_walks_union_ops"))
def get_walks_union_ops(forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True,
                        backward_inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None,
                        control_inputs: bool = False, control_outputs: Any = None,
                        control_ios: Any = None) -> list[Operation]:
    """The operations that are in a walk forward or in a walk backward; see `get_forward_walk_ops`."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    forward = get_forward_walk_ops(forward_seed_ops, forward_inclusive, within_ops, within_ops_fn, (), control_outputs)
    backward = get_backward_walk_ops(backward_seed_ops, backward_inclusive, within_ops, within_ops_fn, (),
                                     control_inputs)
    return _unique([*forward, *backward])


def _seeds(seeds: Any, of_tensors: Callable[[Any], list[Operation]]) -> list[Operation]:
    listed = [seeds] if isinstance(seeds, (Operation, Tensor)) else list(seeds)
    return of_tensors(listed) if listed and isinstance(listed[0], Tensor) else make_list_of_op(listed)


def _walked(seeds: list[Operation], step: Callable[[Operation], Iterable[Operation]], inclusive: bool, within: Any,
            condition: Callable[[Operation], Any] | None) -> list[Operation]:
    allowed = None if within is None else set(make_list_of_op(within))

    def may_enter(op: Operation) -> bool:
        return (allowed is None or op in allowed) and (condition is None or bool(condition(op)))

    found = dict.fromkeys(op for op in seeds if may_enter(op))
    wave = list(found)
    while wave:
        wave = [op for op in _unique(later for op in wave for later in step(op)) if op not in found and may_enter(op)]
        found.update(dict.fromkeys(wave))
    if not inclusive:
        return [op for op in found if op not in set(seeds)]
    return list(found)


def _unique(things: Iterable[Any]) -> list[Any]:
    return list({id(thing): thing for thing in things}.values())
