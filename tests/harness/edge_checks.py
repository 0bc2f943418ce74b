"""Holds a case at edge values to TensorFlow's recorded answers, on both tiers."""

import numpy as np

import evergraph as tf
from evergraph.run.session import Session
from tests.harness import edges, graph
from tests.harness.checks import apply_op
from tests.harness.compare import assert_same, plain
from tests.harness.edge_differences import TOO_LARGE, reason

TIERS = ("numpy", "xla")
REFUSALS = ("ValueError", "InvalidArgumentError")


def differences(case, answers, shapes=True):
    """The edges at which a tier differs from TensorFlow: (edge, tier, what is different)."""
    found = []
    for tier in TIERS:
        found += _at_values(case, answers, tier)
        found += _at_shapes(case, answers, tier) if shapes else []
    return found


def _is_tried(case, edge, answers):
    """Whether TensorFlow lived to answer, and there is memory for the edge here."""
    is_told = answers.get(str(edge), "crash") not in ("crash", "ResourceExhaustedError")
    return is_told and reason(case, edge) != TOO_LARGE


def _at_values(case, answers, tier):
    asked = [edge for edge in edges.value_edges(case) if _is_tried(case, edge, answers)]
    if not asked:
        return []
    built = graph.build(tf, apply_op, case)
    fetches = [built.fetched, built.targets, _gradients(case, built, answers)]
    with Session(graph=built.graph, tier=tier) as session:
        return [(edge, tier, problem) for edge in asked
                if (problem := _problem(case, edge, answers[str(edge)], _run, session, built, fetches, edge))]


def _run(session, built, fetches, edge):
    tensor = built.tensors[edge.leaf]
    graph.initialize(session, built)
    return session.run(fetches, built.feeds | {tensor: edges.varied(built.feeds[tensor], edge.how)})


def _gradients(case, built, answers):
    """The gradients, where TensorFlow has them: then it recorded more arrays than there are outputs."""
    most = max((len(each) for each in answers.values() if not isinstance(each, str)), default=0)
    if "gradient" in case.skips or most <= len(built.fetched):
        return []
    with Session(graph=built.graph, tier="numpy") as session:
        graph.initialize(session, built)
        values = iter(built.run(session))
    shapes = [None if each.dtype.base_dtype.name in ("resource", "variant") else np.shape(next(values))
              for each in built.outputs]
    return [each for each in graph.gradients(tf, built, case, shapes) if each is not None]


def _at_shapes(case, answers, tier):
    asked = [edge for edge in edges.shape_edges(case) if _is_tried(case, edge, answers)]
    return [(edge, tier, problem) for edge in asked
            if (problem := _problem(case, edge, answers[str(edge)], _fresh, edges.reshaped(case, edge), tier))]


def _fresh(case, tier):
    built = graph.build(tf, apply_op, case)
    with Session(graph=built.graph, tier=tier) as session:
        graph.initialize(session, built)
        return [built.run(session)]


def _problem(case, edge, wanted, run, *arguments):
    """What is wrong with the outcome of `run(*arguments)`, or None."""
    try:
        found = [plain(each) for part in run(*arguments) for each in part if each is not None]
    except Exception as error:
        names = [each.__name__ for each in type(error).__mro__]
        if isinstance(wanted, str) and (wanted in names or _is_refused(edge, wanted) and set(names) & set(REFUSALS)):
            return None
        return f"raised {type(error).__name__}: {error}; wanted {_brief(wanted)}"
    if isinstance(wanted, str):
        return f"is {_brief(found)}; wanted {wanted}"
    if len(found) != len(wanted):
        return f"{len(found)} values, wanted {len(wanted)}"
    for at, pair in enumerate(zip(found, wanted)):
        value, reference = edges.compared(edge, case, *pair)
        try:
            assert_same(value, reference, case, f"value {at}")
        except AssertionError as error:
            return _first_difference(value, reference, case, at) or str(error)
    return None


def _is_refused(edge, wanted):
    """Whether TensorFlow refuses a shape; as here, some ops do so when the graph is built and others when it runs."""
    return edge.how in ("empty", "single") and wanted in REFUSALS


def _first_difference(value, reference, case, at):
    """The first element that differs, where the shapes are equal."""
    if value.shape != reference.shape or value.dtype == object:
        return None
    for place in np.ndindex(value.shape):
        try:
            assert_same(value[place], reference[place], case)
        except AssertionError:
            return f"value {at} at {list(place)} is {value[place]}, wanted {reference[place]}"
    return None


def _brief(values):
    if isinstance(values, str):
        return values
    return np.array2string(np.asarray(values[0]), threshold=20) if values else "[]"
