"""The worked example of docs/architecture.md is what evergraph does."""

import re

import pytest

from evergraph.compile import backend
from evergraph.tools import sections
from tests.harness import walkthrough


def parts(page):
    """The fenced blocks of the example, by the words in bold before each."""
    example = re.search(r"<!-- example: .*?<!-- end of example -->", page, re.DOTALL)[0]
    return dict(re.findall(r"^\*\*(The [\w ]+)\.?\*\*.*?^```\n(.*?)^```$", example, re.MULTILINE | re.DOTALL))


def test_the_example_is_up_to_date():
    page = walkthrough.PAGE.read_text()
    shown, made = parts(page), parts(sections.replaced(page, "example", walkthrough.section()))
    assert shown.keys() == {"The signature line", "The node", "The plan", "The generated source", "The jaxpr"}
    if f"JAX {backend.jax().__version__} " not in page:  # another version may trace or print otherwise
        del shown["The jaxpr"], made["The jaxpr"]
    assert shown == made, "run `python -m tests.harness.walkthrough`"


def test_jaxprs_are_recorded_once_per_program():
    jax = backend.jax()
    with walkthrough.jaxprs() as texts:
        jax.jit(lambda x: x * 2.5)(1.0)
    jax.jit(lambda x: x * 3.5)(1.0)
    assert len(texts) == 1 and "mul" in texts[0] and "2.5" in texts[0]


@pytest.mark.parametrize("old, new", [("t8_0", "t9_9"), ("dot_general", "dot"), ("name: product", "name: other")])
def test_changes_are_seen(old, new):
    page = walkthrough.PAGE.read_text()
    assert parts(page) != parts(page.replace(old, new))
