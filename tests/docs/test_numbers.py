"""The numbers that the pages give are those of the code."""

import re
from pathlib import Path

import pytest

from evergraph.compile import ahead, backend, policy, segments, signatures
from evergraph.kernel import native_products
from evergraph.run import executor, plan

DOCS = Path(__file__).parents[2] / "docs"
TEXT = " ".join(word for page in ("compilation.md", "tiers.md") for word in (DOCS / page).read_text().split())


def numbers(pattern):
    found = re.search(pattern, TEXT)
    assert found, f"no {pattern!r} in docs/compilation.md or docs/tiers.md"
    return [float(number.replace(",", "")) for number in found.groups()]


def columns(title):
    """The numbers of a row of the table of costs, one for each machine."""
    return numbers(rf"\| {title} \| ([-\d.,]+) \| ([-\d.,]+) \| ([-\d.,]+) \|")


@pytest.mark.parametrize("title, name, unit", [
    ("to load JAX", "load", 1), ("to compile a node", "compile", 1), ("to start a program", "start", 1),
    ("NumPy loses, for a node", "kernel", 1), (r"\.\.\. for a kernel that a loop calls", "loop", 1),
    (r"\.\.\. for a million elements that kernels make", "element", 1e6),
    (r"\.\.\. for a million multiplications in products and convolutions", "flop", 1e6),
    (r"\.\.\. for a million elements of feeds and variables", "state", 1e6),
    (r"\.\.\. for a variable that is on the device", "move", 1),
])  # fmt: skip
def test_costs(title, name, unit):
    machines = (policy.CPU, policy.CPU_WITHOUT_C, policy.ACCELERATOR)
    assert columns(title) == pytest.approx([unit * getattr(machine, name) for machine in machines])


def test_policy():
    assert numbers(r"would pay within (\d+) runs is compiled at once") == [policy.COMES_BACK]
    assert numbers(r"for a signature that has come (\d+) times") == [policy.COMES_BACK]
    assert numbers(r"have had more than (\d+) signatures") == [policy.COMES_BACK]
    assert numbers(r"copy more than ([\d,]+) elements of inputs") == [ahead.MOST_COPIED]
    assert numbers(r"is recorded after (\d+) runs") == [segments.RUNS_BEFORE]
    assert numbers(r"makes more than ([\d,]+) elements is compiled at once") == [policy.MOST_KEPT]
    assert numbers(r"a product of ([\d,]+) multiplications or more") == [native_products.WORTH_THREADS]


def test_limits():
    assert numbers(r"they have room for (\d+) steps") == [executor.LEAST_ROOM]
    assert numbers(r"has been compiled (\d+) times, a line in the log") == [signatures.MANY]
    assert numbers(r"at most (\d+) programs for each stage") == [signatures.MOST_PROGRAMS]
    assert numbers(r"A stage of more than ([\d,]+) nodes is cut") == [plan.MOST_NODES]
    assert numbers(r"takes more than (\d+) seconds") == [backend.LONG_COMPILE]
    assert numbers(r"more than (\d+) GiB") == [backend.CACHE_LIMIT >> 30]
    assert numbers(r"up to (\d+) MiB") == [backend.KEPT_MEMORY >> 20]
