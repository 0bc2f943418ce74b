"""Each pass alone: what it makes of a few lines."""

import ast
import textwrap

import pytest

from evergraph.autograph.liveness import mark_live
from evergraph.autograph.names import Fresh, read, written
from evergraph.autograph.passes.asserts import convert_asserts
from evergraph.autograph.passes.calls import convert_calls
from evergraph.autograph.passes.conditionals import convert_conditionals
from evergraph.autograph.passes.declarations import declare_variables, hoist_declarations
from evergraph.autograph.passes.items import convert_items
from evergraph.autograph.passes.jumps import CannotConvert, lower_jumps
from evergraph.autograph.passes.lists import convert_lists
from evergraph.autograph.passes.logic import convert_logic
from evergraph.autograph.passes.loops import convert_loops
from evergraph.autograph.passes.methods import write_out_methods


def function(body, head="def f(x):"):
    return ast.parse(f"{head}\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}").body[0]


def applied(convert, body, head="def f(x):"):
    """The statements after a pass over a function with this body."""
    node = function(body, head)
    convert(node)
    return ast.unparse(ast.Module(node.body, []))


def same(found, wanted):
    assert found.replace("\n\n", "\n").strip() == textwrap.dedent(wanted).strip()


def with_fresh(convert):
    return lambda node: convert(node, Fresh(node))


# ---- names


def test_reads_and_writes():
    node = function("a.b = c.d\nfor e in f: g = [h for h in i]\ndef j(k): return k + m\nn: int = 0").body
    assert written(node) == {"a.b", "e", "g", "j", "n"}
    assert read(node) >= {"a", "c", "c.d", "f", "i", "m"} and not read(node) & {"h", "k", "g"}


def test_fresh_names():
    fresh = Fresh(function("then = 1"))
    assert [fresh.name("then"), fresh.name("then"), fresh.name("body")] == ["then_2", "then_3", "body"]


# ---- liveness


@pytest.mark.parametrize("body, live", [
    ("if x:\n    y = 1\nreturn y", {"y"}),
    ("if x:\n    y = 1\ny = 2\nreturn y", set()),
    ("if x:\n    y = 1\ny += 2", {"y"}),
    ("g = lambda: z\nif x:\n    z = 1\nreturn g()", {"g", "z"}),
    ("try:\n    if x:\n        y = 1\nexcept E:\n    print(y)", {"E", "print", "y"}),
    ("global y\nif x:\n    y = 1", {"y"}),
])
def test_what_is_live_after_a_conditional(body, live):
    node = function(body)
    mark_live(node)
    found = next(each for each in ast.walk(node) if isinstance(each, ast.If)).live
    assert {name for name in found if "." not in name} - {"Exception"} == live


def test_a_loop_carries_what_its_next_iteration_reads():
    node = function("while x:\n    z = y\n    y = z\n    w = 1")
    mark_live(node)
    assert node.body[0].live == {"x", "y"}


def test_with_binds_names_before_its_block():
    node = function("while x:\n    with tape() as a, b(a) as (c, y):\n        z = a + y\n    x = y + z")
    mark_live(node)
    assert node.body[0].live == {"x", "tape", "b"}


# ---- statements


def test_a_jump_moves_the_rest_into_the_other_branch():
    same(applied(with_fresh(lower_jumps), "if x:\n    return 1\ny = 2\nreturn y"), """
        if x:
            ag__result = 1
        else:
            y = 2
            ag__result = y
        return ag__result""")


def test_jumps_become_flags():
    same(applied(with_fresh(lower_jumps), """
        for i in x:
            if i:
                if x:
                    continue
                y = 1
            if y:
                break
            z = 1
        """), """
        broke = False
        for i in x:
            skipped = False
            if i:
                if x:
                    skipped = True
                else:
                    y = 1
            if not skipped:
                if y:
                    broke = True
                else:
                    z = 1""")


def test_flags_end_loops():
    node = function("while x:\n    if y:\n        break\nfor i in x:\n    if y:\n        return 1")
    with_fresh(lower_jumps)(node)
    loops = [each for each in ast.walk(node) if isinstance(each, (ast.While, ast.For))]
    assert [ast.unparse(getattr(each, "until", each.__dict__.get("test"))) for each in loops] == [
        "not broke and x", "not returned"]


def test_a_return_in_finally_is_refused():
    with pytest.raises(CannotConvert, match="line 5.*finally"):
        applied(with_fresh(lower_jumps), """
            if x:
                x = 1
            else:
                try:
                    y = 1
                finally:
                    return 1""")


def test_conditionals():
    def convert(node):
        mark_live(node)
        convert_conditionals(node, Fresh(node))

    same(applied(convert, "if x:\n    y = 1\n    z = 2\nreturn y"), """
        def then():
            y = 1
            z = 2
        ag__.if_(x, then, None, ('y',))
        return y""")


def test_loops():
    def convert(node):
        mark_live(node)
        convert_loops(node, Fresh(node))

    same(applied(convert, "for i in x:\n    y += i\nwhile y:\n    set_loop_options(back_prop=False)\n    y -= 1"), """
        def body(i):
            y += i
        ag__.for_(x, body, ('y',))
        def test():
            return y
        def body_2():
            y -= 1
        ag__.while_(test, body_2, ('y',), back_prop=False)""")


def test_blocks_declare_what_they_share():
    def convert(node):
        mark_live(node)
        convert_conditionals(node, Fresh(node))
        declare_variables(node)

    same(applied(convert, "global g\nif x:\n    g = 1\n    y = 2"), """
        global g
        y: 'local'
        def then():
            global g
            nonlocal y
            g = 1
            y = 2
        ag__.if_(x, then, None, ('g',))""")


def test_declarations_go_to_the_head():
    same(applied(with_fresh(hoist_declarations), "if x:\n    global g, h\n    nonlocal n\n    g = 1"), """
        global g, h
        nonlocal n
        if x:
            pass
            pass
            g = 1""")


@pytest.mark.parametrize("before, after", [
    ("x[1] = 2", "x = ag__.set_item(x, 1, 2)"),
    ("x[1:, 2] = 3", "x = ag__.set_item(x, (slice(1, None, None), 2), 3)"),
    ("x[i] += 2", "x = ag__.update_item(x, i, '+', 2)"),
    ("y[1] = 2", "y[1] = 2"),
    ("x.a[1] = 2", "x.a[1] = 2"),
])
def test_items(before, after):
    same(applied(with_fresh(convert_items), before), after)


@pytest.mark.parametrize("before, after", [
    ("x.append(1)", "x = ag__.append(x, 1)"),
    ("y = x.pop()", "x, y = ag__.pop(x)"),
    ("x.pop()", "x, popped = ag__.pop(x)"),
    ("x.pop(0)", "x.pop(0)"),
    ("z.append(1)", "z.append(1)"),
])
def test_lists(before, after):
    same(applied(with_fresh(convert_lists), before), after)


def test_asserts():
    same(applied(convert_asserts, "assert x, y\nassert x"), "ag__.assert_(x, lambda: y)\nag__.assert_(x)")


# ---- expressions


@pytest.mark.parametrize("before, after", [
    ("a and b and c", "ag__.and_(a, lambda: b, lambda: c)"),
    ("a or not b", "ag__.or_(a, lambda: ag__.not_(b))"),
    ("a == b", "ag__.eq(a, b)"),
    ("a != b", "ag__.not_eq(a, b)"),
    ("a < b", "a < b"),
    ("a < b <= c", "ag__.compare(a, '<', lambda: b, '<=', lambda: c)"),
    ("a if b else c", "ag__.choose(b, lambda: a, lambda: c)"),
    ("a and (b := c)", "a and (b := c)"),
    ("[a for a in b if a and c]", "[a for a in b if ag__.and_(a, lambda: c)]"),
    ("-a in b", "-a in b"),
])
def test_logic(before, after):
    same(applied(convert_logic, before), after)


@pytest.mark.parametrize("before, after", [
    ("f(a, *b, c=d, **e)", "ag__.call(f)(a, *b, c=d, **e)"),
    ("a.b(c)(d)", "ag__.call(ag__.call(a.b)(c))(d)"),
    ("locals()", "locals()"),
    ("ag__.eq(f(a), 1)", "ag__.eq(ag__.call(f)(a), 1)"),
])
def test_calls(before, after):
    same(applied(convert_calls, before), after)


def test_methods():
    convert = lambda node: write_out_methods(node, "Outer._Kind.f")  # noqa: E731
    same(applied(convert, "super().f()\nself.__a = __b\nself.__c__", "def f(self):"), """
        super(__class__, self).f()
        self._Kind__a = _Kind__b
        self.__c__""")
