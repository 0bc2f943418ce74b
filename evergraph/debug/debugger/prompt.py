"""The prompt of the debugger: asks what to do with a step, and shows its tensors."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from evergraph.debug.debugger import dumps
from evergraph.graph.node import Tensor

_HELP = """commands:
  run               runs the step and lists its tensors
  run -f FILTER     runs this step and later ones until a filter finds a tensor, such as has_inf_or_nan
  run -n            runs the step without watching
  lt [-f FILTER]    lists the tensors of the last step
  pt NAME           prints a tensor, such as layer/MatMul:0
  exit              ends the program"""


class _Held:
    """A tensor of a step, with its value in memory."""

    def __init__(self, tensor: Tensor, value: Any) -> None:
        self.node_name, self.output_slot, self.debug_op = tensor.op.name, tensor.value_index, dumps.DEBUG_OP
        self.tensor_name = f"{self.node_name}:{self.output_slot}"
        self._value = np.asarray(value)

    def get_tensor(self) -> np.ndarray:
        """The value."""
        return self._value


class Prompt:
    """Asks the user at the terminal.

    Args:
        dump_root: a directory in which the tensors of watched steps are also kept; None for none.
        ui_type: "readline" or "curses"; both are lines at a prompt.
    """

    def __init__(self, dump_root: str | None, ui_type: str) -> None:
        if ui_type not in ("curses", "readline"):
            raise ValueError(f"ui_type must be curses or readline, not {ui_type!r}")
        self.filters: dict[str, Any] = {"has_inf_or_nan": dumps.has_inf_or_nan}
        self._root = dump_root
        self._until: str | None = None  # the filter that the user waits for
        self._held: list[_Held] | None = None

    def wants_to_watch(self, title: str) -> bool:
        """Asks whether to watch the next step; other commands are answered at once."""
        if self._until is not None:
            return True
        print(title)
        while True:
            words = self._read().split()
            match words:
                case ["run" | "r"]:
                    return True
                case ["run" | "r", "-n"]:
                    return False
                case ["run" | "r", "-f", name] if name in self.filters:
                    self._until = name
                    return True
                case ["lt"]:
                    print(*self._listed(None), sep="\n")
                case ["lt", "-f", name]:
                    print(*self._listed(name), sep="\n")
                case ["pt", name]:
                    print(self._value(name))
                case ["exit" | "quit"]:
                    sys.exit(0)
                case _:
                    print(_HELP)

    def show(self, tensors: list[Tensor], values: list[Any]) -> None:
        """Shows the tensors of a step, or those that the filter finds which the user waits for."""
        self._held = [_Held(tensor, value) for tensor, value in zip(tensors, values)]
        if self._root is not None:
            dumps.write(os.path.join(self._root, f"run_{int(time.time() * 1e6)}"),
                        [(each.node_name, each.output_slot, each.get_tensor()) for each in self._held])
        lines = list(self._listed(self._until))
        if lines:
            print(*lines, sep="\n")
            self._until = None

    def _read(self) -> str:
        """The next line of the user; at the end of the input steps run unwatched."""
        try:
            return input("tfdbg> ")
        except EOFError:
            return "run -n"

    def _listed(self, name: str | None) -> Iterator[str]:
        if self._held is None:
            yield "no step has run yet"
        elif name is not None and name not in self.filters:
            yield f"there is no filter {name}; there are {sorted(self.filters)}"
        else:
            for each in self._held:
                value = each.get_tensor()
                if name is None or self.filters[name](each, value):
                    yield f"{each.tensor_name}  {value.dtype} {list(value.shape)}"

    def _value(self, name: str) -> Any:
        wanted = name if ":" in name else f"{name}:0"
        found = (each.get_tensor() for each in self._held or () if each.tensor_name == wanted)
        return next(found, f"there is no {wanted}")
