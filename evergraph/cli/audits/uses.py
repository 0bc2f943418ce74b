"""Reads one source: which names of which packages it uses, what it imports, and whether it is for Python 2."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from evergraph.api.namespace import public_name
from evergraph.cli.audits import tokens
from evergraph.cli.audits.eager import CHOOSE_MODE, eager
from evergraph.cli.audits.old_calls import is_old
from evergraph.cli.audits.python2 import ATTRIBUTES, BUILTINS, MODULES, NAMES, is_old_syntax
from evergraph.cli.audits.scopes import FUNCTIONS, caught, root, stored, taken_apart
from evergraph.cli.audits.signatures import unfit
from evergraph.cli.legacy.names import METHODS
from evergraph.cli.legacy.names import ROOTS as LENT_ROOTS

TENSORFLOW = frozenset(["tensorflow", "tensorflow_estimator"])
ROOTS = TENSORFLOW | LENT_ROOTS
"""The packages whose names are looked up."""

_FOLLOWED = ROOTS | {name.partition(".")[0] for name in NAMES}
"""Those and the modules of Python that have lost names."""

_ABSENCES = frozenset(["ImportError", "ModuleNotFoundError", "AttributeError", "NameError"])
_CATCHALLS = frozenset(["Exception", "BaseException"])
_IMPORTS = (ast.Import, ast.ImportFrom)
_GPU = re.compile(r"/?(?:device:)?gpu:(\d*)", re.IGNORECASE)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FOR_BOTH = frozenset(["PY2", "PY3", "version_info", "hexversion", "python_version", "python_version_tuple"])
_BRIDGES = frozenset(["six", "future", "past", "builtins"])
"""Words and packages by which a source chooses between Python 2 and 3; what only one has is then meant for that."""

_QUESTIONS = _FOR_BOTH | {"__version__", "VERSION", "hasattr", "getattr", "TYPE_CHECKING", "dir"}
"""Words of a condition that asks which version or name there is: its branches may use what the other one lacks."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name that a source takes from a package.

    Attributes:
        path: The name with its package: "tensorflow.nn.relu".
        line: The line, counted from 1.
        imported: Whether an import statement takes it.
        guarded: Whether the program expects that it may be absent.
        at_once: Whether the line runs when the source is imported, rather than when a function is called.
    """

    path: str
    line: int
    imported: bool = False
    guarded: bool = False
    at_once: bool = True


@dataclass(frozen=True, slots=True)
class Import:
    """A module that a source imports: `from ..a import b` has level 2, module "a" and name "b"."""

    module: str
    name: str
    level: int
    line: int
    guarded: bool
    at_once: bool = True


@dataclass(frozen=True, slots=True)
class Old:
    """What Python 3 lacks or cannot parse.

    Attributes:
        what: "xrange", ".iteritems()", "import cPickle", "syntax of Python 2: ...".
        line: The line, counted from 1.
        at_once: Whether the line runs when the source is imported, rather than when a function is called.
    """

    what: str
    line: int
    at_once: bool = True


@dataclass(slots=True)
class Contents:
    """What a source asks for.

    Attributes:
        uses: Names of the packages in ROOTS.
        imports: Modules, of all packages.
        old: What Python 3 lacks or cannot parse.
        broken: Why neither Python 2 nor 3 can parse it; None where one can.
        is_script: Whether it runs something when it is the main program.
        methods: Methods that NumPy's arrays no longer have, each with its line.
        old_calls: Functions that it calls with the arguments of before TensorFlow 1.0, each with its line.
        given: Names that it gives to other modules itself: `tf.mystery = f`.
        defined: Functions and methods that it defines by a name that dicts of Python 2 had.
        unfit: Functions that it calls with arguments that they do not take: name, what is wrong, line, whether at once.
        eager: What it does that only eager execution can: what, line, and whether at once.
        chooses_mode: Whether it builds graphs for sessions, or asks for eager execution, in so many words.
        cells: Of a notebook: (number, first line) of each cell.
        gpus: The GPUs that it names, by number, each with its line.
        is_soft: Whether it asks for soft placement, so that other devices do where there are no GPUs.
    """

    uses: list[Use] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    old: list[Old] = field(default_factory=list)
    broken: str | None = None
    is_script: bool = False
    methods: list[tuple[str, int]] = field(default_factory=list)
    old_calls: list[tuple[str, int]] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    unfit: list[tuple[str, str, int, bool]] = field(default_factory=list)
    eager: list[tuple[str, int, bool]] = field(default_factory=list)
    chooses_mode: bool = False
    cells: list[tuple[int, int]] = field(default_factory=list)
    gpus: list[tuple[int, int]] = field(default_factory=list)
    is_soft: bool = False


def read(text: str) -> Contents:
    """What a source asks for. A source that Python 3 cannot parse is read token by token."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return _read_tokens(text, error)
    reader = _Reader()
    reader.read(tree)
    return reader.contents


def _read_tokens(text: str, error: Exception) -> Contents:
    """The imports and uses of a source for Python 2: names have one meaning in the whole file."""
    contents = Contents()
    line = getattr(error, "lineno", None) or 1
    if is_old_syntax(text, error):
        contents.old.append(Old(f"syntax of Python 2: {getattr(error, 'msg', error)}", line))
    else:
        contents.broken = f"line {line}: {getattr(error, 'msg', error)}"
    reader = _Reader()
    for statement in tokens.imports(text):
        reader.visit(statement, reader.module, False)
    contents.imports, contents.uses = reader.contents.imports, reader.contents.uses
    for words, where, after in tokens.chains(text):
        contents.is_script |= words == ["__name__"] or words[-2:] == ["app", "run"]
        if (path := reader.module.get(words[0])) and len(words) > 1 and root(path) in ROOTS:
            contents.uses.append(Use(".".join([path, *words[1:]]), where))
            used = contents.uses[-1].path
            if (made := tokens.call(after)) and is_old(public_name(used), made):
                contents.old_calls.append((used, where))
    return contents


class _Reader:
    """Walks a tree with the meaning of names at hand: local name -> dotted path, or None for another object's."""

    def __init__(self) -> None:
        self.contents = Contents()
        self.module: dict[str, str | None] = {}
        self._later: list[tuple[ast.AST, dict[str, str | None], bool]] = []
        self._bound: set[str] = set()
        self._words: set[str] = set()
        self._old: list[Old] = []
        self._at_once = True

    def read(self, tree: ast.Module) -> None:
        self._body(tree.body, self.module, False)
        self._at_once = False
        while self._later:  # functions run when the module is complete
            function, scope, guarded = self._later.pop()
            self._function(function, dict(scope), guarded)
        bridged = any(root(each.module) in _BRIDGES for each in self.contents.imports if each.level == 0)
        if not bridged and not self._words & _FOR_BOTH:
            first: dict[str, Old] = {}
            for each in self._old:
                if each.what not in self._bound and (each.what not in first or each.at_once > first[each.what].at_once):
                    first[each.what] = each
            self.contents.old.extend(first.values())
        packages = {root(each.module) for each in self.contents.imports}
        self.contents.chooses_mode = any(use.path.rpartition(".")[2] in CHOOSE_MODE for use in self.contents.uses)
        self.contents.eager = list(eager(tree, self.module, packages)) if packages & TENSORFLOW else []

    def visit(self, node: ast.AST, scope: dict[str, str | None], guarded: bool) -> None:
        kind = type(node)
        if kind is ast.Attribute:
            self._attribute(node, scope, guarded)
        elif kind is ast.Name:
            self._name(node, scope, guarded)
            if (
                isinstance(node.ctx, ast.Load)
                and (path := scope.get(node.id))
                and root(path) in TENSORFLOW
                and "." in path
            ):
                self._use(path, node.lineno, False, guarded)
        elif kind is ast.Call:
            self.contents.is_soft |= any(each.arg == "allow_soft_placement" for each in node.keywords)
            if any(each.arg == "newshape" for each in node.keywords):
                self.contents.methods.append(("reshape(newshape=)", node.lineno))
            path = self._path(node.func, scope)
            if not guarded and path and is_old(public_name(path), node):
                self.contents.old_calls.append((path, node.lineno))
            elif not guarded and path and root(path) in TENSORFLOW and (what := unfit(path, node)):
                self.contents.unfit.append((path, what, node.lineno, self._at_once))
            self._all(ast.iter_child_nodes(node), scope, guarded)
        elif kind in _IMPORTS:
            self._import(node, scope, guarded)
        elif kind is ast.Assign:
            self._assign(node, scope, guarded)
        elif kind in FUNCTIONS:
            self._define(node, scope, guarded)
        elif kind is ast.ClassDef:
            self._bound.add(node.name)
            self._all([*node.decorator_list, *node.bases, *node.keywords], scope, guarded)
            self._body(node.body, dict(scope), guarded)
        elif kind is ast.Try:
            self._try(node, scope, guarded)
        elif kind in (ast.If, ast.IfExp, ast.While):
            self._if(node, scope, guarded)
        elif kind is ast.BoolOp:
            self._all(node.values, scope, guarded or any(map(self._asks, node.values)))
        elif kind in _COMPREHENSIONS:
            self._comprehend(node, dict(scope), guarded)
        elif kind in (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith):
            self._all([each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt)], scope, guarded)
            self._body(node.body, scope, guarded)
            self._body(getattr(node, "orelse", []), scope, guarded)
        elif kind is ast.Constant:
            if isinstance(node.value, str) and (found := _GPU.match(node.value)):
                self.contents.gpus.append((int(found[1] or 1), node.lineno))  # of a name made up as it runs: two
        else:
            self._all(ast.iter_child_nodes(node), scope, guarded)

    def _all(self, nodes: Iterable[ast.AST], scope: dict[str, str | None], guarded: bool) -> None:
        for node in nodes:
            self.visit(node, scope, guarded)

    def _body(self, statements: Iterable[ast.stmt], scope: dict[str, str | None], guarded: bool) -> None:
        """Visits statements; those behind `if PY3: return` are for the other answer, as an else would be."""
        for each in statements:
            self.visit(each, scope, guarded)
            if isinstance(each, ast.If) and isinstance(each.body[-1], _LEAVES):
                guarded = guarded or self._asks(each.test)

    def _asks(self, node: ast.AST) -> bool:
        """Whether a condition asks which version or name there is."""
        words = {getattr(each, "id", None) or getattr(each, "attr", None) for each in ast.walk(node)}
        self._words |= words & _FOR_BOTH
        return bool(words & _QUESTIONS) or {"sys", "version"} <= words

    def _comprehend(self, node: ast.AST, scope: dict[str, str | None], guarded: bool) -> None:
        """Visits a comprehension, whose loops come before what they make, and whose names are its own."""
        for each in node.generators:
            self._all([each.iter, each.target, *each.ifs], scope, guarded)
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._all(made, scope, guarded)

    def _attribute(self, node: ast.Attribute, scope: dict[str, str | None], guarded: bool) -> None:
        base, words = taken_apart(node)
        if not isinstance(base, ast.Name):
            self.visit(base, scope, guarded)
            path = None
        else:
            self._name(base, scope, guarded)
            path = scope.get(base.id)
        self._words |= {node.attr} & _FOR_BOTH
        if getattr(base, "id", None) == "sys" and words[:1] == ["version"]:
            self._words.add("version_info")
        if path is None:
            self.contents.is_soft |= node.attr == "allow_soft_placement"
            if not guarded:
                self._method(node.attr, base, node.lineno)
        elif isinstance(node.ctx, ast.Load):
            self._use(".".join([path, *words]), node.lineno, False, guarded)
            self.contents.is_script |= words[-2:] == ["app", "run"]
        else:
            self.contents.is_soft |= words[-1:] == ["allow_soft_placement"]
            self.contents.given.add(".".join([path, *words]))

    def _path(self, node: ast.AST, scope: dict[str, str | None]) -> str | None:
        """The dotted path that an expression stands for; None for another object's."""
        base, words = taken_apart(node)
        path = scope.get(base.id) if isinstance(base, ast.Name) else None
        return path and ".".join([path, *words])

    def _use(self, path: str, line: int, imported: bool, guarded: bool) -> None:
        if root(path) in ROOTS:
            self.contents.uses.append(Use(path, line, imported, guarded, self._at_once))
        elif path in NAMES and not guarded:
            self._old.append(Old(path, line, self._at_once))

    def _method(self, name: str, base: ast.AST, line: int) -> None:
        """Notes a method that dicts or arrays had."""
        if name in ATTRIBUTES and getattr(base, "id", None) != "six":
            self._old.append(Old(f".{name}()", line, self._at_once))
        elif name in METHODS:
            self.contents.methods.append((f"{name}()", line))

    def _name(self, node: ast.Name, scope: dict[str, str | None], guarded: bool) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bound.add(node.id)
            if node.id in scope:
                scope[node.id] = None
        elif node.id in BUILTINS and not guarded:
            self._old.append(Old(node.id, node.lineno, self._at_once))

    def _import(self, node: ast.Import | ast.ImportFrom, scope: dict[str, str | None], guarded: bool) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                local, path = alias.asname or root(alias.name), alias.name if alias.asname else root(alias.name)
                self._bind(scope, local, path)
                self._take(alias.name, "", 0, node.lineno, guarded)
            return
        for alias in node.names:
            if node.level == 0 and node.module and alias.name != "*":
                self._bind(scope, alias.asname or alias.name, f"{node.module}.{alias.name}")
            else:
                self._bound.add(alias.asname or alias.name)
            self._take(node.module or "", alias.name, node.level, node.lineno, guarded)

    def _bind(self, scope: dict[str, str | None], local: str, path: str) -> None:
        self._bound.add(local)
        if root(path) in _FOLLOWED:
            scope[local] = path
        elif local in scope:
            scope[local] = None

    def _take(self, module: str, name: str, level: int, line: int, guarded: bool) -> None:
        """Notes an import, and the name that it takes from a package."""
        self.contents.imports.append(Import(module, name, level, line, guarded, self._at_once))
        if level == 0:
            self._use(f"{module}.{name}" if name not in ("", "*") else module, line, True, guarded)
        if level == 0 and not guarded and root(module) in MODULES:
            self.contents.old.append(Old(f"import {root(module)}", line, self._at_once))

    def _assign(self, node: ast.Assign, scope: dict[str, str | None], guarded: bool) -> None:
        """`slim = tf.contrib.slim` gives the path another name; `tf = None` after a failed import does not hide it."""
        self.visit(node.value, scope, guarded)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Name):
            self._all(node.targets, scope, guarded)
            return
        self._bound.add(target.id)
        if path := self._path(node.value, scope):
            scope[target.id] = path
        elif target.id in scope and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            scope[target.id] = None

    def _define(self, node: ast.AST, scope: dict[str, str | None], guarded: bool) -> None:
        """Visits what a definition evaluates at once; its body waits until the module is complete."""
        if isinstance(node, ast.Lambda):
            self._function(node, dict(scope), guarded)
            return
        self._bound.add(node.name)
        self.contents.defined |= {node.name} & ATTRIBUTES
        scope.pop(node.name, None)
        self._all([*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)], scope, guarded)
        self._later.append((node, scope, guarded))

    def _function(self, node: ast.AST, scope: dict[str, str | None], guarded: bool) -> None:
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in (*named, arguments.vararg, arguments.kwarg):
            if argument is not None:
                self._bound.add(argument.arg)
                scope.pop(argument.arg, None)
        if isinstance(node, ast.Lambda):
            self._all(arguments.defaults, scope, guarded)
            self.visit(node.body, scope, guarded)
        else:
            for name in stored(node.body) & scope.keys():
                scope[name] = None  # a local of the function, whatever the module means by it
            self._body(node.body, scope, guarded)

    def _try(self, node: ast.Try, scope: dict[str, str | None], guarded: bool) -> None:
        absences = {name for handler in node.handlers for name in caught(handler)}
        imports = all(isinstance(each, (*_IMPORTS, ast.Assign, ast.Expr)) for each in node.body)
        expects = bool(absences & _ABSENCES) or imports and bool(absences & _CATCHALLS)
        self._body(node.body, scope, guarded or expects)
        self._all(node.handlers, scope, guarded or expects)
        self._body(node.orelse, scope, guarded or expects)
        self._body(node.finalbody, scope, guarded)

    def _if(self, node: ast.If | ast.IfExp | ast.While, scope: dict[str, str | None], guarded: bool) -> None:
        asks = self._asks(node.test)
        self.contents.is_script |= any(getattr(each, "id", None) == "__name__" for each in ast.walk(node.test))
        self._all([node.test], scope, guarded or asks)
        if isinstance(node, ast.IfExp):
            self._all([node.body, node.orelse], scope, guarded or asks)
            return
        self._body(node.body, scope, guarded or asks)
        self._body(node.orelse, scope, guarded or asks)
