# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.labeled_tensor."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from evergraph import Dimension
from typing import Any, NamedTuple, Self

import sys
if sys.platform == "":
    del (
        axes, coder, elementwise, examples, nn, ops, order, tensor,
    )

class Axes(Mapping):
    """The axes of a tensor in their order, by name."""
    def remove(self, axis_name: str) -> Axes:
        """The other axes."""
    def __contains__(self, name: Any) -> bool: ...
    def __eq__(self, other: Any) -> bool: ...
    def __getitem__(self, name: str) -> Axis: ...
    def __hash__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __init__(self, axes: Iterable[Any]) -> None: ...

class Axis:
    """The name of an axis, with its size or the labels of its places."""
    @property
    def name(self) -> Any:
        """The name of the axis."""
    @property
    def value(self) -> Any:
        """A Dimension, or the tuple of labels."""
    @property
    def labels(self) -> Any:
        """The labels, or None."""
    @property
    def dimension(self) -> Dimension:
        """The size, as a Dimension."""
    @property
    def size(self) -> int | None:
        """The size, or None where it is unknown."""
    def index(self, value: Any) -> int:
        """The place of a label."""
    def __eq__(self, other: Any) -> bool: ...
    def __hash__(self) -> int: ...
    def __len__(self) -> int: ...
    def __init__(self, name: str, value: Any) -> None: ...

class AxisOrderError(ValueError):
    """Axes are not in the order that an operation or a scope asks for."""

class _FixedLenFeature(NamedTuple):
    axes: Any
    dtype: Any
    default_value: Any

class FixedLenFeature(_FixedLenFeature):
    """A feature with the same axes in every Example; see `tf.FixedLenFeature`."""
    def __new__(cls, axes: Any, dtype: Any, default_value: Any = None) -> Self: ...

class LabeledTensor:
    """A tensor with named axes: the operators match axes by name."""
    @property
    def tensor(self) -> Any:
        """The tensor."""
    @property
    def axes(self) -> Any:
        """Its axes, by name."""
    @property
    def name(self) -> Any:
        """The name of the tensor."""
    @property
    def dtype(self) -> Any:
        """The dtype of the tensor."""
    @property
    def shape(self) -> Any:
        """The static shape of the tensor."""
    def get_shape(self) -> Any:
        """The static shape of the tensor."""
    def __abs__(self, function: Any = ...) -> Any: ...
    def __add__(self, other: Any, function: Any = ...) -> Any: ...
    def __and__(self, other: Any, function: Any = ...) -> Any: ...
    def __div__(self, other: Any, function: Any = ...) -> Any: ...
    def __eq__(self, other: Any) -> bool: ...
    def __ge__(self, other: Any, function: Any = ...) -> Any: ...
    def __getitem__(self, key: Any) -> LabeledTensor: ...
    def __gt__(self, other: Any, function: Any = ...) -> Any: ...
    def __hash__(self) -> int: ...
    def __invert__(self, function: Any = ...) -> Any: ...
    def __le__(self, other: Any, function: Any = ...) -> Any: ...
    def __lt__(self, other: Any, function: Any = ...) -> Any: ...
    def __mod__(self, other: Any, function: Any = ...) -> Any: ...
    def __mul__(self, other: Any, function: Any = ...) -> Any: ...
    def __neg__(self, function: Any = ...) -> Any: ...
    def __or__(self, other: Any, function: Any = ...) -> Any: ...
    def __pow__(self, other: Any, function: Any = ...) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __rdiv__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __rpow__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any, function: Any = ...) -> Any: ...
    def __truediv__(self, other: Any, function: Any = ...) -> Any: ...
    def __xor__(self, other: Any, function: Any = ...) -> Any: ...
    def __init__(self, tensor: Any, axes: Any) -> None: ...

class ReshapeCoder:
    """Reshapes tensors for an operation, and its results back."""
    def encode(self, labeled_tensor: Any) -> LabeledTensor:
        """The tensor with the new axes."""
    def decode(self, labeled_tensor: Any) -> LabeledTensor:
        """The tensor with the axes that it had before."""
    def __init__(self, existing_axis_names: Any, new_axes: Any, name: str | None = None) -> None: ...

def abs(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.abs` to a labeled tensor; axes are matched by name."""

def acos(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.acos` to a labeled tensor; axes are matched by name."""

def add(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.add` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def align(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None,
) -> tuple[Any, Any, Axes]:
    """Both tensors with the axes of either, of size 1 where a tensor had none, and the axes of what they
    broadcast to."""

def as_axis(axis_data: Any) -> Axis:
    """An Axis, from one or from a pair of a name and a value."""

def asin(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.asin` to a labeled tensor; axes are matched by name."""

def atan(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.atan` to a labeled tensor; axes are matched by name."""

def axis_order_scope(axis_order: Any = None) -> AbstractContextManager[None]:
    """A scope whose operations keep axes in a given order."""

def batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, allow_smaller_final_batch: bool = False, name: str | None = None,
) -> list[LabeledTensor]:
    """Batches of tensors by a queue, with a first axis "batch"; see `tf.train.batch`."""

def boolean_mask(labeled_tensor: Any, mask: Any, name: str | None = None) -> LabeledTensor:
    """The places of the first axis where a mask of that axis is true."""

def cast(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """The values as another dtype; see `tf.cast`."""

def ceil(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.ceil` to a labeled tensor; axes are matched by name."""

def check_axis_order(labeled_tensor: Any, axis_order: Any = None) -> None:
    """Checks that a tensor's axes are in the given order, or in that of the scope."""

def concat(labeled_tensors: Any, axis_name: str, name: str | None = None) -> LabeledTensor:
    """The tensors one behind the other along an axis that each has; see `tf.concat`."""

def concat_axes(axes: Any) -> Axis:
    """The axis of concatenated tensors, from their axes of one name: with labels, if all have them."""

def constant(value: Any, dtype: Any = None, axes: Any = ..., name: str | None = None) -> LabeledTensor:
    """A constant with the given axes; one value fills axes whose sizes are known."""

def convert_to_labeled_tensor(value: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """A LabeledTensor, from one or from what gives a scalar."""

def cos(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.cos` to a labeled tensor; axes are matched by name."""

def define_binary_op(op_name: str, elementwise_function: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a function of two tensors."""

def define_reduce_op(op_name: str, reduce_fn: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a reduction."""

def define_unary_op(op_name: str, elementwise_function: Any) -> Callable[..., LabeledTensor]:
    """The function of labeled tensors for a function of one tensor."""

def digamma(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.digamma` to a labeled tensor; axes are matched by name."""

def div(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.div` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.equal` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def erf(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.erf` to a labeled tensor; axes are matched by name."""

def erfc(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.erfc` to a labeled tensor; axes are matched by name."""

def exp(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.exp` to a labeled tensor; axes are matched by name."""

def expand_dims(labeled_tensor: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """The tensor with more axes of size 1."""

def floor(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.floor` to a labeled tensor; axes are matched by name."""

def foldl(
    fn: Callable[[Any, Any], Any], labeled_tensor: Any, initial_value: Any, name: str | None = None,
) -> LabeledTensor:
    """What a function of the result so far and the next place of the first axis gives at last; see
    `tf.foldl`."""

def get_axis_order() -> list[str] | None:
    """The names in the order of the innermost scope; None without one."""

def greater(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.greater` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def greater_equal(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None,
) -> LabeledTensor:
    """Applies `tf.greater_equal` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes
    one; axes are matched by name."""

def identity(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """The same values and axes; see `tf.identity`."""

def igamma(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.igamma` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def igammac(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.igammac` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def impose_axis_order(
    labeled_tensor: Any, axis_order: Any = None, name: str | None = None,
) -> LabeledTensor:
    """The tensor with its axes in the given order, or in that of the scope."""

def less(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.less` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def less_equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.less_equal` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes
    one; axes are matched by name."""

def lgamma(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.lgamma` to a labeled tensor; axes are matched by name."""

def log(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.log` to a labeled tensor; axes are matched by name."""

def logical_and(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.logical_and` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes
    one; axes are matched by name."""

def logical_not(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.logical_not` to a labeled tensor; axes are matched by name."""

def logical_or(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.logical_or` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes
    one; axes are matched by name."""

def logical_xor(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.logical_xor` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes
    one; axes are matched by name."""

def map_fn(fn: Callable[[Any], Any], labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """What a function gives for each place of the first axis; see `tf.map_fn`."""

def matmul(a: Any, b: Any, name: str | None = None) -> LabeledTensor:
    """The product of two vectors or matrices over the one axis that both have."""

def maximum(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.maximum` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def minimum(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.minimum` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def mod(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.mod` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def mul(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.mul` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def neg(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.neg` to a labeled tensor; axes are matched by name."""

def not_equal(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.not_equal` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def ones_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Ones with the axes of a tensor; see `tf.ones_like`."""

def pack(
    labeled_tensors: Any, new_axis: Any, axis_position: int = 0, name: str | None = None,
) -> LabeledTensor:
    """The tensors along a new axis; see `tf.stack`."""

def pad(
    labeled_tensor: Any, paddings: dict[str, Any], mode: str = 'CONSTANT', name: str | None = None,
) -> LabeledTensor:
    """The tensor with more places at the ends of axes; see `tf.pad`."""

def parse_example(
    serialized: Any, features: dict[str, Any], name: str | None = None, example_names: Any = None,
) -> dict[str, LabeledTensor]:
    """The features of a vector of serialized Examples; see `tf.parse_example`."""

def parse_single_example(
    serialized: Any, features: dict[str, Any], name: str | None = None, example_names: Any = None,
) -> dict[str, LabeledTensor]:
    """The features of one serialized Example; see `tf.parse_single_example`."""

def placeholder(dtype: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """A placeholder with the given axes; see `tf.placeholder`."""

def polygamma(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.polygamma` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one;
    axes are matched by name."""

def pow(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.pow` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def random_crop(
    labeled_tensor: Any, shape_map: dict[str, int], seed: int | None = None, name: str | None = None,
) -> LabeledTensor:
    """A part at a random place, with the given sizes for some axes; see `tf.random_crop`."""

def reciprocal(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.reciprocal` to a labeled tensor; axes are matched by name."""

def reduce_all(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_all` of a labeled tensor over all axes, or over those given: a name for an axis to drop, a
    pair (name, label) for one to keep."""

def reduce_any(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_any` of a labeled tensor over all axes, or over those given: a name for an axis to drop, a
    pair (name, label) for one to keep."""

def reduce_logsumexp(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_logsumexp` of a labeled tensor over all axes, or over those given: a name for an axis to
    drop, a pair (name, label) for one to keep."""

def reduce_max(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_max` of a labeled tensor over all axes, or over those given: a name for an axis to drop, a
    pair (name, label) for one to keep."""

def reduce_mean(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_mean` of a labeled tensor over all axes, or over those given: a name for an axis to drop,
    a pair (name, label) for one to keep."""

def reduce_min(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_min` of a labeled tensor over all axes, or over those given: a name for an axis to drop, a
    pair (name, label) for one to keep."""

def reduce_prod(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_prod` of a labeled tensor over all axes, or over those given: a name for an axis to drop,
    a pair (name, label) for one to keep."""

def reduce_sum(labeled_tensor: Any, axes: Any = None, name: str | None = None) -> LabeledTensor:
    """`tf.reduce_sum` of a labeled tensor over all axes, or over those given: a name for an axis to drop, a
    pair (name, label) for one to keep."""

def rename_axis(
    labeled_tensor: Any, existing_name: str, new_name: str, name: str | None = None,
) -> LabeledTensor:
    """The labeled_tensor with the axis existing_name called new_name."""

def reshape(
    labeled_tensor: Any, existing_axes: Any, new_axes: Any, name: str | None = None,
) -> LabeledTensor:
    """The tensor with other axes in the place of neighbouring ones."""

def round(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.round` to a labeled tensor; axes are matched by name."""

def rsqrt(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.rsqrt` to a labeled tensor; axes are matched by name."""

def select(labeled_tensor: Any, selection: dict[str, Any], name: str | None = None) -> LabeledTensor:
    """A part of a tensor, by labels."""

def shuffle_batch(
    labeled_tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, min_after_dequeue: int = 0, allow_smaller_final_batch: bool = False,
    seed: int | None = None, name: str | None = None,
) -> list[LabeledTensor]:
    """Shuffled batches of tensors by a queue, with a first axis "batch"; see `tf.train.shuffle_batch`."""

def sigmoid(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.sigmoid` to a labeled tensor; axes are matched by name."""

def sign(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.sign` to a labeled tensor; axes are matched by name."""

def sin(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.sin` to a labeled tensor; axes are matched by name."""

def slice(labeled_tensor: Any, selection: Any, name: str | None = None) -> LabeledTensor:
    """A part of a tensor, by places."""

def sqrt(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.sqrt` to a labeled tensor; axes are matched by name."""

def square(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.square` to a labeled tensor; axes are matched by name."""

def squared_difference(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None,
) -> LabeledTensor:
    """Applies `tf.squared_difference` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what
    becomes one; axes are matched by name."""

def squeeze(labeled_tensor: Any, axis_names: Any = None, name: str | None = None) -> LabeledTensor:
    """The tensor without the named axes of size 1, or without all of them; see `tf.squeeze`."""

def sub(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.sub` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""

def tan(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.tan` to a labeled tensor; axes are matched by name."""

def tanh(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.tanh` to a labeled tensor; axes are matched by name."""

def tile(labeled_tensor: Any, multiples: dict[str, Any], name: str | None = None) -> LabeledTensor:
    """The tensor, repeated along axes without labels; see `tf.tile`."""

def transpose(labeled_tensor: Any, axis_order: Any = None, name: str | None = None) -> LabeledTensor:
    """The tensor with its axes in another order."""

def unpack(
    labeled_tensor: Any, axis_name: str | None = None, name: str | None = None,
) -> list[LabeledTensor]:
    """The tensors along an axis, by default the first one; see `tf.unstack`."""

def verify_tensor_all_finite(
    labeled_tensor: Any, message: str, name: str | None = None,
) -> LabeledTensor:
    """The values, or an error at run time where one is not finite; see `tf.verify_tensor_all_finite`."""

def where(condition: Any, x: Any, y: Any, name: str | None = None) -> LabeledTensor:
    """`x` where the condition is true, else `y`; see `tf.where`."""

def zeros_like(labeled_tensor: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """Zeros with the axes of a tensor; see `tf.zeros_like`."""

def zeta(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
    """Applies `tf.zeta` to labeled_tensor_0 and labeled_tensor_1, labeled tensors or what becomes one; axes
    are matched by name."""
