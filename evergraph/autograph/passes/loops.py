"""Makes each loop a call of `while_` or `for_` with its body as a function."""

from __future__ import annotations

import ast
from typing import Any

from evergraph.autograph.names import Fresh, dotted, outer, written
from evergraph.autograph.passes.blocks import Blocks, function_of, names_tuple
from evergraph.autograph.template import placed, statements

DIRECTIVE = "set_loop_options"


def convert_loops(function: ast.FunctionDef, fresh: Fresh) -> None:
    """Replaces the loops of the function, which `mark_live` has marked."""
    _Loops(function, fresh).visit_body(function)


class _Loops(Blocks):
    def __init__(self, function: ast.FunctionDef, fresh: Fresh) -> None:
        super().__init__(fresh)
        self._shared = outer(function.body)

    def visit_While(self, node: Any) -> Any:
        options = _options(node)
        state = names_tuple(self.state(node, node.body), node)
        self.generic_visit(node)
        test, body = self.fresh.name("test"), function_of(self.fresh.name("body"), node.body, node)
        made = statements("def test():\n    return condition\nag__.while_(test, body, state)", node, test=test,
                          condition=node.test, body=body.name, state=state)
        made[0].is_block = True
        made[1].value.keywords += options
        return [made[0], body, made[1]]

    def visit_For(self, node: Any) -> Any:
        options, until = _options(node), getattr(node, "until", None)
        bound = written([node.target])
        state = self.state(node, [node.target, *node.body])
        own = isinstance(node.target, ast.Name) and node.target.id not in node.live | self._shared
        self.generic_visit(node)
        item = node.target.id if own else self.fresh.name("item")
        begin = [] if own else statements("target = item", node, item=item)
        if begin:
            begin[0].targets = [node.target]
        body = function_of(self.fresh.name("body"), [*begin, *node.body], node, item)
        parts = {"items": node.iter, "body": body.name, "state": names_tuple(state - bound if own else state, node)}
        if until is None:
            made = statements("ag__.for_(items, body, state)", node, **parts)
        else:
            made = statements("def test():\n    return condition\nag__.for_(items, body, state, test)", node,
                              test=self.fresh.name("test"), condition=until, **parts)
            made[0].is_block = True
        made[-1].value.keywords += options
        return [*made[:-1], body, made[-1]]


def _options(node: Any) -> list[ast.keyword]:
    """Takes the call of `set_loop_options` out of a loop, and gives its arguments."""
    for statement in node.body:
        call = getattr(statement, "value", None)
        if isinstance(statement, ast.Expr) and isinstance(call, ast.Call) and \
                str(dotted(call.func)).rpartition(".")[2] == DIRECTIVE:
            node.body.remove(statement)
            node.body = node.body or [placed(ast.Pass(), node)]
            names = ("parallel_iterations", "back_prop", "swap_memory", "maximum_iterations")
            given = [ast.keyword(name, value) for name, value in zip(names, call.args)]
            return [placed(each, call) for each in [*given, *call.keywords]]
    return []
