"""The model functions of the estimators of tf.contrib.boosted_trees, for heads of either kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from evergraph.contrib.boosted_trees.ensembles import tree_ensemble_variable
from evergraph.contrib.boosted_trees.hooks import StopAfterNTrees
from evergraph.contrib.boosted_trees.model import GradientBoostedDecisionTreeModel
from evergraph.contrib.learn.heads import Head
from evergraph.contrib.learn.mode_keys import ModeKeys
from evergraph.frontend import array
from evergraph.frontend.blocks import control_dependencies
from evergraph.frontend.gradients import gradients as differentiate
from evergraph.graph.node import Tensor
from evergraph.train.global_step import get_global_step

ENSEMBLE = "ensemble_model"


class TreeParams(NamedTuple):
    """What the estimators of boosted trees are given; the docstrings of the estimators explain them."""

    head: Any
    learner_config: Any
    examples_per_layer: Any
    num_trees: int | None = None
    feature_columns: Any = None
    weight_column_name: str | None = None
    logits_modifier_function: Any = None
    center_bias: bool = True
    use_core_libs: bool = False
    output_leaf_index: bool = False
    override_global_step_value: int | None = None
    num_quantiles: int = 100
    ranking_model_pair_keys: tuple[str, str] | None = None


def made_spec(head: Any, features: Any, mode: str, labels: Any, logits: Tensor, train_op_fn: Any) -> Any:
    """What a head of tf.contrib.learn or one of tf.estimator makes of logits."""
    if isinstance(head, Head):
        return head.create_model_fn_ops(features=features, labels=labels, mode=mode, logits=logits,
                                        train_op_fn=train_op_fn)
    return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits,
                                      train_op_fn=train_op_fn)


def made_model(params: TreeParams, features: Mapping[str, Any], config: Any) -> GradientBoostedDecisionTreeModel:
    """The trees over features, which are the columns if there are none."""
    used = {name: feature for name, feature in features.items() if name != params.weight_column_name}
    return GradientBoostedDecisionTreeModel(
        is_chief=config.is_chief, num_ps_replicas=config.num_ps_replicas,
        ensemble_handle=tree_ensemble_variable(0, "", ENSEMBLE), center_bias=params.center_bias,
        examples_per_layer=params.examples_per_layer, learner_config=params.learner_config, features=used,
        logits_dimension=params.head.logits_dimension, feature_columns=params.feature_columns,
        use_core_columns=params.use_core_libs, output_leaf_index=params.output_leaf_index,
        num_quantiles=params.num_quantiles)


def modified(params: TreeParams, logits: Tensor, features: Any, mode: str) -> Tensor:
    """The logits, as the function of the program changes them."""
    modify = params.logits_modifier_function
    return logits if modify is None else modify(logits, features, mode)


def with_step(train: Any) -> Any:
    """A train op that also counts the global step."""
    with control_dependencies([train]):
        return get_global_step().assign_add(1).op


def stopped(params: TreeParams, model: GradientBoostedDecisionTreeModel) -> StopAfterNTrees | None:
    """The hook that ends training, when there is a number of trees; it counts those of the nodes made before it."""
    if params.num_trees is None:
        return None
    finalized, attempted = model.get_number_of_trees_tensor()
    return StopAfterNTrees(params.num_trees + params.center_bias, attempted, finalized,
                           params.override_global_step_value)


def finished(spec: Any, params: TreeParams, model: GradientBoostedDecisionTreeModel, mode: str,
             predictions: Mapping[str, Tensor]) -> Any:
    """The spec with the leaves of examples among the predictions, and with the hook that ends training."""
    if "leaf_index" in predictions:
        spec = spec._replace(predictions={**spec.predictions, "leaf_index": predictions["leaf_index"]})
    if mode != ModeKeys.TRAIN:
        return spec
    with control_dependencies([spec.train_op]):
        hook = stopped(params, model)
    return spec if hook is None else spec._replace(training_hooks=(*spec.training_hooks, hook))


def tree_model_fn(features: Any, labels: Any, mode: str, params: Mapping[str, Any], config: Any) -> Any:
    """The model of boosted trees; `params` are TreeParams by name."""
    given = TreeParams(**params)
    features = features if isinstance(features, Mapping) else {"": features}
    if given.ranking_model_pair_keys is not None and mode != ModeKeys.INFER:
        return _ranking_model(features, labels, mode, given, config)
    model = made_model(given, features, config)
    predictions = model.predict(mode)
    logits = modified(given, predictions["predictions"], features, mode)

    def train_op_fn(loss: Tensor) -> Any:
        return with_step(model.train(loss, predictions, labels))
    return finished(made_spec(given.head, features, mode, labels, logits, train_op_fn), given, model, mode,
                    predictions)


def _of_pair(features: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The features of one side, without the prefix of that side.

    Raises:
        ValueError: there are none.
    """
    found = {name[len(key) + 1:]: feature for name, feature in features.items() if name.startswith(f"{key}.")}
    if not found:
        raise ValueError(f"no feature begins with {key + '.'!r} among {sorted(features)}")
    return found


def _ranking_model(features: Mapping[str, Any], labels: Any, mode: str, params: TreeParams, config: Any) -> Any:
    """The model of pairs of examples: the logits are the difference of the predictions for both sides.

    Both sides are one batch for the trees; its examples count once.
    """
    assert params.ranking_model_pair_keys is not None
    first, second = (_of_pair(features, key) for key in params.ranking_model_pair_keys)
    if sorted(first) != sorted(second):
        raise ValueError(f"both sides of a pair have the same features, got {sorted(first)} and {sorted(second)}")
    model = made_model(params, {name: array.concat([first[name], second[name]], 0) for name in first}, config)
    predictions = model.predict(mode)
    left, right = array.split(predictions["predictions"], 2, axis=0)
    logits = modified(params, left - right, features, mode)

    def train_op_fn(loss: Tensor) -> Any:
        slopes = [differentiate(loss, side)[0] for side in (left, right)]
        bends = [differentiate(slope, side)[0] for slope, side in zip(slopes, (left, right))]
        # The statistics are means over batches, and each side is a batch.
        updates, _, state = model.update_stats(loss, predictions, array.concat(slopes, 0) / 2.0,
                                               array.concat(bends, 0) / 2.0)
        partitions = array.split(predictions["partition_ids"], 2, axis=0)[0]
        with control_dependencies(updates):
            return with_step(model.increment_step_counter_and_maybe_update_ensemble(
                {**predictions, "partition_ids": partitions}, state))
    return finished(made_spec(params.head, features, mode, labels, logits, train_op_fn), params, model, mode,
                    predictions)
