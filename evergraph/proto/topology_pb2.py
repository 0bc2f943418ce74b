"""The mesh of accelerators that tf.tpu.initialize_system describes."""

from evergraph.proto.schema import define

define(globals(), {
    "TopologyProto": "mesh_shape: int32* = 1, num_tasks: int32 = 2, num_tpu_devices_per_task: int32 = 3, "
                     "device_coordinates: int32* = 4",
})  # fmt: skip
