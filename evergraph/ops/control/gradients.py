"""Gradients of conditionals, loops and calls.

The gradient of a function is a function of its own (`Backward`). Values of the forward function that it uses are never
recomputed: the forward node outputs them. A branch or call has an additional output for each; a loop pushes each on a
tensor list in every iteration, and the backward loop pops it.
"""

from dataclasses import dataclass, field

from evergraph.base import dtypes
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import constant
from evergraph.graph.differentiate import add_up, dense_of, differentiate, rule_for, trainable
from evergraph.graph.function import (
    FuncGraph,
    copied,
    hand_out,
    has_effect,
    more_output,
    share_captures,
    writes_argument,
)
from evergraph.graph.node import Tensor
from evergraph.graph.opdef import STOP
from evergraph.graph.registry import lookup
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic
from evergraph.ops.control import lists
from evergraph.ops.math import elementwise
from evergraph.ops.state import variables

# ---- gradients of functions


class Backward(FuncGraph):
    """The gradient function of a function, under construction.

    Args:
        forward: the forward function.
        steady: which of its arguments have the same value in every call.
        fetch: maps another tensor of the forward function to the tensor that represents it here.
    """

    def __init__(self, name, forward, steady, fetch):
        super().__init__(name)
        self.forward, self._fetch, self.is_dataflow = forward, fetch, True
        self._steady = {forward.inputs[i] for i in steady}
        self._brought = {}

    def capture(self, tensor):
        """The tensor that represents a tensor of the forward function or of an enclosing graph."""
        if not self.forward.has(tensor):
            return super().capture(tensor)
        tensor = self.forward.own(tensor)
        if tensor not in self._brought:
            self._brought[tensor] = self._bring(tensor)
        return self._brought[tensor]

    def _bring(self, tensor):
        if tensor.op.type == "Const":
            return self._own_constant(tensor)
        if _place(self.forward, tensor) is None and _is_index(tensor) and self._follows(tensor):
            return self._made_again(tensor.op).outputs[tensor.value_index]
        return self._fetch(tensor)

    def _follows(self, tensor, depth=0):
        """Whether the value depends only on shapes, constants and steady arguments, so that it need not be stored."""
        node = tensor.op
        if node.type in ("Const", "Shape", "ShapeN", "Size", "Rank") or tensor in self._steady:
            return True
        if depth > 32 or not node._inputs or has_effect(node) or node._control_inputs:
            return False
        return all(self._follows(t, depth + 1) for t in node._inputs)

    def _made_again(self, node):
        before, self.scopes.name = self.scopes.name, ""
        try:
            inputs = [self.capture(t) for t in node._inputs]
            return self.add_node(node.opdef, self.claim_name(node.name), inputs, dict(node.attrs))
        finally:
            self.scopes.name = before


def _place(function, tensor):
    """The place of a tensor among a function's arguments, None if it is none of them.

    Where programs compare tensors by element, `in` and `index` would do so too.
    """
    return next((i for i, each in enumerate(function.inputs) if each is tensor), None)


def _is_index(tensor):
    return tensor._dtype.is_integer or tensor._dtype.is_bool


@dataclass
class _HandedOut:
    """The additional outputs that a forward function, or its node, computes for gradient functions, which share them.

    Attributes:
        trips: the loop's output that counts its iterations.
        reads: handle in a loop's body -> the variable's value when the loop starts.
        stacks: tensor of a loop's body -> the loop's output with its values in all iterations, as a tensor list.
    """

    trips: Tensor | None = None
    reads: dict = field(default_factory=dict)
    stacks: dict = field(default_factory=dict)


def _own(node, name):
    """The function called `name`, or a copy of it unless this node owns it."""
    function = node.graph.function(name)
    if function.owner is node:
        return function
    own = copied(function)
    own.owner = node
    return own


def _reaches(function, outputs, stops=True):
    """The arguments that the gradients of these outputs reach; with `stops` false, that the outputs depend on."""
    place = {t: i for i, t in enumerate(function.inputs)}
    found, seen = set(), set()
    stack = [function.outputs[i] for i in outputs]
    while stack:
        tensor = stack.pop()
        if tensor in place:
            found.add(place[tensor])
        elif tensor not in seen and (not stops or _lets_through(tensor.op)):
            seen.add(tensor)
            stack += [t for t in _sources(tensor, stops) if trainable(t)]
    return found


def _sources(tensor, stops):
    """The inputs of a node that this one output depends on; with `stops`, that its gradient may flow to."""
    op, number = tensor.op, tensor.value_index
    if op.opdef.kind is Kind.WHILE:
        return [op._inputs[i] for i in _leading(op.graph.function(op.attrs["body"].name), {number})]
    if op.opdef.kind is Kind.IF:
        branches = [op.graph.function(op.attrs[name].name) for name in ("then_branch", "else_branch")]
        return [op._inputs[1 + i] for i in {i for branch in branches for i in _reaches(branch, [number], stops)}]
    return op._inputs


def _unchanged(body):
    """The loop variables that every iteration passes on unchanged."""
    return [i for i, (x, y) in enumerate(zip(body.inputs, body.outputs)) if x is y]


def _leading(body, active):
    """The loop variables with a gradient: the active ones, and those that influence them in some iteration.

    Where no gradient reaches one that changes, its gradient is zero, as in TensorFlow; one that does not has none.
    """
    smooth = {i for i, t in enumerate(body.inputs) if _smooth(t)}
    changing = smooth.difference(_unchanged(body))
    active = active & smooth
    while True:
        more = _reaches(body, active) & smooth | _reaches(body, active, stops=False) & changing | active
        if more == active:
            return sorted(active)
        active = more


def _lets_through(op):
    """Whether gradients may flow from a node's outputs to its inputs."""
    try:
        return rule_for(op) is not STOP
    except LookupError:
        return True  # the walk reaches it and raises an error with its name


def _value_of(tensor):
    """A tensor with the shape and dtype of the gradient of `tensor`: for a variable's handle, the variable's value."""
    if tensor._dtype is not dtypes.resource:
        return tensor
    return variables.read_variable_op(tensor, tensor._handle_data.dtype)


def _zeros_for(tensor):
    return basic.zeros_like(_value_of(tensor))


def _smooth(tensor):
    if tensor._dtype is dtypes.resource:
        data = tensor._handle_data
        return data is not None and (data.dtype.is_floating or data.dtype.is_complex)
    return trainable(tensor)


# ---- branches and calls


def _branch_gradient(op, dys, first, names, make, connected=None):
    """The gradients of the inputs of a node that calls one of several functions.

    Args:
        op: the node.
        dys: the gradients of its outputs.
        first: the position of the functions' first argument among the inputs.
        names: the functions' names.
        make: given (gradient functions, their arguments, output dtypes, output shapes), adds the node that calls them.
        connected: given a gradient function, the places of the arguments by which its gradients are zeros, not None,
            even if they do not reach the output that is differentiated.
    """
    forward = [_own(op, name) for name in names]
    active = [i for i, dy in enumerate(dys) if dy is not None and trainable(op.outputs[i])]
    arguments = op._inputs[first:]
    by = sorted({i for f in forward for i in _reaches(f, active) if _smooth(arguments[i])})
    is_again = connected is not None and isinstance(forward[0], Backward)
    if is_again:
        also = {i for f in forward for i in connected(f)}
        by = sorted({*by, *(i for i in also if arguments[i]._dtype.is_floating or arguments[i]._dtype.is_complex)})
    if not active or not by:
        return forward, [None] * len(op._inputs)
    given = [dense_of(dys[i]) for i in active]
    backward, slopes = [], []
    for number, function in enumerate(forward):
        graph = Backward(f"{function.name}_grad", function, range(len(arguments)), None)
        graph._fetch = lambda tensor, graph=graph, number=number: _handed_out(op, first, forward, number, graph, tensor)
        with graph.as_default():
            starts = [graph.capture(dy) for dy in given]
            found = differentiate([function.outputs[i] for i in active], [function.inputs[i] for i in by], starts)
        slopes.append(found)
        backward.append(graph)
    flowing = [place for place, column in enumerate(zip(*slopes)) if is_again or any(s is not None for s in column)]
    by = [by[place] for place in flowing]
    if not by:
        return forward, [None] * len(op._inputs)
    may_be_sparse = len(forward) == 1 and not is_again
    for graph, found in zip(backward, slopes):
        with graph.as_default():
            parts = [_parts(graph, found[place], arguments[i], may_be_sparse) for place, i in zip(flowing, by)]
            graph.outputs = [part for each in parts for part in each]
    captured = share_captures(backward)
    kinds = [t.dtype.base_dtype for t in backward[0].outputs]
    outputs = make(backward, captured, kinds, [_argument_shape(arguments[i]) for i in by])
    for graph in backward:
        graph.owner = outputs[0].op
    result = [None] * len(op._inputs)
    rest = iter(outputs)
    for i, each in zip(by, parts):
        values, *others = (next(rest) for _ in each)
        result[first + i] = IndexedSlices(values, *others) if others else values
    return forward, result


def _used_by(function):
    """The arguments that a function computes with, not for zeros like them alone."""
    return [i for i, x in enumerate(function.inputs) if any(node.type != "ZerosLike" for node in x.consumers())]


def _reaching_any(function):
    """The arguments that reach some output of a function."""
    return set(_used_by(function)) & set(_reaches(function, range(len(function.outputs))))


def _parts(graph, slope, argument, may_be_sparse):
    """The tensors that a gradient consists of: one, or those of rows of a table."""
    if slope is None:
        return [graph.capture(_zeros_for(graph.capture(argument)))]
    if may_be_sparse and isinstance(slope, IndexedSlices):
        return [graph.capture(part) for part in slope._components()]
    return [graph.capture(dense_of(slope))]


def _argument_shape(tensor):
    return tensor._handle_data.shape if tensor._dtype is dtypes.resource else tensor._shape


def _handed_out(op, first, forward, number, graph, tensor):
    """The tensor in a gradient function for a tensor of the forward function: an argument, or a new node output."""
    function = forward[number]
    place = _place(function, tensor)
    if place is not None:
        return graph.capture(op._inputs[first + place])
    return graph.capture(hand_out(op, forward, tensor))


def _stateful(graphs):
    return any(has_effect(node) for graph in graphs for node in graph._nodes)


def if_gradient(op, *dys):
    """The gradient of If: an If of the branches' gradients."""
    names = [op.attrs[a].name for a in ("then_branch", "else_branch")]

    def make(graphs, captured, kinds, shapes):
        call = lookup("If" if _stateful(graphs) else "StatelessIf")
        return call(op.inputs[0], captured, Tout=kinds, then_branch=graphs[0], else_branch=graphs[1],
                    output_shapes=shapes)

    forward, gradients = _branch_gradient(op, dys, 1, names, make)
    op.attrs["then_branch"], op.attrs["else_branch"] = (op.graph.add_function(f) for f in forward)
    return gradients


def case_gradient(op, *dys):
    """The gradient of Case: a Case of the branches' gradients."""

    def make(graphs, captured, kinds, shapes):
        return lookup("Case")(op.inputs[0], captured, Tout=kinds, branches=graphs, output_shapes=shapes)

    forward, gradients = _branch_gradient(op, dys, 1, [f.name for f in op.attrs["branches"]], make,
                                          _reaching_any)
    op.attrs["branches"] = [op.graph.add_function(f) for f in forward]
    return gradients


def call_gradient(op, *dys):
    """The gradient of a call: a call of the function's gradient."""

    def make(graphs, captured, kinds, shapes):
        call = lookup("StatefulPartitionedCall" if _stateful(graphs) else "PartitionedCall")
        return call(captured, Tout=kinds, f=graphs[0])

    (function,), gradients = _branch_gradient(op, dys, 0, [op.attrs["f"].name], make, _used_by)
    op.attrs["f"] = op.graph.add_function(function)
    return gradients


# ---- loops


def while_gradient(op, *dys):
    """The gradient of While: a While that runs the iterations in reverse."""
    if "_stop_gradient" in op.extra and op.extra["_stop_gradient"].b:
        return [None] * len(op._inputs)
    return _LoopGradient(op, dys).build()


class _LoopGradient:
    """The gradient of a While node.

    Attributes:
        steady: the loop variables that every iteration passes on unchanged.
        active: the loop variables whose gradient is computed.
        untouched: those of the active variables that no gradient reaches.
        stacks: (input, output) of the backward body for each tensor list that it pops from, and the outer list.
    """

    def __init__(self, op, dys):
        self.op, self.dys = op, dys
        self.cond, self.body = (_own(op, op.attrs[a].name) for a in ("cond", "body"))
        op.attrs["cond"], op.attrs["body"] = op.graph.add_function(self.cond), op.graph.add_function(self.body)
        self.steady = _unchanged(self.body)
        self.active = self._active()
        self.untouched = set()
        self.stacks = []

    def _active(self):
        """The variables with a gradient: those with a dy, and those that lead to them in some iteration."""
        return _leading(self.body, {i for i, dy in enumerate(self.dys) if dy is not None})

    def build(self):
        """The gradients of the loop variables' initial values."""
        op, body = self.op, self.body
        result = [None] * len(op._inputs)
        if not self.active:
            return result
        starts = [self._start(i) for i in self.active]
        trips = self._trips()
        self.graph = graph = Backward(f"{body.name}_grad", body, self.steady, self._fetched)
        with graph.as_default():
            count = graph.add_input(dtypes.int32, (), "count")
            given = [graph.add_input(t.dtype.base_dtype, t._shape, "grad") for t in starts]
            found = [graph.capture(t) for t in self._differentiated(given)]
            left = elementwise.sub(count, 1)
        outer = [trips, *starts, *(s[0] for s in self.stacks), *graph.captures]
        stacked = [s[1] for s in self.stacks]
        captured = list(graph.captures.values())
        graph.inputs = [count, *given, *stacked, *captured]
        graph.outputs = [left, *found, *(s[2] for s in self.stacks), *captured]
        for i, gradient in zip(self.active, self._repeated(outer)[1:]):
            result[i] = None if i in self.untouched else gradient
        return result + [None] * (len(op._inputs) - len(result))  # the loop may have gained variables meanwhile

    def _start(self, i):
        """The gradient with which the backward loop starts."""
        if self.dys[i] is not None:
            return dense_of(self.dys[i])
        return _zeros_for(self.op._inputs[i] if i in self.steady else self.op.outputs[i])

    def _differentiated(self, given):
        """The gradients at the start of an iteration, given those at its end."""
        body, steady = self.body, set(self.steady)
        moving = [(i, g) for i, g in zip(self.active, given) if i not in steady]
        found = differentiate([body.outputs[i] for i, _ in moving], [body.inputs[i] for i in self.active],
                              [g for _, g in moving])
        self.untouched = {i for i, f in zip(self.active, found) if f is None and i in steady and self.dys[i] is None}
        return [self._next(i, g, f) for i, g, f in zip(self.active, given, found)]

    def _next(self, i, given, found):
        if i in self.steady:
            return given if found is None else add_up([given, dense_of(found)])
        if found is not None:
            return dense_of(found)
        shape = given._shape
        return basic.zeros_like(given if shape is not None and None not in shape else self.body.inputs[i])

    def _repeated(self, outer):
        """Adds the backward loop."""
        graph = self.graph
        cond = FuncGraph(f"{self.cond.name}_grad")
        cond.is_dataflow = True
        with cond.as_default():
            inputs = [cond.add_input(t._dtype, t._shape, "arg") for t in graph.inputs]
            cond.inputs, cond.outputs = inputs, [elementwise.greater(inputs[0], 0)]
        call = lookup("While" if _stateful([graph]) else "StatelessWhile")
        outputs = call(outer, cond=cond, body=graph, output_shapes=[t._shape for t in graph.inputs],
                       parallel_iterations=self.op.attrs["parallel_iterations"])
        cond.owner = graph.owner = outputs[0].op
        return outputs[:1 + len(self.active)]

    # ---- values that the forward loop outputs

    def _trips(self):
        """The number of iterations of the forward loop: an additional loop variable, added once."""
        known = self.body.memo(_HandedOut)
        if known.trips is None:
            with _before(self.op):
                start = constant(0, dtypes.int32, name="trips")
            known.trips, count = self._more_variable(start)
            with self.body.as_default():
                self.body.outputs = [*self.body.outputs, elementwise.add_v2(count, 1)]
        return known.trips

    def _more_variable(self, start):
        """(output, variable in the body) of a new loop variable; the caller adds the body's output."""
        op = self.op
        dtype, shape = start.dtype.base_dtype, start._shape
        inner = self.body.add_input(dtype, shape, "extra")
        self.cond.add_input(dtype, shape, "extra")
        op._append_input(start)
        return more_output(op, "T", dtype, shape), inner

    def _fetched(self, tensor):
        """The tensor in the backward body for a tensor of the forward body in the same iteration."""
        place = _place(self.body, tensor)
        if place is not None and place in self.steady:
            return self.graph.capture(self.op._inputs[place])
        if tensor.op.type == "ReadVariableOp" and self._is_constant(tensor.op._inputs[0]):
            return self.graph.capture(self._read_before(tensor))
        return self._popped(self._stack(tensor), tensor)

    def _is_constant(self, handle):
        """Whether the loop reads a variable that it does not write."""
        place = _place(self.body, handle)
        return place is not None and place in self.steady and not writes_argument(self.body, handle) \
            and not writes_argument(self.cond, self.cond.inputs[place])

    def _read_before(self, tensor):
        """The value of a variable at the start of the loop."""
        known = self.body.memo(_HandedOut).reads
        handle = tensor.op._inputs[0]
        if handle not in known:
            with _before(self.op):
                outer = self.op._inputs[_place(self.body, handle)]
                known[handle] = variables.read_variable_op(outer, tensor.op.attrs["dtype"])
        return known[handle]

    def _stack(self, tensor):
        """The tensor list of a tensor's values in all iterations, which the forward loop pushes."""
        known = self.body.memo(_HandedOut).stacks
        if tensor not in known:
            dtype = tensor.dtype.base_dtype
            with _before(self.op):
                empty = lists.empty_tensor_list(lists.shape_input(tensor._shape), -1, element_dtype=dtype)
            known[tensor], inner = self._more_variable(empty)
            with self.body.as_default():
                self.body.outputs = [*self.body.outputs, lists.tensor_list_push_back(inner, tensor)]
        return known[tensor]

    def _popped(self, stack, tensor):
        graph = self.graph
        inner = graph.add_input(dtypes.variant, (), "stack")
        with graph.as_default():
            rest, value = lists.tensor_list_pop_back(inner, lists.shape_input(tensor._shape),
                                                     tensor.dtype.base_dtype)
        value.set_shape(tensor._shape)
        self.stacks.append((stack, inner, rest))
        return value


class _before:
    """Context manager: nodes created inside run as if created just before `op`."""

    def __init__(self, op):
        self.op, self.graph = op, op.graph

    def __enter__(self):
        self.count = len(self.graph._nodes)
        self.scopes = self.graph.scopes
        self.saved = self.scopes.control, self.scopes.name
        self.scopes.control, self.scopes.name = (), self.op.name
        self.default = self.graph.as_default()
        self.default.__enter__()

    def __exit__(self, *error):
        self.default.__exit__(*error)
        self.scopes.control, self.scopes.name = self.saved
        added = self.graph._nodes[self.count:]
        self.graph.place_before(added, self.op)
        for node in added:
            if node.type != "Const":
                node._add_control_inputs(self.op._control_inputs)
