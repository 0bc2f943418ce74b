"""Random graphs of mapped ops: a sample of what `python -m tests.lite.random_models` runs."""

import pytest

from tests.lite import page, random_models

pytest.importorskip("ai_edge_litert")


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_converted_graphs_compute_the_same(seed):
    assert random_models.difference(seed) is None


def test_a_difference_is_told(monkeypatch, capsys):
    monkeypatch.setattr(random_models, "TOLERANCE", -1.0)
    assert random_models.main(["--seeds", "0", "2"]) and "2 graphs, 2 differ" in capsys.readouterr().out


def test_the_page_has_the_table_of_the_code():
    assert page.main(["--check"]) == 0
