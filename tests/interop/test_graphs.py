"""Graphs go both ways: TensorFlow runs what evergraph built, evergraph what TensorFlow built, and the numbers agree."""

import traceback
from pathlib import Path

import numpy as np
import pytest

import evergraph as tf
from tests.interop.files import load_results, run_program, save_program
from tests.interop.judge import ask
from tests.interop.programs import PROGRAMS

ROOT = Path(__file__).resolve().parents[2]


def run_and_build_all(tf, root, where):
    """TensorFlow's part: one process for all programs, because importing it takes longer than they do.

    It runs what evergraph wrote, and writes the same programs, those with control flow in both of its forms. A program
    that fails leaves its traceback in a file.
    """
    import pathlib
    import sys
    import traceback

    sys.path.insert(0, root)
    from tests.interop.files import run_program, save_program
    from tests.interop.programs import PROGRAMS

    def attempt(directory, what, *arguments):
        directory.mkdir(parents=True, exist_ok=True)
        try:
            what(tf, directory, *arguments)
        except Exception:
            (directory / "error.txt").write_text(traceback.format_exc())

    folder = pathlib.Path(where)
    for program in PROGRAMS.values():
        if (folder / "evergraph" / program.name / "built.npz").exists():
            attempt(folder / "evergraph" / program.name, run_program, "read.npz")
        tf.disable_control_flow_v2()
        attempt(folder / "tensorflow" / program.name, save_program, program)
        if program.functional:
            tf.enable_control_flow_v2()
            attempt(folder / "functional" / program.name, save_program, program)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A directory in which both sides have built every program, and TensorFlow has run evergraph's."""
    folder = tmp_path_factory.mktemp("interop")
    for program in PROGRAMS.values():
        directory = folder / "evergraph" / program.name
        directory.mkdir(parents=True)
        if program.by == "both":
            try:
                save_program(tf, directory, program)
            except Exception:
                (directory / "failed.txt").write_text(traceback.format_exc())
    ask(run_and_build_all, folder, root=str(ROOT), where=str(folder))
    return folder


def results(directory, name):
    for error in ("failed.txt", "error.txt"):
        assert not (directory / error).exists(), (directory / error).read_text()
    return load_results(directory / name)


def assert_agree(mine, theirs, tolerance):
    assert mine.keys() == theirs.keys()
    for key in theirs:
        assert mine[key].dtype == theirs[key].dtype, key
        assert mine[key].shape == theirs[key].shape, key
        if mine[key].dtype.kind in "fc":
            scale = max(1.0, np.abs(theirs[key]).max(initial=0.0))
            np.testing.assert_allclose(mine[key], theirs[key], rtol=tolerance, atol=tolerance * scale, err_msg=key)
        else:
            np.testing.assert_array_equal(mine[key], theirs[key], err_msg=key)


@pytest.mark.parametrize("program", [p for p in PROGRAMS.values() if p.by == "both"], ids=lambda p: p.name)
def test_tensorflow_runs_what_evergraph_wrote(files, program):
    directory = files / "evergraph" / program.name
    assert_agree(results(directory, "built.npz"), results(directory, "read.npz"), program.tolerance)


@pytest.mark.parametrize("program", [p for p in PROGRAMS.values() if p.by == "both"], ids=lambda p: p.name)
def test_both_compute_the_same(files, program):
    mine, theirs = (results(files / side / program.name, "built.npz") for side in ("evergraph", "tensorflow"))
    assert_agree(mine, theirs, program.tolerance)


WRITTEN = [("tensorflow", p) for p in PROGRAMS.values()]
WRITTEN += [("functional", p) for p in PROGRAMS.values() if p.functional]


@pytest.mark.parametrize("side, program", WRITTEN, ids=lambda each: getattr(each, "name", each))
@pytest.mark.parametrize("tier", ["numpy", None])
def test_evergraph_runs_what_tensorflow_wrote(files, side, program, tier, monkeypatch):
    directory = files / side / program.name
    theirs = results(directory, "built.npz")
    if tier is not None:
        monkeypatch.setattr(tf.Session.__init__, "__kwdefaults__", {"tier": tier})
    run_program(tf, directory, f"read_{tier}.npz")
    assert_agree(load_results(directory / f"read_{tier}.npz"), theirs, program.tolerance)
