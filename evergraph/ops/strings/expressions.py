r"""Matches and rewrites strings by regular expressions of RE2.

These are the functions for one string. Most patterns have a program as well (`programs`), by which C does the work for
arrays of strings. For the others, and without C, RE2 itself does it where google-re2 is installed: in time linear in
the string, within the memory that TensorFlow gives it; matches of plain patterns are replaced by Python. Elsewhere
`re2` writes the pattern for Python's `re`, which backtracks; a pattern that may take exponential time is then refused
for all but short strings.
"""
import functools
import re

from evergraph.base import errors
from evergraph.ops.strings import re2 as translation
from evergraph.ops.strings.re2 import PatternError

_SHORT = {0: None, 1: None, 2: 16, 3: 5}  # bytes by how deep choices are nested: about a second at the most


def full_match(pattern):
    """A function that says whether a string (bytes) matches the pattern as a whole.

    Raises:
        PatternError: RE2 does not take the pattern.
    """
    search = _compiled(pattern)
    return lambda string: search.pattern.fullmatch(search.opened(string)) is not None


def replacement(pattern, rewrite, everywhere):
    r"""A function that rewrites the first match in a string (bytes), or all; `\0` to `\9` are the groups.

    As in RE2, a rewrite that names a group the pattern lacks changes nothing, and one with another escape stops there.

    Raises:
        PatternError: RE2 does not take the pattern.
    """
    search = _compiled(pattern)
    pieces = rewrite_pieces(pattern, rewrite, everywhere)
    if pieces is None:
        return lambda string: string
    quick = _quick_replacement(pattern, pieces) if everywhere else None
    if quick is not None:
        return quick
    pieces = [piece if isinstance(piece, int) else search.plain(piece) for piece in pieces]
    rewritten = _all_rewritten if everywhere else _first_rewritten
    return lambda string: search.closed(rewritten(search.pattern, search.opened(string), pieces))


def rewrite_pieces(pattern, rewrite, everywhere):
    """What stands for a match, as bytes and numbers of groups; None if strings stay as they are."""
    pieces, complete = _pieces(rewrite)
    wanted = max((piece for piece in pieces if isinstance(piece, int)), default=0)
    return None if wanted > _compiled(pattern).pattern.groups or not (complete or everywhere) else pieces


class _Bytes:
    """Searches strings as they are, by RE2."""

    def __init__(self, pattern):
        self.pattern = pattern

    def opened(self, string):
        return string

    plain = closed = opened


class _Text:
    """Searches strings as text, by Python; those on which that might take forever are refused."""

    def __init__(self, pattern):
        self.pattern, self._most = pattern, _SHORT.get(translation.nested_choices(pattern.pattern), 0)

    def opened(self, string):
        if self._most is not None and len(string) > self._most:
            raise errors.UnimplementedError(None, None, "a pattern that repeats what itself repeats or has choices "
                                                        f"needs RE2 on a string of {len(string)} bytes: pip install "
                                                        f"google-re2 (the pattern is {self.pattern.pattern!r})")
        return translation.as_text(string)

    plain, closed = staticmethod(translation.as_text), staticmethod(translation.as_bytes)


@functools.lru_cache(maxsize=512)
def _compiled(pattern):
    engine = _engine()
    if engine is None:
        return _Text(translation.compiled(translation.as_text(pattern)))
    options = engine.Options()
    options.log_errors = False
    try:
        return _Bytes(engine.compile(pattern, options))
    except engine.error as error:
        raise PatternError(_as_str(error.args[0])) from None


def _as_str(text):
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


@functools.cache
def _engine():
    try:
        import re2
    except ImportError:
        return None
    return re2


# ---- rewriting

_REFERENCE = re.compile(rb"\\(.?)", re.DOTALL)


def _pieces(rewrite):
    """The rewrite as bytes and numbers of groups, up to an escape that means nothing; and whether there was none."""
    pieces, at = [], 0
    for found in _REFERENCE.finditer(rewrite):
        pieces.append(rewrite[at:found.start()])
        at = found.end()
        if found[1].isdigit():
            pieces.append(int(found[1]))
        elif found[1] == b"\\":
            pieces.append(b"\\")
        else:
            return pieces, False
    return [*pieces, rewrite[at:]], True


_PLAIN = re.compile(rb"""(?:[^\\(\[\x80-\xff]|\((?!\?)|\[(?!:)|\\[dDsSwW.\[\](){}*+?|^$/-])*""")
_REPEATS = re.compile(rb"[*+{]")


def _quick_replacement(pattern, pieces):
    """A function that rewrites all matches by Python's `re`, which is quicker; None where that might differ from RE2
    or take more than linear time: for a pattern that repeats two things."""
    if not _PLAIN.fullmatch(pattern) or len(_REPEATS.findall(pattern)) > 1:
        return None
    read = translation.compiled(translation.as_text(pattern))
    if not translation.shortest_match(read):  # of which Python counts one more, right after another
        return None
    rewrite = "".join(rf"\g<{piece}>" if isinstance(piece, int) else translation.as_text(piece).replace("\\", "\\\\")
                      for piece in pieces)
    return lambda string: translation.as_bytes(read.sub(rewrite, translation.as_text(string)))


def _written(match, pieces):
    nothing = match[0][:0]
    return nothing.join((match[piece] or nothing) if isinstance(piece, int) else piece for piece in pieces)


def _first_rewritten(read, string, pieces):
    match = read.search(string)
    return string if match is None else string[:match.start()] + _written(match, pieces) + string[match.end():]


def _all_rewritten(read, string, pieces):
    out, at, last = [], 0, -1
    while at <= len(string):
        match = read.search(string, at)
        if match is None:
            break
        out.append(string[at:match.start()])
        at = match.end()
        if match.end() == match.start() == last:  # an empty match right after another does not count
            character = string[at:at + _length(string, at)]
            out.append(character)
            at += max(len(character), 1)
            continue
        out.append(_written(match, pieces))
        last = at
    return string[:0].join(out) + string[at:]


def _length(string, at):
    """How many elements of the string the character at this place takes: bytes of UTF-8, or one."""
    if isinstance(string, str):
        return 1
    for size in (1, 2, 3, 4):
        try:
            string[at:at + size].decode("utf-8", "surrogatepass")  # RE2 takes surrogates for characters
        except UnicodeDecodeError:
            continue
        return size
    return 1
