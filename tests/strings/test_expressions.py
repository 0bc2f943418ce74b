"""Matching and rewriting, by RE2 and by the translation that stands in for it."""

import time

import pytest

import evergraph as tf
from evergraph.ops.strings import expressions
from tests.harness.session import run


@pytest.fixture(params=["google-re2", "translation"])
def engine(request, monkeypatch):
    if request.param == "google-re2":
        pytest.importorskip("re2")
    else:
        monkeypatch.setattr(expressions, "_engine", lambda: None)
    expressions._compiled.cache_clear()
    yield request.param
    expressions._compiled.cache_clear()


@pytest.mark.parametrize("pattern, rewrite, text, result", [
    (b"a*", b"-", b"baac", b"-b-c-"), (b"(a)(b)?", rb"\2\1", b"aab", b"aba"), (b"a", b"\\", b"a", b""),
    (b"a", rb"\1", b"a", b"a"), (b"x*", b".", "äß".encode(), ".ä.ß.".encode()),
    (b"x*", b".", b"\xff\xfe", b".\xff.\xfe."),
    ("ä".encode(), rb"<\0\\>", "aäa".encode(), "a<ä\\>a".encode()),
])  # fmt: skip
def test_rewrites(engine, pattern, rewrite, text, result):
    assert expressions.replacement(pattern, rewrite, True)(text) == result


@pytest.mark.parametrize("pattern, text, whole", [
    (rb"(\w+\s?)+", b"some words", True), (rb"\pL+", "äß".encode(), True), (rb".", b"\xff", False), (b"", b"", True),
    (b"(?i)straSSE", b"STRASSE", True), (b"^a$", b"a\n", False),
])  # fmt: skip
def test_full_matches(engine, pattern, text, whole):
    assert expressions.full_match(pattern)(text) is whole


@pytest.mark.parametrize("pattern", [b"(", b"a**", rb"\1", b"(?=a)", b"\xff"])
def test_wrong_patterns(engine, pattern):
    with pytest.raises(expressions.PatternError):
        expressions.full_match(pattern)


def test_large_patterns_are_refused_as_tensorflow_refuses_them():
    pytest.importorskip("re2")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
        run(tf.strings.regex_full_match(["a"], "((a{100}){100}){100}"))


@pytest.mark.parametrize("pattern", [b"(a+)+", b"(a|aa)*", b"(a*)*b", b"((a?)+)+c"])
def test_patterns_that_make_python_backtrack(engine, pattern):
    started = time.perf_counter()
    if engine == "translation":
        with pytest.raises(tf.errors.UnimplementedError, match="google-re2"):
            expressions.full_match(pattern)(b"a" * 200 + b"!")
        expressions.full_match(pattern)(b"aaa!")
    else:
        assert not expressions.full_match(pattern)(b"a" * 20000 + b"!")
    assert time.perf_counter() - started < 5
