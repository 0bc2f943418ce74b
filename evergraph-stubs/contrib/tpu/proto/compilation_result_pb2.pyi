# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.tpu.proto.compilation_result_pb2."""

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from google.protobuf.message import Message
from typing import Any

class CompilationResultProto(Message):
    status_code: int
    status_error_message: str
    hlo_protos: RepeatedCompositeFieldContainer[Any]
    def __init__(
        self, *, status_code: Any = ..., status_error_message: Any = ..., hlo_protos: Any = ...,
    ) -> None: ...
