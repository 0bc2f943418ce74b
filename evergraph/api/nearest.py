"""Names that a program may use in the place of one that evergraph does not have."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from evergraph.api import namespace, private_paths
from evergraph.api.names import NAMES

_MOST = 3  # names that are worth a line
_ALIKE = 0.75  # of difflib's ratio: one letter of four may differ


def nearest(module: str, name: str) -> list[str]:
    """The names to try: the same word elsewhere, public ones first, or else words like it in the same module.

    >>> nearest("tensorflow.python.keras.somewhere", "categorical_crossentropy")[0]
    'tf.losses.categorical_crossentropy'

    Args:
        module: where the name was looked for, such as "tensorflow.python.ops.array_ops".
        name: the last word of the name.
    """
    asked = namespace.public_name(f"{module}.{name}")
    same = [path for path in _by_last_word().get(name, ()) if path != asked]
    if same:
        return [_shown(path) for path in sorted(same, key=_rank)[:_MOST]]
    here = namespace.public_name(module)
    alike = difflib.get_close_matches(name, namespace.children_of(here), _MOST, _ALIKE)
    return [_shown(f"{here}.{word}" if here else word) for word in alike]


@cache
def _by_last_word() -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    paths: Iterable[str] = (*NAMES, *private_paths.homes())
    for path in paths:
        if not path.startswith(("compat.", "raw_ops.")):
            found[path.rpartition(".")[2]].append(path)
    for path in (*namespace.children(), *private_paths.rows()):  # modules
        if path and not path.startswith(("compat.", "raw_ops.")):
            found[path.rpartition(".")[2]].append(path)
    return found


def _rank(path: str) -> tuple[int, int, str]:
    kind = 2 if private_paths.is_private(path) else 1 if path.startswith("contrib.") else 0
    return kind, path.count("."), path


def _shown(path: str) -> str:
    return f"{'tensorflow' if private_paths.is_private(path) else 'tf'}.{path}"
