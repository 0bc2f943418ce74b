# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.profiler."""

from collections.abc import Sequence
from evergraph import Graph
from google.protobuf.internal.containers import (
    MessageMap, RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer, ScalarMap,
)
from google.protobuf.message import Message
from typing import Any

class AdviceProto(Message):
    class Checker(Message):
        reports: RepeatedScalarFieldContainer[str]
        def __init__(self, *, reports: Any = ...) -> None: ...
    checkers: MessageMap[str, Any]
    def __init__(self, *, checkers: Any = ...) -> None: ...

class GraphNodeProto(Message):
    name: str
    tensor_value: Any
    run_count: int
    exec_micros: int
    accelerator_exec_micros: int
    cpu_exec_micros: int
    requested_bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    parameters: int
    float_ops: int
    devices: RepeatedScalarFieldContainer[str]
    total_definition_count: int
    total_run_count: int
    total_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    total_requested_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    total_parameters: int
    total_float_ops: int
    shapes: RepeatedCompositeFieldContainer[Any]
    input_shapes: MessageMap[int, Any]
    children: RepeatedCompositeFieldContainer[GraphNodeProto]
    def __init__(
        self, *, name: Any = ..., tensor_value: Any = ..., run_count: Any = ..., exec_micros: Any = ...,
        accelerator_exec_micros: Any = ..., cpu_exec_micros: Any = ..., requested_bytes: Any = ...,
        peak_bytes: Any = ..., residual_bytes: Any = ..., output_bytes: Any = ..., parameters: Any = ...,
        float_ops: Any = ..., devices: Any = ..., total_definition_count: Any = ..., total_run_count: Any = ...,
        total_exec_micros: Any = ..., total_accelerator_exec_micros: Any = ...,
        total_cpu_exec_micros: Any = ..., total_requested_bytes: Any = ..., total_peak_bytes: Any = ...,
        total_residual_bytes: Any = ..., total_output_bytes: Any = ..., total_parameters: Any = ...,
        total_float_ops: Any = ..., shapes: Any = ..., input_shapes: Any = ..., children: Any = ...,
    ) -> None: ...

class MultiGraphNodeProto(Message):
    name: str
    exec_micros: int
    accelerator_exec_micros: int
    cpu_exec_micros: int
    requested_bytes: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    parameters: int
    float_ops: int
    total_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    total_requested_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    total_parameters: int
    total_float_ops: int
    graph_nodes: RepeatedCompositeFieldContainer[GraphNodeProto]
    children: RepeatedCompositeFieldContainer[MultiGraphNodeProto]
    def __init__(
        self, *, name: Any = ..., exec_micros: Any = ..., accelerator_exec_micros: Any = ...,
        cpu_exec_micros: Any = ..., requested_bytes: Any = ..., peak_bytes: Any = ...,
        residual_bytes: Any = ..., output_bytes: Any = ..., parameters: Any = ..., float_ops: Any = ...,
        total_exec_micros: Any = ..., total_accelerator_exec_micros: Any = ...,
        total_cpu_exec_micros: Any = ..., total_requested_bytes: Any = ..., total_peak_bytes: Any = ...,
        total_residual_bytes: Any = ..., total_output_bytes: Any = ..., total_parameters: Any = ...,
        total_float_ops: Any = ..., graph_nodes: Any = ..., children: Any = ...,
    ) -> None: ...

class OpLogProto(Message):
    log_entries: RepeatedCompositeFieldContainer[Any]
    id_to_string: ScalarMap[int, str]
    def __init__(self, *, log_entries: Any = ..., id_to_string: Any = ...) -> None: ...

class ProfileOptionBuilder:
    """Builds the options of `tf.profiler.profile`, one after the other."""
    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """Options that show the number of parameters of each trainable variable."""
    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Options that show the floating point operations of each node that has some."""
    @staticmethod
    def time_and_memory(
        min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0, min_cpu_micros: int = 0,
        min_peak_bytes: int = 0, min_residual_bytes: int = 0, min_output_bytes: int = 0,
    ) -> dict[str, Any]:
        """Options that show time and memory of each node that needs at least so much."""
    def build(self) -> dict[str, Any]:
        """A copy of the options."""
    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Shows no node that is deeper in the tree."""
    def with_min_memory(
        self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> ProfileOptionBuilder:
        """Shows nodes that need at least so much memory."""
    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0, min_cpu_micros: int = 0,
    ) -> ProfileOptionBuilder:
        """Shows nodes that need at least so many microseconds."""
    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Shows nodes with at least so many parameters."""
    def with_min_occurrence(self, min_occurrence: int) -> ProfileOptionBuilder:
        """Shows types of which there are at least so many nodes; for the op view."""
    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Shows nodes with at least so many floating point operations."""
    def with_accounted_types(self, account_type_regexes: Sequence[str]) -> ProfileOptionBuilder:
        """Counts only nodes of which the op, the device or a type of the log matches."""
    def with_node_names(
        self, start_name_regexes: Sequence[str] | None = None, show_name_regexes: Sequence[str] | None = None,
        hide_name_regexes: Sequence[str] | None = None, trim_name_regexes: Sequence[str] | None = None,
    ) -> ProfileOptionBuilder:
        """Selects nodes by their names."""
    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Whether totals count only nodes that are shown."""
    def with_empty_output(self) -> ProfileOptionBuilder:
        """Writes nothing; the profile is the result of the call."""
    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Prints the profile."""
    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Writes the profile to a file."""
    def with_timeline_output(self, timeline_file: str) -> ProfileOptionBuilder:
        """Writes the times of the step's nodes to a file for Chrome."""
    def with_pprof_output(self, pprof_file: str) -> ProfileOptionBuilder:
        """Writes a file for pprof; for the view "code" with one number selected."""
    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Sorts the children of a node by what they have most of, or by "name"."""
    def select(self, attributes: Sequence[str]) -> ProfileOptionBuilder:
        """What of the nodes is shown, such as "params" or "micros"."""
    def with_step(self, step: int) -> ProfileOptionBuilder:
        """The step of a Profiler that is shown; -1 for the average over all."""
    def __init__(self, options: dict[str, Any] | None = None) -> None: ...

class Profiler:
    """Profiles of several steps of one graph."""
    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the RunMetadata of a step; several for one step add up."""
    def profile_operations(self, options: Any) -> Any:
        """The costs of the types of nodes, as a MultiGraphNodeProto."""
    def profile_python(self, options: Any) -> Any:
        """The costs of the lines of the program that made the nodes, as a MultiGraphNodeProto."""
    def profile_name_scope(self, options: Any) -> Any:
        """The costs of the tree of name scopes, as a GraphNodeProto."""
    def profile_graph(self, options: Any) -> Any:
        """The costs of nodes with their inputs below them, as a GraphNodeProto."""
    def advise(self, options: Any) -> AdviceProto:
        """What takes most of the time of the steps; see `tf.profiler.advise`."""
    @property
    def coverage(self) -> float:
        """The part of the graph's nodes that ran in the steps."""
    def serialize_to_string(self) -> bytes:
        """All of it, as a serialized ProfileProto."""
    def __init__(self, graph: Graph | None = None, op_log: Any = None) -> None: ...

def advise(graph: Graph | None = None, run_meta: Any = None, options: Any = ...) -> AdviceProto:
    """Says what takes most of the time of a step, prints it, and warns of what makes accelerators slow."""

def profile(
    graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = 'scope',
    options: Any = ...,
) -> Any:
    """Says what the nodes of a graph cost: parameters and floating point operations, and with a step's
    metadata times."""

def write_op_log(
    graph: Graph, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True,
) -> None:
    """Writes an OpLogProto with the floating point operations and the marks of variables to
    `log_dir`/tfprof_log."""
