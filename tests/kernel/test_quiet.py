"""Computing without NumPy's warnings."""

import numpy as np
import pytest

from evergraph.kernel import quiet
from evergraph.kernel.quiet import quietly


@pytest.fixture(params=["by its variable", "by errstate"], autouse=True)
def _(request, monkeypatch):
    if request.param == "by errstate":
        monkeypatch.setattr(quiet, "_SETTING", None)


def test_nothing_is_said():
    with np.errstate(all="raise"):
        assert quietly(np.divide, np.float32(1), np.float32(0)) == np.inf
        assert np.isnan(quietly(np.log, np.float32(-1)))


@pytest.mark.parametrize("before", ["raise", "warn"])
def test_what_was_said_before_is_said_after(before):
    with np.errstate(all=before):
        known = np.geterr()
        assert set(quietly(np.geterr).values()) == {"ignore"}
        assert np.geterr() == known
        with pytest.raises(ZeroDivisionError):
            quietly(divmod, 1, 0)
        assert np.geterr() == known


def test_a_function_that_changes_what_is_said():
    known = np.geterr()
    quietly(lambda: np.seterr(all="raise"))
    assert np.geterr() == known
