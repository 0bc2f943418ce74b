"""What sessions and the servers of a cluster say to each other: the messages of TensorFlow's MasterService.

Graphs, configs, options, metadata and tensors inside them are bytes here, which look the same on the wire: who needs
one parses it, and tensors are not parsed twice.
"""

from evergraph.proto.schema import define

define(globals(), {
    "NamedTensorBytes": "name: string = 1, tensor: bytes = 2",
    "CreateSessionRequest": "graph_def: bytes = 1, config: bytes = 2, target: string = 3",
    "CreateSessionResponse": "session_handle: string = 1, graph_version: int64 = 2",
    "ExtendSessionRequest": "session_handle: string = 1, graph_def: bytes = 2, current_graph_version: int64 = 3",
    "ExtendSessionResponse": "new_graph_version: int64 = 4",
    "RunStepRequest": """
        session_handle: string = 1,
        feed: NamedTensorBytes* = 2,
        fetch: string* = 3,
        target: string* = 4,
        options: bytes = 5,
        partial_run_handle: string = 6,
        store_errors_in_response_body: bool = 7,
        request_id: int64 = 8""",
    "RunStepResponse": """
        tensor: NamedTensorBytes* = 1,
        metadata: bytes = 2,
        status_code: int32 = 3,
        status_error_message: string = 4""",
    "PartialRunSetupRequest": """
        session_handle: string = 1,
        feed: string* = 2,
        fetch: string* = 3,
        target: string* = 4,
        request_id: int64 = 5""",
    "PartialRunSetupResponse": "partial_run_handle: string = 1",
    "CloseSessionRequest": "session_handle: string = 1",
    "CloseSessionResponse": "",
    "ResetRequest": "container: string* = 1, device_filters: string* = 2",
    "ResetResponse": "",
    "ListDevicesRequest": "session_handle: string = 1",
    "ListDevicesResponse": "local_device: DeviceBytes* = 1, remote_device: DeviceBytes* = 2",
    "DeviceBytes": """
        name: string = 1,
        device_type: string = 2,
        memory_limit: int64 = 4,
        incarnation: fixed64 = 6""",
    "MakeCallableRequest": "session_handle: string = 1, options: bytes = 2, request_id: int64 = 3",
    "MakeCallableResponse": "handle: int64 = 1",
    "RunCallableRequest": "session_handle: string = 1, handle: int64 = 2, feed: bytes* = 3, request_id: int64 = 4",
    "RunCallableResponse": "fetch: bytes* = 1, metadata: bytes = 2",
    "ReleaseCallableRequest": "session_handle: string = 1, handle: int64 = 2",
    "ReleaseCallableResponse": "",
})  # fmt: skip
