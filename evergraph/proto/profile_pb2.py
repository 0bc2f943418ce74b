"""pprof's profiles: samples of stacks, with each string and function once."""

from evergraph.proto.schema import define

define(globals(), {
    "Profile": """
        sample_type: ValueType* = 1,
        sample: Sample* = 2,
        mapping: Mapping* = 3,
        location: Location* = 4,
        function: Function* = 5,
        string_table: string* = 6,
        drop_frames: int64 = 7,
        keep_frames: int64 = 8,
        time_nanos: int64 = 9,
        duration_nanos: int64 = 10,
        period_type: ValueType = 11,
        period: int64 = 12,
        comment: int64* = 13,
        default_sample_type: int64 = 14""",
    "ValueType": "type: int64 = 1, unit: int64 = 2",
    "Sample": "location_id: uint64* = 1, value: int64* = 2, label: Label* = 3",
    "Label": "key: int64 = 1, str: int64 = 2, num: int64 = 3",
    "Mapping": """
        id: uint64 = 1,
        memory_start: uint64 = 2,
        memory_limit: uint64 = 3,
        file_offset: uint64 = 4,
        filename: int64 = 5,
        build_id: int64 = 6,
        has_functions: bool = 7,
        has_filenames: bool = 8,
        has_line_numbers: bool = 9,
        has_inline_frames: bool = 10""",
    "Location": "id: uint64 = 1, mapping_id: uint64 = 2, address: uint64 = 3, line: Line* = 4",
    "Line": "function_id: uint64 = 1, line: int64 = 2",
    "Function": "id: uint64 = 1, name: int64 = 2, system_name: int64 = 3, filename: int64 = 4, start_line: int64 = 5",
}, package="evergraph.tfprof.pprof")  # fmt: skip
