"""Arrows between the rooms of the house point one way: the table in pyproject.toml is the law."""

import ast
import functools
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["evergraph"]["rooms"]
# The modules of the package itself, and what each may import.
FACE = {"__init__": ["api"], "as_tensorflow": ["api"], "__main__": ["cli"]}
FILES = sorted((ROOT / "evergraph").rglob("*.py"))


def room_of(path):
    return path.relative_to(ROOT / "evergraph").with_suffix("").parts[0]


def is_typing(node):
    """Whether what stands below this node is for type checkers alone."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def is_function(node):
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def below(tree, is_scope):
    return {id(node) for scope in ast.walk(tree) if is_scope(scope) for node in ast.walk(scope)}


def imported(tree, package):
    """(dotted module, line, when: "now", "lazily" or "typing") for each import; `from a import b` is "a.b"."""
    typing, lazy = below(tree, is_typing), below(tree, is_function)
    for node in ast.walk(tree):
        when = "typing" if id(node) in typing else "lazily" if id(node) in lazy else "now"
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, when
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            for alias in node.names:
                yield f"{base if node.level else node.module}.{alias.name}", node.lineno, when


def allowed(room, module, when):
    """Whether a file of this room may import this module at that time."""
    rules = {"rooms": FACE[room], "packages": []} if room in FACE else ROOMS[room]
    top, target = f"{module}.".split(".")[:2]
    if top == "evergraph":
        types = rules.get("types", []) if when == "typing" else []
        everywhere = ROOMS.keys() - {"api", "cli"} if "*" in rules["rooms"] else ()
        return target in (room, *types, *rules["rooms"], *everywhere)
    if top in sys.stdlib_module_names:
        return True
    packages = rules["packages"] + (rules.get("lazy", []) if when != "now" else [])
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


@functools.cache
def arrows(path):
    package = ("evergraph", *path.parent.relative_to(ROOT / "evergraph").parts)
    return list(imported(ast.parse(path.read_text()), package))


@pytest.mark.parametrize("room", sorted({room_of(path) for path in FILES}))
def test_arrows_are_in_the_table(room):
    assert room in ROOMS or room in FACE, f"evergraph/{room} is not in the table of rooms"
    wrong = [f"{path.relative_to(ROOT)}:{line} imports {module}" for path in FILES if room_of(path) == room
             for module, line, when in arrows(path) if not allowed(room, module, when)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room, module", [
    ("base", "evergraph.graph.node"), ("ops", "jax.lax"), ("data", "evergraph.train.saver"), ("contrib", "evergraph"),
    ("keras", "evergraph.api.names"), ("as_tensorflow", "evergraph.base.errors"), ("run", "tensorflow"),
])  # fmt: skip
def test_wrong_arrows_are_seen(room, module):
    assert not allowed(room, module, when="now")


def test_importing_evergraph_loads_no_heavy_package():
    code = "import sys, evergraph; print(*{'jax', 'tensorboard', 'google.protobuf', 'numpy'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
