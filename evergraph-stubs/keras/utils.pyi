# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.utils."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures._base import Future
from evergraph.keras import Model
from queue import Queue
from threading import Event, Thread
from typing import Any

class CustomObjectScope:
    """Context manager that registers custom classes and functions for deserialization."""
    def __enter__(self) -> CustomObjectScope: ...
    def __exit__(self, *args: Any) -> None: ...
    def __init__(self, *args: dict[str, Any]) -> None: ...
    backup: dict[str, Any]
    custom_objects: Any

class GeneratorEnqueuer(SequenceEnqueuer):
    """Takes batches from a generator ahead of time."""
    def __init__(
        self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None,
    ) -> None: ...

class HDF5Matrix:
    """Rows of a dataset in an HDF5 file, in place of an array."""
    refs: defaultdict[str, Any]
    @property
    def shape(self) -> Any:
        """The shape."""
    @property
    def dtype(self) -> Any:
        """The dtype."""
    @property
    def ndim(self) -> Any:
        """The rank."""
    @property
    def size(self) -> Any:
        """The number of elements."""
    def __getitem__(self, key: Any) -> Any: ...
    def __len__(self) -> int: ...
    def __init__(
        self, datapath: str, dataset: str, start: int = 0, end: int | None = None,
        normalizer: Callable[[Any], Any] | None = None,
    ) -> None: ...
    data: Any
    normalizer: Any
    start: Any
    end: Any

class OrderedEnqueuer(SequenceEnqueuer):
    """Prepares the batches of a `Sequence`, epoch after epoch, in order."""
    def __init__(
        self, sequence: Sequence, use_multiprocessing: bool = False, shuffle: bool = False,
    ) -> None: ...
    shuffle: Any

class Progbar:
    """A progress bar with the averages of values."""
    def update(self, current: int, values: Any = None) -> None:
        """Moves the bar."""
    def add(self, n: int, values: Any = None) -> None:
        """Moves the bar by `n` steps."""
    def __init__(
        self, target: int | None, width: int = 30, verbose: int = 1, interval: float = 0.05,
        stateful_metrics: Any = None, unit_name: str = 'step',
    ) -> None: ...
    target: Any
    width: Any
    verbose: Any
    interval: Any
    unit_name: Any
    stateful_metrics: Any

class Sequence:
    """The base of data that is known batch by batch: a subclass has `__getitem__`, a batch, and
    `__len__`."""
    def on_epoch_end(self) -> None:
        """Called at the end of every epoch."""
    def __getitem__(self, index: int) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

class SequenceEnqueuer:
    """The base of enqueuers: workers prepare batches while the program uses others."""
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Starts the workers."""
    def stop(self, timeout: float | None = None) -> None:
        """Stops the workers; waits for them for at most `timeout` seconds."""
    def get(self) -> Iterator[Any]:
        """The batches, in order."""
    def __init__(self, sequence: Any, use_multiprocessing: bool = False) -> None: ...
    queue: Queue[Future[Any]] | None
    run_thread: Thread | None
    stop_signal: Event | None
    workers: Any
    sequence: Any
    use_multiprocessing: Any

def convert_all_kernels_in_model(model: Any) -> None:
    """Turns the kernels of a model's convolutions around in space: between TensorFlow's and Theano's
    order."""

def custom_object_scope(*args: dict[str, Any]) -> CustomObjectScope:
    """Makes a `CustomObjectScope` of several dicts of names and objects."""

def deserialize_keras_object(
    identifier: Any, module_objects: dict[str, Any] | None = None,
    custom_objects: dict[str, Any] | None = None, printable_module_name: str = 'object',
) -> Any:
    """Deserializes an object from its name or configuration."""

def get_custom_objects() -> dict[str, Any]:
    """The global dictionary of custom classes and functions for deserialization, which programs may
    extend."""

def get_file(
    fname: str, origin: str, untar: bool = False, md5_hash: str | None = None, file_hash: str | None = None,
    cache_subdir: str = 'datasets', hash_algorithm: str = 'auto', extract: bool = False,
    archive_format: str | list[str] | None = 'auto', cache_dir: str | None = None,
) -> str:
    """The path of a file in the cache, which is fetched if it is not there, or has another hash than it
    should."""

def get_source_inputs(tensor: Any, layer: Any = None, node_index: int | None = None) -> list[Any]:
    """The inputs of a functional model that a tensor comes from."""

def model_to_dot(
    model: Any, show_shapes: bool = False, show_layer_names: bool = True, rankdir: str = 'TB',
    expand_nested: bool = False, dpi: int = 96, subgraph: bool = False,
) -> Any:
    """A model as a `pydot.Dot`."""

def multi_gpu_model(
    model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False,
) -> Model:
    """A model with the same variables that computes each part of a batch on an accelerator of its own."""

def normalize(x: Any, axis: Any = -1, order: Any = 2) -> Any:
    """Normalizes vectors along an axis of an array to norm 1, in the norm of this order."""

def plot_model(
    model: Any, to_file: str = 'model.png', show_shapes: bool = False, show_layer_names: bool = True,
    rankdir: str = 'TB', expand_nested: bool = False, dpi: int = 96,
) -> Any:
    """Draws a model to a file; in a notebook the result shows it."""

def serialize_keras_object(instance: Any) -> Any:
    """Serializes an object: a function to its name, others to their class name and configuration."""

def to_categorical(y: Any, num_classes: Any = None, dtype: Any = 'float32') -> Any:
    """One-hot encodes an array of class indices."""
