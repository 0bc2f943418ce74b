"""One server of a cluster: its place there and the defaults of its sessions."""

from tensorboard.compat.proto import cluster_pb2, config_pb2

from evergraph.proto import device_filters_pb2
from evergraph.proto.schema import define

define(globals(), {
    "ServerDef": """
        cluster: tensorboard.ClusterDef = 1,
        job_name: string = 2,
        replica: int32 = 8,
        task_index: int32 = 3,
        default_session_config: tensorboard.ConfigProto = 4,
        protocol: string = 5,
        port: int32 = 6,
        cluster_device_filters: ClusterDeviceFilters = 7""",
}, uses=[cluster_pb2, config_pb2, device_filters_pb2])  # fmt: skip
