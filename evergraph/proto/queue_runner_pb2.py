"""A queue runner in a meta graph: the queue and the names of its ops."""

from evergraph.proto import error_codes_pb2
from evergraph.proto.schema import define

define(globals(), {
    "QueueRunnerDef": """
        queue_name: string = 1,
        enqueue_op_name: string* = 2,
        close_op_name: string = 3,
        cancel_op_name: string = 4,
        queue_closed_exception_types: evergraph.error.Code* = 5""",
}, uses=[error_codes_pb2])  # fmt: skip
