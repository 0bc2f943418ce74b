"""What protobuf has lost: it refuses code that protocol compilers before 3.19 wrote, which makes descriptors by hand.

Such a module also holds the whole description in one text, of which protobuf's own builder makes the same names.
"""

from __future__ import annotations

import ast

from evergraph.cli.legacy.ledger import lend

_BUILT = ast.parse("""
from google.protobuf.internal import builder as _builder
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, __name__, globals())
""").body


def renewed(source: bytes) -> ast.Module | None:
    """The code of a module of messages in today's manner, or None if it already is in that."""
    if b"FieldDescriptor(" not in source and b".Descriptor(" not in source:
        return None
    tree = ast.parse(source)
    places = [i for i, statement in enumerate(tree.body) if _describes_file(statement)]
    if not places:
        return None
    lend("code of old protocol compilers")
    imports = [s for s in tree.body[places[0] + 1:] if isinstance(s, (ast.Import, ast.ImportFrom))]
    tree.body = [*tree.body[: places[0] + 1], *imports, *_BUILT]
    return tree


def _describes_file(statement: ast.stmt) -> bool:
    """Whether a statement is `DESCRIPTOR = descriptor.FileDescriptor(..., serialized_pb=...)`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    return isinstance(called, ast.Attribute) and called.attr == "FileDescriptor" \
        and any(keyword.arg == "serialized_pb" for keyword in statement.value.keywords)
