"""Conditionals, loops and ordering: tf.cond, tf.case, tf.while_loop, tf.group, tf.tuple.

A conditional or loop becomes one functional node (If, Case, While) whose branches or bodies are functions. Nodes made
in them have the names TensorFlow 1 gives them (`cond/add`, `while/mul`), and so have the results (`cond/Merge`,
`while/Exit`).
"""
from __future__ import annotations

import collections
import contextlib
import functools

from evergraph.base import dtypes, logging, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.modes import control_flow_v2_enabled
from evergraph.frontend.specs import TypeSpec
from evergraph.graph import encode
from evergraph.graph.composite import IndexedSlices, SparseTensor
from evergraph.graph.convert import constant, convert_to_tensor, is_tensor_like, to_tensor
from evergraph.graph.function import FuncGraph, has_effect, share_captures
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor, share_handle_data
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays import basic, reshape
from evergraph.ops.control import effects, functional
from evergraph.ops.math import elementwise, reduce

# ---- ordering


@export("group")
def group(*inputs, **kwargs):
    """Groups operations: returns one operation that is done when all of `inputs` are done.

    Args:
        *inputs: operations, tensors, variables, or lists of these.
        name: a name for the operation.

    Raises:
        ValueError: there is another keyword.
        TypeError: an input is nothing that runs.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {sorted(kwargs)}")
    if default_graph().is_eager:  # everything has run
        return None
    nodes = [_node_of(item) for item in nest.flatten(list(inputs), expand_composites=True)]
    if not nodes:
        return basic.no_op(name=name or "group_deps")
    by_device = {}
    for node in nodes:
        by_device.setdefault(node.device, []).append(node)
    if len(by_device) == 1:
        return _after_all(*by_device.popitem(), name or "group_deps")
    with name_scope(name, "group_deps") as scope:
        parts = [_after_all(device, by_device[device], "NoOp") for device in sorted(by_device)]
    with control_dependencies(parts):
        return basic.no_op(name=scope)


def _after_all(device, nodes, name):
    with default_graph().device(device or None) if device else contextlib.nullcontext(), control_dependencies(nodes):
        return basic.no_op(name=name)


def _node_of(item):
    if isinstance(item, Operation):
        return item
    element = item._as_graph_element() if hasattr(item, "_as_graph_element") and not hasattr(item, "_handle") else item
    node = getattr(element, "op", None)
    if not isinstance(node, Operation):
        raise TypeError(f"Expected tf.group() expected Tensor objects not {item!r} with type '{type(item)}'")
    return node


def with_dependencies(dependencies, output_tensor, name=None):
    """`output_tensor`, available when `dependencies` have run too."""
    if default_graph().is_eager:
        return output_tensor
    with name_scope(name, "control_dependency", [*dependencies, output_tensor]) as scope, \
            control_dependencies(dependencies):
        if isinstance(output_tensor, IndexedSlices):
            return IndexedSlices(basic.identity(output_tensor.values, name=scope), output_tensor.indices,
                                 output_tensor.dense_shape)
        return basic.identity(to_tensor(output_tensor), name=scope)


@export("tuple")
def tuple_(tensors, name=None, control_inputs=None):
    """Synchronizes tensors: returns copies of them, each available only when all of them are computed.

    Args:
        tensors: a list of tensors and IndexedSlices; entries that are None stay None.
        name: a name scope.
        control_inputs: further operations to wait for.

    Raises:
        ValueError: there is no tensor in the list.
        TypeError: `control_inputs` has something that does not run.
    """
    if default_graph().is_eager:
        return tensors
    with name_scope(name, "tuple", [t for t in tensors if t is not None]):
        present = [t if isinstance(t, Operation) else to_tensor(t) if not isinstance(t, IndexedSlices) else t
                   for t in tensors if t is not None]
        waits = [t if isinstance(t, Operation) else t.op for t in present]
        for item in control_inputs or ():
            if not isinstance(item, (Operation, Tensor)) and not is_tensor_like(item):
                raise TypeError(f"Control input must be Operation or Tensor: {item}")
            waits.append(_node_of(item))
        if not waits:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        waits = sorted(dict.fromkeys(waits), key=lambda node: node.age)
        gate = group(*waits)
        left = iter(present)
        return [None if t is None else _gated(gate, next(left)) for t in tensors]


def _gated(gate, item):
    return gate if isinstance(item, Operation) else with_dependencies([gate], item)


# ---- functions as branches and bodies

def _function(name, scope):
    """A new function whose nodes are named under `scope`. Inside a tf.function its effects happen in any case."""
    graph = FuncGraph(name)
    around = graph.outer_graph
    graph.is_dataflow = not isinstance(around, FuncGraph) or around.is_dataflow
    graph.scopes.name = scope.rstrip("/")
    return graph


def _finished(node, graphs):
    """Lets the node wait for what its functions wait for outside, and adds what they do besides giving outputs."""
    for graph in graphs:
        graph.control_outputs = [n for n in graph._nodes if has_effect(n)]
        graph.owner = node
        for waited in graph.outer_waits:
            if waited.graph is node.graph:
                node._add_control_input(waited)
            elif waited not in node.graph.outer_waits:
                node.graph.outer_waits.append(waited)


def _has_effects(graphs):
    return any(has_effect(node) for graph in graphs for node in graph._nodes)


# ---- conditionals

@export("cond")
def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """Builds a conditional: runs the operations of `true_fn` when `pred` is true at run time, else those of `false_fn`.

    Both functions are called once, to build their operations; a session runs those of one of them. What either uses
    from outside is computed in any case.

    >>> x = tf.constant(2.0)
    >>> y = tf.cond(x < 3.0, lambda: x * 10.0, lambda: -x)

    Args:
        pred: a scalar bool tensor.
        true_fn: builds the result for true; tensors or structures of them, the same structure in both functions.
        false_fn: builds the result for false.
        strict: False gives a list or (named) tuple of one tensor as that tensor.
        name: a name scope.
        fn1: the older name of `true_fn`.
        fn2: the older name of `false_fn`.

    Raises:
        TypeError: an argument is of the wrong kind, such as a Python bool for `pred`.
        ValueError: the functions return nothing, or values that differ in structure or dtype.
    """
    true_fn, false_fn = _renamed("true_fn", true_fn, "fn1", fn1), _renamed("false_fn", false_fn, "fn2", fn2)
    for label, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"{label} must be callable.")
    if default_graph().is_eager:
        return _chosen(true_fn if pred else false_fn, strict)
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool")
    graph = default_graph()
    with name_scope(name, "cond", [pred]) as scope:
        pred = _checked_pred(pred)
        graph._count_more(_PIVOTS)
        branches = [_Branch(function, label, scope, pred)
                    for label, function in (("true_fn", true_fn), ("false_fn", false_fn))]
        merged = _merged(branches, strict, functools.partial(_if, pred, scope))
    return merged


_PIVOTS = 4  # Switch and three Identity, which TensorFlow begins a conditional with


def _chosen(function, strict):
    """What the branch of a conditional gives that is chosen now."""
    result = function()
    alone = not strict and isinstance(result, (list, tuple)) and len(result) == 1
    return result[0] if alone else result


def conditional(pred, branches, settle):
    """Builds a conditional of two branches whose results are known only when both have been traced.

    Args:
        pred: a scalar bool tensor.
        branches: the functions for true and for false, called in graphs of their own.
        settle: gives for the two graphs and the two results what the branches return: two lists of tensors and
            composites, alike in structure and dtypes. Nothing is built if they are empty and no branch has effects.

    Returns:
        Such a list, of the values after the conditional.
    """
    with name_scope(None, "cond", [pred]) as scope:
        pred = _checked_pred(pred)
        graphs = [_function(f"{scope}{label}", scope) for label in ("true", "false")]
        results = []
        for graph, branch in zip(graphs, branches):
            with graph.as_default():
                results.append(branch())
        settled = settle(graphs, results)
        if not settled[0] and not _has_effects(graphs):
            return []
        for graph, values in zip(graphs, settled):
            with graph.as_default():  # a node has at least one output
                flat = nest.flatten(values, expand_composites=True) or [constant(True)]
                graph.outputs = [graph.capture(t) for t in flat]
        outputs = _if(pred, scope, graphs)
    return nest.pack_sequence_as(settled[0], outputs[:len(outputs) if settled[0] else 0], expand_composites=True)


def _renamed(label, function, old_label, old):
    if old is not None:
        logging.warning("the arguments fn1 and fn2 are now called true_fn and false_fn")
        if function is not None:
            raise TypeError(f"cond(): {label} and {old_label} may not be set simultaneously.")
        return old
    if function is None:
        raise TypeError(f"cond(): {label} argument required")
    return function


def _checked_pred(pred):
    pred = convert_to_tensor(pred, name="pred")
    if pred.dtype.base_dtype is not dtypes.bool:
        raise TypeError(f"pred must be a bool tensor, not {pred.dtype.base_dtype.name}: {pred}")
    pred.shape.assert_has_rank(0)
    return pred


class _Branch:
    """One branch: its function, and what the user's returned, with operations as tensors that wait for them."""

    def __init__(self, function, label, scope, pivot):
        self.label = label
        self.graph = _function(scope + label.removesuffix("_fn").replace(" ", ""), scope)
        self.graph.branch = label
        with self.graph.as_default():
            result = function()
            if result is None:
                raise ValueError(f"{label} must have a return value.")
            self.result = nest.map_structure(lambda leaf: self._leaf(leaf, pivot), result)
            self.graph.outputs = [self.graph.capture(t) for t in nest.flatten(self.result, expand_composites=True)]

    def _leaf(self, leaf, pivot):
        if isinstance(leaf, Operation):  # TensorFlow gives the predicate for it
            before = self.graph._last_id
            with control_dependencies([leaf]):
                waiting = basic.identity(pivot, name="control_dependency")
            self.graph._count_more(before + 1 - self.graph._last_id)  # there the branch has the predicate
            return waiting
        return leaf if nest.is_nested_or_composite(leaf) else to_tensor(leaf)

    def widen(self, position):
        """Makes an int32 output an int64 one."""
        if self.graph.outputs[position].dtype.base_dtype is dtypes.int32:
            with self.graph.as_default():
                self.graph.outputs[position] = basic.cast(self.graph.outputs[position], dtypes.int64)


def _merged(branches, strict, make):
    """The result of a conditional node that `make` adds, in the structure that the branches returned."""
    if not strict:
        for branch in branches:
            if isinstance(branch.result, (list, tuple)) and len(branch.result) == 1:
                branch.result = branch.result[0]
    first = branches[0]
    for other in branches[1:]:
        nest.assert_same_structure(first.result, other.result, expand_composites=True)
    _widen_indices(branches)
    if not first.graph.outputs:
        raise ValueError(f"{first.label} and {branches[-1].label} must return at least one result.")
    for column in zip(*(b.graph.outputs for b in branches)):
        kinds = [t.dtype.base_dtype for t in column]
        if len(set(kinds)) > 1:
            raise ValueError(f"Outputs of {first.label} and {branches[-1].label} must have the same type: "
                             f"{', '.join(k.name for k in kinds)}")
    outputs = make([b.graph for b in branches])
    return nest.pack_sequence_as(first.result, outputs, expand_composites=True)


def _widen_indices(branches):
    """Makes the indices of IndexedSlices int64 in every branch when they are so in some."""
    position = 0
    for column in zip(*(nest.flatten(b.result) for b in branches)):
        slices = [leaf for leaf in column if isinstance(leaf, IndexedSlices)]
        if len({leaf.indices.dtype.base_dtype for leaf in slices}) > 1:
            for branch in branches:
                branch.widen(position + 1)  # the values come first
        position += len(nest.flatten(column[0], expand_composites=True))


def _if(pred, scope, graphs):
    graph = default_graph()
    merged = graph._last_id + len(graphs[0].outputs)  # in TensorFlow a Merge for each
    known = len(getattr(graph, "captures", ()))
    captured = share_captures(graphs)
    make = functional.if_ if _has_effects(graphs) else functional.stateless_if
    outputs = make(pred, captured, Tout=_dtypes(graphs[0].outputs), then_branch=graphs[0],
                   else_branch=graphs[1], output_shapes=_common_shapes(graphs), name=scope)
    found = _named(outputs, graphs, "Merge")
    merged += len(getattr(graph, "captures", ())) - known  # and a Switch for each tensor from further outside
    graph._count_more(merged - graph._last_id)
    return found


def _named(outputs, graphs, name, count=None):
    """The first outputs of a new node under the names TensorFlow gives them."""
    _finished(outputs[0].op, graphs)
    return [basic.identity(output, name=name) for output in outputs[:count]]


def _dtypes(tensors):
    return [t.dtype.base_dtype for t in tensors]


def _common_shapes(graphs):
    return [_common_shape([t._shape for t in column]) for column in zip(*(g.outputs for g in graphs))]


def _common_shape(shapes):
    """What is known of a tensor that has one of these shapes."""
    if any(s is None for s in shapes) or len({len(s) for s in shapes}) > 1:
        return None
    return tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes))


def smart_constant_value(pred):
    """The value of a predicate that is known now: a bool, 0 or 1, or a tensor that follows from constants; else None.

    Raises:
        TypeError: `pred` is nothing of the kind.
    """
    if isinstance(pred, Tensor):
        value = static_value(pred)
        return None if value is None else bool(value)
    if is_tensor_like(pred):  # a variable
        return None
    if pred not in (0, 1):
        raise TypeError(f"`pred` must be a Tensor, True, False, 1 or 0, got {type(pred)}")
    return bool(pred)


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """Like `tf.cond`, but calls only one of the functions when the value of `pred` is known now."""
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError("`true_fn` and `false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()


# ---- many branches

@export("case")
def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """Builds a chain of conditionals: runs the function of the first predicate that is true at run time.

    Args:
        pred_fn_pairs: (scalar bool tensor, function) pairs, or a dict of them, which has no order: use `exclusive`.
        default: the function to use when no predicate is true; without it that is an error.
        exclusive: True raises an error at run time when more than one predicate is true.
        strict: see `tf.cond`.
        name: a name scope.

    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: there are no pairs.
    """
    return case_by(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def case_by(cond_fn, pred_fn_pairs, default, exclusive, name, allow_python_preds=False, **cond_kwargs):
    """As `tf.case`, with another function in the place of `tf.cond`.

    Args:
        cond_fn: takes a predicate, two functions and `cond_kwargs`.
        pred_fn_pairs: see `tf.case`.
        default: see `tf.case`.
        exclusive: see `tf.case`.
        name: a name scope.
        allow_python_preds: predicates may also be Python bools.
        **cond_kwargs: further arguments for `cond_fn`.
    """
    pairs = _checked_pairs(pred_fn_pairs, allow_python_preds)
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    with name_scope(name, "case", [p for p, _ in pairs]):
        preds = [p for p, _ in pairs]
        waits = [_at_most_one(preds)] if exclusive else []
        with control_dependencies(waits):
            if default is None:
                default = functools.partial(_only_if_any, preds, pairs.pop()[1])
            build = default
            for pred, function in reversed(pairs):
                build = functools.partial(cond_fn, pred, function, build, **cond_kwargs)
            return build()


def _checked_pairs(pairs, python_preds=False):
    if isinstance(pairs, dict) and default_graph().is_eager:
        if not isinstance(pairs, collections.OrderedDict):
            raise TypeError(f"with eager execution the pairs of tf.case must be in an order, got {type(pairs)}")
        pairs = list(pairs.items())
    if isinstance(pairs, dict):
        pairs = sorted(pairs.items(), key=lambda pair: pair[0].name)
    if not isinstance(pairs, (list, tuple)):
        raise TypeError("pred_fn_pairs must be a list or tuple of (predicate, function), or a dict")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"pred_fn_pairs holds (predicate, function) pairs; this entry is {pair!r}")
        pred, function = pair
        if not isinstance(pred, Tensor) and not is_tensor_like(pred) and not (python_preds and isinstance(pred, bool)):
            raise TypeError(f"pred must be a Tensor{' or a bool' if python_preds else ''}, got: {pred!r}")
        if convert_to_tensor(pred).dtype.base_dtype is not dtypes.bool:
            raise TypeError(f"pred must be of type bool: {pred!r}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred} must be callable.")
    if not pairs:
        raise ValueError("pred_fn_pairs must have at least one pair")
    return [(convert_to_tensor(p), f) for p, f in pairs]


def _listed(preds):
    return f"({', '.join(str(p) if p.graph.is_eager else p.name for p in preds)})"


def _count_true(preds):
    return reduce.sum_(basic.cast(reshape.pack(preds, name="preds_c"), dtypes.int32), [0], name="num_true_conds")


def _at_most_one(preds):
    told = f"Input error: exclusive=True: more than 1 conditions {_listed(preds)} evaluated as True:"
    return effects.assert_(elementwise.less_equal(_count_true(preds), 1), [told, reshape.pack(preds)],
                           summarize=len(preds))


def _only_if_any(preds, function):
    """The result of the last function of a `case` without default: one of the predicates has to be true."""
    told = f"Input error: none of {_listed(preds)} is True, and there is no default:"
    check = effects.assert_(elementwise.greater(_count_true(preds), 0), [told, reshape.pack(preds)],
                            summarize=len(preds))
    with control_dependencies([check]):
        return nest.map_structure(lambda leaf: leaf if isinstance(leaf, Operation) else basic.identity(to_tensor(leaf)),
                                  function())


@export("switch_case")
def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """Builds a jump table: runs the function whose index is `branch_index` at run time.

    Args:
        branch_index: a scalar int32 tensor.
        branch_fns: a list of functions, or of (number, function) pairs, or a dict of them; the numbers are 0 to n - 1.
        default: the function for every other number; without it the last one of `branch_fns`.
        name: a name scope.

    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: the numbers are not 0 to n - 1.
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"branch_index must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"branch_index must be an integer Tensor, got one of {branch_index.dtype.name}")
    functions = _numbered(branch_fns)
    if default is not None:
        if not callable(default):
            raise TypeError("default must be callable.")
        functions = [*functions, default]
    if branch_index.graph.is_eager and default_graph().is_eager:
        number = int(branch_index)
        return _chosen(functions[number if 0 <= number < len(functions) else -1], strict=False)
    with name_scope(name, "switch_case", [branch_index]):
        with name_scope("indexed_case") as scope:
            index = basic.cast(branch_index, dtypes.int32) if branch_index.dtype is not dtypes.int32 else branch_index
            pivot = elementwise.greater_equal(index, 0)
            branches = [_Branch(f, f"branch {i}", scope, pivot) for i, f in enumerate(functions)]
            return _merged(branches, False, functools.partial(_case, index, scope))


def _numbered(branch_fns):
    if isinstance(branch_fns, dict):
        branch_fns = list(branch_fns.items())
    if not isinstance(branch_fns, (list, tuple)) or not branch_fns:
        raise TypeError("branch_fns must hold one function or more, in a list, tuple or dict")
    pairs = list(enumerate(branch_fns)) if all(callable(f) for f in branch_fns) else list(branch_fns)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], int):
            raise TypeError(f"the key of a branch must be a Python `int`, with a function beside it; got {pair!r}")
        if not callable(pair[1]):
            raise TypeError(f"fn for branch {pair[0]} must be callable.")
    numbers = sorted(n for n, _ in pairs)
    if numbers != list(range(len(pairs))):
        raise ValueError(f"the numbers of the branches must form contiguous counts from 0 to {len(pairs) - 1}, got "
                         f"{{{','.join(map(str, numbers))}}}")
    return [f for _, f in sorted(pairs, key=lambda pair: pair[0])]


def _case(index, scope, graphs):
    captured = share_captures(graphs)
    outputs = functional.case(index, captured, Tout=_dtypes(graphs[0].outputs), branches=graphs,
                           output_shapes=_common_shapes(graphs), name=scope)
    return _named(outputs, graphs, "Identity")


# ---- loops

@export("while_loop")
def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False,
               name=None, maximum_iterations=None, return_same_structure=False):
    """Builds a loop: runs `body` while `cond` is true at run time, and returns the final loop variables.

    >>> i = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])

    Args:
        cond: a function of the loop variables that gives a scalar bool.
        body: a function of the loop variables that gives their next values, in the same structure.
        loop_vars: a list or tuple of tensors, TensorArrays, sparse tensors and structures of these: the first values.
        shape_invariants: the static shapes that the variables keep, in the structure of `loop_vars`: needed for those
            whose shape changes. By default each keeps the shape it enters the loop with.
        parallel_iterations: kept in the graph for TensorFlow; here iterations run one after another.
        back_prop: False stops gradients at the loop.
        swap_memory: has no meaning here.
        name: a name scope.
        maximum_iterations: a scalar: the loop ends after so many iterations in any case.
        return_same_structure: True gives a single loop variable back in its list.

    Returns:
        The loop variables after the loop: one that is a single tensor by itself, unless `return_same_structure`.

    Raises:
        TypeError: `cond` or `body` is not a function, or a variable changes its dtype.
        ValueError: there are no loop variables, `body` returns another structure, or a shape is not kept.
    """
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if not loop_vars:
        raise ValueError("No loop variables provided")
    if not isinstance(parallel_iterations, int) or parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    if default_graph().is_eager:
        return _looped(cond, body, loop_vars, maximum_iterations, return_same_structure)
    with name_scope(name, "while", nest.flatten(loop_vars)) as scope:
        loop = _WhileBuilder(loop_vars, shape_invariants, maximum_iterations, scope)
        loop.build(cond, body)
        outputs = loop.node(parallel_iterations, back_prop)
    packed = nest.pack_sequence_as(loop.results, outputs, expand_composites=True)
    single = len(outputs) == 1 and not return_same_structure and type(packed) in (list, tuple)
    return packed[0] if single else packed


def _looped(cond, body, loop_vars, maximum_iterations, return_same_structure):
    """The loop variables after a loop that runs now, as a loop of Python."""
    start, left = loop_vars, None if maximum_iterations is None else int(maximum_iterations)
    may_be_alone = len(loop_vars) == 1 and not return_same_structure
    alone = False
    while (left is None or left > 0) and cond(*loop_vars):
        loop_vars = body(*loop_vars)
        if may_be_alone and not isinstance(loop_vars, (list, tuple)):
            loop_vars, alone = (loop_vars,), True
        nest.assert_same_structure(list(start), list(loop_vars), expand_composites=True)
        left = None if left is None else left - 1
    result = nest.map_structure(_as_loop_variable, loop_vars)
    return result[0] if alone else result


class _WhileBuilder:
    """Builds the While node of `tf.while_loop`.

    Attributes:
        start: the loop variables at the start, as tensors and composites, in the user's structure.
        tensors: the same, flat.
        limit: the maximal number of iterations, or None; with a limit, a counter is the first tensor.
        results: the body's return value.
    """

    def __init__(self, loop_vars, shape_invariants, maximum_iterations, scope):
        self.scope = scope
        self.start = nest.map_structure(_as_loop_variable, loop_vars)
        self.tensors = nest.flatten(self.start, expand_composites=True)
        self.shapes = self._invariants(shape_invariants)
        self.limit = None
        if maximum_iterations is not None:
            self.limit = convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if self.limit.shape.ndims != 0:
                raise ValueError(f"maximum_iterations must be a scalar, saw shape: {self.limit.shape}")
            counter = constant(0, self.limit.dtype.base_dtype, name="iteration_counter")
            self.tensors, self.shapes = [counter, *self.tensors], [(), *self.shapes]

    def _invariants(self, given):
        if given is None:
            return [shape for variable in nest.flatten(self.start) for shape in _own_shapes(variable)]
        nest.assert_same_structure(self.start, given, check_types=False)
        shapes = []
        for variable, shape in zip(nest.flatten(self.start), nest.flatten_up_to(self.start, given)):
            shapes += _component_shapes(variable, _shape_of_spec(shape, variable))
        is_functional = control_flow_v2_enabled()  # TensorFlow's functional loops take shapes that are not known yet
        for tensor, shape in zip(self.tensors, shapes):
            is_compatible = TensorShape(shape).is_compatible_with(tensor.shape)
            if not is_compatible or not (is_functional or _fits(tensor._shape, shape)):
                raise ValueError(f"{tensor.label} enters the loop with shape {tensor.shape}, which is not compatible "
                                 f"with its shape invariant {TensorShape(shape)}")
        return shapes

    def build(self, cond, body):
        """Makes the functions of the loop."""
        self.cond, variables, counter = self._begun("cond")
        with self.cond.as_default():
            go = convert_to_tensor(cond(*variables))
            if go.dtype.base_dtype is not dtypes.bool:
                raise TypeError(f"cond must return a bool, not {go.dtype.base_dtype.name}")
            go.shape.assert_is_compatible_with(TensorShape([]))
            if counter is not None:
                go = elementwise.logical_and(elementwise.less(counter, self.limit), go)
            self.cond.outputs = [self.cond.capture(go)]
        self.body, variables, counter = self._begun("body")
        with self.body.as_default():
            flat = self._checked_results(variables, body(*variables))
            if counter is not None:
                flat = [elementwise.add_v2(counter, _one(counter)), *flat]
            self.body.outputs = [self.body.capture(t) for t in flat]
        self._check_kept()

    def _begun(self, kind):
        """(a new function with the loop variables as inputs, these in the user's structure, the counter)."""
        graph = _function(f"{self.scope}{kind}", self.scope)
        with graph.as_default(), graph.name_scope(None):
            flat = [graph.add_input(t.dtype.base_dtype, shape, t.source.name.rpartition("/")[2])
                    for t, shape in zip(self.tensors, self.shapes)]
        for inner, outer in zip(flat, self.tensors):
            share_handle_data(outer, inner)
        counter = None if self.limit is None else flat.pop(0)
        with graph.as_default():
            return graph, nest.pack_sequence_as(self.start, flat, expand_composites=True), counter

    def _checked_results(self, variables, results):
        if not nest.is_nested(results):
            results = [results]
        self.results = nest.map_structure(_as_loop_variable, results)
        nest.assert_same_structure(list(variables), list(self.results), expand_composites=True)
        return nest.flatten(self.results, expand_composites=True)

    def _check_kept(self):
        for outer, inner, result, shape in zip(self.tensors, self.body.inputs, self.body.outputs, self.shapes):
            kind, found = inner.dtype.base_dtype, result.dtype.base_dtype
            if found is not kind:
                raise TypeError(f"Loop variable {outer.label} is {kind.name} when the loop begins and "
                                f"{found.name} after one iteration: its dtype may not change.")
            if not _fits(result._shape, shape):
                raise ValueError(f"'{outer.label}' enters the loop with shape {TensorShape(shape)} and leaves the body "
                                 f"with {result.shape}; say in `shape_invariants` which sizes may change")

    def node(self, parallel_iterations, back_prop):
        """Adds the node and gives the loop variables after the loop."""
        graphs = [self.cond, self.body]
        captured = share_captures(graphs)
        self.body.outputs = [*self.body.outputs, *self.body.inputs[len(self.tensors):]]
        make = functional.while_ if _has_effects(graphs) else functional.stateless_while
        outputs = make([*self.tensors, *captured], cond=self.cond, body=self.body,
                       output_shapes=[*self.shapes, *(t._shape for t in captured)],
                       parallel_iterations=parallel_iterations, name=self.scope)
        if not back_prop:
            outputs[0].op.extra["_stop_gradient"] = encode.bool_value(True)
        results = _named(outputs, graphs, "Exit", len(self.tensors))
        return results if self.limit is None else results[1:]


def _as_loop_variable(value):
    return value if nest.is_nested_or_composite(value) else to_tensor(value)


def _shape_of_spec(given, variable):
    """The invariant that a shape, or a spec of the whole loop variable, gives it."""
    if not isinstance(given, TypeSpec):
        return given
    if not given.is_compatible_with(variable):
        raise TypeError(f"The shape invariant {given!r} is not compatible with the loop variable {variable!r}")
    return given._parts()[0]


def _component_shapes(variable, shape):
    """The shapes of the parts of a loop variable whose own invariant is `shape`."""
    if isinstance(variable, SparseTensor):
        rank = TensorShape(shape).ndims
        return [(None, rank), (None,), (rank,)]
    if isinstance(variable, IndexedSlices):
        rows = TensorShape(shape).tuple
        whole = [] if variable.dense_shape is None else [(None if rows is None else len(rows),)]
        return [rows, (None if rows is None else rows[0],), *whole]
    if hasattr(variable, "_loop_shapes"):
        return variable._loop_shapes(TensorShape(shape))
    if nest.is_nested_or_composite(variable):
        return [t._shape for t in variable._components()]
    return [TensorShape(shape).tuple]


def _own_shapes(variable):
    """The shapes of the parts of a loop variable for which no invariant is given."""
    if hasattr(variable, "_loop_shapes"):
        return variable._loop_shapes(variable.shape)
    return [t._shape for t in nest.flatten(variable, expand_composites=True)]


def _fits(shape, wanted):
    """Whether every tensor of shape `shape` is one of shape `wanted`."""
    if wanted is None:
        return True
    return shape is not None and len(shape) == len(wanted) and all(w is None or w == s for s, w in zip(shape, wanted))


def _one(counter):
    return constant(1, counter.dtype.base_dtype, name="one")
