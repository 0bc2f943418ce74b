"""Random programs of all sorts, held to what TensorFlow made of them; `make programs` runs more and fresh ones."""

import os

import pytest

from tests.random_graphs import stored
from tests.random_programs import alone, here, steps
from tests.random_programs.kinds import KINDS
from tests.random_programs.play import source
from tests.random_programs.record import COUNTS, checksum, file
from tests.random_programs.shrink import shrink

SAMPLE = {"pipelines": 40, "shapes": 60, "sparse": 40, "columns": 8, "control": 8, "eager": 4, "saving": 3,
          "training": 3, "steps": 5, "windows": 12, "slopes": 12, "extremes": 12}
ALONE = int(os.environ.get("EVERGRAPH_STEPS", "6"))  # how many programs
RECORDED = {kind: stored.read(file(kind)) for kind in KINDS}


@pytest.mark.parametrize("kind, seed", [(kind, seed) for kind, count in SAMPLE.items() for seed in range(count)])
def test_random_program(kind, seed):
    sum_, wanted = RECORDED[kind][seed]
    assert checksum(kind, seed) == sum_, "another program: run `.venv-tf/bin/python -m tests.random_programs.record`"
    told = here.differs(KINDS[kind](seed), wanted, "numpy")
    if told:
        pytest.fail(f"{told}\n\n{source(KINDS[kind](seed))}", pytrace=False)


@pytest.mark.parametrize("seed", range(100, 100 + ALONE))
def test_steps_are_the_same_alone(seed):
    told = alone.differs(steps.generate(seed))
    if told:
        pytest.fail(f"{told}\n\n{source(steps.generate(seed))}", pytrace=False)


def test_a_step_that_changes_is_told():
    statements = ["s, x = session(), tf.Variable(1.0)", "s.run(x.initializer)", "show(s.run(x))"]
    assert alone.differs(statements) is None
    first, second = here.outcome(statements, "numpy"), here.outcome(statements[:1] + ["show(2.0)"], "numpy")
    assert alone.difference(second, first).startswith("first[0]: float64 2.0, alone float32 1.0")


@pytest.mark.parametrize("kind", SAMPLE)
def test_most_programs_show_something(kind):
    outcomes = [outcome for _, outcome in RECORDED[kind].values()]
    assert len(outcomes) == COUNTS[kind]
    ended = [str(outcome.first[-1]).startswith("b'raised") for outcome in outcomes if outcome.first]
    assert sum(ended) < 0.2 * len(outcomes)


def test_a_wrong_number_differs():
    statements = ["show(np.float32(1.5), 'a')"]
    right, wrong = here.outcome(statements, "numpy"), here.outcome(["show(np.float32(1.6), 'a')"], "numpy")
    assert here.difference(right, right) is None
    assert here.difference(wrong, right).startswith("first[0]: float32 1.6")


def test_shrinking_keeps_what_shows_the_difference():
    assert shrink(list("abcdefg"), lambda less: "c" in less and "f" in less) == ["c", "f"]
