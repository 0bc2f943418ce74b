"""KernelLinearClassifier: a linear model over mapped features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.kernel_methods.mappers import DenseKernelMapper
from evergraph.contrib.layers.feature_columns import real_valued_column
from evergraph.contrib.learn.estimator import BaseEstimator
from evergraph.contrib.learn.linear import LinearClassifier
from evergraph.frontend import array
from evergraph.graph.composite import SparseTensor

_MAPPED = "_MAPPED"


@export("contrib.kernel_methods.KernelLinearClassifier")
class KernelLinearClassifier(LinearClassifier):
    """A linear classifier of `tf.contrib.learn` over features that kernel mappers map.

    Args:
        feature_columns: columns that the model is linear in.
        model_dir: the directory of checkpoints and events.
        n_classes: the number of classes.
        weight_column_name: the feature with the weights of examples.
        optimizer: the optimizer; FTRL by default.
        kernel_mappers: from a column to the mappers of its feature. A column that is not of
            `tf.contrib.layers.real_valued_column` stays as it is.
        config: a tf.contrib.learn.RunConfig.

    Raises:
        ValueError: there are no columns, fewer than two classes, or something else than mappers.
    """

    def __init__(self, feature_columns: Any = None, model_dir: Any = None, n_classes: int = 2,
                 weight_column_name: str | None = None, optimizer: Any = None,
                 kernel_mappers: Mapping[Any, Sequence[Any]] | None = None, config: Any = None) -> None:
        if not feature_columns and not kernel_mappers:
            raise ValueError("There must be feature columns or kernel mappers")
        mappers = dict(kernel_mappers or {})
        for column, given in mappers.items():
            for each in given:
                if not isinstance(each, DenseKernelMapper):
                    raise ValueError(f"The mappers of {column.name} must be kernel mappers, not {each!r}")
        mapped = {column: given for column, given in mappers.items() if _is_real(column)}
        columns = {*(feature_columns or ()), *(column for column in mappers if column not in mapped)}
        columns |= {real_valued_column(column.name + _MAPPED, sum(each.output_dim for each in given))
                    for column, given in mapped.items()}

        def with_mapped(features: Any, labels: Any) -> tuple[Any, Any]:
            return {**features, **{column.name + _MAPPED: _mapped(features[column.name], given)
                                   for column, given in mapped.items()}}, labels

        super().__init__(sorted(columns, key=lambda column: column.key), model_dir, n_classes, weight_column_name,
                         optimizer, config=config, feature_engineering_fn=with_mapped)

    def predict(self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
                outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False) -> Any:
        """All predictions by name, or those of `outputs`; see `tf.contrib.learn.Estimator.predict`."""
        return BaseEstimator.predict(self, x, input_fn, batch_size, outputs, as_iterable, iterate_batches)


def _is_real(column: Any) -> bool:
    return type(column) is type(real_valued_column("x"))


def _mapped(feature: Any, mappers: Sequence[DenseKernelMapper]) -> Any:
    if isinstance(feature, SparseTensor):
        raise ValueError("Kernel mappers take dense features")
    if feature.shape.rank == 1:
        feature = array.expand_dims(feature, 1)
    return array.concat([each.map(feature) for each in mappers], 1)
