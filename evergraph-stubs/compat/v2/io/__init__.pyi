# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.io."""

from typing import Any
from evergraph.compat.v2.io import gfile as gfile

from evergraph import FixedLenFeature as FixedLenFeature
from evergraph import FixedLenSequenceFeature as FixedLenSequenceFeature
from evergraph import SparseFeature as SparseFeature
from evergraph.io import TFRecordOptions as TFRecordOptions
from evergraph.io import TFRecordWriter as TFRecordWriter
from evergraph import VarLenFeature as VarLenFeature
from evergraph.image import decode_and_crop_jpeg as decode_and_crop_jpeg
from evergraph import decode_base64 as decode_base64
from evergraph.image import decode_bmp as decode_bmp
from evergraph import decode_compressed as decode_compressed

def decode_csv(
    records: Any, record_defaults: Any, field_delim: Any = ',', use_quote_delim: Any = True,
    na_value: Any = '', select_cols: Any = None, name: str | None = None,
) -> Any:
    """Parses lines of comma-separated values to one tensor per column, of the shape of `records`."""

from evergraph.image import decode_gif as decode_gif
from evergraph.image import decode_image as decode_image
from evergraph.image import decode_jpeg as decode_jpeg
from evergraph import decode_json_example as decode_json_example
from evergraph.image import decode_png as decode_png
from evergraph.io import decode_proto as decode_proto
from evergraph import deserialize_many_sparse as deserialize_many_sparse
from evergraph import encode_base64 as encode_base64
from evergraph.image import encode_jpeg as encode_jpeg
from evergraph.io import encode_proto as encode_proto
from evergraph.image import extract_jpeg_shape as extract_jpeg_shape
from evergraph.image import is_jpeg as is_jpeg
from evergraph.io import match_filenames_once as match_filenames_once
from evergraph import matching_files as matching_files

def parse_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None,
) -> Any:
    """Parses the features of a batch of serialized Examples to tensors."""

from evergraph.io import parse_sequence_example as parse_sequence_example

def parse_single_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None,
) -> Any:
    """Parses the features of one serialized Example to tensors: `tf.parse_example` without the batch
    dimension."""

from evergraph import parse_single_sequence_example as parse_single_sequence_example
from evergraph import parse_tensor as parse_tensor
from evergraph import read_file as read_file

def serialize_many_sparse(sp_input: Any, out_type: Any = ..., name: str | None = None) -> Any:
    """Serializes the slices of a sparse tensor along its first axis to rows of three; see
    `tf.serialize_sparse`."""

def serialize_sparse(sp_input: Any, out_type: Any = ..., name: str | None = None) -> Any:
    """Serializes a sparse tensor to a vector of three elements: indices, values and shape."""

from evergraph import serialize_tensor as serialize_tensor
from evergraph import write_file as write_file
from evergraph.io import write_graph as write_graph
