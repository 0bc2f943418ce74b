"""What all metrics share: variables that batches are added to, shapes that are made to fit, and collections."""
from __future__ import annotations

from evergraph.base import dtypes
from evergraph.base.docstrings import with_parts
from evergraph.frontend import array, math, replicas
from evergraph.frontend.collections import GraphKeys, add_to_collections
from evergraph.frontend.confusion import remove_squeezable_dimensions
from evergraph.frontend.nn.weights import broadcast_weights
from evergraph.frontend.variables.base import VariableAggregation, VariableSynchronization
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.ops.math import elementwise

ARGUMENTS = """weights: the weight of each element: a scalar, or a tensor of the rank of the elements whose dimensions
            equal theirs or 1; None weighs all alike.
        metrics_collections: the collections that the value is added to.
        updates_collections: the collections that the update operation is added to.
        name: the name of the variable scope.

    Returns:
        (value, update): a tensor with the metric over all batches so far, and an operation that adds a batch and
        returns the new value. Both use local variables: run `tf.local_variables_initializer` first.

    Raises:
        ValueError: the shapes do not fit, or the collections are no list."""


documented = with_parts(shared=ARGUMENTS)


def metric_variable(shape, dtype, validate_shape=True, name=None):
    """A local variable of zeros, in which a metric keeps what it has seen.

    Raises:
        RuntimeError: ops run when they are called, so that nothing could update the metric later.
    """
    if default_graph().is_eager:
        raise RuntimeError("tf.metrics keeps its sums in variables of a graph, so it is not supported with eager "
                           "execution.")
    return Variable(
        lambda: array.zeros(shape, dtype), trainable=False, validate_shape=validate_shape, name=name,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.SUM)


def over_all(variable):
    """A metric's variable as its value uses it: under a strategy, the sum of what all replicas have seen."""
    if not replicas.distributed():
        return variable
    return replicas.merged(lambda strategy, counted: counted.read_value(), replicas.whole(variable))


def collected(value, update, metrics_collections, updates_collections):
    """(value, update), once they have joined their collections."""
    if metrics_collections:
        add_to_collections(metrics_collections, value)
    if updates_collections:
        add_to_collections(updates_collections, update)
    return value, update


def fitted(predictions, labels, weights):
    """The three with one rank: a last axis of size 1 that is missing or too many is added or removed.

    Args:
        predictions: a tensor.
        labels: a tensor, or None.
        weights: a tensor, or None; a scalar stays as it is.

    Raises:
        ValueError: the shapes of predictions and labels differ.
    """
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    if weights.shape.rank == 0:
        return predictions, labels, weights
    if None in (weights.shape.rank, predictions.shape.rank):
        return predictions, labels, _fitted_when_run(weights, predictions)
    excess = weights.shape.rank - predictions.shape.rank
    if excess == 1:
        weights = array.squeeze(weights, [-1])
    elif excess == -1:
        weights = array.expand_dims(weights, [-1])
    return predictions, labels, weights


def _fitted_when_run(weights, predictions):
    """The weights, made to fit by ranks that are known only when it runs; a scalar stays one."""
    rank = array.rank(weights)
    excess = rank - array.rank(predictions)
    surplus = math.cast(elementwise.equal(excess, 1), dtypes.int32)
    lacking = math.cast(elementwise.logical_and(elementwise.equal(excess, -1), rank > 0), dtypes.int32)
    kept, added = array.shape(weights)[:rank - surplus], array.ones([lacking], dtypes.int32)
    return array.reshape(weights, array.concat([kept, added], 0))


def as_float_weights(weights, values):
    """The weights as float32, in the shape of the values."""
    return broadcast_weights(math.cast(weights, dtypes.float32), values)


def flat(tensor):
    """The tensor with one axis."""
    return array.reshape(tensor, [-1]) if tensor.shape.rank is None or tensor.shape.rank > 1 else tensor
