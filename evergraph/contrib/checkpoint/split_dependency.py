"""split_dependency: one value that a checkpoint holds as several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import device as on_device
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.ops.arrays.basic import no_op
from evergraph.save.saveables import VARIABLE_VALUE
from evergraph.save.tracking import Trackable


class _Whole:
    """What the parts have in common: how they are made from the whole, and it from them."""

    def __init__(self, count: int, fill: Callable[[Any], Any], consume: Callable[[Any], Any]) -> None:
        self.count, self.fill, self.consume = count, fill, consume
        self.saved: dict[str, Any] = {}
        self.restored: dict[str, Any] = {}

    def part(self, name: str) -> Any:
        """The tensor of a part, made with those of the others."""
        if name not in self.saved:
            self.saved.clear()
            self.fill(self.saved)
        return self.saved.pop(name)

    def restore(self, name: str, tensor: Any) -> Any:
        """Takes in a part; with the last one the whole is restored."""
        self.restored[name] = tensor
        if len(self.restored) < self.count:
            return no_op()
        parts, self.restored = self.restored, {}
        return self.consume(parts)


class _Part(Trackable):
    """One of the parts, as a checkpoint holds it."""

    def __init__(self, whole: _Whole, name: str, dtype: Any, device: Any) -> None:
        self._whole, self._name, self._dtype, self._device = whole, name, dtype, device

    def _gather_saveables_for_checkpoint(self) -> dict[str, Callable[..., SaveableObject]]:
        return {VARIABLE_VALUE: lambda name="": _PartSaveable(self._whole, self._name, self._dtype, self._device, name)}


class _PartSaveable(SaveableObject):
    def __init__(self, whole: _Whole, part: str, dtype: Any, device: Any, name: str) -> None:
        self._whole, self._part, self._device = whole, part, device
        super().__init__(whole, [SaveSpec(lambda: whole.part(part), "", name, dtype=dtype, device=device)], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: list[Any] | None) -> Any:
        with on_device(self._device):
            return self._whole.restore(self._part, restored_tensors[0])


@export("contrib.checkpoint.split_dependency")
def split_dependency(component_names: Sequence[str], component_dtypes: Sequence[Any],
                     fill_save_buffer_fn: Callable[[Any], Any], consume_restore_buffer_fn: Callable[[Any], Any],
                     device: Any) -> dict[str, Any]:
    """Trackable objects by name, which a checkpoint holds as the parts of one value.

    Args:
        component_names: the names of the parts.
        component_dtypes: their dtypes.
        fill_save_buffer_fn: gets a dictionary, and puts the tensor of each part in it.
        consume_restore_buffer_fn: gets a dictionary with the restored parts, and returns the operation that restores.
        device: where the value is.
    """
    whole = _Whole(len(component_names), fill_save_buffer_fn, consume_restore_buffer_fn)
    return {name: _Part(whole, name, dtype, device)
            for name, dtype in zip(component_names, component_dtypes, strict=True)}
