"""Why a step cannot run the way it was planned or compiled.

    Reason
    ├── Replan                  Plan.after answers these with another plan
    │   ├── NeedStatic          a tensor has to be known at trace time
    │   ├── NeedHost            a node has to run on the host
    │   ├── NeedApart           nodes need a stage of their own, because their sizes differ from step to step
    │   ├── NeedDynamicLength   a length has to stay out of the compiled program
    │   └── NeedRoom            so has the length of what is fed, over which loops run
    ├── NeedCapacity            a list has to have a larger buffer
    ├── OtherSizes              a tensor has another size than the program was compiled for
    ├── LongLoop                loops on NumPy take longer than compiling them
    └── Uncompilable            XLA cannot express what a node does

Whoever raises a reason has changed nothing that is stored, so that its handler can run the same stage again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evergraph.graph.node import Operation, Tensor

CAPACITY_EXCEEDED = "a list grew beyond the capacity it was compiled with"
"""The message of a check whose failure raises NeedCapacity instead of an error."""

SIZE_ASSUMED = "a tensor has another size than the one assumed"
"""The message of a check whose failure raises OtherSizes. Its one value is the tensor that would tell the size."""


class Reason(Exception):
    """Why a step cannot run the way it was planned or compiled."""


class Replan(Reason):
    """A reason to plan the stages of a run differently: raised by stage runners, handled by the executor."""


class NeedStatic(Replan):
    """A kernel needs the value of a tensor at trace time.

    Raised by kernels, and for inputs that their ops declare `static`. The executor has the tensor computed in an
    earlier stage, and compiled programs are keyed by its value. A stage runner raises NeedHost instead for tensors
    inside functions, because no earlier stage can compute these.

    Attributes:
        tensor: the tensor.
        node: the node of the stage that was being traced; the stage runner says which.
    """

    def __init__(self, tensor: Tensor, node: Operation | None = None) -> None:
        super().__init__(tensor.name)
        self.tensor, self.node = tensor, node


class NeedHost(Replan):
    """A node cannot be part of a compiled program: its kernel failed to trace. The executor moves it to the host."""

    def __init__(self, node: Operation) -> None:
        super().__init__(node.name)
        self.node = node


class NeedApart(Replan):
    """A host op has found out another size than before, and few nodes of a stage have that size in their shapes.

    Those nodes get a stage of their own, so that the others are compiled once.
    """

    def __init__(self, nodes: frozenset[Operation]) -> None:
        super().__init__(", ".join(sorted(node.name for node in nodes)))
        self.nodes = nodes


class NeedDynamicLength(Replan):
    """The static length of a list differs from the one before, although the feeds have the same shapes.

    The length becomes a run-time value, so that one compiled program serves all lengths.
    """

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor.name)
        self.tensor = tensor


class NeedRoom(Replan):
    """Loops run over the steps of sequences that are fed, and the number of steps differs from the one before.

    The lists that the loops read get room for more steps, and their length becomes a run-time value.
    """


class NeedCapacity(Reason):
    """A list grew beyond its buffer while a compiled program ran, which kept all variables as they were.

    The stage runner doubles the capacity, compiles again and repeats the stage.
    """


class OtherSizes(Reason):
    """The sizes of a step are not those that its program assumes, as where a moving slice reaches past the end.

    The program kept all variables as they were, and the stage runner runs the step on NumPy. When such steps are no
    exception, it compiles again without the assumption: NeedStatic names the tensors that programs then depend on.
    """


class LongLoop(Reason):
    """Loops on NumPy have called more kernels than they may; the stage runner has the stage compiled."""


class Uncompilable(Reason):
    """A compiled program cannot do what a node asks for, such as a loop variable that changes its shape.

    Raised by kernels, loops and branches at trace time. The stage runner raises NeedHost for the node, or runs the
    whole stage on NumPy when it cannot tell the node.
    """
