"""Saveable objects: variables, and objects that define how they are saved and restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import device
from evergraph.frontend.variables.base import Variable
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.saveable import SaveableObject, SaveSpec
from evergraph.frontend.variables.variable import ResourceVariable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.graph.traits import Kind
from evergraph.ops.arrays.basic import identity
from evergraph.ops.arrays.reshape import reshape
from evergraph.ops.state import variables as ops

CPU = "/device:CPU:0"
PYTHON_STATE = "py_state"  # the name of what a tf.train.experimental.PythonState keeps
VARIABLE_VALUE = "VARIABLE_VALUE"  # the attribute name of a variable's value


class ReferenceVariableSaveable(SaveableObject):
    """The saveable of a reference variable."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        super().__init__(var, [SaveSpec(_tensor_of(var), slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Any:
        value = _reshaped(restored_tensors[0], restored_shapes)
        target = self.op._ref() if isinstance(self.op, Variable) else self.op
        return ops.assign(target, value, validate_shape=restored_shapes is None and target.shape.is_fully_defined())


class ResourceVariableSaveable(SaveableObject):
    """The saveable of a resource variable; `var` is the variable, or a tensor that reads it."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        if isinstance(var, Tensor):
            self.handle_op = var.op.inputs[0]
            spec = SaveSpec(var, slice_spec, name, dtype=var.dtype, device=var.device)
        else:
            self.handle_op = var.handle
            spec = SaveSpec(_reader(var), slice_spec, name, dtype=var.dtype, device=var.device)
        self._place, self._shape = var.device, TensorShape(var.shape)
        super().__init__(var, [spec], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Any:
        value = _reshaped(restored_tensors[0], restored_shapes)
        with device(self._place):
            value = identity(value)
            self._shape.assert_is_compatible_with(value.shape)
            return ops.assign_variable_op(self.handle_op, value)


def _tensor_of(var: Any) -> Tensor:
    return convert_to_tensor(var) if isinstance(var, Variable) else var


def _reader(var: Any) -> Callable[[], Tensor]:
    def read() -> Tensor:
        with device(var.device):
            value = var.read_value()
            with device(CPU):
                return identity(value)

    return read


def _reshaped(value: Tensor, shapes: list[Any] | None) -> Tensor:
    return value if shapes is None else reshape(value, shapes[0])


# ---- names


def names_of(items: Any) -> dict[str, Any]:
    """The name in the checkpoint of each item of a list: parts of one variable share theirs.

    Raises:
        TypeError: an item is not a variable.
        ValueError: two items have the same name.
    """
    if not isinstance(items, (list, tuple, set, frozenset)):
        raise TypeError(f"what to save is given as a list or a dictionary, got {items}")
    found: dict[str, Any] = {}
    for item in sorted(items, key=lambda item: item.name):
        if isinstance(item, SaveableObject):
            found[item.name] = item
        elif isinstance(item, PartitionedVariable):
            _add(found, item.name, item)
        elif isinstance(item, Variable) and item._get_save_slice_info() is not None:
            _add_part(found, item)
        elif not isinstance(item, Variable) and hasattr(item, "_gather_saveables_for_checkpoint"):
            found.update(names_of([make() if callable(make) else make for make in _makers(item).values()]))
        else:
            _add(found, _name_of(item), item)
    return found


def _makers(item: Any) -> dict[str, Any]:
    """The saveables that a trackable object defines: variables, saveables, or functions that make them."""
    return item._gather_saveables_for_checkpoint()


def _add(found: dict[str, Any], name: str, item: Any) -> None:
    if name in found:
        raise ValueError(f"each variable to save needs a name of its own, got two of the same name: {name}")
    found[name] = item


def _add_part(found: dict[str, Any], part: Variable) -> None:
    name = part._get_save_slice_info().full_name
    parts = found.setdefault(name, [])
    if not isinstance(parts, list):
        raise ValueError(f"a whole variable and parts of one have the same name: {name}")
    parts.append(part)


def _name_of(item: Any) -> str:
    if isinstance(item, Variable):
        return item._shared_name
    tensor = _by_reference(item)
    if not _reads_variable(tensor):
        raise TypeError(f"a saver saves variables, got {item}")
    return tensor.source.inputs[0].source.name if tensor.source.opdef.kind is Kind.READ else tensor.source.name


def _by_reference(item: Any) -> Tensor:
    return item._ref() if isinstance(item, Variable) else convert_to_tensor(item)


def _reads_variable(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and tensor.source.opdef.kind in (Kind.VARIABLE, Kind.READ)


# ---- saveables


def saveables_of(names: Any) -> list[SaveableObject]:
    """The saveables for a dictionary from names to variables, sorted by name.

    Raises:
        TypeError: a name is not a string, or its value not a variable.
        ValueError: a variable has two names, or parts do not belong together.
    """
    items = names if isinstance(names, dict) else names_of(names)
    result: list[SaveableObject] = []
    seen: set[int] = set()
    for name, item in sorted(items.items(), key=lambda pair: pair[0]):
        for saveable in _saveables(item, name):
            if id(_identity_of(saveable)) in seen:
                raise ValueError(f"the same thing is saved under two names, one of them {saveable.name}")
            seen.add(id(_identity_of(saveable)))
            result.append(saveable)
    return result


def _identity_of(saveable: SaveableObject) -> Any:
    target = saveable.op
    return target.op if isinstance(target, (Tensor, Variable)) else target


def _saveables(item: Any, name: Any) -> Iterator[SaveableObject]:
    if not isinstance(name, str):
        raise TypeError(f"the names of what is saved must be strings, got {name}")  # fmt: skip
    if isinstance(item, SaveableObject):
        yield item
    elif isinstance(item, (list, tuple, PartitionedVariable)):
        yield from _part_saveables(list(item), name)
    elif not isinstance(item, Variable) and hasattr(item, "_gather_saveables_for_checkpoint"):
        for attribute, make in _makers(item).items():
            full_name = name if attribute == VARIABLE_VALUE else f"{name}_{attribute}"
            yield from _saveables(make(full_name) if callable(make) else make, full_name)
    else:
        yield _saveable(item, name)


def _saveable(item: Any, name: str) -> SaveableObject:
    if hasattr(item, "_as_saveable"):
        return item._as_saveable(name)
    if isinstance(item, ResourceVariable):
        return ResourceVariableSaveable(item if item.graph.is_eager else item._graph_element, "", name)
    tensor = _by_reference(item)
    if not _reads_variable(tensor):
        raise TypeError(f"only variables and saveable objects can be saved, got {tensor}")  # fmt: skip
    kind = ReferenceVariableSaveable if tensor._dtype.is_ref else ResourceVariableSaveable
    return kind(tensor, "", name)


def _part_saveables(parts: Iterable[Any], name: str) -> Iterator[SaveableObject]:
    whole = None
    for part in parts:
        if not isinstance(part, Variable):
            raise ValueError(f"Slices must all be Variables: {part}")
        info = part._get_save_slice_info()
        if info is None:
            raise ValueError(f"Slices must all be slices: {part}")
        if whole is not None and info.full_name != whole:
            raise ValueError(f"a list of slices must come from one variable, got {whole} and {info.full_name}")
        whole = info.full_name
        kind = ResourceVariableSaveable if isinstance(part, ResourceVariable) else ReferenceVariableSaveable
        yield kind(part, info.spec, name)

