"""Functions that differentiate functions: tf.contrib.eager.gradients_function and its siblings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.eager.tape import GradientTape
from evergraph.frontend.recording import Recording
from evergraph.graph.convert import convert_to_tensor
from evergraph.ops.arrays.basic import identity

Function = Callable[..., Any]


# ---- gradients by arguments


@export("contrib.eager.gradients_function")
def gradients_function(f: Function, params: Sequence[Any] | None = None) -> Function:
    """A function that gives the gradients of `f` by its arguments.

    >>> tf.enable_eager_execution()
    >>> grad = tf.contrib.eager.gradients_function(lambda x, y: x * x * y)
    >>> [g.numpy() for g in grad(3.0, 2.0)]
    [12.0, 9.0]

    Args:
        f: a function of tensors that gives a tensor or several, which are added up.
        params: the names or the places of the arguments to differentiate by; all of them if it is not given.

    Returns:
        A function with the arguments of `f`, and `dy`, the gradient to start from, that gives a list of gradients.
    """

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> Any:
        return value_and_gradients_function(f, params)(*args, **kwargs)[1]

    return gradients


@export("contrib.eager.value_and_gradients_function")
def value_and_gradients_function(f: Function, params: Sequence[Any] | None = None) -> Function:
    """A function that gives the result of `f` and the gradients by its arguments; see `gradients_function`."""

    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> Any:
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError(f"a function to differentiate takes arguments by position, got {sorted(kwargs)} by name")
        result, vjp = make_vjp(f, params, persistent=False)(*args)
        return result, vjp(dy=dy)

    return both


def make_vjp(f: Function, params: Sequence[Any] | None = None, persistent: bool = True) -> Function:
    """A function that gives the result of `f` and a function from gradients of the result to those of the arguments.

    Args:
        f: a function of tensors.
        params: the names or the places of the arguments to differentiate by; all of them if it is not given.
        persistent: whether the second function may be called more than once.
    """

    @functools.wraps(f)
    def decorated(*args: Any) -> Any:
        places = _places(f, params, args)
        given = [convert_to_tensor(a) if i in places else a for i, a in enumerate(args)]
        for i in places:  # each argument has a gradient of its own, also if it is given twice
            if any(given[i] is other for other in given[:i]):
                given[i] = identity(given[i])
        sources = [given[i] for i in places]
        with GradientTape(persistent=persistent) as tape:
            tape.watch(sources)
            result = _checked(f, f(*given))
        flat = nest.flatten(result)

        def vjp(dy: Any = None) -> list[Any]:
            return tape.gradient(flat, sources, None if dy is None else nest.flatten(dy))

        return result, vjp

    return decorated


def _places(f: Function, params: Sequence[Any] | None, args: Sequence[Any]) -> list[int]:
    """The places of the arguments to differentiate by."""
    if params is None or not params and not isinstance(params, str):
        return list(range(len(args)))
    if all(isinstance(each, str) for each in params):
        names = list(inspect.signature(f).parameters)
        return [names.index(each) for each in params]
    if all(isinstance(each, int) for each in params):
        return list(params)
    raise ValueError(f"params must hold only names or only positions of arguments, got {params}")


def _checked(f: Function, result: Any) -> Any:
    if result is None:
        raise ValueError(
            f"Cannot differentiate a function that returns None; did you forget to return a value from "
            f"{getattr(f, '__name__', f)}?"
        )
    return result


# ---- gradients by variables


@export("contrib.eager.implicit_gradients")
def implicit_gradients(f: Function) -> Function:
    """A function that gives the gradients of `f` by the trainable variables that it reads.

    >>> tf.enable_eager_execution()
    >>> w = tf.contrib.eager.Variable(3.0)
    >>> grads = tf.contrib.eager.implicit_gradients(lambda x: w * w * x)
    >>> [g.numpy() for g, _ in grads(2.0)]
    [12.0]

    Args:
        f: a function that gives a tensor or several, which are added up.

    Returns:
        A function with the arguments of `f` that gives a list of (gradient, variable) pairs, as `apply_gradients` of an
        optimizer takes it.
    """

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> Any:
        return implicit_value_and_gradients(f)(*args, **kwargs)[1]

    return gradients


@export("contrib.eager.implicit_value_and_gradients")
def implicit_value_and_gradients(f: Function) -> Function:
    """A function that gives the result of `f` and its gradients by variables; see `implicit_gradients`."""

    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> Any:
        recording = Recording()
        with recording.recorded():
            result = _checked(f, f(*args, **kwargs))
            targets = [convert_to_tensor(t) for t in nest.flatten(result)]
        variables = recording.variables
        if not variables:
            raise ValueError("No trainable variables were accessed by the function, so it has no gradients")
        found = recording.gradients(targets, [v.handle for v in variables], None)
        return result, list(zip(found, variables))

    return both
