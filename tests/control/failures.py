"""Programs that fail, written against whichever `tf` they are given: when they are built, or when they run."""

FAILURES = {}


def failure(build):
    FAILURES[build.__name__] = build
    return build


def _pred(tf):
    return tf.placeholder_with_default(True, [])


def _run(tf, fetch):
    with tf.Session() as session:
        session.run(fetch)


@failure
def pred_is_a_bool(tf):
    tf.cond(True, lambda: 1, lambda: 2)


@failure
def pred_is_an_int(tf):
    tf.cond(tf.constant(1), lambda: 1, lambda: 2)


@failure
def pred_is_a_vector(tf):
    tf.cond(tf.constant([True]), lambda: 1, lambda: 2)


@failure
def branch_is_no_function(tf):
    tf.cond(_pred(tf), 1, lambda: 2)


@failure
def branch_is_missing(tf):
    tf.cond(_pred(tf), lambda: 1)


@failure
def branch_is_given_twice(tf):
    tf.cond(_pred(tf), lambda: 1, lambda: 1, fn1=lambda: 1)


@failure
def branch_returns_nothing(tf):
    tf.cond(_pred(tf), lambda: None, lambda: None)


@failure
def branch_returns_an_empty_list(tf):
    tf.cond(_pred(tf), lambda: [], lambda: [])


@failure
def branches_differ_in_dtype(tf):
    tf.cond(_pred(tf), lambda: 1, lambda: 2.0)


@failure
def branches_differ_in_structure(tf):
    tf.cond(_pred(tf), lambda: (1, 2), lambda: 2)


@failure
def branches_differ_in_keys(tf):
    tf.cond(_pred(tf), lambda: {"a": 1}, lambda: {"b": 1})


@failure
def cases_are_no_pairs(tf):
    tf.case([1])


@failure
def cases_have_no_tensor(tf):
    tf.case([(1, lambda: 1)])


@failure
def cases_have_no_function(tf):
    tf.case([(_pred(tf), 1)])


@failure
def cases_overlap(tf):
    _run(tf, tf.case([(_pred(tf), lambda: 1), (_pred(tf), lambda: 2)], default=lambda: 3, exclusive=True))


@failure
def switch_case_has_gaps(tf):
    tf.switch_case(tf.constant(1), {0: lambda: 1, 3: lambda: 2})


@failure
def switch_case_by_a_python_int(tf):
    tf.switch_case(1, [lambda: 1])


@failure
def loop_without_variables(tf):
    tf.while_loop(lambda: True, lambda: 1, [])


@failure
def loop_condition_is_no_function(tf):
    tf.while_loop(1, lambda i: i, [1])


@failure
def loop_body_is_no_function(tf):
    tf.while_loop(lambda i: True, 1, [1])


@failure
def loop_with_no_parallel_iterations(tf):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=0)


@failure
def loop_limit_is_a_vector(tf):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], maximum_iterations=[2])


@failure
def loop_condition_is_no_bool(tf):
    tf.while_loop(lambda i: i, lambda i: i + 1, [0])


@failure
def loop_variable_changes_shape(tf):
    tf.while_loop(lambda i: tf.reduce_sum(i) < 3, lambda i: tf.concat([i, i], 0), [tf.constant([0])])


@failure
def loop_body_returns_too_little(tf):
    tf.while_loop(lambda i, j: i < 3, lambda i, j: i + 1, [0, 1])


@failure
def loop_variable_is_none(tf):
    tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, None), [0, None])


@failure
def loop_invariant_is_wrong(tf):
    tf.while_loop(lambda i: tf.reduce_sum(i) < 3, lambda i: i, [tf.constant([1])],
                  shape_invariants=[tf.TensorShape([2])])


@failure
def array_without_size(tf):
    tf.TensorArray(tf.float32)


@failure
def array_of_another_shape(tf):
    tf.TensorArray(tf.float32, size=2).write(0, [1.0]).write(1, [1.0, 2.0])


@failure
def array_read_behind_its_end(tf):
    _run(tf, tf.TensorArray(tf.float32, size=2).write(0, 1.0).read(tf.placeholder_with_default(5, [])))


@failure
def array_written_behind_its_end(tf):
    _run(tf, tf.TensorArray(tf.float32, size=2).write(tf.placeholder_with_default(5, []), 1.0).read(0))


@failure
def map_of_another_structure(tf):
    tf.map_fn(lambda x: (x, x), tf.zeros([2]))


@failure
def map_of_a_scalar(tf):
    tf.map_fn(lambda x: x, tf.constant(1.0))


@failure
def group_of_numbers(tf):
    tf.group(1)


@failure
def tuple_of_nothing(tf):
    tf.tuple([None])


@failure
def python_raises_value_error(tf):
    def fail(x):
        raise ValueError("no")

    _run(tf, tf.py_func(fail, [1], tf.int32))


@failure
def python_raises_stop_iteration(tf):
    def fail(x):
        raise StopIteration

    _run(tf, tf.py_func(fail, [1], tf.int32))


@failure
def python_raises_key_error(tf):
    _run(tf, tf.py_func(lambda x: {}[x], [1], tf.int32))


@failure
def python_returns_another_dtype(tf):
    _run(tf, tf.py_func(lambda x: 1.5, [1], tf.float32))


@failure
def python_returns_too_much(tf):
    _run(tf, tf.py_func(lambda x: (x, x), [1], tf.int32))
