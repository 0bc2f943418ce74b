"""Adds a kernel to Jupyter in which `import tensorflow` is evergraph, for notebooks that are not to be touched.

    evergraph kernel install                     for this user
    evergraph kernel install --prefix .venv      into an environment
    evergraph kernel remove

Notebooks then choose the kernel "evergraph (TensorFlow 1.15)"; in those of other kernels, `%load_ext evergraph` as the
first line does the same.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys

_NAME = "evergraph"


def execute(words: list[str]) -> int:
    """Writes or deletes the kernel's directory."""
    parser = argparse.ArgumentParser(
        prog="evergraph kernel", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("install", "remove"))
    parser.add_argument("--prefix", metavar="DIR", help="an environment, whose share/jupyter is used")
    given = parser.parse_args(words)
    folder = location(given.prefix)
    if given.what == "remove":
        return _remove(folder)
    if importlib.util.find_spec("ipykernel") is None:
        print("evergraph kernel: Jupyter's kernel for Python is not installed: pip install ipykernel", file=sys.stderr)
        return 1
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
        json.dump(spec(), file, indent=2)
    print(f"{folder}: choose the kernel {spec()['display_name']!r} in a notebook")
    return 0


def spec() -> dict[str, object]:
    """What Jupyter needs to start the kernel: Python's own, with evergraph's extension loaded."""
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--ext=evergraph"],
        "display_name": "evergraph (TensorFlow 1.15)",
        "language": "python",
        "metadata": {"debugger": True},
    }


def location(prefix: str | None) -> str:
    """Where Jupyter looks for the kernel."""
    if prefix is not None:
        return os.path.join(prefix, "share", "jupyter", "kernels", _NAME)
    home = os.environ.get("JUPYTER_DATA_DIR")
    if home is None and sys.platform == "darwin":
        home = os.path.expanduser("~/Library/Jupyter")
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(home or os.path.join(base, "jupyter"), "kernels", _NAME)


def _remove(folder: str) -> int:
    if not os.path.isfile(os.path.join(folder, "kernel.json")):
        print(f"evergraph kernel: there is none in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    print(f"{folder}: removed")
    return 0
