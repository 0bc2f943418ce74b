"""tf.contrib.learn.preprocessing: words and bytes of documents as rows of numbers."""

import collections
import os
import pickle
import sys
import types

import numpy as np
import pytest

import evergraph as tf

preprocessing = tf.contrib.learn.preprocessing
DOCUMENTS = ["a b c", "a\nb\nc", "a, b - c"]


def rows(found):
    found = list(found)
    assert all(isinstance(row, np.ndarray) for row in found)
    return [row.tolist() for row in found]


def test_words():
    words = list(preprocessing.tokenizer(["a, b - c", "don't CamelCase HTTPServer", "фыв 你好"]))
    assert words == [["a", "b", "-", "c"], ["don't", "Camel", "Case", "HTTP", "Server"], ["фыв", "你好"]]


def test_rare_words_are_unknown():
    processor = preprocessing.VocabularyProcessor(4, min_frequency=1)
    assert rows(processor.fit_transform(DOCUMENTS)) == [[1, 2, 3, 0], [1, 2, 3, 0], [1, 2, 0, 3]]
    assert len(processor.vocabulary_) == 4


def test_documents_are_cut_and_new_words_unknown():
    processor = preprocessing.VocabularyProcessor(max_document_length=2).fit(["to be or not"])
    found = list(processor.transform(["not to be", "be gone"]))
    assert found[0].dtype == np.int64 and rows(found) == [[4, 1], [2, 0]]
    assert list(processor.reverse(found)) == ["not to", "be <UNK>"]
    assert processor.vocabulary_._mapping == {"<UNK>": 0, "to": 1, "be": 2, "or": 3, "not": 4}


def test_saved_and_restored(tmp_path):
    processor = preprocessing.VocabularyProcessor(3).fit(DOCUMENTS)
    processor.save(str(tmp_path / "vocab"))
    restored = preprocessing.VocabularyProcessor.restore(str(tmp_path / "vocab"))
    assert rows(restored.transform(["c b"])) == [[3, 2, 0]]


def test_a_file_of_tensorflows(tmp_path):
    """Its objects have other homes, and counts that may be a defaultdict."""
    module = types.ModuleType("tensorflow.contrib.learn.python.learn.preprocessing.text")
    kinds = {name: type(name, (), {"__module__": module.__name__}) for name in
             ("VocabularyProcessor", "CategoricalVocabulary")}  # fmt: skip
    vars(module).update(kinds, tokenizer=type("tokenizer", (), {"__module__": module.__name__}))
    words = kinds["CategoricalVocabulary"]()
    vars(words).update(_unknown_token="<UNK>", _mapping={"<UNK>": 0, "b": 1}, _support_reverse=True, _freeze=True,
                       _reverse_mapping=["<UNK>", "b"], _freq=collections.defaultdict(int, b=2))  # fmt: skip
    saved = kinds["VocabularyProcessor"]()
    vars(saved).update(max_document_length=2, min_frequency=0, vocabulary_=words, _tokenizer=module.tokenizer)
    with pytest.MonkeyPatch.context() as patch:
        parts = module.__name__.split(".")
        for length in range(1, len(parts)):
            above = ".".join(parts[:length])
            patch.setitem(sys.modules, above, types.ModuleType(above))
        patch.setitem(sys.modules, module.__name__, module)
        written = [pickle.dumps(saved, protocol) for protocol in (0, 2, 4)]
    for content in written:
        (tmp_path / "vocab").write_bytes(content)
        restored = preprocessing.VocabularyProcessor.restore(str(tmp_path / "vocab"))
        assert rows(restored.transform(["a b"])) == [[0, 1]] and list(restored.reverse([[1, 0]])) == ["b <UNK>"]


class Runs:
    """A pickle of it calls a function when it is loaded."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("content", [
    b"", b"no pickle", pickle.dumps({"a": 1}), pickle.dumps(None), pickle.dumps(Runs(os.mkdir, "made")),
    pickle.dumps(Runs(eval, "open('made', 'w')")), pickle.dumps(preprocessing.CategoricalVocabulary()),
])  # fmt: skip
def test_files_that_hold_something_else_are_refused_and_run_nothing(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vocab").write_bytes(content)
    with pytest.raises(tf.errors.DataLossError, match="vocab"):
        preprocessing.VocabularyProcessor.restore("vocab")
    assert os.listdir() == ["vocab"]


def test_what_a_file_cannot_bring_back_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="tokenizer"):
        preprocessing.VocabularyProcessor(3, tokenizer_fn=list).save(str(tmp_path / "vocab"))
    assert not os.listdir(tmp_path)


def test_a_tokenizer_of_the_program(tmp_path, monkeypatch):
    def halves(texts):
        return (text.split("-") for text in texts)

    halves.__module__, halves.__qualname__ = "__main__", "halves"
    monkeypatch.setattr(sys.modules["__main__"], "halves", halves, raising=False)
    processor = preprocessing.VocabularyProcessor(2, tokenizer_fn=halves)
    processor.fit(["a-b c"])
    processor.save(str(tmp_path / "vocab"))
    restored = preprocessing.VocabularyProcessor.restore(str(tmp_path / "vocab"))
    assert rows(restored.transform(["b c-a"])) == [[2, 1]]
    monkeypatch.delattr(sys.modules["__main__"], "halves")
    with pytest.raises(tf.errors.DataLossError, match="halves"):
        preprocessing.VocabularyProcessor.restore(str(tmp_path / "vocab"))


def test_a_vocabulary_and_a_tokenizer_of_ones_own():
    vocabulary = preprocessing.CategoricalVocabulary()
    assert (vocabulary.get("A"), vocabulary.get("B")) == (1, 2)
    vocabulary.freeze()
    processor = preprocessing.VocabularyProcessor(4, vocabulary=vocabulary, tokenizer_fn=list)
    assert rows(processor.fit_transform(["ABC", "CBABAF"])) == [[1, 2, 0, 0], [0, 2, 1, 2]]


def test_trimming():
    vocabulary = preprocessing.CategoricalVocabulary()
    for word, count in (("c", 5), ("a", 10), ("e", 8), ("d", 12), ("b", 8)):
        vocabulary.add(word, count)
    vocabulary.trim(7, 11)
    vocabulary.freeze()
    assert [vocabulary.get(word) for word in "abecd"] == [1, 2, 3, 0, 0]
    assert vocabulary.reverse(2) == "b"
    with pytest.raises(ValueError, match="support_reverse"):
        preprocessing.CategoricalVocabulary(support_reverse=False).reverse(0)


def test_bytes():
    processor = preprocessing.ByteProcessor(4)
    found = list(processor.fit_transform(["abc", b"abcdef", "фыва"]))
    assert rows(found) == [[97, 98, 99, 0], [97, 98, 99, 100], [209, 132, 209, 139]]
    assert list(processor.reverse(found)) == ["abc", "abcd", "фы"]


def test_modes():
    keys = tf.contrib.learn.ModeKeys
    assert (keys.TRAIN, keys.EVAL, keys.INFER) == ("train", "eval", "infer")
