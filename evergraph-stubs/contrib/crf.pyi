# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.crf."""

from evergraph import Tensor
from evergraph.nn.rnn_cell import RNNCell
from typing import Any

class CrfDecodeBackwardRnnCell(RNNCell):
    """One step back along the best sequence: from a tag to the tag before it."""
    @property
    def state_size(self) -> Any:
        """One tag."""
    @property
    def output_size(self) -> Any:
        """One tag."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Tensor]: ...
    def __init__(self, num_tags: Any) -> None: ...

class CrfDecodeForwardRnnCell(RNNCell):
    """One step of the search: the best score that ends in each tag, and the tag before it there."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of tags."""
    @property
    def output_size(self) -> Any:
        """The number of tags."""
    def __init__(self, transition_params: Any) -> None: ...

class CrfForwardRnnCell(RNNCell):
    """One step of the sum over all sequences: for each tag, the log of the sum of those that end in it."""
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Tensor, Tensor]: ...
    @property
    def state_size(self) -> Any:
        """The number of tags."""
    @property
    def output_size(self) -> Any:
        """The number of tags."""
    def __init__(self, transition_params: Any) -> None: ...

def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """What the transitions between tags score; see `crf_sequence_score`."""

def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[Tensor, Tensor]:
    """The sequences of the highest score."""

def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None,
) -> tuple[Tensor, Any]:
    """The log-likelihood of each sequence of tags."""

def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """The log of the sum of exp(score) of all sequences, [batch]; 0 for no steps."""

def crf_multitag_sequence_score(
    inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any,
) -> Tensor:
    """The log of the sum of exp(score) of all sequences whose tags are among those allowed."""

def crf_sequence_score(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any,
) -> Tensor:
    """The score of each sequence of tags; 0 where there is no tag."""

def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Tensor:
    """What the tags score without their neighbours; see `crf_sequence_score`."""

def viterbi_decode(score: Any, transition_params: Any) -> tuple[Any, Any]:
    """The best sequence for one example, worked out by NumPy."""
