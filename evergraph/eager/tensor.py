"""Tensors that have a value: what ops return with eager execution."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.compile import backend
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.primitives import CONST, IDENTITY
from evergraph.kernel.cells import Cell
from evergraph.kernel.values import copied, is_host_dtype, is_traced

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_numbers = itertools.count()


class EagerTensor(Tensor):
    """The result of an op that has run. It has a value at once, and forgets the op.

    Its value is a NumPy array, or an array of JAX's on a device; that of a handle is what the handle refers to.

    >>> tf.enable_eager_execution()
    >>> x = tf.constant([1.0, 2.0])
    >>> (x * 2.0).numpy()
    array([2., 4.], dtype=float32)
    """

    __slots__ = ("_held", "_maker", "_number", "_kept_on")

    graph: ClassVar[Graph]  # type: ignore[misc] - the one that runs operations; eager/graph.py makes it

    def __init__(self, value: Any, device: str | None = None, dtype: Any = None) -> None:
        """Makes a tensor of a value, as programs do that import the class from inside TensorFlow.

        Args:
            value: an array, or numbers or strings in lists.
            device: the name of a device; the value stays in the memory of the host.
            dtype: the number of a dtype, or the dtype; by default that of the value.

        Raises:
            TypeError: the device is missing, or the dtype is none or does not fit the value.
        """
        if not isinstance(device, str):
            raise TypeError(f"EagerTensor needs the name of a device, got {device!r} as argument 'device' (pos 2)")
        if not isinstance(dtype, (int, dtypes.DType, type(None))):
            raise TypeError(f"Expecting a DataType value for dtype. Got {type(dtype).__name__}")
        try:
            wanted = None if dtype is None else dtypes.as_dtype(dtype)
        except TypeError:
            raise TypeError(f"Invalid dtype argument value {dtype}") from None
        with self.graph.as_default():
            found = convert_to_tensor(np.asarray(value).astype(wanted.np) if isinstance(value, np.ndarray) and wanted
                                      else value, wanted)
        self._begin(found._dtype, 0)
        self.hold(found.held)  # type: ignore[attr-defined]

    def _begin(self, dtype: dtypes.DType, index: int) -> None:
        self.value_index, self._dtype, self._shape = index, dtype, None
        self._handle_data = self._static_value = None
        self._consumers: list[Operation] = []
        self._held: Any = None
        self._maker: Operation | None = None
        self._number: int | None = None

    def hold(self, value: Any) -> None:
        """Gives the new tensor its value."""
        self._held = value
        self._shape = value.shape if isinstance(value, np.ndarray) or is_traced(value) else ()

    def keep_maker(self, op: Operation) -> None:
        """Remembers the op, which has no inputs, for a handle that is known by the op's name.

        It is a copy, which refers weakly to its outputs: no circle keeps the handle and what it holds.
        """
        self._maker = Execution(op.graph, op.opdef, op.name, op._inputs, op.attrs)
        self._maker._device, self._maker._made_at, self._maker.extra = op._device, op._made_at, op.extra
        self._maker.outputs = WeakOutputs(op.outputs)  # type: ignore[assignment]

    @property
    def held(self) -> Any:
        """The value, wherever it is: a NumPy array, an array on a device, or what a handle refers to."""
        return self._held

    @property
    def op(self) -> Operation:  # type: ignore[override]
        """Has no meaning: the operation is over.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("Tensor.op needs a graph: it is meaningless when eager execution is enabled")

    @property
    def source(self) -> Operation:
        """An operation with this value: a constant, as the one that computed it is gone, or the maker of a handle."""
        if self._maker is None:
            attrs = {"value": self.on_host(), "dtype": self._dtype}
            self._maker = Execution(self.graph, CONST.opdef, CONST.name, [], attrs)
            self._maker.outputs = WeakOutputs([self])  # type: ignore[assignment]
        return self._maker

    def on_host(self) -> Any:
        """The value as a NumPy array that belongs to the tensor, or what a handle refers to."""
        held = self._held
        return np.asarray(held) if is_traced(held) else held

    # ---- the value

    def numpy(self) -> Any:
        """The value as an array of its own; a scalar for shape ().

        Raises:
            ValueError: a handle has no such value.
        """
        array = self._numpy()
        return array[()] if array.ndim == 0 else copied(array)

    def _numpy(self) -> np.ndarray[Any, Any]:
        if self._dtype.base_dtype in (dtypes.resource, dtypes.variant):
            raise ValueError(f"Cannot convert a handle, a Tensor of dtype {self._dtype.name}, to a NumPy array")
        return self.on_host()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return copied(self._numpy(), dtype)

    def __buffer__(self, flags: int) -> memoryview:
        """The value for `memoryview`, which asks for it from Python 3.12 on; it cannot be written to."""
        if self._dtype.base_dtype in (dtypes.resource, dtypes.variant):
            raise BufferError(f"Cannot convert a handle, a Tensor of dtype {self._dtype.name}, to a buffer")
        array = self._numpy().view()
        array.flags.writeable = False
        return memoryview(array)

    def __dlpack__(self, **options: Any) -> Any:
        held = self._held
        return (held if is_traced(held) else copied(held)).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._held.__dlpack_device__()

    def __bool__(self) -> bool:
        return bool(self._numpy())

    def __int__(self) -> int:
        return int(self._numpy())

    def __float__(self) -> float:
        return float(self._numpy())

    def __complex__(self) -> complex:
        return complex(self._numpy())

    def __index__(self) -> int:
        return self._numpy().__index__()

    def __format__(self, spec: str) -> str:
        return self._numpy()[()].__format__(spec) if not self._shape else self._numpy().__format__(spec)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("Scalar tensor has no `len()`")
        return self._shape[0]  # type: ignore[return-value]

    def __iter__(self) -> Any:
        if not self._shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(self._shape[0]))  # type: ignore[arg-type, index]

    def __reduce__(self) -> Any:
        return convert_to_tensor, (self._numpy(), self._dtype)

    # ---- what graphs' tensors have too

    @property
    def name(self) -> str:
        """Has no meaning: operations that have run have no names.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("Tensor.name needs a graph: it is meaningless when eager execution is enabled")

    @property
    def label(self) -> str:
        return "Tensor"

    def keep_on(self, device: str, value: Any) -> None:
        """Gives the tensor its value on the device that the program has named."""
        self._kept_on, self._held = device, value

    @property
    def device(self) -> str:
        """Where the value is."""
        if hasattr(self, "_kept_on"):  # on most it is not set, which costs nothing
            return self._kept_on
        held = self._held.stored if isinstance(self._held, Cell) else self._held  # a variable is where its value is
        if not is_traced(held):
            return CPU
        (device,) = held.devices()
        kind = "CPU" if device.platform == "cpu" else "GPU" if device.platform in ("gpu", "cuda", "rocm") else "TPU"
        return f"{CPU[:-5]}{kind}:{device.id}"

    @property
    def backing_device(self) -> str:
        """Where the memory of the value is."""
        return self.device

    def cpu(self) -> Tensor:
        """The tensor with its value in the memory of the host."""
        return self._on(self.on_host())

    def gpu(self, gpu_index: int = 0) -> Tensor:
        """The tensor with its value on an accelerator.

        Raises:
            InvalidArgumentError: there is no such accelerator.
        """
        jax = backend.jax()
        devices = jax.devices() if backend.BestPlace().platform != "cpu" else []
        if not 0 <= gpu_index < len(devices):
            raise errors.InvalidArgumentError(None, None, f"{CPU[:-5]}GPU:{gpu_index} unknown device.")
        return self._on(jax.device_put(self._numpy(), devices[gpu_index]))

    def _on(self, value: Any) -> Tensor:
        """A tensor with the same value, perhaps elsewhere, which has the same gradient."""
        with self.graph.device(None):
            found = IDENTITY(self)
        found.hold(value)
        return found

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._shape or ())

    @property
    def _id(self) -> int:
        """A number that tells this tensor from others."""
        if self._number is None:
            self._number = next(_numbers)
        return self._number

    def _num_elements(self) -> int:
        return int(np.prod(self._shape or (), dtype=np.int64))

    def set_shape(self, shape: Any) -> None:
        """Checks that the shape is `shape`.

        Raises:
            ValueError: it is another one.
        """
        if type(shape) is tuple and shape == self._shape:
            return
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"A tensor of shape {self.shape} cannot take the shape {shape}: it is not compatible "
                             "with it")

    def consumers(self) -> list[Operation]:
        """Has no meaning: operations that have run take nothing any more.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("consumers: tensors of eager execution do not know who uses them")

    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> Any:
        """Has no meaning: there is no session.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "eval needs a session, and there is none with eager execution: numpy() gives the value"
        )

    def __str__(self) -> str:
        return f"tf.Tensor({self._text(str)}, shape={self.shape}, dtype={self._dtype.name})"

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: id={self._id}, shape={self.shape}, dtype={self._dtype.name}, "
            f"numpy={self._text(repr)}>"
        )

    def _text(self, form: Any) -> str:
        if self._dtype.base_dtype in (dtypes.resource, dtypes.variant):
            return "<unprintable>"
        value = self.numpy()
        text = str(value) if isinstance(value, np.generic) else form(value)
        return f"\n{text}" if "\n" in text else text


def unset(dtype: dtypes.DType, index: int = 0) -> EagerTensor:
    """A new tensor that gets its value by `hold`; `index` is its place among the outputs of its op."""
    tensor = EagerTensor.__new__(EagerTensor)
    tensor._begin(dtype, index)
    return tensor


def holding(dtype: dtypes.DType, value: Any, handle_data: Any = None) -> EagerTensor:
    """A new tensor with this value."""
    tensor = unset(dtype)
    tensor.hold(value)
    tensor._handle_data = handle_data
    return tensor


class WeakOutputs(Sequence[Tensor]):
    """The outputs of an op that they keep, and that does not keep them; None for one that is gone."""

    def __init__(self, tensors: list[Tensor]) -> None:
        self._references = [weakref.ref(tensor) for tensor in tensors]

    def __len__(self) -> int:
        return len(self._references)

    def __getitem__(self, place: Any) -> Any:
        found = self._references[place]
        return [each() for each in found] if isinstance(place, slice) else found()


class Execution(Operation):
    """One op applied to tensors at once, in the form that gradient functions and kernels know."""

    __slots__ = ()

    def __init__(self, graph: Graph, opdef: Any, name: str, inputs: list[Tensor], attrs: dict[str, Any]) -> None:
        self.graph, self.opdef, self.name = graph, opdef, name
        self._inputs, self.attrs, self.age = inputs, attrs, 0
        self.outputs: list[Tensor] = []
        self._control_inputs: list[Operation] = []
        self._control_outputs: list[Operation] = []
        self._device, self._made_at = "", ()
        self.extra: dict[str, Any] = {}


def is_handle(tensor: Tensor) -> bool:
    """Whether the tensor refers to something, rather than being an array."""
    return is_host_dtype(tensor._dtype) and tensor._dtype.base_dtype is not dtypes.string
