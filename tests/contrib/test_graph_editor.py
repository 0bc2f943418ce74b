"""tf.contrib.graph_editor: walks, copies, other edges."""

import pytest

import evergraph as tf

ge = tf.contrib.graph_editor


class Small:
    """a -> (foo/c = a + b) -> foo/bar/e, f, g; h waits for c."""

    def __init__(self):
        self.a = tf.constant([1.0, 1.0], name="a")
        with tf.name_scope("foo"):
            self.b = tf.constant([2.0, 2.0], name="b")
            self.c = tf.add(self.a, self.b, name="c")
            self.d = tf.constant([3.0, 3.0], name="d")
            with tf.name_scope("bar"):
                self.e, self.f = tf.add(self.c, self.d, name="e"), tf.add(self.c, self.d, name="f")
                self.g = tf.add(self.c, self.a, name="g")
                with tf.control_dependencies([self.c.op]):
                    self.h = tf.add(self.f, self.g, name="h")


def names(things):
    return sorted(thing.name.rpartition("/")[2].removesuffix(":0") for thing in things)


def test_walks():
    g = Small()
    assert names(ge.get_forward_walk_ops([g.a.op])) == ["a", "c", "e", "f", "g", "h"]
    assert names(ge.get_forward_walk_ops([g.a], inclusive=False, stop_at_ts=[g.c])) == ["h"]
    assert names(ge.get_forward_walk_ops(g.b.op, inclusive=False, within_ops=[g.b.op, g.c.op, g.e.op])) == ["c", "e"]
    assert names(ge.get_backward_walk_ops([g.h.op], stop_at_ts=[g.c])) == ["a", "d", "f", "g", "h"]
    assert names(ge.get_backward_walk_ops(g.h, within_ops_fn=lambda op: op.type != "Const")) == ["c", "f", "g", "h"]
    assert names(ge.get_walks_intersection_ops([g.b.op], [g.g.op])) == ["b", "c", "g"]
    assert ge.ControlOutputs(g.a.graph).get(g.c.op) == [g.h.op]


def test_selections():
    g = Small()
    graph = g.a.graph
    assert names(ge.select_ops("foo/bar/.*", graph=graph)) == ["e", "f", "g", "h"]
    assert ge.select_ts(r"(?#ts)foo/b:0", graph=graph) == [g.b]
    assert ge.filter_ts_from_regex([g.h.op], "bar/g") == [g.g] and len(ge.filter_ts([g.c.op], True)) == 3
    with pytest.raises(ValueError, match="graph"):
        ge.select_ops("a")
    with pytest.raises(TypeError):
        ge.make_list_of_op([g.a])


def test_views():
    g = Small()
    whole = ge.sgv(g.a.graph)
    assert whole.outputs == [g.e, g.h] and whole.inputs == [] and len(whole.ops) == 8
    part = ge.sgv(g.f.op, g.g.op)
    assert part.outputs == [g.f, g.g] and part.inputs == [g.c, g.d, g.a]
    assert names(ge.sgv_scope("foo/bar", g.a.graph).ops) == ["e", "f", "g", "h"]


def test_copies(session):
    g = Small()
    other = tf.constant([10.0, 20.0])
    _, info = ge.copy_with_input_replacements(ge.sgv(g.c.op, g.g.op, g.f.op, g.h.op), {g.a: other})
    assert session.run(info.transformed(g.h)).tolist() == [37, 67] and session.run(g.h).tolist() == [10, 10]
    assert info.transformed(g.h).op.control_inputs == [info.transformed(g.c.op)]
    assert info.original(info.transformed(g.c)) is g.c and info.transformed(g.a) is None
    assert session.run(ge.graph_replace(g.h, {g.c: other})).tolist() == [24, 44]


def test_copies_of_branches_and_loops(session):
    x = tf.placeholder_with_default(2.0, [])
    chosen = tf.cond(x > 1.0, lambda: x * 10.0, lambda: -x)
    looped = tf.while_loop(lambda i, total: i < 3, lambda i, total: (i + 1, total + chosen), [0, 0.0])[1]
    for value, wanted in ((3.0, 90.0), (0.5, -1.5)):
        assert session.run(ge.graph_replace(looped, {x: tf.constant(value)})) == wanted


def test_copies_into_another_graph():
    g = Small()
    graph = tf.Graph()
    view, info = ge.copy(ge.sgv(g.c.op, g.f.op), graph, dst_scope="new", src_scope="foo")
    assert sorted(op.name for op in view.ops) == ["new/bar/f", "new/c"] and len(view.inputs) == 3
    with tf.Session(graph=graph) as session:
        assert session.run(info.transformed(g.f), {t: [1.0, 2.0] for t in view.inputs}).tolist() == [3, 6]


def test_edges(session):
    g = Small()
    assert ge.reroute_ts([g.a], [g.c], can_modify=[g.e.op]) == 1
    assert session.run([g.e, g.f])[0].tolist() == [4, 4]
    assert ge.swap_ts([g.e], [g.h]) == 0 and ge.swap_ts(g.d, g.b, can_modify=[g.f.op, g.c.op]) == 2
    assert session.run(g.c).tolist() == [4, 4]
    ge.add_control_inputs(g.e.op, [g.d.op])
    assert g.e.op.control_inputs == [g.d.op]
    ge.remove_control_inputs(g.e.op, g.d.op)
    assert g.e.op.control_inputs == []
    with pytest.raises(ValueError):
        ge.remove_control_inputs(g.e.op, g.d.op)
    with pytest.raises(ValueError):
        ge.reroute_ts([tf.constant(1)], [g.a])


def _small():
    a, b = tf.constant([1.0], name="a"), tf.constant([2.0], name="b")
    c = tf.add(a, b, name="c")
    return a, b, c, tf.add(c, a, name="d"), tf.multiply(c, b, name="e")


def test_boundaries_of_operations():
    a, b, c, d, e = _small()
    entering, leaving, between = ge.compute_boundary_ts([c.op, d.op])
    assert entering == [a, b] and leaving == [c, d] and between == [c]
    assert set(ge.get_ops_ios(c.op)) == {a.op, b.op, d.op, e.op}
    assert set(ge.get_within_boundary_ops(tf.get_default_graph(), d.op, [c.op])) == {d.op, c.op, a.op}


def test_views_with_other_inputs_and_outputs():
    a, b, c, d, e = _small()
    view = ge.sgv(c.op).remap([b], [0, 0])
    assert view.inputs == [b] and view.outputs == [c, c]
    assert view.remap_default().inputs == [a, b] and view.remap_outputs_make_unique().outputs == [c]
    assert view.remap_outputs_to_consumers().outputs == [c, c]
    whole = ge.sgv(tf.get_default_graph())
    assert set(whole.remap_outputs([0]).remove_unused_ops().ops) == {a.op, b.op, c.op, d.op}
    with pytest.raises(ValueError, match="no input"):
        view.remap_inputs([d])


def test_parts_are_taken_out_and_connected():
    a, b, c, d, e = _small()
    x = tf.constant([10.0], name="x")
    ge.connect(ge.sgv(x.op), ge.sgv(d.op).remap_inputs([0]))
    ge.bypass(ge.sgv(c.op).remap_inputs([1]))
    with tf.Session() as session:
        assert session.run([d, e]) == [[11.0], [4.0]]
    _, entering, _ = ge.detach(ge.sgv(e.op), control_ios=ge.ControlOutputs(tf.get_default_graph()))
    assert [t.op.name for t in entering] == ["geph__b_0_1"]  # the bypass has made the first
    with pytest.raises(ValueError, match="cannot be connected"):
        ge.connect(ge.sgv(x.op), ge.sgv(d.op))


def test_a_transformer_of_ones_own():
    *_, d, e = _small()
    transformer = ge.Transformer()

    def doubled(info, op, new_inputs):
        made, outputs = ge.transform.copy_op_handler(info, op, new_inputs)
        return made, [outputs[0] * 2 if op.type == "Add" else outputs[0]]

    transformer.transform_op_handler = doubled
    graph = tf.Graph()
    _, info = transformer(tf.get_default_graph(), graph, "copy")
    with tf.Session(graph=graph) as session:
        assert session.run(info.transformed(d)) == [2 * (2 * 3 + 1)]


def test_functions_are_copied_with_their_callers():
    flag = tf.placeholder(tf.bool, [])
    y = tf.cond(flag, lambda: tf.constant(1), lambda: tf.constant(2))
    graph = tf.Graph()
    _, info = ge.copy(tf.get_default_graph(), graph)
    with tf.Session(graph=graph) as session:
        assert session.run(info.transformed(y), {info.transformed(flag): False}) == 2
