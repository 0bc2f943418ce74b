"""What a TFRecord file holds: how many records, and which features when they are Examples."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evergraph import proto
from evergraph.cli.reports.report import Report, Table
from evergraph.formats.records import RecordReader

_DTYPES = {"bytes_list": "string", "float_list": "float32", "int64_list": "int64", None: "empty"}


@dataclass
class _Feature:
    """What was seen of one feature."""

    dtypes: dict[str, None] = field(default_factory=dict)
    count: int = 0
    shortest: int | None = None
    longest: int = 0
    steps: tuple[int, int] | None = None
    sample: Any = None

    def see(self, value: Any) -> None:
        """Counts one Feature message."""
        kind = value.WhichOneof("kind")
        values = getattr(value, kind).value if kind else ()
        self.dtypes[_DTYPES[kind]] = None
        self.shortest = len(values) if self.shortest is None else min(self.shortest, len(values))
        self.longest = max(self.longest, len(values))
        if self.sample is None and len(values):
            self.sample = _sample(values[0])

    def row(self, name: str, where: str, records: int) -> list[Any]:
        dtype = " or ".join(d for d in self.dtypes if d != "empty") or "empty"
        return [name, where, dtype, self.count, round(self.count / records, 4), self.shortest or 0, self.longest,
                list(self.steps) if self.steps else None, self.sample]  # fmt: skip


def _sample(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    text = value[:40].decode("utf-8", "backslashreplace")
    return text if text.isprintable() and len(value) <= 40 else f"{len(value)} bytes"


def records_report(path: str, compression: str, limit: int = 1000) -> Report:
    """Counts the records of a file and says what is in the first ones.

    Args:
        path: the file.
        compression: "", "GZIP" or "ZLIB".
        limit: how many records to take apart; 0 for all.

    Raises:
        DataLossError: a record is damaged.
    """
    sizes: list[int] = []
    seen: list[bytes] = []
    for record in RecordReader(path, compression):
        sizes.append(len(record))
        if not limit or len(seen) < limit:
            seen.append(record)
    content, table = _content(seen)
    facts = {
        "compression": compression or "none",
        "records": len(sizes),
        "file_bytes": os.path.getsize(path),
        "record_bytes": sum(sizes),
        "smallest_bytes": min(sizes, default=0),
        "largest_bytes": max(sizes, default=0),
        "content": content,
        "examined": len(seen),
    }
    return Report("records", path, facts, [table])


COLUMNS = ["name", "where", "dtype", "records", "frequency", "min_length", "max_length", "steps", "sample"]


def _content(records: list[bytes]) -> tuple[str, Table]:
    """("Example", "SequenceExample" or "bytes", the table of features)."""
    examples = [_sequence(record) for record in records]
    if not records or any(example is None for example in examples):
        return "bytes", Table("features", COLUMNS, [])
    kind = "SequenceExample" if any(example.feature_lists.feature_list for example in examples) else "Example"
    found: dict[tuple[str, str], _Feature] = {}
    for example in examples:
        for name, where, values, is_list in _features(example):
            feature = found.setdefault((where, name), _Feature())
            feature.count += 1
            for value in values:
                feature.see(value)
            if is_list:
                least, most = feature.steps or (len(values), len(values))
                feature.steps = min(least, len(values)), max(most, len(values))
    rows = [feature.row(name, where if kind == "SequenceExample" else "features", len(records))
            for (where, name), feature in sorted(found.items())]  # fmt: skip
    return kind, Table("features", COLUMNS, rows)


def _sequence(record: bytes) -> Any:
    """The record as a SequenceExample, which reads Examples too; None when it is neither."""
    try:
        message = proto.example_pb2.SequenceExample.FromString(record)
    except Exception:  # protobuf's own class for it differs between its implementations
        return None
    size = message.ByteSize()
    message.DiscardUnknownFields()
    return message if message.ByteSize() == size and (not record or any(_features(message))) else None


def _features(example: Any) -> Iterator[tuple[str, str, Any, bool]]:
    """(name, where it stands, its Feature messages, whether they are the steps of a list)."""
    context: Mapping[str, Any] = example.context.feature
    for name, feature in context.items():
        yield name, "context", [feature], False
    for name, steps in example.feature_lists.feature_list.items():
        yield name, "feature_lists", steps.feature, True
