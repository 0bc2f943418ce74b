"""tf.tpu: computations for accelerators. A session has one device, so that a computation has one replica."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evergraph.base import dtypes, errors, nest
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.scope import get_variable_scope, variable_scope
from evergraph.graph import encode
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.control import replicas
from evergraph.proto.compilation_result_pb2 import CompilationResultProto

export("contrib.tpu.proto.compilation_result_pb2.CompilationResultProto")(CompilationResultProto)


class TpuContext(threading.local):
    """What a computation for accelerators may ask about itself while it is built.

    Attributes:
        number_of_shards: how many replicas share the work; None outside of such computations.
    """

    number_of_shards: int | None = None


_context = TpuContext()
REPLICATE_ATTR = "_tpu_replicate"


def get_tpu_context() -> TpuContext:
    """What the computation that is being built in this thread may ask."""
    return _context


@contextlib.contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """A with-block that builds a computation for so many replicas.

    Raises:
        NotImplementedError: it is inside of another one.
    """
    if _context.number_of_shards is not None:
        raise NotImplementedError("a computation for accelerators cannot contain another one")
    _context.number_of_shards = number_of_shards
    try:
        yield
    finally:
        _context.number_of_shards = None


@export("tpu.rewrite", "contrib.tpu.rewrite")
def rewrite(computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
            device_assignment: Any = None, name: str | None = None) -> Any:
    """Builds a computation for the device; a session compiles it as everything else.

    Args:
        computation: a function of tensors that returns tensors and operations.
        inputs: its arguments, or None for none.
        infeed_queue: an InfeedQueue; what it gives follows the other arguments.
        device_assignment: which cores compute; has no meaning for one device.
        name: a name scope.

    Returns:
        What `computation` returns, its tensors after its operations: a tuple for a single tensor, and an operation
        where there are no tensors.
    """
    return replicate(computation, None if inputs is None else [list(inputs)], infeed_queue, device_assignment, name)[0]


def rewrite_for_inference(computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
                          device_assignment: Any = None, name: str | None = None) -> Any:
    """Builds a computation for the device whose variables are read once, as constants of inference.

    Args:
        computation, inputs, infeed_queue, device_assignment, name: see `tf.tpu.rewrite`.
    """
    def constant_variables(*arguments: Any) -> Any:
        with variable_scope(get_variable_scope(), custom_getter=_as_constant):
            return computation(*arguments)

    return rewrite(constant_variables, inputs, infeed_queue, device_assignment, name)


def _as_constant(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """Gets the value that a variable has for the whole of inference."""
    return array.guarantee_const(getter(*args, **kwargs))


@export("tpu.replicate", "contrib.tpu.replicate")
def replicate(computation: Callable[..., Any], inputs: Sequence[Sequence[Any]] | None = None, infeed_queue: Any = None,
              device_assignment: Any = None, name: str | None = None, maximum_shapes: Any = None) -> list[Any]:
    """Builds a computation for each replica, of which there is one.

    Args:
        computation: a function of tensors that returns tensors and operations.
        inputs: a list with the arguments of each replica.
        infeed_queue: an InfeedQueue; what it gives follows the other arguments.
        device_assignment: which cores compute; has no meaning for one device.
        name: a name scope.
        maximum_shapes: the largest shapes of inputs that differ in size; has no meaning here, where sizes may differ.

    Returns:
        A list with the result of each replica; see `tf.tpu.rewrite`.

    Raises:
        UnimplementedError: there are several replicas.
    """
    each = [[]] if inputs is None else [list(arguments) for arguments in inputs]
    if len(each) != 1:
        raise errors.UnimplementedError(None, None, f"tf.tpu.replicate: {len(each)} replicas, but a session has one "
                                        "device")
    with _marked(), name_scope(name, "TPUReplicate", each[0]), tpu_shard_context(len(each)):
        arguments = [convert_to_tensor(value) for value in each[0]]
        result = computation(*arguments, *fed_tensors(infeed_queue))
        return [_finished(result)]


def fed_tensors(infeed_queue: Any) -> list[Tensor]:
    """What a computation takes from its queue, in every turn of a loop anew."""
    if infeed_queue is None:
        return []
    infeed_queue.set_number_of_shards(_context.number_of_shards or 1)
    infeed_queue.freeze()
    return list(infeed_queue.generate_dequeue_op())


def _marked() -> contextlib.AbstractContextManager[None]:
    """Operations that are made inside say which computation they belong to."""
    graph = default_graph()
    if graph.is_eager:
        return contextlib.nullcontext()
    return graph._attr_scope({REPLICATE_ATTR: encode.string_value(graph.unique_name("cluster"))})


def prune_unconnected_ops_from_xla(prune_graph: Any) -> None:
    """Takes the mark of a computation for accelerators from operations whose outputs nothing reads.

    Args:
        prune_graph: a graph. Operations that only such operations read lose the mark, too.
    """
    for operation in reversed(prune_graph.get_operations()):
        readers = [reader for output in operation.outputs for reader in output.consumers()]
        if REPLICATE_ATTR in operation.node_def.attr and not any(
                REPLICATE_ATTR in reader.node_def.attr for reader in readers):
            operation._clear_attr(REPLICATE_ATTR)


def _finished(result: Any) -> Any:
    """The tensors of a result, which wait for its operations."""
    leaves = [leaf for leaf in nest.flatten(result) if leaf is not None]
    operations = [leaf for leaf in leaves if isinstance(leaf, Operation)]
    tensors = [leaf for leaf in leaves if not isinstance(leaf, Operation)]
    with control_dependencies(operations):
        if not tensors:
            return group(*operations)
        found = iter([array.identity(tensor) for tensor in tensors])
    if not operations and nest.is_nested(result):
        return nest.pack_sequence_as(result, list(found))
    return tuple(found)


@export("tpu.shard", "contrib.tpu.shard")
def shard(computation: Callable[..., Any], inputs: Sequence[Any] | None = None, num_shards: int = 1,
          input_shard_axes: Sequence[int] | None = None, outputs_from_all_shards: Any = True,
          output_shard_axes: Sequence[int] | None = None, infeed_queue: Any = None, device_assignment: Any = None,
          name: str | None = None) -> Any:
    """Splits inputs among shards and joins their outputs: with one shard, the computation itself.

    Args:
        computation: a function of tensors that returns tensors and operations.
        inputs: its arguments.
        num_shards: the number of shards; 1.
        input_shard_axes: the axis along which each input is split; one for each input.
        outputs_from_all_shards: whether each output is joined from all shards; has no meaning for one shard.
        output_shard_axes: the axis along which each output is joined; has no meaning for one shard.
        infeed_queue: an InfeedQueue; what it gives follows the other arguments.
        device_assignment: which cores compute; has no meaning for one device.
        name: a name scope.

    Returns:
        The list of outputs.

    Raises:
        ValueError: `num_shards` is not positive, or there are not as many axes as inputs.
        UnimplementedError: there are several shards.
    """
    if num_shards <= 0:
        raise ValueError(f"num_shards must be at least 1, got {num_shards}")
    inputs = list(inputs or ())
    if input_shard_axes is not None and len(input_shard_axes) != len(inputs):
        raise ValueError(f"input_shard_axes must give each input an axis, got {len(inputs)} inputs and "
                         f"{len(input_shard_axes)} axes")
    if num_shards > 1:
        raise errors.UnimplementedError(None, None, f"tf.tpu.shard: {num_shards} shards, but a session has one device")
    found = rewrite(computation, inputs, infeed_queue, device_assignment, name)
    return found if isinstance(found, Operation) else list(nest.flatten(found))


@export("tpu.batch_parallel", "contrib.tpu.batch_parallel")
def batch_parallel(computation: Callable[..., Any], inputs: Sequence[Any] | None = None, num_shards: int = 1,
                   infeed_queue: Any = None, device_assignment: Any = None, name: str | None = None) -> Any:
    """Splits a batch along its first axis among shards; see `tf.tpu.shard`.

    Args:
        computation: a function of tensors that returns tensors and operations.
        inputs: its arguments.
        num_shards: the number of shards; 1.
        infeed_queue: an InfeedQueue; what it gives follows the other arguments.
        device_assignment: which cores compute; has no meaning for one device.
        name: a name scope.
    """
    return shard(computation, inputs, num_shards, infeed_queue=infeed_queue, device_assignment=device_assignment,
                 name=name)


def split_compile_and_replicate(computation: Callable[..., Any], inputs: Sequence[Sequence[Any]] | None = None,
                                infeed_queue: Any = None, device_assignment: Any = None, name: str | None = None,
                                use_tpu: bool = True, maximum_shapes: Any = None) -> tuple[Tensor, list[Any]]:
    """(what compiling said, the result of each replica).

    Args:
        computation, inputs, infeed_queue, device_assignment, name, maximum_shapes: see `tf.tpu.replicate`.
        use_tpu: has no meaning: the device is the one that there is.

    Returns:
        (a serialized CompilationResultProto without an error, what `tf.tpu.replicate` returns). A computation is
        compiled when it first runs, and raises what is wrong with it then.
    """
    found = replicate(computation, inputs, infeed_queue, device_assignment, name, maximum_shapes)
    return convert_to_tensor(CompilationResultProto().SerializeToString()), found


def split_compile_and_shard(computation: Callable[..., Any], inputs: Sequence[Any] | None = None, num_shards: int = 1,
                            input_shard_axes: Sequence[int] | None = None, outputs_from_all_shards: Any = True,
                            output_shard_axes: Sequence[int] | None = None, infeed_queue: Any = None,
                            device_assignment: Any = None, name: str | None = None) -> tuple[Tensor, Any]:
    """(what compiling said, the outputs); see `split_compile_and_replicate`.

    Args:
        computation, inputs, num_shards, input_shard_axes, outputs_from_all_shards, output_shard_axes, infeed_queue,
        device_assignment, name: see `tf.tpu.shard`.
    """
    found = shard(computation, inputs, num_shards, input_shard_axes, outputs_from_all_shards, output_shard_axes,
                  infeed_queue, device_assignment, name)
    return convert_to_tensor(CompilationResultProto().SerializeToString()), found


@export("tpu.outside_compilation", "contrib.tpu.outside_compilation")
def outside_compilation(computation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Builds a part of a computation that need not run on the device; a session finds out by itself which does."""
    return computation(*args, **kwargs)


@export("tpu.core", "contrib.tpu.core")
def core(num: int) -> str:
    """The name of the device that stands for a core of each replica."""
    return f"device:TPU_REPLICATED_CORE:{num}"


@export("tpu.cross_replica_sum", "contrib.tpu.cross_replica_sum")
def cross_replica_sum(x: Any, group_assignment: Any = None, name: str | None = None) -> Any:
    """The sum of a tensor over the replicas of a group, of which there is one.

    Args:
        x: a tensor.
        group_assignment: a list of groups, each a list of the numbers of replicas; None for one group of all.
        name: a name for the operation.
    """
    groups = [[0]] if group_assignment is None else group_assignment
    return replicas.cross_replica_sum(x, groups, name=name)


@export("tpu.bfloat16_scope", "contrib.tpu.bfloat16_scope")
@contextlib.contextmanager
def bfloat16_scope(name: str | None = None) -> Iterator[Any]:
    """A variable scope in which variables are kept as float32 and used as bfloat16.

    Args:
        name: the name of the scope; empty by default.
    """
    with variable_scope("" if name is None else name, custom_getter=_as_bfloat16) as scope:
        yield scope


def _as_bfloat16(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Gets a variable of bfloat16 as one of float32."""
    wanted = dtypes.as_dtype(kwargs.get("dtype") or dtypes.float32)
    if wanted is not dtypes.bfloat16:
        return getter(*args, **kwargs)
    return math.cast(getter(*args, **{**kwargs, "dtype": dtypes.float32}), dtypes.bfloat16)
