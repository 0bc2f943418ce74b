"""`evergraph plot`: scalars of runs as charts in a terminal and as pictures."""

import re

import numpy as np
import pytest

import evergraph as tf
from evergraph.cli import main
from evergraph.cli.plots.chart import chart
from evergraph.cli.plots.scalars import lines_of


def write(folder, tag, points, start=None):
    with tf.summary.FileWriter(str(folder)) as writer:
        if start is not None:
            writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), start)
        for step, value in points:
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)]), step)


@pytest.fixture
def model_dir(tmp_path):
    write(tmp_path / "model", "loss", [(step, 1 / step) for step in range(1, 101)])
    write(tmp_path / "model" / "eval", "loss", [(50, 0.1), (100, 0.05)])
    write(tmp_path / "model" / "eval", "accuracy", [(50, 0.7), (100, 0.9)])
    return str(tmp_path / "model")


def test_a_run_and_its_evaluations_share_a_chart(model_dir, capsys):
    assert main(["plot", model_dir]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if "●" in line] == [
        "accuracy  ● eval 0.9", "loss  ● train 0.01  ● eval 0.05"]
    assert re.search(r"^ +1 +100$", shown, re.M)


def test_a_tag_with_one_step_is_a_line_of_text(model_dir, tmp_path, capsys):
    write(tmp_path / "model" / "eval", "auc", [(100, 0.75)])
    assert main(["plot", model_dir]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "auc  ● eval 0.75 at step 100"


def test_several_runs_are_named_by_their_folders(model_dir, tmp_path, capsys):
    write(tmp_path / "other", "loss", [(1, 2.0)])
    assert main(["plot", model_dir, str(tmp_path / "other"), "--tag", "^loss$"]) == 0
    assert "loss  ● model 0.01  ● model/eval 0.05  ● other 2" in capsys.readouterr().out


def test_steps_that_a_restored_run_does_again_replace_the_old_ones(tmp_path):
    write(tmp_path, "loss", [(1, 5.0), (2, 4.0), (3, 99.0)])
    write(tmp_path, "loss", [(2, 3.0)], start=2)
    (line,) = lines_of([str(tmp_path)])["loss"]
    assert line.finite() == [(1, 5.0), (2, 3.0)]


def test_a_line_that_falls_goes_from_the_top_left_to_the_bottom_right():
    rows = [row.plain for row in chart([[(0, 1.0), (10, 0.0)]], width=24, height=4)]
    assert rows[0].startswith("1 │⠉") and rows[3].startswith("0 │") and not rows[3].endswith("⠀")
    assert rows[4].split() == ["0", "10"]
    dots = [[place for place, cell in enumerate(row[3:]) if ord(cell) > 0x2800] for row in rows[:4]]
    assert all(before[0] <= after[0] for before, after in zip(dots, dots[1:]))


@pytest.mark.parametrize("points", [[(5, 2.0)], [(0, 3.0), (9, 3.0)], [(0, -1e308), (1, 1e308)]])
def test_single_points_and_extreme_values_are_drawn(points):
    rows = chart([points], width=30, height=3)
    assert any(ord(cell) > 0x2800 for row in rows[:3] for cell in row.plain)


def test_a_picture(model_dir, tmp_path, capsys):
    from PIL import Image

    path = tmp_path / "run.png"
    assert main(["plot", model_dir, "--output", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    pixels = np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3)
    assert len(np.unique(pixels, axis=0)) > 50


@pytest.mark.parametrize("words, told", [
    (["nowhere"], "nowhere does not exist"),
    (["MODEL", "--tag", "nothing"], "no scalars to draw under these tags; there are: accuracy, loss"),
    (["MODEL", "--output", "x.unknown"], "x.unknown: "),
])
def test_what_cannot_be_drawn_is_told_in_one_line(model_dir, capsys, words, told):
    assert main(["plot", *[model_dir if word == "MODEL" else word for word in words]]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(f"evergraph plot: {told}") and shown.count("\n") == 1


def test_tags_are_shown_as_text(tmp_path, capsys):
    write(tmp_path, "\x1b[2Jloss", [(1, 1.0)])
    assert main(["plot", str(tmp_path)]) == 0
    assert "\x1b" not in capsys.readouterr().out
