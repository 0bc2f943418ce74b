"""Common parts of tf.contrib.layers: variable scopes, variable names, and the processing of outputs."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.contrib.framework.variables import model_variable
from evergraph.contrib.layers.names import collect_named_outputs, get_variable_collections
from evergraph.frontend.variables.scope import VariableScope, variable_scope
from evergraph.graph.convert import convert_to_tensor

# Variable names in tf.layers and their counterparts in tf.contrib.layers.
KERNEL = {"kernel": "weights", "bias": "biases"}
SEPARABLE = {"depthwise_kernel": "depthwise_weights", "pointwise_kernel": "pointwise_weights", "bias": "biases"}
_OPTIONS = ("shape", "dtype", "initializer", "regularizer", "trainable", "collections", "caching_device", "partitioner",
            "use_resource", "synchronization", "aggregation")


def model_getter(called: dict[str, str] | None = None) -> Callable[..., Any]:
    """A custom getter that creates model variables and renames them.

    Args:
        called: maps the last component of a variable's name to the new name.
    """
    def get(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        outer, slash, last = name.rpartition("/")
        options = {key: value for key, value in kwargs.items() if key in _OPTIONS}
        return model_variable(f"{outer}{slash}{(called or {}).get(last, last)}", *args, custom_getter=getter, **options)
    return get


@contextlib.contextmanager
def layer_scope(scope: Any, default: str, inputs: Any, reuse: Any = None,
                called: dict[str, str] | None = None) -> Iterator[tuple[VariableScope, Any]]:
    """Context manager: the variable scope of a layer of tf.layers; yields it and the inputs as a tensor."""
    with variable_scope(scope, default, [inputs], reuse=reuse, custom_getter=model_getter(called)) as inner:
        yield inner, convert_to_tensor(inputs)


def parameter(name: str, shape: Any, dtype: Any, initializer: Any, variables_collections: Any, trainable: bool,
              regularizer: Any = None, **options: Any) -> Any:
    """A variable that a layer of tf.contrib.layers creates itself."""
    return model_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                          collections=get_variable_collections(variables_collections, name), trainable=trainable,
                          **options)


def finished(outputs: Any, scope: VariableScope, activation_fn: Any, outputs_collections: Any,
             normalizer_fn: Any = None, normalizer_params: Any = None) -> Any:
    """The outputs, normalized, activated and collected."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, scope.name, outputs)


def shared_arguments(text: str) -> Callable[[Any], Any]:
    """Decorator that appends the arguments that layers share to a docstring's Args section."""
    def decorate(function: Any) -> Any:
        before, raises, after = function.__doc__.partition("\n\n    Raises:")
        function.__doc__ = f"{before.rstrip()}\n{text.rstrip()}{raises}{after}"
        return function
    return decorate


WEIGHTED = """\
        activation_fn: the activation function; None for none.
        normalizer_fn: a normalization, such as `batch_norm`, that replaces the biases.
        normalizer_params: a dictionary of its keyword arguments.
        weights_initializer: the initializer of the weights.
        weights_regularizer: a penalty on the weights, added to the REGULARIZATION_LOSSES.
        biases_initializer: the initializer of the biases; None for no biases.
        biases_regularizer: a penalty on the biases, added to the REGULARIZATION_LOSSES.
        reuse: True to share the variables of an earlier layer of the same `scope`.
        variables_collections: collections for the variables, or a dictionary of them by name.
        outputs_collections: collections for the outputs.
        trainable: whether the variables are trainable.
        scope: the name of the layer, or a variable scope.
    """
