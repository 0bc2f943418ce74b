# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.strings."""

from evergraph import string_join, string_strip, string_to_hash_bucket_fast, string_to_hash_bucket_strong
from typing import Any

from evergraph import as_string as as_string
from evergraph.strings import bytes_split as bytes_split
from evergraph.strings import format as format
join = string_join

def length(input: Any, unit: Any = 'BYTE', name: str | None = None) -> Any:
    """The length of each string in bytes, or in characters with unit "UTF8_CHAR"."""

from evergraph.strings import lower as lower
from evergraph.strings import ngrams as ngrams

def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool | None = None, separator: Any = '',
    name: str | None = None,
) -> Any:
    """Joins the strings along axes."""

from evergraph.strings import regex_full_match as regex_full_match
from evergraph import regex_replace as regex_replace

def split(input: Any, sep: Any = None, maxsplit: Any = -1, name: str | None = None) -> Any:
    """Splits strings at a separator, as Python's `str.split`."""

strip = string_strip

def substr(input: Any, pos: Any, len: Any, unit: Any = 'BYTE', name: str | None = None) -> Any:
    """Substrings of `len` bytes, or characters with unit "UTF8_CHAR", from `pos` on."""

def to_hash_bucket(input: Any, num_buckets: Any, name: str | None = None) -> Any:
    """The hash bucket in [0, num_buckets) of each string, by TensorFlow's oldest hash."""

to_hash_bucket_fast = string_to_hash_bucket_fast
to_hash_bucket_strong = string_to_hash_bucket_strong

def to_number(input: Any, out_type: Any = ..., name: str | None = None) -> Any:
    """Parses strings as numbers: float32, float64, int32 or int64."""

from evergraph.strings import unicode_decode as unicode_decode
from evergraph.strings import unicode_decode_with_offsets as unicode_decode_with_offsets
from evergraph.strings import unicode_encode as unicode_encode
from evergraph.strings import unicode_script as unicode_script
from evergraph.strings import unicode_split as unicode_split
from evergraph.strings import unicode_split_with_offsets as unicode_split_with_offsets
from evergraph.strings import unicode_transcode as unicode_transcode
from evergraph.strings import unsorted_segment_join as unsorted_segment_join
from evergraph.strings import upper as upper
