"""What a layer expects of its inputs."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes, nest
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape


@export("layers.InputSpec", "keras.layers.InputSpec")
class InputSpec:
    """The dtype, rank and shape of an input; None says nothing about them.

    Args:
        dtype: the dtype.
        shape: the shape, None for sizes that are not fixed; it also says the rank.
        ndim: the rank.
        max_ndim: the largest rank.
        min_ndim: the smallest rank.
        axes: sizes by axis.
    """

    def __init__(self, dtype: Any = None, shape: Any = None, ndim: int | None = None, max_ndim: int | None = None,
                 min_ndim: int | None = None, axes: dict[int, int] | None = None) -> None:
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = shape
        self.ndim = ndim if shape is None else len(shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}

    def get_config(self) -> dict[str, Any]:
        """The arguments to make an equal specification from."""
        return {"dtype": self.dtype, "shape": self.shape, "ndim": self.ndim, "max_ndim": self.max_ndim,
                "min_ndim": self.min_ndim, "axes": self.axes}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """A specification with these arguments."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"InputSpec({', '.join(f'{name}={value}' for name, value in self.get_config().items() if value)})"


def check_inputs(spec: Any, inputs: Any, layer_name: str) -> None:
    """Raises ValueError where the inputs of a layer are not what it expects.

    Args:
        spec: an InputSpec, a list of one for each input, or None.
        inputs: the input, or a list of them.
        layer_name: what the error calls the layer.
    """
    if not spec:
        return
    specs, tensors = nest.flatten(spec), nest.flatten(inputs)
    if len(specs) != len(tensors):
        raise ValueError(f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(tensors)} input "
                         f"tensors. Inputs received: {inputs}")
    for number, (each, tensor) in enumerate(zip(specs, tensors)):
        if each is not None:
            problem = _problem(each, tensor)
            if problem:
                raise ValueError(f"Input {number} is incompatible with the layer {layer_name}: {problem}")


def _problem(spec: InputSpec, tensor: Any) -> str | None:
    """How an input differs from what is expected, in words; None if it does not."""
    shape = TensorShape(tensor.shape)
    ranked = spec.ndim is not None or spec.max_ndim is not None or spec.min_ndim is not None
    if shape.rank is None:
        return "its rank is not known, and the layer must have a defined rank" if ranked else None
    sizes = shape.as_list()
    if spec.ndim is not None and shape.rank != spec.ndim:
        return f"expected ndim={spec.ndim}, found ndim={shape.rank}. Full shape received: {sizes}"
    if spec.max_ndim is not None and shape.rank > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={shape.rank}"
    if spec.min_ndim is not None and shape.rank < spec.min_ndim:
        return f": expected min_ndim={spec.min_ndim}, found ndim={shape.rank}. Full shape received: {sizes}"
    if spec.dtype is not None and tensor.dtype.base_dtype.name != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={tensor.dtype.base_dtype.name}"
    for axis, size in spec.axes.items():
        if size is not None and sizes[axis] not in (size, None):
            return f"axis {axis} of the input has size {size} in this layer; the input has the shape {sizes}"
    if spec.shape is not None and any(None not in (own, size) and own != size
                                      for own, size in zip(sizes, TensorShape(spec.shape).as_list())):
        return f"expected shape={tuple(spec.shape)}, found shape={sizes}"
    return None
