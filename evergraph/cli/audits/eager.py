"""Finds what only eager execution can do in a source: `.numpy()`, loops over datasets, steps by a tape's gradients."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set

from evergraph.cli.audits.scopes import FUNCTIONS, root, taken_apart

_OTHERS = frozenset(["cupy", "jax", "mxnet", "paddle", "torch"])
"""Packages whose arrays have `.numpy()`, too."""

_ARRAYS = frozenset(["as_numpy_iterator", "iter_batches"])
_WRAPPERS = frozenset(["enumerate", "iter", "tqdm", "zip"])
_ASKED = frozenset(["executing_eagerly", "hasattr", "isinstance", "getattr"])
_CALLED_EAGERLY = frozenset(["eager_py_func", "py_function"])

NUMPY, LOOP, STEP = "tensor.numpy()", "for x in dataset: Dataset.__iter__", "a tape's optimizer.apply_gradients"
"""What a source does, by the words of the error that it meets in a graph."""

CHOOSE_MODE = frozenset([
    "InteractiveSession", "MonitoredSession", "MonitoredTrainingSession", "Session", "SingularMonitoredSession",
    "Supervisor", "enable_eager_execution", "enable_v2_behavior", "placeholder", "run_all_in_graph_and_eager_modes",
])  # fmt: skip
"""Names by which a program says that it builds graphs, or that it executes eagerly."""


def eager(tree: ast.Module, modules: Mapping[str, str | None], packages: Set[str]) -> Iterator[tuple[str, int, bool]]:
    """What a source does that needs eager execution: (NUMPY, LOOP or STEP, line, whether at once).

    Args:
        tree: the source.
        modules: what its names stand for at its end: "tf" -> "tensorflow".
        packages: those that it imports.
    """
    words = {getattr(node, "attr", None) or getattr(node, "id", None) for node in ast.walk(tree)}
    if not words & {"numpy", "data", "GradientTape"} or packages & _OTHERS:
        return
    has_taped_variables = "GradientTape" in words and any((each or "").endswith("Variable") for each in words)
    finder = _Finder(modules, bool(words & _CALLED_EAGERLY), has_taped_variables)
    for statement in tree.body:
        yield from finder.found(statement, True)


class _Finder:
    """Walks the statements of a source; datasets are the names that were given what `tf.data` makes."""

    def __init__(self, modules: Mapping[str, str | None], has_callbacks: bool, has_taped_variables: bool) -> None:
        self._modules, self._has_callbacks, self._has_taped = modules, has_callbacks, has_taped_variables
        self._datasets: set[str] = set()

    def found(self, node: ast.AST, at_once: bool) -> Iterator[tuple[str, int, bool]]:
        if isinstance(node, FUNCTIONS):
            decorators = {words[-1] for each in getattr(node, "decorator_list", ()) if (words := _words(each))}
            if "function" in decorators:
                return  # AutoGraph makes loops over datasets part of the graph
            at_once = False
        elif isinstance(node, (ast.If, ast.IfExp)) and _asks(node.test) or isinstance(node, ast.Try) and node.handlers:
            return
        elif isinstance(node, ast.Assign):
            self._assign(node)
        elif isinstance(node, (ast.For, ast.comprehension)) and self._is_dataset(node.iter):
            yield LOOP, node.iter.lineno, at_once
        elif isinstance(node, ast.Call) and self._is_value(node) and (at_once or not self._has_callbacks):
            yield NUMPY, node.lineno, at_once
        elif isinstance(node, ast.Call) and self._has_taped and getattr(node.func, "attr", "") == "apply_gradients":
            yield STEP, node.lineno, at_once  # in a graph a tape does not watch variables by reference
        for child in ast.iter_child_nodes(node):
            yield from self.found(child, at_once)

    def _assign(self, node: ast.Assign) -> None:
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        self._datasets = self._datasets | names if self._is_dataset(node.value) else self._datasets - names

    def _is_dataset(self, node: ast.expr) -> bool:
        """Whether an expression is a dataset, a transformation of one, or goes through one."""
        if isinstance(node, ast.Name):
            return node.id in self._datasets
        if not isinstance(node, ast.Call):
            return False
        base, words = taken_apart(node.func)
        if isinstance(base, ast.Call) or isinstance(base, ast.Name) and base.id in self._datasets:
            return bool(words) and not _ARRAYS & set(words) and (
                not isinstance(base, ast.Call) or self._is_dataset(base)) and not words[-1].startswith("make_")
        path = self._modules.get(base.id) if isinstance(base, ast.Name) else None
        if path and root(path) == "tensorflow":
            dotted = ".".join([path, *words])
            return ".data." in dotted and "Dataset" in dotted and not words[-1].startswith(("make_", "get_"))
        return getattr(base, "id", "") in _WRAPPERS and not words and any(map(self._is_dataset, node.args))

    @staticmethod
    def _is_value(node: ast.Call) -> bool:
        return isinstance(node.func, ast.Attribute) and node.func.attr == "numpy" and not node.args + node.keywords


def _words(node: ast.expr) -> list[str]:
    base, words = taken_apart(node.func if isinstance(node, ast.Call) else node)
    return [getattr(base, "id", ""), *words]


def _asks(test: ast.expr) -> bool:
    return bool({getattr(each, "id", None) or getattr(each, "attr", None) for each in ast.walk(test)} & _ASKED)
