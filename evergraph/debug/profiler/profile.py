"""tf.profiler.profile, Profiler and advise; tf.contrib.tfprof."""

from __future__ import annotations

import os
from typing import Any

from evergraph import proto
from evergraph.base import errors, whole_files
from evergraph.base.export import export
from evergraph.debug.profiler import views
from evergraph.debug.profiler.nodes import COSTS, described
from evergraph.debug.profiler.options import ProfileOptionBuilder
from evergraph.graph.graph import Graph, default_graph
from evergraph.train.chrome_trace import Timeline

_DEFAULT = ProfileOptionBuilder.trainable_variables_parameter()
_EXPENSIVE = "ExpensiveOperationChecker"
_ELSEWHERE = ("AcceleratorUtilizationChecker", "JobChecker", "OperationChecker")


@export("profiler.profile", "contrib.tfprof.model_analyzer.profile")
def profile(graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
            options: Any = _DEFAULT) -> Any:
    """Says what the nodes of a graph cost: parameters and floating point operations, and with a step's metadata times.

    >>> v = tf.get_variable("layer/v", [3, 4])
    >>> options = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    >>> tf.profiler.profile(options={**options, "output": "none"}).total_parameters
    12

    Args:
        graph: the graph; by default the default one.
        run_meta: the RunMetadata of a step that ran with RunOptions.FULL_TRACE, for times and memory.
        op_log: an OpLogProto with types and floating point operations of nodes.
        cmd: "scope" for the tree of name scopes, "op" for the types of nodes.
        options: what is shown; see `tf.profiler.ProfileOptionBuilder`.

    Returns:
        A GraphNodeProto for "scope", a MultiGraphNodeProto for "op".

    Raises:
        UnimplementedError: `cmd` is "graph" or "code", or the options ask for what there is not.
        NotFoundError: there is no such `cmd`.
    """
    options = {**_DEFAULT, **options}
    text, message = _viewed(described(graph or default_graph(), run_meta, op_log), cmd, options)
    _write(text, options["output"], run_meta)
    return message


def _viewed(nodes: Any, cmd: str, options: Any) -> tuple[str, Any]:
    select = options["select"]
    lines = [views.heading(select)]
    if options["order_by"] != "name" and options["order_by"] not in COSTS:
        raise errors.UnimplementedError(None, None, f"tf.profiler: order_by={options['order_by']!r}")
    if cmd == "scope":
        tree = views.by_scope(nodes, options)
        return "\n".join([*lines, *views.scope_lines(tree, select)]) + "\n", views.scope_message(tree)
    if cmd == "op":
        types = views.by_type(nodes, options)
        return "\n".join([*lines, *views.type_lines(types, select)]) + "\n", views.type_message(types)
    if cmd in ("graph", "code"):
        raise errors.UnimplementedError(None, None, f"tf.profiler: the view {cmd!r}; there are 'scope' and 'op'")
    raise errors.NotFoundError(None, None, f"tf.profiler has no view {cmd!r}; there are 'scope' and 'op'")


def _write(text: str, output: str, run_meta: Any) -> None:
    kind, _, rest = output.partition(":")
    path = rest.removeprefix("outfile=")
    if kind == "stdout":
        print(text)
    elif kind == "file":
        whole_files.write_string_to_file(path, text)
    elif kind == "timeline" and run_meta is not None:
        trace = Timeline(run_meta.step_stats).generate_chrome_trace_format()
        whole_files.write_string_to_file(path, trace)
    elif kind != "none":
        raise errors.UnimplementedError(None, None, f"tf.profiler: output={output!r}; a timeline needs run_meta, and "
                                        "there is no output for pprof")


@export("contrib.tfprof.model_analyzer.print_model_analysis")
def print_model_analysis(graph: Graph, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope",
                         tfprof_options: Any = _DEFAULT) -> Any:
    """The name that `tf.profiler.profile` had before. Its options may name a file as "dump_to_file"."""
    options = dict(tfprof_options)
    file = options.pop("dump_to_file", "")
    if file:
        options["output"] = f"file:outfile={file}"
    return profile(graph, run_meta, op_log, tfprof_cmd, options)


@export("profiler.advise", "contrib.tfprof.model_analyzer.advise")
def advise(graph: Graph | None = None, run_meta: Any = None, options: Any = None) -> Any:
    """Names the types of nodes that take most of the time of a step.

    Args:
        graph: the graph; by default the default one.
        run_meta: the RunMetadata of a step that ran with RunOptions.FULL_TRACE.
        options: a dict whose keys are the checkers to run; by default ExpensiveOperationChecker.

    Returns:
        An AdviceProto.

    Raises:
        UnimplementedError: `options` asks for a checker of TensorFlow's devices.
    """
    for checker in options or ():
        if checker in _ELSEWHERE:
            raise errors.UnimplementedError(None, None, f"tf.profiler.advise: {checker}; there is {_EXPENSIVE}")
        if checker != _EXPENSIVE:
            raise ValueError(f"tf.profiler.advise knows no checker {checker!r}")
    view = {**ProfileOptionBuilder.time_and_memory(), "min_bytes": 0, "select": ["micros"]}
    types = views.by_type(described(graph or default_graph(), run_meta), view)
    advice = proto.tfprof_output_pb2.AdviceProto()
    advice.checkers[_EXPENSIVE].reports.extend(
        f"top {at} operation type: {line}" for at, line in enumerate(views.type_lines(types[:3], ["micros"]), 1))
    return advice


@export("profiler.write_op_log", "contrib.tfprof.tfprof_logger.write_op_log")
def write_op_log(graph: Graph, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True) -> None:
    """Writes an OpLogProto with the floating point operations and the marks of variables to `log_dir`/tfprof_log.

    Args:
        graph: the graph.
        log_dir: the directory.
        op_log: entries to add to.
        run_meta: the RunMetadata of a step; floating point operations follow from static shapes, so it has no effect.
        add_trace: whether each entry has the lines of the program that made the node.
    """
    log = merged_log(graph, op_log, add_trace)
    whole_files.write_string_to_file(os.path.join(log_dir, "tfprof_log"), log.SerializeToString())


def merged_log(graph: Graph, op_log: Any = None, add_trace: bool = True) -> Any:
    """An OpLogProto of a graph's nodes, with what another one says of them."""
    log = proto.tfprof_log_pb2.OpLogProto()
    if op_log is not None:
        log.CopyFrom(op_log)
    entries = {entry.name: entry for entry in log.log_entries}
    ids = {word: number for number, word in log.id_to_string.items()}
    for node in described(graph, op_log=op_log):
        marks = sorted(word for word in node.types if word.startswith("_"))
        if not (marks or node.costs["float_ops"] or add_trace):
            continue
        entry = entries.get(node.name) or log.log_entries.add(name=node.name)
        entry.float_ops = node.costs["float_ops"]
        entry.types.extend(mark for mark in marks if mark not in entry.types)
        if add_trace:
            _add_trace(entry, graph.get_operation_by_name(node.name), ids)
    log.id_to_string.update((number, word) for word, number in ids.items())
    return log


def _add_trace(entry: Any, operation: Any, ids: dict[str, int]) -> None:
    """Adds the lines that made a node. A log holds each string once, by a number."""
    for file, line, function, code, *_ in operation.traceback or ():
        numbers = [ids.setdefault(word or "", len(ids) + 1) for word in (file, function, code)]
        entry.code_def.traces.add(file_id=numbers[0], lineno=line or 0, function_id=numbers[1], line_id=numbers[2])


@export("profiler.Profiler", "contrib.tfprof.model_analyzer.Profiler")
class Profiler:
    """Profiles of several steps of one graph.

    Args:
        graph: the graph; by default the default one.
        op_log: an OpLogProto with types and floating point operations of nodes.
    """

    def __init__(self, graph: Graph | None = None, op_log: Any = None) -> None:
        self._graph, self._op_log = graph or default_graph(), op_log
        self._steps: dict[int, Any] = {}

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds the RunMetadata of a step."""
        self._steps[step] = run_meta

    def profile_operations(self, options: Any) -> Any:
        """The costs of the types of nodes, as a MultiGraphNodeProto."""
        return self._profile("op", options)

    def profile_name_scope(self, options: Any) -> Any:
        """The costs of the tree of name scopes, as a GraphNodeProto."""
        return self._profile("scope", options)

    def profile_graph(self, options: Any) -> Any:
        """TensorFlow's view by data flow, which is not here: raises UnimplementedError."""
        return self._profile("graph", options)

    def profile_python(self, options: Any) -> Any:
        """TensorFlow's view by lines of the program, which is not here: raises UnimplementedError."""
        return self._profile("code", options)

    def advise(self, options: Any) -> Any:
        """What takes most of the time of the last step; see `tf.profiler.advise`."""
        return advise(self._graph, self._chosen(-1), options)

    def serialize_to_string(self) -> bytes:
        """The types and floating point operations of the nodes, as a serialized OpLogProto."""
        return merged_log(self._graph, self._op_log).SerializeToString()

    def _profile(self, cmd: str, options: Any) -> Any:
        return profile(self._graph, self._chosen(options.get("step", -1)), self._op_log, cmd, options)

    def _chosen(self, step: int) -> Any:
        """The metadata of a step; the last one's for -1.

        Raises:
            NotFoundError: no such step was added.
        """
        if step == -1:
            return self._steps[max(self._steps)] if self._steps else None
        if step not in self._steps:
            raise errors.NotFoundError(None, None, f"there is no step {step} in the profiler, it has "
                                       f"{sorted(self._steps)}")
        return self._steps[step]
