"""Replaces return, break and continue inside conditionals and loops by flags."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import SCOPES, Fresh
from evergraph.autograph.template import expression, placed, statements

RESULT = "ag__result"
"""How the names of variables for results begin; such a variable is read only where its flag is set."""


class CannotConvert(ValueError):
    """Code that AutoGraph leaves as it is."""


def lower_jumps(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Lets the function return at its end only, and its loops end by their conditions only."""
    body = function.body
    last = [body[-1]] if isinstance(body[-1], ast.Return) else []
    before = body[:len(body) - len(last)]
    lowering = _Lowering(fresh)
    if "return" not in _jumps(before):
        function.body = _without_unread(lowering.block(before), lowering.flags) + last
        return
    if not _always(body):
        body = [*body, placed(ast.Return(None), body[-1])]
    lowering.start_results()
    begin = [body.pop(0)] if ast.get_docstring(function) is not None else []
    begin += statements("returned = False", function, returned=lowering.returned)
    end = [placed(ast.Return(expression("result", body[-1], result=lowering.result)), body[-1])]
    function.body = _without_unread(begin + lowering.block(body), lowering.flags) + end


# ---- where code jumps


def _jumps(body: list[Any]) -> set[str]:
    """The kinds of jump that may leave these statements."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, SCOPES):
            continue
        if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
            found.add(type(statement).__name__.lower())
        inner = _jumps([*getattr(statement, "body", []), *getattr(statement, "handlers", []),
                        *getattr(statement, "cases", [])])
        if isinstance(statement, (ast.For, ast.While)):
            inner &= {"return"}
        found |= inner | _jumps([*getattr(statement, "orelse", []), *getattr(statement, "finalbody", [])])
    return found


def _always(body: list[Any]) -> bool:
    """Whether control never reaches the end of the statements."""
    return any(_leaves(statement) for statement in body)


def _leaves(node: Any) -> bool:
    if isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
        return True
    if isinstance(node, ast.If):
        return _always(node.body) and _always(node.orelse)
    if isinstance(node, ast.While):
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return endless and "break" not in _jumps(node.body)
    if isinstance(node, ast.With):
        return _always(node.body)
    if isinstance(node, ast.Try):
        return _always([*node.body, *node.orelse]) and all(_always(each.body) for each in node.handlers)
    return False


# ---- flags


class _Lowering:
    """Lowers the statements of one function.

    Attributes:
        flags: the names of all flags made so far.
        returned, result: the flag and the value of an early return; "" as long as there is none.
    """

    def __init__(self, fresh: Fresh) -> None:
        self._fresh, self.flags = fresh, []
        self.returned = self.result = ""
        self._loops: list[dict[str, str]] = []

    def start_results(self) -> None:
        """Makes names for what the function returns early."""
        self.result, self.returned = self._fresh.name(RESULT), self._flag("returned")

    def _flag(self, wanted: str) -> str:
        self.flags.append(self._fresh.name(wanted))
        return self.flags[-1]

    def block(self, body: list[Any]) -> list[Any]:
        """The statements without jumps; those behind a jump run only if it did not happen."""
        done: list[Any] = []
        for number, statement in enumerate(body):
            kinds = _jumps([statement])
            if not kinds and not isinstance(statement, (ast.For, ast.While)):
                done += self._kept(statement)
                continue
            rest, leaves = body[number + 1:], _leaves(statement)
            if isinstance(statement, ast.If):
                rest = _moved_into(statement, rest)
            done += self._lowered(statement)
            if kinds and rest and not leaves:
                done += self._guarded(kinds, self.block(rest), statement)
            elif not kinds:
                continue
            return done
        return done

    def _kept(self, node: Any) -> list[Any]:
        """A statement that does not jump; loops inside it may."""
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None) and not isinstance(node, SCOPES):
                setattr(node, name, self.block(getattr(node, name)))
        for each in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            each.body = self.block(each.body)
        return [node]

    def _lowered(self, node: Any) -> list[Any]:
        if isinstance(node, ast.Return):
            value = node.value or placed(ast.Constant(None), node)
            return statements("result = value\nreturned = True", node, value=value, result=self.result,
                              returned=self.returned)
        if isinstance(node, (ast.Break, ast.Continue)):
            return statements("flag = True", node, flag=self._loops[-1][type(node).__name__.lower()])
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node)
        if isinstance(node, ast.Try):
            return self._try(node)
        return self._kept(node)

    def _loop(self, node: Any) -> list[Any]:
        kinds = _jumps(node.body)
        words = {"break": "broke", "continue": "skipped"}
        flags = {kind: self._flag(word) for kind, word in words.items() if kind in kinds}
        self._loops.append(flags)
        body = self.block(node.body)
        self._loops.pop()
        if "continue" in kinds:
            body = statements("skipped = False", node, skipped=flags["continue"]) + body
        node.body = body
        begin = statements("broke = False", node, broke=flags["break"]) if "break" in kinds else []
        otherwise, node.orelse = self.block(node.orelse), []
        ends = [each for each in (flags.get("break"), self.returned if "return" in kinds else None) if each]
        if ends:
            self._stop_by(node, ends)
            otherwise = self._if_none(ends, otherwise, node) if otherwise else []
        return [*begin, node, *otherwise]

    def _stop_by(self, node: Any, ends: list[str]) -> None:
        """Ends the loop when one of the flags is set."""
        if isinstance(node, ast.While):
            node.test = placed(ast.BoolOp(ast.And(), [*_none_of(ends, node), node.test]), node.test)
        else:
            node.until = _all(_none_of(ends, node), node)

    def _try(self, node: ast.Try) -> list[Any]:
        if _jumps(node.finalbody):
            raise CannotConvert(f"line {node.lineno}: return, break and continue in a finally block")
        kinds = _jumps(node.body)
        self._kept(node)
        if kinds and node.orelse:
            node.orelse = self._guarded(kinds, node.orelse, node)
        return [node]

    def _guarded(self, kinds: set[str], body: list[Any], place: Any) -> list[Any]:
        """The statements, to run only if none of these jumps happened."""
        loop = self._loops[-1] if self._loops else {}
        flags = [self.returned if kind == "return" else loop[kind] for kind in sorted(kinds)]
        return self._if_none(flags, body, place)

    @staticmethod
    def _if_none(flags: list[str], body: list[Any], place: Any) -> list[Any]:
        test = _all(_none_of(flags, place), place)
        return [placed(ast.If(test, body, []), body[0])] if body else []


def _moved_into(node: ast.If, rest: list[Any]) -> list[Any]:
    """Moves what follows a conditional into the only branch that reaches it; gives back what was not moved."""
    by_body, by_orelse = _always(node.body), _always(node.orelse)
    if by_body and not by_orelse:
        node.orelse = [*node.orelse, *rest]
    elif by_orelse and not by_body:
        node.body = [*node.body, *rest]
    else:
        return rest
    return []


def _none_of(flags: list[str], place: Any) -> list[Any]:
    return [expression("not flag", place, flag=flag) for flag in flags]


def _all(tests: list[Any], place: Any) -> Any:
    return tests[0] if len(tests) == 1 else placed(ast.BoolOp(ast.And(), tests), place)


def _without_unread(body: list[Any], flags: list[str]) -> list[Any]:
    """The statements without assignments to flags that nothing reads."""
    nodes = [each for statement in body for each in _nodes(statement)]
    read = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    dropping = _Dropping(set(flags) - read)
    module = dropping.visit(ast.Module(body, []))
    return module.body


def _nodes(statement: ast.AST) -> list[ast.AST]:
    tests = [getattr(each, "until", None) for each in ast.walk(statement)]
    return [*ast.walk(statement), *(node for test in tests if test is not None for node in ast.walk(test))]


class _Dropping(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        return None if isinstance(target, ast.Name) and target.id in self._names else node

    def generic_visit(self, node: Any) -> Any:
        super().generic_visit(node)
        if isinstance(getattr(node, "body", None), list) and not node.body and not isinstance(node, ast.Module):
            node.body = [placed(ast.Pass(), node)]
        return node

