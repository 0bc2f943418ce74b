"""Graphs: names, scopes, devices, control dependencies, collections, looking things up."""

import pytest

import evergraph as tf
from evergraph.passes.prune import prune


def names(graph):
    return [op.name for op in graph.get_operations()]


def test_names_are_numbered_from_one(graph):
    for _ in range(3):
        tf.constant(1.0, name="a")
    assert names(graph) == ["a", "a_1", "a_2"]


def test_names_that_differ_in_case_are_numbered_too(graph):
    assert [tf.constant(1, name=n).op.name for n in ("foo", "Foo", "FOO_1")] == ["foo", "Foo_1", "FOO_1_1"]


def test_number_skips_names_in_use(graph):
    assert [tf.constant(1, name=n).op.name for n in ("a_1", "a", "a", "a")] == ["a_1", "a", "a_2", "a_3"]


def test_name_scopes_nest_and_are_unique(graph):
    with tf.name_scope("outer") as scope:
        assert scope == "outer/"
        tf.constant(1, name="a")
        with tf.name_scope("inner"):
            tf.constant(1, name="a")
        with tf.name_scope(None):
            tf.constant(1, name="a")
    with tf.name_scope("outer"):
        tf.constant(1, name="a")
    with tf.name_scope("outer/"):
        tf.constant(1, name="a")
    assert names(graph) == ["outer/a", "outer/inner/a", "a", "outer_1/a", "outer/a_1"]


def test_constants_made_from_arguments_are_named_after_them(graph):
    x = tf.placeholder(tf.float32, name="x")
    tf.add(x, 1.0)
    assert names(graph) == ["x", "Add/y", "Add"]


@pytest.mark.parametrize("name", ["-a", "/a", "a b", "é"])
def test_bad_names_are_refused(graph, name):
    with pytest.raises(ValueError, match="not a valid"):
        tf.constant(1, name=name)


def test_control_dependencies(graph):
    a, b = tf.constant(1, name="a"), tf.constant(2, name="b")
    with tf.control_dependencies([a]):
        c = tf.constant(3)
        with tf.control_dependencies([b.op]):
            d = tf.identity(c)
            with tf.control_dependencies(None):
                e = tf.constant(4)
    assert c.op.control_inputs == [a.op]
    assert d.op.control_inputs == [b.op]  # c, its input, waits for a already
    assert e.op.control_inputs == []


def test_devices_merge_from_the_inside(graph):
    with tf.device("/job:worker"):
        with tf.device("/cpu:0"):
            a = tf.constant(1)
        with tf.device(lambda op: "/gpu:1"):
            b = tf.constant(1)
        with tf.device(None):
            c = tf.constant(1)
    assert [t.device for t in (a, b, c)] == ["/job:worker/device:CPU:0", "/job:worker/device:GPU:1", ""]


def test_colocation(graph):
    with tf.device("/cpu:0"):
        a = tf.constant(1, name="a")
    with tf.device("/gpu:0"), graph.colocate_with(a.op):
        b = tf.constant(1, name="b")
    assert b.op.colocation_groups() == [b"loc:@a"] and b.device == "/device:CPU:0"


def test_collections(graph):
    graph.add_to_collections(["one", "two", "one"], "value")
    graph.get_collection_ref("one").append("another")
    assert graph.get_collection("one") == ["value", "another"] and graph.get_collection("two") == ["value"]
    a = tf.constant(1, name="in/a")
    graph.add_to_collection("tensors", a)
    graph.add_to_collection("tensors", tf.constant(1, name="out/a"))
    assert graph.get_collection("tensors", scope="in") == [a]
    graph.clear_collection("one")
    assert graph.get_collection("one") == []


def test_finalized_graphs_do_not_grow(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        tf.constant(1)


def test_elements_are_found_by_name(graph):
    a = tf.constant(1, name="a")
    assert graph.as_graph_element("a:0") is a and graph.as_graph_element("a") is a.op
    assert graph.get_tensor_by_name("a:0") is a and graph.get_operation_by_name("a") is a.op


@pytest.mark.parametrize("get, name, error, match", [
    ("tensor", "a", ValueError, "wanted: Tensor"), ("tensor", "a:1", KeyError, "has 1 outputs"),
    ("tensor", "b:0", KeyError, "the graph has no operation"),
    ("tensor", "a:0:0", ValueError, "not the name of a tensor"),
    ("operation", "a:0", ValueError, "the name of a tensor; wanted: Operation"),
    ("operation", "b", KeyError, "not in the graph"),
    ("operation", 7, TypeError, "strings"),
])  # fmt: skip
def test_what_cannot_be_found(graph, get, name, error, match):
    tf.constant(1, name="a")
    with pytest.raises(error, match=match):
        getattr(graph, f"get_{get}_by_name")(name)


def test_tensors_of_two_graphs_do_not_mix(graph):
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        b = tf.constant(1.0)
        with pytest.raises(ValueError, match="same graph"):
            tf.add(a, b)


def test_an_op_goes_to_the_graph_of_its_inputs(graph):
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        assert tf.negative(a).graph is graph


def test_dtypes_must_agree(graph):
    with pytest.raises(TypeError, match="that does not match type float32 of argument 'x'"):
        tf.add(tf.constant(1.0), tf.constant(1))


def test_shapes_must_fit_and_the_error_says_where(graph):
    with pytest.raises(ValueError, match=r"Dimensions must be equal.*input shapes: \[2,3\], \[2,3\].*test_graph.py:"):
        tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))


def test_traceback_is_the_users(graph):
    a = tf.constant(1.0)
    assert a.op.traceback[-1].filename == __file__ and a.op.traceback[-1].name == "test_traceback_is_the_users"


def test_tensors_are_no_values(graph):
    a = tf.constant([1.0, 2.0])
    for use in (bool, list, len):
        with pytest.raises(TypeError):
            use(a)


def test_set_shape_merges(graph):
    x = tf.placeholder(tf.float32, [None, 3])
    x.set_shape([2, None])
    assert x.shape.as_list() == [2, 3]
    with pytest.raises(ValueError):
        x.set_shape([4, 3])


def test_reset_default_graph_inside_a_block(graph):
    with pytest.raises(AssertionError, match="nested graphs"):
        tf.reset_default_graph()


def test_gradient_override(graph):
    @tf.RegisterGradient("TripledForTest")
    def _(op, dy):
        return 3.0 * dy

    x = tf.constant(2.0)
    with graph.gradient_override_map({"Identity": "TripledForTest"}):
        y = tf.identity(x)
    with tf.Session() as session:
        assert session.run(tf.gradients(y, x)) == [3.0]
    with pytest.raises(KeyError, match="TripledForTest"):
        tf.RegisterGradient("TripledForTest")(lambda op, dy: dy)


@pytest.mark.parametrize("shape", [(-1, 10), [-1, 10]])
def test_negative_sizes_are_refused(graph, shape):
    with pytest.raises(ValueError, match="-1 must be >= 0"):
        tf.placeholder(tf.float32, shape)


@pytest.mark.parametrize("name, scope", [("/", "/"), ("//", "//"), ("b//", "b//"), ("a//b/c", "foo/a//b/c/"), ("", "")])
def test_scopes_with_slashes(graph, name, scope):
    with tf.name_scope("foo"), tf.name_scope(name) as found:
        assert found == scope


def test_labels_of_kernels_are_kept(graph):
    x = tf.constant(1.0)
    with graph._kernel_label_map({"Identity": "outer"}):
        with graph._kernel_label_map({"Identity": "inner"}):
            inner = tf.identity(x)
        outer, other = tf.identity(x), tf.negative(x)
    assert (inner.op.get_attr("_kernel"), outer.op.get_attr("_kernel")) == (b"inner", b"outer")
    for without in (other, tf.identity(x)):
        assert "_kernel" not in without.op.node_def.attr


# ---- what other rooms keep with a graph


class Notes(list):
    """Something that belongs to a graph."""


def test_a_memo_lives_as_long_as_its_graph(graph):
    graph.memo(Notes).append("kept")
    tf.constant(1.0)
    assert graph.memo(Notes) == ["kept"] and tf.Graph().memo(Notes) == []


def test_a_change_of_the_graph_invalidates_a_cache(graph):
    x = tf.constant(1.0)
    graph.cache(Notes).append("computed")
    assert graph.cache(Notes) == ["computed"]
    y = tf.identity(x)
    assert graph.cache(Notes) == []
    graph.cache(Notes).append("computed")
    y.op._add_control_input(x.op)
    assert graph.cache(Notes) == [] and graph.cache(dict) == {}


# ---- the age of operations


def test_ages_are_the_order_of_creation(graph):
    ops = [tf.no_op(name=name) for name in "abc"]
    assert [op.age for op in ops] == [op._id for op in ops] == [0, 1, 2]


def test_independent_operations_run_in_the_order_of_their_ages(graph):
    a, b, c = (tf.no_op(name=name) for name in "abc")
    graph.place_before([c], b)
    assert prune([b, c, a], ()) == [a, c, b]
    graph.place_last(2)
    assert prune([b, c, a], ()) == [a, b, c]
    a.take_place_of(c)
    assert a.age == c.age and prune([a, b], ()) == [b, a]


def test_seeds_do_not_depend_on_ages(graph):
    a, b = tf.no_op(), tf.no_op()
    graph.place_before([b], a)
    assert graph._last_id == 2 and tf.no_op().age == 2


def test_another_input_changes_the_static_value(graph, session):
    a, b = tf.constant([2, 3]), tf.constant([4, 5])
    c = a + 1
    assert tf.zeros(c).shape == [3, 4]
    c.op._update_input(0, b)
    zeros = tf.zeros(c)
    assert zeros.shape == [5, 6] and session.run(zeros).shape == (5, 6)


def test_another_input_must_have_the_dtype_of_the_first(graph, session):
    a, text = tf.constant(1), tf.constant("a")
    b = a + 2
    b.op._update_input(0, text)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input 0 of node .* was passed string from Const.* int32"):
        session.run(b)
    b.op._update_input(0, tf.constant(5))
    assert session.run(b) == 7


def test_another_gradient_must_exist():
    x = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Identity": "nothing"}):
        y = tf.identity(x)
    with pytest.raises(LookupError, match="nothing"):
        tf.gradients(y, x)


def test_an_interrupt_may_keep_an_inner_block_from_closing():
    """Python raises KeyboardInterrupt also where a with-block is about to close."""
    before, abandoned = tf.get_default_graph(), tf.Graph().as_default()
    with pytest.raises(KeyboardInterrupt), tf.Graph().as_default():
        abandoned.__enter__()
        raise KeyboardInterrupt
    assert tf.get_default_graph() is before
    abandoned.__exit__(GeneratorExit, None, None)  # as the generator that has the block does when it is freed
    assert tf.get_default_graph() is before


def test_an_interrupt_inside_leaves_the_devices_around_it(graph):
    """One between the two lines that begin a scope inside: nothing has ended that scope."""
    with pytest.raises(KeyboardInterrupt), tf.device("/cpu:0"):
        graph.scopes.devices = (*graph.scopes.devices, "/cpu:1")
        graph.scopes.devices = (*graph.scopes.devices, "/cpu:2")
        raise KeyboardInterrupt
    assert graph.scopes.devices == ()
