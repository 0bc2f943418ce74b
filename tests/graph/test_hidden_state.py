"""The engine keeps nothing in undeclared attributes of graphs, operations, tensors and sessions; programs may."""

import ast
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.graph.function import FuncGraph

ROOT = Path(__file__).resolve().parents[2] / "evergraph"
ROOMS = ("graph", "kernel", "passes", "compile", "run", "ops", "frontend", "layers", "keras", "train", "save")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

# How the statements begin that set attributes of something else than graphs and their parts, or for a program's use.
ALLOWED = {
    "frontend/later/reordered.py": ("function.__signature__ = ",),
    "graph/convert.py": ("tensor_type._is_tensor_like = ",),  # a class that a program registers
    "graph/scopes.py": ("vars(state).update",),  # what a thread has of its own, copied
    "frontend/tensor_array.py": ("vars(other).update",),  # a TensorArray, copied
    "keras/history.py": ("tensor._keras_history = ",),  # programs read it
    "keras/metrics.py": ("tensor._metric_obj = ",),  # programs pass the tensor on to add_metric
    "layers/connections.py": ("tensor._keras_mask = ",),  # programs read and set it
    "layers/functional.py": ("function.__signature__ = ",),
    "layers/layer.py": ("vars(result)[key] = ",),  # a layer, copied
    "ops/data/rewriting.py": ("vars(changed).update",),  # a dataset, copied
    "save/saved_model_objects.py": ("loaded.",),  # what tf.saved_model.load returns
}


# ---- what the source does


def stored(statement):
    """The attributes and items that a statement assigns."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    found = [node for target in targets for node in ast.walk(target)]
    return [node for node in found if isinstance(getattr(node, "ctx", None), ast.Store)]


def is_self(node):
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def is_class(node):
    """Whether the node names a class, which may be given methods."""
    return isinstance(node, ast.Name) and node.id[:1].isupper()


def is_vars(node):
    """Whether the node is `vars(x)` of another object than the method's own."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "vars" and node.args and not is_self(node.args[0])


def declared_in(tree):
    """The attributes that the classes of a file declare: slots, names in the body, assignments to self."""
    for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for node in ast.walk(kind):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
                yield from (t.attr for t in stored(node) if isinstance(t, ast.Attribute) and is_self(t.value))
                yield from (t.id for t in stored(node) if isinstance(t, ast.Name))
                if ast.unparse(node).startswith("__slots__"):
                    yield from (c.value for c in ast.walk(node) if isinstance(c, ast.Constant))


DECLARED = {name for path in FILES for name in declared_in(ast.parse(path.read_text()))}


def sets_attributes(statement, lines):
    """Whether a statement sets an attribute that no class declares, or hides it from the type checker."""
    unchecked = "type: ignore[attr-defined]" in lines[statement.lineno - 1]
    for target in stored(statement):
        if isinstance(target, ast.Attribute) and not is_self(target.value) and not is_class(target.value):
            private = target.attr.startswith("_") and not target.attr.startswith("__")
            if unchecked or private and target.attr not in DECLARED:
                return True
        if isinstance(target, ast.Subscript) and is_vars(target.value):
            return True
    return False


def hidden_state(source):
    """The statements of a file that reach into the attributes of other objects behind the back of their classes."""
    tree, lines = ast.parse(source), source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and sets_attributes(node, lines):
            yield ast.unparse(node)
        elif isinstance(node, ast.Attribute) and node.attr == "__dict__":
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "object.__setattr__"):
            if isinstance(node.args[1], ast.Constant) and not is_self(node.args[0]):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_vars(node.func.value):
            if node.func.attr in ("update", "setdefault", "pop"):
                yield ast.unparse(node)


@pytest.mark.parametrize("room", ROOMS)
def test_the_engine_sets_no_undeclared_attributes(room):
    """What a graph, tensor, operation or session holds is a declared field, a scope or a class for `graph.memo`."""
    for path in sorted((ROOT / room).rglob("*.py")):
        allowed = ALLOWED.get(str(path.relative_to(ROOT)), ())
        assert not [found for found in hidden_state(path.read_text()) if not found.startswith(allowed)], path


@pytest.mark.parametrize("name", ALLOWED)
def test_every_exception_is_needed(name):
    found = list(hidden_state((ROOT / name).read_text()))
    assert all(any(each.startswith(start) for each in found) for start in ALLOWED[name])


@pytest.mark.parametrize("line", [
    "graph.__dict__.setdefault('_store', {})",
    "tensor.__dict__['_static'] = 1",
    "vars(tensor)['_static'] = 1",
    "vars(graph).setdefault('_store', {})",
    "node.outputs[0]._nobody_declares_this = 1",
    "setattr(graph, '_store', {})",
    "scopes.creators = []  # type: ignore[attr-defined]",
])
def test_hidden_state_is_found(line):
    assert list(hidden_state(line))


# ---- what a program leaves


def loop_and_branch(x):
    w = tf.get_variable("w", initializer=2.0, use_resource=True)
    y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w), [0, x])[1]
    return tf.cond(y > 1.0, lambda: y * w, lambda: y) + tf.stop_gradient(tf.py_func(lambda v: v, [y], tf.float32))


def imported_loop(x):
    """A loop in TensorFlow 1's own frames, read from a GraphDef."""
    with tf.Graph().as_default() as other:
        start = tf.placeholder(tf.float32, [], name="start")
        with tf.control_dependencies([start]):
            raw = tf.raw_ops
            enter = raw.Enter(data=start, frame_name="frame")
            merge = raw.Merge(inputs=[enter, enter]).output
            switch = raw.Switch(data=merge, pred=raw.LoopCond(input=merge < 10.0))
            following = raw.NextIteration(data=switch.output_true * 2.0)
            merge.op._update_input(1, following)
            raw.Exit(data=switch.output_false, name="end")
    return tf.import_graph_def(other.as_graph_def(), {"start": x}, ["end:0"])[0]


def layers(x):
    rows = tf.layers.dense(tf.reshape(x, [1, 1]), 3, tf.nn.relu)
    training = tf.cast(tf.keras.backend.learning_phase(), tf.float32)
    return tf.reduce_sum(tf.keras.layers.Dense(2)(rows)) * (1.0 + training)


@pytest.mark.parametrize("program", [loop_and_branch, imported_loop, layers])
def test_a_program_leaves_no_attributes(graph, program):
    fresh, fresh_session = vars(tf.Graph()).keys(), None
    with tf.Graph().as_default():
        tf.no_op()
        fresh_session = vars(tf.Session()).keys()
    x = tf.placeholder_with_default(1.5, [])
    y = program(x)
    gradients = tf.gradients(y, [x])
    train = tf.train.AdamOptimizer().minimize(y) if tf.trainable_variables() else tf.no_op()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([y, gradients, train])
        assert vars(session).keys() == fresh_session
    functions = list(graph.library.values())
    assert vars(graph).keys() == fresh
    for function in functions:
        kind = type(function)
        assert kind is not FuncGraph or vars(function).keys() == vars(FuncGraph("fresh", graph)).keys()
    for each in (graph, *functions):
        for op in each.get_operations():
            assert not vars(op), op
            assert not any(vars(tensor) for tensor in op.outputs), op


# ---- what programs may do


def test_programs_set_attributes(graph, session):
    tensor = tf.constant(1.0)
    tensor.alias, tensor.op._uses_learning_phase, graph.model = "conv1", True, "mine"
    assert (tensor + 1.0).op.inputs[0].alias == "conv1"
    assert graph.get_operation_by_name("Const")._uses_learning_phase and graph.model == "mine"
    assert not hasattr(tf.constant(1.0), "alias")
    del tensor.alias
    assert not hasattr(tensor, "alias")


def test_a_mask_that_a_program_sets_is_the_mask(session):
    rows = tf.ones([1, 3, 1])
    rows._keras_mask = tf.constant([[True, True, False]])
    summed = tf.keras.layers.RNN(SumCell(), dtype=tf.float32)(rows)
    assert session.run(summed).tolist() == [[2.0]]


class SumCell(tf.keras.layers.Layer):
    state_size = output_size = 1

    def call(self, inputs, states):
        return inputs + states[0], [inputs + states[0]]
