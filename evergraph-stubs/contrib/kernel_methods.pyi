# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.kernel_methods."""

from collections.abc import Mapping, Sequence
from evergraph import Tensor
from evergraph.contrib.learn import LinearClassifier
from typing import Any

import sys
if sys.platform == "":
    del (
        estimators, losses, mappers,
    )

class KernelLinearClassifier(LinearClassifier):
    """A linear classifier of `tf.contrib.learn` over features that kernel mappers map."""
    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """All predictions by name, or those of `outputs`; see `tf.contrib.learn.Estimator.predict`."""
    def __init__(
        self, feature_columns: Any = None, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: str | None = None, optimizer: Any = None,
        kernel_mappers: Mapping[Any, Sequence[Any]] | None = None, config: Any = None,
    ) -> None: ...

class RandomFourierFeatureMapper:
    """Random Fourier features (Rahimi and Recht, 2007), for the kernel exp(-|x - y|^2 / (2 stddev^2))."""
    @property
    def name(self) -> str: ...
    @property
    def input_dim(self) -> int:
        """The dimension of the features."""
    @property
    def output_dim(self) -> int: ...
    def map(self, input_tensor: Any) -> Tensor:
        """The features as cosines along random directions."""
    def __init__(
        self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1, name: str | None = None,
    ) -> None: ...

def sparse_multiclass_hinge_loss(
    labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: str | None = 'losses', reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """How much the score of the best other class comes within 1 of that of the true one (Crammer and
    Singer, 2001)."""
