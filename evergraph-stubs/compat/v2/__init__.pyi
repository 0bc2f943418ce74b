# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2."""

from builtins import bool as _bool
from evergraph import (
    DType as _DType, DeviceSpec as _DeviceSpec, Tensor as _Tensor, lin_space, reverse_v2,
    tensor_scatter_add, tensor_scatter_sub, tensor_scatter_update,
)
from typing import Any
from evergraph.compat.v2 import (
    audio as audio, autograph as autograph, bitwise as bitwise, compat as compat, config as config,
    data as data, debugging as debugging, distribute as distribute, dtypes as dtypes, errors as errors,
    estimator as estimator, experimental as experimental, feature_column as feature_column,
    graph_util as graph_util, image as image, initializers as initializers, io as io, keras as keras,
    linalg as linalg, lite as lite, lookup as lookup, losses as losses, math as math, metrics as metrics,
    nest as nest, nn as nn, optimizers as optimizers, quantization as quantization, queue as queue,
    ragged as ragged, random as random, saved_model as saved_model, sets as sets, signal as signal,
    sparse as sparse, strings as strings, summary as summary, sysconfig as sysconfig, test as test,
    tpu as tpu, train as train, version as version, xla as xla,
)

from evergraph import AggregationMethod as AggregationMethod
from evergraph import Assert as Assert
from evergraph import CriticalSection as CriticalSection
from evergraph import DType as DType

class DeviceSpec(_DeviceSpec):
    """A device name whose fields do not change; `replace` and `make_merged_spec` return a new one."""
    def parse_from_string(self, spec: str) -> _DeviceSpec:
        """A new spec from a device name."""
    def make_merged_spec(self, dev: _DeviceSpec) -> _DeviceSpec:
        """A new spec with the other spec's fields, and this spec's where the other leaves them unspecified."""
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __init__(
        self, job: str | None = None, replica: int | None = None, task: int | None = None,
        device_type: str | None = None, device_index: int | None = None,
    ) -> None: ...

from evergraph import GradientTape as GradientTape
from evergraph import Graph as Graph
from evergraph import IndexedSlices as IndexedSlices
from evergraph import IndexedSlicesSpec as IndexedSlicesSpec
from evergraph import Module as Module
from evergraph import Operation as Operation
from evergraph import OptionalSpec as OptionalSpec
from evergraph import RaggedTensor as RaggedTensor
from evergraph import RaggedTensorSpec as RaggedTensorSpec
from evergraph import RegisterGradient as RegisterGradient
from evergraph import SparseTensor as SparseTensor
from evergraph import SparseTensorSpec as SparseTensorSpec
from evergraph import Tensor as Tensor
from evergraph import TensorArray as TensorArray
from evergraph import TensorArraySpec as TensorArraySpec
from evergraph import TensorShape as TensorShape
from evergraph import TensorSpec as TensorSpec
from evergraph import TypeSpec as TypeSpec
from evergraph import UnconnectedGradients as UnconnectedGradients

class Variable:
    """A variable that is reached through a handle, with TensorFlow 2's parameters: there are no collections
    to name."""

from evergraph import VariableAggregation as VariableAggregation
from evergraph import VariableSynchronization as VariableSynchronization
__compiler_version__: str
__git_version__: str
__version__: str
from evergraph import abs as abs
from evergraph import acos as acos
from evergraph import acosh as acosh
from evergraph import add as add
from evergraph import add_n as add_n

def argmax(input: Any, axis: Any = None, output_type: Any = ..., name: str | None = None) -> Any:
    """Returns the index of the maximum along an axis, the first of equal ones."""

def argmin(input: Any, axis: Any = None, output_type: Any = ..., name: str | None = None) -> Any:
    """Returns the index of the minimum along an axis, the first of equal ones."""

from evergraph import argsort as argsort
from evergraph import as_dtype as as_dtype
from evergraph import as_string as as_string
from evergraph import asin as asin
from evergraph import asinh as asinh

def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x == y elementwise, with broadcasting."""

def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x > y elementwise, with broadcasting."""

def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None,
) -> Any:
    """An operation that fails unless x < y elementwise, with broadcasting."""

def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """An operation that fails unless x has this rank."""

from evergraph import atan as atan
from evergraph import atan2 as atan2
from evergraph import atanh as atanh

def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Moves square blocks of images out of the batch and crops: the inverse of `tf.space_to_batch`."""

bfloat16: _DType
from evergraph import bitcast as bitcast
bool: _DType

def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = 'boolean_mask') -> Any:
    """Selects the elements, or slices, of a tensor at which a boolean mask is true; their number depends on
    the mask."""

from evergraph import broadcast_dynamic_shape as broadcast_dynamic_shape
from evergraph import broadcast_static_shape as broadcast_static_shape
from evergraph import broadcast_to as broadcast_to
from evergraph import case as case
from evergraph import cast as cast
from evergraph import clip_by_global_norm as clip_by_global_norm
from evergraph import clip_by_norm as clip_by_norm
from evergraph import clip_by_value as clip_by_value
from evergraph import complex as complex
complex128: _DType
complex64: _DType
from evergraph import concat as concat

def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Builds a conditional: runs the operations of `true_fn` when `pred` is true at run time, else those of
    `false_fn`."""

def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = 'Const') -> _Tensor:
    """A tensor whose value is fixed when it is made: `tf.constant`, but only a single value is repeated."""

def constant_initializer(value: Any = 0) -> Any:
    """Initializes a variable with a constant: one number everywhere, or a list that fills the shape in
    row-major order."""

from evergraph import control_dependencies as control_dependencies

def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None,
) -> Any:
    """`value` as a tensor: returns a tensor itself, reads a variable, makes a constant of Python and NumPy
    values."""

from evergraph import cos as cos
from evergraph import cosh as cosh
from evergraph import cumsum as cumsum
from evergraph import custom_gradient as custom_gradient

def device(device_name: Any) -> Any:
    """Places the operations made inside the block on a device."""

from evergraph import divide as divide
double: _DType
from evergraph import dynamic_partition as dynamic_partition
from evergraph import dynamic_stitch as dynamic_stitch
from evergraph import edit_distance as edit_distance
from evergraph import einsum as einsum
from evergraph import enable_v2_behavior as enable_v2_behavior
from evergraph import ensure_shape as ensure_shape
from evergraph import equal as equal
from evergraph import executing_eagerly as executing_eagerly
from evergraph import exp as exp

def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """Inserts an axis of size 1 into the shape of a tensor."""

from evergraph import extract_volume_patches as extract_volume_patches
from evergraph import eye as eye
from evergraph import fill as fill
from evergraph import fingerprint as fingerprint
float16: _DType
float32: _DType
float64: _DType
from evergraph import floor as floor
from evergraph import foldl as foldl
from evergraph import foldr as foldr
from evergraph import function as function

def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: Any = 0,
    name: str | None = None,
) -> Any:
    """Selects slices of a tensor by their indices along `axis`; by default rows, result[i] =
    params[indices[i]]."""

def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """Selects elements or slices of a tensor by coordinates: result[i] = params[indices[i, 0], indices[i,
    1], ...]."""

from evergraph import get_logger as get_logger
from evergraph import get_static_value as get_static_value
from evergraph import grad_pass_through as grad_pass_through

def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = 'gradients', gate_gradients: Any = False,
    aggregation_method: Any = None, stop_gradients: Any = None, unconnected_gradients: Any = ...,
) -> Any:
    """Adds nodes that compute d(sum(ys))/dx for each x in `xs`, by reverse-mode automatic
    differentiation."""

from evergraph import greater as greater
from evergraph import greater_equal as greater_equal
from evergraph import group as group
from evergraph import guarantee_const as guarantee_const
half: _DType

def hessians(
    ys: Any, xs: Any, gate_gradients: Any = False, aggregation_method: Any = None, name: str = 'hessians',
) -> Any:
    """Adds nodes that compute the Hessians of sum(ys), one for each tensor of `xs`: their shape is shape(x)
    + shape(x)."""

from evergraph import histogram_fixed_width as histogram_fixed_width
from evergraph import histogram_fixed_width_bins as histogram_fixed_width_bins
from evergraph import identity as identity
from evergraph import identity_n as identity_n
from evergraph import import_graph_def as import_graph_def
from evergraph import init_scope as init_scope
int16: _DType
int32: _DType
int64: _DType
int8: _DType
from evergraph import is_tensor as is_tensor
from evergraph import less as less
from evergraph import less_equal as less_equal
linspace = lin_space
from evergraph import load_library as load_library
from evergraph import load_op_library as load_op_library
from evergraph import logical_and as logical_and
from evergraph import logical_not as logical_not
from evergraph import logical_or as logical_or
from evergraph import make_ndarray as make_ndarray
from evergraph import make_tensor_proto as make_tensor_proto
from evergraph import map_fn as map_fn
from evergraph import matmul as matmul
from evergraph import matrix_square_root as matrix_square_root
from evergraph import maximum as maximum
from evergraph import meshgrid as meshgrid
from evergraph import minimum as minimum
from evergraph import multiply as multiply
from evergraph import name_scope as name_scope
from evergraph import negative as negative
newaxis: None
from evergraph import no_gradient as no_gradient
from evergraph import no_op as no_op
from evergraph import nondifferentiable_batch_function as nondifferentiable_batch_function
from evergraph import norm as norm
from evergraph import not_equal as not_equal
from evergraph import numpy_function as numpy_function
from evergraph import one_hot as one_hot
from evergraph import ones as ones

def ones_initializer() -> Any:
    """Initializes a variable with ones."""

def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Creates a tensor of ones in the shape and dtype of another tensor."""

def pad(
    tensor: Any, paddings: Any, mode: Any = 'CONSTANT', constant_values: Any = 0, name: str | None = None,
) -> Any:
    """Pads a tensor at the borders of its axes: with a constant, or with its own elements mirrored."""

from evergraph import parallel_stack as parallel_stack
from evergraph import pow as pow
from evergraph import print as print
from evergraph import py_function as py_function
qint16: _DType
qint32: _DType
qint8: _DType
quint16: _DType
quint8: _DType

def random_normal_initializer(mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    """Initializes a variable from the normal distribution N(mean, stddev**2)."""

def random_uniform_initializer(minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> Any:
    """Initializes a variable from the uniform distribution on [minval, maxval)."""

from evergraph import range as range
from evergraph import rank as rank
from evergraph import realdiv as realdiv
from evergraph import recompute_grad as recompute_grad

def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Computes the logical AND of a boolean tensor along axes."""

def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Computes the logical OR of a boolean tensor along axes."""

def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Computes log(sum(exp(x))) along axes in a numerically stable way, as max(x) + log(sum(exp(x -
    max(x))))."""

def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Computes the maximum of a tensor along axes."""

def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Averages the elements of a tensor along axes; means of integers are truncated to integers."""

def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Computes the minimum of a tensor along axes."""

def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Multiplies the elements of a tensor along axes."""

def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: _bool = False, name: str | None = None,
) -> Any:
    """Sums the elements of a tensor along axes."""

from evergraph import register_tensor_conversion_function as register_tensor_conversion_function
from evergraph import repeat as repeat
from evergraph import required_space_to_batch_paddings as required_space_to_batch_paddings
from evergraph import reshape as reshape
resource: _DType
reverse = reverse_v2
from evergraph import reverse_sequence as reverse_sequence
from evergraph import roll as roll
from evergraph import round as round
from evergraph import saturate_cast as saturate_cast
from evergraph import scalar_mul as scalar_mul
from evergraph import scan as scan
from evergraph import scatter_nd as scatter_nd
from evergraph import searchsorted as searchsorted
from evergraph import sequence_mask as sequence_mask

def shape(input: Any, out_type: Any = ..., name: str | None = None) -> Any:
    """Returns the run-time shape of a tensor as a 1-D integer tensor; `tensor.shape` is the static one."""

from evergraph import shape_n as shape_n
from evergraph import sigmoid as sigmoid
from evergraph import sign as sign
from evergraph import sin as sin
from evergraph import sinh as sinh

def size(input: Any, out_type: Any = ..., name: str | None = None) -> Any:
    """Returns the number of elements of a tensor, the product of its sizes."""

from evergraph import slice as slice
from evergraph import sort as sort

def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Pads images and moves square blocks of them into the batch."""

from evergraph import space_to_batch_nd as space_to_batch_nd
from evergraph import split as split
from evergraph import sqrt as sqrt
from evergraph import square as square
from evergraph import squeeze as squeeze
from evergraph import stack as stack
from evergraph import stop_gradient as stop_gradient
from evergraph import strided_slice as strided_slice
string: _DType
from evergraph import subtract as subtract
from evergraph import switch_case as switch_case
from evergraph import tan as tan
from evergraph import tanh as tanh
tensor_scatter_nd_add = tensor_scatter_add
tensor_scatter_nd_sub = tensor_scatter_sub
tensor_scatter_nd_update = tensor_scatter_update
from evergraph import tensordot as tensordot
from evergraph import tile as tile
from evergraph import timestamp as timestamp

def transpose(a: Any, perm: Any = None, conjugate: Any = False, name: str = 'transpose') -> Any:
    """Permutes the axes of a tensor; the transpose of a matrix by default."""

from evergraph import truediv as truediv
from evergraph import truncatediv as truncatediv
from evergraph import truncatemod as truncatemod

def tuple(tensors: Any, control_inputs: Any = None, name: str | None = None) -> Any:
    """Synchronizes tensors: returns copies of them, each available only when all of them are computed."""

uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
from evergraph import unique as unique
from evergraph import unique_with_counts as unique_with_counts
from evergraph import unravel_index as unravel_index
from evergraph import unstack as unstack
from evergraph import variable_creator_scope as variable_creator_scope
variant: _DType
from evergraph import vectorized_map as vectorized_map

def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """`tf.where` in which condition, x and y broadcast."""

def while_loop(
    cond: Any, body: Any, loop_vars: Any, shape_invariants: Any = None, parallel_iterations: Any = 10,
    back_prop: Any = True, swap_memory: _bool = False, maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Builds a loop: runs `body` while `cond` is true at run time, and returns the final loop variables."""

from evergraph import zeros as zeros

def zeros_initializer() -> Any:
    """Initializes a variable with zeros."""

def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Creates a tensor of zeros in the shape and dtype of another tensor."""
