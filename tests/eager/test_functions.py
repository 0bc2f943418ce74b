"""tf.function: what its objects have, and what they refuse."""

import gc
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import single
from evergraph.compile.policy import compilations
from evergraph.eager.graph import EAGER


def test_the_function_is_wrapped():
    @tf.function
    def doubled(x):
        """Twice x."""
        return x * 2.0

    assert doubled.__name__ == "doubled" and doubled.__doc__ == "Twice x."
    assert doubled.python_function(3.0) == 6.0 and doubled.input_signature is None
    assert doubled(tf.constant(3.0)).numpy() == 6.0


def test_sizes_that_differ_become_unknown():
    shapes = []

    @tf.function(experimental_relax_shapes=True)
    def f(x):
        shapes.append(x.shape.as_list())
        return tf.reduce_sum(x)

    assert [float(f(tf.ones([n]))) for n in (1, 2, 3, 4, 1)] == [1.0, 2.0, 3.0, 4.0, 1.0]
    assert shapes == [[1], [None]]


def test_results():
    @tf.function
    def f(x):
        return {"none": None, "list": [x, (x + 1.0,)], "sparse": tf.SparseTensor([[0]], [x], [2]), "number": 3}

    found = f(tf.constant(1.0))
    assert found["none"] is None and found["list"][1][0].numpy() == 2.0 and found["number"].numpy() == 3
    assert tf.sparse.to_dense(found["sparse"]).numpy().tolist() == [1.0, 0.0]
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: object())()


@pytest.mark.parametrize("argument", [{1, 2}, [object()] and bytearray(b"a")], ids=["set", "bytearray"])
def test_arguments_must_be_hashable(argument):
    with pytest.raises(ValueError, match="hashable"):
        tf.function(lambda x: tf.constant(1))(argument)


def test_python_conditions_refuse_tensors():
    @tf.function(autograph=False)
    def f(x):
        return x if x > 0.0 else -x

    with pytest.raises(TypeError, match="bool"):
        f(tf.constant(1.0))


def test_arguments_of_the_first_call_initialize_variables():
    made = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        if not made:
            made.append(tf.Variable(2.0 * x))
        return made[0] * x

    with pytest.raises(TypeError, match="Graph"):
        f.get_concrete_function()
    assert f([1.0, 2.0]).numpy().tolist() == [2.0, 8.0] and made[0].shape.as_list() == [None]
    assert f([3.0, 4.0]).numpy().tolist() == [6.0, 16.0]
    made[0].assign([5.0])
    assert f([2.0]).numpy().tolist() == [10.0]


def test_defun_is_traced_once_and_may_create_variables():
    made = []

    @tf.contrib.eager.defun
    def f(x):
        made.append(tf.Variable(x + 1.0))
        return made[-1] * x

    assert [f(2.0).numpy(), f(2.0).numpy(), f(3.0).numpy()] == [6.0, 6.0, 12.0] and len(made) == 2


def test_initial_values_are_lifted_out_of_functions_in_graphs():
    made = []

    def f(x):
        if not made:
            four = tf.constant(2.0) * 2.0
            start = tf.cond(four > 3.0, lambda: tf.sqrt(four) + outside, lambda: four)
            made.extend([tf.Variable(start), tf.Variable(tf.placeholder(tf.float32, []))])
        return (made[0] + made[1]) * x

    with tf.Graph().as_default(), tf.Session() as session:
        outside = tf.constant([1.0] * 100)[0]
        y = tf.function(f)(3.0)
        initializer = made[1].initializer
        session.run([made[0].initializer, initializer], {initializer.inputs[1]: 5.0})
        assert session.run(y) == 24.0 and made == tf.global_variables()
    with tf.Graph().as_default(), pytest.raises(ValueError, match="follows from x:0, an argument"):
        tf.function(lambda x: tf.Variable(x))(tf.constant(1.0))


def test_concrete_functions_take_the_tensors_of_structures_by_name():
    @tf.function
    def f(x, **others):
        a, (b, c) = x
        return a + 10.0 * b + 100.0 * c + 1000.0 * others["d"]

    plain, named = tf.TensorSpec([], tf.float32), [tf.TensorSpec([], tf.float32, name) for name in "uvw"]
    concrete = f.get_concrete_function((plain, (plain, plain)), d=plain)
    one, two, three, four = map(tf.constant, (1.0, 2.0, 3.0, 4.0))
    by_path = concrete(x_0=one, x_1_0=two, x_1_1=three, d=four)
    assert [t.numpy() for t in (by_path, concrete(x=one, x_1=two, x_2=three, d=four),
                                concrete(one, two, three, four))] == [4321.0] * 3
    other = f.get_concrete_function((named[0], (named[1], named[2])), d=plain)
    assert other is not concrete and other(u=one, v=two, w=three, d=four).numpy() == 4321.0
    assert f((one, (two, three)), d=four).numpy() == 4321.0 and len(f.concrete_functions()) == 2


def test_calls_have_the_static_shapes_that_follow_from_their_arguments():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32), tf.TensorSpec(None, tf.float32)])
    def rows(x, y):
        count = tf.shape(tf.transpose(x))[0]
        return tf.reshape(y, [tf.shape(y)[0] // count, count, -1]), tf.identity(x)

    with tf.Graph().as_default() as graph:
        found = rows(tf.ones([5, 4]), tf.ones([20, 3]))
        inner = graph._last_id - len(graph.get_operations())
        assert [t.shape.as_list() for t in found] == [[5, 4, 3], [5, 4]]
        assert [t.shape.as_list() for t in rows(tf.ones([2, 2]), tf.ones([4, 3]))] == [[2, 2, 3], [2, 2]]
        assert rows(tf.placeholder(tf.float32), tf.ones([4, 3]))[0].shape.as_list() == [None, None, None]
        assert rows(tf.ones([2, 3, 4, 5]), tf.placeholder(tf.float32, [None, 2]))[1].shape.as_list() == [2, 3, 4, 5]
        assert graph._last_id - len(graph.get_operations()) == inner  # from which the seeds of ops derive
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(rows(tf.ones([5, 4]), tf.ones([20, 3])))[0].shape == (5, 4, 3)


def test_functions_return_the_handles_of_variables():
    def f(x):
        v.assign_add(x)
        return v.handle

    def value(handle):
        return tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)

    v = tf.Variable([1.0, 2.0])
    handle = tf.function(f)([1.0, 1.0])
    assert handle.dtype is tf.resource and handle.shape == [] and value(handle).numpy().tolist() == [2.0, 3.0]
    for tier in ("numpy", "xla"):
        with tf.Graph().as_default(), tf.Session(tier=tier) as session:
            v = tf.Variable([1.0, 2.0], use_resource=True)
            read = value(tf.function(f)([1.0, 1.0]))
            session.run(v.initializer)
            assert read.shape == [2] and session.run(read).tolist() == [2.0, 3.0]


def test_what_a_trace_reads_and_does():
    v, w = tf.Variable(1.0), tf.Variable(1.0, trainable=False)

    @tf.function
    def f():
        w.assign_add(v, name="grown")
        return v + w

    graph = f.get_concrete_function().graph
    assert {id(each) for each in graph.variables} >= {id(v), id(w)}
    assert graph.get_operation_by_name("grown") in graph.control_outputs


def test_functions_in_graphs_are_nodes():
    @tf.function
    def f(x):
        return x * 2.0

    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant(3.0)
        y = f(f(x))
        assert y.op.type == "PartitionedCall" and len(graph.as_graph_def().library.function) == 1
        assert session.run([y, *tf.gradients(y, x)]) == [12.0, 4.0]


def test_functions_run_eagerly_when_told_to():
    calls = []

    @tf.function
    def f(x):
        calls.append(float(x))
        return x

    tf.config.experimental_run_functions_eagerly(True)
    try:
        f(tf.constant(1.0)), f(tf.constant(2.0))
    finally:
        tf.config.experimental_run_functions_eagerly(False)
    assert calls == [1.0, 2.0]


def test_methods_let_go_of_their_objects():
    class Model:
        @tf.function
        def __call__(self, x):
            return x + 1.0

    model = Model()
    assert model(tf.constant(1.0)).numpy() == 2.0
    seen = weakref.ref(model)
    del model
    gc.collect()
    assert seen() is None


def test_the_library_lets_go_of_functions_that_nothing_calls(eagerly):
    def program():
        data = tf.data.Dataset.range(3).map(lambda i: tf.cond(i > 0, lambda: i * 2, lambda: i - 1))
        assert [each.numpy() for each in data.filter(lambda i: i > 0)] == [2, 4]
        return data

    before, data = set(eagerly.library), program()
    assert set(eagerly.library) > before
    del data
    gc.collect()
    assert set(eagerly.library) == before


def test_too_high_a_derivative_of_a_function_that_reads_variables_is_refused():
    v, x = tf.Variable(1.0), tf.constant(2.0)
    f = tf.function(lambda x: x * x * x * v)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        dy = tape.gradient(y, x)
    with pytest.raises(tf.errors.UnimplementedError, match="order"):
        tape.gradient(dy, x)


def test_devices():
    (cpu,) = tf.config.experimental.list_physical_devices("CPU")
    assert cpu.name == "/physical_device:CPU:0" and cpu in tf.config.experimental.get_visible_devices()
    assert tf.config.experimental_list_devices()[0] == "/job:localhost/replica:0/task:0/device:CPU:0"
    with pytest.raises(ValueError, match="Unrecognized"):
        tf.config.experimental.get_memory_growth("GPU:7")
    with pytest.raises(ValueError, match="non-GPU"):
        tf.config.experimental.set_memory_growth(cpu, True)
    with pytest.raises(tf.errors.UnimplementedError, match="worker"):
        tf.config.experimental_connect_to_host("somewhere")
    with pytest.raises(ValueError, match="policy"):
        tf.config.experimental.set_device_policy("loud")


def test_compiled_functions_compute_what_eager_execution_does(monkeypatch):
    monkeypatch.setattr(EAGER.context.held, "tier", "xla")

    def losses(wrap):
        tf.set_random_seed(4)
        kernel, bias = tf.Variable(tf.reshape(tf.range(18.0), [3, 3, 1, 2]) * 0.01), tf.Variable([0.1, -0.2])
        optimizer = tf.train.MomentumOptimizer(0.01, 0.9)
        image = tf.reshape(tf.range(32.0), [2, 4, 4, 1]) * 0.1

        @wrap
        def step(image):
            with tf.GradientTape() as tape:
                y = tf.nn.conv2d(image, kernel, [1, 1, 1, 1], "SAME") + bias
                loss = tf.reduce_mean(tf.nn.dropout(tf.tanh(y), rate=0.3, seed=2) ** 2.0)
            optimizer.apply_gradients(zip(tape.gradient(loss, [kernel, bias]), [kernel, bias]))
            return loss

        return [float(step(image)) for _ in range(6)], kernel.numpy()

    before = compilations.count
    (eager, first), (traced, second) = losses(lambda f: f), losses(tf.function)
    np.testing.assert_allclose(eager, traced, rtol=1e-5)
    np.testing.assert_allclose(first, second, rtol=1e-5)
    assert compilations.count > before


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_a_failed_check_leaves_variables_as_they_were(tier, monkeypatch):
    monkeypatch.setattr(EAGER.context.held, "tier", tier)
    v = tf.Variable(tf.zeros([3000]))

    @tf.function
    def f(place):
        v.assign_add(tf.ones([3000]))
        return tf.gather(v, place) + tf.reduce_sum(tf.exp(v) * tf.sin(v) * tf.cos(v) * tf.tan(v))

    for _ in range(5):
        f(tf.constant([1]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant([5000]))
    assert v.numpy()[0] == 5.0


def called_ten_times(tier, monkeypatch):
    """A function of a variable of any shape, and the variable, after ten calls with the variable."""
    monkeypatch.setattr(EAGER.context.held, "tier", tier)
    v = tf.Variable(tf.ones([3000]))

    @tf.function
    def add(to, by):
        to.assign_add(tf.reduce_sum(by) * tf.ones_like(to))
        return tf.reduce_sum(to * to + tf.exp(-to) - tf.sqrt(to + 4.0)) + tf.random.uniform([], seed=3)

    one = tf.constant(1.0)
    results = [float(add(v, one)) for _ in range(10)]
    assert len(set(results)) == 10  # the random stream goes on
    return add, v


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_repeated_calls_take_other_variables_and_values(tier, monkeypatch):
    add, v = called_ten_times(tier, monkeypatch)
    w = tf.Variable(tf.zeros([3000]))
    add(w, tf.constant(2.0))
    v.assign(tf.zeros([3000]))
    v.assign_add(tf.ones([3000]))
    add(v, tf.constant(1.0))
    assert (w.numpy()[0], v.numpy()[0]) == (2.0, 2.0)


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_repeated_calls_notice_a_variable_that_comes_twice(tier, monkeypatch):
    monkeypatch.setattr(EAGER.context.held, "tier", tier)
    v, w = tf.Variable(tf.ones([3000])), tf.Variable(tf.ones([3000]))

    @tf.function
    def add(to):
        to.assign_add(v)
        v.assign_add(tf.tanh(tf.exp(v) * 0.0) + tf.sin(v) * 0.0 + tf.ones_like(to))
        return tf.reduce_sum(to)

    assert [float(add(w)) / 3000 for _ in range(6)] == [2, 4, 7, 11, 16, 22]
    assert float(add(v)) / 3000 == 15.0  # 7 + 7 + 1


def test_gradients_that_jax_derives_are_compiled_once():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    counts = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.linalg.expm(x)
        tape.gradient(y, x)
        counts.append(len(single.programs.kept))
    assert counts[1] == counts[2]


def test_a_training_loop_inside():
    w = tf.Variable(2.0)
    dataset = tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32))

    @tf.function
    def train():
        for x in dataset:
            with tf.GradientTape() as tape:
                loss = w * x
            gradients = tape.gradient(loss, [w])
            w.assign_sub(0.1 * gradients[0])
            if w < 1.8:
                break

    train()
    np.testing.assert_allclose(w.numpy(), 1.7)


@pytest.mark.parametrize("optimizer", [tf.train.AdamOptimizer, tf.keras.optimizers.Adam])
def test_optimizers_make_their_variables_in_the_first_call(optimizer):
    variables, trains = [tf.Variable(1.0), tf.Variable([2.0, 3.0])], optimizer(0.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(variables[0] * variables[1])
        trains.apply_gradients(zip(tape.gradient(loss, variables), variables))

    step()
    step()
    np.testing.assert_allclose(variables[0].numpy(), 0.8, rtol=1e-2)
    np.testing.assert_allclose(variables[1].numpy(), [1.8, 2.8], rtol=1e-2)


def test_custom_gradients_get_variables():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    given = []

    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            given.extend(variables)
            return 10.0 * dy, [100.0 * dy for _ in variables]

        return a * x + b, grad

    with tf.GradientTape() as tape:
        y = tf.function(scaled)(tf.constant(4.0))
    assert y.numpy() == 11.0 and [g.numpy() for g in tape.gradient(y, [a, b])] == [100.0, 100.0]
    assert given[0] is a and given[1] is b


def test_custom_gradients_use_tensors_of_the_function():
    a = tf.Variable(3.0)

    @tf.function
    def f(x):
        @tf.custom_gradient
        def softplus(z):
            e = tf.exp(z)
            return tf.log(1.0 + e) * a, lambda dy, variables=None: (dy * a * x * (1.0 - 1.0 / (1.0 + e)), [dy * z])

        return tf.cond(x > 0.0, lambda: softplus(x), lambda: x)

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        slopes = tape.gradient(y, [x, a])
    sigmoid = 1.0 / (1.0 + np.exp(-2.0))
    np.testing.assert_allclose([s.numpy() for s in slopes], [6.0 * sigmoid, 2.0], rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(slopes[0], x).numpy(),
                               3.0 * sigmoid + 6.0 * sigmoid * (1.0 - sigmoid), rtol=1e-6)


def test_a_variable_can_be_shown_while_a_function_is_traced():
    v, shown = tf.Variable(1.0, name="v"), []

    @tf.function
    def f():
        shown.append(repr(v))
        return v + 1.0

    assert f().numpy() == 2.0 and shown == [repr(v)]


def test_the_only_argument_needs_no_name():
    @tf.function
    def f(*, x):
        return x * 2.0

    concrete = f.get_concrete_function(x=tf.TensorSpec([]))
    assert concrete(tf.constant(3.0)).numpy() == 6.0
    assert concrete.graph.external_captures == [] == concrete.graph.internal_captures


def cycles(program, before=None):
    """The objects that a program leaves in reference cycles, once it or another one has declared its ops."""
    (before or program)()
    while gc.collect():  # what a function keeps may hold another one
        pass
    flags = gc.get_debug()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        program()
        gc.collect()
        return [repr(each) for each in gc.garbage]
    finally:
        gc.set_debug(flags)
        gc.garbage.clear()


def test_no_reference_cycles():
    x = tf.constant([[1.0, 2.0]])
    assert cycles(lambda: tf.TensorArray(tf.float32, 1).write(0, x).stack()) == []

    def slope():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reshape(x, [2])
        tape.gradient(y, x)

    assert cycles(slope) == []


def test_concrete_functions_are_attrs_of_ops():
    branches = [tf.function(f).get_concrete_function() for f in (lambda: tf.ones([2]), lambda: tf.ones([2]) * 2.0)]

    @tf.function
    def f(n):
        return tf.raw_ops.Case(branch_index=n, input=[], Tout=[tf.float32], branches=branches)

    assert f(tf.constant(1))[0].numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("numbers", [[3] * 9, [1, 1, 1, 1, 1, 3, 1, 3, 1]])
def test_the_gradient_of_a_loop_in_a_branch_that_was_not_taken(numbers):
    """The lists of that loop do not exist, and a compiled gradient has both branches: so it runs as Python."""
    @tf.function
    def f(x, number):
        total, y = tf.constant(0.1), x * 0.5
        if number > 1:
            y = y * 2.0
        else:
            for i in tf.range(3):
                if total > 0.15:
                    break
                y = tf.tanh(tf.where(y > 0.2, y, x))
                total += tf.cast(i, tf.float32) * 0.1
        return y * y

    def slope(number):
        x = tf.constant(np.linspace(0, 1, 4096, dtype=np.float32))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(number))
        return tape.gradient(y, x).numpy()

    expected = {number: slope(number) for number in set(numbers)}
    np.testing.assert_allclose(expected[3], np.linspace(0, 2, 4096), rtol=1e-6)
    for number in numbers:
        np.testing.assert_allclose(slope(number), expected[number], rtol=1e-5, atol=1e-6)


def test_a_function_waits_for_operations_of_the_graph_around():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        add = v.assign_add(1.0)

        @tf.function
        def f():
            with tf.control_dependencies([add]):
                return 1.0

        assert session.run(f()) == 1.0 and session.run(v) == 2.0


def test_optimizers_refuse_tensors():
    x, optimizer = tf.constant(1.0), tf.train.GradientDescentOptimizer(3.0)
    pairs = optimizer.compute_gradients(lambda: x * x, [x])
    assert pairs[0][0].numpy() == 2.0 and pairs[0][1] is x
    with pytest.raises(NotImplementedError, match="update a Tensor"):
        optimizer.apply_gradients(pairs)


def test_collections_of_a_function_are_its_own():
    seen = []

    @tf.function
    def inner():
        tf.add_to_collection("numbers", 2)
        seen.append(tf.get_collection("numbers"))
        return tf.constant(3)

    @tf.function
    def outer():
        tf.add_to_collection("numbers", 1)
        result = inner()
        seen.append(tf.get_collection("numbers"))
        return result

    assert outer().numpy() == 3 and seen == [[1, 2], [1]]


def test_executors():
    with tf.experimental.function_executor_type("DEFAULT"):
        assert tf.function(lambda x: x + 5)(tf.constant(1)).numpy() == 6
    with pytest.raises(tf.errors.NotFoundError, match="FAST"), tf.experimental.function_executor_type("FAST"):
        pass


def test_gradients_of_tables_stay_sparse():
    """The gradient of a call is that of the rows that it took, for tapes, graphs and gradients of gradients."""
    table = tf.Variable(tf.ones([4, 2]))
    look = tf.function(lambda rows: tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, rows))))
    rows = tf.constant([1, 1, 3])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = look(rows)
        found = tape.gradient(y, table)
        z = tf.reduce_sum(tf.convert_to_tensor(found) ** 2)
    assert isinstance(found, tf.IndexedSlices) and found.indices.numpy().tolist() == [1, 1, 3]
    assert found.values.numpy().tolist() == [[2.0, 2.0]] * 3 and found.dense_shape.numpy().tolist() == [4, 2]
    assert tf.convert_to_tensor(outer.gradient(z, table)).numpy()[:, 0].tolist() == [0.0, 32.0, 0.0, 8.0]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([[2.0], [3.0]])
        (found,) = tf.gradients(tf.function(lambda x: tf.gather(x, [1]))(x), x)
        assert session.run(found).indices.tolist() == [1]


def test_derivatives_that_a_persistent_tape_records_itself():
    cosine = tf.function(tf.cos)
    with tf.GradientTape(persistent=True) as tape:
        x = tf.constant(1.0)
        tape.watch(x)
        y = cosine(x)
        found = [y.numpy()]
        for _ in range(4):
            y = tape.gradient(y, x)
            found.append(y.numpy())
    np.testing.assert_allclose(found, [np.cos(1), -np.sin(1), -np.cos(1), np.sin(1), np.cos(1)], rtol=1e-6)


def test_derivatives_of_variables_inside_of_functions():
    v = tf.Variable(2.0)
    inner = tf.function(lambda: tf.cos(v))

    def derived(f):
        def gradient():
            with tf.GradientTape() as tape:
                y = f()
            return tape.gradient(y, tape.watched_variables())[0]

        return gradient

    f = inner
    for wanted in (np.cos(2), -np.sin(2), -np.cos(2), np.sin(2)):
        np.testing.assert_allclose([f(), tf.function(f)()], [wanted] * 2, rtol=1e-6)
        f = derived(f)


def test_values_that_are_asked_for_at_every_call():
    now = [1.0]

    @tf.function
    def added(x):
        graph = tf.get_default_graph()
        first = graph.capture_call_time_value(lambda: now[0], tf.TensorSpec([]), key="a")
        again = graph.capture_call_time_value(lambda: 1 / 0, tf.TensorSpec([]), key="a")
        both = graph.capture_call_time_value(lambda: {"x": now[0], "y": tf.IndexedSlices(
            tf.constant([now[0]]), tf.constant([0], tf.int64))},
            {"x": tf.TensorSpec([]), "y": tf.IndexedSlicesSpec([None])})
        return x + first + again + 10 * both["x"] + 100 * both["y"].values[0]

    x = tf.constant(0.5)
    assert added(x).numpy() == 112.5
    now[0] = 2.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = added(x)
    assert y.numpy() == 224.5 and tape.gradient(y, x).numpy() == 1.0
    for wrong in ("a", [1.0]):
        now[0] = wrong
        with pytest.raises(ValueError, match="Value"):
            added(x)


def test_names_and_structures_of_graphs():
    made = tf.function(lambda a, *b: {"sum": a + b[0]}).get_concrete_function(
        tf.TensorSpec([]), tf.TensorSpec([], name="of two"))
    assert [t.op.get_attr("_user_specified_name") for t in made.inputs] == [b"a", b"of two"]
    assert list(made.graph.structured_outputs) == ["sum"]
    assert made.graph.structured_input_signature == made.structured_input_signature


def test_decorating_and_initializing_a_function():
    made = []

    @tf.function
    def scaled(x):
        if not made:
            made.append(tf.Variable(2.0))
        return made[0] * x

    scaled._decorate(lambda f: lambda x: 1.0 + f(x))
    initialize = scaled.get_initialization_function(tf.constant(1.0))
    assert not tf.is_variable_initialized(made[0])
    initialize()
    assert made[0].numpy() == 2.0 and scaled(tf.constant(3.0)).numpy() == 7.0 and len(made) == 1
    with pytest.raises(ValueError, match="after they have been traced"):
        scaled._decorate(lambda f: f)
    with pytest.raises(RuntimeError, match="after the function has been used"):
        scaled.get_initialization_function(tf.constant(1.0))


def test_gradients_where_tensors_are_compared_by_element():
    """What the engine asks of lists of tensors is which objects they hold, however programs compare them."""
    v = tf.Variable(2.0)
    inner = tf.function(lambda a, b: tf.sin(a) * b * v)

    @tf.function
    def derived(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = x
            for _ in tf.range(3):
                z = z * y * v
            z = tf.cond(z > 0, lambda: z * x, lambda: z * y)
            loss = tf.reduce_sum(tf.map_fn(lambda each: each * y * v, tf.stack([z, z])))
        return tape.gradient(loss, [x, y, v])

    @tf.function
    def twice(x, y):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                z = inner(x, y)
            slope = tape.gradient(z, x)
        return outer.gradient(slope, x)

    x, y = tf.constant(1.5), tf.constant(0.5)
    tf.enable_tensor_equality()
    try:
        assert [each.numpy() for each in derived(x, y)] == [6.0, 36.0, 9.0]
        np.testing.assert_allclose(twice(x, y).numpy(), -np.sin(1.5), rtol=1e-6)
    finally:
        tf.disable_tensor_equality()


def test_concrete_functions_hold_no_argument_to_its_shape():
    squared = tf.function(lambda x: x ** 2.0, input_signature=[tf.TensorSpec([None], tf.float32)])
    concrete = squared.get_concrete_function()
    for value in (3.0, [1.0, 2.0], [[3.0]]):
        np.testing.assert_array_equal(concrete(tf.constant(value)), np.square(value))
