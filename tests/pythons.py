"""Runs the smoke part of the tests on every Python of this machine, and with the oldest packages that are allowed.

    python -m tests.pythons                 each Python from 3.11 on, then the oldest packages on the oldest of them
    python -m tests.pythons 3.13 oldest     some of these

Pythons are found on PATH and among pyenv's. Each gets a virtual environment of its own in build/pythons, without a
compiler's work: the C code is that of the source tree, which all of them load.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "pythons"
SMOKE = (
    "tests/test_tiny.py", "tests/cli/test_run.py", "tests/cli/test_legacy.py",
    "tests/cli/test_inspect.py", "tests/strings/test_hashing.py", "tests/data", "tests/proto/test_text.py",
    "tests/autograph",
)  # fmt: skip
ASIDE = ("tests/autograph/test_random.py",)
OLDEST = "oldest"
TOOLS = ("pytest>=8", "hypothesis>=6.100", "scipy>=1.14", "pillow>=11.3", "h5py>=3", "pyyaml")
"""What the smoke part imports beside evergraph's own requirements."""


def main(wanted: list[str]) -> int:
    """Runs what is asked for, and says what failed."""
    pythons = found()
    runs = [(version, path, False) for version, path in pythons.items()]
    runs += [(OLDEST, next(iter(pythons.values())), True)]
    failed = []
    for name, path, oldest in runs:
        if not wanted or name in wanted:
            print(f"== {name} ({path})", flush=True)
            if not passes(environment(name, path, oldest)):
                failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return len(failed)


def found() -> dict[str, str]:
    """Version, such as "3.12" -> interpreter, the oldest version first."""
    needed = tuple(map(int, re.findall(r"\d+", project()["requires-python"])))
    held: dict[tuple[int, ...], str] = {}
    for path in _candidates():
        asked = subprocess.run([path, "-c", "import sys, venv; print(*sys.version_info[:2])"],
                               capture_output=True, text=True)  # fmt: skip
        if asked.returncode == 0:
            held.setdefault(tuple(map(int, asked.stdout.split())), path)
    return {".".join(map(str, version)): held[version] for version in sorted(held) if version >= needed}


def _candidates() -> Iterator[str]:
    yield from (path for minor in range(30) if (path := shutil.which(f"python3.{minor}")))
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/3.*/bin/python")))
    yield sys.executable


def project() -> dict:
    """The table [project] of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def oldest_of(requirement: str) -> str:
    """ "jax>=0.10" -> "jax==0.10", the first release that satisfies it."""
    return requirement.replace(">=", "==")


def environment(name: str, python: str, oldest: bool) -> str:
    """The interpreter of a virtual environment with evergraph's requirements; made anew where these have changed."""
    requirements = (
        [*map(oldest_of, project()["dependencies"]), *TOOLS] if oldest else [*project()["dependencies"], *TOOLS]
    )
    folder = FOLDER / name
    made = folder / "requirements"
    text = "\n".join(requirements)
    interpreter = str(folder / "bin" / "python")
    if not made.exists() or made.read_text() != text:
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
        install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *requirements], check=True)
        made.write_text(text)
    return interpreter


def passes(interpreter: str) -> bool:
    """Whether the smoke part passes."""
    aside = [f"--ignore={path}" for path in ASIDE]
    command = [interpreter, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SMOKE, *aside]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
