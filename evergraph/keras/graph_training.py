"""The steps of a compiled model in a graph: a session's step for each batch."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.variables.assign import variables_initializer
from evergraph.graph.node import Tensor
from evergraph.graph.traits import Kind
from evergraph.keras import history, session, settings
from evergraph.keras.compilation import Compilation, Output
from evergraph.keras.objective import total_loss, update_metrics


class GraphTraining:
    """The placeholders of a model and its steps, made when they are first needed.

    A step is bound once to a session; `train`, `test` and `predict` return functions from arrays to arrays. Which of
    the outputs have weights for examples makes steps of their own.

    Args:
        model: the model; its inputs and outputs are known.
        compilation: its losses and metrics; None if it is not compiled.
    """

    def __init__(self, model: Any, compilation: Compilation | None) -> None:
        self._model, self._compilation = model, compilation
        self._session: Any = None
        self._bound: dict[Any, Callable[..., Any]] = {}
        self._objectives: dict[tuple[bool, ...], tuple[Any, list[Any], list[Any]]] = {}
        self._train_ops: dict[tuple[bool, ...], Any] = {}
        self._watched: dict[str, tuple[Any, Any]] = {}
        self.inputs = [tensor for tensor in model.inputs if is_fed(tensor)]
        if compilation is not None:
            self.targets = [_target(output) for output in compilation.trained]
            self.fed_targets = [target for output, target in zip(compilation.trained, self.targets)
                                if output.target is None]

    # ---- steps

    def train(self, weighted: tuple[bool, ...]) -> Callable[..., list[Any]]:
        """The function that trains on a batch and returns the loss and the metrics."""
        return self._step("train", weighted, 1)

    def test(self, weighted: tuple[bool, ...]) -> Callable[..., list[Any]]:
        """The function that returns the loss and the metrics of a batch."""
        return self._step("test", weighted, 0)

    def predict(self) -> Callable[..., list[Any]]:
        """The function from inputs to outputs."""
        return self._step("predict", (), 0)

    def reset_metrics(self) -> None:
        """Sets the metrics to zero."""
        current = self._current_session()
        if "reset" not in self._bound:
            made = [variable for metric in self._model._training_metrics() for variable in metric.variables]
            self._bound["reset"] = current.make_callable(variables_initializer(made) if made else [])
        self._bound["reset"]()

    def _current_session(self) -> Any:
        current = session.get_session()
        if current is not self._session:
            self._session, self._bound = current, {}
        return current

    def _step(self, kind: str, weighted: tuple[bool, ...], phase: int) -> Callable[..., Any]:
        found = self._bound.get((kind, weighted))
        if found is not None and session.get_session() is self._session:
            return found
        made = self._described(kind, weighted)
        current = self._current_session()  # after the description, so that new variables are initialized
        self._bound[kind, weighted] = self._callable(current, *made, phase, self._watched.get(kind))
        return self._bound[kind, weighted]

    def _callable(self, current: Any, feeds: list[Any], fetches: list[Any], updates: list[Any], phase: int,
                  watched: tuple[Any, Any] | None) -> Callable[..., Any]:
        learning = settings.learning_phase_if_any()
        is_fed = isinstance(learning, Tensor)
        wanted = [fetches, updates, [] if watched is None else [watched[0]]]
        run = current.make_callable(wanted, [*feeds, learning] if is_fed else feeds)
        phases = [bool(phase)] if is_fed else []

        def step(*values: Any) -> Any:
            found, _, seen = run(*values, *phases)
            if watched is not None:
                watched[1](*seen)
            return found
        return step

    def _described(self, kind: str, weighted: tuple[bool, ...]) -> tuple[list[Any], list[Any], list[Any]]:
        """(what is fed, what is computed, what is run) in a step."""
        model = self._model
        if kind == "predict":
            return self.inputs, list(model.outputs), list(model.state_updates)
        loss, metrics, weights = self._objective(weighted)
        updates = list(model.state_updates) if kind == "test" else [self._train_op(weighted)]
        return self.inputs + self.fed_targets + weights, [loss, *metrics], updates

    def watch(self, kind: str, tensor: Any, receiver: Callable[[Any], None] | None) -> None:
        """Has each step of a kind compute a tensor, too, and hand it to a function; None for none."""
        self._watched = {} if tensor is None else {kind: (tensor, receiver)}
        self._bound = {}

    # ---- the parts of the graph

    def _objective(self, weighted: tuple[bool, ...]) -> tuple[Any, list[Any], list[Any]]:
        """The total loss, the values of the metrics after the batch, and the placeholders of weights."""
        if weighted not in self._objectives:
            model, compilation = self._model, self._compilation
            weights = [_weights(output) if has_weights else None
                       for output, has_weights in zip(compilation.trained, weighted)]
            update_metrics(compilation, model.outputs, self.targets, weights)
            loss = total_loss(model, compilation, model.outputs, self.targets, weights)
            metrics = [metric.latest for metric in model._training_metrics() if metric.latest is not None]
            self._objectives[weighted] = loss, metrics, [weight for weight in weights if weight is not None]
        return self._objectives[weighted]

    @property
    def total_loss(self) -> Any:
        """The total loss of examples without weights."""
        return self._objective((False,) * len(self._compilation.trained))[0]

    def _train_op(self, weighted: tuple[bool, ...]) -> Any:
        if weighted not in self._train_ops:
            with name_scope("training"):
                steps = self._model.optimizer.get_updates(self._objective(weighted)[0], self._compilation.trainable)
                self._train_ops[weighted] = group(*steps, *self._model.updates)
        return self._train_ops[weighted]


def is_fed(tensor: Any) -> bool:
    """Whether an input of a model is a placeholder, not a tensor of the program's."""
    found = history.history(tensor)
    if found is not None:
        return getattr(found.layer, "is_placeholder", True)
    return not isinstance(tensor, Tensor) or tensor.graph.is_eager or tensor.op.opdef.kind is Kind.PLACEHOLDER


def _target(output: Output) -> Any:
    """The placeholder of an output's labels, unless the program gave a tensor for them."""
    if output.target is not None:
        return output.target
    rank = None if output.shape is None else len(output.shape)
    return array.placeholder(output.dtype, TensorShape([None] * rank) if rank is not None else None,
                             name=f"{output.name}_target")


def _weights(output: Output) -> Any:
    sizes = [None, None] if output.weight_mode == "temporal" else [None]
    return array.placeholder(settings.floatx(), sizes, name=f"{output.name}_sample_weights")


