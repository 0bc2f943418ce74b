"""Runs a program that says `import tensorflow as tf`, unchanged, on evergraph.

    evergraph run train.py --steps 100
    evergraph run -m package.module --steps 100
    evergraph run -c "import tensorflow as tf; print(tf.__version__)"
    evergraph run - --steps 100 < train.py
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys


def execute(words: list[str]) -> int:
    """Makes evergraph answer to `import tensorflow`, then runs the program as `python` would."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    how, words = _taken_apart(words)
    if not words or how == "file" and not os.path.exists(words[0]):
        missing = f"there is no file {words[0]}" if words else "say what to run: a file, -m MODULE, -c CODE or -"
        print(f"evergraph run: {missing}", file=sys.stderr)
        return 2
    importlib.import_module("evergraph.as_tensorflow")
    program, *rest = words
    sys.argv = ["-c" if how == "code" else program, *rest]
    if how == "input":
        how, program = "code", sys.stdin.read()
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)) if how == "file" else os.getcwd())
    if how == "code":
        name = "<stdin>" if sys.argv[0] == "-" else "<string>"
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    elif how == "module":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(program, run_name="__main__")
    return 0


def _taken_apart(words: list[str]) -> tuple[str, list[str]]:
    """(what the first word is, the words without the option that says so)."""
    if words[:1] == ["-m"]:
        return "module", words[1:]
    if words[:1] == ["-c"]:
        return "code", words[1:]
    return "input" if words[:1] == ["-"] else "file", words
