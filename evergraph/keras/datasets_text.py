"""tf.keras.datasets of texts and numbers: IMDB's reviews, Reuters' news, Boston's houses."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.keras.cached_files import get_file
from evergraph.keras.datasets import PUBLISHED, Pairs
from evergraph.keras.plain_pickles import load_npz


@export("keras.datasets.boston_housing.load_data")
def load_houses(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Pairs:
    """Prices of houses in Boston with 13 features each, 506 rows.

    Args:
        path: where the file is, below the cache's folder `datasets`.
        test_split: the fraction for tests.
        seed: of the order of the rows.

    Returns:
        (features, prices) for training and for tests.
    """
    where = get_file(path, f"{PUBLISHED}boston_housing.npz",
                     file_hash="f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5")
    features, prices = load_npz(where, "x", "y")
    order = np.arange(len(features))
    np.random.RandomState(seed).shuffle(order)
    features, prices = features[order], prices[order]
    end = int(len(features) * (1 - test_split))
    return (features[:end], prices[:end]), (features[end:], prices[end:])


@export("keras.datasets.imdb.load_data")
def load_reviews(path: str = "imdb.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
                 seed: int = 113, start_char: int | None = 1, oov_char: int | None = 2, index_from: int = 3,
                 **kwargs: Any) -> Pairs:
    """25,000 and 25,000 reviews of films as lists of word numbers, with whether they are good.

    Args:
        path: where the file is, below the cache's folder `datasets`.
        num_words: words from this number on are left out; by default none.
        skip_top: words below this number, the most frequent ones, are left out.
        maxlen: reviews of this length or more are left out.
        seed: of the order of the reviews.
        start_char: the number that begins each review; None for none.
        oov_char: the number that stands for words that are left out; None for none.
        index_from: added to the numbers of words.
        **kwargs: `nb_words` is the older name of `num_words`.

    Returns:
        (reviews, labels) for training and for tests.

    Raises:
        ValueError: no review is short enough.
    """
    num_words = _renamed(num_words, kwargs)
    where = get_file(path, f"{PUBLISHED}imdb.npz",
                     file_hash="69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f")
    parts = load_npz(where, "x_train", "y_train", "x_test", "y_test")
    order = np.random.RandomState(seed)
    texts, labels = [], []
    for reviews, kinds in (parts[:2], parts[2:]):
        places = np.arange(len(reviews))
        order.shuffle(places)
        texts += list(reviews[places])
        labels += list(kinds[places])
    texts, labels = _worded(texts, labels, num_words, skip_top, maxlen, start_char, oov_char, index_from)
    return _split(texts, labels, len(parts[0]))


@export("keras.datasets.reuters.load_data")
def load_news(path: str = "reuters.npz", num_words: int | None = None, skip_top: int = 0, maxlen: int | None = None,
              test_split: float = 0.2, seed: int = 113, start_char: int | None = 1, oov_char: int | None = 2,
              index_from: int = 3, **kwargs: Any) -> Pairs:
    """11,228 pieces of news as lists of word numbers, with their topics.

    Args:
        path: where the file is, below the cache's folder `datasets`.
        test_split: the fraction for tests.
        num_words, skip_top, maxlen, seed, start_char, oov_char, index_from, **kwargs: as for
            `tf.keras.datasets.imdb.load_data`.

    Returns:
        (texts, topics) for training and for tests.

    Raises:
        ValueError: no text is short enough.
    """
    num_words = _renamed(num_words, kwargs)
    where = get_file(path, f"{PUBLISHED}reuters.npz",
                     file_hash="d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916")
    news, topics = load_npz(where, "x", "y")
    order = np.arange(len(news))
    np.random.RandomState(seed).shuffle(order)
    texts, labels = _worded(list(news[order]), list(topics[order]), num_words, skip_top, maxlen, start_char, oov_char,
                            index_from)
    return _split(texts, labels, int(len(texts) * (1 - test_split)))


def _renamed(num_words: int | None, kwargs: dict[str, Any]) -> int | None:
    given = dict(kwargs)
    if "nb_words" in given:
        logging.warning("The argument nb_words is called num_words")
        num_words = given.pop("nb_words")
    if given:
        raise TypeError(f"Unrecognized keyword arguments: {given}")
    return num_words


def _worded(texts: list[Any], labels: list[Any], num_words: int | None, skip_top: int, maxlen: int | None,
            start: int | None, unknown: int | None, first: int) -> tuple[list[Any], list[Any]]:
    """The texts with their words numbered, left out and marked as asked for."""
    texts = [[] if text is None else [*([] if start is None else [start]), *(word + (first or 0) for word in text)]
             for text in texts]
    if maxlen:
        kept = [(text, label) for text, label in zip(texts, labels) if len(text) < maxlen]
        texts, labels = [text for text, _ in kept], [label for _, label in kept]
        if not texts:
            raise ValueError(f"no text is shorter than maxlen={maxlen}: give a larger one")
    end = num_words or max(max(text) for text in texts)
    known = lambda word: skip_top <= word < end
    if unknown is None:
        return [[word for word in text if known(word)] for text in texts], labels
    return [[word if known(word) else unknown for word in text] for text in texts], labels


def _split(texts: list[Any], labels: list[Any], end: int) -> Pairs:
    return (_ragged(texts[:end]), np.array(labels[:end])), (_ragged(texts[end:]), np.array(labels[end:]))


def _ragged(texts: list[Any]) -> Any:
    """An array of lists."""
    found = np.empty(len(texts), object)
    found[:] = texts
    return found


@export("keras.datasets.imdb.get_word_index")
def words_of_reviews(path: str = "imdb_word_index.json") -> dict[str, int]:
    """The numbers of the words of `tf.keras.datasets.imdb`, before `index_from` is added."""
    where = get_file(path, f"{PUBLISHED}imdb_word_index.json", file_hash="bfafd718b763782e994055a2d397834f")
    with open(where) as file:
        return json.load(file)


@export("keras.datasets.reuters.get_word_index")
def words_of_news(path: str = "reuters_word_index.json") -> dict[str, int]:
    """The numbers of the words of `tf.keras.datasets.reuters`, before `index_from` is added."""
    where = get_file(path, f"{PUBLISHED}reuters_word_index.json", file_hash="4d44cc38712099c9e383dc6e5f11a921")
    with open(where) as file:
        return json.load(file)
