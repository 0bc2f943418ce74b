"""`tensorflow.python.tools.inspect_checkpoint`: prints the content of a checkpoint."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from evergraph.base import errors
from evergraph.save.reader import CheckpointReader


def print_tensors_in_checkpoint_file(
    file_name: str, tensor_name: str, all_tensors: bool, all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:  # fmt: skip
    """Prints tensors of a checkpoint, and its number of parameters; an error is printed, not raised.

    Args:
        file_name: the path of the checkpoint.
        tensor_name: the tensor to print; if empty, and the next two are false, prints a line for each tensor.
        all_tensors: whether to print all values.
        all_tensor_names: whether to print all names, dtypes and shapes.
        count_exclude_pattern: a regular expression for the names of tensors not to count.
    """
    try:
        reader = CheckpointReader(file_name)
        shapes = reader.get_variable_to_shape_map()
        if not (tensor_name or all_tensors or all_tensor_names):
            print(reader.debug_string().decode())
        elif not all_tensors and not all_tensor_names and tensor_name not in shapes:
            print(f"Tensor {tensor_name} not found in checkpoint")
            return
        for name in sorted(shapes) if all_tensors or all_tensor_names else [tensor_name] if tensor_name else []:
            _print_tensor(reader, name, shapes[name], with_value=all_tensors or name == tensor_name)
        print(f"# Total number of params: {_count(shapes, count_exclude_pattern)}")
    except errors.OpError as error:
        print(error.message)


def _print_tensor(reader: CheckpointReader, name: str, shape: list[int], with_value: bool) -> None:
    print(f"tensor: {name} ({reader.get_variable_to_dtype_map()[name].name}) {shape}")
    if with_value:
        print(reader.get_tensor(name))


def _count(shapes: dict[str, Any], excluded: str) -> int:
    kept = [shape for name, shape in shapes.items() if not (excluded and re.match(excluded, name))]
    return sum(int(np.prod(shape)) for shape in kept)
