# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.lite.constants."""

from evergraph import DType

FLOAT: DType
FLOAT16: DType
GRAPHVIZ_DOT: int
INT32: DType
INT64: DType
INT8: DType
QUANTIZED_UINT8: DType
STRING: DType
TFLITE: int
