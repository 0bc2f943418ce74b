"""Converts a function: source, syntax tree, passes, code, function."""

from __future__ import annotations
import __future__

import ast
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED
from types import CellType, CodeType, FunctionType
from typing import Any

from evergraph.autograph.liveness import mark_live
from evergraph.autograph.names import Fresh, dotted, is_block
from evergraph.autograph.passes.asserts import convert_asserts
from evergraph.autograph.passes.calls import convert_calls
from evergraph.autograph.passes.conditionals import convert_conditionals
from evergraph.autograph.passes.declarations import declare_variables, hoist_declarations
from evergraph.autograph.passes.items import convert_items
from evergraph.autograph.passes.jumps import lower_jumps
from evergraph.autograph.passes.lists import convert_lists
from evergraph.autograph.passes.logic import convert_logic
from evergraph.autograph.passes.loops import convert_loops
from evergraph.autograph.passes.methods import write_out_methods
from evergraph.autograph.source import Definition, definition_of
from evergraph.autograph.template import RUNTIME, located, placed

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in ("annotations", "generator_stop"))
_GENERATORS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR

_codes: dict[tuple[CodeType, str, str], CodeType] = {}
_made: set[CodeType] = set()


def is_converted(function: FunctionType) -> bool:
    """Whether the function is the result of a conversion, or was defined in such a function."""
    return function.__code__ in _made


def is_generator(function: FunctionType) -> bool:
    """Whether calls of the function give something that runs later."""
    return bool(function.__code__.co_flags & _GENERATORS)


def convert(function: FunctionType, runtime: Any) -> FunctionType:
    """The function with its control flow in calls of `runtime`'s operators; it shares globals and closure.

    Raises:
        NoSource: its source cannot be had.
        CannotConvert: it has a statement that cannot be converted.
    """
    key = function.__code__, function.__code__.co_filename, function.__qualname__  # equal code may have other files
    code = _codes.get(key)
    if code is None:
        code = _codes[key] = _compiled(function)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells[RUNTIME] = CellType(runtime)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__,
                        tuple(cells[name] for name in code.co_freevars))
    made.__kwdefaults__, made.__doc__, made.__module__ = function.__kwdefaults__, function.__doc__, function.__module__
    made.__annotations__, made.__qualname__ = function.__annotations__, function.__qualname__
    made.__dict__.update(function.__dict__)
    return made


def transformed(function: FunctionType) -> ast.FunctionDef:
    """The converted definition of the function."""
    node = _as_function(definition_of(function))
    node.decorator_list, node.returns = [], None
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    write_out_methods(node, function.__qualname__)
    convert_asserts(node)
    _convert_statements(node, Fresh(node))
    convert_logic(node)
    convert_calls(node)
    return node


def _as_function(node: Definition) -> ast.FunctionDef:
    if isinstance(node, ast.FunctionDef):
        return node
    body = placed(ast.Return(node.body), node.body)
    made = ast.FunctionDef("lambda_", node.args, [body], [])
    made.type_params = []  # type: ignore[attr-defined]
    return ast.copy_location(made, node)


def _convert_statements(function: ast.FunctionDef, fresh: Fresh) -> None:
    for inner in _inner_functions(function):
        if _is_left_alone(inner):
            inner.is_left_alone = True  # type: ignore[attr-defined]
        else:
            _convert_statements(inner, fresh)
    hoist_declarations(function, fresh)
    convert_items(function, fresh)
    convert_lists(function, fresh)
    lower_jumps(function, fresh)
    mark_live(function)
    convert_conditionals(function, fresh)
    convert_loops(function, fresh)
    declare_variables(function)


def _inner_functions(function: ast.FunctionDef) -> list[ast.FunctionDef]:
    """The functions that the function defines, not those that these define."""
    todo, found = list(function.body), []
    while todo:
        node: Any = todo.pop()
        if isinstance(node, ast.FunctionDef) and not is_block(node):
            found.append(node)
        elif not isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef)):
            todo += ast.iter_child_nodes(node)
    return found


def _is_left_alone(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator, or decorated with do_not_convert."""
    words = [dotted(each.func if isinstance(each, ast.Call) else each) or "" for each in node.decorator_list]
    yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
    return yields or any(word.rpartition(".")[2] == "do_not_convert" for word in words)


# ---- code


def _compiled(function: FunctionType) -> CodeType:
    """The code of the converted function, with the file and the lines of the original."""
    node, old = transformed(function), function.__code__
    node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
    around = ast.parse(f"def around({', '.join(dict.fromkeys([RUNTIME, *old.co_freevars]))}): pass")
    around.body[0].body = [node]  # type: ignore[attr-defined]
    flags = old.co_flags & _FUTURES
    module = compile(located(around), old.co_filename, "exec", flags, dont_inherit=True)
    code = _inner(_inner(module, "around"), node.name)
    code = code.replace(co_name=old.co_name, co_qualname=old.co_qualname)
    _remember(code)
    return code


def _inner(code: CodeType, name: str) -> CodeType:
    return next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name)


def _remember(code: CodeType) -> None:
    """Notes that the code, and that of functions defined in it, is converted; methods of classes in it are not."""
    _made.add(code)
    for each in code.co_consts:
        if isinstance(each, CodeType) and each.co_flags & CO_OPTIMIZED:  # the body of a class is not
            _remember(each)
