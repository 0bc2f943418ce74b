"""Runs the tests of this room against a store behind a boundary of messages, if the environment asks for it."""

import pytest

from tests.harness import remote_store


@pytest.fixture
def is_remote():
    return remote_store.IS_ON


@pytest.fixture(autouse=True)
def kind_of_store(request, is_remote, monkeypatch):
    """Sessions keep their values behind that boundary if `is_remote`, which a module may override."""
    mark = request.node.get_closest_marker("in_process")
    if is_remote and mark:
        pytest.skip(*mark.args)
    if is_remote:
        remote_store.use(monkeypatch.setattr)
