"""tf.contrib.text: skip-grams, the pairs of neighbouring words that word embeddings are trained on."""

from __future__ import annotations

import csv
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.files import GFile
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.indexing import boolean_mask
from evergraph.frontend.input.lookup import StaticHashTable, TextFileInitializer
from evergraph.frontend.random import get_seed, random_uniform
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.contrib import skip_grams as ops
from evergraph.ops.math import elementwise
from evergraph.train.batches import batch

_UNKNOWN = -1  # what a table of frequencies gives for a word that it does not have


@export("contrib.text.skip_gram_sample")
def skip_gram_sample(input_tensor: Any, min_skips: Any = 1, max_skips: Any = 5, start: Any = 0, limit: Any = -1,
                     emit_self_as_target: Any = False, vocab_freq_table: Any = None, vocab_min_count: Any = None,
                     vocab_subsampling: float | None = None, corpus_size: Any = None, batch_size: int | None = None,
                     batch_capacity: int | None = None, seed: int | None = None,
                     name: str | None = None) -> tuple[Tensor, Tensor]:
    """Pairs every word with the words around it, up to a distance that is drawn for each word.

    Args:
        input_tensor: a vector of words, or of their numbers.
        min_skips: the least distance that may be drawn.
        max_skips: the greatest one.
        start: where in the vector the words begin.
        limit: how many words there are; -1 for all to the end.
        emit_self_as_target: whether a word is also paired with itself.
        vocab_freq_table: a table from a word to how often it is in the corpus, -1 where it is not. Other words are
            left out first.
        vocab_min_count: leaves out words that are rarer.
        vocab_subsampling: the rate above which words are left out at random, the more often the more frequent.
        corpus_size: the number of words of the corpus, for `vocab_subsampling`.
        batch_size: the size of batches, by a queue; None for all pairs of the vector.
        batch_capacity: that of the queue, by default 100 times the size of a batch.
        seed: of the distances and of what is left out.
        name: a name for the operations.

    Returns:
        (words, what is to be predicted from them).

    Raises:
        ValueError: there are frequencies to compare with but no table, or one of `vocab_subsampling` and `corpus_size`
            without the other.
    """
    if vocab_freq_table is None and any(each is not None for each in (vocab_min_count, vocab_subsampling, corpus_size)):
        raise ValueError("vocab_min_count, vocab_subsampling and corpus_size need a vocab_freq_table")
    if (vocab_subsampling is None) != (corpus_size is None):
        raise ValueError(f"vocab_subsampling and corpus_size come together, got {vocab_subsampling} and {corpus_size}")
    with name_scope(name, "skip_gram_sample", [input_tensor]):
        words = filter_input(convert_to_tensor(input_tensor, name="input_tensor"), vocab_freq_table, vocab_min_count,
                             vocab_subsampling, corpus_size, seed)
        first, second = get_seed(seed)
        pairs = ops.skip_gram_generate_candidates(
            words, min_skips, max_skips, start, limit, emit_self_as_target, seed=first or 0, seed2=second or 0)
        if batch_size is None:
            return tuple(pairs)
        return tuple(batch(list(pairs), batch_size, capacity=batch_capacity or 100 * batch_size, enqueue_many=True))


def filter_input(input_tensor: Any, vocab_freq_table: Any, vocab_min_count: Any, vocab_subsampling: float | None,
                 corpus_size: Any, seed: int | None) -> Tensor:
    """The words that are not left out; see `skip_gram_sample`."""
    if vocab_freq_table is None:
        return input_tensor
    words = convert_to_tensor(input_tensor)
    found = vocab_freq_table.lookup(words)
    keep = elementwise.not_equal(found, math.cast(_UNKNOWN, found.dtype))
    if vocab_min_count is not None:
        keep = elementwise.logical_and(keep, elementwise.greater_equal(found, math.cast(vocab_min_count, found.dtype)))
    words, found = boolean_mask(words, keep), boolean_mask(found, keep)
    if vocab_subsampling is None:
        return words
    # Mikolov et al. (2013), as their program computes it.
    times = math.cast(found, dtypes.float64) / (vocab_subsampling * math.cast(corpus_size, dtypes.float64))
    chance = (elementwise.sqrt(times) + 1.0) / times
    drawn = random_uniform(array.shape(chance), 0, 1, dtypes.float64, seed=seed)
    return boolean_mask(words, elementwise.less_equal(drawn, chance))


@export("contrib.text.skip_gram_sample_with_text_vocab")
def skip_gram_sample_with_text_vocab(
        input_tensor: Any, vocab_freq_file: str, vocab_token_index: int = 0, vocab_token_dtype: Any = dtypes.string,
        vocab_freq_index: int = 1, vocab_freq_dtype: Any = dtypes.float64, vocab_delimiter: str = ",",
        vocab_min_count: Any = 0, vocab_subsampling: float | None = None, corpus_size: Any = None, min_skips: Any = 1,
        max_skips: Any = 5, start: Any = 0, limit: Any = -1, emit_self_as_target: Any = False,
        batch_size: int | None = None, batch_capacity: int | None = None, seed: int | None = None,
        name: str | None = None) -> tuple[Tensor, Tensor]:
    """Pairs words as `skip_gram_sample` does, with frequencies from a file.

    Args:
        input_tensor: a vector of words, or of their numbers.
        vocab_freq_file: a file with a word and its frequency in each line.
        vocab_token_index: the column of the word.
        vocab_token_dtype: its dtype.
        vocab_freq_index: the column of the frequency.
        vocab_freq_dtype: its dtype.
        vocab_delimiter: what is between columns.
        vocab_min_count: leaves out words that are rarer.
        vocab_subsampling: see `skip_gram_sample`.
        corpus_size: see `skip_gram_sample`; by default the sum of the frequencies.
        min_skips: see `skip_gram_sample`, as are those that follow.
        max_skips: the greatest distance.
        start: where the words begin.
        limit: how many there are.
        emit_self_as_target: whether a word is paired with itself.
        batch_size: the size of batches.
        batch_capacity: that of their queue.
        seed: of random choices.
        name: a name for the operations.

    Raises:
        ValueError: a column is negative, not in the file, or both are the same; or the corpus is smaller than the sum
            of the frequencies.
    """
    if vocab_token_index < 0 or vocab_freq_index < 0:
        raise ValueError(f"Columns are counted from 0, got {vocab_token_index} and {vocab_freq_index}")
    if vocab_token_index == vocab_freq_index:
        raise ValueError(f"A word and its frequency are in two columns, got {vocab_token_index} for both")
    total = _sum_of(vocab_freq_file, vocab_delimiter, vocab_freq_index, max(vocab_token_index, vocab_freq_index),
                    dtypes.as_dtype(vocab_freq_dtype))
    if vocab_subsampling is not None:
        if corpus_size is None:
            corpus_size = total
        elif isinstance(corpus_size, (int, float)) and corpus_size < total * (1 - 1e-6):
            raise ValueError(f"corpus_size is {corpus_size}, less than the sum of the frequencies, {total}")
    table = StaticHashTable(TextFileInitializer(
        vocab_freq_file, vocab_token_dtype, vocab_token_index, vocab_freq_dtype, vocab_freq_index,
        delimiter=vocab_delimiter), _UNKNOWN)
    return skip_gram_sample(
        input_tensor, min_skips, max_skips, start, limit, emit_self_as_target, table, vocab_min_count,
        vocab_subsampling, corpus_size if vocab_subsampling is not None else None, batch_size, batch_capacity, seed,
        name)


def _sum_of(path: str, delimiter: str, column: int, last: int, dtype: Any) -> Any:
    number, total = int if dtype.is_integer else float, 0
    with GFile(path) as file:
        for row in csv.reader(file, delimiter=delimiter):
            if len(row) <= last:
                raise ValueError(f"{path} has {len(row)} columns in a line, there is no column {last}")
            total += number(row[column])
    return total
