# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.io."""

from collections.abc import Iterator
from evergraph import Tensor
from evergraph.raw_ops import _DecodeProtoV2
from typing import Any
from evergraph.io import gfile as gfile

from evergraph import FixedLenFeature as FixedLenFeature
from evergraph import FixedLenSequenceFeature as FixedLenSequenceFeature
from evergraph import PaddingFIFOQueue as PaddingFIFOQueue
from evergraph import PriorityQueue as PriorityQueue
from evergraph import QueueBase as QueueBase
from evergraph import RandomShuffleQueue as RandomShuffleQueue
from evergraph import SparseFeature as SparseFeature

class TFRecordCompressionType:
    """The compression of a TFRecord file as an enum."""
    NONE: int
    ZLIB: int
    GZIP: int

class TFRecordOptions:
    """Options for writing TFRecord files: the compression and zlib's settings; None keeps zlib's
    default."""
    compression_type_map: dict[int, str]
    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """"", "ZLIB" or "GZIP", from options, one of these strings, a constant of `TFRecordCompressionType`, or
        None."""
    def __init__(
        self, compression_type: Any = None, flush_mode: int | None = None, input_buffer_size: int | None = None,
        output_buffer_size: int | None = None, window_bits: int | None = None,
        compression_level: int | None = None, compression_method: int | None = None,
        mem_level: int | None = None, compression_strategy: int | None = None,
    ) -> None: ...
    compression_type: Any
    flush_mode: Any
    input_buffer_size: Any
    output_buffer_size: Any
    window_bits: Any
    compression_level: Any
    compression_method: Any
    mem_level: Any
    compression_strategy: Any

class TFRecordWriter:
    """Writes a TFRecord file."""
    def write(self, record: str | bytes) -> None:
        """Appends a record."""
    def flush(self) -> None:
        """Writes the buffered records to the file system, so that readers see them."""
    def close(self) -> None:
        """Closes the file; a second call has no effect."""
    def __enter__(self) -> TFRecordWriter: ...
    def __exit__(self, *exception: object) -> None: ...
    def __init__(self, path: Any, options: Any = None) -> None: ...

from evergraph import VarLenFeature as VarLenFeature
from evergraph.image import decode_and_crop_jpeg as decode_and_crop_jpeg
from evergraph import decode_base64 as decode_base64
from evergraph.image import decode_bmp as decode_bmp
from evergraph import decode_compressed as decode_compressed
from evergraph import decode_csv as decode_csv
from evergraph.image import decode_gif as decode_gif
from evergraph.image import decode_image as decode_image
from evergraph.image import decode_jpeg as decode_jpeg
from evergraph import decode_json_example as decode_json_example
from evergraph.image import decode_png as decode_png

def decode_proto(
    bytes: Any, message_type: str, field_names: Any, output_types: Any, descriptor_source: str = 'local://',
    message_format: str = 'binary', sanitize: bool = False, name: str | None = None,
) -> _DecodeProtoV2:
    """Decodes fields of serialized messages, and counts the values of each field in each message."""

from evergraph import decode_raw as decode_raw
from evergraph import deserialize_many_sparse as deserialize_many_sparse
from evergraph import encode_base64 as encode_base64
from evergraph.image import encode_jpeg as encode_jpeg

def encode_proto(
    sizes: Any, values: Any, field_names: Any, message_type: str, descriptor_source: str = 'local://',
    name: str | None = None,
) -> Tensor:
    """Encodes fields as serialized messages, in the order of their numbers."""

from evergraph.image import extract_jpeg_shape as extract_jpeg_shape
from evergraph.image import is_jpeg as is_jpeg

def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """A local variable with the file names that match a pattern when local variables are initialized."""

from evergraph import matching_files as matching_files
from evergraph import parse_example as parse_example

def parse_sequence_example(
    serialized: Any, context_features: Any = None, sequence_features: Any = None, example_names: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Parses the contexts and feature lists of a batch of serialized SequenceExamples to tensors."""

from evergraph import parse_single_example as parse_single_example
from evergraph import parse_single_sequence_example as parse_single_sequence_example
from evergraph import parse_tensor as parse_tensor
from evergraph import read_file as read_file
from evergraph import serialize_many_sparse as serialize_many_sparse
from evergraph import serialize_sparse as serialize_sparse
from evergraph import serialize_tensor as serialize_tensor

def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """An iterator over the records of a TFRecord file."""

from evergraph import write_file as write_file

def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph as a GraphDef file, and returns its path."""
