"""Finds runs of words that evergraph's texts share with TensorFlow's.

A text is a string, with the strings joined to it, or a block of comments; a docstring is one for each argument that it
describes. Its words are in lower case, without punctuation. Placeholders (`%s`, `{name}`) and numbers are no words.
`python -m tests.interop.own_words FOLDER...` compares with the Python files of other folders.
"""

import re
import struct
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
LENGTH = 8

PYTHON = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|[rbfuRBFU]{0,2}(?P<string>"""(?:[^\\"]|\\.|"(?!""))*"""'
    r"|'''(?:[^\\']|\\.|'(?!''))*'''"
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.DOTALL)
C = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
JOINT = {"comment": re.compile(r"\s*"), "string": re.compile(r"[\s\\+rbfuRBFU]*")}
ARGUMENT = re.compile(r"\n\s*(?=[*`]*\w+`?(?:, \w+)*:\s)")             # "name: what it is", "Returns:"
NO_WORD = re.compile(r"%(?:\(\w+\))?[-#0]*\d*(?:\.\d+)?[sdrifgeu](?!\w)|\{[^{}\n]*\}|\\[nt]")
WORD = re.compile(r"\b(?!\d+\b)\w+")
PRINTABLE = re.compile(rb"[\x20-\x7e\n]{30,}")


def texts_of(source, pattern):
    """The texts of a source file, each a list of (offset, word)."""
    kind, end, text = None, 0, []
    for match in pattern.finditer(source):
        if match.lastgroup is None:
            continue
        if match.lastgroup != kind or not JOINT[kind].fullmatch(source, end, match.start(match.lastgroup)):
            yield text
            kind, text = match.lastgroup, []
        begin, end = match.span(kind)
        for place in [begin + cut.end() for cut in ARGUMENT.finditer(match[kind])]:
            yield text + words_of(source, begin, place)
            begin, text = place, []
        text += words_of(source, begin, end)
    yield text


def words_of(source, begin, end):
    part = NO_WORD.sub(lambda match: " " * len(match[0]), source[begin:end].lower())
    return [(begin + match.start(), match[0]) for match in WORD.finditer(part)]


@dataclass
class Texts:
    """The words of many texts, one after another, and where each text came from."""

    numbers: dict = field(default_factory=lambda: {None: 0})
    words: list = field(default_factory=list)           # numbers of words; 0 between texts
    starts: list = field(default_factory=list)
    places: list = field(default_factory=list)          # (file, offset) of the text that begins at `starts`

    def add(self, file, words):
        if len(words) >= LENGTH:
            self.starts.append(len(self.words))
            self.places.append((file, words[0][0]))
            numbers = self.numbers
            self.words.extend([numbers.setdefault(word, len(numbers)) for _, word in words])
            self.words.append(0)

    def place(self, position):
        return self.places[bisect_right(self.starts, position) - 1]

    def runs(self):
        """A number for each run of LENGTH words, and 0 for one that would cross the end of its text."""
        words = np.asarray(self.words + [0] * LENGTH, np.uint64)
        total, inside = np.zeros(len(self.words), np.uint64), np.ones(len(self.words), bool)
        for k in range(LENGTH):
            part = words[k:k + len(self.words)]
            total = (total ^ part) * np.uint64(0x9E3779B97F4A7C15)
            total ^= total >> np.uint64(29)
            inside &= part != 0
        return np.where(inside, total, 0)


def read_python(texts, folder):
    for file in sorted(folder.rglob("*.py")):
        for words in texts_of(file.read_text(errors="replace"), PYTHON):
            texts.add(file, words)


def read_library(texts, file):
    """The strings among the constants of a shared library, by ELF's table of sections."""
    data = np.memmap(file, np.uint8, "r")
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", data, table + k * size) for k in range(count)]
    for name, _, _, _, offset, length in sections:
        label = sections[names][4] + name
        if bytes(data[label:label + 8]) == b".rodata\0":
            for match in PRINTABLE.finditer(bytes(data[offset:offset + length])):
                string = match[0].decode()
                texts.add(file, words_of(string, 0, len(string)))


def theirs(packages):
    texts = Texts()
    for name in ("tensorflow", "tensorflow_estimator", "keras"):
        read_python(texts, packages / name)
    for name in ("libtensorflow_cc.so.2", "libtensorflow_framework.so.2"):
        read_library(texts, packages / "tensorflow" / name)
    return texts


@dataclass(frozen=True)
class Shared:
    """A run of words that stands in a file of ours and in one of theirs."""

    file: Path
    line: int
    words: str
    other: Path
    offset: int

    def __str__(self):
        python = self.other.suffix == ".py"
        line = self.other.read_text().count("\n", 0, self.offset) + 1 if python else "constants"
        return f"{self.file}:{self.line}: {self.words}\n    {'/'.join(self.other.parts[-4:])}:{line}"


def shared(files, texts):
    """The longest runs of words of `files` that stand in `texts` too."""
    known, first = np.unique(texts.runs(), return_index=True)
    for file in files:
        source = file.read_text()
        for words in texts_of(source, PYTHON if file.suffix == ".py" else C):
            one = Texts(texts.numbers)
            one.add(file, words)
            runs = one.runs()
            at = np.minimum(np.searchsorted(known, runs), len(known) - 1)
            hits = np.flatnonzero((runs != 0) & (known[at] == runs))
            for stretch in np.split(hits, np.flatnonzero(np.diff(hits) > 1) + 1) if len(hits) else []:
                begin, end = stretch[0], stretch[-1] + LENGTH
                yield Shared(file, source.count("\n", 0, words[begin][0]) + 1,
                             " ".join(word for _, word in words[begin:end]), *texts.place(first[at[begin]]))


def own_files():
    return [file for file in sorted((ROOT / "evergraph").rglob("*")) if file.suffix in (".py", ".c", ".h")]


def main(folders):
    texts = Texts()
    for folder in folders:
        read_python(texts, Path(folder))
    for each in shared(own_files(), texts):
        print(each)


if __name__ == "__main__":
    main(sys.argv[1:])
