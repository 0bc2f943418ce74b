"""tf.gradients and what goes with it: hessians, custom gradients, registered gradients."""

from __future__ import annotations

import contextlib
import enum
import functools
import inspect
import itertools

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.frontend.imported_loops import with_loops
from evergraph.frontend.recording import Recording
from evergraph.graph import scopes
from evergraph.graph.composite import IndexedSlices, convert_to_tensor_or_indexed_slices
from evergraph.graph.convert import convert_to_tensor, register_tensor_conversion_function, to_tensor
from evergraph.graph.differentiate import REGISTERED, dense_of, differentiate, rule_for
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.graph.opdef import STOP
from evergraph.graph.traits import Kind
from evergraph.ops.arrays import basic
from evergraph.ops.arrays.basic import zeros_like
from evergraph.ops.arrays.reshape import concat_v2, pack, reshape


@export("AggregationMethod")
class AggregationMethod:
    """How gradients that meet are summed. All give the same numbers: XLA decides how to add."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What `tf.gradients` gives for an x that no y depends on."""

    NONE = "none"
    ZERO = "zero"


@export("gradients")
def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """Adds nodes that compute d(sum(ys))/dx for each x in `xs`, by reverse-mode automatic differentiation.

    Args:
        ys: the tensor to differentiate, or a list of them.
        xs: a tensor, variable, or a list of them.
        grad_ys: gradients to start from, one per y; None means ones.
        name: the name scope of the new nodes.
        colocate_gradients_with_ops: place each gradient with its op.
        gate_gradients: let an op's gradients wait for each other.
        aggregation_method: one of tf.AggregationMethod; all give the same numbers.
        stop_gradients: tensors to take as constants.
        unconnected_gradients: NONE or ZERO for xs that ys do not depend on.

    Returns:
        A list with a tensor, IndexedSlices or None for each x.

    Raises:
        LookupError: an op on the way has no gradient.
        ValueError: the arguments do not fit each other.

    >>> x = tf.constant(3.0)
    >>> tf.Session().run(tf.gradients(x * x, x))
    [6.0]
    """
    if aggregation_method not in (
        None,
        AggregationMethod.ADD_N,
        AggregationMethod.EXPERIMENTAL_TREE,
        AggregationMethod.EXPERIMENTAL_ACCUMULATE_N,
    ):
        raise ValueError(f"Invalid aggregation_method specified {aggregation_method}.")
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
    ys, xs = _listed(ys), _listed(xs)
    given = [None] * len(ys) if grad_ys is None else _listed(grad_ys)
    if len(given) != len(ys):
        raise ValueError(f"Passed {len(given)} grad_ys for {len(ys)} ys")
    graph = default_graph()
    if graph.is_eager:
        raise RuntimeError(
            "tf.gradients is not supported eagerly, where no graph is kept: tf.GradientTape records what it needs."
        )
    with graph.name_scope(name or "gradients"):
        ys = [_as_y(y) for y in ys]
        targets = [_as_x(x) for x in xs]
        stops = [_as_x(x) for x in _listed(stop_gradients or [])]
        with_loops(ys, targets)
        found = differentiate(ys, targets, given, stops, colocate_gradients_with_ops, gate_gradients)
        if unconnected is UnconnectedGradients.ZERO:
            found = [zeros_like(convert_to_tensor(x)) if g is None else g for g, x in zip(found, xs)]
    return found


def _listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _as_y(y):
    tensor = convert_to_tensor_or_indexed_slices(y, name="y")
    return dense_of(tensor) if isinstance(tensor, IndexedSlices) else tensor


def _as_x(x):
    """The tensor a gradient is taken by: for a variable its reference or handle, for slices their values."""
    handle = getattr(x, "handle", None)
    if isinstance(handle, Tensor):
        return handle
    if isinstance(x, IndexedSlices):
        return x.values
    return to_tensor(x, name="x", as_ref=True)


@export("hessians")
def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None):
    """Adds nodes that compute the Hessians of sum(ys), one for each tensor of `xs`: their shape is shape(x) + shape(x).

    Raises:
        LookupError: an op on the way has no gradient.
    """
    xs = _listed(xs)
    options = {
        "colocate_gradients_with_ops": colocate_gradients_with_ops,
        "gate_gradients": gate_gradients,
        "aggregation_method": aggregation_method,
    }
    result = []
    for i, gradient in enumerate(gradients(ys, xs, **options)):
        x = convert_to_tensor(xs[i])
        shape = basic.shape(x)
        flat = reshape(gradient, [-1])
        rows = [reshape(gradients(flat[k], x, **options)[0], [-1]) for k in range(_known_size(x, "hessians"))]
        stacked = pack(rows) if rows else reshape(flat, [0, 0])
        result.append(reshape(stacked, concat_v2([shape, shape], 0)))
    return result


def _known_size(x, what, shape=None):
    count = (x.shape if shape is None else shape).num_elements()
    if count is None:
        raise ValueError(f"{what} needs the static shape of {x.name}, which is {x.shape}")
    return count


def jacobian(output, inputs, use_pfor=True, parallel_iterations=None):
    """The derivative of each element of a tensor by each of `inputs`: shape(output) + shape(input).

    Args:
        output: a tensor whose shape is known.
        inputs: a tensor or a structure of them.
        use_pfor: has no effect on the result.
        parallel_iterations: has no effect: rows are computed beside each other.

    Returns:
        A structure like `inputs`; None for those that `output` does not depend on.
    """
    flat_inputs = nest.flatten(inputs)
    flat = reshape(output, [-1])
    rows = [gradients(flat[k], flat_inputs) for k in range(_known_size(output, "jacobian"))]
    shapes = [concat_v2([basic.shape(output), basic.shape(x)], 0) for x in flat_inputs]
    found = [None if None in column else reshape(pack(list(column)), shape)
             for shape, column in zip(shapes, zip(*rows))]
    return nest.pack_sequence_as(inputs, found)


def batch_jacobian(output, inp, use_pfor=True, parallel_iterations=None):
    """The Jacobian of each row of `output` by the same row of `inp`: [b, ...output, ...inp].

    Args:
        output: a tensor of shape [b, ...], known except for b; each row depends on the same row of `inp` alone.
        inp: a tensor of shape [b, ...].
        use_pfor: has no effect on the result.
        parallel_iterations: has no effect: columns are computed beside each other.

    Returns:
        A tensor, or None if `output` does not depend on `inp`.

    Raises:
        ValueError: the first sizes of the two differ.
    """
    if not output.shape[:1].is_compatible_with(inp.shape[:1]):
        raise ValueError(f"Need first dimension of output, of shape {output.shape}, to be that of inp, {inp.shape}")
    count = _known_size(output, "batch_jacobian", output.shape[1:])
    flat = reshape(output, [-1, count])
    columns = [gradients(flat[:, k], inp)[0] for k in range(count)]
    if None in columns:
        return None
    return reshape(pack(columns, axis=1), concat_v2([basic.shape(output), basic.shape(inp)[1:]], 0))


@export("RegisterGradient")
class RegisterGradient:
    """Decorator that registers a gradient function for an op type, or for a name in `gradient_override_map`.

    >>> @tf.RegisterGradient("DoubledIdentity")
    ... def doubled(op, dy):
    ...     return 2 * dy
    """

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        """Registers f(op, *grads) -> gradients of the inputs.

        Raises:
            KeyError: the type has a registered gradient already.
        """
        if self._op_type in REGISTERED:
            raise KeyError(
                f"Registering two gradient with name '{self._op_type}'! (Previous registration was for "
                f"{REGISTERED[self._op_type].__name__})"
            )
        REGISTERED[self._op_type] = f
        return f


@export("NotDifferentiable", "no_gradient", "NoGradient")
def no_gradient(op_type):
    """Declares that an op type is not differentiable: `tf.gradients` does not go through it."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    REGISTERED[op_type] = STOP


def get_gradient_function(op):
    """The function that gives the gradients of an operation's inputs; None for one without inputs.

    Raises:
        LookupError: ops of this type have no gradient.
    """
    return rule_for(op) if op.inputs else None


class GradientRegistry:
    """The gradients that a program has registered, which some look up before they register one of their own.

    >>> if "GuidedRelu" not in ops._gradient_registry._registry:
    ...     tf.RegisterGradient("GuidedRelu")(guided)
    """

    _registry = REGISTERED

    def list(self):
        """The names."""
        return REGISTERED.keys()

    def lookup(self, name):
        """The function registered for a name.

        Raises:
            LookupError: there is none.
        """
        if name not in REGISTERED:
            raise LookupError(f"gradient registry has no entry for: {name}")
        return REGISTERED[name]


GRADIENT_REGISTRY = GradientRegistry()
_custom_names = itertools.count()


@export("custom_gradient", "contrib.eager.custom_gradient")
def custom_gradient(f):
    """Decorator that gives a function of tensors a gradient of your own in the place of the derived one.

    Args:
        f: takes tensors; returns (y, grad_fn), where grad_fn takes the gradients of y and returns those of the
            arguments, and, with a keyword `variables`, also a list of those of the variables that f uses.

    >>> @tf.custom_gradient
    ... def clipped(x):
    ...     return tf.identity(x), lambda dy: tf.clip_by_value(dy, -1.0, 1.0)
    """

    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        return _with_gradient(f, args, kwargs)

    return wrapped


class _VariablesRead(list):
    """A tape of the trainable variables that are read while it records."""

    def record(self, operation):
        """Operations do not matter to it."""

    def accessed(self, variable):
        """Notes a variable."""
        if variable.trainable and not any(variable is each for each in self):
            self.append(variable)


def _with_gradient_at_once(graph, f, args, kwargs):
    """The result of a function with its own gradient, which the tapes get in place of what the function does."""
    arguments = [convert_to_tensor(a) for a in nest.flatten(args)]
    variables = _VariablesRead()
    with scopes.unrecorded(), scopes.tapes.pushed(variables):
        result, grad_fn = f(*args, **kwargs)
        flat = [basic.identity(convert_to_tensor(r)) for r in nest.flatten(result)]
    given = nest.flatten(args)
    variables = [v for v in variables if not any(v is each for each in given)]
    for variable in variables:
        scopes.accessed(variable)
    rule = functools.partial(_own_rule, grad_fn, variables)
    graph.record(basic.identity_n, [*arguments, *(v.handle for v in variables)], flat, rule)
    return nest.pack_sequence_as(result, flat)


def _own_rule(grad_fn, variables, op, *dys):
    """The gradients of a function's arguments, then of the variables it reads, by the function's own gradient."""
    if not variables:
        return nest.flatten(grad_fn(*dys))
    if "variables" not in inspect.signature(grad_fn).parameters and not _takes_keywords(grad_fn):
        raise TypeError("the function with @custom_gradient reads variables, so its grad_fn takes another argument, "
                        "variables=, and returns their gradients too.")
    found, by_variable = grad_fn(*dys, variables=variables)
    if len(by_variable) != len(variables):
        raise ValueError("grad_fn of @custom_gradient returned too few gradients: one for each variable is needed.")
    return nest.flatten(found) + list(by_variable)


def _takes_keywords(function):
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


def _with_gradient(f, args, kwargs):
    if default_graph().is_eager:
        return _with_gradient_at_once(default_graph(), f, args, kwargs)
    if kwargs:
        raise ValueError(
            "a function with a custom gradient takes no keyword arguments in a graph"
        )
    graph = default_graph()
    arguments = [basic.identity(convert_to_tensor(a)) for a in args]
    with variables_used(graph, arguments) as used:
        result, grad_fn = f(*arguments)
    variables = used()
    flat = [convert_to_tensor(r) for r in nest.flatten(result)]
    reads = [v.handle if hasattr(v, "handle") else convert_to_tensor(v) for v in variables]
    name = f"CustomGradient-{next(_custom_names)}"

    def rule(op, *dys):
        wanted = [g if g is not None else zeros_like(t) for g, t in zip(dys[: len(flat)], flat)]
        if variables:
            found, by_variable = grad_fn(*wanted, variables=variables)
        else:
            found, by_variable = grad_fn(*wanted), []
        return [None] * len(flat) + nest.flatten(found) + list(by_variable)

    REGISTERED[name] = rule
    with graph.gradient_override_map({basic.identity_n.name: name}):
        outputs = basic.identity_n([*flat, *arguments, *reads])
    for output, tensor in zip(outputs, flat):
        output.set_shape(tensor.shape)
    return nest.pack_sequence_as(result, outputs[: len(flat)])


@export("grad_pass_through")
def grad_pass_through(f):
    """Wraps a function in a straight-through estimator: forward it is `f`, backward the identity.

    >>> rounded = tf.grad_pass_through(tf.round)
    """

    @custom_gradient
    def passing(*args):
        def grad(*dys, variables=None):
            return dys if variables is None else (dys, [None] * len(variables))

        return f(*args), grad

    return functools.wraps(f)(passing)


@export("recompute_grad")
def recompute_grad(f):
    """Wraps a function for gradient checkpointing: the backward pass recomputes `f` and keeps no activations.

    Args:
        f: takes tensors and gives a tensor or several; it may use variables, but must find the same ones when it is
            called again.
    """

    @custom_gradient
    def recomputed(*args):
        def grad(*dys, variables=None):
            with default_graph().control_dependencies(dys):
                again = [basic.identity(a) for a in args]
            sources = [*again, *(variables or ())]
            if default_graph().is_eager:
                found = _recorded_gradients(lambda: f(*again), [_as_x(source) for source in sources], list(dys))
            else:
                found = gradients(nest.flatten(f(*again)), sources, grad_ys=list(dys))
            return found if variables is None else (found[: len(args)], found[len(args):])

        return f(*args), grad

    return functools.wraps(f)(recomputed)


def _recorded_gradients(function, sources, dys):
    """The gradients of what a function computes now by tensors that it uses."""
    recording = Recording(watch_variables=False)
    for source in sources:
        recording.watch(source)
    with recording.recorded():
        results = [convert_to_tensor(r) for r in nest.flatten(function())]
    return recording.gradients(results, sources, dys)


@contextlib.contextmanager
def variables_used(graph, arguments):
    """Gives a function that lists the trainable variables that nodes made inside the block read, arguments aside.

    Nodes tell of the variables in the graph's collection; a tape of those that were made with eager execution on.
    """
    before, told = graph.version, _VariablesRead()

    def used():
        by_op = {v.op: v for v in graph.get_collection("trainable_variables")}
        sources = {t.op for node in graph.get_operations()[before:] for t in node.inputs} - {a.op for a in arguments}
        owners = {s.inputs[0].op if s.opdef.kind in (Kind.IDENTITY, Kind.READ) else s for s in sources}
        found = [v for op, v in by_op.items() if op in owners]
        return found + [v for v in told if v.handle.graph.is_eager]

    with scopes.tapes.pushed(told):
        yield used


def _densified(value, dtype=None, name=None, as_ref=False):
    """IndexedSlices where one tensor is asked for."""
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"IndexedSlices of dtype {value.dtype.name} cannot become a tensor of {dtypes.as_dtype(dtype).name}"
        )
    return dense_of(value)


register_tensor_conversion_function(IndexedSlices, _densified)
