# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.linear_optimizer."""

from evergraph import Tensor
from typing import Any

class SdcaModel:
    """A linear model whose weights stochastic dual coordinate ascent finds (Shalev-Shwartz and Zhang,
    2013)."""
    def predictions(self, examples: dict[str, Any]) -> Tensor:
        """What the model predicts: probabilities for the logistic loss, means for Poisson's, logits for the
        others."""
    def unregularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The weighted mean of the losses of examples."""
    def regularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The mean loss of examples, plus the regularization losses over the sum of the weights of examples."""
    def approximate_duality_gap(self) -> Tensor:
        """By how much the loss may be above its minimum: exact when the states of all examples are fresh."""
    def examples_seen(self) -> Tensor:
        """The number of different examples that `minimize` has taken."""
    def minimize(self, global_step: Any = None, name: str | None = None) -> Any:
        """The operation that takes the examples once."""
    def update_weights(self, train_op: Any) -> Any:
        """The operation that sets the weights after `train_op`: the unshrunk ones, moved towards 0 by l1 /
        l2."""
    def __init__(
        self, examples: dict[str, Any], variables: dict[str, Any], options: dict[str, Any],
    ) -> None: ...

class SparseFeatureColumn:
    """A group of sparse features of the examples of a batch, in lists of one entry for each feature of each
    example."""
    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any) -> None: ...
    example_indices: Any
    feature_indices: Any
    feature_values: Any
