"""What a pass, the compiler or a function decides about an op is a trait or a declaration, never the op's name.

Outside ops/ no line compares, looks up or collects names of ops. graph/primitives.py, which names the ops that graph/
adds itself, passes/imported/, which is about TensorFlow 1's own control flow, and contrib/quantize/ and
contrib/receptive_field/, which look for TensorFlow's layers in the graph of a program, are the exceptions.
"""

import ast
import json
from pathlib import Path

import pytest

import evergraph
from tests.test_opdefs import declared

ROOT = Path(evergraph.__file__).parent
DATA = Path(__file__).parent / "data"
OF_TESTS = set(json.loads((DATA / "ops_of_tests.json").read_text()))  # words such as "None"
OPS = (set(json.loads((DATA / "ops.json").read_text())) | set(declared())) - OF_TESTS
EXCEPT = ("ops/", "passes/imported/", "graph/primitives.py", "frontend/imported_loops.py", "api/names.py",
          "contrib/quantize/", "contrib/receptive_field/")

# What an op is made or found by, given its name.
MAKERS = {"lookup", "find", "create_op", "_create_op_internal", "Primitive"}
# Attributes that hold the name of an op: of an Operation, of a NodeDef, of an OpDef.
TYPES = {"type", "op"}
# Methods of text that look at a part of it.
PARTS = {"startswith", "endswith", "removeprefix", "removesuffix", "find", "count", "partition", "split", "replace"}
# Rooms that read messages find ops by the names in them; nobody else finds ops by name.
FINDERS = {"graph", "save", "passes"}

# Rooms that have no names for people: there the name of an op as an argument is that of an op.
EXPORTS = {"export", "export_name"}
INSIDE = {"graph", "passes", "compile", "run", "kernel"}

# Collections of words that are names of ops by accident, or because users give names of ops there: (file, constant).
WORDS = {
    ("keras/initializers.py", "_NAMES"): "the names of Keras initializers",
    ("layers/identifiers.py", "_CLASSES"): "the names of initializers in configurations",
    ("layers/identifiers.py", "_INITIALIZERS"): "the names of initializers in configurations",
    ("contrib/learn/monitors.py", "_NOT_DUMPED"): "the default of an argument that takes names of ops",
    ("contrib/specs/vocabulary.py", "LAYERS"): "the words of a specification of a network",
    ("contrib/specs/summaries.py", "_SHORT"): "what a printed summary calls ops",
    ("contrib/specs/summaries.py", "_UNSEEN"): "what a printed summary leaves out",
}


def texts(node):
    """The string literals in an expression that is one, or a collection of them; of a dictionary, the keys."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, (ast.Set, ast.Tuple, ast.List)):
        return [text for item in node.elts for text in texts(item)]
    if isinstance(node, ast.Dict):
        return [text for key in node.keys if key is not None for text in texts(key)]
    if isinstance(node, ast.Starred):
        return texts(node.value)
    if isinstance(node, ast.Call) and name_of(node.func) in ("frozenset", "set", "tuple", "list"):
        return [text for argument in node.args for text in texts(argument)]
    if isinstance(node, ast.BinOp):
        return texts(node.left) + texts(node.right)
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    return []


def name_of(function):
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)


def holds_type(node):
    """Whether an expression is the name of a node's op: `node.type`, `message.op`, `node.opdef.name`, `op_type`."""
    if isinstance(node, ast.Attribute):
        return node.attr in TYPES or node.attr == "name" and name_of(node.value) in ("opdef", "op_def")
    return isinstance(node, ast.Name) and node.id == "op_type"


def is_method_of_text(function):
    return isinstance(function, ast.Attribute) and function.attr == "find"


def collects(node):
    """Whether an expression is a constant collection, in which names of ops can only be there to be compared."""
    return isinstance(node, (ast.Set, ast.Dict)) or isinstance(node, ast.Call) and texts(node)


def reasons(node):
    """Why a part of a program decides by the name of an op."""
    if isinstance(node, ast.Compare):
        found = [text for side in (node.left, *node.comparators) for text in texts(side)]
        if OPS.intersection(found):
            yield f"compares {found}"
        if texts(node.left) and isinstance(node.ops[0], (ast.In, ast.NotIn)) and holds_type(node.comparators[0]):
            yield f"takes the name of an op apart: {texts(node.left)}"
    if isinstance(node, ast.Call):
        literal = [text for argument in node.args[:1] for text in texts(argument)]
        if name_of(node.func) in MAKERS and literal and not is_method_of_text(node.func):
            yield f"finds an op by its name {literal}"
        if name_of(node.func) in PARTS and isinstance(node.func, ast.Attribute) and literal \
                and holds_type(node.func.value):
            yield f"takes the name of an op apart: {literal}"
        if name_of(node.func) in ("match", "search", "fullmatch") and any(map(holds_type, node.args)):
            yield "matches the name of an op"
        if name_of(node.func) == "get" and isinstance(node.func, ast.Attribute) and any(map(holds_type, node.args)) \
                and texts(node.func.value):
            yield f"finds the name of an op in {texts(node.func.value)}"
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and name_of(node.value) == "REGISTRY":
            yield f"finds an op by its name {node.slice.value!r}"
        if holds_type(node.slice) and texts(node.value):
            yield f"finds the name of an op in {texts(node.value)}"
        if holds_type(node.value) and isinstance(node.slice, ast.Slice):
            yield "takes the name of an op apart"
    if isinstance(node, ast.match_case) and OPS.intersection(
            text.value.value for text in ast.walk(node.pattern)
            if isinstance(text, ast.MatchValue) and isinstance(text.value, ast.Constant)):
        yield "matches names of ops"


def collected(statement):
    """(name, names of ops) when a statement binds a name to a constant that holds names of ops."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return None
    found = OPS.intersection(texts(statement.value))
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    is_constant = isinstance(statement.value, ast.Constant) or isinstance(statement.value, (ast.Tuple, ast.List)) \
        or collects(statement.value)
    return (name_of(target), sorted(found)) if found and is_constant else None


def decisions(source, path="some/file.py"):
    """["line: why"] for all places in a file that decide by the name of an op."""
    found = []
    for node in ast.walk(ast.parse(source)):
        found += [f"{node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno}: {why}"
                  for why in reasons(node)]
        bound = collected(node)
        if bound is not None and (path, bound[0]) not in WORDS:
            found.append(f"{node.lineno}: {bound[0]} holds names of ops {bound[1]}")
        if isinstance(node, ast.Call) and path.split("/")[0] in INSIDE and name_of(node.func) not in EXPORTS:
            given = [*node.args, *(k.value for k in node.keywords if k.arg != "name")]
            found += [f"{node.lineno}: names {text}" for text in sorted(OPS.intersection(sum(map(texts, given), [])))]
        if isinstance(node, ast.ImportFrom) and node.module == "evergraph.graph.registry" \
                and path.split("/")[0] not in FINDERS and {"lookup", "find", "REGISTRY"} & {a.name for a in node.names}:
            found.append(f"{node.lineno}: imports what finds ops by name")
    return found


FILES = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", [path for path in FILES if not path.startswith(EXCEPT)])
def test_no_decision_by_name(path):
    assert decisions((ROOT / path).read_text(), path) == []


@pytest.mark.parametrize("planted", [
    'if node.type == "MatMul": pass',
    'if "MatMul" != tensor.op.type: pass',
    'if node.type in ("Shape", "Size"): pass',
    'if node.type not in {"Shape", "Size"}: pass',
    'if node.type in frozenset({"Shape"}): pass',
    'if node.type in ("Identity", *_CHAINED): pass',
    'if "Apply" in node.type: pass',
    'if "SparseApply" in user.op.type: pass',
    'if node.type.endswith("CandidateSampler"): pass',
    'if node.type.startswith("Random"): pass',
    'if message.op == "Const": pass',
    'if node.opdef.name == "Placeholder": pass',
    'kind = node.type\nif kind == "Const": pass',
    'if op_type == "Identity": pass',
    'if "Grad" not in op_type: pass',
    'names = {"Const": "dtype", "Cast": "SrcT"}.get(message.op)',
    'attr = {"If": "Tin", "Case": "Tin"}[node.op]',
    '_ASK = frozenset({"Shape", "ShapeN", "Size", "Rank"})',
    '_BRANCHES = ("If", "StatelessIf")',
    '_MAKES: str = "TensorArrayV3"',
    'class Pass:\n    heavy = {"MatMul", "Conv2D"}',
    'def f():\n    return lookup("Identity")(x)',
    'lookup("While" if loops else "If")',
    'REGISTRY["Identity"]',
    'graph.create_op("Identity", [x], [x.dtype])',
    'Primitive("Sum")',
    'match node.type:\n    case "If" | "While":\n        pass',
    're.match("Random.*", node.type)',
    'if node.type[:6] == "Sparse": pass',
    'from evergraph.graph.registry import lookup',
])  # fmt: skip
def test_a_planted_decision_is_found(planted):
    assert decisions(planted)


def test_an_argument_inside_is_found():
    assert decisions('self._add("Switch", name, inputs)', "graph/graphdef.py")
    assert decisions('message.node.add(name=name, op="Switch")', "passes/some_pass.py")


@pytest.mark.parametrize("innocent", [
    'with name_scope(name, "Shape", [input]) as scope: pass',
    'def constant(value, name="Const"): pass',
    '@export("FIFOQueue", "queue.FIFOQueue")\nclass FIFOQueue: pass',
    'if node.opdef is activations.softmax: pass',
    'if node.opdef.kind is Kind.CONSTANT: pass',
    'if message.op == basic.const.name: pass',
    'if tensor.op in level: pass',
    'raise ValueError(f"{node.type} needs a session")',
    'outputs = _named(outputs, graphs, "Merge")',
])  # fmt: skip
def test_other_uses_of_the_same_words_are_not(innocent):
    assert decisions(innocent) == []


def test_every_exception_is_needed():
    for path, name in WORDS:
        assert any(bound is not None and bound[0] == name
                   for bound in map(collected, ast.walk(ast.parse((ROOT / path).read_text())))), (path, name)
