"""Reads sources that Python 3 cannot parse: their import statements and their dotted names, token by token."""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections.abc import Iterator


def imports(text: str) -> Iterator[ast.stmt]:
    """The import statements of a source, which Python 2 and 3 write alike."""
    for statement in _statements(text):
        if statement[0].string in ("import", "from"):
            words = " ".join(token.string for token in statement)
            try:
                (parsed,) = ast.parse(words).body
            except (SyntaxError, ValueError):
                continue
            yield ast.increment_lineno(parsed, statement[0].start[0] - parsed.lineno)


def chains(text: str) -> Iterator[tuple[list[str], int, list[str]]]:
    """The dotted names `a.b.c` outside imports: words, line, and the tokens of the statement that come after."""
    for statement in _statements(text):
        if statement[0].string not in ("import", "from"):
            yield from _chains(statement)


def _chains(statement: list[tokenize.TokenInfo]) -> Iterator[tuple[list[str], int, list[str]]]:
    words: list[str] = []
    line, before = 0, ""
    for number, token in enumerate(statement):
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            if before == "." and words:
                words.append(token.string)
            else:
                if words:
                    yield words, line, []
                words, line = ([] if before == "." else [token.string]), token.start[0]
        elif token.string != "." and words:
            yield words, line, [each.string for each in statement[number:]]
            words = []
        before = token.string
    if words:
        yield words, line, []


def call(after: list[str]) -> ast.Call | None:
    """The call that the tokens after a name begin; None where they begin none, or one that Python 3 cannot parse."""
    if after[:1] != ["("]:
        return None
    depth = 0
    for number, token in enumerate(after, 1):
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if not depth:
            try:
                parsed = ast.parse(f"f{' '.join(after[:number])}", mode="eval").body
            except (SyntaxError, ValueError):
                return None
            return parsed if isinstance(parsed, ast.Call) else None
    return None


def _statements(text: str) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each logical line, up to where the source makes no sense to Python's tokenizer."""
    statement: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER) or token.string == ";":
                if statement:
                    yield statement
                statement = []
            elif token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                statement.append(token)
    except (tokenize.TokenError, SyntaxError):
        if statement:
            yield statement
