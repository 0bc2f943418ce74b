"""Runs the test suites of public libraries that use TensorFlow 1, from a folder that has them checked out.

    python -m tests.libraries.run FOLDER [NAME ...] [--every N] [--match PATTERN] [--file-limit S] [--test-limit S]
                                  [--record FILE]

FOLDER has one folder for each library: FOLDER/sonnet, FOLDER/probability, ... (a git checkout, or what it holds). Which
version is meant, and where it comes from, stands in LIBRARIES below. What a library itself imports beside TensorFlow
has to be on the path, and protocol buffers have to be compiled: see docs/libraries.md. Prints a table of what passed,
and the most frequent causes of what did not.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()


@dataclass(frozen=True)
class Library:
    """A library and its tests.

    Attributes:
        version: the release or commit that is meant.
        source: the repository.
        tests: the folder or the pattern of its test files.
        needs: other libraries of the folder that it imports.
        without: a regular expression of files that are no test of the library's use of TensorFlow.
    """

    version: str
    source: str
    tests: str = "**/*_test.py"
    needs: tuple[str, ...] = ()
    without: str = "^$"


LIBRARIES = {
    "sonnet": Library("1.36", "deepmind/sonnet", "sonnet/**/*_test.py", ("probability",)),
    "probability": Library("0.8.0", "tensorflow/probability", "tensorflow_probability/python/**/*_test.py"),
    "tensor2tensor": Library("1.15.7", "tensorflow/tensor2tensor", "tensor2tensor/**/*_test.py",
                             ("probability", "gan", "mesh", "hub")),
    "gan": Library("2.0.0 (afb7eeb)", "tensorflow/gan", "tensorflow_gan/**/*_test.py", ("probability", "hub")),
    "hub": Library("0.7.0", "tensorflow/hub", "tensorflow_hub/**/*_test.py"),
    "ranking": Library("0.2.0", "tensorflow/ranking", "tensorflow_ranking/**/*_test.py"),
    "adanet": Library("0.8.0", "tensorflow/adanet", "adanet/**/*_test.py"),
    "opennmt": Library("1.25.3", "OpenNMT/OpenNMT-tf", "opennmt/tests/*_test.py"),
    "mesh": Library("4525df7", "tensorflow/mesh", "mesh_tensorflow/**/*_test.py"),
    "agents": Library("0.3.0", "tensorflow/agents", "tf_agents/**/*_test.py", ("probability",)),
    "lattice": Library("2.0", "tensorflow/lattice", "tensorflow_lattice/**/*_test.py"),
    "deepctr": Library("0.7.0", "shenweichen/DeepCTR", "tests/**/*_test.py"),
    "graph_nets": Library("1.0.5", "deepmind/graph_nets", "graph_nets/**/*_test.py", ("sonnet", "probability")),
    "trfl": Library("08ccb29", "deepmind/trfl", "trfl/**/*_test.py", ("probability", "sonnet")),
    "gpflow": Library("1.5.1", "GPflow/GPflow", "tests/test_*.py", without="notebooks|examples"),
    "tensorpack": Library("0.10.1", "tensorpack/tensorpack", "**/*_test.py"),
    "dopamine": Library("2", "google/dopamine", "tests/**/*_test.py"),
    "keras": Library("2.3.1", "keras-team/keras", "tests/**/*test*.py", without="conftest"),
    "keras_2_2": Library("2.2.4", "keras-team/keras", "tests/**/*test*.py", without="conftest"),
    "stable_baselines": Library("2.10.1", "hill-a/stable-baselines", "tests/test_*.py"),
}


def main(words: list[str]) -> int:
    """Runs the suites that the command line asks for, and prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(LIBRARIES)}; all that are there")
    parser.add_argument("--every", type=int, default=1, help="take every Nth test file")
    parser.add_argument("--file-limit", type=int, default=600, help="seconds for a file")
    parser.add_argument("--test-limit", type=int, default=60, help="seconds for a test")
    parser.add_argument("--match", default="", help="a regular expression that files have to match")
    parser.add_argument("--record", type=Path, help="a file of one JSON line a test to write")
    options = parser.parse_args(words)
    names = options.names or [name for name in LIBRARIES if (options.folder / name).is_dir()]
    found: list[dict[str, Any]] = []
    for name in names:
        for file in list(files(options.folder, name))[:: options.every]:
            if re.search(options.match, file):
                outcomes = run(options.folder, name, file, options.file_limit, options.test_limit)
                found += outcomes
                print(f"{name} {file}: {_counted(outcomes)}", flush=True)
                if options.record:
                    with open(options.record, "a", encoding="utf-8") as record:
                        record.writelines(json.dumps(each) + "\n" for each in outcomes)
    print(table(found))
    return 0


def files(folder: Path, name: str) -> Iterator[str]:
    """The test files of a library, by their paths in it."""
    library = LIBRARIES[name]
    root = folder / name
    for path in sorted(root.glob(library.tests)):
        file = str(path.relative_to(root))
        if not re.search(library.without, file):
            yield file


def run(folder: Path, name: str, file: str, file_limit: int, test_limit: int) -> list[dict[str, Any]]:
    """The outcome of each test of a file: its library, file, id, status and why it is not passed."""
    with tempfile.TemporaryDirectory() as scratch:
        record, temporary = Path(scratch, "record.jsonl"), str(Path(scratch, "tests"))
        os.mkdir(temporary)  # which tests may remove
        roots = [str((folder / each).resolve()) for each in (name, *LIBRARIES[name].needs)]
        paths = [*roots, str(HERE.parents[2]), str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "LIBRARIES_RECORD": str(record),
                                    "LIBRARIES_TEST_LIMIT": str(test_limit),
                                    "TEST_TMPDIR": temporary, "TMPDIR": temporary,
                                    "LIBRARIES_V2": "1" if _is_of_version_2(Path(roots[0], file)) else "",
                                    "MPLBACKEND": "agg"}
        command = [sys.executable, "-m", "evergraph", "run", "--legacy", "-m", "pytest", "-q", "-p", "recorder",
                   "-p", "no:cacheprovider", "-o", "addopts=", "-W", "ignore", file]
        ended = f"the process ended after {file_limit} s"
        try:
            done = subprocess.run(command, cwd=roots[0], env=environment, timeout=file_limit, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            ended = f"the process ended with code {done.returncode}"
            said = done.stdout.decode(errors="replace").strip().splitlines()
        except subprocess.TimeoutExpired:
            said = []
        lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()] if record.exists() else []
    wanted = [each for line in lines for each in line.get("collected", ())]
    outcomes = {line["id"]: line for line in lines if "id" in line}
    if not lines:
        outcomes[file] = {"id": file, "status": "not collected", "why": said[-1] if said else ended, "seconds": 0.0}
    for missing in (each for each in wanted if each not in outcomes):
        outcomes[missing] = {"id": missing, "status": "failed", "why": ended, "seconds": 0.0}
    return [{"library": name, "file": file, **outcome} for outcome in outcomes.values()]


def _is_of_version_2(path: Path) -> bool:
    """Whether the file, run as a program, turns on what TensorFlow 2 does, which pytest does not see."""
    _, _, program = path.read_text("utf-8").partition("__main__")
    return re.search(r"enable_v2_behavior|enable_eager_execution", program) is not None


def table(outcomes: Iterable[dict[str, Any]]) -> str:
    """A table of libraries, and the causes of what failed, the most frequent first."""
    by_library: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    causes: collections.Counter[str] = collections.Counter()
    for each in outcomes:
        by_library[each["library"]].append(each)
        if each["status"] not in ("passed", "skipped"):
            causes[re.sub(r"\d+", "N", each["why"])[:160]] += 1
    lines = ["| library | version | files | tests | passed | skipped | failed | files not collected |",
             "|---|---|---|---|---|---|---|---|"]
    for name, own in by_library.items():
        count = collections.Counter(each["status"] for each in own)
        lines.append(f"| {name} | {LIBRARIES[name].version} | {len({each['file'] for each in own})} | "
                     f"{len(own) - count['not collected']} | {count['passed']} | {count['skipped']} | "
                     f"{count['failed']} | {count['not collected']} |")
    return "\n".join([*lines, "", *(f"{count:5} {why}" for why, count in causes.most_common(60))])


def _counted(outcomes: list[dict[str, Any]]) -> str:
    count = collections.Counter(each["status"] for each in outcomes)
    return ", ".join(f"{number} {status}" for status, number in sorted(count.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
