r"""Compiles regular expressions to programs over bytes, which native/expressions.c runs.

`program_of(pattern)` starts from the parts that Python's parser finds in the translated pattern (`re2`), and writes
instructions: take a byte of a set, jump, choose between two paths, save the place in a slot, assert something about the
place, end with a match. A character that is not ASCII is a sequence of bytes, a class of them a choice of sequences.
Bytes that are not UTF-8 are in no class, with RE2's notion of UTF-8: surrogates are characters, and where a class has
all characters but some of ASCII, a character is any first byte with as many other bytes as belong to it.

Some patterns have no program: those that ignore case or have classes like \pL, in which Python's tables differ from
RE2's; repetitions of what may be empty, of which RE2 and Python have different notions; those that become too large.
"""
import dataclasses
import functools
import re
import re._constants as sre
import re._parser as sre_parser

import numpy as np

from evergraph.ops.strings import re2

_BYTE, _JUMP, _SPLIT, _SAVE, _ASSERT, _MATCH = range(6)  # as the C code numbers them
_TEXT_BEGINS, _TEXT_ENDS, _LINE_BEGINS, _LINE_ENDS, _WORD_ENDS, _WORD_GOES_ON = range(6)
_PLACES = {sre.AT_BEGINNING_STRING: _TEXT_BEGINS, sre.AT_END_STRING: _TEXT_ENDS, sre.AT_BEGINNING: _LINE_BEGINS,
           sre.AT_END: _LINE_ENDS, sre.AT_BOUNDARY: _WORD_ENDS}
_LARGEST = 1000  # instructions
_GROUPS = 10  # whose places can be saved
_END = 256  # stands for the end of the string among the bytes that may come next
_ANYTHING = (1 << _END + 1) - 1
_TABLES = re.compile(rb"\\[pP]")


class _NoProgram(Exception):
    """The pattern has something that programs lack."""


@dataclasses.dataclass(frozen=True)
class Program:
    """A compiled pattern.

    Args:
        code: four int32 for each instruction: its kind, two targets or another argument, and the number of a choice.
        firsts: 33 bytes for each instruction, a bit for each byte that may come next, and for the end of the string.
    """

    code: bytes
    firsts: bytes


@functools.lru_cache(maxsize=512)
def program_of(pattern):
    """The program of a pattern (bytes) that RE2 accepts; None if it has none."""
    if _TABLES.search(pattern):
        return None
    try:
        parts = sre_parser.parse(re2.compiled(re2.as_text(pattern)).pattern)
        writer = _Writer()
        writer.parts(parts)
    except _NoProgram:
        return None
    return writer.finished()


class _Writer:
    """Writes instructions as lists [kind, to, other, set of bytes]."""

    def __init__(self):
        self.code = []

    def add(self, kind, to=0, other=0, bytes_=0):
        if len(self.code) >= _LARGEST:
            raise _NoProgram
        self.code.append([kind, to, other, bytes_])
        return self.code[-1]

    def here(self):
        return len(self.code)

    def parts(self, items):
        for kind, argument in items:
            self.part(kind, argument)

    def part(self, kind, argument):
        if kind is sre.LITERAL:
            self.characters([(argument, argument)])
        elif kind is sre.NOT_LITERAL:
            self.characters(_complement([(argument, argument)]))
        elif kind is sre.IN:
            self.characters(_ranges(argument))
        elif kind is sre.BRANCH:
            self.choice([functools.partial(self.parts, branch) for branch in argument[1]])
        elif kind is sre.SUBPATTERN:
            self.group(*argument)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            self.repeat(*argument, kind is sre.MAX_REPEAT)
        elif kind is sre.AT and argument in _PLACES:
            self.add(_ASSERT, _PLACES[argument])
        elif kind is sre.ASSERT_NOT and _is_boundary(argument):
            self.add(_ASSERT, _WORD_GOES_ON)
        elif kind is sre.FAILURE or kind is sre.ASSERT_NOT and not len(argument[1]):
            self.add(_BYTE)
        else:
            raise _NoProgram

    def group(self, number, added, removed, items):
        if added & sre.SRE_FLAG_IGNORECASE or removed:
            raise _NoProgram
        is_saved = number is not None and number < _GROUPS
        if is_saved:
            self.add(_SAVE, 2 * number)
        self.parts(items)
        if is_saved:
            self.add(_SAVE, 2 * number + 1)

    def choice(self, branches):
        """One of several paths, the first ones before the others."""
        ends = []
        for branch in branches[:-1]:
            split = self.add(_SPLIT, self.here() + 1)
            branch()
            ends.append(self.add(_JUMP))
            split[2] = self.here()
        branches[-1]()
        for end in ends:
            end[1] = self.here()

    def repeat(self, least, most, items, is_greedy):
        if most > 1 and not items.getwidth()[0]:
            raise _NoProgram
        for _ in range(least):
            start = self.here()
            self.parts(items)
        if most is sre.MAXREPEAT:
            outside = None if least else self.add(_SPLIT)
            if not least:
                start = self.here()
                self.parts(items)
            self.aim(self.add(_SPLIT), start, is_greedy)
            if not least:
                self.aim(outside, start, is_greedy)
            return
        splits = []
        for _ in range(most - least):
            splits.append((self.add(_SPLIT), self.here()))
            self.parts(items)
        for split, inside in splits:
            self.aim(split, inside, is_greedy)

    def aim(self, split, inside, is_greedy):
        """Lets a choice prefer what is inside of a repetition to what is behind it, or the other way round."""
        split[1:3] = (inside, self.here()) if is_greedy else (self.here(), inside)

    def characters(self, ranges):
        """A character out of some ranges."""
        sequences = [each for low, high in _with_surrogates(ranges) for each in _sequences(low, high)]
        single = [sequence[0] for sequence in sequences if len(sequence) == 1]
        longer = [sequence for sequence in sequences if len(sequence) > 1]
        paths = [functools.partial(self.bytes_in, [single])] if single or not longer else []
        self.choice(paths + [functools.partial(self.bytes_in, [[part] for part in sequence]) for sequence in longer])

    def bytes_in(self, sets):
        """Bytes in a row, each out of some ranges."""
        for ranges in sets:
            self.add(_BYTE, bytes_=sum((1 << high + 1) - (1 << low) for low, high in ranges))

    def finished(self):
        self.code.append([_MATCH, 0, 0, 0])
        firsts = _firsts(self.code)
        numbers = iter(range(len(self.code)))
        rows = [[kind, to, other, next(numbers) if kind == _SPLIT else 0] for kind, to, other, _ in self.code]
        return Program(np.array(rows, np.int32).tobytes(), b"".join(first.to_bytes(33, "little") for first in firsts))


def _is_boundary(argument):
    r"""Whether a negative assertion is about \b, as `re2` writes \B."""
    items = list(argument[1])
    return len(items) == 1 and items[0][0] is sre.SUBPATTERN and list(items[0][1][-1]) == [(sre.AT, sre.AT_BOUNDARY)]


def _firsts(code):
    """For each instruction the bytes, or the end, with which a path from there may go on, as the bits of an integer."""
    firsts = [None] * len(code)
    for start in range(len(code)):
        reached, left, found = set(), [start], 0
        while left:
            at = left.pop()
            if at in reached:
                continue
            reached.add(at)
            kind, to, other, bytes_ = code[at]
            if firsts[at] is not None:
                found |= firsts[at]
            elif kind == _BYTE:
                found |= bytes_
            elif kind == _MATCH:
                found = _ANYTHING
            else:
                left += [to, other] if kind == _SPLIT else [to] if kind == _JUMP else [at + 1]
        firsts[start] = found
    return firsts


# ---- characters

def _ranges(items):
    """The ranges of code points in a class, as Python's parser gives it."""
    ranges, is_negated = [], False
    for kind, argument in items:
        if kind is sre.NEGATE:
            is_negated = True
        elif kind is sre.LITERAL:
            ranges.append((argument, argument))
        elif kind is sre.RANGE:
            ranges.append(argument)
        else:
            raise _NoProgram
    return _complement([each for each in ranges if each != _SURROGATES]) if is_negated else ranges


def _complement(ranges):
    found, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            found.append((start, low - 1))
        start = max(start, high + 1)
    return [*found, (start, re2.LAST)] if start <= re2.LAST else found


_SURROGATES = (0xD800, 0xDFFF)


def _with_surrogates(ranges):
    """Ranges in order that do not overlap; surrogates, which the translation leaves out, belong between their
    neighbours."""
    ordered = _complement(_complement(ranges))
    has_neighbours = {0xD7FF, 0xE000} <= {bound for each in ordered for bound in each}
    return _complement(_complement([*ordered, _SURROGATES])) if has_neighbours else ordered


def _sequences(low, high):
    """A range of code points as sequences of ranges of bytes."""
    if (low, high) == (0x80, re2.LAST):
        firsts = ((0xC2, 0xDF), (0xE0, 0xEF), (0xF0, 0xF4))
        return [[first, *[(0x80, 0xBF)] * count] for count, first in enumerate(firsts, 1)]
    for limit in (0x7F, 0x7FF, 0xFFFF):
        if low <= limit < high:
            return _sequences(low, limit) + _sequences(limit + 1, high)
    first, last = (chr(code).encode("utf-8", "surrogatepass") for code in (low, high))
    for bits in range(6, 6 * len(first), 6):
        rest = (1 << bits) - 1
        if low >> bits != high >> bits:
            if low & rest:  # the first bytes of these sequences would go with some of the last bytes alone
                return _sequences(low, low | rest) + _sequences((low | rest) + 1, high)
            if high & rest != rest:
                return _sequences(low, (high & ~rest) - 1) + _sequences(high & ~rest, high)
    return [list(zip(first, last))]
