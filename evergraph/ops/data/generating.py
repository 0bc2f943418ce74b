"""Datasets of what functions give when they are called again and again: the op behind `from_generator`."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors
from evergraph.ops.data.pipeline import TYPES, Captured, Dataset, Element, Iterator, dataset_op

_ARGUMENTS = ", ".join(f"{name}_func_other_args: T{name}_func_args" for name in ("init", "next", "finalize"))
_FUNCTIONS = "init_func: func, next_func: func, finalize_func: func, " + ", ".join(
    f"T{name}_func_args: list(type) >= 0" for name in ("init", "next", "finalize"))


class Generator(Dataset):
    """What `following` gives of the state that `first` gave, until it raises OutOfRangeError; then `last` is called."""

    def __init__(self, node: Any, first: Captured, following: Captured, last: Captured) -> None:
        super().__init__(node.attrs["output_types"], node.attrs["output_shapes"])
        self.functions = first, following, last

    def iterate(self, scope: Any) -> Iterator:
        return _GeneratorIterator(*(scope.function(each) for each in self.functions))


class _GeneratorIterator(Iterator):
    """A Python generator cannot say where it stands: `restore` draws as many elements of a new one."""

    def __init__(self, first: Any, following: Any, last: Any) -> None:
        super().__init__()
        self._first, self._following, self._last = first, following, last
        self._held: list[Any] | None = None  # what the first function gave, until the last one is called
        self._drawn, self._is_over = 0, False

    def get(self) -> Element | None:
        if self._is_over:
            return None
        if self._held is None:
            self._held = self._first()
        try:
            element = self._following(*self._held)
        except errors.OutOfRangeError:
            self.close()
            return None
        self._drawn += 1
        return element

    def state(self) -> Any:
        return self._drawn, self._is_over

    def restore(self, state: Any) -> None:
        drawn, is_over = state
        while not is_over and self._drawn < drawn and self.get() is not None:
            pass
        self._is_over = is_over

    def close(self) -> None:
        held, self._held, self._is_over = self._held, None, True
        if held is not None:
            self._last(*held)


@dataset_op(f"GeneratorDataset({_ARGUMENTS}, *, {_FUNCTIONS}, {TYPES})", stateful=True, outside=True)
def generator_dataset(node, init_func_other_args, next_func_other_args, finalize_func_other_args, init_func, next_func,
                      finalize_func):
    """A dataset of what `next_func` gives of the outputs of `init_func`, until it raises OutOfRangeError."""
    return Generator(node, Captured(init_func, init_func_other_args), Captured(next_func, next_func_other_args),
                     Captured(finalize_func, finalize_func_other_args))
