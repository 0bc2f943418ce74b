"""TensorFlow 1's dataflow control flow: Switch and Merge for branches; Enter, NextIteration and Exit for loops.

Programs built here have functional nodes instead (see functional.py); these ops come with imported graphs. They are
declared so that such graphs can be inspected, edited and exported. Before a graph runs,
passes/imported/functionalize.py replaces them by If and While, so that their kernels are never called.
"""

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.graph.differentiate import dense_of
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import same_as, scalar
from evergraph.graph.traits import Kind


def _part(line, doc, shape, grad=None, **traits):
    def kernel(node):
        raise errors.InternalError(None, None, f"{node.type} '{node.name}' is a part of a loop or branch: never run")

    kernel.__doc__ = doc
    return op(line, shape=shape, grad=grad, **traits)(kernel)


def _twice(data):
    return [data, data]


def _merged(inputs):
    """The merge of the inputs' shapes; the output is any one of the inputs."""
    if any(shape is None for shape in inputs) or len({len(shape) for shape in inputs}) > 1:
        return [None, ()]
    return [tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*inputs)), ()]


def _switch_gradient(op, dy_false, dy_true):
    """Only one of the two gradients has a value, like the outputs."""
    predicate = op.inputs[1]
    dy_false, dy_true = (_gradient_of_value(op, i, dy) for i, dy in enumerate((dy_false, dy_true)))
    return merge([switch(dy_false, predicate).output_false, switch(dy_true, predicate).output_true]).output, None


def _gradient_of_value(op, side, dy):
    """The gradient of an output; for a variable's handle that one side does not use, zeros like its value."""
    dy = dense_of(dy)
    if dy.dtype is not dtypes.resource:
        return dy
    source = op.inputs[0]
    while source.op.type in ("Switch", "Identity", "Enter"):
        source = source.op.inputs[0]
    return lookup("ZerosLike")(lookup("ReadVariableOp")(op.outputs[side], source.op.attrs["dtype"]))


def _merge_gradient(op, dy, _):
    """The gradient goes to the selected input; the others have none, as they had no value."""
    taken = [lookup("Equal")(op.outputs[1], np.int32(i)) for i in range(len(op.inputs))]
    return [switch(dy, each).output_true for each in taken]


_frame = "frame_name: string, is_constant: bool = False, parallel_iterations: int = 10"

switch = _part("Switch(data: T, pred: bool, *, T: type) -> output_false: T, output_true: T",
               "Forwards `data` to the output that `pred` selects; the other output has no value.", _twice,
               grad=_switch_gradient, aliases=True)
ref_switch = _part("RefSwitch(data: Ref(T), pred: bool, *, T: type) -> output_false: Ref(T), output_true: Ref(T)",
                   "A Switch of a reference.", _twice, aliases=True)
merge = _part("Merge(inputs: N * T, *, T: type, N: int >= 1) -> output: T, value_index: int32",
              "Forwards the one input that has a value, and its index.", _merged, grad=_merge_gradient,
              kind=Kind.MERGE)
ref_merge = _part("RefMerge(inputs: N * Ref(T), *, T: type, N: int >= 1) -> output: Ref(T), value_index: int32",
                  "A Merge of references.", _merged, kind=Kind.MERGE)
enter = _part(f"Enter(data: T, *, T: type, {_frame}) -> output: T",
              "Enters a value into the loop frame of that name, for the first iteration or as a loop constant.",
              same_as("data"), aliases=True)
ref_enter = _part(f"RefEnter(data: Ref(T), *, T: type, {_frame}) -> output: Ref(T)", "An Enter of a reference.",
                  same_as("data"), aliases=True)
exit_ = _part("Exit(data: T, *, T: type) -> output: T", "Exits a value from its loop frame.", same_as("data"))
ref_exit = _part("RefExit(data: Ref(T), *, T: type) -> output: Ref(T)", "An Exit of a reference.", same_as("data"))
next_iteration = _part("NextIteration(data: T, *, T: type) -> output: T", "Passes a value to the next iteration.",
                       same_as("data"), kind=Kind.BACK_EDGE)
ref_next_iteration = _part("RefNextIteration(data: Ref(T), *, T: type) -> output: Ref(T)",
                           "A NextIteration of a reference.", same_as("data"), kind=Kind.BACK_EDGE)
loop_cond = _part("LoopCond(input: bool) -> output: bool", "The loop condition of a frame.", scalar)
