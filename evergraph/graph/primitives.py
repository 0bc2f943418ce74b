"""The ops that graph/ itself adds to graphs and messages, by name.

Ops are declared in ops/, a higher layer; this is the only module below it that names them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evergraph.graph.registry import lookup

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef


@dataclass(frozen=True)
class Primitive:
    """An op that is looked up at its first use. Call it to add a node."""

    name: str

    @property
    def opdef(self) -> OpDef:
        return lookup(self.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return lookup(self.name)(*args, **kwargs)


# Ops that build graphs and functions.
CONST = Primitive("Const")
PLACEHOLDER = Primitive("Placeholder")
IDENTITY = Primitive("Identity")
NO_OP = Primitive("NoOp")
CALL = Primitive("PartitionedCall")
STATEFUL_CALL = Primitive("StatefulPartitionedCall")
FAKE_PARAM = Primitive("FakeParam")
ASSERT = Primitive("Assert")

# Ops that the gradient walker adds.
ADD_N = Primitive("AddN")
BROADCAST_GRADIENT_ARGS = Primitive("BroadcastGradientArgs")
CAST = Primitive("Cast")
CONCAT = Primitive("ConcatV2")
FILL = Primitive("Fill")
RESHAPE = Primitive("Reshape")
SHAPE = Primitive("Shape")
STRIDED_SLICE = Primitive("StridedSlice")
SUM = Primitive("Sum")
SYMBOLIC_GRADIENT = Primitive("SymbolicGradient")
UNSORTED_SEGMENT_SUM = Primitive("UnsortedSegmentSum")
ZEROS_LIKE = Primitive("ZerosLike")

# Ops that a GraphDef has in place of conditionals and loops that assign to references.
SWITCH = Primitive("Switch")
REF_SWITCH = Primitive("RefSwitch")
MERGE = Primitive("Merge")
ENTER = Primitive("Enter")
REF_ENTER = Primitive("RefEnter")
EXIT = Primitive("Exit")
NEXT_ITERATION = Primitive("NextIteration")
LOOP_COND = Primitive("LoopCond")
