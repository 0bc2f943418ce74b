"""tf.keras.preprocessing.text and sequence: the package keras-preprocessing."""
from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.keras.packages import preprocessing
from evergraph.keras.sequences import Sequence

text, sequence = preprocessing("text"), preprocessing("sequence")


def _exported(module: Any, part: str, name: str) -> Any:
    return export(f"keras.preprocessing.{part}.{name}")(getattr(module, name))


Tokenizer = _exported(text, "text", "Tokenizer")
hashing_trick = _exported(text, "text", "hashing_trick")
one_hot = _exported(text, "text", "one_hot")
text_to_word_sequence = _exported(text, "text", "text_to_word_sequence")
tokenizer_from_json = _exported(text, "text", "tokenizer_from_json")
make_sampling_table = _exported(sequence, "sequence", "make_sampling_table")
pad_sequences = _exported(sequence, "sequence", "pad_sequences")
skipgrams = _exported(sequence, "sequence", "skipgrams")


@export("keras.preprocessing.sequence.TimeseriesGenerator")
class TimeseriesGenerator(sequence.TimeseriesGenerator, Sequence):
    """Makes batches of windows of a series, with the value after each.

    Args:
        data: the series.
        targets: the value that belongs to each time.
        length: of a window.
        sampling_rate: every how manieth value a window takes.
        stride: between the starts of windows.
        start_index: of the first window.
        end_index: after which none ends.
        shuffle: whether windows are drawn in random order.
        reverse: whether the times of a window run backwards.
        batch_size: how many windows make a batch.
    """
