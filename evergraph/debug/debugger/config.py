"""Settings of the debugger's prompt, kept in a file."""

from __future__ import annotations

import collections
import contextlib
import json
import os
from collections.abc import Callable
from typing import Any

from evergraph.debug.debugger.lines import RichLine, RichTextLines, rich_text_lines_from_rich_line_list

_FILE = ".tfdbg_config"
_DEFAULTS: list[tuple[str, Any]] = [("graph_recursion_depth", 20), ("mouse_mode", True)]


class CLIConfig:
    """The settings.

    Args:
        config_file_path: the file; by default ~/.tfdbg_config.
    """

    def __init__(self, config_file_path: str | None = None) -> None:
        self._path = config_file_path or os.path.join(os.path.expanduser("~"), _FILE)
        self._values = collections.OrderedDict(_DEFAULTS)
        with contextlib.suppress(OSError, ValueError), open(self._path) as file:  # then these are the defaults
            self._values.update((key, value) for key, value in json.load(file).items() if key in self._values)
        self._save()
        self._callbacks: dict[str, Callable[[CLIConfig], Any]] = {}

    def get(self, property_name: str) -> Any:
        """A setting; KeyError if there is none of that name."""
        self._require(property_name)
        return self._values[property_name]

    def set(self, property_name: str, property_val: Any) -> None:
        """Changes a setting, in the file too, and calls its callback. Strings become what the setting is.

        Raises:
            KeyError: there is no such setting.
            ValueError: the string is no such value.
        """
        self._require(property_name)
        kind = type(self._values[property_name])
        if kind is bool and isinstance(property_val, str):
            if property_val.lower() not in ("1", "true", "0", "false"):
                raise ValueError(f"{property_name} is true or false, not {property_val!r}")
            property_val = property_val.lower() in ("1", "true")
        self._values[property_name] = kind(property_val)
        self._save()
        if property_name in self._callbacks:
            self._callbacks[property_name](self)

    def set_callback(self, property_name: str, callback: Callable[[CLIConfig], Any]) -> None:
        """Has a function called with the settings whenever one changes.

        Raises:
            KeyError: there is no such setting.
            TypeError: the function is none.
        """
        self._require(property_name)
        if not callable(callback):
            raise TypeError("the callback is not callable")
        self._callbacks[property_name] = callback

    def summarize(self, highlight: str | None = None) -> RichTextLines:
        """The settings as lines."""
        lines: list[Any] = [RichLine("Command-line configuration:", "bold"), RichLine("")]
        for name, value in self._values.items():
            is_marked = name == highlight
            line = RichLine("  ") + RichLine(name, ["underline", "bold"] if is_marked else "underline")
            lines.append(line + ": " + RichLine(str(value), "bold" if is_marked else None))
        return rich_text_lines_from_rich_line_list(lines)

    def _require(self, name: str) -> None:
        if name not in self._values:
            raise KeyError(f"{name} is not a valid property name; there are {list(self._values)}")

    def _save(self) -> None:
        with contextlib.suppress(OSError), open(self._path, "w") as file:  # the settings hold in this session alone
            json.dump(self._values, file)
