"""Protocol messages: TensorBoard's where it has them, ours for the rest, under TensorFlow's module names.

    from evergraph.proto import example_pb2, graph_pb2

Ours are tables of fields (see schema.py) in package `evergraph`, with TensorFlow's field numbers, so that files are
TensorFlow's and a TensorFlow in the same process does not collide. Nothing loads protobuf before the first message
module is asked for.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what annotations name; at run time __getattr__ finds them
    from tensorboard.compat.proto import attr_value_pb2 as attr_value_pb2
    from tensorboard.compat.proto import tensor_pb2 as tensor_pb2
    from tensorboard.compat.proto import tensor_shape_pb2 as tensor_shape_pb2

OURS = frozenset({
    "boosted_trees_pb2", "checkpoint_state_pb2", "control_flow_pb2", "device_filters_pb2", "error_codes_pb2",
    "example_pb2", "feature_pb2", "keras_metadata_pb2", "manifest_pb2", "profile_pb2", "queue_runner_pb2",
    "reader_base_pb2",
    "saved_model_pb2", "saved_tensor_slice_pb2", "tensor_bundle_pb2", "tensor_slice_pb2", "tensorflow_server_pb2",
    "tfprof_output_pb2",
})  # fmt: skip
# Parts of messages, and other forms.
OTHER_FORMS = frozenset({
    "contrib_trees_pb2", "dataset_options_parts_pb2", "debug_event_pb2", "debug_service_pb2", "example_parts_pb2",
    "generic_tree_model_pb2", "hlo_pb2",
    "master_service_pb2", "xplane_pb2",
})  # fmt: skip
SERVING = frozenset({"serving_pb2"})  # TensorFlow Serving's, which are no part of TensorFlow


def __getattr__(name: str) -> ModuleType:
    if not name.endswith("_pb2"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = __name__ if name in OURS | OTHER_FORMS | SERVING else "tensorboard.compat.proto"
    try:
        module = importlib.import_module(f"{home}.{name}")
    except ModuleNotFoundError as error:
        raise AttributeError(f"module {__name__!r} has no messages {name!r}") from error
    globals()[name] = module
    return module
