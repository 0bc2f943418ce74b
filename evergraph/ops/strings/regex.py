"""Ops that match strings against RE2 regular expressions; see `re2` for the syntax."""
import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as, with_rank
from evergraph.ops.strings import re2
from evergraph.ops.strings.strings import as_bytes, each, flat, shown


def _compiled(pattern):
    try:
        return re2.compiled(pattern)
    except re2.PatternError as error:
        raise invalid(f"Invalid pattern: {pattern}, error: {error}") from None


def _text(value, what):
    """A scalar string as text."""
    if np.ndim(value):
        raise invalid(f"{what} must be scalar, but received {shown(np.shape(value))}")
    return re2.as_text(np.asarray(value, object).item())


def _matches(strings, pattern):
    full = _compiled(pattern).fullmatch
    found = [full(re2.as_text(s)) is not None for s in flat(strings)]
    return np.array(found, bool).reshape(np.shape(strings))


def _replace(strings, pattern, rewrite, everywhere):
    read = _compiled(pattern)
    return each(lambda s: re2.as_bytes(re2.replaced(read, re2.as_text(s), rewrite, everywhere)), strings)


@op("RegexFullMatch(input: string, pattern: string) -> output: bool", grad=STOP)
def regex_full_match(input, pattern):
    """Whether the pattern matches the whole of each string."""
    return _matches(input, _text(pattern, "Pattern"))


@regex_full_match.shape
def _(input, pattern):
    with_rank(pattern, 0)
    return input


@op("StaticRegexFullMatch(input: string, *, pattern: string) -> output: bool", shape=same_as("input"), grad=STOP)
def static_regex_full_match(input, pattern):
    """RegexFullMatch with a pattern that is an attr."""
    return _matches(input, re2.as_text(as_bytes(pattern)))


@op("RegexReplace(input: string, pattern: string, rewrite: string, *, replace_global: bool = True) -> output: string",
    grad=STOP)
def regex_replace(input, pattern, rewrite, replace_global):
    """Replaces the first match, or all matches, of a pattern in each string."""
    return _replace(input, _text(pattern, "Pattern"), _text(rewrite, "Rewrite"), replace_global)


@regex_replace.shape
def _(input, pattern, rewrite):
    with_rank(pattern, 0)
    with_rank(rewrite, 0)
    return input


@op("StaticRegexReplace(input: string, *, pattern: string, rewrite: string, replace_global: bool = True) -> "
    "output: string", shape=same_as("input"), grad=STOP)
def static_regex_replace(input, pattern, rewrite, replace_global):
    """RegexReplace with a pattern and a rewrite that are attrs."""
    return _replace(input, re2.as_text(as_bytes(pattern)), re2.as_text(as_bytes(rewrite)), replace_global)
