"""What releases say of themselves agrees: versions, notes, and the names of what is built."""

import platform
import re
import shutil
import tomllib
import zipfile
from pathlib import Path

import pytest

import evergraph
import hatch_build
from release import dist

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_said_once_and_repeated_right():
    version = evergraph.__version__
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1] == version
    assert re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == version
    assert (ROOT / "docs" / "releases" / f"{version}.md").exists()
    assert f"version {version}" in " ".join((ROOT / "README.md").read_text().split())


def test_a_version_has_few_lines():
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    assert all(version.count("\n") <= 25 for version in versions)


def test_the_demo_needs_no_tools_of_tests():
    make = (ROOT / "Makefile").read_text()
    assert "demo: $(INSTALLED)" in make
    assert re.search(r"^\$\(INSTALLED\):.*\n(?:\t.*\n)*?\t.* install .* -e \.$", make, re.MULTILINE)


def test_metadata_has_what_an_index_shows():
    assert PROJECT["keywords"] and PROJECT["authors"] and PROJECT["classifiers"]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {oldest}" in PROJECT["classifiers"]


def test_contents_of_an_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "a-1.whl", "w") as wheel:
        wheel.writestr("evergraph/ops/math.py", "x" * 3_000_000)
        wheel.writestr("evergraph/__init__.py", "")
        wheel.writestr("a.dist-info/RECORD", "y")
    lines = dist.contents(tmp_path / "a-1.whl").splitlines()
    assert lines[0].endswith("3 files, 3.0 MB unpacked")
    assert lines[1].split() == ["3.00", "MB", "evergraph/ops"]


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no compiler")
def test_a_compiler_says_for_which_platform_a_wheel_is():
    assert hatch_build._platform("gcc") == f"linux_{platform.machine()}"


def test_interpreters_are_found_once_a_version():
    assert len(set(dist.every_python())) == len(dist.every_python())
    with pytest.raises(SystemExit, match="there is no python-of-nowhere"):
        dist.found("python-of-nowhere")
