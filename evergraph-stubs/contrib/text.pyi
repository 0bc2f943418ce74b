# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.text."""

from evergraph import Tensor
from typing import Any

def skip_gram_sample(
    input_tensor: Any, min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1,
    emit_self_as_target: Any = False, vocab_freq_table: Any = None, vocab_min_count: Any = None,
    vocab_subsampling: float | None = None, corpus_size: Any = None, batch_size: int | None = None,
    batch_capacity: int | None = None, seed: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Pairs every word with the words around it, up to a distance that is drawn for each word."""

def skip_gram_sample_with_text_vocab(
    input_tensor: Any, vocab_freq_file: str, vocab_token_index: int = 0, vocab_token_dtype: Any = ...,
    vocab_freq_index: int = 1, vocab_freq_dtype: Any = ..., vocab_delimiter: str = ',',
    vocab_min_count: Any = 0, vocab_subsampling: float | None = None, corpus_size: Any = None,
    min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1,
    emit_self_as_target: Any = False, batch_size: int | None = None, batch_capacity: int | None = None,
    seed: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Pairs words as `skip_gram_sample` does, with frequencies from a file."""
