"""Runs a program that says `import tensorflow as tf`, unchanged, on evergraph.

    evergraph run train.py --steps 100
    evergraph run -m package.module
"""

from __future__ import annotations

import argparse
import importlib
import os
import runpy
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is the name of a module")
    parser.add_argument("program", metavar="PROGRAM", help="a Python file, or with -m a module")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program finds in sys.argv")


def execute(arguments: argparse.Namespace) -> int:
    """Makes evergraph answer to `import tensorflow`, then runs the program as `python PROGRAM` would."""
    if not arguments.module and not os.path.isfile(arguments.program):
        print(f"evergraph run: there is no file {arguments.program}", file=sys.stderr)
        return 2
    importlib.import_module("evergraph.as_tensorflow")
    sys.argv = [arguments.program, *arguments.arguments]
    if arguments.module:
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments.program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments.program)))
        runpy.run_path(arguments.program, run_name="__main__")
    return 0
