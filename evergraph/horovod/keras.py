"""`horovod.keras` and `horovod.tensorflow.keras`: Horovod for models of Keras, ours or the package's."""
from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.graph.graph import default_graph
from evergraph.horovod import callbacks as callbacks
from evergraph.horovod import tensorflow as hvd
from evergraph.horovod.compression import Compression
from evergraph.horovod.keras_optimizer import distributed
from evergraph.horovod.tensorflow import Adasum as Adasum
from evergraph.horovod.tensorflow import Average as Average
from evergraph.horovod.tensorflow import Sum as Sum
from evergraph.horovod.tensorflow import init as init
from evergraph.horovod.tensorflow import is_initialized as is_initialized
from evergraph.horovod.tensorflow import local_rank as local_rank
from evergraph.horovod.tensorflow import local_size as local_size
from evergraph.horovod.tensorflow import mpi_threads_supported as mpi_threads_supported
from evergraph.horovod.tensorflow import rank as rank
from evergraph.horovod.tensorflow import shutdown as shutdown
from evergraph.horovod.tensorflow import size as size
from evergraph.keras import optimizers
from evergraph.keras.model_loading import load_model as load
from evergraph.keras.session import get_session


def DistributedOptimizer(  # noqa: N802 (Horovod's name)
        optimizer: Any, name: str | None = None, device_dense: str = "", device_sparse: str = "",
        compression: Any = Compression.none, sparse_as_dense: bool = False) -> Any:
    """A Keras optimizer like another one, whose gradients are the means over all processes.

    Args:
        optimizer: the optimizer.
        name: a name for it.
        device_dense, device_sparse: have no meaning here.
        compression: what makes messages smaller.
        sparse_as_dense: whether gradients of rows become dense ones before they are exchanged.
    """
    return distributed(optimizer, name, hvd.reducer(compression, sparse_as_dense, None))


def broadcast_global_variables(root_rank: int) -> None:
    """Gives all variables of Keras's session the values of one process."""
    _evaluated(hvd.broadcast_global_variables(root_rank))


def allreduce(value: Any, name: str | None = None, average: bool = True) -> Any:
    """The mean, or the sum, of a value over all processes, as an array."""
    return _evaluated(hvd.allreduce(value, average=average, name=name))


def allgather(value: Any, name: str | None = None) -> Any:
    """The values of all processes one after another, as an array."""
    return _evaluated(hvd.allgather(value, name))


def broadcast(value: Any, root_rank: int, name: str | None = None) -> Any:
    """The value of one process, as an array."""
    return _evaluated(hvd.broadcast(value, root_rank, name))


def _evaluated(result: Any) -> Any:
    return result.numpy() if default_graph().is_eager else get_session().run(result)


def load_model(filepath: Any, custom_optimizers: Sequence[type] | None = None,
               custom_objects: Mapping[str, Any] | None = None, compression: Any = Compression.none) -> Any:
    """A saved model whose optimizer is a distributed one.

    Args:
        filepath: where the model is.
        custom_optimizers: classes of optimizers that are not Keras's own.
        custom_objects: other classes and functions by name.
        compression: what makes messages smaller.
    """
    package = sys.modules.get("keras")
    module = optimizers if package is None else package.optimizers
    kinds = [each for each in vars(module).values() if isinstance(each, type) and hasattr(each, "get_gradients")]

    def maker(kind: type) -> Any:
        return lambda **config: DistributedOptimizer(kind(**config), compression=compression)

    known = {each.__name__: maker(each) for each in (*kinds, *(custom_optimizers or ()))}
    names = {**known, **{name.lower(): make for name, make in known.items()}, **(custom_objects or {})}
    return (load if package is None else package.models.load_model)(filepath, custom_objects=names)
