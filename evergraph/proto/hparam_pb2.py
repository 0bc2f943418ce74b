"""Hyperparameters by name, each a number, a text or a list of one of these."""

from evergraph.proto.schema import define

define(globals(), {
    "HParamDef": "hparam: {string: HParamDef.HParamType} = 1",
    "HParamDef.BytesList": "value: bytes* = 1",
    "HParamDef.FloatList": "value: float* = 1",
    "HParamDef.Int64List": "value: int64* = 1",
    "HParamDef.BoolList": "value: bool* = 1",
    "HParamDef.HParamType": """
        kind.int64_value: int64 = 1,
        kind.float_value: float = 2,
        kind.bytes_value: bytes = 3,
        kind.int64_list: HParamDef.Int64List = 4,
        kind.float_list: HParamDef.FloatList = 5,
        kind.bytes_list: HParamDef.BytesList = 6,
        kind.bool_value: bool = 7,
        kind.bool_list: HParamDef.BoolList = 8""",
})  # fmt: skip
