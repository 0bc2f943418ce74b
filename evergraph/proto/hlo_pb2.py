"""The parts of XLA's programs that tell which instruction comes from which operation."""

from evergraph.proto.schema import define

define(globals(), {
    "HloProto": "hlo_module: HloModuleProto = 1",
    "HloModuleProto": "name: string = 1, computations: HloComputationProto* = 3",
    "HloComputationProto": "name: string = 1, instructions: HloInstructionProto* = 2, id: int64 = 5",
    "HloInstructionProto": """
        name: string = 1,
        opcode: string = 2,
        shape: ShapeProto = 3,
        metadata: OpMetadata = 7,
        id: int64 = 35,
        operand_ids: int64* = 36,
        called_computation_ids: int64* = 38""",
    "OpMetadata": "op_type: string = 1, op_name: string = 2",
    "ShapeProto": "element_type: int32 = 2, dimensions: int64* = 3, tuple_shapes: ShapeProto* = 4",
}, package="evergraph.hlo")  # fmt: skip
