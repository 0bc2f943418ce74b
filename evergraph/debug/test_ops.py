"""Ops that programs use to test graphs, as `tensorflow.python.framework.test_ops` declares them.

Most have a signature and no kernel: a graph can hold them, and a step that needs one raises InvalidArgumentError.
Nothing imports this module except programs that ask for it by TensorFlow's path, so other processes do not know these
ops: their names, such as `A` and `None`, stay free.
"""

from __future__ import annotations

import numpy as np

from evergraph.base import errors
from evergraph.base.version import GRAPH_DEF_VERSION
from evergraph.graph.opdef import OpDef, op
from evergraph.graph.shaping import scalar, with_rank

WITHOUT_KERNELS = """
A() -> out: float
Attr(*, a: int) -> ()
AttrBool(*, a: bool) -> ()
AttrBoolList(*, a: list(bool)) -> ()
AttrDefault(*, a: string = 'banana') -> ()
AttrEmptyListDefault(*, a: list(float) = []) -> ()
AttrEnum(*, a: {'apples', 'oranges'}) -> ()
AttrEnumList(*, a: list({'apples', 'oranges'})) -> ()
AttrFloat(*, a: float) -> ()
AttrListDefault(*, a: list(int) = [5, 15]) -> ()
AttrListMin(*, a: list(int) >= 2) -> ()
AttrListTypeDefault(a: N * T, b: N * T, *, T: type = int32, N: int >= 1) -> ()
AttrMin(*, a: int >= 5) -> ()
AttrPartialShape(*, a: shape) -> ()
AttrPartialShapeList(*, a: list(shape)) -> ()
AttrShape(*, a: shape) -> ()
AttrShapeList(*, a: list(shape)) -> ()
AttrTypeDefault(a: T, *, T: type = int32) -> ()
B() -> out: float
Binary(a: T, b: T, *, T: type) -> out: T
ComplexStruct(*, n_a: int >= 0, n_b: int >= 0, t_c: list(type) >= 0) -> a: n_a * int32, b: n_b * int64, c: t_c
CopyOp(a: T, *, T: type) -> b: T
DefaultAttrs(*, string_val: string = 'abc', string_list_val: list(string) = ['abc', ''], int_val: int = 123, \
int_list_val: list(int) = [1, 2, 3], float_val: float = 10.0, float_list_val: list(float) = [10.0], \
bool_val: bool = True, bool_list_val: list(bool) = [True, False], type_val: type = int32, \
type_list_val: list(type) = [int32, float], shape_val: shape = [2, 1], shape_list_val: list(shape) = [[], [1]], \
tensor_val: tensor = int32:1, tensor_list_val: list(tensor) = [int32:1]) -> ()
FiveFloatOutputs() -> a: float, b: float, c: float, d: float, e: float
FloatInput(a: float) -> ()
FloatOutput() -> a: float
FloatOutputStringOutput() -> a: float, b: string
Foo1(a: float, b: int32, c: int32) -> d: float, e: int32
Foo2(a: float, b: string, c: string) -> d: float, e: int32
Foo3(a: float, b: string, c: float) -> d: float, e: int32
FuncAttr(*, f: func) -> ()
FuncListAttr(*, f: list(func)) -> ()
InPolymorphicTwice(a: N * T, b: M * T, *, T: type = int32, N: int >= 0, M: int >= 0) -> ()
Int64Output() -> out: int64
IntAttr(*, foo: int = 1) -> out: int64
IntInput(a: int32) -> ()
IntInputFloatInput(a: int32, b: float) -> ()
IntInputIntOutput(a: int32) -> b: int32
IntOutput() -> a: int32
IntOutputFloatOutput() -> a: int32, b: float
ListInput(a: N * T, *, N: int >= 1, T: type) -> ()
ListOutput(*, T: list(type) >= 1) -> a: T
MixedStruct(*, n_a: int >= 0) -> a: n_a * int32, b: float
NInPolymorphicTwice(a: N * T, b: N * T, *, T: type, N: int >= 0) -> ()
NInTwice(a: N * int32, b: N * string, *, N: int >= 0) -> ()
NInTwoTypeVariables(a: N * S, b: N * T, *, S: type, T: type, N: int >= 0) -> ()
NIntsIn(a: N * int32, *, N: int >= 2) -> ()
NIntsOut(*, N: int >= 2) -> a: N * int32
NIntsOutDefault(*, N: int >= 2 = 3) -> a: N * int32
NPolymorphicIn(a: N * T, *, T: type, N: int >= 2) -> ()
NPolymorphicOut(*, T: type, N: int >= 2) -> a: N * T
NPolymorphicOutDefault(*, T: type = bool, N: int >= 2 = 2) -> a: N * T
NPolymorphicRestrictIn(a: N * T, *, T: {string, bool}, N: int >= 2) -> ()
NPolymorphicRestrictOut(*, T: {string, bool}, N: int >= 2) -> a: N * T
None() -> ()
OpWithDefaultAttr(*, default_float: float = 123.0) -> a: int32
OpWithFutureDefaultAttr() -> ()
OutT(*, T: type) -> a: T
OutTypeList(*, T: list(type) >= 0) -> out: T
OutTypeListRestrict(*, t: list({string, bool}) >= 1) -> out: t
Polymorphic(a: T, *, T: type) -> out: T
PolymorphicDefaultOut(*, T: type = string) -> out: T
PolymorphicOut(*, T: type) -> out: T
RefIn(a: Ref(T), *, T: type) -> ()
RefInputFloatInput(a: Ref(float), b: float) -> ()
RefInputFloatInputIntOutput(a: Ref(float), b: float) -> c: int32
RefInputIntInput(a: Ref(int32), b: int32) -> ()
RefOut(*, T: type) -> a: Ref(T)
RefOutput() -> a: Ref(int32)
RefOutputFloatOutput() -> a: Ref(float), b: float
ReservedAttr(*, range: int) -> ()
ReservedInput(input: int32) -> ()
Restrict(a: T, *, T: {string, bool}) -> out: T
Simple(a: int32) -> out: float
SimpleStruct(*, n_a: int >= 0) -> a: n_a * int32
StringListAttr(*, a: list(string), b: string) -> ()
TestStringOutput(input: float) -> output1: float, output2: string
TwoFloatInputs(a: float, b: float) -> ()
TwoFloatInputsFloatOutput(a: float, b: float) -> c: float
TwoFloatInputsIntOutput(a: float, b: float) -> c: int32
TwoFloatOutputs() -> a: float, b: float
TwoIntInputs(a: int32, b: int32) -> ()
TwoIntOutputs() -> a: int32, b: int32
TwoRefsIn(a: Ref(T), b: Ref(T), *, T: type) -> ()
TypeList(a: T, *, T: list(type) >= 0) -> ()
TypeListRestrict(a: T, *, T: list({string, bool}) >= 1) -> ()
TypeListTwice(a: T, b: T, *, T: list(type) >= 0) -> ()
Unary(a: T, *, T: type) -> b: T
"""


_LABELS = ("", "overload_1", "overload_2")


def _refuse(node):
    """Says that no kernel computes a node."""
    attrs = ", ".join(f"{name}={value}" for name, value in sorted(node.attrs.items()))
    label = f"label '{_label(node)}' and " if _label(node) else ""
    raise errors.InvalidArgumentError(node.node_def, node, f"No OpKernel was registered to support Op '{node.type}' "
                                      f"with {label}attrs [{attrs}]")  # fmt: skip


def _label(node):
    """The kernel that `Graph._kernel_label_map` chose for a node."""
    return node.extra["_kernel"].s.decode() if "_kernel" in node.extra else ""


def _declared(line: str) -> OpDef:
    """An op without a kernel: a step that reaches it fails."""

    def kernel(node):
        _refuse(node)

    kernel.__doc__ = f"{line.partition('(')[0]} has no kernel."
    return op(line, on="host", opaque=True, shape=lambda node: [None] * len(node.outputs))(kernel)


_FUNCTIONS = {found.__name__: found for found in map(_declared, WITHOUT_KERNELS.strip().splitlines())}


def __getattr__(name: str) -> OpDef:
    """The function of an op in the table, by TensorFlow's name."""
    try:
        return _FUNCTIONS[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


# ---------------------------------------------------------------- kernels by label


@op("KernelLabel() -> result: string", on="host", shape=scalar, opaque=True)
def kernel_label(node):
    """Says which of its kernels runs."""
    if _label(node) not in _LABELS:
        _refuse(node)
    return np.array(f"My label is: {_label(node) or 'default'}".encode(), object)


@op("KernelLabelRequired(input: int32) -> result: string", on="host", opaque=True)
def kernel_label_required(node):
    """Says which of its kernels runs; it has none without a label."""
    if _label(node) not in _LABELS[1:]:
        _refuse(node)
    return np.array(f"My label is: {_label(node)}".encode(), object)


@kernel_label_required.shape
def _(input):
    with_rank(input, 1)
    return ()


# ---------------------------------------------------------------- versions, types and devices


@op("GraphDefVersion() -> version: int32", stateful=True, on="host", shape=scalar)
def graph_def_version(node):
    """The version of TensorFlow's formats that wrote the graph."""
    return np.int32(node.graph.graph_def_versions.producer)


@op("RequiresOlderGraphVersion() -> version: int32", stateful=True, on="host")
def requires_older_graph_version(node):
    """Exists in graphs whose version is the one before evergraph's."""
    _refuse(node)


@requires_older_graph_version.shape
def _(node):
    if node.graph.graph_def_versions.producer != GRAPH_DEF_VERSION - 1:
        raise ValueError("Wrong graph version for shape")
    return ()


@op("Old() -> ()", on="host", opaque=True)
def old():
    """Does nothing, in graphs that were written before version 8."""


@old.shape
def _(node):
    version = node.graph.graph_def_versions.producer
    if version >= 8:
        raise NotImplementedError(
            f"Op Old cannot be in a graph of version {version}: It has been removed in version 8. For reasons."
        )


@op("TestAttr(*, T: {float, double}) -> out: T", stateful=True, on="host", shape=lambda: None)
def test_attr(node, T):
    """1.0, which only a kernel for float32 returns."""
    if T.name != "float32":
        _refuse(node)
    return np.float32(1.0)


@op("DevicePlacementOp() -> device: string", stateful=True, on="host", shape=scalar)
def device_placement_op():
    """The full name of the device that the node runs on, which is the CPU: the kernel needs the host."""
    return np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object)


# ---------------------------------------------------------------- a resource that does nothing


class Stub:
    """A resource that exists once an op has created it."""

    exists = False


@op("StubResourceHandleOp(*, container: string = '', shared_name: string = '') -> resource: resource",
    stateful=True, on="host", shape=scalar)  # fmt: skip
def stub_resource_handle_op(shared):
    """The handle of a stub, which need not exist yet."""
    return shared(Stub)


@op("ResourceInitializedOp(resource: resource) -> initialized: bool", stateful=True, on="host", shape=scalar)
def resource_initialized_op(resource):
    """Whether a stub exists."""
    return np.bool_(resource.exists)


@op("ResourceCreateOp(resource: resource) -> ()", stateful=True, on="host")
def resource_create_op(node, resource):
    """Creates a stub."""
    if resource.exists:
        raise errors.AlreadyExistsError(node.node_def, node, "Resource of the handle exists already")
    resource.exists = True


@op("ResourceUsingOp(resource: resource) -> ()", stateful=True, on="host")
def resource_using_op(node, resource):
    """Needs a stub."""
    if not resource.exists:
        raise errors.NotFoundError(node.node_def, node, "Could not find resource: nothing has created it")
