"""tf.contrib.learn.preprocessing: words and bytes of documents as rows of numbers."""

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
