"""Ops that match strings against RE2 regular expressions; see `re2` for the syntax."""
import numpy as np

from evergraph import native
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import same_as, with_rank
from evergraph.kernel.rows import along_first
from evergraph.ops.strings.expressions import PatternError, full_match, replacement, rewrite_pieces
from evergraph.ops.strings.programs import program_of
from evergraph.ops.strings.strings import as_bytes, shown
from evergraph.ops.strings.walking import each


def _read(reader, pattern, *arguments):
    try:
        return reader(pattern, *arguments)
    except PatternError as error:
        raise invalid(f"Invalid pattern: {pattern.decode('utf-8', 'replace')}, error: {error}") from None


def _one(value, what):
    """A scalar string."""
    if np.ndim(value):
        raise invalid(f"{what} must be scalar, but received {shown(np.shape(value))}")
    return np.asarray(value, object).item()


def _matches(strings, pattern):
    matches, program = _read(full_match, pattern), program_of(pattern)
    if program is None:
        return each(matches, strings, dtype=bool)
    return each(matches, strings, native.expressions, "match", program.code, program.firsts, dtype=bool)


def _replace(strings, pattern, rewrite, everywhere):
    replaced, program = _read(replacement, pattern, rewrite, everywhere), program_of(pattern)
    pieces = rewrite_pieces(pattern, rewrite, everywhere)
    if program is None or pieces is None:
        return each(replaced, strings)
    return each(replaced, strings, native.expressions, "rewrite", program.code, program.firsts, tuple(pieces),
                everywhere)


@op("RegexFullMatch(input: string, pattern: string) -> output: bool", grad=STOP, in_batches=along_first)
def regex_full_match(input, pattern):
    """Whether the pattern matches the whole of each string."""
    return _matches(input, _one(pattern, "Pattern"))


@regex_full_match.shape
def _(input, pattern):
    with_rank(pattern, 0)
    return input


@op("StaticRegexFullMatch(input: string, *, pattern: string) -> output: bool", shape=same_as("input"), grad=STOP,
    in_batches=along_first)
def static_regex_full_match(input, pattern):
    """RegexFullMatch with a pattern that is an attr."""
    return _matches(input, as_bytes(pattern))


@op("RegexReplace(input: string, pattern: string, rewrite: string, *, replace_global: bool = True) -> output: string",
    grad=STOP, in_batches=along_first)
def regex_replace(input, pattern, rewrite, replace_global):
    """Replaces the first match, or all matches, of a pattern in each string."""
    return _replace(input, _one(pattern, "Pattern"), _one(rewrite, "Rewrite"), replace_global)


@regex_replace.shape
def _(input, pattern, rewrite):
    with_rank(pattern, 0)
    with_rank(rewrite, 0)
    return input


@op("StaticRegexReplace(input: string, *, pattern: string, rewrite: string, replace_global: bool = True) -> "
    "output: string", shape=same_as("input"), grad=STOP, in_batches=along_first)
def static_regex_replace(input, pattern, rewrite, replace_global):
    """RegexReplace with a pattern and a rewrite that are attrs."""
    return _replace(input, as_bytes(pattern), as_bytes(rewrite), replace_global)
