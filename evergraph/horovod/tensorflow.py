"""`horovod.tensorflow`: sums, other processes' tensors and equal starts, for graphs and eager execution."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import errors
from evergraph.cluster import collectives
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.control_flow import group
from evergraph.frontend.math import cast
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.horovod.compression import Compression
from evergraph.horovod.processes import here, joined, process
from evergraph.horovod.processes import init as init
from evergraph.horovod.processes import shutdown as shutdown
from evergraph.train.optimizer import Optimizer
from evergraph.train.session_run_hook import SessionRunHook

Average, Sum, Adasum = range(3)
"""How `allreduce` combines: the last is Horovod's own, and not supported."""


def size() -> int:
    """How many processes there are. This and its siblings raise ValueError before `init`."""
    return here().size


def rank() -> int:
    """The number of this process among all."""
    return here().rank


def local_size() -> int:
    """How many processes there are on this machine."""
    return here().local_size


def local_rank() -> int:
    """The number of this process on its machine."""
    return here().local_rank


def is_initialized() -> bool:
    """Whether `init` was called."""
    return process.place is not None


def mpi_threads_supported() -> bool:
    """Whether MPI may be used beside Horovod in several threads: no, there is no MPI."""
    joined()
    return False


def _operation(average: bool | None, op: int | None) -> int:
    """How to combine, from the two ways to say so.

    Raises:
        ValueError: both are given, or there is no such way.
        UnimplementedError: Adasum is asked for.
    """
    if average is not None and op is not None:
        raise ValueError("The op parameter supersedes average. Please provide only one of them.")
    found = op if op is not None else Sum if average is False else Average
    if found == Adasum:
        raise errors.UnimplementedError(None, None, "hvd.Adasum: use hvd.Average or hvd.Sum")
    if found not in (Average, Sum):
        raise ValueError(f"op must be hvd.Average or hvd.Sum, got {op!r}")
    return found


def allreduce(tensor: Any, average: bool | None = None, device_dense: str = "", device_sparse: str = "",
              compression: Any = Compression.none, op: int | None = None, name: str | None = None) -> Any:
    """The mean, or the sum, of a tensor over all processes.

    Of IndexedSlices it is the rows of all, whose sum they are.

    Args:
        tensor: a tensor, a variable or IndexedSlices.
        average: whether it is the mean: yes by default.
        device_dense, device_sparse: have no meaning here, where processes exchange what is on the host.
        compression: what makes the message smaller, such as `Compression.fp16`.
        op: `Average` or `Sum`, instead of `average`.
        name: of the operation.

    Raises:
        ValueError: both of `average` and `op` are given, or `init` was not called.
    """
    return reduced([tensor], _operation(average, op), compression, name or "HorovodAllreduce")[0]


def reduced(values: Sequence[Any], how: int, compression: Any, name: str) -> list[Any]:
    """The means or sums of several tensors, which go in one message; None stays None."""
    given = [value if value is None or isinstance(value, IndexedSlices) else convert_to_tensor(value)
             for value in values]
    places = [place for place, value in enumerate(given) if value is not None]
    packed = [_compressed(given[place], compression) for place in places]
    totals = collectives.sum_of(joined(), [each for each, _ in packed], name)
    for place, total, (_, context) in zip(places, totals, packed):
        if isinstance(total, IndexedSlices):
            given[place] = IndexedSlices(_share(total.values, how), total.indices, total.dense_shape)
        else:
            given[place] = _share(compression.decompress(total, context), how)
    return given


def _compressed(value: Any, compression: Any) -> tuple[Any, Any]:
    return (value, None) if isinstance(value, IndexedSlices) else compression.compress(value)


def _share(total: Any, how: int) -> Any:
    if how == Sum:
        return total
    if total.dtype.is_floating or total.dtype.is_complex:
        return total / cast(here().size, total.dtype)
    return total // cast(here().size, total.dtype)


def allgather(tensor: Any, name: str | None = None) -> Any:
    """The tensors of all processes, one after another along the first dimension, in which they may differ."""
    return collectives.all_gather(joined(), tensor, name or "HorovodAllgather")


def broadcast(tensor: Any, root_rank: int, name: str | None = None) -> Any:
    """One process's tensor for all. Raises ValueError if there is no such process."""
    return collectives.broadcast(joined(), [tensor], _checked(root_rank), name or "HorovodBroadcast")[0]


def _checked(root_rank: int) -> int:
    if not 0 <= root_rank < size():
        raise ValueError(f"there is no rank {root_rank} among {size()}")
    return root_rank


def broadcast_variables(variables: Sequence[Any], root_rank: int) -> Any:
    """Gives variables the values that they have in one process: an operation, or nothing with eager execution."""
    variables = list(variables)
    values = collectives.broadcast(joined(), [variable.read_value() if hasattr(variable, "read_value") else variable
                                              for variable in variables], _checked(root_rank), "HorovodBroadcast")
    done = [variable.assign(value) for variable, value in zip(variables, values)]
    return None if default_graph().is_eager else group(*(each.op for each in done))


def broadcast_global_variables(root_rank: int) -> Any:
    """`broadcast_variables` of all global variables of the graph.

    Raises:
        RuntimeError: there is no graph.
    """
    if default_graph().is_eager:
        raise RuntimeError("hvd.broadcast_global_variables() does not support eager execution. "
                           "Please use `hvd.broadcast_variables(<model/optimizer variables>)` instead.")
    return broadcast_variables(get_collection(GraphKeys.GLOBAL_VARIABLES), root_rank)


class BroadcastGlobalVariablesHook(SessionRunHook):
    """Gives the variables of each new session the values of one process.

    Args:
        root_rank: which.
        device: has no meaning here.
    """

    def __init__(self, root_rank: int, device: str = "") -> None:
        self.root_rank, self.bcast_op = root_rank, None

    def begin(self) -> None:
        """Makes the operation."""
        if self.bcast_op is None or self.bcast_op.graph is not default_graph():
            self.bcast_op = broadcast_global_variables(self.root_rank)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs it."""
        session.run(self.bcast_op)


class _Distributed(Optimizer):
    """An optimizer whose gradients are the means over all processes."""

    def __init__(self, optimizer: Optimizer, name: str | None, use_locking: bool, reduce: Any) -> None:
        super().__init__(use_locking, name or f"Distributed{type(optimizer).__name__}")
        self._optimizer, self._reduce = optimizer, reduce

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """The gradients of this process's loss, averaged over all."""
        pairs = self._optimizer.compute_gradients(*args, **kwargs)
        if here().size == 1:
            return pairs
        with name_scope(f"{self._name}_Allreduce"):
            found = self._reduce([gradient for gradient, _ in pairs])
        return list(zip(found, [variable for _, variable in pairs]))

    def apply_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """See the optimizer's own."""
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """See the optimizer's own."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """See the optimizer's own."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """See the optimizer's own."""
        return self._optimizer.variables(*args, **kwargs)


def reducer(compression: Any, sparse_as_dense: bool, op: int | None) -> Any:
    """What makes the gradients of all processes of those of one: a function of a list."""
    how = _operation(None, op)

    def reduce(gradients: Sequence[Any]) -> list[Any]:
        dense = [convert_to_tensor(each) if sparse_as_dense and isinstance(each, IndexedSlices) else each
                 for each in gradients]
        return reduced(dense, how, compression, "DistributedGradients_Allreduce")
    return reduce


def check_passes(backward_passes_per_step: int) -> None:
    """Raises UnimplementedError for gradients that are added up over several steps."""
    if backward_passes_per_step != 1:
        raise errors.UnimplementedError(None, None, f"DistributedOptimizer(backward_passes_per_step="
                                        f"{backward_passes_per_step}): each step exchanges its gradients")


def DistributedOptimizer(  # noqa: N802 (Horovod's name)
        optimizer: Any, name: str | None = None, use_locking: bool = False, device_dense: str = "",
        device_sparse: str = "", compression: Any = Compression.none, sparse_as_dense: bool = False,
        backward_passes_per_step: int = 1, op: int | None = None, gradient_predivide_factor: float = 1.0) -> Any:
    """An optimizer like another one, whose gradients are the means over all processes.

    Args:
        optimizer: a tf.train.Optimizer, or one of Keras.
        name: a name for it.
        use_locking: as for other optimizers.
        device_dense, device_sparse: have no meaning here.
        compression: what makes messages smaller, such as `Compression.fp16`.
        sparse_as_dense: whether gradients of rows become dense ones before they are exchanged.
        backward_passes_per_step: 1 is supported.
        op: `Average` or `Sum`.
        gradient_predivide_factor: how much of the division comes before the sum; has no meaning here, where all of it
            comes after.

    Raises:
        ValueError: it is no optimizer.
        UnimplementedError: there are more passes, or Adasum is asked for.
    """
    check_passes(backward_passes_per_step)
    reduce = reducer(compression, sparse_as_dense, op)
    if isinstance(optimizer, Optimizer):
        return _Distributed(optimizer, name, use_locking, reduce)
    if hasattr(optimizer, "get_config") and hasattr(optimizer, "get_gradients"):
        from evergraph.horovod.keras_optimizer import distributed
        return distributed(optimizer, name, reduce)
    raise ValueError(f"Provided optimizer doesn't inherit from either legacy TensorFlow or Keras optimizer: "
                     f"{optimizer!r}")


class _DistributedTape:
    """A gradient tape whose gradients are the means over all processes."""

    def __init__(self, tape: Any, reduce: Any) -> None:
        self._tape, self._reduce = tape, reduce

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None) -> Any:
        """The gradients of this process's target, averaged over all."""
        found = self._tape.gradient(target, sources, output_gradients)
        if here().size == 1:
            return found
        return self._reduce(found) if isinstance(found, (list, tuple)) else self._reduce([found])[0]

    def __enter__(self) -> _DistributedTape:
        self._tape.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._tape.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)


def DistributedGradientTape(  # noqa: N802 (Horovod's name)
        gradtape: Any, device_dense: str = "", device_sparse: str = "", compression: Any = Compression.none,
        sparse_as_dense: bool = False, op: int | None = None) -> Any:
    """A gradient tape like another one, whose gradients are the means over all processes.

    Args:
        gradtape: a tf.GradientTape.
        device_dense, device_sparse: have no meaning here.
        compression, sparse_as_dense, op: see `DistributedOptimizer`.
    """
    return _DistributedTape(gradtape, reducer(compression, sparse_as_dense, op))
