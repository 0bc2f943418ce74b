"""Prints the declarations of TensorFlow's ops, ready to paste:

    python -m evergraph.tools.signature MatMul Sum

It reads the definitions recorded in the repository's tests/data/ops.json, so it works in a checkout only.
"""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from evergraph.graph.signature import Signature
from evergraph.tools.signature_text import from_opdef_entry, parts, text_of

OPS = Path(__file__).parents[2] / "tests" / "data" / "ops.json"
WIDTH = 120


def declaration(name: str, entry: dict[str, Any]) -> str:
    """The decorator line of a recorded op, wrapped into adjacent string literals where it is too long."""
    recorded = from_opdef_entry(name, entry)
    facets = ", stateful=True)" if entry.get("stateful") else ")"
    whole = f"@op({_literal(text_of(recorded))}{facets}"
    if len(whole) <= WIDTH:
        return whole
    lines = _wrapped(recorded, WIDTH - len('    ""') - len(facets))
    return "@op(\n" + "\n".join(f"    {_literal(line)}" for line in lines) + facets


def _wrapped(recorded: Signature, width: int) -> list[str]:
    """The signature's text broken between arguments."""
    inputs, attrs, outputs = parts(recorded)
    params = inputs + (["*", *attrs] if attrs else [])
    pieces = [f"{recorded.name}("] + [f"{text}, " for text in params[:-1]]
    pieces += [f"{text}) -> " for text in params[-1:]] or [") -> "]
    pieces += [f"{text}, " for text in outputs[:-1]] + (outputs[-1:] or ["()"])
    lines = [""]
    for piece in pieces:
        if len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def _literal(text: str) -> str:
    """The text between double quotes, as house style has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evergraph.tools.signature", description="Prints op declarations.")
    parser.add_argument("ops", nargs="+", metavar="Op", help="the name of an op of TensorFlow 1.15")
    names = parser.parse_args(arguments).ops
    if not OPS.exists():
        parser.error(f"no recorded definitions at {OPS}")
    recorded = json.loads(OPS.read_text())
    for name in names:
        if name not in recorded:
            parser.error(f"no op {name}{_did_you_mean(name, recorded)}")
        print(declaration(name, recorded[name]))
    return 0


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, known, n=5)
    return f"; did you mean {', '.join(close)}?" if close else ""


if __name__ == "__main__":
    raise SystemExit(main())
