"""The collections of a graph: their well-known names, and functions over them."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.graph.graph import default_graph


@export("GraphKeys")
class GraphKeys:
    """The names of the collections that the library itself reads and fills.

    >>> tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
    []
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    VARIABLES = GLOBAL_VARIABLES
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _VARIABLE_COLLECTIONS = (GLOBAL_VARIABLES, LOCAL_VARIABLES, METRIC_VARIABLES, MODEL_VARIABLES, TRAINABLE_VARIABLES,
                             MOVING_AVERAGE_VARIABLES, CONCATENATED_VARIABLES, TRAINABLE_RESOURCE_VARIABLES)


USED_OUTSIDE = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES,
                GraphKeys.TABLE_INITIALIZERS)
"""The collections whose entries are used outside of the function that adds them; a summary of its tensor is not."""


@export("add_to_collection")
def add_to_collection(name: Any, value: Any) -> None:
    """Appends a value to a named collection (list) of the default graph.

    Args:
        name: the collection, such as `tf.GraphKeys.LOSSES`, or any name of your own.
        value: anything; it is appended even when it is there already.
    """
    default_graph().add_to_collection(name, value)


@export("add_to_collections")
def add_to_collections(names: Any, value: Any) -> None:
    """Appends `value` to each of the collections of the default graph, once."""
    default_graph().add_to_collections(names, value)


@export("get_collection")
def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """A copy of a collection of the default graph.

    Args:
        key: the collection's name.
        scope: keeps only the items whose names begin with a match of this expression.
    """
    return default_graph().get_collection(key, scope)


@export("get_collection_ref")
def get_collection_ref(key: Any) -> list[Any]:
    """A collection of the default graph itself: changes to the list change the collection."""
    return default_graph().get_collection_ref(key)


@export("global_variables")
def global_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables that checkpoints save and processes share: the GLOBAL_VARIABLES collection.

    Args:
        scope: keeps only variables whose names begin with a match of this regular expression.
    """
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@export("all_variables")
def all_variables() -> list[Any]:
    """The older name of `tf.global_variables()`."""
    return global_variables()


@export("local_variables")
def local_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables of this process alone, which checkpoints leave out, such as a metric's counters.

    Args:
        scope: keeps only variables whose names begin with a match of this regular expression.
    """
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@export("model_variables")
def model_variables(scope: str | None = None) -> list[Any]:
    """The variables that inference needs, as far as layers have listed them."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


@export("trainable_variables")
def trainable_variables(scope: str | None = None) -> list[Any]:
    """Returns the variables that optimizers update by default: those created with `trainable=True`.

    Args:
        scope: keeps only variables whose names begin with a match of this regular expression.
    """
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@export("moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables that an ExponentialMovingAverage follows."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)
