"""Runs a program that says `import tensorflow as tf`, unchanged, on evergraph.

    evergraph run train.py --steps 100
    evergraph run -m package.module --steps 100
    evergraph run -c "import tensorflow as tf; print(tf.__version__)"
    evergraph run - --steps 100 < train.py

Options stand before the program:
    --legacy                lend it what NumPy, SciPy and Python have removed since 2019, such as np.float and
                            scipy.misc, and say at the end what that was
    --python2               --legacy, and convert the program from Python 2 as it is loaded, by fissix; its files stay
    --allow-removed-names   give it the names that TensorFlow 1.0 removed, such as tf.mul and tf.scalar_summary
    --first-nan             run node by node, and end at the first node that makes an inf or NaN, with its line and the
                            ranges of its inputs
    --cpus=N                make N devices of the host, and place softly: to try a program for N GPUs, whose /gpu:i is
                            /cpu:i then
    --full-traceback        show errors with the frames of evergraph and of this command, not just the program's own

A notebook, x.ipynb, runs too: its cells one after the other, as one program. Threads that it leaves behind are ended.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import runpy
import sys
from types import CodeType, ModuleType

from evergraph.cli import children
from evergraph.cli.legacy import hints, ledger
from evergraph.cli.python2.convert import PACKAGE, is_installed
from evergraph.cli.tracebacks import frames, remedies

OPTIONS = ("--legacy", "--python2", "--allow-removed-names", "--first-nan", "--full-traceback")
_CPUS = "--cpus="
_ADVICE = "evergraph run --full-traceback shows them"


def execute(words: list[str]) -> int:
    """Makes evergraph answer to `import tensorflow`, then runs the program as `python` would."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    options = _options(words)
    how, words = _taken_apart(words[len(options) :])
    if not words or how == "file" and not os.path.exists(words[0]):
        missing = f"there is no file {words[0]}" if words else "say what to run: a file, -m MODULE, -c CODE or -"
        print(f"evergraph run: {missing}", file=sys.stderr)
        return 2
    if "--python2" in options and not is_installed():
        print(f"evergraph run --python2 converts with the package {PACKAGE}: pip install {PACKAGE}", file=sys.stderr)
        return 2
    cpus = [option.removeprefix(_CPUS) for option in options if option.startswith(_CPUS)]
    if not all(count.isdecimal() and int(count) for count in cpus):
        print(f"evergraph run: {_CPUS}N takes a number of devices, got {cpus[0]!r}", file=sys.stderr)
        return 2
    importlib.import_module("evergraph.as_tensorflow")
    if cpus:
        importlib.import_module("evergraph.run.devices").simulate(int(cpus[-1]))
    if "--allow-removed-names" in options:
        importlib.import_module("evergraph.api.namespace").allow_removed_names()
    watching = importlib.import_module("evergraph.debug.first_nan").FirstNan() if "--first-nan" in options \
        else contextlib.nullcontext()
    if "--full-traceback" not in options:
        frames.install(_ADVICE)
    try:
        with watching:
            _run(how, words, "--legacy" in options or "--python2" in options, "--python2" in options)
    except Exception as error:
        hints.explain(error)
        remedies.explain(error)
        raise
    finally:
        if borrowed := ledger.lent():
            print(f"evergraph run --legacy lent the program {', '.join(borrowed)}", file=sys.stderr)
    return 0


def _run(how: str, words: list[str], legacy: bool, python2: bool) -> None:
    program, *rest = words
    sys.argv = ["-c" if how == "code" else program, *rest]
    if how == "input":
        how, program = "code", sys.stdin.read()
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)) if how == "file" else os.getcwd())
    children.begin(legacy, python2)

    def compiled(source: str | bytes, path: str) -> CodeType:
        if legacy:
            return importlib.import_module("evergraph.cli.legacy.rewrite").rewritten(source, path, python2)
        return compile(source, path, "exec", dont_inherit=True)

    if how == "module":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    elif how == "file" and program.endswith(".ipynb"):
        with importlib.import_module("evergraph.cli.notebooks.threads").ended():
            importlib.import_module("evergraph.cli.notebooks.running").run(program, compiled, _main_module(program))
    elif how == "file" and not (legacy and program.endswith(".py")):
        runpy.run_path(program, run_name="__main__")
    elif how == "file":
        with open(program, "rb") as file:
            exec(compiled(file.read(), program), vars(_main_module(program)))
    else:
        exec(compiled(program, "<stdin>" if sys.argv[0] == "-" else "<string>"), vars(_main_module(None)))


def _main_module(path: str | None) -> ModuleType:
    """A main module, under which pickle, inspect and tf.app.run find what the program defines."""
    module = ModuleType("__main__")
    if path is not None:
        module.__file__ = path
    sys.modules["__main__"] = module
    return module


def _options(words: list[str]) -> list[str]:
    """The options of the command itself, which stand before the program."""
    count = next((place for place, word in enumerate(words) if word not in OPTIONS and not word.startswith(_CPUS)),
                 len(words))
    return words[:count]


def _taken_apart(words: list[str]) -> tuple[str, list[str]]:
    """(what the first word is, the words without the option that says so)."""
    if words[:1] == ["-m"]:
        return "module", words[1:]
    if words[:1] == ["-c"]:
        return "code", words[1:]
    return "input" if words[:1] == ["-"] else "file", words
