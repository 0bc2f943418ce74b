# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.strings."""

from evergraph import (
    Tensor, string_join, string_strip, string_to_hash_bucket, string_to_hash_bucket_fast,
    string_to_hash_bucket_strong, string_to_number,
)
from typing import Any

from evergraph import as_string as as_string

def bytes_split(input: Any, name: str | None = None) -> Any:
    """Splits strings into single bytes, as a ragged tensor; a scalar to a vector."""

def format(
    template: Any, inputs: Any, placeholder: str = '{}', summarize: int = 3, name: str | None = None,
) -> Tensor:
    """Formats tensors into a template: replaces each placeholder by a tensor."""

join = string_join

def length(input: Any, name: str | None = None, unit: str = 'BYTE') -> Tensor:
    """The length of each string in bytes, or in characters with unit "UTF8_CHAR"."""

def lower(input: Any, encoding: Any = '', name: str | None = None) -> Any:
    """Converts strings to lower case: ASCII letters, or with encoding 'utf-8' all letters."""

def ngrams(
    data: Any, ngram_width: Any, separator: str = ' ', pad_values: Any = None,
    padding_width: int | None = None, preserve_short_sequences: bool = False, name: str | None = None,
) -> Any:
    """N-grams: runs of consecutive strings along the last axis, joined."""

from evergraph import reduce_join as reduce_join

def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether an RE2 regular expression matches each whole string."""

from evergraph import regex_replace as regex_replace

def split(
    input: Any = None, sep: Any = None, maxsplit: int = -1, result_type: str = 'SparseTensor',
    source: Any = None, name: str | None = None,
) -> Any:
    """Splits strings at a separator, as Python's `str.split`."""

strip = string_strip
from evergraph import substr as substr
to_hash_bucket = string_to_hash_bucket
to_hash_bucket_fast = string_to_hash_bucket_fast
to_hash_bucket_strong = string_to_hash_bucket_strong
to_number = string_to_number

def unicode_decode(
    input: Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> Any:
    """The code points of each string, along a new ragged axis; those of a scalar as a vector."""

def unicode_decode_with_offsets(
    input: Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> tuple[Any, Any]:
    """The code points of each string, and at which byte each begins."""

def unicode_encode(
    input: Any, output_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """A string for each row of code points."""

def unicode_script(input: Any, name: str | None = None) -> Any:
    """ICU's number of the script of each code point; -1 for invalid code points."""

def unicode_split(
    input: Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """The characters of each string as strings, along a new ragged axis; those of a scalar as a vector."""

def unicode_split_with_offsets(
    input: Any, input_encoding: str, errors: str = 'replace', replacement_char: int = 65533,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The characters of each string as strings, and at which byte each begins."""

def unicode_transcode(
    input: Any, input_encoding: Any, output_encoding: Any, errors: Any = 'replace',
    replacement_char: Any = 65533, replace_control_characters: Any = False, name: str | None = None,
) -> Any:
    """Transcodes strings from one Unicode encoding to another."""

def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = '', name: str | None = None,
) -> Tensor:
    """Joins the strings of each segment in order; an empty segment gives the empty string."""

def upper(input: Any, encoding: Any = '', name: str | None = None) -> Any:
    """Converts strings to upper case: ASCII letters, or with encoding 'utf-8' all letters."""
