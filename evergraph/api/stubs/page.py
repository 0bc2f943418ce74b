"""One stub file while it is being written: its imports, and how a definition is laid out."""

import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Sequence

WIDTH = 120
INDENT = "    "
ROOM = WIDTH - 3 * len(INDENT)  # what a definition may take: the classes of messages stand three deep
HEADER = "# Written by `python -m evergraph.api.generate`; not edited by hand."


class Page:
    """Collects the imports of one file.

    Args:
        module: the module that the file describes.
        own: the names that the file gives a meaning.
        members: the names that a class in it gives a meaning of its own.
    """

    def __init__(self, module: str, own: Iterable[str], members: Iterable[str]) -> None:
        self.module, self.members = module, frozenset(members)
        self.taken = {*own, *members}
        self._local: dict[tuple[str, str], str] = {}

    def show(self, type_text: str) -> str:
        """A type as this file writes it, each <module:name> by the name it is imported under."""
        return re.sub(r"<([\w.]+):(\w+)>", lambda match: self.name(match[1], match[2]), type_text)

    def name(self, module: str, name: str) -> str:
        """What the file calls `name` of `module`."""
        if module == self.module and name not in self.members or module == "builtins" and name not in self.taken:
            return name
        if (module, name) not in self._local:
            local = name
            while local in self.taken:
                local = f"_{local}"
            self.taken.add(local)
            self._local[module, name] = local
        return self._local[module, name]

    def imports(self) -> list[str]:
        """The import statements; what they bring is not part of the file's public names."""
        homes: defaultdict[str, list[str]] = defaultdict(list)
        for (module, name), local in sorted(self._local.items()):
            homes[module].append(name if local == name else f"{name} as {local}")
        return [line for module, names in sorted(homes.items()) for line in imported(module, names)]


def imported(module: str, names: Sequence[str]) -> list[str]:
    """`from module import names`, in as many lines as it takes."""
    whole = f"from {module} import {', '.join(names)}"
    if len(whole) <= WIDTH:
        return [whole]
    return [f"from {module} import (", *filled([f"{name}," for name in names], INDENT), ")"]


def defined(name: str, parameters: Sequence[str], result: str, summary: str | None) -> list[str]:
    """A function: its signature, and the first sentence of what it says about itself."""
    lines = [f"def {name}({', '.join(parameters)}) -> {result}:"]
    if len(lines[0]) > ROOM - len(" ..."):
        lines = [f"def {name}(", *filled([f"{each}," for each in parameters], INDENT), f") -> {result}:"]
    if summary is None:
        lines[-1] += " ..."
        return lines
    return [*lines, *indented(docstring(summary))]


def filled(words: Sequence[str], indent: str) -> list[str]:
    """Lines of as many words as fit."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= ROOM:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines


def spaced(entries: Iterable[list[str]]) -> list[str]:
    """The entries one below the other, with an empty line around those of several lines."""
    lines: list[str] = []
    wide = False
    for entry in entries:
        if lines and (wide or len(entry) > 1):
            lines.append("")
        wide = len(entry) > 1
        lines += entry
    return lines


def indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line if line else line for line in lines]


def docstring(sentence: str) -> list[str]:
    text = sentence.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    text = f"{text[:-1]}\\\"" if text.endswith('"') else text
    return textwrap.wrap(f'"""{text}"""', ROOM - len(INDENT), break_long_words=False, break_on_hyphens=False)


def summary(doc: str | None) -> str | None:
    """The first sentence of a docstring."""
    paragraph = " ".join(inspect.cleandoc(doc).partition("\n\n")[0].split()) if doc else ""
    end = re.search(r"(?<!\be\.g)(?<!\bi\.e)[.!?](?=\s+[A-Z`'\"(])", paragraph)
    return (paragraph[: end.end()] if end else paragraph.removesuffix(":")) or None
