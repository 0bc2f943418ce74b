"""Calls a kernel: finds the value of each of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.base import dtypes, errors

if TYPE_CHECKING:
    from evergraph.graph.node import Operation
    from evergraph.graph.opdef import OpDef


class Hole:
    """Stands for a value that only the branch not taken would have produced."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype


def grouped(opdef: OpDef, attrs: dict[str, Any], flat: list[Any]) -> dict[str, Any]:
    """The flat inputs of a node by the names the op declares; list inputs as lists."""
    by_name: dict[str, Any] = {}
    start = 0
    for arg in opdef.plan.inputs:
        if not arg.is_list:
            by_name[arg.name] = flat[start]
            start += 1
            continue
        count = attrs[arg.number_attr] if arg.number_attr is not None else len(attrs[arg.list_attr])  # type: ignore[index]
        by_name[arg.name] = flat[start : start + count]
        start += count
    return by_name


def attr_for_kernel(kind: str, value: Any) -> Any:
    """An attr as kernels see it: dtypes are NumPy's."""
    if kind == "type":
        return value.np
    if kind == "list(type)":
        return [v.np for v in value]
    return value


def flat_outputs(opdef: OpDef, result: Any) -> list[Any]:
    """What a kernel returned, one item per output tensor."""
    declared = opdef.plan.outputs
    if len(declared) == 1:
        return list(result) if declared[0].is_list else [result]
    flat: list[Any] = []
    for arg, value in zip(declared, result if declared else (), strict=True):
        flat += list(value) if arg.is_list else [value]
    return flat


def settled(value: Any, dtype: np.dtype[Any]) -> Any:
    """`value` as a NumPy array of exactly `dtype`."""
    if type(value) is not np.ndarray or value.dtype != dtype:
        if dtype.hasobject:
            return as_objects(value)
        value = np.asarray(value, dtype)
    return value


def as_objects(value: Any) -> np.ndarray[Any, Any]:
    """A string (or other host) value as an object array."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return value
    if isinstance(value, (np.ndarray, list, tuple)) and (not isinstance(value, np.ndarray) or value.dtype.kind in "SU"):
        array = np.array(value, dtype=object)
        flat = array.reshape(-1)  # a view: the array was just made
        elements = flat.tolist()
        if set(map(type, elements)) != {bytes}:
            flat[:] = [_as_bytes(each) for each in elements]
        return array
    return boxed(_as_bytes(value))


def boxed(value: Any) -> np.ndarray[Any, Any]:
    """An object as a scalar array."""
    array: np.ndarray[Any, Any] = np.empty((), object)
    array[()] = value
    return array


def _as_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def runs_on_numpy(opdef: OpDef) -> bool:
    """Whether the kernel can be called outside a session, on NumPy values alone."""
    asked = set(opdef.wants)
    return (
        not opdef.stateful
        and not asked & {"lax", "rng", "cell", "context"}
        and not any(a.kind == "func" for a in opdef.signature.attrs)
        and not any(a.is_ref for a in opdef.plan.inputs)
    )


def evaluate(node: Operation, inputs: list[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """The outputs of a pure node for these concrete inputs, on NumPy."""
    opdef = node.opdef
    scope = grouped(opdef, node.attrs, inputs)
    kinds = opdef.signature.attr
    arguments = []
    for want in opdef.wants:
        if want in scope:
            arguments.append(scope[want])
        elif want in kinds:
            arguments.append(attr_for_kernel(kinds[want].kind, node.attrs[want]))
        else:
            arguments.append({"xp": np, "node": node, "check": check_now}[want])
    result = flat_outputs(opdef, opdef.kernel(*arguments))
    return [settled(value, t._dtype.np) for value, t in zip(result, node.outputs, strict=True)]


def check_now(ok: Any, message: str) -> None:
    """Raises at once when the concrete predicate does not hold everywhere."""
    if not np.all(ok):
        raise errors.InvalidArgumentError(None, None, message)


def is_host_dtype(dtype: dtypes.DType) -> bool:
    """Whether values of this dtype exist only as Python objects."""
    return dtype.np.hasobject
