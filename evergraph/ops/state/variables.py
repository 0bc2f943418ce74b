"""Variables: tensors that persist between steps, and the ops that read and assign them.

A kernel receives a variable as a cell: `.value` (an error while uninitialized), `.is_set`, `.assign(value)`.
"""
import numpy as np

from evergraph.base import errors
from evergraph.base.dtypes import short_name
from evergraph.base.shapes import text
from evergraph.graph.node import HandleData
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import merge
from evergraph.graph.traits import ANY, Kind, Memory

# ---- storage


def _kept(shape):
    return shape


@op("VariableV2(*, shape: shape, dtype: type, container: string = '', shared_name: string = '') -> ref: Ref(dtype)",
    stateful=True, shape=_kept, grad=STOP, kind=Kind.VARIABLE)
def variable_v2(cell):
    """A reference variable: storage for one tensor."""
    return cell


@op("Variable(*, shape: shape, dtype: type, container: string = '', shared_name: string = '') -> ref: Ref(dtype)",
    stateful=True, grad=STOP, kind=Kind.VARIABLE)
def variable(cell):
    """The oldest form of VariableV2, in which the shape [] means an unknown shape."""
    return cell


@variable.shape
def _(shape):
    return shape or None


@op("TemporaryVariable(*, shape: shape, dtype: type, var_name: string = '') -> ref: Ref(dtype)", stateful=True,
    shape=_kept, grad=STOP)
def temporary_variable(cell, shape, dtype):
    """A variable that lives for one step, initialized to zeros."""
    cell.assign(np.zeros(shape, dtype))
    return cell


@op("DestroyTemporaryVariable(ref: Ref(T), *, T: type, var_name: string) -> value: T")
def destroy_temporary_variable(node, ref, var_name):
    """The final value of a TemporaryVariable, found by `var_name` or else by its own name."""
    source = node.inputs[0].source
    while source.inputs and source.type != "TemporaryVariable":
        source = source.inputs[0].source
    if var_name != (source.attrs.get("var_name") or source.name):
        raise errors.NotFoundError(None, None, f"Temporary variable {var_name} does not exist; the one given is "
                                               f"{source.attrs.get('var_name') or source.name}")
    return ref.value


@destroy_temporary_variable.shape
def _(ref):
    return ref


@op("VarHandleOp(*, container: string = '', shared_name: string = '', dtype: type, shape: shape) -> resource: resource",
    stateful=True, grad=STOP, kind=Kind.VARIABLE, later={"debug_name": ANY, "allowed_devices": []})
def var_handle_op(cell):
    """A resource variable: a handle to storage for one tensor."""
    return cell


@var_handle_op.shape
def _(node, dtype, shape):
    node.outputs[0]._handle_data = HandleData(dtype, shape)
    return ()


def variable_shape_of(handle):
    """The static shape of the variable behind a handle, or None if it is unknown."""
    data = handle._handle_data
    return None if data is None else data.shape


def _require_dtype(node, what):
    """Raises ValueError unless the variable behind the handle has the dtype of the node."""
    data, dtype = node.inputs[0]._handle_data, node.attrs["dtype"]
    if data is not None and data.dtype is not dtype:
        is_taken = what == "read" and node.graph.is_eager  # by a kernel, which is told of the value that it reads
        given, taken = (data.dtype, dtype) if is_taken else (dtype, data.dtype)
        raise ValueError(f"Trying to {what} variable with wrong dtype. "
                         f"Expected {short_name(taken)} got {short_name(given)}")


# ---- reading

@op("ReadVariableOp(resource: resource, *, dtype: type) -> value: dtype", stateful=True,
    kind=Kind.READ, memory=Memory.STORED, reads_only=True)
def read_variable_op(resource):
    """Reads a resource variable."""
    if not resource.is_set:
        raise errors.FailedPreconditionError(
            None, None, f"Error while reading resource variable {resource.label} from Container: localhost. This could "
                        f"mean that the variable was uninitialized. Not found: Resource localhost/{resource.label}/Var "
                        "does not exist.")
    return resource.value


@read_variable_op.shape
def _(node):
    _require_dtype(node, "read")
    return variable_shape_of(node.inputs[0])


@read_variable_op.grad
def _(op, dy):
    return dy


@op("VariableShape(input: resource, *, out_type: index = int32) -> output: out_type", stateful=True, grad=STOP,
    reads_only=True)
def variable_shape(input, out_type):
    """The shape of a resource variable."""
    return np.array(np.shape(input.value), out_type)


@variable_shape.shape
def _(node):
    shape = variable_shape_of(node.inputs[0])
    return (None if shape is None else len(shape),)


@op("IsVariableInitialized(ref: Ref(dtype), *, dtype: type) -> is_initialized: bool", grad=STOP, reads_only=True)
def is_variable_initialized(ref):
    """Whether the variable is initialized."""
    return np.bool_(ref.is_set)


@is_variable_initialized.shape
def _():
    return ()


@op("VarIsInitializedOp(resource: resource) -> is_initialized: bool", stateful=True, grad=STOP, reads_only=True)
def var_is_initialized_op(resource):
    """Whether the variable is initialized."""
    return np.bool_(resource.is_set)


@var_is_initialized_op.shape
def _():
    return ()


@op("DestroyResourceOp(resource: resource, *, ignore_lookup_error: bool = True) -> ()", stateful=True, on="host")
def destroy_resource_op(resource, ignore_lookup_error):
    """Deletes the variable's value."""
    if not resource.is_set and not ignore_lookup_error:
        raise errors.NotFoundError(None, None, "The resource to destroy does not exist")
    resource.assign(None)


# ---- assigning

@op("Assign(ref: Ref(T), value: T, *, T: type, validate_shape: bool = True, use_locking: bool = True) -> "
    "output_ref: Ref(T)", grad=STOP, kind=Kind.ASSIGN)
def assign(node, ref, value, validate_shape):
    """Assigns `value` to the variable."""
    if validate_shape:
        declared = np.shape(ref.value) if ref.is_set else node.inputs[0].source.attrs.get("shape")
        _require_shape(declared, value, node.inputs[0].source.name)
    ref.assign(value)
    return ref


@assign.shape
def _(ref, value, validate_shape):
    return merge(ref, value) if validate_shape else value


@op("AssignVariableOp(resource: resource, value: dtype, *, dtype: type) -> ()", stateful=True,
    kind=Kind.ASSIGN, later={"validate_shape": ANY})
def assign_variable_op(resource, value):
    """Assigns `value` to the variable. Unknown parts of the static shape are not checked."""
    resource.assign(value)


@assign_variable_op.shape
def _(node, value):
    _require_dtype(node, "assign")
    if not node.graph.is_eager:
        merge(variable_shape_of(node.inputs[0]), value)


def _require_shape(declared, value, name):
    """Raises InvalidArgumentError unless `value` has the shape with which the variable was declared."""
    found = np.shape(value)
    if declared is None:
        return
    if len(declared) != len(found) or any(d is not None and d != f for d, f in zip(declared, found)):
        raise errors.InvalidArgumentError(None, None, f"Assign requires shapes of both tensors to match. Variable "
                                                      f"'{name}' is {text(declared)}, the value {text(found)}")


def _value_like(cell, value, kind):
    """The value of a variable, to which one of the same shape is added.

    Raises:
        InvalidArgumentError: it has another shape.
    """
    before = cell.value
    if before.shape != value.shape:
        raise errors.InvalidArgumentError(None, None, f"{kind}: the variable has shape {text(before.shape)}, the value "
                                                      f"has shape {text(value.shape)}")
    return before


@op("AssignAdd(ref: Ref(T), value: T, *, T: number, use_locking: bool = False) -> output_ref: Ref(T)",
    shape=lambda ref, value: merge(ref, value), grad=STOP)
def assign_add(ref, value):
    """Adds `value` to the variable."""
    ref.assign(_value_like(ref, value, "AssignAdd") + value)
    return ref


@op("AssignSub(ref: Ref(T), value: T, *, T: number, use_locking: bool = False) -> output_ref: Ref(T)",
    shape=lambda ref, value: merge(ref, value), grad=STOP)
def assign_sub(ref, value):
    """Subtracts `value` from the variable."""
    ref.assign(_value_like(ref, value, "AssignSub") - value)
    return ref


@op("AssignAddVariableOp(resource: resource, value: dtype, *, dtype: type) -> ()", stateful=True)
def assign_add_variable_op(resource, value):
    """Adds `value` to the variable."""
    resource.assign(_value_like(resource, value, "AssignAddVariableOp") + value)


@op("AssignSubVariableOp(resource: resource, value: dtype, *, dtype: type) -> ()", stateful=True)
def assign_sub_variable_op(resource, value):
    """Subtracts `value` from the variable."""
    resource.assign(_value_like(resource, value, "AssignSubVariableOp") - value)


@assign_add_variable_op.shape
@assign_sub_variable_op.shape
def _(node, value):
    merge(variable_shape_of(node.inputs[0]), value)


# ---- counting: on the host, because reaching the limit is an OutOfRangeError that ends an input pipeline

def _count(cell, limit):
    def next_after(now):
        if now >= limit:
            raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")
        return now + np.ones_like(now)

    return cell.replace(next_after)


@op("CountUpTo(ref: Ref(T), *, limit: int, T: index) -> output: T", on="host", grad=STOP)
def count_up_to(ref, limit):
    """Increments a scalar variable and returns its previous value; raises OutOfRangeError at the limit."""
    return _count(ref, limit)


@count_up_to.shape
def _(ref):
    return merge(ref, ())


@op("ResourceCountUpTo(resource: resource, *, limit: int, T: index) -> output: T", stateful=True, on="host", grad=STOP)
def resource_count_up_to(resource, limit):
    """Increments a scalar variable and returns its previous value; raises OutOfRangeError at the limit."""
    return _count(resource, limit)


@resource_count_up_to.shape
def _(node):
    return merge(variable_shape_of(node.inputs[0]), ())
