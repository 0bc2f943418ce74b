"""tf.import_graph_def: names, order, scopes, what it refuses, and that nothing is left behind when it does."""

import sys
import threading

import numpy as np
import pytest
from google.protobuf import text_format
from hypothesis import given, settings
from hypothesis import strategies as st

import evergraph as tf

CONST = """node { name: "%s" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 2 tensor_shape {} } } } %s }"""
PLACEHOLDER = 'node { name: "%s" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } %s }'
SHAPES = 'attr { key: "_output_shapes" value { list { shape { dim { size: %d } } } } }'
CLASS = 'attr { key: "_class" value { list { s: "%s" } } }'
LOOP = """node { name: "enter" op: "Enter" input: "a" attr { key: "T" value { type: DT_FLOAT } }
    attr { key: "frame_name" value { s: "f" } } }
  node { name: "merge" op: "Merge" input: "enter" input: "next" attr { key: "T" value { type: DT_FLOAT } }
    attr { key: "N" value { i: 2 } } }
  node { name: "next" op: "NextIteration" input: "merge" attr { key: "T" value { type: DT_FLOAT } } }"""
FUNCTION = """library { function {
    signature { name: "f" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "n" op: "%s" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "n:%s:0" } } }"""


def const(name, extra=""):
    return CONST % (name, extra)


def add(name, *inputs, extra="", T="DT_FLOAT"):
    listed = " ".join(f'input: "{text}"' for text in inputs)
    return f'node {{ name: "{name}" op: "Add" {listed} attr {{ key: "T" value {{ type: {T} }} }} {extra} }}'


def message(text):
    graph_def = text_format.Parse(text, tf.GraphDef())
    if not graph_def.HasField("versions"):
        graph_def.versions.producer = 134
    return graph_def


def load(text, **arguments):
    return tf.import_graph_def(message(text), **{"name": "", **arguments})


def names(graph):
    return [op.name for op in graph.get_operations()]


def test_nodes_come_in_dependency_order_else_in_that_of_the_message(graph):
    load(add("z", "b", "a") + const("q") + add("s", "b", "z") + const("b") + const("a"))
    assert names(graph) == ["q", "b", "a", "z", "s"]


def test_prefixes(graph):
    for _ in range(2):
        tf.import_graph_def(message(const("a")))
    with tf.name_scope("scope"):
        load(const("a"), name="x")
        load(const("a"))
    for _ in range(2):
        load(const("a"), name="y/")
    assert names(graph) == ["import/a", "import_1/a", "scope/x/a", "a", "y/a", "y/a_1"]


def test_a_name_that_is_taken_gets_a_number(graph):
    tf.constant(1.0, name="a")
    tf.constant(1.0, name="b/c")
    load(const("a") + const("a_1") + const("b") + add("s", "a", "a_1"))
    assert names(graph) == ["a", "b/c", "a_2", "a_1", "b_1", "s"]
    assert [t.name for t in graph.get_operation_by_name("s").inputs] == ["a_2:0", "a_1:0"]
    assert tf.constant(1.0, name="s").op.name == "s_1"


@pytest.mark.parametrize("text", ["a", "a:0", "a:00"])
def test_inputs_by_name(graph, text):
    load(const("a") + add("s", "a", text))
    assert [t.name for t in graph.get_operation_by_name("s").inputs] == ["a:0", "a:0"]


@pytest.mark.parametrize("text", ["a:1", "a:x", "a:-1", "a:0:0", "b", "", ":0", "a:99999999999999"])
def test_inputs_that_name_nothing(graph, text):
    with pytest.raises(ValueError, match="Unknown input node|invalid output"):
        load(const("a") + add("s", "a", text))


@pytest.mark.parametrize("name", ["", "a b", "_a", "a:0", "-a", "/a", "é", "^a", ">a", "a\\x00"])
def test_names_that_are_none(name):
    with pytest.raises(ValueError, match="invalid characters"):
        load(const(name))


@pytest.mark.parametrize("name", ["a/", "0", "a//b", "a.b", ".a", "a-b"])
def test_names_that_are_odd(graph, name):
    load(const(name))
    assert names(graph) == [name]


BROKEN = {
    "is not unique": const("a") + const("a"),
    "2 nodes in a cycle": add("s", "t", "t") + add("t", "s", "s"),
    "1 nodes in a cycle": add("s", "s", "s"),
    "Unknown input node '\\^b'": const("a") + add("s", "a", "a", "^b"),
    "Control dependencies must come after": const("a") + add("s", "^a", "a", "a"),
    "expected 2 inputs, but has 1": const("a") + add("s", "a"),
    "expected 2 inputs, but has 3": const("a") + add("s", "a", "a", "a"),
    "incompatible with expected int32": const("a") + add("s", "a", "a", T="DT_INT32"),
    "missing attr 'T'": const("a") + 'node { name: "s" op: "Neg" input: "a" }',
    "mentions attr 'foo' not in Op": const("a") + add("s", "a", "a", extra='attr { key: "foo" value { i: 3 } }'),
    "holds i for attr 'dtype'": 'node { name: "a" op: "Placeholder" attr { key: "dtype" value { i: 1 } } }',
    "no DataType for attr": 'node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: 77 } } }',
    "not in list of allowed values": PLACEHOLDER.replace("FLOAT", "STRING") % ("p", "")
    + 'node { name: "s" op: "Neg" input: "p" attr { key: "T" value { type: DT_STRING } } }',
    "Dimensions must be equal": PLACEHOLDER % ("a", 'attr { key: "shape" value { shape { dim { size: 2 } } } }')
    + PLACEHOLDER % ("b", 'attr { key: "shape" value { shape { dim { size: 3 } } } }') + add("s", "a", "b"),
    "_output_shapes attribute inconsistent":
        PLACEHOLDER % ("a", SHAPES % 3 + 'attr { key: "shape" value { shape { dim { size: 2 } } } }'),
    "colocated with unknown node 'z'": const("b", CLASS % "loc:@z"),
    "min consumer version": const("a") + "versions { producer: 134 min_consumer: 99999 }",
    "disallows consumer version": const("a") + "versions { producer: 134 bad_consumers: 134 }",
    "cannot have": const("a") + 'node { name: "s" op: "Unpack" input: "a" attr { key: "T" value { type: DT_FLOAT } } '
    'attr { key: "num" value { i: 999999999999 } } }',
    "at least minimum": const("a") + 'node { name: "s" op: "AddN" attr { key: "T" value { type: DT_FLOAT } } '
    'attr { key: "N" value { i: 0 } } }',
    "no whole number of float32": const("a").replace("float_val: 2", 'tensor_content: "abc"'),
    "attr 'dtype' another": const("a").replace("{ type: DT_FLOAT }", "{ type: DT_INT32 }"),
}  # fmt: skip


@pytest.mark.parametrize("match", BROKEN)
def test_a_message_that_contradicts_itself_changes_nothing(graph, match):
    tf.constant(1.0, name="before")
    with pytest.raises(ValueError, match=match):
        load(const("fine") + BROKEN[match])
    assert names(graph) == ["before"]
    load(const("fine"))
    assert names(graph) == ["before", "fine"]


def test_an_op_that_is_unknown():
    with pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Nope'"):
        load('node { name: "a" op: "Nope" }')


def test_arguments_of_the_wrong_kind():
    for wrong in ({"input_map": [1]}, {"input_map": {3: tf.constant(1.0)}}, {"return_elements": [3]},
                  {"producer_op_list": 3}):  # fmt: skip
        with pytest.raises(TypeError):
            load(const("a"), **wrong)
    for message in ("x", tf.MetaGraphDef()):
        with pytest.raises(TypeError, match="must be a GraphDef"):
            tf.import_graph_def(message)


def test_a_finalized_graph(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        load(const("a"))


# ---- input_map and return_elements


def test_inputs_are_replaced(graph):
    other = tf.constant(1.0, name="k")
    load(const("a") + add("s", "a", "a:0", "^c") + const("c"), input_map={"a": other, "^c": other})
    op = graph.get_operation_by_name("s")
    assert [t.name for t in op.inputs] == ["k:0", "k:0"]
    assert [o.name for o in op.control_inputs] == ["k"]
    assert names(graph) == ["k", "a", "s", "c"]


def test_a_replaced_input_need_not_be_in_the_message(graph):
    load(add("s", "a", "a:0"), input_map={"a:0": tf.constant(1.0)})
    assert names(graph) == ["Const", "s"]


def test_values_become_constants(graph):
    load(const("a") + add("s", "a", "a"), input_map={"a": 2.5}, name="i")
    assert names(graph) == ["i/_inputs/Const", "i/a", "i/s"]
    with pytest.raises(ValueError, match="non-empty `name`"):
        load(const("a"), input_map={"a": 2.5})


@pytest.mark.parametrize("key", ["z:0", "z", "a:5", "^z"])
def test_replacing_what_is_not_there(key):
    with pytest.raises(ValueError, match="inputs that were not found"):
        load(const("a") + add("s", "a", "a"), input_map={key: tf.constant(1.0)})


def test_replacing_by_another_type():
    with pytest.raises(ValueError, match="incompatible with expected float"):
        load(const("a") + add("s", "a", "a"), input_map={"a": tf.constant(1)})


def test_elements_are_returned(graph):
    assert tf.import_graph_def(message(const("a"))) is None
    assert load(const("b"), return_elements=[]) == []
    op, tensor = load(const("c"), return_elements=["c", "c:0"])
    assert op is graph.get_operation_by_name("c")
    assert tensor is op.outputs[0]
    other = tf.constant(1.0)
    assert load(const("d"), input_map={"d:0": other}, return_elements=["d:0"])[0] is other


@pytest.mark.parametrize("text", ["b", "a:1", "a:x"])
def test_elements_that_are_not_there(graph, text):
    with pytest.raises(ValueError):
        load(const("a"), return_elements=[text])
    assert names(graph) == []


# ---- attrs, shapes, devices, scopes


def test_defaults_are_filled_in_and_private_attrs_kept(graph):
    load(PLACEHOLDER % ("p", SHAPES % 3) + 'node { name: "m" op: "MatMul" input: "a" input: "a" '
         'attr { key: "T" value { type: DT_FLOAT } } attr { key: "_mine" value { i: 3 } } }'
         + PLACEHOLDER % ("a", ""))  # fmt: skip
    written = graph.get_operation_by_name("m").node_def
    assert set(written.attr) == {"T", "transpose_a", "transpose_b", "_mine"}
    assert graph.get_tensor_by_name("p:0").shape.as_list() == [3]
    assert "_output_shapes" not in graph.get_operation_by_name("p").node_def.attr


def test_attrs_of_later_versions(graph):
    later = 'attr { key: "incompatible_shape_error" value { b: true } }'
    load(const("a") + add("e", "a", "a", extra=later).replace('"Add"', '"Equal"'))
    assert graph.get_operation_by_name("e").node_def.attr["incompatible_shape_error"].b
    with pytest.raises(ValueError, match="mentions attr 'axis'"):
        load(const("b") + add("s", "b", "b", extra='attr { key: "axis" value { i: 1 } }'))


LATER_AXIS = """node { name: "q" op: "QuantizeAndDequantizeV2" input: "a" input: "a" input: "a"
    attr { key: "T" value { type: DT_FLOAT } } attr { key: "axis" value { i: %d } } }"""


def test_an_attr_of_later_versions_belongs_to_its_op(graph):
    """The value under which QuantizeAndDequantizeV2 is the same says nothing about other ops."""
    load(const("a") + LATER_AXIS % -1)
    assert graph.get_operation_by_name("q").node_def.attr["axis"].i == -1
    with pytest.raises(ValueError, match="mentions attr 'axis' not in Op <op QuantizeAndDequantizeV2"):
        load(const("a") + LATER_AXIS % 0, name="other")
    with pytest.raises(ValueError, match="mentions attr 'axis' not in Op <op Add"):
        load(const("b") + add("s", "b", "b", extra='attr { key: "axis" value { i: -1 } }'))


def test_attrs_that_have_their_default_where_they_come_from(graph):
    from evergraph.proto import op_def_pb2

    ops = text_format.Parse('op { name: "Add" attr { name: "foo" type: "int" default_value { i: 3 } } }',
                            op_def_pb2.OpList())  # fmt: skip
    load(const("a") + add("s", "a", "a", extra='attr { key: "foo" value { i: 3 } }'), producer_op_list=ops)
    assert "foo" not in graph.get_operation_by_name("s").node_def.attr
    with pytest.raises(ValueError, match="mentions attr 'foo'"):
        load(const("a") + add("s", "a", "a", extra='attr { key: "foo" value { i: 4 } }'), producer_op_list=ops)


def test_devices(graph):
    with tf.device("/cpu:0"):
        load(const("a") + const("b", 'device: "/job:w/device:GPU:1"'))
        load(const("c", 'device: "/gpu:0"') + const("d", CLASS % "loc:@c"), name="import")
    with tf.device(lambda op: op.device or f"/job:{op.name}"):
        load(const("e"))
    assert [op.device for op in graph.get_operations()] == [
        "/device:CPU:0", "/job:w/device:GPU:1", "/device:GPU:0", "/device:GPU:0", "/job:e"]  # fmt: skip


def test_colocation_groups_get_the_prefix(graph):
    tf.import_graph_def(message(const("b", CLASS % "loc:@a") + const("a") + const("c", CLASS % "other")))
    assert graph.get_operation_by_name("import/b").colocation_groups() == [b"loc:@import/a"]
    assert graph.get_operation_by_name("import/c").get_attr("_class") == [b"other"]


def test_control_dependencies_around(graph):
    k = tf.constant(1.0, name="k")
    with tf.control_dependencies([k]):
        load(const("a") + add("s", "a", "a"))
    assert all(graph.get_operation_by_name(name).control_inputs == [k.op] for name in ("a", "s"))


# ---- loops and functions


@pytest.mark.parametrize("text", [LOOP, LOOP.replace('input: "enter" input: "next"', 'input: "next" input: "enter"')])
def test_a_loop_closes(graph, text):
    load(text + const("a"))
    merge = graph.get_operation_by_name("merge")
    assert names(graph) == ["a", "enter", "merge", "next"]
    assert {t.op.name for t in merge.inputs} == {"enter", "next"}
    assert merge.outputs[0].shape.ndims is None and merge.outputs[1].shape.ndims == 0
    assert merge in graph.get_tensor_by_name("next:0").consumers()
    assert graph.as_graph_def().node[2].input == merge.node_def.input


def test_a_cycle_is_no_loop():
    with pytest.raises(ValueError, match="2 nodes in a cycle"):
        load(LOOP.replace("NextIteration", "Identity") + const("a"))


CALL = const("a") + 'node { name: "c" op: "f" input: "a" }'


def test_functions(graph):
    load(FUNCTION % ("Neg", "y") + CALL)
    load(FUNCTION % ("Neg", "y") + CALL)
    with pytest.raises(ValueError, match="a different function with the same name"):
        load(FUNCTION % ("Square", "y") + CALL)
    written = graph.as_graph_def().library
    assert written == message(FUNCTION % ("Neg", "y")).library
    with tf.Session() as session:
        assert session.run("c:0") == -2


@pytest.mark.parametrize("op, output", [("Nope", "y"), ("Neg", "z"), ("Neg", "y:7")])
def test_a_broken_function_is_noticed_when_it_is_called(graph, op, output):
    load(FUNCTION % (op, output))
    with pytest.raises((ValueError, tf.errors.NotFoundError)):
        load(FUNCTION % (op, output) + CALL)
    assert names(graph) == []


def test_a_function_that_calls_itself():
    with pytest.raises(tf.errors.UnimplementedError, match="calls itself"):
        load(FUNCTION % ("f", "y"))


@pytest.fixture
def recursion_limit():
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


def chain(depth):
    """A graph with functions that call each other: f calls g1, and so on to the last, which negates."""
    graph_def = message(CALL)
    calls = ["f", *(f"g{number}" for number in range(1, depth)), "Neg"]
    for caller, callee in zip(calls, calls[1:]):
        text = (FUNCTION % (callee, "y")).replace('name: "f"', f'name: "{caller}"', 1)
        graph_def.library.MergeFrom(message(text).library)
    for function in graph_def.library.function[:-1]:
        del function.node_def[0].attr["T"]  # calls have none
    return graph_def


@pytest.mark.usefixtures("recursion_limit")
def test_functions_300_deep():
    tf.import_graph_def(chain(300), name="")
    with tf.Session() as session:
        assert session.run("c:0") == -2


def test_functions_that_are_nested_too_deeply():
    with pytest.raises(tf.errors.UnimplementedError, match="501 deep"):
        tf.import_graph_def(chain(501))


def test_a_graph_survives_the_round_trip(graph):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.control_dependencies([x]):
        y = tf.identity(tf.matmul(x, [[1.0, 2.0], [3.0, 4.0]]), name="y")
    first = graph.as_graph_def(add_shapes=True)
    with tf.Graph().as_default() as other:
        tf.import_graph_def(first, name="")
        assert other.as_graph_def(add_shapes=True) == first
        with tf.Session() as session:
            result = session.run("y:0", {"x:0": np.eye(2)})
    with tf.Session() as session:
        np.testing.assert_array_equal(result, session.run(y, {x: np.eye(2)}))


def test_tensors_among_attrs_of_an_op_without_dtype(graph):
    tf.summary.image("image", tf.zeros([1, 2, 2, 1]))
    first = graph.as_graph_def()
    with tf.Graph().as_default() as other:
        tf.import_graph_def(first, name="")
        assert other.as_graph_def() == first


# ---- untrusted bytes

SEED = message(const("a") + PLACEHOLDER % ("p", SHAPES % 3) + add("s", "a", "p", "^a") + LOOP + FUNCTION % ("Neg", "y")
               + 'node { name: "c" op: "f" input: "a" }').SerializeToString()  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SEED) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_bytes_raise(changes):
    damaged = bytearray(SEED)
    for place, value in changes:
        damaged[place] = value
    graph_def = tf.GraphDef()
    try:
        graph_def.ParseFromString(bytes(damaged))
    except Exception:
        return
    with tf.Graph().as_default() as graph:
        try:
            tf.import_graph_def(graph_def, name="")
        except (ValueError, tf.errors.NotFoundError, tf.errors.UnimplementedError):
            assert graph.get_operations() == []


@pytest.mark.parametrize("version, ndims", [(21, None), (22, 0)])
def test_placeholders_of_old_graphs_have_any_shape(version, ndims):
    message = tf.GraphDef()
    text_format.Merge(PLACEHOLDER % ("p", 'attr { key: "shape" value { shape {} } }'), message)
    message.versions.producer = version
    with tf.Graph().as_default():
        found, = tf.import_graph_def(message, return_elements=["p:0"])
        assert found.shape.ndims == ndims


# ---- a graph in itself


def powers(x):
    """(x to the fourth by a loop, to the fifth by a conditional)."""
    fourth = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]
    return fourth, tf.cond(tf.placeholder_with_default(True, []), lambda: fourth * x, lambda: fourth - x)


@pytest.mark.parametrize("gradient_first", [False, True])
def test_copies_of_loops_in_their_own_graph_have_gradients_of_their_own(gradient_first, session):
    x = tf.constant(2.0)
    fourth, fifth = powers(x)
    message = tf.get_default_graph().as_graph_def()
    own = tf.gradients(fifth, x) if gradient_first else None
    copies = tf.import_graph_def(message, return_elements=[x.name, fourth.name, fifth.name])
    own = own or tf.gradients(fifth, x)
    assert session.run([fourth, *own, *copies[1:], *tf.gradients(copies[2], copies[0])]) == [16, 80, 16, 32, 80]


def test_threads_export_and_import_the_graph_that_all_extend():
    raised = []

    def extend(graph):
        try:
            with graph.as_default():
                for _ in range(3):
                    x = tf.constant(2.0)
                    tf.gradients(powers(x)[1], x)
                    tf.import_graph_def(graph.as_graph_def())
        except Exception as error:
            raised.append(error)

    threads = [threading.Thread(target=extend, args=[tf.get_default_graph()]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
