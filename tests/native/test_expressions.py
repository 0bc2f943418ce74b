"""What native/expressions.c matches and rewrites is what RE2, or the translation that stands in for it, does."""

import os
import random

import numpy as np
import pytest

import evergraph as tf
from evergraph import native
from evergraph.ops.strings import expressions, regex
from evergraph.ops.strings.programs import program_of
from tests.harness.session import run

pytestmark = pytest.mark.skipif(native.expressions is None, reason="the C code was not built here, or is turned off")
PATTERNS = int(os.environ.get("EVERGRAPH_FUZZ", 300))

ATOMS = ["a", "b", "[ab]", "[^a]", ".", "ä", "[ä-ö]", r"\d", r"\w", r"\s", "(a)", "(b|c)", "(?:ab|a)", "(a|ab)(c|bcd)",
         "[0-9]", r"[^\n]", "é|e", r"\W", "[[:alpha:]]", "(a|b)*?c", "a{2,3}", "(ab){1,2}?", "(a+)(b+)", "(?s).",
         "(?U)a+", r"\x{20AC}", r"\Qa.b\E", "[€-😀]", r"\z", "[^[:space:]a-c]"]
PLACES = [r"\b", r"\B", "^", "$", "(?m:^)", "(?m)$", r"\A", r"\z"]
REPEATS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"]
TEXTS = [b"", b"a", b"ab", b"aab", b"abcd", b"xaxb b", "äääaö€".encode(), b"a\nb\nab", b"\xff\xfea", b"12 ab 345",
         b"a\0b", b"abab abc", bytes(range(256)), b"e\xcc\x81\xc3", "a.b 😀".encode(), b"\xed\xa0\x80\xe2\x82",
         b"\xf4\x90\x80\x80a\xe0\x80\x80"]


def array(texts):
    made = np.empty(len(texts), object)
    made[:] = texts
    return made


def pattern_of(generator):
    pattern = ""
    for _ in range(generator.randint(1, 4)):
        pattern += generator.choice(PLACES) if generator.random() < 0.2 else (
            generator.choice(ATOMS) + generator.choice(REPEATS))
        pattern += "|" if generator.random() < 0.15 else ""
    return pattern.encode()


def test_random_patterns():
    pytest.importorskip("re2")
    generator, tried = random.Random(1), 0
    for _ in range(PATTERNS):
        pattern, texts = pattern_of(generator), array(generator.sample(TEXTS, 5))
        try:
            matches = expressions.full_match(pattern)
        except expressions.PatternError:
            continue
        if program_of(pattern) is None:
            continue
        tried += 1
        groups = min(expressions._compiled(pattern).pattern.groups, 9)
        rewrite = b"<" + b",".join(b"\\%d" % group for group in range(groups + 1)) + b">"
        assert regex._matches(texts, pattern).tolist() == [matches(text) for text in texts], pattern
        for everywhere in (True, False):
            wanted = [expressions.replacement(pattern, rewrite, everywhere)(text) for text in texts]
            assert regex._replace(texts, pattern, rewrite, everywhere).tolist() == wanted, pattern
    assert tried > PATTERNS / 2


@pytest.mark.parametrize("pattern", [b"(?i)a", rb"\pL", rb"[\p{Greek}]", b"(a*)*", b"(|a)+", "[ä-ö]{900}".encode()])
def test_patterns_without_a_program(pattern):
    assert program_of(pattern) is None
    assert regex._matches(array([b"a"]), pattern).tolist() == [expressions.full_match(pattern)(b"a")]


@pytest.mark.parametrize("pattern", [b"(a+)+", b"(a|aa)*b", b"a?" * 20 + b"a" * 20, b"(.*)(.*)(.*)x", b"(a|b|ab)*c"])
def test_patterns_that_make_others_backtrack_take_linear_time(pattern):
    assert program_of(pattern) is not None
    texts = array([b"a" * 50_000 + b"!", b"ab" * 20_000])
    assert not regex._matches(texts, pattern).any()
    assert regex._replace(texts, b"[a-z]+[0-9]", b"-", True).tolist() == texts.tolist()
    assert regex._replace(texts, b"(a|aa|ab)+$", b"-", True).tolist() == [texts[0], b"-"]


def test_many_matches_and_changed_sizes():
    text = b"one two " * 20_000
    assert run(tf.strings.regex_replace([text, b""], "o", "000")).tolist() == [text.replace(b"o", b"000"), b""]
    assert run(tf.strings.regex_replace([text], r"(\w+) (\w+)", r"\2 \1")).tolist() == [b"two one " * 20_000]


def test_strings_without_a_match_are_the_same_objects():
    texts = array([b"a string of some length"])
    assert regex._replace(texts, b"[0-9]", b"", True)[0] is texts[0]


def test_wrong_programs_are_refused():
    good, texts, out = program_of(b"(a|b)+"), array([b"a"]), np.zeros(1, bool)
    code = np.frombuffer(good.code, np.int32).reshape(-1, 4)
    wrong = [code[:0], code[:-1]]
    for column, value in ((0, -1), (0, 6), (1, -1), (1, 10**6), (2, 10**6), (3, 7)):
        for row in range(len(code)):
            changed = code.copy()
            changed[row, column] = value
            wrong.append(changed)
    refused = 0
    for each in wrong:
        try:
            native.expressions.match(texts, 0, each.tobytes(), good.firsts[:33 * len(each)], out)
        except ValueError:
            refused += 1
    assert refused >= 2 + 2 * len(code) + 6  # no argument of a byte or of the match counts
    for call in (lambda: native.expressions.match(texts, 0, good.code, good.firsts[:-1], out),
                 lambda: native.expressions.match(texts, 2, good.code, good.firsts, out),
                 lambda: native.expressions.match(texts, 0, good.code, good.firsts, np.zeros(2, bool)),
                 lambda: native.expressions.rewrite(texts, 0, good.code, good.firsts, (10,), True, texts.copy()),
                 lambda: native.expressions.rewrite(texts, 0, good.code, good.firsts, (-2,), True, texts.copy())):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        native.expressions.rewrite(texts, 0, good.code, good.firsts, ("text",), True, texts.copy())
