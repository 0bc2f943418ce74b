r"""The reader of RE2's patterns. What patterns match is in tests/cases/regex.py."""

import pytest

from evergraph.base import errors
from evergraph.ops.strings import re2


@pytest.mark.parametrize("pattern, message", [
    ("(", "missing ): ("), (")", "unexpected ): )"), ("a**", "bad repetition operator: **"), ("[a", "missing ]: [a"),
    ("a|*", "no argument for repetition operator: *"), ("(?=a)", "invalid perl operator: (?="), ("\\", "trailing \\"),
    (r"\1", r"invalid escape sequence: \1"), ("a{1001}", "invalid repetition size: {1001}"),
    ("[z-a]", "invalid character class range: z-a"), (r"\pX", r"invalid character class range: \pX"),
    ("\udcff", "invalid UTF-8"),
])  # fmt: skip
def test_wrong_patterns_say_what_is_wrong(pattern, message):
    with pytest.raises(re2.PatternError, match="^" + "".join(f"\\x{ord(c):02x}" for c in message)):
        re2.compiled(pattern)


def test_single_bytes_are_refused():
    with pytest.raises(errors.UnimplementedError, match="single byte"):
        re2.compiled(r"\C")


@pytest.mark.parametrize("pattern, text, whole", [
    ("^*a", "a", True), (r"\Qa.b", "a.b", True), ("(?i)i", "\u0131", False), ("(?-s:.)", "\n", False),
    ("(?s)(?-s:.).", "a\n", True), ("[^a]", "\udcff", False), (r"\p{Any}", "\U0010ffff", True),
    (r"[\Wa]+", "a-\u00e9", True), ("(a*)*b", "aab", True), (r"\B", "", True), (r"[\x00-\x{10FFFF}]", "\n", True),
    (r"[^\x00-\x{10FFFF}]", "a", False), ("(?U)a+?", "aa", True), ("[[:word]", "w", True),
    (r"\p{Han}\p{^Han}", "\u4e2da", True),
])  # fmt: skip
def test_matches(pattern, text, whole):
    assert (re2.compiled(pattern).fullmatch(text) is not None) is whole


@pytest.mark.parametrize("pattern, depth", [
    ("(a+)+", 2), ("(a|bc)*", 2), ("((a?)b)*", 2), ("((a?)+)+c", 3), ("a+b*c{2,9}", 1), ("(a+)(b+)", 1), ("(ab)*", 1),
    ("(a+){1}", 1), ("a|b+", 1), ("a|bc", 0), ("(a?)", 0),
])  # fmt: skip
def test_choices_below_repetitions_are_counted(pattern, depth):
    assert re2.nested_choices(re2.compiled(pattern).pattern) == depth
