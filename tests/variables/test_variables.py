"""What variables do when they run, in both tiers, as references and as resources."""

import copy

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import KINDS, TIERS, started


@KINDS
@TIERS
def test_assignments(resource, tier):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    steps = [v.assign([5.0, 6.0]), v.assign_add([1.0, 1.0]), v.assign_sub([0.5, 0.5])]
    with started(tier) as session:
        values = [session.run(step).tolist() for step in steps]
        assert values == [[5.0, 6.0], [6.0, 7.0], [5.5, 6.5]]
        assert session.run(v).tolist() == [5.5, 6.5]
        assert v.eval(session).tolist() == [5.5, 6.5]


@KINDS
def test_read_value_false_gives_the_operation(resource):
    v = tf.Variable(1.0, use_resource=resource)
    update = v.assign_add(1.0, read_value=False)
    assert isinstance(update, tf.Operation)
    with started() as session:
        assert session.run(update) is None
        assert session.run(v) == 2.0


@KINDS
def test_uninitialized(resource):
    v = tf.Variable(1.0, name="v", use_resource=resource)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="v"):
            session.run(v)
        assert not session.run(tf.is_variable_initialized(v))
        assert session.run(tf.report_uninitialized_variables()).tolist() == [b"v"]
        session.run(v.initializer)
        assert session.run(tf.is_variable_initialized(v))
        assert session.run(tf.report_uninitialized_variables()).tolist() == []


@KINDS
def test_initial_value_of_another_variable(resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    w = tf.Variable(v * 2.0, use_resource=resource)
    u = tf.Variable(v.initialized_value() + w.initialized_value(), use_resource=resource)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run(x).tolist() for x in (v, w, u)] == [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]


def test_initializing_one_variable_reads_the_initial_value_of_the_other():
    v = tf.Variable([1.0, 2.0])
    w = tf.Variable(v * 2.0)
    with tf.Session() as session:
        session.run(w.initializer)
        assert session.run(w).tolist() == [2.0, 4.0]
        assert not session.run(tf.is_variable_initialized(v))
        session.run(v.assign([5.0, 5.0]))
        session.run(w.initializer)
        assert session.run(w).tolist() == [10.0, 10.0]


@KINDS
def test_load(resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    with started() as session:
        before = len(session.graph.get_operations())
        v.load([7.0, 8.0], session)
        assert session.run(v).tolist() == [7.0, 8.0]
        assert len(session.graph.get_operations()) == before
    with pytest.raises(ValueError, match="session"):
        v.load([1.0, 2.0])


@KINDS
@TIERS
def test_rows(resource, tier):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], use_resource=resource)
    rows = tf.IndexedSlices(tf.constant([[10.0, 20.0], [30.0, 40.0]]), tf.constant([2, 0]))
    with started(tier) as session:
        for method, wanted in [("scatter_add", [[31.0, 42.0], [3.0, 4.0], [15.0, 26.0]]),
                               ("scatter_sub", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
                               ("scatter_mul", [[30.0, 80.0], [3.0, 4.0], [50.0, 120.0]]),
                               ("scatter_div", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
                               ("scatter_max", [[30.0, 40.0], [3.0, 4.0], [10.0, 20.0]]),
                               ("scatter_min", [[30.0, 40.0], [3.0, 4.0], [10.0, 20.0]]),
                               ("scatter_update", [[30.0, 40.0], [3.0, 4.0], [10.0, 20.0]])]:
            assert session.run(getattr(v, method)(rows)).tolist() == wanted, method
        assert session.run(v.sparse_read([1, 1])).tolist() == [[3.0, 4.0], [3.0, 4.0]]
        assert session.run(v.gather_nd([[0, 1], [2, 0]])).tolist() == [40.0, 10.0]
        assert session.run(v.scatter_nd_update([[1]], [[0.0, 1.0]]))[1].tolist() == [0.0, 1.0]
    with pytest.raises(TypeError, match="IndexedSlices"):
        v.scatter_add([1.0])


@KINDS
def test_slices(resource):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], use_resource=resource)
    with started() as session:
        assert session.run(v[:, 1]).tolist() == [2.0, 4.0]
        session.run(v[0].assign([7.0, 8.0]))
        session.run(v[:, 1].assign([0.0, 0.0]))
        assert session.run(v).tolist() == [[7.0, 0.0], [3.0, 0.0]]


def test_batch_scatter_update():
    v = tf.Variable(np.zeros((2, 3, 2), np.float32))
    update = tf.batch_scatter_update(v, [[0, 2], [1, 1]], np.arange(8, dtype=np.float32).reshape(2, 2, 2))
    with started() as session:
        assert session.run(update).tolist() == [[[0, 1], [0, 0], [2, 3]], [[0, 0], [6, 7], [0, 0]]]


@KINDS
def test_count_up_to(resource):
    counter = tf.Variable(0, use_resource=resource)
    step = tf.count_up_to(counter, 2)
    with started() as session:
        assert [session.run(step) for _ in range(2)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError, match="limit of 2"):
            session.run(step)
        assert session.run(counter) == 2


@KINDS
def test_operators(resource):
    v = tf.Variable([1.0, -2.0], use_resource=resource)
    results = [v + 1.0, 1.0 - v, v * v, v / 2.0, -v, abs(v), v > 0.0, v ** 2.0, v[0]]
    with started() as session:
        assert [np.asarray(r).tolist() for r in session.run(results)] == [
            [2.0, -1.0], [0.0, 3.0], [1.0, 4.0], [0.5, -1.0], [-1.0, 2.0], [1.0, 2.0], [True, False], [1.0, 4.0], 1.0]
    with pytest.raises(TypeError, match="not iterable"):
        iter(v)


def test_shape_may_change_when_it_is_not_validated():
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    assert v.shape.ndims is None
    longer = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
    with started() as session:
        assert session.run(longer).tolist() == [1.0, 2.0, 3.0]
        assert session.run(v * 2.0).tolist() == [2.0, 4.0, 6.0]


@TIERS
def test_shapes_that_a_variable_had_before(tier):
    v, value = tf.Variable([1.0, 2.0], validate_shape=False), tf.placeholder(tf.float32)
    change = tf.assign(v, value, validate_shape=False)
    facts = v * 2.0, tf.shape(v), tf.rank(v), tf.size(v)
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        for shape in ([3], [2, 0], [3], [1], [2, 2], [1], [3], []):
            session.run(change.op, {value: np.ones(shape)})
            doubled, *found = session.run(facts)
            assert doubled.shape == tuple(shape)
            assert [found[0].tolist(), *found[1:]] == [shape, len(shape), np.prod(shape)]


@TIERS
def test_a_value_that_is_fed_for_a_variable_cannot_be_changed(tier):
    v = tf.Variable([1.0, 2.0])
    changes = tf.assign_add(v, [1.0, 1.0]), tf.cond(v[0] > 0, lambda: tf.assign(v, [3.0, 3.0]), lambda: v.value())
    with tf.Session(tier=tier) as session:
        session.run(v.initializer)
        assert session.run(v * 2.0, {v: [5.0, 6.0]}).tolist() == [10.0, 12.0]
        for change in changes:
            with pytest.raises(tf.errors.InvalidArgumentError, match="passed float32, which is fed for Variable:0"):
                session.run(change, {v: [5.0, 6.0]})
        assert session.run(v).tolist() == [1.0, 2.0]


@KINDS
def test_proto_round_trip(resource):
    v = tf.Variable([1.0, 2.0], name="v", trainable=False, use_resource=resource)
    message = v.to_proto()
    assert message.variable_name == "v:0" and message.initializer_name == "v/Assign"
    assert message.is_resource is resource and not message.trainable
    again = tf.Variable.from_proto(message)
    assert type(again) is type(v) and again.name == "v:0" and again.shape == v.shape and not again.trainable
    with tf.Session() as session:
        session.run(again.initializer)
        assert session.run(v).tolist() == [1.0, 2.0]


def test_proto_in_a_scope():
    with tf.name_scope("outer"):
        v = tf.Variable(1.0, name="v")
    assert v.to_proto(export_scope="other") is None
    message = v.to_proto(export_scope="outer")
    assert message.variable_name == "v:0"
    assert tf.Variable.from_proto(message, import_scope="outer").name == "outer/v:0"


def test_attributes():
    clip = lambda x: x
    v = tf.Variable([1.0], name="v", constraint=clip)
    assert (v.name, v.op.name, v.op.type, v.dtype.name, v.trainable) == ("v:0", "v", "VariableV2", "float32_ref", True)
    assert v.constraint is clip and v.initializer.name == "v/Assign" and v.initial_value.name == "v/initial_value:0"
    assert v.aggregation is tf.VariableAggregation.NONE and v.synchronization is tf.VariableSynchronization.AUTO
    r = tf.Variable([1.0], name="r", use_resource=True)
    assert (r.name, r.op.type, r.dtype, r.handle.dtype) == ("r:0", "VarHandleOp", tf.float32, tf.resource)
    assert isinstance(v, tf.Variable) and isinstance(r, tf.Variable)
    assert {v.experimental_ref(): 1}[v.experimental_ref()] == 1


def test_wrong_arguments():
    with pytest.raises(ValueError, match="initial_value must be specified"):
        tf.Variable()
    with pytest.raises(ValueError, match="list, tuple or set"):
        tf.Variable(1.0, collections="variables")
    with pytest.raises(ValueError, match="fully defined static shape"):
        tf.Variable(tf.placeholder(tf.float32))
    with pytest.raises(ValueError, match="function of the variable"):
        tf.Variable(1.0, constraint=3)
    on_read = tf.VariableSynchronization.ON_READ  # is no contradiction, as in TensorFlow
    assert [tf.Variable(1.0, trainable=t, synchronization=on_read).trainable for t in (True, None)] == [True, False]
    with pytest.raises(TypeError, match="colour"):
        tf.Variable(1.0, colour="red")
    with pytest.raises(TypeError):
        tf.Variable([1.0]) + tf.constant([1])


def test_collections():
    v, w = tf.Variable(1.0), tf.Variable(2.0, trainable=False)
    x = tf.Variable(3.0, trainable=False, collections=["mine", tf.GraphKeys.LOCAL_VARIABLES])
    assert tf.global_variables() == [v, w] and tf.trainable_variables() == [v]
    assert tf.local_variables() == [x] == tf.get_collection("mine")


def test_creators():
    def named(next_creator, **kwargs):
        return next_creator(**{**kwargs, "name": f"made_{kwargs['name']}"})

    def untrained(next_creator, **kwargs):
        return next_creator(**{**kwargs, "trainable": False})

    with tf.variable_creator_scope(named), tf.variable_creator_scope(untrained):
        v = tf.Variable(1.0, name="v")
        w = tf.get_variable("w", [2])
    assert (v.name, w.name) == ("made_v:0", "made_w:0") and tf.trainable_variables() == []


def test_resource_variables_by_default():
    tf.enable_resource_variables()
    try:
        assert tf.resource_variables_enabled()
        assert tf.Variable(1.0).op.type == "VarHandleOp" and tf.get_variable("v", []).op.type == "VarHandleOp"
        assert tf.Variable(1.0, use_resource=False).op.type == "VariableV2"
    finally:
        tf.disable_resource_variables()
    with tf.variable_scope("s", use_resource=True):
        assert tf.Variable(1.0).op.type == "VarHandleOp"


@KINDS
def test_reads_and_writes_keep_the_order_of_the_program(resource):
    v = tf.Variable(1.0, use_resource=resource)
    with tf.control_dependencies([v.assign_add(1.0)]):
        after = v.read_value()
    with started() as session:
        assert session.run(after) == 2.0
        assert session.run([after, v.assign(10.0)])[0] == 3.0


@KINDS
@TIERS
def test_variables_in_branches_and_loops(resource, tier):
    v = tf.Variable(1.0, use_resource=resource)
    doubled = tf.cond(tf.constant(True), lambda: tf.identity(v.assign(v * 2.0)), lambda: tf.identity(v))
    total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + v), (0, 0.0))[1]
    with started(tier) as session:
        assert session.run(doubled) == 2.0
        assert session.run(total) == 6.0


def test_sessions_keep_their_own_values():
    v = tf.Variable(1.0)
    with started() as one, started() as other:
        one.run(v.assign(5.0))
        assert (one.run(v), other.run(v)) == (5.0, 1.0)


def test_fed_value_is_copied():
    v = tf.Variable([1.0, 2.0])
    given = np.array([3.0, 4.0], np.float32)
    with started() as session:
        v.load(given, session)
        given[:] = 0
        assert session.run(v).tolist() == [3.0, 4.0]
        fetched = session.run(v)
        fetched[:] = 0
        assert session.run(v).tolist() == [3.0, 4.0]


@KINDS
@TIERS
@pytest.mark.parametrize("indices, text", [([2, -1, 5], "indices[1] = -1 is not in [0, 6)"),
                                           ([0, 1, 6], "indices[2] = 6 is not in [0, 6)")])
def test_scattering_outside_names_the_index(resource, tier, indices, text):
    v = tf.Variable(np.arange(6.0), use_resource=resource)
    rows = tf.placeholder_with_default(indices, [3])
    with started(tier) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(tf.scatter_add(v, rows, [1.0, 2.0, 3.0]))
        assert text in str(raised.value)
        assert session.run(v).tolist() == [0, 1, 2, 3, 4, 5]


@KINDS
@TIERS
def test_scattering_to_places_outside_names_the_place(resource, tier):
    v = tf.Variable(np.zeros((2, 3)), use_resource=resource)
    places = tf.placeholder_with_default([[0, 1], [1, 3]], [2, 2])
    with started(tier) as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(tf.scatter_nd_update(v, places, [1.0, 2.0]))
    assert "indices[1] = [1,3] does not index into shape [2,3]" in str(raised.value)


def test_scattering_into_a_scalar():
    v = tf.Variable(0.0, validate_shape=False)
    with started() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Output must be at least 1-D"):
        session.run(tf.scatter_nd_update(v, [[0]], [0.5]))


@TIERS
def test_scattering_outside_within_a_branch(tier):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    rows = tf.placeholder_with_default([7], [1])
    step = tf.cond(tf.reduce_sum(rows) > 0, lambda: tf.scatter_add(v, rows, [1.0]).read_value(), lambda: v.read_value())
    with started(tier) as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(step)
    assert "is not in [0, 2)" in str(raised.value) and "{" not in str(raised.value).split("\n")[0]


def test_an_updated_resource_is_called_by_its_update():
    v = tf.Variable(1.0, use_resource=True)
    assert v.assign_add(1.0).name == "AssignAddVariableOp"


def test_resources_are_assigned_in_their_own_graph():
    v = tf.Variable(1.0, use_resource=True)
    with tf.Graph().as_default():
        update = v.assign(2.0)
    with started() as session:
        assert session.run(update) == 2.0


@TIERS
def test_a_resource_takes_values_whose_shape_was_not_known(tier):
    v = tf.get_variable("v", [1, 1], use_resource=True)
    value = tf.placeholder(tf.float32)
    update = v.assign(value, read_value=False)
    with started(tier) as session:
        session.run(update, {value: np.ones((2, 2))})
        assert session.run(v).tolist() == [[1, 1], [1, 1]]


def test_adding_another_shape_to_a_resource():
    v = tf.Variable([1, 2, 3], use_resource=True)
    with pytest.raises(ValueError, match="[Ss]hapes must be equal"):
        v.assign_add(1)
    with pytest.raises(ValueError, match=r"Shapes \(3,\) and \(\) are incompatible"):
        v.assign(1)


def test_copying_a_resource_variable():
    with pytest.raises(NotImplementedError):
        copy.deepcopy(tf.Variable(1.0, use_resource=True))


@TIERS
def test_an_uninitialized_resource_is_named_as_a_resource(tier):
    v = tf.Variable(1.0, use_resource=True, name="v")
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.FailedPreconditionError) as raised:
        session.run(v + 1.0)
    assert "Error while reading resource variable v" in str(raised.value)
    assert "Resource localhost/v/" in str(raised.value) and "does not exist" in str(raised.value)


@TIERS
@pytest.mark.parametrize("use", [
    lambda v: v.assign_add([1.0, 1.0]), lambda v: tf.scatter_add(v, [0], [1.0]), lambda v: tf.gather(v, [0]),
    lambda v: v[:1].assign([1.0]),
    lambda v: tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.ones([2]), v)]),
])
def test_other_uses_of_an_uninitialized_resource_do_not_find_it(tier, use):
    v = tf.Variable([1.0, 2.0], use_resource=True, name="v")
    with tf.Session(tier=tier) as session, pytest.raises(tf.errors.NotFoundError, match="Resource localhost/v/"):
        session.run(use(v))


def test_functions_of_datasets_do_not_find_an_uninitialized_resource():
    count = tf.Variable(0, use_resource=True, name="count")
    iterator = tf.data.Dataset.range(3).map(lambda _: count.assign_add(1)).make_initializable_iterator()
    with tf.Session() as session:
        session.run(iterator.initializer)
        with pytest.raises(tf.errors.NotFoundError, match="Resource localhost/count/"):
            session.run(iterator.get_next())


@TIERS
def test_temporary_variables(tier):
    zeros = tf.raw_ops.TemporaryVariable(shape=[2], dtype=tf.float32, var_name="t")
    total = tf.assign_add(zeros, tf.constant([1.0, 2.0]))
    last = tf.raw_ops.DestroyTemporaryVariable(ref=total, var_name="t")
    unknown = tf.raw_ops.DestroyTemporaryVariable(ref=total, var_name="u")
    with tf.Session(tier=tier) as session:
        assert session.run(tf.identity(zeros)).tolist() == [0, 0]
        assert [session.run(last).tolist() for _ in range(3)] == [[1, 2]] * 3
        with pytest.raises(tf.errors.NotFoundError):
            session.run(unknown)


def test_reading_a_partitioned_variable_waits_for_nothing(graph):
    v = tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
    first = tf.constant(1.0)
    before = len(graph.get_operations())
    with tf.control_dependencies([first]):
        whole = v.as_tensor()
    assert all(not op.control_inputs for op in graph.get_operations()[before:])
    assert whole.shape.as_list() == [4]


@pytest.mark.parametrize("gathered", [lambda v: tf.gather(v, [1, 0, 1]), lambda v: tf.gather_nd(v, [[1], [0], [1]])])
def test_the_gradient_of_rows_knows_the_shape_of_the_whole(gathered):
    v = tf.get_variable("v", [3, 2], use_resource=True)
    gradient, = tf.gradients(gathered(v), v)
    assert tf.contrib.util.constant_value(gradient.dense_shape).tolist() == [3, 2]


def test_a_function_reads_an_update_only_if_something_uses_it():
    v = tf.Variable(1.0, use_resource=True)
    types = lambda f: [op.type for op in tf.function(f).get_concrete_function().graph.get_operations()]
    assert "ReadVariableOp" not in types(lambda: v.assign(2.0).op)
    assert "ReadVariableOp" in types(lambda: v.assign(2.0) + 1.0)


def test_a_forwarded_handle_knows_its_variable():
    v = tf.Variable(tf.zeros([20, 3]), use_resource=True)
    for handle in (tf.identity(v.handle), tf.identity_n([v.handle])[0]):
        rows = tf.raw_ops.ResourceGather(resource=handle, indices=[1, 2], dtype=tf.float32)
        slope, = tf.gradients(rows, handle)  # fmt: skip
        assert rows.shape == [2, 3] and tf.get_static_value(slope.dense_shape).tolist() == [20, 3]


def test_a_fetched_handle_identifies_its_variable(session):
    v, w = (tf.Variable(1.0, use_resource=True, name=name) for name in "vw")
    session.run(tf.global_variables_initializer())
    first, again, other = session.run([v.handle, tf.identity(v.handle), w.handle])
    assert first.dtype.names == ("resource",) and first.size and first.tolist() == again.tolist() != other.tolist()


@KINDS
@pytest.mark.parametrize("inside", [
    lambda make: tf.while_loop(lambda i: i < 3.0, lambda i: i + make(), [0.0]),
    lambda make: tf.cond(tf.constant(True), lambda: make() + 3.0, lambda: 1.0),
])  # fmt: skip
def test_a_loop_or_conditional_makes_variables_by_functions_alone(inside, resource):
    result = inside(lambda: tf.Variable(lambda: tf.ones([]), use_resource=resource))
    with started() as session:
        assert session.run(result) in (3.0, 4.0)
    with pytest.raises(ValueError, match=r"'v' is made inside a loop or a conditional, by .* tf.Variable\(lambda: "):
        inside(lambda: tf.Variable(tf.ones([]), use_resource=resource, name="v"))
