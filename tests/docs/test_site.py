"""What the site is made of: diagrams, tabs, links between pages, and entries of the reference."""

import re
from pathlib import Path

import pytest

import evergraph as tf
from website import build, diagrams, pages, reference

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", diagrams.DIAGRAMS)
def test_diagrams_are_up_to_date(name):
    drawn = diagrams.drawn(diagrams.DIAGRAMS[name])
    assert (diagrams.FOLDER / f"{name}.svg").read_text() == drawn, "run `python -m website.diagrams`"
    assert f"pictures/{name}.svg" in (DOCS / "learn" / f"{name}.md").read_text()


def test_a_diagram_has_its_boxes_and_arrows():
    drawn = diagrams.drawn("a [0 0] one|two\nb (0 1) three & four\na => b: why")
    assert drawn.count("<text") == 4 and "three &amp; four" in drawn and 'class="arrow dashed"' in drawn
    with pytest.raises(ValueError, match="neither a box"):
        diagrams.drawn("a 0 0 one")


def test_tabs_name_pages_that_exist():
    root = DOCS.parent
    named = [page for tab in pages.TABS.values() for page in tab]
    assert [page for page in named if not (DOCS / page).exists() and not (root / page).exists()] == []


def test_every_page_has_a_tab():
    known = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")]
    assert set(known) <= {page for tab in pages.tabs(known).values() for page in tab}
    assert pages.tabs(["new.md", "releases/9.9.9.md"])["Run"][-1] == "new.md"
    assert pages.tabs(["new.md", "releases/9.9.9.md"])["Inside"][-1] == "releases/9.9.9.md"


def test_links_lead_to_pages_of_the_site():
    readme = DOCS.parent / "README.md"
    places = {page.resolve(): str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} | {readme: "index.md"}
    text = build.moved(readme, "index.md", places)
    assert "](differences.md)" in text and "](docs/" not in text
    assert "[examples/iris.py]" not in text and "examples/iris.py" in text
    lesson = DOCS / "learn" / "order_of_a_step.md"
    assert "](../pictures/order_of_a_step.svg)" in build.moved(lesson, "learn/order_of_a_step.md", places)


def sample(value, *, axis=None, name="x"):
    """Doubles *every* value.

    Args:
        value: a tensor, [rows, columns].
        axis: along which; None is all of them,
            flattened.

    Returns:
        a tensor.

    Raises:
        ValueError: it is empty.
    """


def test_an_entry_of_the_reference():
    text = reference.entry("nn.sample", sample, ["`tf.sample`"])
    assert text.startswith("## `tf.nn.sample` {: #sample }")
    assert "sample(value, *, axis=None, name='x')" in text
    assert r"Doubles \*every\* value." in text
    assert "- `value`: a tensor, \\[rows, columns\\]." in text
    assert re.search(r"- `axis`: along which; None is all of them,\n  flattened\.", text)
    assert "**Returns**\n\na tensor." in text and "- `ValueError`: it is empty." in text
    assert "Also `tf.sample`." in text


def test_examples_values_and_messages_of_the_reference():
    example = reference.markdown("Adds.\n\n>>> 1 + 1\n2\n\nArgs:\n    a: *one*.\n\n>>> 2 * 2\n4")
    assert example.count("```pycon\n>>>") == 2 and "```pycon\n>>> 1 + 1\n2\n```" in example
    assert example.endswith("4\n```") and r"- `a`: \*one\*." in example
    assert "int: `7`" in reference.entry("SEVEN", 7, [])
    message = reference.entry("Feature", tf.train.Feature, [])
    assert "The protocol message" in message and "`bytes_list`" in message and "| member |" not in message


def test_the_reference_has_every_namespace():
    made = reference.pages({"": {"sample": sample}, "nn": {"nn.sample": sample}})
    assert list(made) == ["reference/index.md", "reference/tf.md", "reference/nn.md"]
    assert "[`tf.nn`](nn.md) | 1 | `sample` |" in made["reference/index.md"]
