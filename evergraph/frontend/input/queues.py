"""tf.FIFOQueue and its siblings."""

from __future__ import annotations

import hashlib

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape, as_dimension
from evergraph.frontend.random import get_seed
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.shaping import static_value
from evergraph.ops.state import queues as ops


@export("QueueBase", "queue.QueueBase", "io.QueueBase")
class QueueBase:
    """The base of queues, which pass tensors between steps and threads.

    Args:
        dtypes: the dtype of each component of an element.
        shapes: the static shape of each component.
        names: names of the components, which are then given and returned as dicts; or None.
        queue_ref: the tensor with the queue's handle.
    """

    def __init__(self, dtypes, shapes, names, queue_ref):
        self._dtypes = dtypes
        if shapes is not None:
            if len(shapes) != len(dtypes):
                raise ValueError(f"there must be as many shapes as dtypes, got {len(shapes)} and {len(dtypes)}")
            self._shapes = [TensorShape(s) for s in shapes]
        else:
            self._shapes = [TensorShape(None) for _ in dtypes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError(f"there must be as many names as dtypes, got {len(names)} and {len(dtypes)}")
        self._names = names
        self._queue_ref = queue_ref
        self._name = queue_ref.source.name.rpartition("/")[2]

    @staticmethod
    def from_list(index, queues):
        """The queue queues[index], where index is a tensor.

        Raises:
            TypeError: the queues' dtypes or names differ.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        if any(q.dtypes != queues[0].dtypes for q in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != queues[0].names for q in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = [_common_shape([q.shapes[i] for q in queues]) for i in range(len(queues[0].dtypes))]
        return QueueBase(queues[0].dtypes, shapes, queues[0].names,
                         ops.chosen_queue(index, [q.queue_ref for q in queues]))

    queue_ref = property(lambda self: self._queue_ref)
    name = property(lambda self: self._queue_ref.source.name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    def enqueue(self, vals, name=None):
        """An operation that enqueues one element; blocks while the queue is full."""
        with self._scope(name, "enqueue") as scope:
            tensors = self._components(vals)
            for tensor, shape in zip(tensors, self._shapes):
                tensor.get_shape().assert_is_compatible_with(shape)
            return ops.queue_enqueue_v2(self._queue_ref, tensors, name=scope)

    def enqueue_many(self, vals, name=None):
        """An operation that enqueues the rows of the components, one element per row."""
        with self._scope(name, "EnqueueMany") as scope:
            tensors = self._components(vals)
            rows = as_dimension(tensors[0].get_shape().with_rank_at_least(1)[0])
            for tensor, shape in zip(tensors, self._shapes):
                rows = rows.merge_with(tensor.get_shape().with_rank_at_least(1)[0])
                tensor.get_shape()[1:].assert_is_compatible_with(shape)
            return ops.queue_enqueue_many_v2(self._queue_ref, tensors, name=scope)

    def dequeue(self, name=None):
        """The components of one dequeued element; blocks while the queue is empty.

        Raises (when it runs):
            OutOfRangeError: the queue is closed and empty.
        """
        found = ops.queue_dequeue_v2(self._queue_ref, component_types=self._dtypes,
                                     name=name or f"{self._name}_Dequeue")
        return self._result(found, self._shapes)

    def dequeue_many(self, n, name=None):
        """The components of `n` dequeued elements, stacked; blocks until there are `n`."""
        found = ops.queue_dequeue_many_v2(self._queue_ref, n, component_types=self._dtypes,
                                          name=name or f"{self._name}_DequeueMany")
        count = None if found[0].graph.is_eager else static_value(found[0].op.inputs[1])
        rows = TensorShape([None if count is None else int(count)])
        return self._result(found, [rows.concatenate(s) for s in self._shapes])

    def dequeue_up_to(self, n, name=None):
        """As `dequeue_many`, but returns the rest, fewer than `n`, if the queue is closed."""
        found = ops.queue_dequeue_up_to_v2(self._queue_ref, n, component_types=self._dtypes,
                                           name=name or f"{self._name}_DequeueUpTo")
        return self._result(found, [TensorShape([None]).concatenate(s) for s in self._shapes])

    def close(self, cancel_pending_enqueues=False, name=None):
        """An operation that closes the queue for enqueues; `cancel_pending_enqueues` also cancels blocked ones."""
        return ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues, name=name or f"{self._name}_Close")

    def is_closed(self, name=None):
        """A tensor that is true when the queue has been closed."""
        return ops.queue_is_closed_v2(self._queue_ref, name=name or f"{self._name}_Is_Closed")

    def size(self, name=None):
        """The number of elements in the queue."""
        return ops.queue_size_v2(self._queue_ref, name=name or f"{self._name}_Size")

    def _scope(self, name, action):
        return default_graph().name_scope(name or f"{self._name}_{action}")

    def _components(self, vals):
        """The components of an element, as tensors of the queue's dtypes."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("to enqueue a dictionary, the queue must have names")
            if sorted(self._names, key=str) != sorted(vals.keys(), key=str):
                raise ValueError(f"the keys {sorted(vals)} do not match names of Queue {self._name!r}: "
                                 f"{sorted(self._names)}")
            vals = [vals[name] for name in self._names]
        else:
            if self._names:
                raise ValueError("a queue with names takes dictionaries: enqueue a dictionary")
            if not isinstance(vals, (list, tuple)):
                vals = [vals]
        if len(vals) != len(self._dtypes):
            raise ValueError(f"The queue has {len(self._dtypes)} components, but {len(vals)} were given")
        pairs = zip(vals, self._dtypes)
        return [convert_to_tensor(v, dtype=t, name=f"component_{i}") for i, (v, t) in enumerate(pairs)]

    def _result(self, tensors, shapes):
        for tensor, shape in zip(tensors, shapes):
            tensor.set_shape(shape)
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors


def _listed(types, shapes, names, may_differ=False):
    """(dtypes, shapes, names) as lists, from single values or lists.

    Raises:
        ValueError: shapes and dtypes differ in number, or a shape is not fully defined and elements may not differ.
    """
    types = [dtypes.as_dtype(t) for t in (types if isinstance(types, (list, tuple)) else [types])]
    if shapes is not None:
        single = isinstance(shapes, TensorShape) or isinstance(shapes, (list, tuple)) and all(
            isinstance(s, int) or s is None for s in shapes) and (len(types) == 1 or not shapes)
        shapes = [TensorShape(s) for s in ([shapes] if single and not (shapes == [] and len(types) != 1) else shapes)]
        if len(shapes) != len(types):
            raise ValueError(f"there must be as many shapes as dtypes, got {len(shapes)} and {len(types)}")
        if not may_differ and not all(s.is_fully_defined() for s in shapes):
            raise ValueError(f"the shapes of this queue's elements must be fully defined, but are {shapes}")
    if names is not None:
        names = names if isinstance(names, (list, tuple)) else [names]
    return types, shapes, names


def _tuples(shapes):
    return [] if shapes is None else [s.tuple for s in shapes]


@export("FIFOQueue", "queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """A first-in, first-out queue.

    Args:
        capacity: the maximal number of elements.
        dtypes: the dtype of each component of an element.
        shapes: the shape of each component, required by `dequeue_many`; or None.
        names: names of the components; or None.
        shared_name: queues with the same shared name in a session share their state.
        name: a name for the operation.
    """

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        types, shapes, names = _listed(dtypes, shapes, names)
        ref = ops.fifo_queue_v2(component_types=types, shapes=_tuples(shapes), capacity=capacity,
                                shared_name=_shared_name(shared_name), name=name)
        super().__init__(types, shapes, names, ref)


@export("PaddingFIFOQueue", "queue.PaddingFIFOQueue", "io.PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """A FIFO queue that pads batches: components may have dimensions of None, which differ between elements.

    Args:
        capacity: how many elements there may be; more wait.
        dtypes: the dtype of each component of an element.
        shapes: the static shape of each component, with None where sizes differ.
        names: of the components, if elements are dicts.
        shared_name: by which other queues of the session are the same queue.
    """

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        types, shapes, names = _listed(dtypes, shapes, names, may_differ=True)
        if shapes is None or len(types) != len(shapes):
            raise ValueError(f"a padding queue needs a shape for each of its {len(types)} components, got "
                             f"{len(shapes or ())}")
        if any(s.ndims is None for s in shapes):
            raise ValueError(f"each component must have a defined rank, but the shapes are {shapes}")
        ref = ops.padding_fifo_queue_v2(component_types=types, shapes=_tuples(shapes), capacity=capacity,
                                        shared_name=_shared_name(shared_name), name=name)
        super().__init__(types, shapes, names, ref)


@export("RandomShuffleQueue", "queue.RandomShuffleQueue", "io.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """A queue that dequeues its elements in random order.

    Args:
        capacity: how many elements there may be; more wait.
        min_after_dequeue: the number of elements that remain for mixing, until the queue is closed.
        dtypes: the dtype of each component of an element.
        shapes: the static shape of each component; dequeue_many needs them.
        names: of the components, if elements are dicts.
        seed: makes the order reproducible.
        shared_name: by which other queues of the session are the same queue.
    """

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None, shared_name=None,
                 name="random_shuffle_queue"):
        types, shapes, names = _listed(dtypes, shapes, names)
        seed1, seed2 = _shuffle_seeds(seed, shared_name)
        ref = ops.random_shuffle_queue_v2(
            component_types=types, shapes=_tuples(shapes), capacity=capacity, min_after_dequeue=min_after_dequeue,
            seed=seed1, seed2=seed2, shared_name=_shared_name(shared_name), name=name)
        super().__init__(types, shapes, names, ref)


def _shuffle_seeds(seed, shared_name):
    """The two seeds; without an op seed, queues of one shared name in graphs of one seed get the same."""
    first, second = get_seed(seed)
    if first is None and second is None:
        return 0, 0
    if seed is None and shared_name is not None:
        digest = hashlib.md5(f"{first}{shared_name}".encode(), usedforsecurity=False).hexdigest()
        second = int(digest[:8], 16) & 0x7FFFFFFF
    return first, second


@export("PriorityQueue", "queue.PriorityQueue", "io.PriorityQueue")
class PriorityQueue(QueueBase):
    """A queue that dequeues the element with the smallest priority, its first component, an int64.

    Args:
        capacity: how many elements there may be; more wait.
        types: the dtype of each component of an element but its priority.
        shapes: the static shape of each component; dequeue_many needs them.
        names: of the components, if elements are dicts.
        shared_name: by which other queues of the session are the same queue.
    """

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        types, shapes, names = _listed(types, shapes, names)
        ref = ops.priority_queue_v2(component_types=types, shapes=_tuples(shapes), capacity=capacity,
                                    shared_name=_shared_name(shared_name), name=name)
        super().__init__([dtypes.int64, *types], None if shapes is None else [TensorShape([]), *shapes], names, ref)


def _shared_name(name):
    """The name by which queues of a session are one; with eager execution, as in TensorFlow, none is shared."""
    return "" if name is None or default_graph().is_eager else name


def _common_shape(shapes):
    """The most specific common shape of several shapes."""
    common = shapes[0]
    for shape in shapes[1:]:
        common = common.most_specific_compatible_shape(shape)
    return common
