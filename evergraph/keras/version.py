"""tf.keras.__version__: the version of Keras that TensorFlow 1.15 has."""
from __future__ import annotations

from evergraph.base.export import export

VERSION = export("keras.__version__")("2.2.4-tf")
