"""Sections that tools write: replaced between their markers, and up to date in the pages."""

import pytest

from evergraph.tools import contrib, rooms, sections

PAGE = "before\n<!-- rooms: written by a tool -->\nold\n<!-- end of rooms -->\nafter\n"


def test_a_section_is_replaced_between_its_markers():
    new = sections.replaced(PAGE, "rooms", "new\n")
    assert new == "before\n<!-- rooms: written by a tool -->\n\nnew\n\n<!-- end of rooms -->\nafter\n"
    assert sections.replaced(new, "rooms", "new") == new


@pytest.mark.parametrize("page", ["no markers\n", PAGE + PAGE])
def test_a_page_has_one_section_of_a_name(page):
    with pytest.raises(ValueError, match="wanted one section 'rooms'"):
        sections.replaced(page, "rooms", "new")


def test_check_fails_and_writes_nothing_when_a_page_is_out_of_date(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert sections.main("tool", page, lambda: {"rooms": "new"}, ["--check"]) == 1
    assert "run `python -m tool`" in capsys.readouterr().out and page.read_text() == PAGE
    assert sections.main("tool", page, lambda: {"rooms": "new"}, []) == 0
    assert sections.main("tool", page, lambda: {"rooms": "new"}, ["--check"]) == 0


def test_the_table_of_rooms_is_up_to_date():
    assert rooms.main(["--check"]) == 0


def test_every_room_says_what_it_holds():
    described = rooms.rooms()
    folders = {path.name for path in (sections.ROOT / "evergraph").iterdir() if (path / "__init__.py").exists()}
    assert described.keys() == folders
    assert all(room["holds"] for room in described.values())


def test_the_table_of_contrib_is_up_to_date():
    assert contrib.main(["--check"]) == 0


def test_rows_of_contrib_are_of_names_and_gaps():
    table = '    "contrib.small.one": "a:one",\n    "contrib.large.sub.x": "a:x",\n' + "".join(
        f'    "contrib.large.name{place}": "a:b",\n' for place in range(9))
    there = contrib.packages(table)
    wanted = ["contrib.small.one", "contrib.small.two", "contrib.large.sub", "contrib.absent.x", "contrib.large.sub.y"]
    lost = contrib.missing(wanted, there)
    assert lost == {"small": ["two"], "absent": ["x"], "large": ["sub.y"]}
    found = contrib.rows(there, {"absent": "all: it needs a server", "small": "with a reason"}, lost)
    assert found.splitlines()[2:] == [
        "| `absent` | nothing | all: it needs a server |", "| `large` | 9 names | `sub.y` |",
        "| `small` | `one` | `two`; with a reason |"]


def test_gaps_of_contrib_stand_in_order():
    assert list(contrib.gaps()) == sorted(contrib.gaps())
