# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.dtypes."""

from evergraph import DType as _DType

from evergraph import DType as DType
QUANTIZED_DTYPES: frozenset[_DType]
from evergraph import as_dtype as as_dtype
bfloat16: _DType
bool: _DType
from evergraph import cast as cast
from evergraph import complex as complex
complex128: _DType
complex64: _DType
double: _DType
float16: _DType
float32: _DType
float64: _DType
half: _DType
int16: _DType
int32: _DType
int64: _DType
int8: _DType
qint16: _DType
qint32: _DType
qint8: _DType
quint16: _DType
quint8: _DType
resource: _DType
from evergraph import saturate_cast as saturate_cast
string: _DType
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
variant: _DType
