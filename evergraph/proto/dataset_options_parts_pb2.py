"""What is read of the options of a dataset in graphs from later TensorFlows."""

from evergraph.proto.schema import define

define(globals(), {
    "OptimizationOptions": "apply_default.apply_default_optimizations: bool = 1",
    "Options": "optimization_options: OptimizationOptions = 3",
})  # fmt: skip
