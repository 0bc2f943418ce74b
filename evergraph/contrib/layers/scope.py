"""What all layers of tf.contrib.layers share: their scope, how their variables are called, how their outputs end."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.contrib.framework.variables import model_variable
from evergraph.contrib.layers.names import collect_named_outputs, get_variable_collections
from evergraph.frontend.variables.scope import VariableScope, variable_scope
from evergraph.graph.convert import convert_to_tensor

# What the layers of tf.layers call their variables, and what those of tf.contrib.layers do.
KERNEL = {"kernel": "weights", "bias": "biases"}
SEPARABLE = {"depthwise_kernel": "depthwise_weights", "pointwise_kernel": "pointwise_weights", "bias": "biases"}
_OPTIONS = ("shape", "dtype", "initializer", "regularizer", "trainable", "collections", "caching_device", "partitioner",
            "use_resource", "synchronization", "aggregation")


def model_getter(called: dict[str, str] | None = None) -> Callable[..., Any]:
    """A custom getter that makes model variables and gives them other names.

    Args:
        called: from the last part of the name of a variable to what it is to be called.
    """
    def get(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        outer, slash, last = name.rpartition("/")
        options = {key: value for key, value in kwargs.items() if key in _OPTIONS}
        return model_variable(f"{outer}{slash}{(called or {}).get(last, last)}", *args, custom_getter=getter, **options)
    return get


@contextlib.contextmanager
def layer_scope(scope: Any, default: str, inputs: Any, reuse: Any = None,
                called: dict[str, str] | None = None) -> Iterator[tuple[VariableScope, Any]]:
    """The variable scope of a layer whose variables tf.layers makes; gives it and the inputs as a tensor."""
    with variable_scope(scope, default, [inputs], reuse=reuse, custom_getter=model_getter(called)) as inner:
        yield inner, convert_to_tensor(inputs)


def parameter(name: str, shape: Any, dtype: Any, initializer: Any, variables_collections: Any, trainable: bool,
              regularizer: Any = None, **options: Any) -> Any:
    """A variable that a layer of tf.contrib.layers makes itself."""
    return model_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                          collections=get_variable_collections(variables_collections, name), trainable=trainable,
                          **options)


def finished(outputs: Any, scope: VariableScope, activation_fn: Any, outputs_collections: Any,
             normalizer_fn: Any = None, normalizer_params: Any = None) -> Any:
    """The outputs normalized, activated and collected."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, scope.name, outputs)


def shared_arguments(text: str) -> Callable[[Any], Any]:
    """Puts the arguments that layers share after those that the docstring of a function names itself."""
    def decorate(function: Any) -> Any:
        before, raises, after = function.__doc__.partition("\n\n    Raises:")
        function.__doc__ = f"{before.rstrip()}\n{text.rstrip()}{raises}{after}"
        return function
    return decorate


WEIGHTED = """\
        activation_fn: a function of the outputs; None for none.
        normalizer_fn: a function of the outputs, such as `batch_norm`, that takes the place of the biases.
        normalizer_params: a dictionary of its keyword arguments.
        weights_initializer: the initializer of the weights.
        weights_regularizer: a function of the weights whose result joins the REGULARIZATION_LOSSES.
        biases_initializer: what the biases start with; None for no biases.
        biases_regularizer: a function of the biases whose result joins the REGULARIZATION_LOSSES.
        reuse: True to share the variables of an earlier layer of the same `scope`.
        variables_collections: collections for the variables, or a dictionary of them by name.
        outputs_collections: collections for the outputs.
        trainable: whether the variables are.
        scope: the name of the layer, or a variable scope.
    """
