"""What op cases cannot show of array functions: names, unknown shapes, moving indices, ops that TensorFlow 2 lost."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import policy
from evergraph.run.session import Session

x34 = np.arange(12, dtype=np.float32).reshape(3, 4)


def value(tensor, feeds=None, tier=None):
    with Session(tier=tier) as session:
        return session.run(tensor, feeds)


def names(graph):
    return [node.name for node in graph.get_operations()]


NAMES = {
    "small zeros": (lambda x: tf.zeros([2, 3]), ["zeros"]),
    "large zeros": (lambda x: tf.zeros([50, 30]), ["zeros/shape_as_tensor", "zeros/Const", "zeros"]),
    "ones like": (lambda x: tf.ones_like(x), ["ones_like/Shape", "ones_like/Const", "ones_like"]),
    "index": (lambda x: x[0], ["strided_slice/stack", "strided_slice/stack_1", "strided_slice/stack_2",
                               "strided_slice"]),
    "packed": (lambda x: tf.convert_to_tensor([[x[0, 0], 1.0], [2.0, 3.0]])[0:0],
               ["packed/0/1", "packed/0", "packed/1_1", "packed"]),
    "joined": (lambda x: tf.concat([x, [[1.0] * 4]], 0), ["concat/values_1", "concat/axis", "concat"]),
    "joined alone": (lambda x: tf.concat([x], 0), ["concat/concat_dim", "concat/concat"]),
    "stacked numbers": (lambda x: tf.stack([1, 2]), ["stack"]),
    "one-hot": (lambda x: tf.one_hot([1], 3), ["one_hot/on_value", "one_hot/off_value", "one_hot/indices",
                                               "one_hot/depth", "one_hot"]),
    "mask": (lambda x: tf.sequence_mask([1, 2], 3), ["SequenceMask/Range", "SequenceMask/ExpandDims",
                                                     "SequenceMask/Less"]),
    "identity matrix": (lambda x: tf.eye(2), ["eye/ones", "eye/diag"]),
}


@pytest.mark.parametrize("what", NAMES)
def test_nodes_have_tensorflows_names(graph, what):
    function, wanted = NAMES[what]
    function(tf.placeholder(tf.float32, [3, 4]))
    found = names(graph)
    assert [name for name in found if name in wanted] == wanted, found


GRADIENTS = {
    "Reshape": lambda x, i: tf.reshape(x, [2, 6]),
    "Transpose": lambda x, i: tf.transpose(x),
    "Concat": lambda x, i: tf.concat([x, 2 * x], -1),
    "Split": lambda x, i: tf.split(x, 2, axis=1)[1],
    "Unpack": lambda x, i: tf.unstack(x, num=3)[1],
    "Tile": lambda x, i: tf.tile(x, [2, 3]),
    "Pad": lambda x, i: tf.pad(x, [[1, 0], [2, 1]]),
    "Slice": lambda x, i: tf.slice(x, i[:2], [1, 2]),
    "StridedSlice": lambda x, i: x[i[0], 1:3],
    "rows": lambda x, i: tf.gather(x, i),
    "columns": lambda x, i: tf.gather(x, i, axis=-1),
    "batched": lambda x, i: tf.gather(x, tf.reshape(i, [3, 1]), axis=1, batch_dims=1),
    "last batch": lambda x, i: tf.gather(x, tf.reshape(i, [3, 1]), axis=1, batch_dims=-1),
    "points": lambda x, i: tf.gather_nd(x, tf.stack([i, i], 1)),
    "top": lambda x, i: tf.nn.top_k(x, 2)[0],
    "partition": lambda x, i: tf.dynamic_partition(x, i, 3)[1],
    "stitch": lambda x, i: tf.dynamic_stitch([i], [x]),
    "diagonal": lambda x, i: tf.matrix_diag_part(x),
    "mask": lambda x, i: tf.boolean_mask(x, [True, False, True]),
}


@pytest.mark.parametrize("what", GRADIENTS)
def test_gradient_is_the_same_for_unknown_shapes(what):
    found = []
    for x_shape, i_shape in (([3, 4], [3]), (None, [None])):
        x, i = tf.placeholder(tf.float32, x_shape), tf.placeholder(tf.int32, i_shape)
        y = GRADIENTS[what](x, i)
        weights = tf.reshape(tf.cast(tf.range(tf.size(y)) + 1, tf.float32), tf.shape(y))
        slope = tf.convert_to_tensor(tf.gradients(y, x, weights)[0])
        found += [value(slope, {x: x34, i: [1, 0, 2]}, tier) for tier in ("numpy", "xla")]
    assert found[0].any()
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


@pytest.mark.parametrize("make", [lambda x, i: x[i], lambda x, i: x[1:, i, None], lambda x, i: tf.gather(x, i),
                                  lambda x, i: tf.slice(x, [0, i], [3, 1]), lambda x, i: tf.gather_nd(x, [[i, 0]])])
def test_a_moving_index_is_compiled_once(make):
    x, i = tf.placeholder(tf.float32, [3, 4]), tf.placeholder(tf.int32, [])
    y = make(x, i)
    with Session(tier="xla") as session:
        first = session.run(y, {x: x34, i: 0})
        before = policy.compilations.count
        second = session.run(y, {x: x34, i: 2})
        assert policy.compilations.count == before
    assert not np.array_equal(first, second)


def test_a_batch_of_known_length_at_a_moving_index_is_compiled_once():
    """As programs cut batches out of their data; that the index is a fed one says nothing of the length."""
    x, i = tf.constant(x34), tf.placeholder(tf.int32, [])
    batch = tf.strided_slice(x, [0, i * 2], [3, (i + 1) * 2])
    batch.set_shape([3, 2])
    y = batch + 1.0
    with Session(tier="xla") as session:
        assert session.run(y, {i: 0}).tolist() == (x34[:, :2] + 1).tolist()
        before = policy.compilations.count
        assert session.run(y, {i: 1}).tolist() == (x34[:, 2:] + 1).tolist()
        assert policy.compilations.count == before


@pytest.mark.parametrize("part", [lambda x, i: x[i], lambda x, i: tf.slice(x, [i, 0], [1, 4])[0],
                                  lambda x, i: tf.gather(x, i), lambda x, i: tf.gather_nd(x, [i])])
def test_parts_at_a_moving_index_are_compiled_in_loops(part):
    x = tf.placeholder(tf.float32, [3, 4])
    _, y = tf.while_loop(lambda i, total: i < 3, lambda i, total: (i + 1, total + part(x, i) * tf.cast(i, tf.float32)),
                         [0, tf.zeros([4])])
    found, slope = value([y, tf.gradients(y, x)[0]], {x: x34}, "xla")
    np.testing.assert_array_equal(found, x34[1] + 2 * x34[2])
    np.testing.assert_array_equal(slope, np.repeat([[0.0], [1.0], [2.0]], 4, axis=1))


def test_a_moving_bound_is_asked_for():
    x, i = tf.placeholder(tf.float32, [3, 4]), tf.placeholder(tf.int32, [])
    with Session(tier="xla") as session:
        for bound in (1, 3, -1):
            np.testing.assert_array_equal(session.run(x[:, :i], {x: x34, i: bound}), x34[:, :bound])


@pytest.mark.parametrize("tier", ["numpy", "xla"])
def test_moving_index_out_of_bounds_fails_the_step(tier):
    x, i = tf.placeholder(tf.float32, [3, 4]), tf.placeholder(tf.int32, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 3 of dimension 0 out of bounds"):
        value(x[i], {x: x34, i: 3}, tier)


@pytest.mark.parametrize("spec", [1.0, "a", [0.5], np.float32(1)])
def test_what_is_no_index(spec):
    with pytest.raises(TypeError, match="an index is an integer"):
        tf.placeholder(tf.float32, [3, 4])[spec]


def test_gather_says_which_index_is_wrong():
    x = tf.placeholder(tf.float32, [None, 4])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1,0\] = 7 is not in \[0, 3\)"):
        value(tf.gather(x, [[0], [7]]), {x: x34})


@pytest.mark.parametrize("resource", [False, True])
def test_slices_of_variables_are_assigned_to(resource):
    variable = tf.Variable(x34, use_resource=resource)
    row = tf.placeholder(tf.int32, [])
    with Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(variable[row, 1:3].assign([7.0, 8.0]), {row: -1})
        session.run(variable[0].assign(tf.zeros([4])))
        wanted = x34.copy()
        wanted[2, 1:3], wanted[0] = [7, 8], 0
        np.testing.assert_array_equal(session.run(variable), wanted)


@pytest.mark.parametrize(("old", "new", "inputs"), [
    ("BatchMatrixDiag", "MatrixDiag", {"diagonal": x34}), ("BatchMatrixDiagPart", "MatrixDiagPart", {"input": x34}),
    ("BatchMatrixSetDiag", "MatrixSetDiag", {"input": x34, "diagonal": x34[:, 0]}),
    ("BatchMatrixBandPart", "MatrixBandPart", {"input": x34, "num_lower": np.int64(1), "num_upper": np.int64(0)})])
def test_older_names(old, new, inputs):
    np.testing.assert_array_equal(*value([getattr(tf.raw_ops, op)(**inputs) for op in (old, new)]))


def test_top_k_with_k_as_attr():
    values, indices = value(tf.raw_ops.TopK(input=[3, 1, 3, 2], k=3))
    assert values.tolist() == [3, 3, 2] and indices.tolist() == [0, 2, 3]


def test_tile_grad_adds_the_copies_up():
    found = value(tf.raw_ops.TileGrad(input=np.tile(x34, [2, 3]), multiples=[2, 3]))
    np.testing.assert_array_equal(found, 6 * x34)


@pytest.mark.parametrize("data_format", ["NCHW", "NCHW_VECT_C"])
def test_blocks_of_other_layouts(data_format):
    last = np.arange(2 * 4 * 6 * 8, dtype=np.float32).reshape(2, 4, 6, 8)

    def moved(x):
        x = np.transpose(x, [0, 3, 1, 2])
        return x if data_format == "NCHW" else \
            np.transpose(x.reshape(x.shape[0], -1, 4, *x.shape[2:]), [0, 1, 3, 4, 2])

    deep = value(tf.space_to_depth(last, 2))
    np.testing.assert_array_equal(value(tf.space_to_depth(moved(last), 2, data_format=data_format)), moved(deep))
    np.testing.assert_array_equal(value(tf.depth_to_space(moved(deep), 2, data_format=data_format)), moved(last))


def test_values_known_while_the_graph_is_built():
    size = tf.placeholder(tf.int32, [])
    assert tf.get_static_value(tf.shape(tf.zeros([2, 3]))).tolist() == [2, 3]
    assert tf.get_static_value(size) is None
    assert tf.get_static_value(tf.stack([size, 3]), partial=True).tolist() == [None, 3]
    assert tf.get_static_value(2.5) == 2.5 and tf.get_static_value(tf.Variable(1.0)) is None
    assert tf.reshape(tf.zeros([12]), [size, 3]).shape.as_list() == [4, 3]
    assert tf.contrib.util.constant_value_as_shape(tf.stack([size, 3])).as_list() == [None, 3]


def test_tensor_messages(session):
    message = tf.make_tensor_proto([[1, 2]], dtype=tf.int64)
    found = tf.make_ndarray(message)
    assert found.dtype == np.int64 and found.tolist() == [[1, 2]]
    assert tf.make_ndarray(tf.make_tensor_proto(7.0, shape=[2])).tolist() == [7.0, 7.0]
    assert tf.make_tensor_proto(message) is message
    assert session.run([tf.constant(message), tf.add(message, np.int64(1))])[1].tolist() == [[2, 3]]
    assert session.run(tf.constant(tf.make_tensor_proto(["a"]))).tolist() == [b"a"]


@pytest.mark.parametrize("call", [lambda: tf.expand_dims([1]), lambda: tf.squeeze([1], axis=0, squeeze_dims=0),
                                  lambda: tf.pad([1], [[1, 0]], "WRAP"), lambda: tf.where([True], 1.0),
                                  lambda: tf.stack([[1], [2]], axis=3), lambda: tf.unstack(tf.placeholder(tf.int32)),
                                  lambda: tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3])),
                                  lambda: tf.boolean_mask([1], True), lambda: tf.meshgrid([1], indexing="yx")])
def test_wrong_arguments(call):
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("value, dtype, wanted", [
    ([-1], tf.uint8, 255), (-1, tf.uint8, 255), ([300], tf.int8, 44), (2**31, tf.int32, -2**31),
    ([-1], tf.uint64, 2**64 - 1), ([-1], tf.uint32, 2**32 - 1),
])
def test_integers_beyond_a_dtype_wrap_around(value, dtype, wanted):
    with tf.Graph().as_default(), tf.Session() as session:
        result = session.run(tf.constant(value, dtype))
        place = tf.placeholder(dtype, [1])
        fed = session.run(place, {place: value if isinstance(value, list) else [value]})
    assert np.ravel(result).item() == fed.item() == wanted and result.dtype == dtype.as_numpy_dtype


def test_integers_beyond_64_bits():
    with tf.Graph().as_default(), pytest.raises(OverflowError):
        tf.constant([2**63], tf.int64)


def test_a_number_takes_the_dtype_of_the_tensor_beside_it():
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.constant([1], tf.int8) + 300).tolist() == [45]


@pytest.mark.parametrize("dtype, wanted", [(tf.int32, [1, 2]), (tf.float32, [1.0, 2.0])])
def test_python_bools_count_as_numbers(dtype, wanted):
    with tf.Session() as session:
        assert session.run(tf.constant([True, 2], dtype)).tolist() == wanted
    with pytest.raises(TypeError, match="Expected bool, got 1"):
        tf.constant([1], tf.bool)


@pytest.mark.parametrize("constant", [lambda: tf.constant(3, shape=[2, 3]), lambda: tf.zeros([2, 3], tf.int32)])
def test_a_constant_of_one_value_is_small_in_a_graph(constant):
    message = constant().op.get_attr("value")
    assert len(message.int_val) == 1 and not message.tensor_content


def test_plus_joins_strings(session):
    assert session.run(tf.constant(["a", "b"]) + "c").tolist() == [b"ac", b"bc"]
    assert session.run("c" + tf.constant(["a", "b"])).tolist() == [b"ca", b"cb"]


def test_what_is_refused(session):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    session.run(v.initializer)
    assert session.run(tf.guarantee_const(v.read_value())) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be a resource variable"):
        session.run(tf.guarantee_const(v.handle))
    with pytest.raises(ValueError, match="should be a matrix"):
        tf.linalg.matrix_transpose([1, 2, 3])
    with pytest.raises(ValueError, match="not compatible with"):
        tf.Variable(np.zeros(3), shape=[4], use_resource=True)
    with pytest.raises(tf.errors.UnknownError, match="Attempting to return a variable"):
        session.run(tf.py_function(lambda: tf.contrib.eager.Variable(1.0), [], tf.float32))


def test_sizes_of_shapes_that_have_to_be_equal():
    with pytest.raises(ValueError, match=r"Dimension 1 in both shapes must be equal: \[3,5\] and \[3,4\]"):
        tf.concat([tf.zeros([3, 5, 1]), tf.zeros([3, 4, 2])], -1)


@pytest.mark.parametrize(("dtype", "wanted"), [(tf.float32, 0.0), (tf.int64, 0), (tf.string, b"")])
def test_a_constant_without_values_is_zeros(dtype, wanted, session):
    assert session.run(tf.constant([], dtype, shape=[1, 2])).tolist() == [[wanted, wanted]]


def test_values_known_in_part(graph):
    known = tf.stack([np.ones(2), tf.placeholder(tf.float64, [2])])
    first, second = tf.get_static_value(known, partial=True)
    assert first.tolist() == [1.0, 1.0] and second is None
    assert tf.get_static_value(known) is None
    assert tf.get_static_value(tf.stack([np.ones(2), np.ones(2)], axis=1)) is None


def test_messages_of_quantized_numbers():
    message = tf.make_tensor_proto([(21,), (22,)], tf.qint8)
    assert message.tensor_content == b"\x15\x16" and [dim.size for dim in message.tensor_shape.dim] == [2]
    array = tf.make_ndarray(message)
    assert array.dtype == tf.qint8.as_numpy_dtype and array.tolist() == [(21,), (22,)]
    floats = tf.make_ndarray(tf.make_tensor_proto([10.0, 20.0]))
    floats[0] = 5.0
    assert floats.tolist() == [5.0, 20.0]
