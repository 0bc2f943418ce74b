"""tf.contrib.layers: reversible blocks (Gomez et al., 2017), and functions that gradients compute again."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import nest
from evergraph.base.export import export
from evergraph.frontend import math
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.control_flow import tuple_
from evergraph.frontend.gradients import custom_gradient, gradients, variables_used
from evergraph.frontend.variables.scope import AUTO_REUSE, get_variable_scope, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.ops.arrays import basic


class RevBlock:
    """A stack of reversible layers y1 = x1 + f(x2), y2 = x2 + g(y1), whose inputs follow from its outputs.

    Args:
        f, g: functions of a tensor, and of a list of side inputs if there are any; or a list with one per layer.
        num_layers: the number of layers.
        f_side_input, g_side_input: lists of tensors, the second argument of f and g.
        use_efficient_backprop: whether gradients compute the activations again from the outputs, so that no memory is
            needed for them.

    Raises:
        ValueError: a list of functions has not one per layer.
    """

    def __init__(self, f: Any, g: Any, num_layers: int = 1, f_side_input: Sequence[Any] | None = None,
                 g_side_input: Sequence[Any] | None = None, use_efficient_backprop: bool = True) -> None:
        self._f, self._g = (_one_each(name, functions, num_layers) for name, functions in (("f", f), ("g", g)))
        self._f_side, self._g_side = list(f_side_input or ()), list(g_side_input or ())
        self._efficient = use_efficient_backprop
        self._scopes: dict[tuple[int, str], Any] = {}

    def forward(self, x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
        """The outputs for inputs."""
        self._open()
        return self._forward(x1, x2)

    def backward(self, y1: Any, y2: Any) -> tuple[Tensor, Tensor]:
        """The inputs for outputs."""
        self._open()
        for layer in reversed(range(len(self._f))):
            y2 = y2 - self._call(layer, "g", y1)
            y1 = y1 - self._call(layer, "f", y2)
        return y1, y2

    def __call__(self, x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
        """The outputs for inputs, with the gradient that the block was made for."""
        self._open()
        if not self._efficient:
            return self._forward(x1, x2)
        return custom_gradient(self._with_gradient)(x1, x2, *self._f_side, *self._g_side)

    def _open(self) -> None:
        """Opens the variable scopes of the functions, the first time; gradients enter them again from anywhere."""
        if self._scopes:
            return
        with variable_scope(None, default_name="revblock"):
            for layer in range(len(self._f)):
                for which in ("f", "g"):
                    with variable_scope(f"revlayer_{layer}/{which}") as opened:
                        self._scopes[layer, which] = opened

    def _call(self, layer: int, which: str, x: Any, side: list[Any] | None = None) -> Tensor:
        """f or g of a layer."""
        function, own = (self._f, self._f_side) if which == "f" else (self._g, self._g_side)
        side = own if side is None else side
        with variable_scope(self._scopes[layer, which], reuse=AUTO_REUSE):
            return function[layer](x, side) if side else function[layer](x)

    def _forward(self, x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
        for layer in range(len(self._f)):
            x1 = x1 + self._call(layer, "f", x2)
            x2 = x2 + self._call(layer, "g", x1)
        return x1, x2

    def _with_gradient(self, x1: Tensor, x2: Tensor, *side: Tensor) -> Any:
        count = len(self._f_side)
        y1, y2 = self._forward(x1, x2)

        def grad(dy1: Tensor, dy2: Tensor, variables: list[Any] | None = None) -> Any:
            found = _Backward(self, list(side[:count]), list(side[count:]), variables or [])
            dx, dside, dvariables = found.run(y1, y2, dy1, dy2)
            inputs = [*dx, *dside]
            return inputs if variables is None else (inputs, dvariables)

        return (y1, y2), grad


class _Backward:
    """The gradients of a block: its layers from the last to the first, each computed again from its outputs."""

    def __init__(self, block: RevBlock, f_side: list[Any], g_side: list[Any], variables: list[Any]) -> None:
        self.block, self.variables = block, variables
        self.side = {"f": f_side, "g": g_side}
        self.sums = {"f": [None] * len(f_side), "g": [None] * len(g_side), "variables": [None] * len(variables)}

    def run(self, y1: Any, y2: Any, dy1: Any, dy2: Any) -> tuple[list[Any], list[Any], list[Any]]:
        """The gradients of the two inputs, of the side inputs and of the variables."""
        for layer in reversed(range(len(self.block._f))):
            with control_dependencies([dy1, dy2]):
                y1, y2 = basic.identity(y1), basic.identity(y2)
            y2, added = self._undone(layer, "g", y1, y2, dy2)
            dy1 = dy1 + added
            y1, added = self._undone(layer, "f", y2, y1, dy1)
            dy2 = dy2 + added
        return [dy1, dy2], self.sums["f"] + self.sums["g"], self.sums["variables"]

    def _undone(self, layer: int, which: str, x: Any, y: Any, dy: Any) -> tuple[Tensor, Tensor]:
        """(y minus the function of x, the gradient of x); notes the gradients of side inputs and variables."""
        x, side = basic.stop_gradient(x), [basic.stop_gradient(each) for each in self.side[which]]
        value = self.block._call(layer, which, x, side)
        of_x, *rest = gradients(value, [x, *side, *self.variables], grad_ys=dy)
        self._add(which, rest[:len(side)])
        self._add("variables", rest[len(side):])
        return y - value, of_x

    def _add(self, which: str, found: list[Any]) -> None:
        self.sums[which] = [new if old is None else old if new is None else
                            math.add_n([convert_to_tensor(old), convert_to_tensor(new)])
                            for old, new in zip(self.sums[which], found)]


def _one_each(name: str, functions: Any, count: int) -> list[Any]:
    if not isinstance(functions, (list, tuple)):
        return [functions] * count
    if len(functions) != count:
        raise ValueError(f"{name} has {len(functions)} functions for {count} layers")
    return list(functions)


@export("contrib.layers.rev_block")
def rev_block(x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Sequence[Any] | None = None,
              g_side_input: Sequence[Any] | None = None, is_training: bool = True) -> tuple[Tensor, Tensor]:
    """A stack of reversible layers y1 = x1 + f(x2), y2 = x2 + g(y1) (Gomez et al., 2017).

    In training no memory is needed for activations between the layers: gradients compute them again from the outputs.

    Args:
        x1, x2: tensors of the same shape.
        f, g: functions of a tensor, and of a list of side inputs if there are any, to a tensor of the same shape; or a
            list with one per layer. Variables are made in scopes of their own, and are found again when the function is
            called again.
        num_layers: the number of layers.
        f_side_input, g_side_input: lists of tensors, the second argument of f and g.
        is_training: False for gradients that keep activations, which take less time.

    Returns:
        (y1, y2).
    """
    return RevBlock(f, g, num_layers, f_side_input, g_side_input, is_training)(x1, x2)


@export("contrib.layers.recompute_grad")
def recompute_grad(fn: Callable[..., Any] | None = None, use_data_dep: Any = None,
                   tupleize_grads: bool = False) -> Any:
    """Decorator for gradient checkpointing: gradients call the function again, and no activations are kept.

    >>> @tf.contrib.layers.recompute_grad
    ... def layer(x):
    ...     return tf.layers.dense(x, 8, tf.nn.relu)

    A function with a keyword `is_recomputing` is told by it when it is called again.

    Args:
        fn: a function of tensors; without it the result is a decorator. Variables are found again in the same scope.
        use_data_dep: has no effect: the second call always waits for the gradients of the outputs.
        tupleize_grads: whether no gradient may be used before all of them are there.

    Raises:
        ValueError: the function uses a tensor from outside that is no argument; or, with the gradients, it is called
            twice in a scope, so that the second call cannot find its variables again.
    """
    if fn is None:
        return functools.partial(recompute_grad, use_data_dep=use_data_dep, tupleize_grads=tupleize_grads)
    for name, value in inspect.getclosurevars(fn).nonlocals.items():
        if isinstance(value, Tensor):
            raise ValueError(f"{fn.__name__} closes over the tensor {name}: make it an argument, so that it has a "
                             "gradient")
    told = {"is_recomputing": True} if "is_recomputing" in inspect.signature(fn).parameters else {}

    def recomputed(*args: Tensor) -> Any:
        scope = get_variable_scope()

        def grad(*dys: Tensor, variables: list[Any] | None = None) -> Any:
            with control_dependencies(dys):
                again = [basic.identity(each) for each in args]
            outputs, used = _called_again(fn, again, told, scope)
            if {id(each) for each in used} != {id(each) for each in variables or ()}:
                raise ValueError(f"{fn.__name__} {_LOST}")
            found = gradients(outputs, [*again, *(variables or ())], grad_ys=list(dys))
            if tupleize_grads:
                found = tuple_(found)
            return found if variables is None else (found[:len(args)], found[len(args):])

        return fn(*args), grad

    return functools.wraps(fn)(custom_gradient(recomputed))


_LOST = ("does not find the variables of its first call: it was called twice in the same enclosing scope, or in none. "
         "Open a variable scope for each call")


def _called_again(fn: Callable[..., Any], args: list[Tensor], told: dict[str, bool], scope: Any) -> tuple[Any, Any]:
    """(what the function returns in the variable scope of its first call, the variables that it uses)."""
    with variables_used(default_graph(), args) as used, variable_scope(scope, reuse=True):
        try:
            outputs = nest.flatten(fn(*args, **told))
        except ValueError as error:
            raise ValueError(f"{fn.__name__} {_LOST}: {error}") from error
    return outputs, used()
