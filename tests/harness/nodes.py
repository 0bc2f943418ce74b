"""A graph's nodes as lines of text, and what the recorded TensorFlow (2.15) names otherwise than 1.15 did."""

import re
from collections import defaultdict

# tf.add was the op Add in 1.15; the operator + was AddV2 in both.
_ADDS = re.compile(r"(^|/)(Add(_\d+)?|xentropy|logistic_loss(_\d+)?)$")


def listed(graph):
    """Every node of the graph as "name op input input"; the axes of a scalar, range(0, 0), get the op Range:0."""
    nodes = graph.as_graph_def().node
    zeros = {n.name for n in nodes if n.op == "Const" and _is_zero(n.attr["value"].tensor)}
    op = lambda n: "Range:0" if n.op == "Range" and zeros.issuperset(list(n.input)[:2]) else n.op
    return [" ".join([n.name, op(n), *n.input]) for n in nodes]


def _is_zero(tensor):
    return tensor.dtype == 3 and not tensor.tensor_shape.dim and list(tensor.int_val) == [0]


def as_in_1_15(lines):
    """The lines as 1.15 would have written them."""
    return _with_constant_axes([_renamed(line.split(" ")) for line in lines])


def _renamed(fields):
    name, op, *inputs = [re.sub(r"(ones_like(_\d+)?/Shape)/shape_as_tensor$", r"\1", field) for field in fields]
    return [name, "Add" if op == "AddV2" and _ADDS.search(name) else op, *inputs]


def _with_constant_axes(nodes):
    """Axes of the full reduction of a scalar: Rank and Range in 2.15, one constant before, which numbers the others."""
    by_name = {node[0]: node for node in nodes}
    scalar_axes = {name for name, op, *_ in nodes if op == "Range:0"}
    dropped = {part for name in scalar_axes for part in by_name[name][2:]}
    taken, renames, result = defaultdict(int), {}, []
    for name, op, *inputs in nodes:
        if name in dropped:
            continue
        scope, _, last = name.rpartition("/")
        if name in scalar_axes or re.fullmatch(r"Const(_\d+)?", last):
            count, taken[scope] = taken[scope], taken[scope] + 1
            renames[name] = "/".join(filter(None, [scope, f"Const_{count}" if count else "Const"]))
        if name in scalar_axes:
            op, inputs = "Const", [i for i in by_name[by_name[name][3]][2:] if i.startswith("^")]
        result.append(" ".join([renames.get(name, name), op, *(renames.get(i, i) for i in inputs)]))
    return result
