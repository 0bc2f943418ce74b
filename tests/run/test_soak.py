"""The short form of `make soak`: each scene runs, and leaves no thread."""

import threading

import pytest

from tests.datasets.soak import left_threads
from tests.run.soak import MIB, SCENES, growth


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_scene_leaves_no_thread(scene):
    before = set(threading.enumerate())
    scene(0)
    assert not left_threads(before)


def test_growth_is_told():
    flat = [MIB * 100.0] * 60
    assert growth(flat) == 0
    assert growth([size + MIB * minute / 20 for minute, size in enumerate(flat)]) > MIB
