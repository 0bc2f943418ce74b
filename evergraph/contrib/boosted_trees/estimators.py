"""The estimators of tf.contrib.boosted_trees: gradient-boosted trees that grow layer by layer from batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base.docstrings import with_parts
from evergraph.base.export import export
from evergraph.contrib.boosted_trees.losses import per_example_maxent_loss, per_example_quantile_regression_loss
from evergraph.contrib.boosted_trees.model_fns import tree_model_fn
from evergraph.contrib.learn.estimator import Estimator
from evergraph.contrib.learn.heads import RegressionHead, multi_class_head, regression_head
from evergraph.estimator.estimator import Estimator as CoreEstimator
from evergraph.estimator.heads import legacy
from evergraph.frontend import array
from evergraph.frontend.reduce import reduce_mean
from evergraph.losses.weighting import Reduction

_HOME = "contrib.boosted_trees.estimator_batch.estimator"
documented = with_parts(
    trees="""learner_config: a LearnerConfig: regularization, depth and strategies.
        examples_per_layer: after how many examples a layer grows, or a function of the number of the layer.""",
    columns="""num_trees: how many trees to grow; without it training goes on.
        feature_columns: columns of tf.contrib.layers; by default all features are columns.
        weight_column_name: the feature with the weights of examples.
        model_dir: the directory of checkpoints and events.
        config: a tf.contrib.learn.RunConfig.""",
    options="""feature_engineering_fn: a function of (features, labels) that returns those of the model.
        logits_modifier_function: a function of (logits, features, mode) that returns the logits to use.
        center_bias: whether the first tree is a bias alone.
        use_core_libs: whether columns are of tf.feature_column.
        output_leaf_index: whether predictions have the leaf of every tree.
        override_global_step_value: what the global step becomes when there are enough trees.
        num_quantiles: how many thresholds of a column are compared.""",
    core="""num_trees: how many trees to grow; without it training goes on.
        feature_columns: columns of tf.feature_column; by default all features are columns.
        weight_column_name: the feature with the weights of examples.
        model_dir: the directory of checkpoints and events.
        config: a tf.estimator.RunConfig.
        label_keys: has no meaning: the head knows its labels.
        logits_modifier_function: a function of (logits, features, mode) that returns the logits to use.
        center_bias: whether the first tree is a bias alone.
        output_leaf_index: whether predictions have the leaf of every tree.
        num_quantiles: how many thresholds of a column are compared.""")


class _Trees(Estimator):
    """Boosted trees as an Estimator of tf.contrib.learn."""

    def __init__(self, model_dir: Any, config: Any, feature_engineering_fn: Any, **params: Any) -> None:
        super().__init__(tree_model_fn, model_dir, config, params, feature_engineering_fn)


def maxent(n_classes: int) -> Any:
    """The mean cross entropy, which has second derivatives."""
    return lambda labels, logits, weights: reduce_mean(per_example_maxent_loss(labels, weights, logits, n_classes)[0])


@export(f"{_HOME}.GradientBoostedDecisionTreeClassifier")
@documented
class GradientBoostedDecisionTreeClassifier(_Trees):
    """Boosted trees that tell classes apart.

    Args:
        {trees}
        n_classes: how many classes there are.
        {columns}
        label_keys: the names of the classes, where labels are strings.
        {options}

    Raises:
        ValueError: the LearnerConfig has another number of classes.
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, n_classes: int = 2,
                 num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
                 model_dir: Any = None, config: Any = None, label_keys: Sequence[str] | None = None,
                 feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
                 use_core_libs: bool = False, output_leaf_index: bool = False,
                 override_global_step_value: int | None = None, num_quantiles: int = 100) -> None:
        if learner_config.num_classes > 2 and learner_config.num_classes != n_classes:
            raise ValueError(f"n_classes ({n_classes}) doesn't match learner_config: it has "
                             f"{learner_config.num_classes} classes")
        head = multi_class_head(n_classes, weight_column_name=weight_column_name, label_keys=label_keys,
                                loss_fn=maxent(n_classes) if n_classes > 2 else None)
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, learner_config=learner_config,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value, num_quantiles=num_quantiles)


@export(f"{_HOME}.GradientBoostedDecisionTreeRegressor")
@documented
class GradientBoostedDecisionTreeRegressor(_Trees):
    """Boosted trees that predict numbers, by the mean squared error.

    Args:
        {trees}
        label_dimension: how many numbers there are for an example.
        label_name: the label where there are several by name.
        {columns}
        {options}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, label_dimension: int = 1,
                 num_trees: int | None = None, feature_columns: Any = None, label_name: str | None = None,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
                 use_core_libs: bool = False, output_leaf_index: bool = False,
                 override_global_step_value: int | None = None, num_quantiles: int = 100) -> None:
        head = regression_head(label_name=label_name, label_dimension=label_dimension,
                               weight_column_name=weight_column_name)
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, learner_config=learner_config,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value, num_quantiles=num_quantiles)


@export(f"{_HOME}.GradientBoostedDecisionTreeEstimator")
@documented
class GradientBoostedDecisionTreeEstimator(_Trees):
    """Boosted trees under a head.

    Args:
        {trees}
        head: a head of tf.contrib.learn or of tf.estimator, whose loss has second derivatives.
        {columns}
        {options}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
                 feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None,
                 config: Any = None, feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
                 center_bias: bool = True, use_core_libs: bool = False, output_leaf_index: bool = False,
                 override_global_step_value: int | None = None, num_quantiles: int = 100) -> None:
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, learner_config=learner_config,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value, num_quantiles=num_quantiles)


@export(f"{_HOME}.GradientBoostedDecisionTreeRanker")
@documented
class GradientBoostedDecisionTreeRanker(_Trees):
    """Boosted trees that say which of two examples comes first: labels are 1 where the first one does.

    Args:
        {trees}
        head: a head for two classes.
        ranking_model_pair_keys: what the names of both sides' features begin with, before a dot, in training and
            evaluation.
        {columns}
        label_keys: has no meaning: the head knows its labels.
        {options}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, head: Any,
                 ranking_model_pair_keys: tuple[str, str], num_trees: int | None = None, feature_columns: Any = None,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 label_keys: Any = None, feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
                 center_bias: bool = False, use_core_libs: bool = False, output_leaf_index: bool = False,
                 override_global_step_value: int | None = None, num_quantiles: int = 100) -> None:
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, learner_config=learner_config,
            ranking_model_pair_keys=ranking_model_pair_keys,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value, num_quantiles=num_quantiles)


def _only_quantile(quantiles: Sequence[float]) -> float:
    if len(quantiles) != 1:
        raise ValueError(f"one quantile at a time is predicted, got {list(quantiles)}")
    return quantiles[0]


@export(f"{_HOME}.GradientBoostedDecisionTreeQuantileRegressor")
@documented
class GradientBoostedDecisionTreeQuantileRegressor(_Trees):
    """Boosted trees that predict a quantile of numbers.

    Args:
        {trees}
        quantiles: the quantile, in a list.
        label_dimension: how many numbers there are for an example.
        {columns}
        {options}

    Raises:
        ValueError: there are several quantiles.
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, quantiles: Sequence[float],
                 label_dimension: int = 1, num_trees: int | None = None, feature_columns: Any = None,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
                 use_core_libs: bool = False, output_leaf_index: bool = False,
                 override_global_step_value: int | None = None, num_quantiles: int = 100) -> None:
        quantile = _only_quantile(quantiles)
        head = RegressionHead(
            array.identity, lambda labels, logits: per_example_quantile_regression_loss(
                labels, 1.0, logits, quantile)[0],
            logits_dimension=label_dimension, default_name="quantile_regression_head",
            weight_column_name=weight_column_name)
        super().__init__(
            model_dir, config, feature_engineering_fn, head=head, learner_config=learner_config,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value, num_quantiles=num_quantiles)


# ---- over tf.estimator

@export(f"{_HOME}.core_multiclass_head")
def core_multiclass_head(n_classes: int, weight_column: Any = None,
                         loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS) -> Any:
    """A head of tf.estimator for several classes, whose loss has second derivatives.

    Args:
        n_classes: how many classes there are.
        weight_column: the feature with the weights of examples.
        loss_reduction: one of tf.losses.Reduction.
    """
    return legacy.multi_class_head(n_classes, weight_column, None, loss_reduction,
                                   lambda labels, logits: per_example_maxent_loss(labels, 1.0, logits, n_classes)[0])


@export(f"{_HOME}.core_quantile_regression_head")
def core_quantile_regression_head(quantiles: Any, label_dimension: int = 1, weight_column: Any = None,
                                  loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS) -> Any:
    """A head of tf.estimator for a quantile of numbers.

    Args:
        quantiles: the quantile, or a list of it.
        label_dimension: how many numbers there are for an example.
        weight_column: the feature with the weights of examples.
        loss_reduction: one of tf.losses.Reduction.
    """
    quantile = quantiles if isinstance(quantiles, float) else _only_quantile(quantiles)
    return legacy.regression_head(
        weight_column, label_dimension, loss_reduction,
        lambda labels, logits: per_example_quantile_regression_loss(labels, 1.0, logits, quantile)[0])


class _CoreTrees(CoreEstimator):
    """Boosted trees as an Estimator of tf.estimator."""

    def __init__(self, model_dir: Any, config: Any, **params: Any) -> None:
        super().__init__(tree_model_fn, model_dir, config, {**params, "use_core_libs": True})


@export(f"{_HOME}.CoreGradientBoostedDecisionTreeEstimator")
@documented
class CoreGradientBoostedDecisionTreeEstimator(_CoreTrees):
    """Boosted trees under a head of tf.estimator.

    Args:
        {trees}
        head: a head of tf.estimator, whose loss has second derivatives.
        {core}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
                 feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None,
                 config: Any = None, label_keys: Any = None, logits_modifier_function: Any = None,
                 center_bias: bool = True, output_leaf_index: bool = False, num_quantiles: int = 100) -> None:
        super().__init__(
            model_dir, config, head=head, learner_config=learner_config, examples_per_layer=examples_per_layer,
            num_trees=num_trees, feature_columns=feature_columns, weight_column_name=weight_column_name,
            logits_modifier_function=logits_modifier_function, center_bias=center_bias,
            output_leaf_index=output_leaf_index, num_quantiles=num_quantiles)


@export(f"{_HOME}.CoreGradientBoostedDecisionTreeRanker")
@documented
class CoreGradientBoostedDecisionTreeRanker(_CoreTrees):
    """Boosted trees that say which of two examples comes first: labels are 1 where the first one does.

    Args:
        {trees}
        head: a head of tf.estimator for two classes.
        ranking_model_pair_keys: what the names of both sides' features begin with, before a dot, in training and
            evaluation.
        {core}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, head: Any,
                 ranking_model_pair_keys: tuple[str, str], num_trees: int | None = None, feature_columns: Any = None,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 label_keys: Any = None, logits_modifier_function: Any = None, center_bias: bool = False,
                 output_leaf_index: bool = False, num_quantiles: int = 100) -> None:
        super().__init__(
            model_dir, config, head=head, learner_config=learner_config, examples_per_layer=examples_per_layer,
            ranking_model_pair_keys=ranking_model_pair_keys, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, output_leaf_index=output_leaf_index, num_quantiles=num_quantiles)


@export(f"{_HOME}.CoreGradientBoostedDecisionTreeQuantileRegressor")
@documented
class CoreGradientBoostedDecisionTreeQuantileRegressor(_CoreTrees):
    """Boosted trees that predict a quantile of numbers.

    Args:
        {trees}
        quantiles: the quantile, in a list.
        label_dimension: how many numbers there are for an example.
        {core}
    """

    def __init__(self, learner_config: Any, examples_per_layer: Any, quantiles: Sequence[float],
                 label_dimension: int = 1, num_trees: int | None = None, feature_columns: Any = None,
                 weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
                 label_keys: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
                 output_leaf_index: bool = False, num_quantiles: int = 100) -> None:
        super().__init__(
            model_dir, config, head=core_quantile_regression_head(
                quantiles, label_dimension, weight_column_name), learner_config=learner_config,
            examples_per_layer=examples_per_layer, num_trees=num_trees, feature_columns=feature_columns,
            weight_column_name=weight_column_name, logits_modifier_function=logits_modifier_function,
            center_bias=center_bias, output_leaf_index=output_leaf_index, num_quantiles=num_quantiles)
