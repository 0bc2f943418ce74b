"""What tells that a source was written for Python 2."""

from __future__ import annotations

import re

BUILTINS = frozenset(["basestring", "execfile", "long", "raw_input", "reduce", "reload", "unichr", "unicode", "xrange"])
ATTRIBUTES = frozenset(["has_key", "iteritems", "iterkeys", "itervalues"])
MODULES = frozenset([
    "ConfigParser", "HTMLParser", "Queue", "SocketServer", "StringIO", "Tkinter", "__builtin__", "cPickle", "cStringIO",
    "commands", "copy_reg", "httplib", "thread", "urllib2", "urlparse",
])  # fmt: skip
"""Modules that Python 3 has under other names; a file of the program's own may have such a name too."""

NAMES = frozenset([
    "itertools.ifilter", "itertools.imap", "itertools.izip", "itertools.izip_longest", "os.getcwdu", "string.join",
    "string.letters", "string.lowercase", "string.maketrans", "string.uppercase", "sys.maxint",
    "sys.setdefaultencoding", "urllib.quote", "urllib.unquote", "urllib.urlencode",
    "urllib.urlopen", "urllib.urlretrieve",
])  # fmt: skip
"""Names that modules of Python 3 do not have."""

HINT = "for Python 2: `evergraph run --python2` converts it as it is loaded"

_STATEMENTS = re.compile(
    r"""^\s*(?:print\s+["'\w(%]|print\s*$|print\s*>>|exec\s+["'\w]|raise\s+[\w.]+\s*,)"""
    r"""|^\s*except\s+[\w.()\s,]+,\s*\w+\s*:|<>|\b0[0-7]+\b|\bur["']|`\w+`""",
    re.MULTILINE,
)  # fmt: skip


def is_old_syntax(text: str, error: Exception) -> bool:
    """Whether a source that Python 3 cannot parse is one that Python 2 could, as far as its statements tell."""
    if isinstance(error, IndentationError):
        return isinstance(error, TabError)  # any other is one to both
    if not isinstance(error, SyntaxError):
        return False
    line = error.lineno or 1
    return bool(_STATEMENTS.search("\n".join(text.splitlines()[max(line - 3, 0) : line + 1])))
