"""The worked example of docs/architecture.md is what evergraph does."""

import functools
import re

import pytest

from evergraph.compile import backend
from evergraph.kernel import recording
from evergraph.tools import sections
from tests.harness import walkthrough


@functools.cache
def parts():
    return walkthrough.parts()


def test_the_example_is_up_to_date():
    page, made = walkthrough.PAGE.read_text(), dict(parts())
    if f"JAX {backend.jax().__version__} " not in page:  # another version may trace or print otherwise
        del made["the jaxpr"]
    if not recording.available():  # without the C code there are no segments
        del made["the code for NumPy"]
    for name, body in made.items():
        assert sections.replaced(page, name, body) == page, "run `python -m tests.harness.walkthrough`"


def test_the_page_has_all_parts():
    shown = re.findall(r"^<!-- end of (the [\w ]+) -->$", walkthrough.PAGE.read_text(), re.MULTILINE)
    assert shown == list(parts())


def test_jaxprs_are_recorded_once_per_program():
    jax = backend.jax()
    with walkthrough.jaxprs() as texts:
        jax.jit(lambda x: x * 2.5)(1.0)
    jax.jit(lambda x: x * 3.5)(1.0)
    assert len(texts) == 1 and "mul" in texts[0] and "2.5" in texts[0]


@pytest.mark.parametrize("old, new", [("t8_0", "t9_9"), ("dot_general", "dot"), ("name: product", "name: other")])
def test_changes_are_seen(old, new):
    page, made = walkthrough.PAGE.read_text().replace(old, new), parts()
    assert any(sections.replaced(page, name, body) != page for name, body in made.items())
