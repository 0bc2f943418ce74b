"""What XLA's profiler writes: planes of devices, with lines of events and the programs that ran."""

from evergraph.proto.schema import define

define(globals(), {
    "XSpace": "planes: XPlane* = 1",
    "XPlane": """
        id: int64 = 1,
        name: string = 2,
        lines: XLine* = 3,
        event_metadata: {int64: XEventMetadata} = 4,
        stat_metadata: {int64: XStatMetadata} = 5,
        stats: XStat* = 6""",
    "XLine": "id: int64 = 1, name: string = 2, timestamp_ns: int64 = 3, events: XEvent* = 4",
    "XEvent": "metadata_id: int64 = 1, offset_ps: int64 = 2, duration_ps: int64 = 3, stats: XStat* = 4",
    "XStat": """
        metadata_id: int64 = 1,
        value.double_value: double = 2,
        value.uint64_value: uint64 = 3,
        value.int64_value: int64 = 4,
        value.str_value: string = 5,
        value.bytes_value: bytes = 6,
        value.ref_value: uint64 = 7""",
    "XEventMetadata": "id: int64 = 1, name: string = 2, stats: XStat* = 5",
    "XStatMetadata": "id: int64 = 1, name: string = 2",
}, package="evergraph.xplane")  # fmt: skip
