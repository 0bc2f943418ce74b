"""Random programs on every tier, held to what TensorFlow made of them; `make fuzz` runs all of them and fresh ones."""

import pytest

from tests.random_graphs import here, shrink, stored
from tests.random_graphs.generate import generate
from tests.random_graphs.play import LACKS
from tests.random_graphs.program import as_script, source

RECORDED = stored.read()
SAMPLE = [(tier, seed) for tier, count in (("numpy", 150), (None, 60), ("xla", 30)) for seed in range(count)]


@pytest.mark.parametrize("tier, seed", SAMPLE)
def test_random_program(tier, seed):
    program = generate(seed)
    checksum, wanted = RECORDED[seed]
    assert program.checksum == checksum, "another program: run `.venv-tf/bin/python -m tests.random_graphs.record`"
    told = here.differs(program, wanted, tier)
    if told:
        pytest.fail(f"{told}\n\n{as_script(program, tier)}", pytrace=False)


def test_most_programs_have_numbers():
    outcomes = [outcome for _, outcome in RECORDED.values()]
    assert len(outcomes) == 5000
    assert sum(outcome.error is None for outcome in outcomes) > 4500
    assert sum(outcome.error not in (None, "LookupError", LACKS) for outcome in outcomes) > 100


def test_noise_leaves_most_numbers_their_digits():
    """The measured noise widens what is accepted; if it were large everywhere, the comparison could not fail."""
    noise = [each for _, outcome in RECORDED.values() for each in outcome.noise]
    assert sum(each < 1e-4 for each in noise) > 0.9 * len(noise)


def test_a_wrong_number_differs():
    seed = next(seed for seed, (_, outcome) in RECORDED.items() if outcome.error is None)
    right = here.outcome(generate(seed), "numpy", runs=1)
    wrong = here.outcome(generate(seed), "numpy", runs=1)
    at = next(at for at, array in enumerate(wrong.first) if array is not None and array.dtype.kind in "fi")
    wrong.first[at] = wrong.first[at] + 1
    assert here.difference(right, right) is None
    assert here.difference(wrong, right).startswith(f"first[{at}]")


def test_shrinking_keeps_what_shows_the_difference():
    seed = next(seed for seed in range(500) if "tf.while_loop" in source(generate(seed)))
    small = shrink.shrink(generate(seed), lambda program: "tf.while_loop" in source(program))
    assert "tf.while_loop" in source(small)
    assert len(source(small)) < len(source(generate(seed)))
    assert not small.gradients


def test_a_seed_gives_one_program():
    assert source(generate(17)) == source(generate(17)) != source(generate(18))
