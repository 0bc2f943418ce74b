# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.losses.metric_learning."""

from evergraph import Tensor
from typing import Any

def contrastive_loss(
    labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0,
) -> Tensor:
    """The contrastive loss (Hadsell, Chopra and LeCun, 2006) of pairs of embeddings."""

def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """The lifted structured loss (Song, Xiang, Jegelka and Savarese, 2016)."""

def npairs_loss(
    labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:
    """The N-pairs loss (Sohn, 2016): cross entropy of similarities with equality of labels, and
    regularization."""

def npairs_loss_multilabel(
    sparse_labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:
    """The N-pairs loss of examples with several labels: two are as alike as they have labels in common."""

def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Any:
    """The triplet loss with semi-hard negatives (Schroff, Kalenichenko and Philbin, 2015)."""
