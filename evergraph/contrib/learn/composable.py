"""Parts of models of tf.contrib.learn, each with its logits and its training step: linear models and networks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evergraph.contrib.learn import dnn, linear
from evergraph.contrib.learn.canned import features_by_name, made_optimizer
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.frontend.clip import clip_by_global_norm
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.scope import variable_scope
from evergraph.ops.nn.activations import relu
from evergraph.save.reader import load_variable
from evergraph.train.adagrad import AdagradOptimizer


class _ComposableModel:
    """A part of a model, whose variables are in a scope of their own and in a collection of that name."""

    def __init__(self, num_label_columns: int, optimizer: Any, gradient_clip_norm: float | None, num_ps_replicas: int,
                 scope: str, trainable: bool = True) -> None:
        self._num_label_columns, self._optimizer, self._scope = num_label_columns, optimizer, scope
        self._gradient_clip_norm, self._num_ps_replicas = gradient_clip_norm, num_ps_replicas
        self._trainable, self._feature_columns = trainable, None

    def get_scope_name(self) -> str:
        """The name of the scope and of the collection."""
        return self._scope

    def _default_optimizer(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no optimizer of its own")

    def get_train_step(self, loss: Any) -> list[Any]:
        """The operations of a training step, which count no global step; none where it is not trainable."""
        if not self._trainable:
            return []
        variables = get_collection(self._scope) or get_collection(GraphKeys.TRAINABLE_VARIABLES, f"{self._scope}/")
        slopes = gradients(loss, variables)
        if self._gradient_clip_norm:
            slopes, _ = clip_by_global_norm(slopes, self._gradient_clip_norm)
        optimizer = made_optimizer(self._optimizer) or self._default_optimizer()
        return [optimizer.apply_gradients(zip(slopes, variables, strict=True))]


class LinearComposableModel(_ComposableModel):
    """A linear model as a part of another.

    Args:
        num_label_columns: the number of logits.
        optimizer: an optimizer, or a function that makes one; FTRL by default.
        _joint_weights: whether the weights of all columns are one variable.
        gradient_clip_norm: the largest norm of all gradients together.
        num_ps_replicas: the number of parameter servers.
        scope: the name of its scope.
    """

    def __init__(self, num_label_columns: int, optimizer: Any = None, _joint_weights: bool = False,
                 gradient_clip_norm: float | None = None, num_ps_replicas: int = 0, scope: str | None = None) -> None:
        super().__init__(num_label_columns, optimizer, gradient_clip_norm, num_ps_replicas, scope or "linear")
        self._joint_weights = _joint_weights

    def _default_optimizer(self) -> Any:
        return linear.default_optimizer(self._feature_columns)

    def build_model(self, features: Any, feature_columns: Any, is_training: bool) -> Any:
        """The logits of features; `is_training` makes no difference."""
        self._feature_columns = list(feature_columns)
        return linear.linear_logits(features_by_name(features), self._feature_columns, self._num_label_columns,
                                    self._num_ps_replicas, self._joint_weights, self._scope)[0]

    def get_weights(self, model_dir: Any) -> dict[str, Any]:
        """The weights of columns in a checkpoint, by name of variable."""
        names = [variable.op.name for variable in get_collection(self._scope)]
        return {name: load_variable(model_dir, name) for name in names if not name.endswith("/bias_weight")}

    def get_bias(self, model_dir: Any) -> Any:
        """The bias in a checkpoint."""
        return load_variable(model_dir, f"{self._scope}/bias_weight")


class DNNComposableModel(_ComposableModel):
    """A deep network as a part of another model.

    Args:
        num_label_columns: the number of logits.
        hidden_units: the number of units of each hidden layer.
        optimizer: an optimizer, or a function that makes one; Adagrad by default.
        activation_fn: the activation of hidden layers, or its name.
        dropout: the share of units that are dropped in training.
        gradient_clip_norm: the largest norm of all gradients together.
        num_ps_replicas: the number of parameter servers.
        scope: the name of its scope.
        trainable: whether it is trained.
    """

    def __init__(self, num_label_columns: int, hidden_units: Sequence[int], optimizer: Any = None,
                 activation_fn: Any = relu, dropout: float | None = None, gradient_clip_norm: float | None = None,
                 num_ps_replicas: int = 0, scope: str | None = None, trainable: bool = True) -> None:
        super().__init__(num_label_columns, optimizer, gradient_clip_norm, num_ps_replicas, scope or "dnn", trainable)
        self._hidden_units, self._activation_fn, self._dropout = list(hidden_units), activation_fn, dropout

    def _default_optimizer(self) -> Any:
        return AdagradOptimizer(dnn.LEARNING_RATE)

    def build_model(self, features: Any, feature_columns: Any, is_training: bool) -> Any:
        """The logits of features."""
        features, self._feature_columns = features_by_name(features), list(feature_columns)
        with variable_scope(self._scope, values=tuple(features.values())):
            return dnn.network_logits(
                features, self._feature_columns, self._hidden_units, self._num_label_columns,
                ModeKeys.TRAIN if is_training else ModeKeys.EVAL, self._activation_fn, self._dropout,
                self._num_ps_replicas, None, self._scope)

    def get_weights(self, model_dir: Any) -> list[Any]:
        """The weights of all layers in a checkpoint."""
        return self._loaded(model_dir, "weights")

    def get_bias(self, model_dir: Any) -> list[Any]:
        """The biases of all layers in a checkpoint."""
        return self._loaded(model_dir, "biases")

    def _loaded(self, model_dir: Any, kind: str) -> list[Any]:
        layers = [f"hiddenlayer_{number}" for number in range(len(self._hidden_units))]
        return [load_variable(model_dir, re.sub("/+", "/", f"{self._scope}/{layer}/{kind}"))
                for layer in [*layers, "logits"]]
