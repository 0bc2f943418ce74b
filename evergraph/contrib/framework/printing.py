"""tf.contrib.framework.print_op: shows tensors, sparse tensors and arrays of tensors whenever they are used."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.printing import Print
from evergraph.frontend.tensor_array import TensorArray
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor


@export("contrib.framework.print_op")
def print_op(input_: Any, data: Any = None, message: str | None = None, first_n: int | None = None,
             summarize: int = 20, name: str | None = None) -> Any:
    """The input unchanged; whenever it is computed, its shape and elements are printed to stderr.

    Args:
        input_: a tensor, variable, SparseTensor, or TensorArray whose elements can all be read.
        data: tensors to print behind it.
        message: printed before it.
        first_n: print only the first so many times.
        summarize: how many elements of each tensor to show.
        name: the name scope.
    """
    more = [] if data is None else list(data) if isinstance(data, (list, tuple)) else [data]
    options = {"message": message, "first_n": first_n, "summarize": summarize}
    with name_scope(name, "print_op", more):
        if isinstance(input_, SparseTensor):
            shown = Print(input_.values, ["SparseTensor: ", input_.dense_shape, input_.indices, input_.values, *more],
                          **options)
            return SparseTensor(input_.indices, shown, input_.dense_shape)
        if isinstance(input_, TensorArray):
            rows = input_.stack()
            with control_dependencies([Print(rows, ["TensorArray: ", array.shape(rows), rows, *more], **options)]):
                return input_.identity()
        tensor = convert_to_tensor(input_)
        return Print(tensor, ["Tensor: ", array.shape(tensor), tensor, *more], **options)
