# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.boosted_trees.proto.quantiles_pb2."""

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from google.protobuf.message import Message
from typing import Any

class QuantileConfig(Message):
    eps: float
    num_quantiles: int
    def __init__(self, *, eps: Any = ..., num_quantiles: Any = ...) -> None: ...

class QuantileEntry(Message):
    value: float
    weight: float
    min_rank: float
    max_rank: float
    def __init__(
        self, *, value: Any = ..., weight: Any = ..., min_rank: Any = ..., max_rank: Any = ...,
    ) -> None: ...

class QuantileStreamState(Message):
    summaries: RepeatedCompositeFieldContainer[QuantileSummaryState]
    def __init__(self, *, summaries: Any = ...) -> None: ...

class QuantileSummaryState(Message):
    entries: RepeatedCompositeFieldContainer[QuantileEntry]
    def __init__(self, *, entries: Any = ...) -> None: ...
