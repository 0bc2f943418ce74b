# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.profiler."""

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer, ScalarMap
from google.protobuf.message import Message
from typing import Any

class OpLogProto(Message):
    log_entries: RepeatedCompositeFieldContainer[Any]
    id_to_string: ScalarMap[int, str]
    def __init__(self, *, log_entries: Any = ..., id_to_string: Any = ...) -> None: ...
