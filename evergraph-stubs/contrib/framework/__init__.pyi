# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.framework."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from evergraph import Graph, Tensor, TensorSpec as _TensorSpec
from typing import Any
from evergraph.contrib.framework import nest as nest

import sys
if sys.platform == "":
    del (
        arg_scopes, printing, remapped, restore, tools, variables,
    )

class BoundedTensorSpec(_TensorSpec):
    """A TensorSpec with bounds `minimum` and `maximum` on the elements, which broadcast to the shape."""
    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec: ...
    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None: ...
    minimum: Any
    maximum: Any

class RecordInput:
    """Batches of the records of TFRecord files, in random order, epoch after epoch."""
    def get_yield_op(self) -> Any:
        """The records of a step: a vector of strings, or with `batches` a list of them."""
    def __init__(
        self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1, parallelism: int = 1,
        shift_ratio: float = 0, seed: int = 0, name: str | None = None, batches: int | None = None,
        compression_type: Any = None,
    ) -> None: ...

from evergraph import TensorSpec as TensorSpec

class VariableDeviceChooser:
    """A device function that spreads variables over the tasks of a job, one after another."""
    def __call__(self, op: Any) -> str: ...
    def __init__(
        self, num_tasks: int = 0, job_name: str = 'ps', device_type: str = 'CPU', device_index: int = 0,
        replica: int | None = None,
    ) -> None: ...

def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: lets `arg_scope` give defaults to the function's keyword arguments."""

def add_model_variable(var: Any) -> None:
    """Adds a variable to the MODEL_VARIABLES collection, unless it is there already."""

def arg_scope(
    list_ops_or_scope: Sequence[Any] | dict[str, dict[str, Any]], **kwargs: Any,
) -> AbstractContextManager[dict[str, dict[str, Any]]]:
    """Gives the functions these defaults inside the block."""

def arg_scope_func_key(op: Any) -> str:
    """The key under which a scope keeps the defaults of a function."""

def arg_scoped_arguments(func: Callable[..., Any]) -> Any:
    """The names of the arguments that have defaults in a decorated function."""

from evergraph import argsort as argsort
from evergraph.train import assert_global_step as assert_global_step

def assert_or_get_global_step(graph: Graph | None = None, global_step_tensor: Any = None) -> Any:
    """The global step of a graph, or the one that is given, once it is found to be one."""

from evergraph import assert_same_float_dtype as assert_same_float_dtype
from evergraph import assert_scalar as assert_scalar

def assert_scalar_int(tensor: Any, name: str | None = None) -> Tensor:
    """`tensor`, which must be one number of an integer dtype."""

def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False,
) -> tuple[Any, Any]:
    """(an operation that sets variables, the dictionary of values from a checkpoint to feed it with)."""

def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False,
) -> Callable[[Any], None] | None:
    """A function of a session that restores variables from a checkpoint."""

def assign_from_values(var_names_to_values: dict[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """(an operation that sets variables, the dictionary to feed it with): the values stay out of the
    graph."""

def assign_from_values_fn(var_names_to_values: dict[str, Any]) -> Callable[[Any], None]:
    """A function of a session that sets variables; see `assign_from_values`."""

from evergraph import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from evergraph.train import create_global_step as create_global_step

def current_arg_scope() -> dict[str, dict[str, Any]]:
    """The defaults in force: function -> argument -> value."""

def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """Decorator for a deprecated function or class: calling it logs a warning."""

def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any,
) -> Callable[[Any], Any]:
    """Decorator for a function with deprecated values of arguments: passing one logs a warning."""

def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, warn_once: bool = True,
) -> Callable[[Any], Any]:
    """Decorator for a function with deprecated arguments: passing one logs a warning."""

def filter_variables(
    var_list: Sequence[Any], include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None, reg_search: bool = True,
) -> list[Any]:
    """The variables whose names fit a pattern to include (any, when there is none) and no pattern to
    exclude."""

from evergraph.train import get_global_step as get_global_step

def get_graph_from_inputs(op_input_list: Any, graph: Any = None) -> Graph:
    """The graph that these values belong to, which must be `graph` if that is given."""

def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the LOCAL_VARIABLES collection."""

def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the MODEL_VARIABLES collection."""

def get_name_scope() -> Any:
    """The name of the scope in force, "a/b"; "" outside all of them."""

from evergraph.train import get_or_create_global_step as get_or_create_global_step

def get_placeholders(graph: Any) -> Any:
    """The tensors of the placeholders of a graph."""

def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The variables of a scope that are in the TRAINABLE_VARIABLES collection."""

def get_unique_variable(var_op_name: str) -> Any:
    """The one variable whose operation is called `var_op_name`."""

def get_variable_full_name(var: Any) -> str:
    """The name of a variable, or of the whole when it is a part of one."""

def get_variables(
    scope: Any = None, suffix: str | None = None, collection: Any = 'variables',
) -> list[Any]:
    """The variables of a collection, in a scope and with a name that ends in a suffix, where these are
    given."""

def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The global variables that are called `given_name` in whatever scope."""

def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """The global variables whose names end in `suffix`."""

def get_variables_to_restore(
    include: Sequence[str] | None = None, exclude: Sequence[str] | None = None,
) -> list[Any]:
    """The global variables in the scopes `include`, without those in the scopes `exclude`."""

def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None,
    use_resource: bool | None = None,
) -> Any:
    """A variable that machines share: in GLOBAL_VARIABLES, not trainable."""

def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Whether the function was decorated with `add_arg_scope`."""

from evergraph.train import init_from_checkpoint as init_from_checkpoint
from evergraph import is_non_decreasing as is_non_decreasing
from evergraph import is_numeric_tensor as is_numeric_tensor
from evergraph import is_strictly_increasing as is_strictly_increasing
from evergraph import is_tensor as is_tensor
from evergraph.train import list_variables as list_variables

def load_and_remap_matrix_initializer(
    ckpt_path: Any, old_tensor_name: str, new_row_vocab_size: int, new_col_vocab_size: int,
    old_row_vocab_size: int = -1, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Callable[..., Tensor] | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:
    """An initializer that reads a matrix from a checkpoint, with rows and columns in another order."""

from evergraph.train import load_checkpoint as load_checkpoint

def load_embedding_initializer(
    ckpt_path: Any, embedding_tensor_name: str, new_vocab_size: int, embedding_dim: int,
    old_vocab_file: Any, new_vocab_file: Any, old_vocab_size: int = -1, num_oov_buckets: int = 0,
    initializer: Callable[..., Tensor] | None = None, max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:
    """An initializer that reads embeddings from a checkpoint with another vocabulary."""

def load_linear_multiclass_bias_initializer(
    ckpt_path: Any, bias_tensor_name: str, new_class_vocab_size: int, old_class_vocab_file: Any,
    new_class_vocab_file: Any, num_class_oov_buckets: int = 0,
    initializer: Callable[..., Tensor] | None = None, max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:
    """An initializer that reads the biases of classes, [classes, 1], from a checkpoint with other
    classes."""

from evergraph.train import load_variable as load_variable

def load_variable_slot_initializer(
    ckpt_path: Any, old_tensor_name: str, primary_partition_info: Any, new_row_vocab_size: int,
    new_col_vocab_size: int, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Callable[..., Tensor] | None = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Tensor]:
    """An initializer of a slot, which is the same part of the whole as its variable is."""

def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None,
    use_resource: bool | None = None,
) -> Any:
    """A variable of this process alone: in LOCAL_VARIABLES, not trainable."""

def model_variable(
    name: str, shape: Any = None, dtype: Any = ..., initializer: Any = None, regularizer: Any = None,
    trainable: bool | None = True, collections: Any = None, caching_device: Any = None, device: Any = None,
    partitioner: Any = None, custom_getter: Any = None, use_resource: bool | None = None,
    synchronization: Any = ..., aggregation: Any = ...,
) -> Any:
    """A variable that is also in the MODEL_VARIABLES collection: what inference needs."""

def prepend_name_scope(name: str, import_scope: Any) -> Any:
    """A name as it is when imported into a scope; what stands before it, as "^" or "loc:@", stays there."""

def print_op(
    input_: Any, data: Any = None, message: str | None = None, first_n: int | None = None,
    summarize: int = 20, name: str | None = None,
) -> Any:
    """The input unchanged; whenever it is computed, its shape and elements are printed to stderr."""

from evergraph import py_func as py_func

def reduce_sum_n(tensors: Any, name: str | None = None) -> Any:
    """The sum of the elements of all tensors."""

def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: Any = 0, name: str | None = None,
) -> tuple[Any, Any]:
    """Labels and predictions, one of them without its last axis of size 1 when it has one axis more than
    expected."""

def smart_case(
    pred_fn_pairs: Any, default: Any = None, exclusive: Any = False, name: str = 'smart_case',
) -> Any:
    """`tf.case` that calls only one function when all conditions are known now."""

def smart_cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Like `tf.cond`, but calls only one of the functions when the value of `pred` is known now."""

def smart_constant_value(pred: Any) -> Any:
    """The value of a predicate that is known now: a bool, 0 or 1, or a tensor that follows from constants;
    else None."""

from evergraph import sort as sort

def strip_name_scope(name: str, export_scope: Any) -> Any:
    """A name without the scope that it is exported from."""

def variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
    trainable: bool | None = True, collections: Any = None, caching_device: Any = None, device: Any = None,
    partitioner: Any = None, custom_getter: Any = None, use_resource: bool | None = None,
    synchronization: Any = ..., aggregation: Any = ...,
) -> Any:
    """As `tf.get_variable`, on a device of its own when one is given."""

def with_same_shape(expected_tensor: Any, tensor: Any) -> Tensor:
    """`tensor`, checked to have the shape of another one."""

def with_shape(expected_shape: Any, tensor: Any) -> Tensor:
    """`tensor`, checked to be of a shape: now if that is known, otherwise in the step."""

def zero_initializer(ref: Any, use_locking: bool = True, name: str = 'zero_initializer') -> Any:
    """Sets a variable to zeros, in place of its initializer; a variable that is initialized already is an
    error."""
