"""The debugger's prompt: commands and their answers, read and shown in lines."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Answer:
    """The answer of a command.

    Attributes:
        output: its lines, if there are any.
        token: what the prompt returns, if the command ends it.
        note: what else there is to say: that the lines were written to a file, or what is wrong with the command.
    """

    output: RichTextLines | None = None
    token: Any = None
    note: str | None = None


class CommandUI:
    """What asks for commands: those it knows, the words that complete them, and its settings.

    Args:
        on_ui_exit: is called when it ends.
        config: its settings.
    """

    def __init__(self, on_ui_exit: Callable[[], Any] | None = None, config: CLIConfig | None = None) -> None:
        self._on_ui_exit, self._config = on_ui_exit, config or CLIConfig()
        self._registry, self._completions = CommandHandlerRegistry(), TabCompletionRegistry()
        self._completions.register_tab_comp_context([""], list(CLI_EXIT_COMMANDS))
        self._history = CommandHistory()
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
        self._completions.extend_comp_items("", [prefix, *(prefix_aliases or ())])

    def register_tab_comp_context(self, context_words: list[str], comp_items: list[str]) -> None:
        """Adds words that complete commands."""
        self._completions.register_tab_comp_context(context_words, comp_items)

    def completions(self, line: str) -> list[str]:
        """The words that the last word of a line may become."""
        words = line.split(" ")
        return self._completions.get_completions(words[0] if len(words) > 1 else "", words[-1])[0] or []

    def answer(self, command: str, screen_info: Any = None) -> Answer:
        """Runs a command."""
        if command in CLI_EXIT_COMMANDS:
            return Answer(token=EXPLICIT_USER_EXIT)
        try:
            prefix, args, path = self._parsed(command)
        except SyntaxError as error:
            return Answer(note=str(error))
        if not prefix:
            return Answer(RichTextLines([""]))
        self._history.add_command(command)
        if not self._registry.is_registered(prefix):
            return Answer(RichTextLines([f'{ERROR_MESSAGE_PREFIX}Invalid command prefix "{prefix}"']))
        try:
            output = self._registry.dispatch_command(prefix, args, screen_info=screen_info)
        except CommandLineExit as ended:
            return Answer(token=ended.exit_token)
        return Answer(output, note=_written(output, path) if output is not None and path else None)

    def _parsed(self, command: str) -> tuple[str, list[str], str | None]:
        words = parsing.parse_command(command)
        args, path = parsing.extract_output_file_path(words[1:]) if words else ([], None)
        return (words[0] if words else ""), args, path

    def _configured(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        parsed = self._config_parser.parse_args(args)
        if hasattr(parsed, "property_name") and hasattr(parsed, "property_value"):
            self._config.set(parsed.property_name, parsed.property_value)
            return self._config.summarize(highlight=parsed.property_name)
        return self._config.summarize()


def _written(output: RichTextLines, path: str) -> str:
    """Writes an answer to a file; what to say of that."""
    try:
        output.write_to_file(path)
    except OSError as error:
        return f"Failed to write output to {path}: {error}"
    return f"Wrote output to {path}"


class ReadlineUI(CommandUI):
    """A prompt of lines, with completion and history where Python has readline."""

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
        self._prepare_readline()
        token = None
        while token is None:
            token = self._dispatch(self._get_user_command())
        if self._on_ui_exit is not None:
            self._on_ui_exit()
        return token

    def _prepare_readline(self) -> None:
        with contextlib.suppress(ImportError):  # a Python without readline has a prompt without completion
            import readline

            readline.set_completer(self._completed)
            readline.parse_and_bind("tab: complete")

    def _completed(self, text: str, state: int) -> str | None:
        import readline

        found = [*self.completions(readline.get_line_buffer()), None]
        return found[state] if state < len(found) else None

    def _get_user_command(self) -> str:
        """The next command; at the end of the input the program goes on without the prompt."""
        print("")
        try:
            return input(CLI_PROMPT).strip()
        except EOFError:
            return "exit"

    def _dispatch(self, command: str) -> Any:
        """Runs a command and prints its answer; what ends the prompt, or None."""
        answer = self.answer(command)
        for line in () if answer.output is None else answer.output.lines:
            print(line)
        if answer.note is not None:
            print(answer.note)
        return answer.token
