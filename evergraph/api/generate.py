"""Writes the table of public names, evergraph/api/names.py, from the exports of every module.

    python -m evergraph.api.generate            # after adding or removing an export
    python -m evergraph.api.generate --check    # exits 1 and shows the difference when the table is not up to date
"""

import argparse
import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evergraph.api.names import NAMES
from evergraph.base.export import EXPORTS

PACKAGE = Path(__file__).resolve().parent.parent
TABLE = Path(__file__).with_name("names.py")
HEADER = '"""Public name -> module:attribute. Written by `python -m evergraph.api.generate`; not edited by hand."""'
# The face itself exports nothing, and importing these has effects.
NOT_IMPORTED = ("evergraph.api", "evergraph.cli", "evergraph.as_tensorflow")


def modules() -> Iterator[str]:
    """The dotted names of every module that may export something."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if not f"{name}.".startswith(tuple(f"{face}." for face in NOT_IMPORTED)) and parts[-1] != "__main__":
            yield name


def import_all(names: Iterable[str]) -> set[str]:
    """Imports the modules; tells of those that fail, and returns them."""
    failed = set()
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            failed.add(name)
            print(f"{name} does not import:\n{traceback.format_exc(limit=-1)}", file=sys.stderr)
    return failed


def attribute_of(public: str, home: str, value: Any) -> str | None:
    """The global of module `home` that holds this object, by the public name's own last word where that is one."""
    if public.startswith("raw_ops."):  # ops of a table have no global of their own
        return f"@{value.name}"
    held = vars(sys.modules[home])
    last = public.rpartition(".")[2]
    if held.get(last, EXPORTS) is value:
        return last
    return next((name for name, known in held.items() if known is value and not name.startswith("__")), None)


def table(failed: set[str]) -> tuple[dict[str, str], bool]:
    """Public name -> "module:attribute", and whether every export was found.

    The names of modules that failed to import stay as they were: one broken file does not take the others' names away.
    """
    names = {name: target for name, target in NAMES.items() if target.partition(":")[0] in failed}
    complete = not failed
    for name, (home, value) in EXPORTS.items():
        if home in failed:
            continue
        attribute = attribute_of(name, home, value)
        if attribute is None:
            print(f"tf.{name}: no global of {home} is the object exported, {value!r}", file=sys.stderr)
            complete = False
        else:
            names[name] = f"{home}:{attribute}"
    return dict(sorted(names.items())), complete


def source(names: Mapping[str, str]) -> str:
    rows = "".join(f'    "{name}": "{target}",\n' for name, target in names.items())
    return f"{HEADER}\n\nNAMES = {{\n{rows}}}\n"


def write(path: Path, text: str) -> None:
    """Replaces the file in one step, so that nobody imports half of it."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(text)
    scratch.replace(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 unless the table is up to date")
    arguments = parser.parse_args()
    names, complete = table(import_all(modules()))
    old, new = TABLE.read_text(), source(names)
    if arguments.check:
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "names.py", "generated", n=0, lineterm="")
        print(*lines, sep="\n", end="")
        complete = complete and old == new
    elif old != new:
        write(TABLE, new)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
