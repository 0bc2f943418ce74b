# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tpu.proto."""

from evergraph.contrib.tpu.proto import compilation_result_pb2 as compilation_result_pb2
