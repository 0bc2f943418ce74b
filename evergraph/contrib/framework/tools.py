"""tf.contrib.framework: names that TensorFlow later gave other homes, and small things on shapes, scopes and graphs."""

from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import checks, confusion, specs
from evergraph.frontend import math as arithmetic
from evergraph.frontend.array import shape as shape_of
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import case, smart_cond, smart_constant_value
from evergraph.frontend.reduce import reduce_sum
from evergraph.graph import composite
from evergraph.graph.apply import graph_of
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.traits import Kind
from evergraph.ops.arrays.basic import identity
from evergraph.save import reader, warm

# Public name -> what has it, for those that are another name of something else.
SAME = {
    "load_checkpoint": reader.load_checkpoint,
    "list_variables": reader.list_variables,
    "load_variable": reader.load_variable,
    "init_from_checkpoint": warm.init_from_checkpoint,
    "smart_cond": smart_cond,
    "smart_constant_value": smart_constant_value,
    "TensorSpec": specs.TensorSpec,
    "assert_scalar": checks.assert_scalar,
    "assert_same_float_dtype": checks.assert_same_float_dtype,
    "is_numeric_tensor": arithmetic.is_numeric_tensor,
    "is_non_decreasing": arithmetic.is_non_decreasing,
    "is_strictly_increasing": arithmetic.is_strictly_increasing,
    "convert_to_tensor_or_sparse_tensor": composite.convert_to_tensor_or_sparse_tensor,
    "remove_squeezable_dimensions": confusion.remove_squeezable_dimensions,
}
for _name, _value in SAME.items():
    globals()[_name] = _value
    export(f"contrib.framework.{_name}")(_value)


def _named(function):
    return export(f"contrib.framework.{function.__name__}")(function)


@_named
def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """`tf.case` that calls only one function when all conditions are known now.

    Args:
        pred_fn_pairs: (condition, function) pairs, or a dict of them.
        default: the function for when no condition holds.
        exclusive: whether it is an error that several hold, where they are found out in the step.
        name: of the operations.
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    known = [smart_constant_value(pred) for pred, _ in pairs]
    if None in known or default is None and not any(known):
        asked = [(convert_to_tensor(pred), function) for pred, function in pairs]
        return case(asked, default, exclusive=exclusive, name=name)
    chosen = [function for holds, (_, function) in zip(known, pairs) if holds]
    return chosen[0]() if chosen else default()


@_named
def reduce_sum_n(tensors, name=None):
    """The sum of the elements of all tensors.

    Raises:
        ValueError: there are none.
    """
    if not tensors:
        raise ValueError("reduce_sum_n needs a tensor at least")
    with name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [reduce_sum(convert_to_tensor(tensor)) for tensor in tensors]
        return sums[0] if len(sums) == 1 else arithmetic.add_n(sums, name=scope)


@_named
def assert_scalar_int(tensor, name=None):
    """`tensor`, which must be one number of an integer dtype.

    Raises:
        ValueError: it has another shape or dtype.
    """
    with name_scope(name, "assert_scalar_int", [tensor]):
        tensor = convert_to_tensor(tensor)
        if not tensor.dtype.is_integer:
            raise ValueError(f"{tensor.name} is {tensor.dtype.name}, an integer is wanted")
        return checks.assert_scalar(tensor)


@_named
def with_shape(expected_shape, tensor):
    """`tensor`, checked to be of a shape: now if that is known, otherwise in the step.

    Args:
        expected_shape: a TensorShape, ints, or an int tensor.
        tensor: what is checked; its static shape becomes the expected one where it was not known.

    Raises:
        ValueError: the shape is known and another, or `expected_shape` is no shape.
    """
    tensor = convert_to_tensor(tensor)
    wanted = _static(expected_shape)
    if wanted is not None and not tensor.shape.is_compatible_with(wanted):
        raise ValueError(f"{tensor.name} has shape {tensor.shape}, {wanted} is wanted")
    if wanted is not None and (not wanted.is_fully_defined() or tensor.shape.is_fully_defined()):
        return tensor
    dynamic = wanted.as_list() if wanted is not None else expected_shape
    check = checks.assert_equal(shape_of(tensor), convert_to_tensor(dynamic, dtypes.int32),
                                message=f"{tensor.name} has another shape than is wanted")  # fmt: skip
    with control_dependencies([check]):
        checked = identity(tensor, name="with_shape")
    checked.set_shape(tensor.shape if wanted is None else tensor.shape.merge_with(wanted))
    return checked


def _static(expected):
    """An expected shape as a TensorShape; None when it is a tensor."""
    if isinstance(expected, TensorShape):
        return expected
    found = convert_to_tensor(expected, name="expected_shape")
    if not found.dtype.is_integer or found.shape.ndims not in (None, 1):
        raise ValueError(f"a shape is a vector of ints, not {expected!r}")
    return TensorShape(list(expected)) if isinstance(expected, (list, tuple)) else None


@_named
def with_same_shape(expected_tensor, tensor):
    """`tensor`, checked to have the shape of another one."""
    with name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        known = expected_tensor.shape
        return with_shape(known if known.is_fully_defined() else shape_of(expected_tensor), tensor)


@_named
def get_graph_from_inputs(op_input_list, graph=None):
    """The graph that these values belong to, which must be `graph` if that is given.

    Raises:
        ValueError: they belong to several graphs.
    """
    found = graph_of(list(op_input_list), graph or default_graph())
    if graph is not None and found is not graph:
        raise ValueError("the values do not belong to the graph that was given")
    return found


@_named
def get_placeholders(graph):
    """The tensors of the placeholders of a graph."""
    return [node.outputs[0] for node in graph.get_operations() if node.opdef.kind is Kind.PLACEHOLDER]


@_named
def get_name_scope():
    """The name of the scope in force, "a/b"; "" outside all of them."""
    return default_graph().get_name_scope()


@_named
def prepend_name_scope(name, import_scope):
    """A name as it is when imported into a scope; what stands before it, as "^" or "loc:@", stays there."""
    if not import_scope:
        return name
    lead, rest = _lead(name)
    return f"{lead}{import_scope.rstrip('/')}/{rest}"


@_named
def strip_name_scope(name, export_scope):
    """A name without the scope that it is exported from."""
    lead, rest = _lead(name)
    scope = f"{export_scope.rstrip('/')}/" if export_scope else ""
    return lead + (rest[len(scope) :] if scope and rest.startswith(scope) else rest)


def _lead(name):
    """("loc:@" or "^" or "", the rest)."""
    for lead in ("loc:@", "^"):
        if name.startswith(lead):
            return lead, name[len(lead) :]
    return "", name
