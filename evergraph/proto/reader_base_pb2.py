"""What a reader knows between steps, as readers serialize it."""

from evergraph.proto.schema import define

define(globals(), {
    "ReaderBaseState": """
        work_started: int64 = 1,
        work_finished: int64 = 2,
        num_records_produced: int64 = 3,
        current_work: bytes = 4""",
})  # fmt: skip
