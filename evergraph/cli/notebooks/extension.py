"""`%load_ext evergraph`: evergraph in the place of TensorFlow, short errors, and pictures, in IPython and Jupyter.

%load_ext evergraph
import tensorflow as tf              # evergraph

%evergraph full-traceback            errors with all frames from here on
%evergraph short-traceback           and without again
%evergraph legacy                    lend the cells below what NumPy, SciPy and Python have removed
%evergraph plot logs                 draw the scalars of event files
%tensorflow_version 1.x              of notebooks for Colab, does nothing
"""

from __future__ import annotations

import importlib
import shlex
import sys
from typing import Any

from evergraph.cli.legacy import hints
from evergraph.cli.notebooks.shown import HTML
from evergraph.cli.tracebacks import frames, remedies

ADVICE = "%evergraph full-traceback shows them from now on"


def load(shell: Any) -> None:
    """Sets up a shell of IPython."""
    importlib.import_module("evergraph.as_tensorflow")
    formatter = shell.display_formatter.formatters["text/html"]
    for (module, name), show in HTML.items():
        formatter.for_type_by_name(module, name, show)
    shell.register_magic_function(_Magic(shell), "line", "evergraph")
    shell.register_magic_function(tensorflow_version, "line", "tensorflow_version")
    shorten(shell)


def tensorflow_version(line: str) -> None:
    """Colab's `%tensorflow_version 1.x`, which evergraph is. Of another version it says what programs do instead."""
    if not line.strip().startswith("1"):
        print("evergraph is TensorFlow 1.15: a program for TensorFlow 2.0 begins with "
              "`import tensorflow.compat.v2 as tf` and tf.enable_v2_behavior()", file=sys.stderr)  # fmt: skip


def shorten(shell: Any) -> None:
    """Has the shell show errors without frames that are not the notebook's, and with the remedy where it is known."""
    shell.set_custom_exc((Exception,), _show_short)


def _show_short(shell: Any, kind: Any, error: Any, trace: Any, tb_offset: Any = None) -> Any:
    hints.explain(error)
    remedies.explain(error)
    hidden = frames.shorten(error)
    shell.showtraceback(
        (type(error), error, error.__traceback__), tb_offset=0 if error.__traceback__ is None else tb_offset
    )
    if hidden:
        print(f"({hidden} frames of evergraph and the packages below it are hidden; {ADVICE})", file=sys.stderr)


class _Magic:
    """The line magic `%evergraph`."""

    __name__ = "evergraph"

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self.__doc__ = __doc__

    def __call__(self, line: str) -> Any:
        words = shlex.split(line)
        if words == ["full-traceback"]:
            self._shell.set_custom_exc((), None)
            self._shell.CustomTB = None
        elif words == ["short-traceback"]:
            shorten(self._shell)
        elif words == ["legacy"]:
            self._lend()
        elif words[:1] == ["plot"] and len(words) > 1:
            return importlib.import_module("evergraph.cli.notebooks.plots").plotted(words[1:])
        else:
            print(__doc__)
        return None

    def _lend(self) -> None:
        importlib.import_module("evergraph.cli.legacy.lending").install()
        transformer = importlib.import_module("evergraph.cli.legacy.rewrite").CellCalls()
        self._shell.ast_transformers.append(transformer)
