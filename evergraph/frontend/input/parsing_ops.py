"""What programs import from tensorflow.python.ops.parsing_ops, inside TensorFlow, by the names it has there."""

from evergraph.base.export import export
from evergraph.frontend.input.features import FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature
from evergraph.frontend.input.parsing import (
    decode_csv,
    parse_example,
    parse_sequence_example,
    parse_single_example,
    parse_single_sequence_example,
)
from evergraph.frontend.strings import decode_compressed, decode_raw, decode_raw_of_length, to_number
from evergraph.ops.strings.encoding import parse_tensor, serialize_tensor
from evergraph.ops.strings.parsing import decode_json_example

for name, value in {
    "FixedLenFeature": FixedLenFeature,
    "FixedLenSequenceFeature": FixedLenSequenceFeature,
    "SparseFeature": SparseFeature,
    "VarLenFeature": VarLenFeature,
    "decode_compressed": decode_compressed,
    "decode_csv": decode_csv,
    "decode_json_example": decode_json_example,
    "decode_raw": decode_raw_of_length,  # the one that TensorFlow 2 exports
    "decode_raw_v1": decode_raw,
    "parse_example": parse_example,
    "parse_sequence_example": parse_sequence_example,
    "parse_single_example": parse_single_example,
    "parse_single_sequence_example": parse_single_sequence_example,
    "parse_tensor": parse_tensor,
    "serialize_tensor": serialize_tensor,
    "string_to_number": to_number,
}.items():
    export(f"python.ops.parsing_ops.{name}")(value)
