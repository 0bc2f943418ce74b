"""The graph of a traced function, which may take values that are asked for whenever it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base import nest
from evergraph.eager.parts import spec_of, tensor_specs, tensors_of, value_of
from evergraph.frontend.specs import TensorSpec, TypeSpec
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.function import FuncGraph
from evergraph.graph.node import Tensor


class TracedGraph(FuncGraph):
    """The graph of a function that tf.function traces.

    Attributes:
        structured_input_signature: (args, kwargs) of the function with a spec for each value made of tensors.
        structured_outputs: what the Python function returned, as tensors of the graph.
    """

    structured_input_signature: Any = None
    structured_outputs: Any = None

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._deferred: dict[Any, tuple[Callable[[], Any], Any, list[list[Tensor]]]] = {}

    def capture_call_time_value(self, closure: Callable[[], Any], spec: Any, key: Any = None) -> Any:
        """A value that every call of the function gets anew from a Python function.

        Args:
            closure: gives the value, a structure.
            spec: the specs of its leaves, in the same structure.
            key: a second use of a key gives the same value, and its closure is not asked.

        Returns:
            The value, of tensors of this graph.
        """
        key = object() if key is None else key
        if key not in self._deferred:
            parts = [[self.add_input(each.dtype, each.shape.tuple, "deferred_capture") for each in tensor_specs(leaf)]
                     for leaf in nest.flatten(spec)]
            self._deferred[key] = closure, spec, parts
        _, spec, parts = self._deferred[key]
        leaves = [value_of(leaf, each) for leaf, each in zip(nest.flatten(spec), parts, strict=True)]
        return nest.pack_sequence_as(spec, leaves)

    def put_deferred_last(self) -> None:
        """Orders the inputs: arguments, captures, and then what calls ask for."""
        last = {t for _, _, parts in self._deferred.values() for each in parts for t in each}
        if last:
            self.inputs.sort(key=last.__contains__)

    def deferred_values(self) -> list[Tensor]:
        """What the closures give now.

        Raises:
            ValueError: a value does not fit its spec.
        """
        found = []
        for closure, spec, _ in self._deferred.values():
            leaves = nest.flatten_up_to(spec, closure(), check_types=False)
            for leaf, wanted in zip(leaves, nest.flatten(spec), strict=True):
                found += tensors_of(_fitting(leaf, wanted), wanted)
        return found


def _fitting(value: Any, spec: TypeSpec) -> Any:
    """A value that fits a spec; numbers become tensors."""
    if not isinstance(spec, TensorSpec):
        own = spec_of(value)
        if own is None or not spec.is_compatible_with(value):
            raise ValueError(f"Value {value} does not fit {spec}, which the function was traced for")
        return value
    try:
        tensor = convert_to_tensor(value, spec.dtype)
    except (TypeError, ValueError) as error:
        raise ValueError(f"Value {value} cannot be converted to a tensor with dtype {spec.dtype.name}, which the "
                         "function was traced for") from error
    if not spec.shape.is_compatible_with(tensor.shape):
        raise ValueError(f"Value {value} has the shape {tensor.shape}, and the function was traced for {spec.shape}")
    return tensor
