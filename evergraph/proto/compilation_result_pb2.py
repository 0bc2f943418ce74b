"""What compiling a computation for an accelerator said."""

from evergraph.proto import error_codes_pb2, hlo_pb2
from evergraph.proto.schema import define

define(globals(), {
    "CompilationResultProto": "status_code: evergraph.error.Code = 1, status_error_message: string = 2, "
                              "hlo_protos: evergraph.hlo.HloProto* = 3",
}, uses=[error_codes_pb2, hlo_pb2])  # fmt: skip
