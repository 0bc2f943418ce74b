"""tf.contrib.labeled_tensor: axes by name, against the same operations by position."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.labeled_tensor import nn
from tests.harness.session import interpreted as evaluated

lt = tf.contrib.labeled_tensor
X = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def cube():
    return lt.LabeledTensor(X, ["row", ("color", ["red", "green", "blue"]), "depth"])


def same(found, wanted, axes):
    np.testing.assert_array_equal(evaluated(found), wanted)
    assert list(found.axes) == axes


def test_axes():
    axis = lt.Axis("color", ["red", "green"])
    assert (len(axis), axis.index("green"), axis.labels, axis.size) == (2, 1, ("red", "green"), 2)
    assert lt.Axis("x", None) == lt.Axis("x", None) != lt.Axis("x", 3)
    assert lt.concat_axes([axis, ("color", ["blue"])]).value == ("red", "green", "blue")
    assert lt.concat_axes([axis, ("color", 2)]).value == tf.Dimension(4)
    assert cube().axes.remove("row") == lt.Axes([("color", ["red", "green", "blue"]), ("depth", 4)])
    assert repr(lt.Axes([("x", 2)])) == "Axes([('x', Dimension(2))])"
    with pytest.raises(ValueError, match="not all different"):
        lt.Axis("x", [1, 1])
    with pytest.raises(ValueError, match="same name"):
        lt.Axes([("x", 1), ("x", 2)])
    with pytest.raises(ValueError, match="does not fit"):
        lt.LabeledTensor(X, [("row", 5), "color", "depth"])


def test_places_and_labels():
    x = cube()
    same(x[1, :2, :], X[1, :2], ["color", "depth"])
    same(lt.slice(x, {"depth": 0}), X[..., 0], ["row", "color"])
    same(lt.select(x, {"color": "green"}), X[:, 1], ["row", "depth"])
    same(lt.select(x, {"color": slice("green", "blue")}), X[:, 1:], ["row", "color", "depth"])
    picked = lt.select(x, {"color": ["blue", "red"]})
    same(picked, X[:, [2, 0]], ["row", "color", "depth"])
    assert picked.axes["color"].labels == ("blue", "red")
    assert lt.select(x, {"color": []}).shape == (2, 0, 4)
    with pytest.raises(KeyError):
        lt.select(x, {"color": "pink"})
    with pytest.raises(NotImplementedError):
        lt.select(x, {"color": ["red"], "row": 0})


def test_operators_match_axes():
    x = cube()
    depth = lt.LabeledTensor(np.arange(4, dtype=np.int32), ["depth"])
    same(x + depth, X + np.arange(4), ["row", "color", "depth"])
    same(2 * x[:, 0, 0] - 1, 2 * X[:, 0, 0] - 1, ["row"])
    by_row = lt.LabeledTensor([10, 20], ["row"])
    same(by_row * depth, np.outer([10, 20], np.arange(4)), ["row", "depth"])
    same(depth < 2, np.arange(4) < 2, ["depth"])
    same(~(depth < 2) | (depth < 1), [True, False, True, True], ["depth"])
    same(-depth, -np.arange(4), ["depth"])
    with lt.axis_order_scope(["depth", "row"]):
        with pytest.raises(lt.AxisOrderError, match="lacks"):
            lt.impose_axis_order(x)
        same(by_row + depth, np.arange(4)[:, None] + [10, 20], ["depth", "row"])
    with pytest.raises(lt.AxisOrderError, match="different orders"):
        x[:, :, 0] + lt.transpose(x[:, :, 0])
    with pytest.raises(ValueError, match="have one name"):
        depth + lt.LabeledTensor([1], ["depth"])


def test_shapes():
    x = cube()
    same(lt.transpose(x, ["depth", "row", "color"]), X.transpose(2, 0, 1), ["depth", "row", "color"])
    same(lt.expand_dims(x, ["row", ("new", "label"), "color", "depth"]), X[:, None], ["row", "new", "color", "depth"])
    same(lt.reshape(x, ["color", "depth"], ["flat"]), X.reshape(2, 12), ["row", "flat"])
    same(lt.squeeze(x[:, :1, :], ["color"]), X[:, 0], ["row", "depth"])
    same(lt.tile(x, {"row": 2}), np.tile(X, [2, 1, 1]), ["row", "color", "depth"])
    padded = lt.pad(x, {"color": ([], ["pink"]), "depth": (1, 0)})
    same(padded, np.pad(X, [(0, 0), (0, 1), (1, 0)]), ["row", "color", "depth"])
    assert padded.axes["color"].labels[-1] == "pink"
    same(lt.rename_axis(x, "row", "line"), X, ["line", "color", "depth"])
    with pytest.raises(lt.AxisOrderError, match="not a slice"):
        lt.reshape(x, ["depth", "row"], ["flat"])
    coder = lt.ReshapeCoder(["row", "color"], ["flat"])
    assert list(coder.encode(x).axes) == ["flat", "depth"]
    same(coder.decode(coder.encode(x) + 1), X + 1, ["row", "color", "depth"])


def test_several_tensors():
    x = cube()
    joined = lt.concat([x[:, :1, :], x[:, 2:, :]], "color")
    same(joined, X[:, [0, 2]], ["row", "color", "depth"])
    assert joined.axes["color"].labels == ("red", "blue")
    same(lt.pack([x, x], "copy", axis_position=1), np.stack([X, X], 1), ["row", "copy", "color", "depth"])
    same(lt.unpack(x, "color")[1], X[:, 1], ["row", "depth"])
    same(lt.where(x > 5, x, lt.zeros_like(x)), np.where(X > 5, X, 0), ["row", "color", "depth"])
    same(lt.boolean_mask(x, lt.LabeledTensor([True, False], ["row"])), X[:1], ["row", "color", "depth"])
    with pytest.raises(ValueError, match="not all different"):
        lt.concat([x, x], "color")


def test_functions_and_reductions():
    x = cube()
    same(lt.reduce_sum(x, "color"), X.sum(1), ["row", "depth"])
    kept = lt.reduce_max(x, [("color", "best"), "row"])
    same(kept, X.max((0, 1))[None], ["color", "depth"])
    assert kept.axes["color"].labels == ("best",)
    same(lt.reduce_mean(lt.cast(x, tf.float32)), X.mean(), [])
    same(lt.map_fn(lambda part: lt.reduce_sum(part, "depth"), x), X.sum(2), ["row", "color"])
    same(lt.foldl(lt.add, x, x[0, :, :]), X[0] + X.sum(0), ["color", "depth"])
    matrix = x[:, :, 0]
    same(lt.matmul(matrix, lt.transpose(lt.rename_axis(matrix, "row", "other"))),
         X[:, :, 0] @ X[:, :, 0].T, ["row", "other"])
    same(lt.matmul(lt.LabeledTensor([1, 2, 3], [matrix.axes["color"]]), matrix), X[:, :, 0] @ [1, 2, 3], ["row"])
    assert lt.random_crop(x, {"depth": 2}).axes["depth"].size == 2
    same(nn.l2_loss(lt.constant([3.0, 4.0], axes=["x"])), 12.5, [])
    same(nn.softmax_cross_entropy_with_logits(lt.constant([[0.0, 0.0]], axes=["b", "x"]),
                                              lt.constant([[1.0, 0.0]], axes=["b", "x"])),
         np.log(np.float32([2.0])), ["b"])


def test_examples_and_feeds():
    example = tf.train.Example()
    example.features.feature["x"].int64_list.value.extend([1, 2])
    serialized = lt.constant([example.SerializeToString()] * 2, axes=["batch"])
    features = {"x": lt.FixedLenFeature([("place", ["a", "b"])], tf.int64)}
    same(lt.parse_example(serialized, features)["x"], [[1, 2]] * 2, ["batch", "place"])
    same(lt.parse_single_example(serialized[0], features)["x"], [1, 2], ["place"])
    asked = lt.placeholder(tf.float32, ["batch", ("x", 2)])
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(asked * 2, {asked.tensor: [[1, 2]]}), [[2, 4]])
    with pytest.raises(ValueError, match="unknown size"):
        lt.parse_single_example(serialized[0], {"x": lt.FixedLenFeature([("place", None)], tf.int64)})


def test_batches():
    rows = lt.LabeledTensor(X, ["batch", "color", "depth"])
    [found] = lt.batch([rows], batch_size=2, enqueue_many=True)
    assert found.axes == rows.axes
    [shuffled] = lt.shuffle_batch([rows[0, :, :]], batch_size=5, allow_smaller_final_batch=True)
    assert shuffled.axes["batch"].size is None
    with tf.train.MonitoredSession() as session:
        np.testing.assert_array_equal(session.run(found.tensor), X)
    with pytest.raises(ValueError, match="first axis"):
        lt.batch([cube()], 2, enqueue_many=True)
