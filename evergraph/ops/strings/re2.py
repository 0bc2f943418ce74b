r"""Translates RE2's regular expressions, which TensorFlow uses, to Python's `re`.

`compiled(pattern)` parses RE2's syntax, so that a pattern has RE2's meaning: `$` is the very end, `\d \s \w \b` are
ASCII, `[[:alpha:]]`, `\pL`, `\p{Greek}`, `\Q...\E`, `\z`, `\x{10FFFF}` and `(?U)` exist, look-around and back
references do not. Strings are matched as text: bytes that are not valid UTF-8 become lone surrogates (`as_text`), which
no class and no dot matches, as in RE2.

It stands in where google-re2 is not installed; `expressions` chooses. What differs from RE2: `re` backtracks, so that
some patterns (`nested_choices`) take exponential time where RE2 is linear; under `(?i)` a class that holds "i" also
matches the Turkish dotted and dotless ones; the tables of Unicode are Python's; `\C`, a single byte, raises
UnimplementedError.
"""
import functools
import re
import re._parser as sre_parser
import sys
import unicodedata

from evergraph.base import errors
from evergraph.ops.strings import scripts

LAST = sys.maxunicode
_SURROGATES = (0xD800, 0xDFFF)
_LARGEST_REPEAT = 1000

_PERL = {"d": [(0x30, 0x39)], "s": [(9, 10), (12, 13), (32, 32)],
         "w": [(0x30, 0x39), (0x41, 0x5A), (95, 95), (0x61, 0x7A)]}
_POSIX = {
    "alnum": [(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)], "alpha": [(0x41, 0x5A), (0x61, 0x7A)], "ascii": [(0, 127)],
    "blank": [(9, 9), (32, 32)], "cntrl": [(0, 31), (127, 127)], "digit": [(0x30, 0x39)], "graph": [(33, 126)],
    "lower": [(0x61, 0x7A)], "print": [(32, 126)], "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
    "space": [(9, 13), (32, 32)], "upper": [(0x41, 0x5A)], "word": _PERL["w"],
    "xdigit": [(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
}
_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_CATEGORIES = frozenset(
    "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split())


class PatternError(ValueError):
    """RE2 rejects the pattern."""


def as_text(string):
    """A string in the form that `compiled` patterns match."""
    return string.decode("utf-8", "surrogateescape")


def as_bytes(text):
    """The inverse of `as_text`."""
    return text.encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=512)
def compiled(pattern):
    """Compiles a pattern, given as text, with Python's `re`.

    Raises:
        PatternError: RE2 rejects it.
        UnimplementedError: it contains `\\C`, a single byte.
    """
    if any(_SURROGATES[0] <= ord(c) <= _SURROGATES[1] for c in pattern):
        raise PatternError("invalid UTF-8")
    try:
        return re.compile(_Translator(pattern).whole())
    except re.error as error:
        raise PatternError(str(error)) from None


def shortest_match(read):
    """The length of the shortest text that a compiled pattern matches."""
    return sre_parser.parse(read.pattern).getwidth()[0]


# ---- character sets, as sorted ranges

def _complement(ranges):
    """The complement of a character set."""
    found, start = [], 0
    for first, last in sorted([*ranges, _SURROGATES]):
        if first > start:
            found.append((start, first - 1))
        start = max(start, last + 1)
    return [*found, (start, LAST)] if start <= LAST else found


@functools.cache
def _by_category():
    """The ranges of each Unicode general category."""
    found, start, current = {}, 0, unicodedata.category("\0")
    for code in range(1, LAST + 2):
        category = unicodedata.category(chr(code)) if code <= LAST else None
        if category != current:
            found.setdefault(current, []).append((start, code - 1))
            start, current = code, category
    return found


@functools.cache
def _property(name):
    """The ranges of a category or script; None if there is no such."""
    if name == "Any":
        return _complement([])
    if name in _CATEGORIES:
        return sorted(span for key, spans in _by_category().items() if key.startswith(name) for span in spans)
    return scripts.ranges_by_name().get(name)


def _escaped(code):
    return f"\\U{code:08x}"


def _class_text(ranges, negated):
    """A character class in Python's syntax. Invalid UTF-8 is in no class."""
    if negated:
        ranges = [*ranges, _SURROGATES]
    if not ranges:
        return "(?!)"
    items = "".join(_escaped(a) if a == b else f"{_escaped(a)}-{_escaped(b)}" for a, b in sorted(ranges))
    return f"[{'^' if negated else ''}{items}]"


# ---- parsing

class _Translator:
    """Parses a pattern from left to right and generates Python's.

    `flags` are the current flags (of i, m, s, U), `groups` the flags to restore when the open groups close.
    """

    def __init__(self, pattern):
        self.pattern, self.at = pattern, 0
        self.flags, self.groups = frozenset(), []
        self.out = []

    def whole(self):
        repeatable = False  # whether the last item may be repeated
        repeated = None  # the last repetition
        while self.at < len(self.pattern):
            c = self.pattern[self.at]
            if c in "*+?" or c == "{" and self.repeat_ahead():
                repeated, repeatable = self.repeat(repeatable, repeated), False
            else:
                repeated, repeatable = None, self.item(c)
        if self.groups:
            raise PatternError(f"missing ): {self.pattern}")
        return "".join(self.out)

    def item(self, c):
        """Parses one item that is not a repetition; returns whether it may be repeated."""
        if c == "(":
            return self.open_group()
        if c == "\\":
            return self.escape()
        self.at += 1
        if c == ")":
            if not self.groups:
                raise PatternError(f"unexpected ): {self.pattern}")
            self.flags = self.groups.pop()
            self.out.append(")")
        elif c == "[":
            self.char_class()
        elif c == "|":
            self.out.append("|")
            return False
        else:
            self.out.append(self.simple(c))
        return True

    def simple(self, c):
        if c == ".":
            return _class_text([] if "s" in self.flags else [(10, 10)], negated=True)
        if c == "^":
            return "(?m:^)" if "m" in self.flags else r"(?:\A)"
        if c == "$":
            return "(?m:$)" if "m" in self.flags else r"(?:\Z)"
        return self.literal(ord(c))

    def literal(self, code):
        c = chr(code)
        if "i" not in self.flags or c.lower() == c.upper():
            return _escaped(code)
        return "[Ii]" if c in "iI" else f"(?i:{_escaped(code)})"

    # repetitions

    def repeat_ahead(self):
        return re.compile(r"\{[0-9]+(?:,[0-9]*)?\}").match(self.pattern, self.at)

    def repeat(self, repeatable, before):
        """Parses a repetition and returns its text; `before` is a repetition directly before it."""
        counted = self.repeat_ahead()
        text = counted[0] if counted else self.pattern[self.at]
        lazy = self.pattern.startswith("?", self.at + len(text))
        self.at += len(text) + lazy
        if before:
            raise PatternError(f"bad repetition operator: {before}{text}")
        if not repeatable:
            raise PatternError(f"no argument for repetition operator: {text}")
        if counted:
            low, _, high = text[1:-1].partition(",")
            if int(low) > _LARGEST_REPEAT or high and not int(low) <= int(high) <= _LARGEST_REPEAT:
                raise PatternError(f"invalid repetition size: {text}")
        self.out.append(text + ("?" if lazy != ("U" in self.flags) else ""))
        return text + "?" * lazy

    # groups

    def open_group(self):
        rest = self.pattern[self.at:]
        if not rest.startswith("(?"):
            self.at += 1
            return self.enter("(")
        named = re.match(r"\(\?P<([A-Za-z0-9_]+)>", rest)
        if named:
            self.at += named.end()
            return self.enter("(")
        if rest.startswith("(?P"):
            raise PatternError(f"invalid {'named capture group' if rest[3:4] == '<' else 'perl operator'}: {rest[:3]}")
        found = re.match(r"\(\?([imsU]*)(-[imsU]+)?([:)])", rest)
        if not found:
            raise PatternError(f"invalid perl operator: {rest[:3]}")
        self.at += found.end()
        flags = (self.flags | set(found[1])) - set(found[2] or "")
        if found[3] == ":":
            self.enter("(?:")
        self.flags = flags
        return False

    def enter(self, opening):
        self.groups.append(self.flags)
        self.out.append(opening)
        return False

    # escapes

    def escape(self):
        following = self.pattern[self.at + 1:self.at + 2]
        if following == "Q":
            return self.quoted()
        anchor = {"A": r"(?:\A)", "z": r"(?:\Z)", "b": r"(?a:\b)", "B": r"(?!(?a:\b))"}.get(following)
        if anchor:
            self.at += 2
            self.out.append(anchor)
            return True
        if following == "C":
            raise errors.UnimplementedError(None, None, r"\C, a single byte, has no counterpart here")
        ranges = self.named_class()
        if ranges is not None:
            self.out.append(self.class_text(ranges, False))
        else:
            self.out.append(self.literal(self.escaped_code()))
        return True

    def quoted(self):
        r"""\Q...\E: literal text up to the end marker, or to the end."""
        end = self.pattern.find("\\E", self.at)
        text = self.pattern[self.at + 2:len(self.pattern) if end < 0 else end]
        self.at = len(self.pattern) if end < 0 else end + 2
        self.out += [self.literal(ord(c)) for c in text]
        return bool(text)

    def named_class(self):
        r"""The characters of \d, \W, \pL, \P{Greek}; None, without consuming input, for any other escape."""
        letter = self.pattern[self.at + 1:self.at + 2]
        if letter.lower() in _PERL and letter:
            self.at += 2
            ranges = _PERL[letter.lower()]
            return _complement(ranges) if letter.isupper() else ranges
        if letter not in ("p", "P") or not letter:
            return None
        found = re.compile(r"\\[pP](?:\{(\^?)([^}]*)\}|(.))", re.DOTALL).match(self.pattern, self.at)
        text = found[0] if found else self.pattern[self.at:]
        ranges = _property(found[2] if found[3] is None else found[3]) if found else None
        if ranges is None:
            raise PatternError(f"invalid character class range: {text}")
        self.at = found.end()
        return _complement(ranges) if (letter == "P") != bool(found[1]) else ranges

    def escaped_code(self):
        """The character that an escape denotes."""
        found = re.compile(r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2})|([afnrtv])|"
                           r"([\x00-/:-@\[-`{-\x7f]))").match(self.pattern, self.at)
        if not found:
            text = self.pattern[self.at:self.at + 2]
            raise PatternError("trailing \\" if text == "\\" else f"invalid escape sequence: {text}")
        self.at = found.end()
        braced, hexadecimal, octal, control, plain = found.groups()
        code = (int(braced or hexadecimal, 16) if braced or hexadecimal else int(octal, 8) if octal
                else _CONTROL[control] if control else ord(plain))
        if code > LAST:
            raise PatternError(f"invalid escape sequence: {found[0]}")
        return code

    # classes

    def char_class(self):
        start = self.at - 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        ranges, first = [], True
        while first or not self.pattern.startswith("]", self.at):
            if self.at >= len(self.pattern):
                raise PatternError(f"missing ]: {self.pattern[start:]}")
            ranges += self.class_item(start)
            first = False
        self.at += 1
        self.out.append(self.class_text(ranges, negated))

    def class_text(self, ranges, negated):
        text = _class_text(ranges, negated)
        return f"(?i:{text})" if "i" in self.flags else text

    def class_item(self, start):
        posix = re.compile(r"\[:(\^?)(.*?):\]", re.DOTALL).match(self.pattern, self.at)
        if posix:
            if posix[2] not in _POSIX:
                raise PatternError(f"invalid character class range: {posix[0]}")
            self.at = posix.end()
            return _complement(_POSIX[posix[2]]) if posix[1] else _POSIX[posix[2]]
        if self.pattern.startswith("\\", self.at):
            ranges = self.named_class()
            if ranges is not None:
                return ranges
        begin, low = self.at, self.class_code(start)
        if not self.pattern.startswith("-", self.at) or self.pattern[self.at + 1:self.at + 2] in ("]", ""):
            return [(low, low)]
        self.at += 1
        high = self.class_code(start)
        if high < low:
            raise PatternError(f"invalid character class range: {self.pattern[begin:self.at]}")
        return [(low, high)]

    def class_code(self, start):
        if self.at >= len(self.pattern):
            raise PatternError(f"missing ]: {self.pattern[start:]}")
        if self.pattern[self.at] == "\\":
            return self.escaped_code()
        self.at += 1
        return ord(self.pattern[self.at - 1])


# ---- cost

def nested_choices(pattern):
    """How deep choices (repetitions, alternatives) are nested below repetitions: from 2 on, `re` may take time that is
    exponential in the length of the string."""
    return _depth(sre_parser.parse(pattern), 0)


def _depth(items, repeated):
    """The depth of the choices among these parts of a pattern, which stand below so many."""
    deepest = repeated
    for kind, argument in items:
        if kind in (sre_parser.MAX_REPEAT, sre_parser.MIN_REPEAT):
            _, most, body = argument
            deepest = max(deepest, _depth(body, repeated + 1 if repeated or most > 1 else 0))
        elif kind is sre_parser.BRANCH:
            deepest = max(deepest, *(_depth(branch, repeated and repeated + 1) for branch in argument[1]))
        elif kind is sre_parser.SUBPATTERN:
            deepest = max(deepest, _depth(argument[-1], repeated))
    return deepest
