"""The debugger on the whole screen: an answer with links and menus, scrolled and searched, over a prompt."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.editing import Field
from evergraph.debug.debugger.lines import MAIN_MENU_KEY, Menu, RichTextLines
from evergraph.debug.debugger.navigation import CursesNavigationHistory
from evergraph.debug.debugger.prompt import CLI_PROMPT, ERROR_MESSAGE_PREFIX, Answer, CommandUI
from evergraph.debug.debugger.view import View, fonts_of

try:
    import curses
except ImportError:  # Pythons for Windows have none; there the prompt is one of lines
    curses = None  # type: ignore[assignment]

_LEAST_ROWS, _LEAST_COLUMNS = 6, 20
_HEAD = 3  # rows of the title, of where the screen is among earlier ones, and of the menu
_FOOT = 2  # those of the state and of the prompt
_PAGE, _WHEEL = 0.9, 3  # parts of a screen, and rows
_MOST_SCREENS = 100
_COLORS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ENTER, _TAB, _ESCAPE = (10, 13), 9, 27
_START, _END, _ERASE_ALL, _REDRAW = 1, 5, 21, 12  # Ctrl-A, Ctrl-E, Ctrl-U, Ctrl-L
_ERASE = (8, 127)


class CursesUI(CommandUI):
    """The debugger on the whole screen.

    Page Up, Page Down, Home and End scroll; the arrows edit the command and look for earlier ones, the tabulator
    completes it. `/PATTERN` searches and an empty command goes on to the next match; `@NUMBER` shows a line; `prev`
    and `next` show earlier answers again. A click, unless `mouse off` leaves the mouse to the terminal, runs the
    command behind what is underlined.
    """

    def __init__(self, on_ui_exit: Callable[[], Any] | None = None, config: CLIConfig | None = None) -> None:
        super().__init__(on_ui_exit, config)
        self._field = Field(lambda text: self._history.lookup_prefix(text, _MOST_SCREENS), self.completions)
        self._screens = CursesNavigationHistory(_MOST_SCREENS)
        self._view = View(RichTextLines([]), 1, 1)
        self._title, self._title_font, self._note = "", "black_on_white", ""
        self._window: Any = None
        self._targets: dict[int, list[tuple[int, int, str]]] = {}  # row -> places of commands beside the answer
        self.register_command_handler("mouse", self._mouse, "Turn the mouse on or off: mouse on, mouse off", ["m"])
        for name, alias, text in (("prev", "p", "Show the answer before this one."),
                                  ("next", "n", "Show the answer after this one.")):
            self.register_command_handler(name, self._navigated(name), text, [alias])

    def run_ui(self, init_command: str | None = None, title: str | None = None, title_color: str | None = None,
               enable_mouse_on_start: bool = True) -> Any:
        """Takes the screen until a command ends it.

        Args:
            init_command: a command to begin with.
            title: the first row.
            title_color: its font, such as "black_on_green".
            enable_mouse_on_start: whether clicks are for the debugger, unless its settings say otherwise.

        Returns:
            What the command that ended it has returned.
        """
        self._title, self._title_font = title or "", title_color or "black_on_white"
        self._window = curses.initscr()
        try:
            self._take_screen(enable_mouse_on_start and self._config.get("mouse_mode"))
            token = None if init_command is None else self._run(init_command)
            while token is None:
                self._draw()
                token = self._key(self._window.getch())
        finally:
            self._give_back_screen()
        if self._on_ui_exit is not None:
            self._on_ui_exit()
        return token

    def _take_screen(self, has_mouse: bool) -> None:
        curses.noecho()
        curses.cbreak()
        self._window.keypad(True)
        self._fonts = _fonts()
        self._set_mouse(has_mouse)

    def _give_back_screen(self) -> None:
        self._set_mouse(False)
        self._window.keypad(False)
        curses.nocbreak()
        curses.echo()
        curses.endwin()

    # ---- keys

    def _key(self, key: int) -> Any:
        """Does what a key asks for; what ends the prompt, or None."""
        if key in _ENTER:
            return self._entered(self._field.take())
        if key == curses.KEY_MOUSE:
            return self._clicked()
        if key in self._actions:
            self._actions[key]()
        elif 32 <= key < 127:
            self._field.insert(chr(key))
        return None

    @property
    def _actions(self) -> dict[int, Callable[[], Any]]:
        field, page = self._field, max(int(self._rows * _PAGE), 1)
        return {
            curses.KEY_PPAGE: lambda: self._scroll(-page),
            curses.KEY_NPAGE: lambda: self._scroll(page),
            curses.KEY_HOME: lambda: self._scroll(-len(self._view.output.lines) ** 2),
            curses.KEY_END: lambda: self._view.show_line(len(self._view.output.lines)),
            curses.KEY_UP: lambda: field.look_back(1),
            curses.KEY_DOWN: lambda: field.look_back(-1),
            curses.KEY_LEFT: lambda: field.move(field.cursor - 1),
            curses.KEY_RIGHT: lambda: field.move(field.cursor + 1),
            curses.KEY_BACKSPACE: lambda: field.erase(-1),
            **dict.fromkeys(_ERASE, lambda: field.erase(-1)),
            curses.KEY_DC: lambda: field.erase(0),
            curses.KEY_RESIZE: self._resized,
            _START: lambda: field.move(0),
            _END: lambda: field.move(len(field.text)),
            _ERASE_ALL: field.erase_all,
            _ESCAPE: field.erase_all,
            _REDRAW: self._window.redrawwin,
            _TAB: field.complete,
        }

    def _entered(self, command: str) -> Any:
        self._note = ""
        if not command:
            if self._view.pattern is not None and not self._view.next_match():
                self._note = f"no match of {self._view.pattern}"
            return None
        if command.startswith("/"):
            return self._searched(command[1:])
        if re.fullmatch(r"@\d+", command):
            self._view.show_line(int(command[1:]))
            return None
        return self._run(command)

    def _searched(self, pattern: str) -> None:
        try:
            is_found = self._view.search(pattern, self._columns)
        except ValueError as error:
            self._note = str(error)
        else:
            self._note = "" if is_found else f"no match of {pattern}"

    def _clicked(self) -> Any:
        """Runs the command at the place of a click, or turns the wheel."""
        try:
            _, column, row, _, state = curses.getmouse()
        except curses.error:  # the terminal has sent something else
            return None
        if state & curses.BUTTON4_PRESSED:
            self._scroll(-_WHEEL)
        elif state & getattr(curses, "BUTTON5_PRESSED", 0):
            self._scroll(_WHEEL)
        elif state & (curses.BUTTON1_CLICKED | curses.BUTTON1_PRESSED):
            command = next((text for begin, end, text in self._targets.get(row, ()) if begin <= column < end), None)
            command = command or self._view.link(row - _HEAD, column)
            return None if command is None else self._entered(command)
        return None

    def _run(self, command: str) -> Any:
        """Runs a command and shows its answer; what it, or a parser of its words, prints is part of the answer."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            answer = self.answer(command, {"cols": self._columns})
        self._note = answer.note or ""
        lines = self._lines(answer, printed.getvalue())
        if lines is not None:
            self._view = View(lines, self._rows, self._columns)
            self._screens.add_item(command, lines, 0)
        return answer.token

    def _lines(self, answer: Answer, printed: str) -> RichTextLines | None:
        if not printed:
            return answer.output
        lines = RichTextLines(printed.splitlines())
        if answer.output is not None:
            lines.extend(answer.output)
        return lines

    def _navigated(self, name: str) -> Callable[..., RichTextLines | None]:
        def show(args: Sequence[str], screen_info: Any = None) -> RichTextLines | None:
            screens, is_back = self._screens, name == "prev"
            if not (screens.can_go_back() if is_back else screens.can_go_forward()):
                return RichTextLines([f"{ERROR_MESSAGE_PREFIX}there is no answer {'before' if is_back else 'after'}"])
            screens.update_scroll_position(self._view.top)
            item = screens.go_back() if is_back else screens.go_forward()
            self._view = View(item.screen_output, self._rows, self._columns)
            self._view.scroll(item.scroll_position)
            return None

        return show

    def _mouse(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines | None:
        if len(args) > 1 or args and args[0] not in ("on", "off"):
            return RichTextLines([f"{ERROR_MESSAGE_PREFIX}the mouse is on or off, not {' '.join(args)}"])
        self._set_mouse(args[0] == "on" if args else not self._has_mouse)
        return None

    def _set_mouse(self, is_on: bool) -> None:
        self._has_mouse = is_on
        curses.mousemask(curses.ALL_MOUSE_EVENTS if is_on else 0)

    # ---- the screen

    @property
    def _size(self) -> tuple[int, int]:
        rows, columns = self._window.getmaxyx()
        return max(rows, _LEAST_ROWS), max(columns, _LEAST_COLUMNS)

    @property
    def _rows(self) -> int:
        """The height of the part that shows the answer."""
        return self._size[0] - _HEAD - _FOOT

    @property
    def _columns(self) -> int:
        """The width of that part; behind it is the bar."""
        return self._size[1] - 2

    def _scroll(self, by: int) -> None:
        self._view.scroll(by)

    def _resized(self) -> None:
        curses.update_lines_cols()
        self._view.resize(self._rows, self._columns)

    def _draw(self) -> None:
        self._window.erase()
        self._targets = {}
        rows, columns = self._size
        self._put(0, 0, f"--- {self._title} ".ljust(columns - 1, "-"), self._title_font)
        self._put_row(1, self._screens.render(columns - 1, "prev", "next"))
        menu = self._view.output.annotations.get(MAIN_MENU_KEY)
        if isinstance(menu, Menu):
            self._put_row(2, menu.format_as_single_line("| ", " | ", ["underline"], ["gray"]))
        shown = self._view.visible()
        for row in range(len(shown.lines)):
            self._put_line(_HEAD + row, shown, row)
        self._put_bar(columns - 1)
        self._put(rows - 2, 0, self._state().ljust(columns - 1, "-"), None)
        self._put_prompt(rows - 1, columns)
        self._window.refresh()

    def _state(self) -> str:
        if self._field.candidates:
            return f"--- {' '.join(self._field.candidates)} "
        mouse = "on" if self._has_mouse else "off"
        return f"--- {self._note} " if self._note else f"--- {self._view.part} --- mouse: {mouse} "

    def _put_prompt(self, row: int, columns: int) -> None:
        """The end of the command, if it is longer than the screen is wide."""
        room = columns - len(CLI_PROMPT) - 1
        start = max(self._field.cursor - room, 0)
        self._put(row, 0, CLI_PROMPT, "bold")
        self._put(row, len(CLI_PROMPT), self._field.text[start:start + room], None)
        self._window.move(row, len(CLI_PROMPT) + self._field.cursor - start)

    def _put_bar(self, column: int) -> None:
        bar = self._view.bar
        if bar is not None:
            for row in range(bar[0], bar[0] + bar[1]):
                self._put(_HEAD + row, column, " ", "reverse")

    def _put_row(self, row: int, lines: RichTextLines) -> None:
        """A line whose commands can be clicked on."""
        self._put_line(row, lines, 0)
        view = View(lines, 1, max(len(lines.lines[0]), 1))
        self._targets[row] = [(begin, end, command) for begin, end, _ in lines.font_attr_segs.get(0, ())
                              if (command := view.link(0, begin)) is not None]

    def _put_line(self, row: int, lines: RichTextLines, number: int) -> None:
        text = lines.lines[number]
        self._put(row, 0, text, None)
        for begin, end, font in lines.font_attr_segs.get(number, ()):
            self._put(row, begin, text[begin:end], font)

    def _put(self, row: int, column: int, text: str, font: Any) -> None:
        attributes = 0
        for name in fonts_of(font):
            attributes |= self._fonts.get(name, 0)
        room = self._window.getmaxyx()[1] - column
        with contextlib.suppress(curses.error):  # a character in the last corner, or a terminal that has become smaller
            self._window.addnstr(row, column, text, room, attributes)


def _fonts() -> dict[str, int]:
    """The attribute of each font that the terminal has."""
    found = {"bold": curses.A_BOLD, "underline": curses.A_UNDERLINE, "reverse": curses.A_REVERSE,
             "blink": curses.A_BLINK, "gray": curses.A_DIM}
    if not curses.has_colors():
        return found | {f"{name}_on_white": curses.A_REVERSE for name in _COLORS}
    curses.start_color()
    curses.use_default_colors()
    for number, name in enumerate(_COLORS):
        for ground, behind in (("", -1), ("_on_white", curses.COLOR_WHITE), ("_on_green", curses.COLOR_GREEN),
                               ("_on_red", curses.COLOR_RED)):
            pair = 1 + number + len(_COLORS) * ("", "_on_white", "_on_green", "_on_red").index(ground)
            curses.init_pair(pair, number, behind)
            found[f"{name}{ground}"] = curses.color_pair(pair)
    return found
