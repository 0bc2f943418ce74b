"""tf.tpu.experimental's optimizers of embedding tables, and what a TPUEstimator is told about these tables."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from evergraph.base.export import export
from evergraph.feature.column import is_column
from evergraph.feature.embedding import CollectedEmbeddingColumn, EmbeddingColumn, SharedEmbeddingColumn


@dataclass(frozen=True)
class OptimizationParameters:
    """How the tables of a TPU are trained."""

    learning_rate: float


@export("tpu.experimental.AdagradParameters")
@dataclass(frozen=True)
class AdagradParameters(OptimizationParameters):
    """Adagrad for the embedding tables of a TPU.

    Args:
        learning_rate: the learning rate.
        initial_accumulator: what accumulators start with.
        use_gradient_accumulation: whether the gradients of a batch are added up before they are applied.
        clip_weight_min, clip_weight_max: the range of the weights.

    Raises:
        ValueError: `initial_accumulator` is not positive.
    """

    initial_accumulator: float = 0.1
    use_gradient_accumulation: bool = True
    clip_weight_min: float | None = None
    clip_weight_max: float | None = None

    def __post_init__(self) -> None:
        if self.initial_accumulator <= 0:
            raise ValueError("initial_accumulator of Adagrad divides the first step, so it is greater than zero; got "
                             f"{self.initial_accumulator}.")


@export("tpu.experimental.AdamParameters")
@dataclass(frozen=True)
class AdamParameters(OptimizationParameters):
    """Adam for the embedding tables of a TPU.

    Args:
        learning_rate: the learning rate.
        beta1, beta2: the decay of the two moments.
        epsilon: what is added to the divisor.
        lazy_adam: whether only the rows of a batch are updated.
        sum_inside_sqrt: whether epsilon is added inside of the square root.
        use_gradient_accumulation: whether the gradients of a batch are added up before they are applied.
        clip_weight_min, clip_weight_max: the range of the weights.

    Raises:
        ValueError: a number is out of its range, or gradients are neither lazy nor accumulated.
    """

    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-08
    lazy_adam: bool = True
    sum_inside_sqrt: bool = True
    use_gradient_accumulation: bool = True
    clip_weight_min: float | None = None
    clip_weight_max: float | None = None

    def __post_init__(self) -> None:
        for name in ("beta1", "beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} must be between 0. and 1; got {getattr(self, name)}.")
        if self.epsilon <= 0:
            raise ValueError(f"epsilon must be positive; got {self.epsilon}.")
        if not self.use_gradient_accumulation and not self.lazy_adam:
            raise ValueError("lazy_adam=False needs use_gradient_accumulation=True")


@export("tpu.experimental.StochasticGradientDescentParameters")
@dataclass(frozen=True)
class StochasticGradientDescentParameters(OptimizationParameters):
    """Gradient descent for the embedding tables of a TPU.

    Args:
        learning_rate: the learning rate.
        clip_weight_min, clip_weight_max: the range of the weights.
    """

    clip_weight_min: float | None = None
    clip_weight_max: float | None = None


class _Fields(NamedTuple):
    feature_columns: Any = None
    optimization_parameters: Any = None
    clipping_limit: float | None = None
    pipeline_execution_with_tensor_core: bool = False
    experimental_gradient_multiplier_fn: Callable[..., Any] | None = None
    feature_to_config_dict: Any = None
    table_to_config_dict: Any = None
    partition_strategy: str = "div"


@export("estimator.tpu.experimental.EmbeddingConfigSpec")
class EmbeddingConfigSpec(_Fields):
    """The embedding tables that the embedding cores of TPUs hold and train.

    As in TensorFlow, a TPUEstimator with use_tpu=False trains the tables with the optimizer of the model.

    Args:
        feature_columns: the columns of tf.tpu.experimental whose tables these are.
        optimization_parameters: how TPUs train them, such as `tf.tpu.experimental.AdagradParameters`.
        clipping_limit: the largest absolute value of a gradient on TPUs.
        pipeline_execution_with_tensor_core: whether TPUs look up the next batch while they train.
        experimental_gradient_multiplier_fn: a function of the global step by whose result TPUs multiply gradients.
        feature_to_config_dict, table_to_config_dict: features and tables, in place of columns.
        partition_strategy: how tables are divided among devices: "div" or "mod".

    Raises:
        ValueError: there are neither columns nor both dictionaries, or another argument is out of its range.
        TypeError: a column is not an embedding.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **options: Any) -> EmbeddingConfigSpec:
        spec = super().__new__(cls, *args, **options)
        if not spec.feature_columns and not (spec.feature_to_config_dict and spec.table_to_config_dict):
            raise ValueError("say which embeddings there are: by feature_columns, or by feature_to_config_dict and "
                             "table_to_config_dict together")
        for column in spec.feature_columns or ():
            if not isinstance(column, (EmbeddingColumn, CollectedEmbeddingColumn, SharedEmbeddingColumn)):
                shown = column.name if is_column(column) else column
                raise TypeError(f"All feature columns must be embeddings of tf.tpu.experimental, got {shown}")
        if not isinstance(spec.optimization_parameters, OptimizationParameters):
            raise ValueError("optimization_parameters must be an instance of tf.tpu.experimental's AdagradParameters, "
                             "AdamParameters or StochasticGradientDescentParameters. Got "
                             f"{type(spec.optimization_parameters)}.")
        if spec.partition_strategy not in ("div", "mod"):
            raise ValueError(f"partition_strategy is 'mod' or 'div', got {spec.partition_strategy!r}")
        return spec
