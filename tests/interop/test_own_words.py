"""No sentence of TensorFlow's is in evergraph: no text of ours has eight words in a row of one of theirs."""

from pathlib import Path

from tests.interop.judge import PYTHON
from tests.interop.own_words import Texts, own_files, read_library, read_python, shared, theirs, words_of

ALLOWED = Path(__file__).with_name("own_words_allowed.txt")
PLANTED = '''
"""A page in our own words, nothing else.

Args:
    name: a name for the operation.
"""
raise ValueError(f"{name}: the quick brown fox, {age} years old, "
                 "jumps over the lazy dog")
'''


def plain(text):
    return " ".join(word for _, word in words_of(text, 0, len(text)))


def allowed():
    lines = [line.split(":", 1) for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    return {plain(words): reason for reason, words in lines}


def packages():
    """Where the judge's interpreter has its packages."""
    root = Path(PYTHON).parents[1]
    return next(root.glob("lib/python*/site-packages"))


def test_texts_are_our_own():
    facts = allowed()
    found = list(shared(own_files(), theirs(packages())))
    in_use = {fact for fact in facts for each in found if f" {each.words} " in f" {fact} "}
    copied = [each for each in found if not any(f" {each.words} " in f" {fact} " for fact in in_use)]
    assert not copied, "say these in other words:\n" + "\n".join(map(str, copied))
    assert set(facts) == in_use, f"no text of ours has these any more: {set(facts) - in_use}"


def test_a_sentence_is_seen_around_placeholders_and_joints(tmp_path):
    ours, other = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, other):
        folder.mkdir()
    (other / "page.py").write_text('# Name: a name\nx = "The quick brown fox, %d years old, jumps" + " over a dog"\n')
    (ours / "page.py").write_text(PLANTED)
    texts = Texts()
    read_python(texts, other)
    found, = shared([ours / "page.py"], texts)
    assert (found.words, found.line) == ("the quick brown fox years old jumps over", 7)
    assert str(found).endswith("/theirs/page.py:2")


def test_an_error_of_c_is_seen_in_a_library_and_in_c(tmp_path):
    texts = Texts()
    read_library(texts, packages() / "tensorflow/libtensorflow_framework.so.2")
    page = tmp_path / "page.c"
    page.write_text('/* ours */\nfail("Assign requires shapes of both tensors "\n     "to match. lhs shape= ");\n')
    found, = shared([page], texts)
    assert found.words == "assign requires shapes of both tensors to match lhs shape" and found.line == 2
