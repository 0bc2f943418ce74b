"""`evergraph run --python2`: programs for Python 2, converted as they are loaded."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import cPickle
import helper
import tensorflow as tf

def shown(table):
    for key, value in table.iteritems():
        print key, value, xrange(3)[1], helper.halved(7)

shown({'a': 7 / 2})
x = 9
x /= 2
print x, 1.0 / 2, helper.quotient(7, 2), u'text'
print tf.Session().run(tf.constant(7) / tf.constant(2)), tf.Session().run(tf.constant(7.0) / 2)
"""


def evergraph(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "evergraph", "run", *arguments], cwd=folder, capture_output=True, text=True
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    helper = "from __future__ import division\ndef quotient(a, b):\n    return a / b\n"
    (tmp_path / "helper.py").write_text("import half\nhalved = half.halved\n" + helper.split("\n", 1)[1])
    (tmp_path / "half.py").write_text("from __future__ import division\ndef halved(x):\n    return x / 2\n")
    return tmp_path


@pytest.mark.parametrize("how", [["program.py"], ["-m", "program"]])
def test_a_program_for_python_2(folder, how):
    pytest.importorskip("fissix")
    done = evergraph(folder, "--python2", *how)
    assert done.stdout == "a 3 1 3.5\n4 0.5 3 text\n3 3.5\n", done.stderr


def test_a_notebook_for_both_pythons(tmp_path):
    """`print ("a")` is a call or a statement: as the last line of a cell it stands for itself."""
    pytest.importorskip("fissix")
    cells = ["print 'one'", "print ('two')", "3 / 2"]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": each} for each in cells]}))
    done = evergraph(tmp_path, "--python2", "a.ipynb")
    assert done.stdout == "one\ntwo\n1\n", done.stderr


def test_what_neither_python_parses(folder):
    pytest.importorskip("fissix")
    (folder / "program.py").write_text("print 'a\nfor for\n")
    done = evergraph(folder, "--python2", "program.py")
    assert done.returncode == 1 and "cannot be converted from Python 2" in done.stderr


def test_without_the_converter_it_says_what_to_install(folder):
    code = ("import sys; sys.modules['fissix'] = None; from evergraph.cli import main; "
            "sys.exit(main(['run', '--python2', 'program.py']))")  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2 and "pip install fissix" in done.stderr


def test_without_the_option_an_error_names_it(folder):
    assert "`evergraph run --python2` converts it" in evergraph(folder, "program.py").stderr
