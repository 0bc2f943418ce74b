"""What tracing a kernel may bring to light: a value that has to be static, a node XLA cannot run, a missing value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from evergraph.graph.node import Tensor


class NeedStatic(Exception):
    """A kernel needs the value of a tensor at trace time, but the tensor is only computed at run time.

    Contexts raise it for traced inputs that the op declares `static`. A kernel that needs a value only in some cases
    raises it itself.
    """

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor.name)
        self.tensor = tensor


class Uncompilable(Exception):
    """No compiled program can do what the graph asks for, such as a loop variable whose shape grows: NumPy has to."""


class Hole:
    """Stands for a value that does not exist, such as an output of the branch that was not taken."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype


OUTGROWN = "a list grew beyond the room it was compiled with"
"""The message of the check that a list fits into its buffer; when it fails, the step is compiled for twice the room."""
