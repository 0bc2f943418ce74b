"""What a gRPC server of TensorFlow's debugger answers."""

from tensorboard.compat.proto import tensor_pb2

from evergraph.proto.schema import define

define(globals(), {
    "EventReply": "debug_op_state_changes: EventReply.DebugOpStateChange* = 1, tensor: tensorboard.TensorProto = 2",
    "EventReply.DebugOpStateChange": """
        state: EventReply.DebugOpStateChange.State = 1,
        node_name: string = 2,
        output_slot: int32 = 3,
        debug_op: string = 4""",
    "EventReply.DebugOpStateChange.State": ["STATE_UNSPECIFIED", "DISABLED", "READ_ONLY", "READ_WRITE"],
}, uses=[tensor_pb2])  # fmt: skip
