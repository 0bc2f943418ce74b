"""The stub files: one for each namespace, in a package beside evergraph/ that holds nothing else.

The package is called evergraph-stubs: type checkers look there before they look at evergraph/ itself, and Python cannot
import it. A file in evergraph/nn/ instead would make that folder a package for Python, in place of tf.nn.
"""

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evergraph.api.namespace import MIRROR
from evergraph.api.stubs.classes import Classes
from evergraph.api.stubs.functions import Functions
from evergraph.api.stubs.messages import Messages
from evergraph.api.stubs.page import HEADER, Page, filled, imported, spaced
from evergraph.api.stubs.public import Public, is_defined, is_message, is_op, module_of
from evergraph.api.stubs.returns import Returns

PACKAGE = Path(__file__).resolve().parents[2]
FOLDER = PACKAGE.with_name("evergraph-stubs")
OVERLOADS = "evergraph.graph.overloads"
RAW = "raw_ops"
FOREIGN = "absl.flags"  # tf.flags is made of it, and it has types of its own
PROGRAM = "as_tensorflow"  # the one module of evergraph/ that programs import and that is no namespace


def stubs(objects: Mapping[str, Any]) -> dict[str, str]:
    """Path below evergraph-stubs -> the text of the file, for the public names with their objects."""
    writer = Writer(Public(objects))
    texts = {path_of(writer.tree, namespace): writer.text(namespace) for namespace in writer.tree}
    for namespace in writer.tree:
        if f"{namespace}.".startswith("compat."):
            continue
        mirror = f"{MIRROR}.{namespace}".rstrip(".")
        has_children = bool(writer.tree[namespace])
        texts[_path(mirror, has_children)] = writer.mirror(namespace)
    texts[f"{PROGRAM}.pyi"] = f'{HEADER}\n"""Importing this makes `import tensorflow` mean evergraph."""\n'
    return texts


class Writer:
    """Writes the namespaces.

    Attributes:
        tree: namespace ("" for the root) -> the namespaces directly below it, sorted.
    """

    def __init__(self, public: Public) -> None:
        self.public = public
        self.tree: dict[str, list[str]] = {"": []}
        for namespace in sorted({*public.modules, MIRROR.partition(".")[0]}):
            while namespace:
                above = namespace.rpartition(".")[0]
                if namespace not in self.tree.setdefault(above, []):
                    self.tree[above].append(namespace)
                self.tree.setdefault(namespace, [])
                namespace = above
        self.functions = Functions(public, Returns(public), _overload_types)
        self.classes = Classes(public, self.functions)
        self.messages = Messages(public)

    def text(self, namespace: str) -> str:
        """The file of one namespace."""
        names = self.public.modules.get(namespace, [])
        below = [child.rpartition(".")[2] for child in sorted(self.tree[namespace])]
        below += ["v1"] if namespace == "compat" else []
        hidden = sorted(_files(namespace) - {name.rpartition(".")[2] for name in names} - {*below})
        homes = [name for name in names if self.public.home(self.public.objects[name]) == name]
        members = {member for name in homes for member in dir(self.public.objects[name])
                   if isinstance(self.public.objects[name], type) and not member.startswith("_")}  # fmt: skip
        own = [name.rpartition(".")[2] for name in names]
        page = Page(module_of(namespace), [*own, *below, *hidden], members)
        body = spaced(self._entry(page, name) for name in names)
        results = spaced(self._results(page)) if namespace == RAW else []
        children = imported(page.module, [f"{child} as {child}" for child in below]) if below else []
        title = f"tf.{namespace}" if namespace else "TensorFlow 1's programming system, computed by XLA"
        parts = [[HEADER, f'"""{title}."""'], page.imports() + children, _hide(hidden), results, body]
        return "\n\n".join("\n".join(part) for part in parts if part).rstrip("\n") + "\n"

    def _entry(self, page: Page, name: str) -> list[str]:
        """What a file says of one public name."""
        value, leaf = self.public.objects[name], name.rpartition(".")[2]
        if not is_defined(value):
            return [f"{leaf}: {page.show(self.public.value_type(value))}"]
        home = self.public.home(value)
        if home != name:
            return self._alias(page, leaf, home or "")
        if (getattr(value, "__module__", None) or "").partition(".")[0] == FOREIGN.partition(".")[0]:
            return imported(FOREIGN, [f"{leaf} as {leaf}"])
        if is_message(value):
            return self.messages.lines(page, leaf, value)
        if isinstance(value, type):
            return self.classes.lines(page, leaf, value)
        return self.functions.lines(page, leaf, value)

    def _alias(self, page: Page, leaf: str, home: str) -> list[str]:
        """Another name of what is defined elsewhere."""
        namespace, _, other = home.rpartition(".")
        if leaf == other:
            return imported(module_of(namespace), [f"{leaf} as {leaf}"])
        return [f"{leaf} = {page.name(module_of(namespace), other)}"]

    def _results(self, page: Page) -> Iterator[list[str]]:
        ops = {id(op): op for op in self.public.objects.values() if is_op(op) and len(op.signature.outputs) > 1}
        for op in sorted(ops.values(), key=lambda op: op.name):
            yield list(self.functions.results(page, op))

    def mirror(self, namespace: str) -> str:
        """The same namespace below compat.v1."""
        module = module_of(namespace)
        private = [name.rpartition(".")[2] for name in self.public.modules.get(namespace, [])]
        private = [f"{name} as {name}" for name in private if name.startswith("_")]
        lines = [HEADER, f"from {module} import *", *(imported(module, private) if private else [])]
        return "\n".join(lines) + "\n"


def path_of(tree: Mapping[str, list[str]], namespace: str) -> str:
    return _path(namespace, bool(tree[namespace]) or namespace == MIRROR.partition(".")[0])


def _path(namespace: str, is_package: bool) -> str:
    folder = namespace.replace(".", "/")
    if not is_package:
        return f"{folder}.pyi"
    return f"{folder}/__init__.pyi" if folder else "__init__.pyi"


def _files(namespace: str) -> set[str]:
    """The modules and packages in the folder of evergraph/ that has this namespace's name."""
    folder = PACKAGE.joinpath(*namespace.split(".")) if namespace else PACKAGE
    if not (folder / "__init__.py").exists():
        return set()
    return {path.stem for path in folder.iterdir()
            if (path.suffix == ".py" or (path / "__init__.py").exists()) and not path.name.startswith("_")}  # fmt: skip


def _hide(names: list[str]) -> list[str]:
    """Says that these are no names of the module. Jedi lists what is in the folder of evergraph/ too, but for these.

    Type checkers do not look into the folder, and a name that they see deleted is there for some of them, without a
    value. The condition, which is never true, makes them skip the statement; Jedi does not judge it.
    """
    if not names:
        return []
    return ["import sys", 'if sys.platform == "":', "    del (",
            *filled([f"{name}," for name in names], "        "), "    )"]  # fmt: skip


def _overload_types(function: Any) -> list[type]:
    return importlib.import_module(OVERLOADS).overload_types(function)
