# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.eager."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from evergraph import Operation, Tensor, Variable as _Variable, executing_eagerly as _executing_eagerly, py_function
from evergraph.config import experimental_list_devices
from evergraph.keras import Model
from typing import Any
from evergraph.contrib.eager import metrics as metrics

ASYNC: int
from evergraph.train import Checkpoint as Checkpoint
from evergraph.contrib.checkpoint import Checkpointable as Checkpointable
DEVICE_PLACEMENT_EXPLICIT: int
DEVICE_PLACEMENT_SILENT: int
DEVICE_PLACEMENT_WARN: int

class EagerVariableStore:
    """Keeps the variables that `tf.get_variable` makes with eager execution, so that a second call shares
    them."""
    def as_default(self) -> AbstractContextManager[None]:
        """A with-block in which `tf.get_variable` makes and finds the variables of this store."""
    def variables(self) -> list[Any]:
        """The variables, sorted by name."""
    def trainable_variables(self) -> list[Any]:
        """Those that are trainable."""
    def non_trainable_variables(self) -> list[Any]:
        """Those that are not."""
    def copy(self) -> EagerVariableStore:
        """A store with copies of the variables, which change on their own."""
    def __init__(self, store: Any = None) -> None: ...

from evergraph import GradientTape as GradientTape

class Iterator:
    """Draws the elements of a dataset with eager execution or in a tf.function; `for element in dataset`
    makes one."""
    def next(self) -> Any:
        """The next element; StopIteration at the end."""
    def get_next(self, name: str | None = None) -> Any:
        """The next element."""
    @property
    def element_spec(self) -> Any:
        """The structure of the elements."""
    @property
    def output_types(self) -> Any:
        """The dtypes of the elements' parts."""
    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
    @property
    def output_classes(self) -> Any:
        """Their classes: tf.Tensor or tf.SparseTensor."""
    def __iter__(self) -> Iterator: ...
    def __next__(self) -> Any: ...
    def __init__(self, dataset: Any) -> None: ...

class Network(Model):
    """The base of models that say in `call` what they compute, from layers that `track_layer` registers."""
    def track_layer(self, layer: Any) -> Any:
        """Makes a layer part of the network, and returns it."""
    def __init__(self, name: str | None = None) -> None: ...

SYNC: int

class Saver:
    """Writes and reads variables by name, with eager execution."""
    def save(self, file_prefix: Any, global_step: Any = None) -> str:
        """Writes a checkpoint, whose name ends in the step if one is given; returns its path."""
    def restore(self, file_prefix: Any) -> None:
        """Gives the variables the values of a checkpoint."""
    def __init__(self, var_list: Any) -> None: ...

class Sequential(Network):
    """Calls layers or functions one after the other."""
    def add(self, layer_func: Any) -> None:
        """Adds a layer or function."""
    def call(self, inputs: Any, training: Any = None) -> Any:
        """What the last step gives."""
    def __init__(self, layers_funcs: Sequence[Any] | None = None, name: str | None = None) -> None: ...

from evergraph import TensorSpec as TensorSpec

class Variable(_Variable):
    """A variable that is reached through a handle; every use reads the value it has at that time."""
    @property
    def op(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def graph(self) -> Any: ...
    @property
    def create(self) -> Operation:
        """The operation that gives the variable its first value."""
    def set_shape(self, shape: Any) -> None: ...
    def value(self) -> Tensor: ...
    def read_value(self) -> Tensor: ...
    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has a value."""
    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True,
    ) -> Any: ...
    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True,
    ) -> Any: ...
    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True,
    ) -> Any: ...
    def count_up_to(self, limit: int) -> Tensor: ...
    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor: ...
    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor: ...
    handle: Any

from evergraph import custom_gradient as custom_gradient

def defun(
    func: Callable[..., Any] | None = None, input_signature: Sequence[Any] | None = None,
    autograph: bool = True, experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """The older form of `tf.function`, with the same arguments, which traces once and may create variables
    whenever."""

from evergraph import enable_eager_execution as enable_eager_execution
from evergraph import executing_eagerly as executing_eagerly
from evergraph import function as function

def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer; `optimizer.variables()` by now."""

def gradients_function(
    f: Callable[..., Any], params: Sequence[Any] | None = None,
) -> Callable[..., Any]:
    """A function that gives the gradients of `f` by its arguments."""

def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the gradients of `f` by the trainable variables that it reads."""

def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the result of `f` and its gradients by variables; see `implicit_gradients`."""

in_eager_mode = _executing_eagerly
list_devices = experimental_list_devices
from evergraph import make_template as make_template

def num_gpus() -> int:
    """How many accelerators ops can be placed on."""

py_func = py_function

def restore_variables_on_create(
    save_path: Any, map_func: Callable[[str], str] | None = None,
) -> AbstractContextManager[None]:
    """A with-block in which new variables start with the values that a checkpoint has under their names."""

def run_test_in_graph_and_eager_modes(
    func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """A decorator of a test method, which runs it twice: in a graph with a session, then eagerly."""

def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[Any] | None = None,
) -> Callable[..., Any]:
    """A function that gives the result of `f` and the gradients by its arguments; see
    `gradients_function`."""
