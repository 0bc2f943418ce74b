"""Every public name says what it does, in a sentence at least, and what its parameters are if names do not say it."""

import pytest

from website import docstrings


def test_every_public_name_says_what_it_does():
    assert [f"tf.{name}: {why}" for _, name, why in docstrings.findings()] == []


def test_methods_of_public_classes_say_what_they_do():
    assert sorted(docstrings.silent_methods().values()) == []


def silent():
    pass


def short():
    """Too short."""


def unclear(value, ratio, knob, wheel, lever):
    """Turns something by a certain amount, somehow."""


def pointing(value, ratio, knob, wheel, lever):
    """Turns something; see `tf.turn`."""


def clear(value, ratio, knob, wheel, lever):
    """Turns value by ratio.

    Args:
        knob: one thing.
        wheel: another.
        lever: a third.
    """


@pytest.mark.parametrize("function, why", [
    (silent, "no docstring"), (short, "shorter than a sentence"), (pointing, None), (clear, None),
    (unclear, "says nothing of ratio, knob, wheel, lever"),
])  # fmt: skip
def test_what_says_too_little(function, why):
    assert docstrings.said_too_little(function) == why
