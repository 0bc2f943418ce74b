"""Names inside TensorFlow that libraries import, and what they do."""

import importlib

import pytest

import evergraph as tf
from evergraph.frontend import tensor_lists
from evergraph.frontend.specs import BatchableTypeSpec


@pytest.mark.parametrize("module, names", [
    ("autograph", "to_graph do_not_convert"), ("estimator.head.regression_head", "RegressionHead"),
    ("estimator.head.head_utils", "binary_or_multi_class_head"), ("keras.backend_config", "epsilon floatx"),
    ("ops.list_ops", "tensor_list_length tensor_list_stack"), ("tpu.tpu_config", "RunConfig"),
    ("tpu.tpu_estimator", "TPUEstimator"), ("tpu.ops.tpu_ops", "cross_replica_sum"), ("tpu.tpu_function", "TpuContext"),
    ("framework.ops", "uid"), ("framework.tensor_spec", "BoundedTensorSpec"),
    ("util.nest", "flatten_with_tuple_paths _is_namedtuple")])  # fmt: skip
def test_modules(module, names):
    import evergraph.as_tensorflow  # noqa: F401

    found = importlib.import_module(f"tensorflow.python.{module}")
    for name in names.split():
        value = found
        for part in name.split("."):
            value = getattr(value, part)
        assert callable(value)


def test_the_inside_of_autograph_loads_and_is_refused():
    import evergraph.as_tensorflow  # noqa: F401

    parser = importlib.import_module("tensorflow.python.autograph.pyct.parser")
    with pytest.raises(AttributeError, match="parse_entity"):
        _ = parser.parse_entity
    base = importlib.import_module("tensorflow.python.autograph.pyct.transformer").Base
    with pytest.raises(tf.errors.UnimplementedError, match="Mine"):
        type("Mine", (base,), {})()


def test_lists(session):
    rows = tensor_lists.tensor_list_from_tensor([[1.0, 2.0], [3.0, 4.0]], [2])
    assert session.run(tensor_lists.tensor_list_stack(rows, tf.float32)).tolist() == [[1, 2], [3, 4]]
    shorter, last = tensor_lists.tensor_list_pop_back(rows, tf.float32)
    assert session.run([last, tensor_lists.tensor_list_gather(shorter, [0, 0], tf.float32)])[1].tolist() == [[1, 2]] * 2
    assert session.run(tensor_lists.tensor_list_get_item(rows, 1, tf.float32, [None])).tolist() == [3, 4]
    size = tf.placeholder_with_default(2, [])
    room = tensor_lists.tensor_list_reserve([None, size], 3, tf.float32)
    empty = tensor_lists.empty_tensor_list(tf.TensorShape([None]), tf.float32, 2)
    assert session.run([tf.raw_ops.TensorListLength(input_handle=each) for each in (room, empty)]) == [3, 0]


def test_specs_by_serialize_and_batches():
    class Pair(BatchableTypeSpec):
        value_type = tuple

        def __init__(self, one, two):
            self.specs = one, two

        def _serialize(self):
            return self.specs

        def _batch(self, batch_size):
            return Pair(*(spec._batch(batch_size) for spec in self.specs))

    pair = Pair(tf.TensorSpec([2]), tf.SparseTensorSpec([None, 3], tf.int64))
    assert pair._batch(5) == Pair(tf.TensorSpec([5, 2]), tf.SparseTensorSpec([5, None, 3], tf.int64)) != pair
    assert tf.TensorSpec([5, 2])._unbatch() == tf.TensorSpec([2])
    with pytest.raises(ValueError, match="no axis"):
        tf.TensorSpec([])._unbatch()


def test_modules_ignore_what_they_say():
    class Holder(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = tf.Module._TF_MODULE_IGNORED_PROPERTIES.union(["cached"])

        def __init__(self):
            super().__init__()
            self.kept, self.cached = tf.Variable(1.0), tf.Variable(2.0)
            self.hidden = self._no_dependency(tf.Variable(3.0))

    holder = Holder()
    assert {id(v) for v in holder.variables} == {id(holder.kept), id(holder.hidden)}


def test_shards_while_a_computation_is_built():
    import evergraph.as_tensorflow  # noqa: F401

    function = importlib.import_module("tensorflow.python.tpu.tpu_function")
    seen = []
    tf.tpu.rewrite(lambda x: seen.append(function.get_tpu_context().number_of_shards) or x + 1.0, [1.0])
    assert seen == [1] and function.get_tpu_context().number_of_shards is None
    with function.tpu_shard_context(2), pytest.raises(NotImplementedError), function.tpu_shard_context(2):
        pass


@pytest.mark.parametrize("rows, values, wanted", [
    (1, [1.0, 2.0], [[5, 5], [1, 2], [5, 5]]), ([2, 0], [[1.0, 2.0], [3.0, 4.0]], [[3, 4], [5, 5], [1, 2]]),
    (None, [[1.0, 2.0]] * 3, [[1, 2]] * 3)])
def test_rows_are_changed(rows, values, wanted, session):
    rows_of = importlib.import_module("evergraph.python.ops.inplace_ops")
    for update in (rows_of.inplace_update, rows_of.alias_inplace_update):
        assert session.run(update(tf.fill([3, 2], 5.0), rows, values)).tolist() == wanted
    added = rows_of.inplace_add(tf.zeros([3, 2]), rows, values)
    assert session.run(rows_of.alias_inplace_sub(added, rows, values)).tolist() == [[0, 0]] * 3
    assert session.run(rows_of.empty_like(added, init=True)).tolist() == [[0, 0]] * 3
    assert rows_of.empty_like(added).shape == rows_of.empty([3, 2], tf.float32).shape == [3, 2]
