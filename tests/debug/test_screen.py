"""The debugger on the whole screen, in a terminal; `screens/` has what it shows.

EVERGRAPH_SCREENS=10 writes that anew, each screen after so many seconds.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

from evergraph.debug.debugger.editing import Field
from evergraph.debug.debugger.lines import MenuItem, RichTextLines
from evergraph.debug.debugger.view import View

SCREENS = pathlib.Path(__file__).with_name("screens")
ROOT = pathlib.Path(__file__).parents[2]
ROWS, COLUMNS = 24, 90
SECONDS = 120


class Terminal:
    """A terminal in which the program runs."""

    def __init__(self, home):
        self._server = ["tmux", "-f", "/dev/null", "-S", home / "socket"]
        environment = {"HOME": home, "PYTHONPATH": ROOT, "JAX_PLATFORMS": "cpu", "TERM": "screen"}
        self.tmux("new-session", "-d", "-c", home, "-x", COLUMNS, "-y", ROWS, "env", "-u", "COLUMNS", "-u", "LINES",
                  *(f"{name}={value}" for name, value in environment.items()),
                  "sh", "-c", f"{sys.executable} {SCREENS / 'program.py'}; cat")

    def tmux(self, *words):
        return subprocess.run([*self._server, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def screen(self, wanted):
        """What it shows as soon as that has a text."""
        return self.wait(lambda text: wanted in text)

    def wait(self, is_wanted):
        """What it shows as soon as that is what is wanted, or after a while."""
        end = time.monotonic() + SECONDS
        while not is_wanted(text := self.tmux("capture-pane", "-p")) and time.monotonic() < end:
            time.sleep(0.05)
        assert is_wanted(text), text
        return text

    def close(self):
        self.tmux("kill-server")


@pytest.fixture
def terminal(tmp_path):
    if shutil.which("tmux") is None:
        pytest.skip("there is no tmux")
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def without_times(text):
    text = re.sub(r"@ \d+\.\d+ ms", "@ t ms", re.sub(r"\[\d+\.\d+\] +\d+ +", "[t] b ", text))
    text = re.sub(r"t \(ms\) +Size \(B\) +", "t (ms) Size (B) ", text)  # as wide as the longest time
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().split("\n"))


def assert_shows(terminal, name):
    """Waits until the terminal shows what a file says."""
    file = SCREENS / f"{name}.txt"
    if seconds := os.environ.get("EVERGRAPH_SCREENS"):
        time.sleep(float(seconds))
        file.write_text(without_times(terminal.screen("tfdbg>")))
    wanted = file.read_text()
    terminal.wait(lambda text: without_times(text) == wanted)


def test_a_program_is_looked_into(terminal):
    assert_shows(terminal, "before_a_run")
    terminal.press("ru", "Tab", "_", "Tab", "Enter")
    assert_shows(terminal, "run_info")
    terminal.press("run", "Enter")
    assert_shows(terminal, "after_a_run")
    terminal.press("ni -a -d hidden/", "Tab")
    assert_shows(terminal, "candidates")
    terminal.press("xw", "Enter")
    assert_shows(terminal, "node")
    terminal.press("/[Rr]elu", "Enter")
    assert_shows(terminal, "search")
    terminal.press("pt hidden/xw:0[0, :] > values", "Enter")
    assert_shows(terminal, "tensor")
    terminal.press("prev", "Enter")
    assert_shows(terminal, "navigation")


def test_links_are_clicked_on(terminal):
    terminal.screen("--- 0.00% ---")
    click(terminal, row=2, column=3)
    terminal.screen("8 dumped tensor(s)")
    row = next(at for at, line in enumerate(terminal.screen("hidden/xw:0").split("\n")) if "hidden/xw:0" in line)
    click(terminal, row, column=30)
    assert "shape: (2, 4)" in terminal.screen("| pt hidden/xw:0")
    click(terminal, row=1, column=3)
    terminal.screen("(-1) lt")
    terminal.press("mouse off", "Enter")
    terminal.screen("mouse: off")


def click(terminal, row, column):
    """Presses a button of the mouse, and lets it go."""
    place = (33 + column, 33 + row)
    terminal.press("-H", *(f"{byte:x}" for byte in (*b"\x1b[M ", *place, *b"\x1b[M#", *place)))


def test_the_program_has_its_terminal_again(terminal):
    terminal.screen("--- 0.00% ---")
    terminal.press("run -n", "Enter")
    terminal.screen("run #2")
    terminal.press("nonsense", "Enter")
    terminal.screen('ERROR: Invalid command prefix "nonsense"')
    terminal.press("pt", "Enter")
    terminal.screen("ERROR: Invalid command prefix")
    terminal.press("run -n", "Enter")
    assert terminal.screen("loss -inf\nloss -inf")


def test_another_size(terminal):
    terminal.screen("--- 0.00% ---")
    terminal.tmux("resize-window", "-x", 40, "-y", 12)
    terminal.screen(f"\n{'--- 0.00% --- mouse: on '.ljust(39, '-')}\ntfdbg>")
    terminal.press("End")
    terminal.screen("100.00%")


# ---- without a terminal


def test_a_view_scrolls_and_searches():
    view = View(RichTextLines([f"line {number}" for number in range(10)]), rows=4, columns=80)
    assert (view.part, view.bar, view.visible().lines[0]) == ("0.00%", (0, 1), "line 0")
    view.scroll(100)
    assert (view.part, view.bar, view.visible().lines) == ("100.00%", (3, 1), [f"line {n}" for n in range(6, 10)])
    view.show_line(2)
    assert view.visible().lines[0] == "line 2"
    assert view.search("line [15]", 80) and view.visible().lines[0] == "line 1"
    assert view.visible().font_attr_segs == {0: [(0, 6, "black_on_white")]}
    assert [view.next_match() and view.visible().lines[0] for _ in range(2)] == ["line 5", "line 1"]
    assert not view.search("nothing", 80) and not view.next_match()
    with pytest.raises(ValueError, match="regular expression"):
        view.search("(", 80)


def test_a_view_keeps_its_place_when_it_gets_narrow():
    view = View(RichTextLines(["x" * 10, "y" * 10, "z" * 10]), rows=2, columns=80)
    view.show_line(1)
    view.resize(2, 5)
    assert view.visible().lines == ["yyyyy", "yyyyy"]


def test_what_is_behind_a_place():
    enabled, disabled = MenuItem("a", "lt"), MenuItem("b", "ni", enabled=False)
    view = View(RichTextLines(["a b"], {0: [(0, 1, [enabled, "bold"]), (2, 3, disabled)]}), rows=2, columns=80)
    assert [view.link(0, column) for column in range(4)] == ["lt", None, None, None] and view.link(1, 0) is None


def test_a_field_is_edited():
    field = Field(lambda text: [], lambda line: [])
    for text in "list":
        field.insert(text)
    field.move(0)
    field.erase(-1)
    field.erase(0)
    field.insert("L")
    field.move(100)
    field.erase(-1)
    assert (field.text, field.cursor) == ("Lis", 3)
    assert field.take() == "Lis" and (field.text, field.cursor) == ("", 0)


def test_a_field_knows_earlier_commands():
    said = ["lt", "pt a", "pt b", "pt a"]
    field = Field(lambda text: [each for each in said if each.startswith(text)], lambda line: [])
    field.insert("p")
    found = []
    for by in (1, 1, 1, -1, -1):
        field.look_back(by)
        found.append(field.text)
    assert found == ["pt a", "pt b", "pt b", "pt a", "p"]


def test_a_field_completes_words():
    words = ["hidden/relu", "hidden/read", "out"]
    field = Field(lambda text: [], lambda line: [each for each in words if each.startswith(line.split(" ")[-1])])
    field.insert("ni h")
    field.complete()
    assert field.text == "ni hidden/re" and not field.candidates
    field.complete()
    assert field.text == "ni hidden/re" and field.candidates == words[:2]
    field.insert("l")
    field.complete()
    assert field.text == "ni hidden/relu " and not field.candidates
