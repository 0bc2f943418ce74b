"""Which devices a task of a cluster may see."""

from evergraph.proto.schema import define

define(globals(), {
    "TaskDeviceFilters": "device_filters: string* = 1",
    "JobDeviceFilters": "name: string = 1, tasks: {int32: TaskDeviceFilters} = 2",
    "ClusterDeviceFilters": "jobs: JobDeviceFilters* = 1",
})  # fmt: skip
