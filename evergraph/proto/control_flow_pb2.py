"""The contexts of conds and loops in a meta graph."""

from evergraph.proto.schema import define

define(globals(), {
    "ValuesDef": "values: string* = 1, external_values: {string: string} = 2",
    "ControlFlowContextDef": "ctxt.cond_ctxt: CondContextDef = 1, ctxt.while_ctxt: WhileContextDef = 2",
    "CondContextDef": """
        context_name: string = 1,
        pred_name: string = 2,
        pivot_name: string = 3,
        branch: int32 = 4,
        values_def: ValuesDef = 5,
        nested_contexts: ControlFlowContextDef* = 6""",
    "WhileContextDef": """
        context_name: string = 1,
        parallel_iterations: int32 = 2,
        back_prop: bool = 3,
        swap_memory: bool = 4,
        pivot_name: string = 5,
        pivot_for_pred_name: string = 6,
        pivot_for_body_name: string = 7,
        loop_exit_names: string* = 8,
        loop_enter_names: string* = 10,
        values_def: ValuesDef = 9,
        maximum_iterations_name: string = 11,
        nested_contexts: ControlFlowContextDef* = 12""",
})  # fmt: skip
