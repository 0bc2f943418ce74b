"""The pages name files that exist: links between pages, and the source files that the text points to."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SOURCE = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|c|h|md|json|txt|toml))`")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")


def anchors(page):
    """The fragments that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page):
    """What a page points to and is not there."""
    text = CODE.sub("", page.read_text())
    for name in SOURCE.findall(text):
        if not (ROOT / "evergraph" / name).exists() and not (ROOT / name).exists():
            yield name
    for target, fragment in LINK.findall(text):
        if target.startswith(("http://", "https://")):
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists() or fragment and fragment not in anchors(path):
            yield f"{target}#{fragment}" if fragment else target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page):
    assert list(broken(page)) == []


def test_broken_names_are_seen(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One\n`graph/gone.py` `graph/node.py` [a](missing.md) [b](#one) [c](#two)\n")
    assert list(broken(page)) == ["graph/gone.py", "missing.md", "#two"]
