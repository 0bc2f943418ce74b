"""tf.contrib.training.bucket: batches of elements that are alike, such as sequences of similar length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import control_flow, math, reduce
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.input.queues import FIFOQueue, PaddingFIFOQueue
from evergraph.graph.composite import convert_to_tensor_or_sparse_tensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.shaping import static_value
from evergraph.ops.arrays.basic import no_op
from evergraph.ops.math import elementwise
from evergraph.summary import summaries
from evergraph.train.batches import Form, as_condition, element_shapes, tensors_of
from evergraph.train.queue_runner import QueueRunner, add_queue_runner


@export("contrib.training.bucket")
def bucket(tensors: Any, which_bucket: Any, batch_size: Any, num_buckets: int, num_threads: int = 1,
           capacity: int = 32, bucket_capacities: Sequence[int] | None = None, shapes: Any = None,
           dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, keep_input: Any = True,
           shared_name: str | None = None, name: str | None = None) -> tuple[Any, Any]:
    """Batches of elements that are in the same bucket. Queue runners, which the graph collects, fill the queues.

    Args:
        tensors: a list or dict of tensors, one element.
        which_bucket: an int32 scalar, the bucket of the element.
        batch_size: the size of batches, or one for each bucket.
        num_buckets: the number of buckets.
        num_threads: the number of threads that enqueue elements.
        capacity: the number of batches that wait, and of elements in each bucket.
        bucket_capacities: the number of elements in each bucket, if they differ.
        shapes: the shapes of the tensors of an element; by default their static shapes.
        dynamic_pad: whether sizes may differ in a batch, which is then padded with zeros or "".
        allow_smaller_final_batch: whether what is left in a bucket at the end is a batch.
        keep_input: a bool scalar, whether the element is kept.
        shared_name: a name under which the queues are shared.
        name: a name for the operations.

    Returns:
        (bucket, batch): an int32 scalar, and tensors in the structure of `tensors`.

    Raises:
        ValueError: there are not as many sizes or capacities as buckets, or shapes are missing.
    """
    sizes = _for_each(batch_size, num_buckets, "batch_size")
    capacities = _for_each(capacity if bucket_capacities is None else list(bucket_capacities), num_buckets,
                           "bucket_capacities")
    listed = tensors_of(tensors)
    with name_scope(name, "bucket", [which_bucket, *listed]) as scope:
        row = [convert_to_tensor_or_sparse_tensor(tensor) for tensor in listed]
        forms = [Form.common([tensor], False) for tensor in row]
        row = [form.written(tensor, False) for form, tensor in zip(forms, row)]
        types = [tensor.dtype.base_dtype for tensor in row]
        own_shapes = element_shapes([row], shapes, False)
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queues = [kind(room, types, own_shapes, shared_name=shared_name and f"{shared_name}_{at}", name=f"bucket_{at}")
                  for at, room in enumerate(capacities)]
        _fill(queues, row, which_bucket, as_condition(keep_input, False), num_threads)
        top = _batches(queues, types, own_shapes, sizes, capacity, allow_smaller_final_batch, shared_name)
        chosen, *taken = top.dequeue(name=scope)
        read = [form.read(tensor) for form, tensor in zip(forms, taken)]
        return chosen, dict(zip(sorted(tensors), read)) if isinstance(tensors, Mapping) else read


def _for_each(value: Any, count: int, what: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"{what} must have exactly num_buckets values, {count}, but has {len(value)}")
    return list(value)


def _fill(queues: Sequence[Any], row: list[Any], which: Any, keep: Any, threads: int) -> None:
    """Adds the runner that puts elements into their buckets."""
    which = convert_to_tensor(which, dtypes.int32, name="which_bucket")

    def enqueue() -> Any:
        return control_flow.group(*(
            control_flow.cond(elementwise.equal(which, at), lambda queue=queue: queue.enqueue(row), no_op)
            for at, queue in enumerate(queues)))

    operation = enqueue() if keep is True else control_flow.cond(keep, enqueue, no_op)
    add_queue_runner(QueueRunner(
        queues[0], [operation] * threads, close_op=control_flow.group(*(queue.close() for queue in queues)),
        cancel_op=control_flow.group(*(queue.close(cancel_pending_enqueues=True) for queue in queues)),
        queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError)))


def _batches(queues: Sequence[Any], types: list[Any], shapes: list[TensorShape], sizes: list[Any], capacity: int,
             smaller: bool, shared_name: str | None) -> Any:
    """The queue of whole batches, with the runner that takes them from the buckets."""
    known = {int(value) if (value := static_value(convert_to_tensor(size))) is not None else None for size in sizes}
    rows = TensorShape([known.pop() if len(known) == 1 and not smaller else None])
    top = PaddingFIFOQueue(capacity, [dtypes.int32, *types], [TensorShape([]), *(rows.concatenate(s) for s in shapes)],
                           shared_name=shared_name and f"{shared_name}_top", name="top_queue")
    enqueues = []
    for at, (queue, size) in enumerate(zip(queues, sizes)):
        batch = (queue.dequeue_up_to if smaller else queue.dequeue_many)(size, name=f"read_bucket_{at}")
        enqueues.append(top.enqueue([convert_to_tensor(at, dtypes.int32),
                                     *(batch if isinstance(batch, (list, tuple)) else [batch])]))
    add_queue_runner(QueueRunner(top, enqueues, queue_closed_exception_types=(errors.OutOfRangeError,
                                                                             errors.CancelledError)))
    summaries.scalar(f"bucket/{top.name}/fraction_of_{capacity}_full",
                     math.cast(top.size(), dtypes.float32) * (1.0 / capacity))
    return top


@export("contrib.training.bucket_by_sequence_length")
def bucket_by_sequence_length(input_length: Any, tensors: Any, batch_size: Any, bucket_boundaries: Sequence[int],
                              num_threads: int = 1, capacity: int = 32,
                              bucket_capacities: Sequence[int] | None = None, shapes: Any = None,
                              dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
                              keep_input: Any = True, shared_name: str | None = None,
                              name: str | None = None) -> tuple[Any, Any]:
    """Batches of sequences of similar length; see `tf.contrib.training.bucket`.

    Args:
        input_length: an int32 scalar, the length of the sequence.
        tensors: a list or dict of tensors, one element.
        batch_size: the size of batches, or one for each bucket.
        bucket_boundaries: increasing lengths; a bucket is for lengths from one on and less than the next, and there is
            one before the first and one from the last on.
        num_threads: the number of threads that enqueue elements.
        capacity: the number of batches that wait, and of elements in each bucket.
        bucket_capacities: the number of elements in each bucket, if they differ.
        shapes: the shapes of the tensors of an element.
        dynamic_pad: whether sizes may differ in a batch, which is then padded.
        allow_smaller_final_batch: whether what is left in a bucket at the end is a batch.
        keep_input: a bool scalar, whether the element is kept.
        shared_name: a name under which the queues are shared.
        name: a name for the operations.

    Returns:
        (lengths, batch): an int32 vector, and tensors in the structure of `tensors`.

    Raises:
        TypeError: the boundaries are no list of ints.
        ValueError: there are none, or they do not increase, or the sizes are not as many as buckets.
    """
    _check_boundaries(bucket_boundaries)
    listed = tensors_of(tensors)
    with name_scope(name, "bucket_by_sequence_length", [input_length, *listed]) as scope:
        length = convert_to_tensor(input_length, dtypes.int32, name="input_length")
        boundaries = convert_to_tensor(list(bucket_boundaries), dtypes.int32)
        which = reduce.reduce_sum(math.cast(elementwise.less_equal(boundaries, length), dtypes.int32))
        _, (lengths, *batch) = bucket([length, *listed], which, batch_size, len(bucket_boundaries) + 1, num_threads,
                                      capacity, bucket_capacities, shapes and [TensorShape([]), *shapes], dynamic_pad,
                                      allow_smaller_final_batch, keep_input, shared_name, scope)
        return lengths, dict(zip(sorted(tensors), batch)) if isinstance(tensors, Mapping) else batch


def _check_boundaries(boundaries: Any) -> None:
    if not isinstance(boundaries, (list, tuple)) or not all(isinstance(edge, int) for edge in boundaries):
        raise TypeError(f"bucket_boundaries must be a list of ints, got {boundaries!r}")
    if not boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    if any(later <= edge for edge, later in zip(boundaries, boundaries[1:])):
        raise ValueError(f"bucket_boundaries must increase, got {boundaries}")
