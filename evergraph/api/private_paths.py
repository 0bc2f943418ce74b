"""The names that programs import from inside TensorFlow: `from tensorflow.python.ops import array_ops`.

private_paths.txt is the only table of them; its head explains its words. Namespaces look there for what is not public,
so `tensorflow.python.ops.array_ops` is a namespace like `tensorflow.nn`. What the table does not list does not exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from evergraph.api.names import NAMES
from evergraph.base.spelling import snake_case


def is_private(dotted: str) -> bool:
    """Whether a dotted name leads inside TensorFlow. The table is read when the first such name is asked for."""
    words = dotted.split(".")
    return words[0] in ("core", "tools") or "python" in words


@cache
def homes() -> dict[str, str]:
    """Path -> "module:attribute", of everything in the table that evergraph has."""
    return {path: home for path, home in _paths() if home is not None}


@cache
def missing() -> frozenset[str]:
    """The paths in the table that TensorFlow has and evergraph does not, and the modules above them."""
    lost = [path for path, home in _paths() if home is None]
    return frozenset(path.rsplit(".", level)[0] for path in lost for level in range(path.count(".") + 1))


@cache
def bare() -> frozenset[str]:
    """The modules without names, which programs import for what TensorFlow does at their import."""
    return frozenset(module for module, words in rows().items() if not words)


@cache
def rows() -> Mapping[str, Sequence[str]]:
    """Module -> the words of its row."""
    modules: dict[str, list[str]] = {}
    lines = Path(__file__).with_name("private_paths.txt").read_text().splitlines()
    for word in " ".join(line for line in lines if not line.startswith("#")).split():
        if word.endswith(":"):
            words = modules.setdefault(word[:-1], [])
        else:
            words.append(word)
    return modules


@cache
def names(module: str) -> Mapping[str, str | None]:
    """The names of one module of the table -> "module:attribute", or None where evergraph lacks it."""
    return dict(name for word in rows()[module] for name in _meant(word))


def _paths() -> Iterator[tuple[str, str | None]]:
    return ((f"{module}.{name}", home) for module in rows() for name, home in names(module).items())


def _meant(word: str) -> Iterator[tuple[str, str | None]]:
    """The names that a word of a row gives, each with its home."""
    name, _, said = word.rpartition("=")
    room, _, last = said.replace(":", ".").rpartition(".")
    if said == "?":
        yield name, None
    elif said.startswith("@"):
        spellings = (name,) if name else (snake_case(said[1:]), said[1:])
        yield from ((each, NAMES.get(f"raw_ops.{said[1:]}")) for each in spellings)
    elif last == "*":
        below = names(room) if room in rows() else _public()[room]
        yield from ((each, home) for each, home in below.items() if not each.startswith("_"))
    else:
        for each in last.split(","):
            home = f"{said[:len(said) - len(last)]}{each}"
            yield name or each, home if ":" in home else NAMES.get(home)


@cache
def _public() -> Mapping[str, Mapping[str, str]]:
    """Public namespace -> the names directly below it -> their homes."""
    below: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for dotted, home in NAMES.items():
        room, _, name = dotted.rpartition(".")
        below[room][name] = home
    return below
