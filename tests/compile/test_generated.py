"""Lines of generated functions are values; their text is printed last, and nothing reads it again."""

import ast
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from evergraph import compile as room
from evergraph.compile.generated import Attribute, Call, Line, Local, generated, inputs_of, value_of
from evergraph.compile.lower import lower
from evergraph.kernel.context import FoldingContext
from tests.test_imports import imported

FILES = sorted(Path(room.__file__).parent.glob("*.py"))
X, Y, T, U = map(Local, ("i0", "i1", "t0_0", "t0_1"))


def of_expressions(source):
    """The lines of a source that import regular expressions."""
    modules = imported(ast.parse(source), ("evergraph", "compile"))
    return [line for module, line, _ in modules if module.partition(".")[0] in ("re", "regex")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_matches_text(file):
    assert not of_expressions(file.read_text())


def test_imports_of_regular_expressions_are_found():
    assert of_expressions("import os\nimport re\nfrom re import sub\nimport regex\nimport records") == [2, 3, 4]


@pytest.mark.parametrize(("line", "source"), [
    (Line((), (T,), Call("k0", ("a0_axis", X))), "t0_0 = k0(a0_axis, i0)"),
    (Line((), (), Call("k0", ("context", X))), "k0(context, i0)"),
    (Line((), (T, U), Call("k0", (X,)), True, ("", "d0_1")), "t0_0, t0_1, = k0(i0); t0_1 = settle(t0_1, d0_1)"),
    (Line((), (T,), Call("k0", (Call("", (X, Y), "[]"),)), dtypes=("d0_0",)), "t0_0 = settle(k0([i0, i1]), d0_0)"),
    (Line((), (T,), Call("held", ("'w'",)), otherwise=Call("new", ("n0",))), "t0_0 = held('w') or new(n0)"),
])  # fmt: skip
def test_a_line_is_printed(line, source):
    lowered = generated([line], ["i0", "i1"], [], {}, on_numpy=False)
    assert lowered.source.splitlines()[2].strip() == source


def test_a_line_tells_what_it_reads():
    line = Line((), (T,), Call("k0", ("a0", Call("xp", (Y, X)), Attribute((X,), "shape"))))
    assert line.reads == [Y, X] and not line.reads_variables
    assert Line((), (T,), Call("k0", (value_of(X),))).reads_variables
    assert Line((), (T,), value_of(X, may_be_fed=True)).reads_variables
    assert inputs_of([line, Line((), (U,), Call("k1", (T, X)))]) == [Y, X]


def test_what_lines_call_of_the_context_is_looked_up_once():
    x = tf.placeholder(tf.float32, [2])
    y = tf.concat([x, tf.tanh(x)], 0)
    lowered = lower([y.op.inputs[1].op, y.op.inputs[2].op, y.op], [x], [y])
    assert lowered.source.splitlines()[1].strip() == "xp, static, settle = context.xp, context.static, context.settle"
    (found,) = lowered.call(FoldingContext(), np.zeros(2, np.float32))
    np.testing.assert_array_equal(found, np.zeros(4))
