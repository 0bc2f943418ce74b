"""Every row of the table from TensorFlow's ops to TensorFlow Lite's operators computes what a session computes."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.lite.site import TABLE
from tests.harness.session import started
from tests.lite.cases import GROUPS, INPUTS, built
from tests.lite.running import converter, ran

pytest.importorskip("ai_edge_litert")


# These share their row with an op that has a case, or only stand in imported graphs: test_converter.py has those.
WITHOUT_CASES = {"If", "While", "StatefulPartitionedCall", "PlaceholderV2", "TensorListScatterIntoExistingList"}


def loose(name):
    """The tolerance of a case: kernels of the interpreter that round more than once are further off."""
    return {"lrn": 1e-5, "reduce_prod": 1e-5, "pow": 1e-5, "while_by_value": 1e-5}.get(name, 1e-6)


@pytest.mark.parametrize("group", GROUPS)
def test_cases_of_rows(group):
    inputs, outputs = built(group)
    used = {name: tensor for name, tensor in inputs.items() if tensor.consumers()}
    feeds = {tensor: INPUTS[name] for name, tensor in used.items()}
    with started() as session:
        expected = session.run(list(outputs.values()), feeds)
        content = converter(session, used.values(), outputs.values()).convert()
    wrong = []
    for name, ours, lites in zip(outputs, expected, ran(content, *feeds.values()), strict=True):
        scale = max(1.0, np.abs(ours[np.isfinite(ours)]).max(initial=0))
        if ours.shape != lites.shape or not np.allclose(lites, ours, rtol=0, atol=loose(name) * scale, equal_nan=True):
            wrong.append((name, ours, lites))
    assert not wrong


def test_every_row_has_a_case():
    met = set()
    for group in GROUPS:
        with tf.Graph().as_default() as graph:
            built(group)
            message = graph.as_graph_def()
            met |= {node.op for node in message.node}
            met |= {node.op for function in message.library.function for node in function.node_def}
    missing = {op.name for op in TABLE} - met
    assert missing == WITHOUT_CASES
