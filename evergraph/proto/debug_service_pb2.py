"""What a gRPC server of TensorFlow's debugger answers, and what it is told of the lines of a program."""

from tensorboard.compat.proto import tensor_pb2, tfprof_log_pb2

from evergraph.proto.schema import define

define(globals(), {
    "EventReply": "debug_op_state_changes: EventReply.DebugOpStateChange* = 1, tensor: tensorboard.TensorProto = 2",
    "EventReply.DebugOpStateChange": """
        state: EventReply.DebugOpStateChange.State = 1,
        node_name: string = 2,
        output_slot: int32 = 3,
        debug_op: string = 4""",
    "EventReply.DebugOpStateChange.State": ["STATE_UNSPECIFIED", "DISABLED", "READ_ONLY", "READ_WRITE"],
    "CallTraceback": """
        call_type: CallTraceback.CallType = 1,
        call_key: string = 2,
        origin_stack: tensorboard.CodeDef = 3,
        origin_id_to_string: {int64: string} = 4,
        graph_traceback: tensorboard.OpLogProto = 5,
        graph_version: int64 = 6""",
    "CallTraceback.CallType": ["UNSPECIFIED", "GRAPH_EXECUTION", "EAGER_EXECUTION"],
}, uses=[tensor_pb2, tfprof_log_pb2])  # fmt: skip
