# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.python_io."""

from evergraph.io import TFRecordCompressionType as TFRecordCompressionType
from evergraph.io import TFRecordOptions as TFRecordOptions
from evergraph.io import TFRecordWriter as TFRecordWriter
from evergraph.io import tf_record_iterator as tf_record_iterator
