"""Converts sources for Python 2 to Python 3: their syntax and names by fissix, and the division of whole numbers."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import io
import tokenize
from functools import cache
from typing import Any

from evergraph.cli.audits.tokens import imports

PACKAGE = "fissix"
"""What 2to3 was in Python up to 3.12, kept alive."""


class NotConverted(SyntaxError):
    """A source is for neither Python; the message says where."""


def is_installed() -> bool:
    """Whether there is a converter."""
    return importlib.util.find_spec(PACKAGE) is not None


def converted(source: str | bytes, path: str) -> tuple[str, bool]:
    """A source for Python 3, and whether its division of whole numbers is that of Python 2.

    A source that asks for print_function or division from __future__ has these already.

    Raises:
        NotConverted: the converter cannot parse it either.
    """
    text = source.decode(_encoding(source)) if isinstance(source, bytes) else source
    text = text.replace("\r\n", "\n")
    try:
        made = str(tool().refactor_string(text if text.endswith("\n") else text + "\n", path) or text)
        return made, "division" not in _asked_for(text)
    except SyntaxError:
        raise
    except Exception as error:  # fissix has classes of its own for what it cannot parse
        raise NotConverted(f"{path} cannot be converted from Python 2: {error}") from None


@cache
def tool() -> Any:
    """The converter; imported before the program's imports are hooked."""
    refactor = importlib.import_module(f"{PACKAGE}.refactor")
    return refactor.RefactoringTool(refactor.get_fixers_from_package(f"{PACKAGE}.fixes"))


def _asked_for(text: str) -> set[str]:
    """What a source imports from __future__, which the converted one no longer does."""
    return {alias.name for node in imports(text) if isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for alias in node.names}  # fmt: skip


def _encoding(source: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(source).readline)[0]
    except SyntaxError:
        return "latin-1"
