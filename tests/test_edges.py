"""Every case of every op family at edge values: both tiers give what TensorFlow gives, or the difference is listed.

The suite takes a sample; `make edges` takes all cases, and empty and single-element inputs with them.
"""

import functools
import os
import zlib

import pytest

from tests.harness import edges, families, goldens
from tests.harness.edge_differences import DIFFERENCES, reason

EVERYTHING = os.environ.get("EVERGRAPH_EDGES") == "all"
ONE_IN = 40
UNJUDGED = {"boosted_trees"}  # ops that TensorFlow 2.15, which gives the answers, does not have

recorded = functools.cache(goldens.read_edges)


def _is_taken(family, name):
    return EVERYTHING or zlib.crc32(f"{family} {name}".encode()) % ONE_IN == 0


CASES = [pytest.param(family, case, id=f"{family}-{name}")
         for family in sorted(set(families.families()) - UNJUDGED) for name, case in families.load(family).items()
         if edges.value_edges(case) + edges.shape_edges(case) and _is_taken(family, name)]


@pytest.mark.parametrize("family, case", CASES)
@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_op_at_its_edges(family, case):
    from tests.harness.edge_checks import differences

    answers = recorded(family).get(case.id)
    if answers is None:
        pytest.fail(f"{case} has no answers: run `.venv-tf/bin/python -m tests.record_edges {family}`")
    found = [each for each in differences(case, answers, EVERYTHING) if not reason(case, each[0])]
    if found:
        told = "\n".join(f"* {edge} on the {tier} tier: {what}" for edge, tier, what in found)
        pytest.fail(f"{case}\n{told}", pytrace=False)


def test_every_difference_has_a_reason():
    assert all(op and edge and why for op, edge, why in DIFFERENCES)
