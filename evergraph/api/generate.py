"""Writes the public face from the exports of every module: the table evergraph/api/names.py and evergraph-stubs/.

    python -m evergraph.api.generate            # after changing an export or the signature of one
    python -m evergraph.api.generate --check    # exits 1 and shows the difference when a file is not up to date
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
from evergraph.api.namespace import held_by
from evergraph.api.stubs.files import FOLDER, stubs
from evergraph.base.export import EXPORTS

PACKAGE = Path(__file__).resolve().parent.parent
TABLE = Path(__file__).with_name("names.py")
KERAS_FIRST = tuple(f"compat.v2.keras.{what}." for what in ("initializers", "losses", "metrics", "optimizers"))
SHARED = Path(__file__).with_name("shared_names.txt")  # what tf.compat.v2 has of TensorFlow 1
HEADER = '"""Public name -> module:attribute. Written by `python -m evergraph.api.generate`; not edited by hand."""'
# The face itself exports nothing, and importing these has effects.
NOT_IMPORTED = ("evergraph.api", "evergraph.cli", "evergraph.as_tensorflow", "evergraph.debug.test_ops")


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


def share() -> None:
    """Exports what TensorFlow 2 shares with TensorFlow 1 below tf.compat.v2 too.

    Its losses, metrics, optimizers and initializers are those of Keras.
    """
    for name in SHARED.read_text().splitlines():
        if name in EXPORTS and not name.startswith("#"):
            EXPORTS.setdefault(f"compat.v2.{name}", EXPORTS[name])
    for name in [name for name in EXPORTS if name.startswith(KERAS_FIRST)]:
        EXPORTS.setdefault(name.replace(".keras", "", 1), EXPORTS[name])


def attribute_of(public: str, home: str, value: Any) -> str | None:
    """The global of module `home` that holds this object, by the public name's own last word where that is one."""
    if public.startswith("raw_ops."):  # ops of a table have no global of their own
        return f"@{value.name}"
    held = held_by(sys.modules[home])
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
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(text)
    scratch.replace(path)


def generated() -> tuple[dict[Path, str], bool]:
    """The files with their texts, and whether every export was found; without that there are no stubs."""
    failed = import_all(modules())
    share()
    names, complete = table(failed)
    files = {TABLE: source(names)}
    if complete:
        texts = stubs({name: EXPORTS[name][1] for name in names})
        files |= {FOLDER / path: text for path, text in texts.items()}
    return files, complete


def differences(files: Mapping[Path, str]) -> Iterator[str]:
    """How the files differ from what they should be, as lines to show."""
    for path, new in files.items():
        old = path.read_text() if path.exists() else ""
        if old != new:
            name = str(path.relative_to(PACKAGE.parent))
            yield from difflib.unified_diff(old.splitlines(), new.splitlines(), name, "generated", n=0, lineterm="")
    yield from (f"{path.relative_to(PACKAGE.parent)} describes no namespace" for path in stale(files))


def stale(files: Mapping[Path, str]) -> list[Path]:
    """The stubs on disk of namespaces that are no more."""
    return sorted(set(FOLDER.rglob("*.pyi")) - files.keys()) if len(files) > 1 else []


def write_all(files: Mapping[Path, str]) -> None:
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            write(path, text)
    for path in stale(files):
        path.unlink()
        for folder in path.parents:
            if any(folder.iterdir()):
                break
            folder.rmdir()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 unless every file is up to date")
    arguments = parser.parse_args()
    files, complete = generated()
    if not arguments.check:
        write_all(files)
        return 0 if complete else 1
    lines = list(differences(files))
    if lines:
        print(*lines, sep="\n")
    return 0 if complete and not lines else 1


if __name__ == "__main__":
    sys.exit(main())
