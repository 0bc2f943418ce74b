"""The commands of the debugger's prompt: their handlers and help, completion of words, and history."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evergraph.debug.debugger.lines import RichTextLines, get_tensorflow_version_lines

EXPLICIT_USER_EXIT = "explicit_user_exit"
_HISTORY = "~/.tfdbg_history"
_INDENT = "  "


class CommandLineExit(Exception):
    """Ends the prompt.

    Args:
        exit_token: what the prompt returns.
    """

    def __init__(self, exit_token: Any = None) -> None:
        super().__init__()
        self._exit_token = exit_token

    exit_token = property(lambda self: self._exit_token)


Handler = Callable[..., RichTextLines | None]


class CommandHandlerRegistry:
    """The commands by their first words. `help` and `version` are among them."""

    HELP_COMMAND, HELP_COMMAND_ALIASES = "help", ["h"]
    VERSION_COMMAND, VERSION_COMMAND_ALIASES = "version", ["ver"]

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._aliases: dict[str, str] = {}
        self._help: dict[str, str] = {}
        self._help_intro: RichTextLines | None = None
        self.register_command_handler(self.HELP_COMMAND, self._help_handler, "Print this help message.",
                                      self.HELP_COMMAND_ALIASES)
        self.register_command_handler(self.VERSION_COMMAND, self._version_handler,
                                      "Print the versions of TensorFlow and its key dependencies.",
                                      self.VERSION_COMMAND_ALIASES)

    def register_command_handler(self, prefix: str, handler: Handler, help_info: str,
                                 prefix_aliases: Sequence[str] | None = None) -> None:
        """Adds a command.

        Args:
            prefix: its first word.
            handler: takes the other words, and the keyword `screen_info`, and returns lines or None.
            help_info: what `help` says of it.
            prefix_aliases: other first words.

        Raises:
            ValueError: a word is taken, or an argument is of another type.
        """
        if not prefix:
            raise ValueError("Empty command prefix")
        if prefix in self._handlers:
            raise ValueError(f"A handler is already registered for command prefix {prefix!r}")
        if not callable(handler):
            raise ValueError("handler is not callable")
        if not isinstance(help_info, str):
            raise ValueError("help_info is not a str")
        for alias in prefix_aliases or ():
            if self._resolved(alias):
                raise ValueError(f"The prefix alias {alias!r} clashes with existing prefixes or aliases")
        self._handlers[prefix], self._help[prefix] = handler, help_info
        self._aliases.update(dict.fromkeys(prefix_aliases or (), prefix))

    def dispatch_command(self, prefix: str, argv: Sequence[str], screen_info: Any = None) -> RichTextLines | None:
        """The answer of a command.

        What its handler raises is the answer too, except for the exception that ends the prompt.

        Raises:
            ValueError: there is no such command, or its handler returned something else than lines.
        """
        if not prefix:
            raise ValueError("Prefix is empty")
        name = self._resolved(prefix)
        if not name:
            raise ValueError(f"No handler is registered for command prefix {prefix!r}")
        try:
            output = self._handlers[name](argv, screen_info=screen_info)
        except CommandLineExit:
            raise
        except SystemExit:  # of the parser, which has printed how the command is used
            return RichTextLines([f'Syntax error for command: {name}', f'For help, do "help {name}"'])
        except Exception as error:  # shown to the user, who goes on with another command
            lines = [f"Error occurred during handling of command: {prefix} {' '.join(argv)}:",
                     f"{type(error)}: {error}", "", *"".join(traceback.format_exception(error)).split("\n")]
            return RichTextLines(lines)
        if not isinstance(output, RichTextLines) and output is not None:
            raise ValueError(f"Return value from command handler {self._handlers[name]} is not None or a RichTextLines "
                             "instance")
        return output

    def is_registered(self, prefix: str) -> bool:
        """Whether there is such a command."""
        return self._resolved(prefix) is not None

    def get_help(self, cmd_prefix: str | None = None) -> RichTextLines:
        """What a command does, or what all of them do."""
        if not cmd_prefix:
            found = RichTextLines([])
            if self._help_intro is not None:
                found.extend(RichTextLines(list(self._help_intro.lines), self._help_intro.font_attr_segs,
                                           self._help_intro.annotations))
            for name in sorted(self._handlers):
                found.extend(self._help_of(name))
                found.extend(RichTextLines(["", ""]))
            return found
        return self._help_of(cmd_prefix)

    def set_help_intro(self, help_intro: RichTextLines) -> None:
        """Sets what `help` says before the commands."""
        self._help_intro = help_intro

    def _resolved(self, prefix: str) -> str | None:
        return prefix if prefix in self._handlers else self._aliases.get(prefix)

    def _help_of(self, prefix: str) -> RichTextLines:
        name = self._resolved(prefix)
        if name is None:
            return RichTextLines([f'Invalid command prefix: "{prefix}"'])
        lines = [name]
        aliases = [alias for alias, of in self._aliases.items() if of == name]
        if aliases:
            lines.append(f"{_INDENT}Aliases: {', '.join(aliases)}")
        return RichTextLines([*lines, "", *(_INDENT + line for line in self._help[name].split("\n"))])

    def _help_handler(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        if len(args) > 1:
            return RichTextLines(["ERROR: help takes only 0 or 1 input argument."])
        return self.get_help(*args)

    def _version_handler(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        return get_tensorflow_version_lines(include_dependency_versions=True)


class TabCompletionRegistry:
    """Words that complete commands, by context: the first words of the commands that take them."""

    def __init__(self) -> None:
        self._words: dict[str, list[str]] = {}  # context word -> the list that all words of the context share

    def register_tab_comp_context(self, context_words: Sequence[str], comp_items: Iterable[str]) -> None:
        """Adds a context.

        Raises:
            TypeError: an argument is no list.
            ValueError: a word of it is in another context.
        """
        if not isinstance(context_words, list) or not isinstance(comp_items, list):
            raise TypeError("context_words and comp_items have to be lists")
        items = sorted(comp_items)
        for word in context_words:
            if word in self._words:
                raise ValueError(f"The context word {word!r} has been registered already")
            self._words[word] = items

    def deregister_context(self, context_words: Sequence[str]) -> None:
        """Removes words of contexts.

        Raises:
            KeyError: one is in none.
        """
        for word in context_words:
            if word not in self._words:
                raise KeyError(f'Cannot deregister unregistered context word "{word}"')
        for word in context_words:
            del self._words[word]

    def extend_comp_items(self, context_word: str, new_comp_items: Iterable[str]) -> None:
        """Adds words that complete; KeyError if there is no such context."""
        items = self._of(context_word)
        items[:] = sorted([*items, *new_comp_items])

    def remove_comp_items(self, context_word: str, comp_items: Iterable[str]) -> None:
        """Removes words that complete; KeyError if there is no such context."""
        items, gone = self._of(context_word), set(comp_items)
        items[:] = [item for item in items if item not in gone]

    def get_completions(self, context_word: str, prefix: str) -> tuple[list[str] | None, str | None]:
        """The words that begin so, and what all of these begin with; (None, None) if there is no such context."""
        if context_word not in self._words:
            return None, None
        found = [item for item in self._words[context_word] if item.startswith(prefix)]
        return found, os.path.commonprefix(found)

    def _of(self, context_word: str) -> list[str]:
        if context_word not in self._words:
            raise KeyError(f'Context word "{context_word}" has not been registered')
        return self._words[context_word]


class CommandHistory:
    """The last commands, kept in a file from session to session where that can be written.

    Args:
        limit: how many of them.
        history_file_path: the file; by default ~/.tfdbg_history.
    """

    def __init__(self, limit: int = 100, history_file_path: str | None = None) -> None:
        self._limit, self._path = limit, history_file_path or os.path.expanduser(_HISTORY)
        self._commands: list[str] = []
        with contextlib.suppress(OSError), open(self._path) as file:  # without a file that can be read there are none
            self._commands = [line.rstrip("\n") for line in file.readlines()[-limit:]]
        self._is_writable = True

    def add_command(self, command: str) -> None:
        """Adds a command, unless it is the last one again.

        Raises:
            TypeError: it is no string.
        """
        if not isinstance(command, str):
            raise TypeError("Attempt to enter non-str entry to command history")
        if self._commands and self._commands[-1] == command:
            return
        self._commands = [*self._commands, command][-self._limit:]
        if not self._is_writable:
            return
        try:
            if os.path.exists(self._path) and not os.access(self._path, os.W_OK) or self._is_read_only():
                raise PermissionError(self._path)
            with open(self._path, "w") as file:
                file.writelines(f"{each}\n" for each in self._commands)
        except OSError:  # the history of this session goes on without its file
            self._is_writable = False

    def _is_read_only(self) -> bool:
        """Whether nobody may write the file, whatever root can do."""
        return os.path.exists(self._path) and not os.stat(self._path).st_mode & 0o222

    def most_recent_n(self, n: int) -> list[str]:
        """The last commands."""
        return self._commands[-n:]

    def lookup_prefix(self, prefix: str, n: int) -> list[str]:
        """The last commands that begin so."""
        return [command for command in self._commands if command.startswith(prefix)][-n:]
