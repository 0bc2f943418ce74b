"""The debugger's prompt: reads commands and shows their answers, in lines."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger import parser as parsing
from evergraph.debug.debugger.commands import (
    EXPLICIT_USER_EXIT,
    CommandHandlerRegistry,
    CommandHistory,
    CommandLineExit,
    TabCompletionRegistry,
)
from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.lines import RichTextLines

CLI_PROMPT = "tfdbg> "
CLI_EXIT_COMMANDS = ["exit", "quit"]
ERROR_MESSAGE_PREFIX = "ERROR: "


class ReadlineUI:
    """A prompt of lines, with completion and history where Python has readline.

    Args:
        on_ui_exit: is called when it ends.
        config: its settings.
    """

    def __init__(self, on_ui_exit: Callable[[], Any] | None = None, config: CLIConfig | None = None) -> None:
        self._on_ui_exit, self._config = on_ui_exit, config or CLIConfig()
        self._registry, self._completions = CommandHandlerRegistry(), TabCompletionRegistry()
        self._history = CommandHistory()
        self._has_history = False
        config_parser = argparse.ArgumentParser(description="config command", usage=argparse.SUPPRESS)
        parts = config_parser.add_subparsers()
        setting = parts.add_parser("set")
        setting.add_argument("property_name", type=str)
        setting.add_argument("property_value", type=str)
        parts.add_parser("show")
        self._config_parser = config_parser
        self.register_command_handler("config", self._configured, config_parser.format_help(), ["cfg"])

    def set_help_intro(self, help_intro: RichTextLines) -> None:
        """Sets what `help` says before the commands."""
        self._registry.set_help_intro(help_intro)

    def register_command_handler(self, prefix: str, handler: Any, help_info: str,
                                 prefix_aliases: Sequence[str] | None = None) -> None:
        """Adds a command; see CommandHandlerRegistry."""
        self._registry.register_command_handler(prefix, handler, help_info, prefix_aliases)
        for word in (prefix, *(prefix_aliases or ())):
            if self._completions.get_completions("", "")[0] is None:
                self._completions.register_tab_comp_context([""], [])
            self._completions.extend_comp_items("", [word])

    def register_tab_comp_context(self, context_words: list[str], comp_items: list[str]) -> None:
        """Adds words that complete commands."""
        self._completions.register_tab_comp_context(context_words, comp_items)

    def run_ui(self, init_command: str | None = None, title: str | None = None, title_color: str | None = None,
               enable_mouse_on_start: bool = True) -> Any:
        """Asks for commands until one ends the prompt.

        Args:
            init_command: a command to begin with.
            title: a line to begin with.
            title_color, enable_mouse_on_start: for screens, which lines are not.

        Returns:
            What the command that ended it has returned.
        """
        if title is not None:
            print(title)
        if init_command is not None:
            self._dispatch(init_command)
        token = self._asked()
        if self._on_ui_exit is not None:
            self._on_ui_exit()
        return token

    def _asked(self) -> Any:
        self._prepare_readline()
        while True:
            command = self._get_user_command()
            token = self._dispatch(command)
            if token is not None:
                return token

    def _prepare_readline(self) -> None:
        with contextlib.suppress(ImportError):  # a Python without readline has a prompt without completion
            import readline

            readline.set_completer(self._completed)
            readline.parse_and_bind("tab: complete")

    def _completed(self, text: str, state: int) -> str | None:
        import readline

        words = readline.get_line_buffer().split(" ")
        context = words[0] if len(words) > 1 else ""
        found, _ = self._completions.get_completions(context, text)
        return [*(found or ()), None][state] if state <= len(found or ()) else None

    def _get_user_command(self) -> str:
        """The next command; at the end of the input the program goes on without the prompt."""
        print("")
        try:
            return input(CLI_PROMPT).strip()
        except EOFError:
            return "exit"

    def _dispatch(self, command: str) -> Any:
        """Runs a command; what ends the prompt, or None."""
        if command in CLI_EXIT_COMMANDS:
            return EXPLICIT_USER_EXIT
        try:
            prefix, args, path = self._parsed(command)
        except SyntaxError as error:
            print(str(error))
            return None
        if not prefix:
            self._display_output(RichTextLines([""]))
            return None
        self._history.add_command(command)
        if not self._registry.is_registered(prefix):
            self._display_output(RichTextLines([f'{ERROR_MESSAGE_PREFIX}Invalid command prefix "{prefix}"']))
            return None
        try:
            output = self._registry.dispatch_command(prefix, args, screen_info=None)
        except CommandLineExit as ended:
            return ended.exit_token
        if output is not None:
            self._display_output(output)
            if path:
                try:
                    output.write_to_file(path)
                    print(f"Wrote output to {path}")
                except OSError as error:
                    print(f"Failed to write output to {path}: {error}")
        return None

    def _parsed(self, command: str) -> tuple[str, list[str], str | None]:
        words = parsing.parse_command(command)
        args, path = parsing.extract_output_file_path(words[1:]) if words else ([], None)
        return (words[0] if words else ""), args, path

    def _display_output(self, screen_output: RichTextLines) -> None:
        for line in screen_output.lines:
            print(line)

    def _configured(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        parsed = self._config_parser.parse_args(args)
        if hasattr(parsed, "property_name") and hasattr(parsed, "property_value"):
            self._config.set(parsed.property_name, parsed.property_value)
            return self._config.summarize(highlight=parsed.property_name)
        return self._config.summarize()


def get_ui(ui_type: str, on_ui_exit: Any = None, available_ui_types: Sequence[str] | None = None,
           config: CLIConfig | None = None) -> ReadlineUI:
    """A prompt of a kind: "curses", the screen, where there is a terminal, or "readline".

    Raises:
        ValueError: there is no such kind.
    """
    if ui_type not in (available_ui_types or ("curses", "readline")):
        raise ValueError(f"Invalid ui_type: {ui_type!r}")
    return ReadlineUI(on_ui_exit, config)


def is_terminal() -> bool:
    """Whether a person is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
