"""tf.contrib.learn.preprocessing: numbers for the words and bytes of documents."""

from __future__ import annotations

import collections
import io
import itertools
import pickle
import re
import sys
import types

import numpy as np

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.files import GFile

WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|['\w\-]+", re.UNICODE)


def _named(name, module):
    return export(f"contrib.learn.preprocessing.{name}", f"contrib.learn.preprocessing.{module}.{name}")


@_named("tokenizer", "text")
def tokenizer(iterator):
    """The list of words of each text: letters, digits, "'" and "-"; parts of CamelCase are words."""
    for text in iterator:
        yield WORD.findall(text)


@_named("CategoricalVocabulary", "categorical_vocabulary")
class CategoricalVocabulary:
    """Numbers for categories: 0 for what is unknown, then 1, 2, ... in the order in which they are met.

    >>> vocabulary = tf.contrib.learn.preprocessing.CategoricalVocabulary()
    >>> vocabulary.get("a"), vocabulary.get("b"), vocabulary.get("a")
    (1, 2, 1)

    Args:
        unknown_token: the category of 0.
        support_reverse: whether categories can be looked up by number.
    """

    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._freeze = False
        self._freq = collections.Counter()
        self._number([])

    def _number(self, categories):
        listed = [self._unknown_token, *categories]
        # Programs that load word vectors look into this dict.
        self._mapping = {category: number for number, category in enumerate(listed)}
        self._reverse_mapping = listed if self._support_reverse else []

    @classmethod
    def _of(cls, _unknown_token, _support_reverse, _freeze, _freq, _mapping, _reverse_mapping=()):
        """A vocabulary as a file describes it."""
        made = cls(_unknown_token, bool(_support_reverse))
        made._freeze = bool(_freeze)
        made._freq, made._mapping = collections.Counter(dict(_freq)), dict(_mapping)
        made._reverse_mapping = list(_reverse_mapping)
        return made

    def __getstate__(self):
        return {**vars(self), "_freq": dict(self._freq)}

    def __len__(self):
        return len(self._mapping)

    def freeze(self, freeze=True):
        """Whether unknown categories get no number any more."""
        self._freeze = freeze

    def get(self, category):
        """The number of a category, a new one if it has none; 0 when frozen."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._support_reverse:
                self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category, count=1):
        """Notes that a category has occurred, unless it is unknown and the vocabulary frozen."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Keeps the categories that occur more than `min_frequency` times, and fewer than `max_frequency` if that is
        not negative; the most frequent gets the lowest number, and ties are in alphabetical order."""
        ordered = sorted(self._freq.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
        ordered.sort(key=lambda pair: -pair[1])
        kept = {word: count for word, count in ordered
                if count > min_frequency and (max_frequency < 0 or count < max_frequency)}  # fmt: skip
        self._freq = collections.Counter(kept)
        self._number(kept)

    def reverse(self, class_id):
        """The category of a number.

        Raises:
            ValueError: the vocabulary was made with support_reverse=False.
        """
        if not self._support_reverse:
            raise ValueError("this vocabulary was made with support_reverse=False: it cannot tell a number's category")
        return self._reverse_mapping[class_id]


@_named("VocabularyProcessor", "text")
class VocabularyProcessor:
    """Documents as rows of word numbers, cut or filled up with 0 to one length.

    >>> processor = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
    >>> [row.tolist() for row in processor.fit_transform(["a rose is a", "is it"])]
    [[1, 2, 3, 1], [3, 4, 0, 0]]

    Args:
        max_document_length: the length of a row.
        min_frequency: how often a word must come to have a number of its own.
        vocabulary: a CategoricalVocabulary that is there already.
        tokenizer_fn: a function from documents to lists of words.
    """

    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = CategoricalVocabulary() if vocabulary is None else vocabulary
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents, unused_y=None):
        """Numbers the words of the documents, those that occur at most `min_frequency` times excepted.

        Args:
            raw_documents: an iterable of strings.
            unused_y: has no meaning; it stands where other estimators take labels.
        """
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        """fit, then transform."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents):
        """Yields an int64 row for each document."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for place, word in enumerate(itertools.islice(words, self.max_document_length)):
                row[place] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents):
        """Yields the words of each row, with spaces between them."""
        for numbers in documents:
            yield " ".join(self.vocabulary_.reverse(number) for number in numbers)

    def save(self, filename):
        """Writes the processor to a file.

        Raises:
            ValueError: it has a vocabulary of another kind, or a tokenizer that is no function of the program's main
                module, which a file cannot bring back.
        """
        own = _of_the_program(getattr(self._tokenizer, "__name__", ""))
        known = self._tokenizer in (tokenizer, own)
        if not known or type(self.vocabulary_) is not CategoricalVocabulary:
            raise ValueError("only a processor with a tokenizer of this or the program's main module and with the "
                             "vocabulary of this one can be saved; keep the words of others yourself")
        with GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        """What `save` wrote, here or in TensorFlow.

        Raises:
            DataLossError: the file holds anything else, or names a tokenizer that the program's main module does not
                define. Nothing in it is run.
        """
        with GFile(filename, "rb") as file:
            content = file.read()
        try:
            found = vars(_Reader(io.BytesIO(content)).load())
            own = None if found["_tokenizer"] == "tokenizer" else found["_tokenizer"]
            if own is not None and not isinstance(own, types.FunctionType):
                raise ValueError("its tokenizer is no function")
            vocabulary = CategoricalVocabulary._of(**vars(found["vocabulary_"]))
            return cls(int(found["max_document_length"]), int(found["min_frequency"]), vocabulary, own)
        except Exception as error:
            raise errors.DataLossError(None, None, f"{filename} is no vocabulary that was saved: {error}") from None


def _of_the_program(name):
    """The function of this name that the program's main module defines; None if there is none."""
    found = vars(sys.modules["__main__"]).get(name)
    return found if isinstance(found, types.FunctionType) and found.__module__ == "__main__" else None


_PLAIN_HOMES = (__name__, "collections", "builtins", "copyreg", "__builtin__", "copy_reg")  # the last two: Python 2's
_HOME = "tensorflow.contrib.learn.python.learn.preprocessing."


class _Reader(pickle.Unpickler):
    """Takes plain values and the two kinds of objects of a saved processor out of a pickle; all else is refused.

    Classes are new ones for each file, which hold what the file says, so that a file can call and change nothing.
    """

    def __init__(self, file):
        super().__init__(file, encoding="utf-8")  # of text that Python 2 wrote
        self._known = {name: type(name, (), {}) for name in ("VocabularyProcessor", "CategoricalVocabulary")}
        self._known |= {"tokenizer": "tokenizer", "defaultdict": collections.defaultdict, "int": int, "long": int,
                        "object": object, "_reconstructor": lambda kind, base, state: object.__new__(kind)}  # fmt: skip

    def find_class(self, module, name):
        if module == "__main__" and (found := _of_the_program(name)) is not None:
            return found
        if name not in self._known or not (module in _PLAIN_HOMES or module.startswith(_HOME)):
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return self._known[name]


@_named("ByteProcessor", "text")
class ByteProcessor:
    """Documents as rows of the bytes of their UTF-8, cut or filled up with 0 to one length."""

    def __init__(self, max_document_length):
        self.max_document_length = max_document_length

    def fit(self, x):
        """There is nothing to learn from documents."""
        return self

    def fit_transform(self, x):
        """The same as `transform`: there is nothing to learn."""
        return self.transform(x)

    def transform(self, x):
        """Yields a uint8 row for each document, which may be bytes or a string."""
        for document in x:
            encoded = document if isinstance(document, bytes) else document.encode("utf-8")
            row = np.zeros(self.max_document_length, np.uint8)
            known = np.frombuffer(encoded[: self.max_document_length], np.uint8)
            row[: len(known)] = known
            yield row

    def reverse(self, x):
        """Yields the string of each row; bytes that are no UTF-8 make an empty one."""
        for row in x:
            try:
                yield np.asarray(row, np.uint8).tobytes().rstrip(b"\0").decode("utf-8")
            except UnicodeDecodeError:
                yield ""


@_named("CategoricalProcessor", "categorical")
class CategoricalProcessor:
    """Rows of categories as rows of numbers, by a vocabulary for each column.

    Args:
        min_frequency: categories that occur at most so often have the number 0.
        share: whether all columns have one vocabulary.
        vocabularies: the vocabularies of columns, if there are some already.
    """

    def __init__(self, min_frequency=0, share=False, vocabularies=None):
        self.min_frequency, self.share = min_frequency, share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze=True):
        """Whether unknown categories get no number any more."""
        for vocabulary in self.vocabularies_ or ():
            vocabulary.freeze(freeze)

    def fit(self, x, unused_y=None):
        """Numbers the categories of rows, those that occur at most `min_frequency` times excepted.

        Args:
            x: rows of categories, an array or a table.
            unused_y: has no meaning; it stands where other estimators take labels.
        """
        rows = _rows(x)
        if self.vocabularies_ is None:
            first = CategoricalVocabulary()
            self.vocabularies_ = [first if self.share else CategoricalVocabulary() for _ in rows[0]]
        for row in rows:
            for vocabulary, value in zip(self.vocabularies_, row, strict=True):
                if not _is_missing(value):
                    vocabulary.add(value)
        if self.min_frequency > 0:
            for vocabulary in dict.fromkeys(self.vocabularies_):
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x, unused_y=None):
        """fit, then transform."""
        self.fit(x)
        return self.transform(x)

    def transform(self, x):
        """Yields an int64 row for each row; what is missing or unknown is 0."""
        self.freeze()
        for row in _rows(x):
            yield np.array([0 if _is_missing(value) else vocabulary.get(value)
                            for vocabulary, value in zip(self.vocabularies_, row, strict=True)], np.int64)


def _rows(x):
    return list(x.values if hasattr(x, "values") else x)


def _is_missing(value):
    return isinstance(value, float) and np.isnan(value)


@export("contrib.learn.preprocessing.setup_processor_data_feeder")
def setup_processor_data_feeder(x):
    """The rows of an array or of a table, as a list."""
    return _rows(x)
