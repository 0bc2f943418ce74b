"""tf.xla and tf.contrib.compiler: what TensorFlow compiles on request. evergraph compiles every step with XLA."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import group
from evergraph.graph import encode
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Operation


@export("xla.experimental.compile", "contrib.compiler.xla.compile")
def compile(computation: Callable[..., Any], inputs: Any = None) -> Any:
    """Builds a computation; the session compiles it with the rest of its step.

    Args:
        computation: a function of tensors that returns tensors and operations.
        inputs: a list of its arguments, or None.

    Returns:
        The tensors that `computation` returns, in its structure, or in a list where that is a single tensor or has
        operations, which then run before them. Without tensors, an operation.
    """
    arguments = [nest.map_structure(convert_to_tensor, value) for value in inputs or ()]
    return _outputs(computation(*arguments))


def _outputs(result: Any) -> Any:
    leaves = [leaf for leaf in nest.flatten(result) if leaf is not None]
    operations = [leaf for leaf in leaves if isinstance(leaf, Operation)]
    with control_dependencies(operations):
        tensors = [array.identity(convert_to_tensor(leaf), name=f"output_{at}") for at, leaf in enumerate(
            leaf for leaf in leaves if not isinstance(leaf, Operation))]
    if not tensors:
        return group(*operations, name="output_0")
    if operations or len(tensors) != len(nest.flatten(result)) or not nest.is_nested(result):
        return tensors
    return nest.pack_sequence_as(list(result) if type(result) is tuple else result, tensors)


@export("contrib.compiler.xla.estimator_model_fn")
def estimator_model_fn(target_model_fn: Any = None) -> Any:
    """A decorator of the model function of an Estimator, which TensorFlow then compiles: here it is compiled anyway.

    Args:
        target_model_fn: the model function, or None where this is called with parentheses.
    """
    return target_model_fn if target_model_fn is not None else lambda model_fn: model_fn


class _Scopes:
    """How many outermost jit scopes a graph has had, which numbers them."""

    key = ("_XLA_SCOPE_COUNT",)


@export("xla.experimental.jit_scope", "contrib.compiler.jit.experimental_jit_scope")
@contextlib.contextmanager
def jit_scope(compile_ops: Any = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """A context whose operations have the attrs with which TensorFlow selects them for compilation.

    The attrs are in the GraphDef, for TensorFlow. Here they select nothing, because every step is compiled.

    Args:
        compile_ops: whether to compile.
        separate_compiled_gradients: whether TensorFlow compiles the gradients of these operations apart from them.

    Raises:
        RuntimeError: eager execution is on.
        TypeError: `compile_ops` is a function of NodeDefs: an attr of a scope is a value here.
    """
    graph = default_graph()
    if graph.is_eager:
        raise RuntimeError("jit_scope marks operations of graphs, and eager execution is on: decorate a tf.function")
    if callable(compile_ops):
        raise TypeError("jit_scope takes compile_ops as True or False, not as a function")
    attrs = {"_XlaCompile": encode.bool_value(bool(compile_ops)),
             "_XlaSeparateCompiledGradients": encode.bool_value(bool(separate_compiled_gradients))}
    if "_XlaScope" not in graph.scopes.attrs:
        count = graph.get_collection_ref(_Scopes.key)
        count.append(len(count))
        attrs["_XlaScope"] = encode.string_value(f"jit_scope_{count[-1]}")
    with graph._attr_scope(attrs):
        yield
