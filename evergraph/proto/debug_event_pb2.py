"""What the files of TensorFlow 2's debugger hold: graphs, their nodes, lines of programs, and tensors."""

from tensorboard.compat.proto import graph_debug_info_pb2, tensor_pb2

from evergraph.proto.schema import define

define(globals(), {
    "TensorDebugMode": [
        "UNSPECIFIED", "NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "SHAPE", "FULL_NUMERICS",
        "FULL_TENSOR", "REDUCE_INF_NAN_THREE_SLOTS"],
    "DebugMetadata": "tensorflow_version: string = 1, file_version: string = 2, tfdbg_run_id: string = 3",
    "SourceFile": "file_path: string = 1, host_name: string = 2, lines: string* = 3",
    "StackFrameWithId": "id: string = 1, file_line_col: tensorboard.GraphDebugInfo.FileLineCol = 2",
    "CodeLocation": "host_name: string = 1, stack_frame_ids: string* = 2",
    "GraphOpCreation": """
        op_type: string = 1,
        op_name: string = 2,
        graph_name: string = 3,
        graph_id: string = 4,
        device_name: string = 5,
        input_names: string* = 6,
        num_outputs: int32 = 7,
        code_location: CodeLocation = 8,
        output_tensor_ids: int32* = 9""",
    "DebuggedGraph": """
        graph_id: string = 1,
        graph_name: string = 2,
        instrumented_ops: string* = 3,
        original_graph_def: bytes = 4,
        instrumented_graph_def: bytes = 5,
        outer_context_id: string = 6""",
    "DebuggedDevice": "device_name: string = 1, device_id: int32 = 2",
    "Execution": """
        op_type: string = 1,
        num_outputs: int32 = 2,
        graph_id: string = 3,
        input_tensor_ids: int64* = 4,
        output_tensor_ids: int64* = 5,
        tensor_debug_mode: TensorDebugMode = 6,
        tensor_protos: tensorboard.TensorProto* = 7,
        code_location: CodeLocation = 8,
        output_tensor_device_ids: int32* = 9""",
    "GraphExecutionTrace": """
        tfdbg_context_id: string = 1,
        op_name: string = 2,
        output_slot: int32 = 3,
        tensor_debug_mode: TensorDebugMode = 4,
        tensor_proto: tensorboard.TensorProto = 5,
        device_name: string = 6""",
    "DebugEvent": """
        wall_time: double = 1,
        step: int64 = 2,
        what.debug_metadata: DebugMetadata = 3,
        what.source_file: SourceFile = 4,
        what.stack_frame_with_id: StackFrameWithId = 6,
        what.graph_op_creation: GraphOpCreation = 7,
        what.debugged_graph: DebuggedGraph = 8,
        what.execution: Execution = 9,
        what.graph_execution_trace: GraphExecutionTrace = 10,
        what.graph_id: string = 11,
        what.debugged_device: DebuggedDevice = 12""",
}, uses=[graph_debug_info_pb2, tensor_pb2])  # fmt: skip
