"""Heads of tf.contrib.learn: losses, predictions, metrics and exports by closed forms."""

import numpy as np
import pytest

import evergraph as tf

learn = tf.contrib.learn
TRAIN, EVAL, INFER = learn.ModeKeys.TRAIN, learn.ModeKeys.EVAL, learn.ModeKeys.INFER


def measured(head, labels, logits, features=None):
    """The loss, and the metrics after one batch."""
    ops = head.create_model_fn_ops(features or {}, EVAL, labels, logits=logits)
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.tables_initializer()])
        session.run([update for _, update in ops.eval_metric_ops.values()])
        return session.run([ops.loss, {key: value for key, (value, _) in ops.eval_metric_ops.items()}])


def test_numbers():
    loss, metrics = measured(learn.regression_head(weight_column_name="w"), [[0.0], [1.0], [1.0]],
                             [[1.0], [1.0], [3.0]], {"w": [2.0, 5.0, 1.0]})
    assert loss == pytest.approx((2 * 1 + 1 * 4) / 3) and metrics["loss"] == pytest.approx((2 * 1 + 1 * 4) / 8)


def test_counts():
    loss, _ = measured(learn.poisson_regression_head(), [[0.0], [1.0]], [[0.5], [-1.0]])
    assert loss == pytest.approx((np.exp(0.5) + np.exp(-1) + 1) / 2, rel=1e-5)


def test_two_classes():
    loss, metrics = measured(learn.multi_class_head(2), [[1], [0]], [[1.0], [1.0]])
    assert loss == pytest.approx((2 * np.log1p(np.exp(-1.0)) + 1) / 2, rel=1e-5)
    assert metrics["accuracy"] == 0.5 and metrics["precision/positive_threshold_0.500000_mean"] == 0.5
    assert metrics["labels/prediction_mean"] == pytest.approx(1 / (1 + np.exp(-1)), rel=1e-5)


def test_classes_by_name():
    head = learn.multi_class_head(3, label_keys=["a", "b", "c"], metric_class_ids=[2])
    loss, metrics = measured(head, ["c"], [[1.0, 0.0, 0.0]])
    assert loss == pytest.approx(np.log(np.e + 2), rel=1e-5) and metrics["accuracy"] == 0
    assert metrics["labels/actual_label_mean/class2"] == 1
    served = head.create_model_fn_ops({}, INFER, logits=[[0.0, 0.0, 2.0]])
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        assert session.run(served.predictions["classes"]).tolist() == [b"c"]
        kind, tensors = served.output_alternatives[None]
        assert kind == learn.ProblemType.CLASSIFICATION
        assert session.run(tensors["classes"]).tolist() == [[b"a", b"b", b"c"]]


def test_several_labels_from_sparse_rows():
    sparse = tf.SparseTensorValue([[0, 0]], [2], [1, 1])
    loss, metrics = measured(learn.multi_label_head(3), sparse, [[1.0, 0.0, 0.0]])
    dense, _ = measured(learn.multi_label_head(3), [[0, 0, 1]], [[1.0, 0.0, 0.0]])
    assert loss == dense and metrics["accuracy"] == pytest.approx(1 / 3)


def test_a_margin():
    loss, metrics = measured(learn.binary_svm_head(), [0, 1], [[-0.5], [1.2]])
    assert loss == pytest.approx(0.25) and metrics["accuracy"] == 1


def test_a_centered_bias_learns_the_mean():
    head = learn.regression_head(enable_centered_bias=True)
    ops = head.create_model_fn_ops({}, TRAIN, [[4.0], [6.0]], learn.no_op_train_fn, logits=[[0.0], [0.0]])
    (bias,) = tf.trainable_variables()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2000):
            session.run(ops.train_op)
        assert bias.op.name == "regression_head/centered_bias_weight" and session.run(bias) == pytest.approx(5, abs=0.2)


def test_heads_together():
    first, second = (learn.multi_class_head(3, label_name=name, head_name=name) for name in "ab")
    head = learn.multi_head([first, second, learn.loss_only_head(lambda: 1.0, "more")], [1, 0.5, 2])
    assert head.logits_dimension == 6
    ops = head.create_model_fn_ops({}, EVAL, {"a": [1], "b": [2]}, logits=[[0.0] * 6])
    assert {"accuracy/a", "accuracy/b"} <= set(ops.eval_metric_ops)
    with tf.Session() as session:
        assert session.run(ops.loss) == pytest.approx(1.5 * np.log(3) + 2, rel=1e-5)


@pytest.mark.parametrize("wrong, message", [
    (lambda: learn.multi_class_head(1), "n_classes must be > 1"),
    (lambda: learn.multi_class_head(3, label_keys=["a"]), "Length of label_keys"),
    (lambda: learn.multi_head([learn.regression_head()]), "must have names"),
    (lambda: measured(learn.regression_head(), [[1.0]], [[1.0, 2.0]]), "Dimensions.*not compatible"),
    (lambda: learn.regression_head().create_model_fn_ops({}, TRAIN, [[1.0]], None, [[1.0]]), "train_op_fn"),
    (lambda: learn.regression_head().create_model_fn_ops({}, EVAL, [[1.0]], None, [[1.0]], [[1.0]]), "Both logits"),
    (lambda: measured(learn.regression_head(), tf.SparseTensorValue([[0, 0]], [2.0], [1, 1]), [[1.0]]), "SparseTensor"),
])
def test_what_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()
