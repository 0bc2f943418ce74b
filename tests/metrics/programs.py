"""Metrics over two batches; evergraph must make TensorFlow's nodes, variables and numbers."""

import re
from typing import NamedTuple

import numpy as np

from tests.harness.nodes import listed

TRUTHS = np.array([[1, 0, 0, 1], [0, 1, 1, 1]])
SCORES = np.array([[0.9, 0.35, 0.6, 0.45], [0.1, 0.8, 0.3, 0.7]], np.float32)
SHARES = np.array([[1.0, 0.5, 2.0, 0.0], [0.25, 3.0, 1.0, 1.5]], np.float32)
NUMBERS = np.array([[1.5, -2.0, 4.0, 0.5], [3.0, 7.5, -1.0, 2.0]], np.float32)
GUESSES = np.array([[1.0, -2.5, 3.0, 0.0], [4.0, 7.0, 1.0, 2.5]], np.float32)
CLASSES = np.array([[0, 1, 2, 1], [2, 2, 0, 1]])
TAKEN_FOR = np.array([[0, 2, 2, 1], [2, 1, 0, 0]])
VECTORS = np.array([[[0.6, 0.8], [1.0, 0.0]], [[0.0, 1.0], [0.8, -0.6]]], np.float32)
NEARBY = np.array([[[0.8, 0.6], [0.0, 1.0]], [[0.6, 0.8], [1.0, 0.0]]], np.float32)
RANKED = np.array([[[0.1, 0.6, 0.2, 0.1], [0.5, 0.2, 0.2, 0.1], [0.1, 0.1, 0.3, 0.5]],
                   [[0.3, 0.1, 0.2, 0.4], [0.2, 0.2, 0.5, 0.1], [0.9, 0.05, 0.04, 0.01]]], np.float32)
WANTED = np.array([[[1, 2], [3, 1], [0, 3]], [[0, 1], [2, 3], [1, 2]]])
TOP = np.argsort(-RANKED, axis=-1, kind="stable")[..., :2]
BY_ROW = np.array([[1.0, 0.0, 2.0], [0.5, 1.0, 1.0]], np.float32)
SPARSE = ([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1]], [1, 2, 3, 0, 3], [3, 2])


class Case(NamedTuple):
    """A metric, what is fed (the first axis counts the batches), its other arguments, and whether to compare nodes."""

    metric: str
    fed: dict
    options: dict = {}
    compare_nodes: bool = True


PAIRS = {"labels": NUMBERS, "predictions": GUESSES}
BINARY = {"labels": TRUTHS, "predictions": TRUTHS ^ (SCORES > 0.65)}
SCORED = {"labels": TRUTHS, "predictions": SCORES}
NAMED = {"labels": CLASSES, "predictions": TAKEN_FOR}
AT_K = {"labels": WANTED, "predictions": RANKED}
AT_TOP_K = {"labels": WANTED, "predictions_idx": TOP}
LIMITS = {"thresholds": [0.2, 0.5, 0.75]}
WEIGHTED = {"weights": SHARES}


def _with_weights(key, metric, fed, options=None, weights=WEIGHTED):
    nodes = "_k" not in metric  # those of rankings are evergraph's own
    options = options or {}
    return {key: Case(metric, fed, options, nodes), f"{key}-weighted": Case(metric, {**fed, **weights}, options, nodes)}


CASES = {
    **_with_weights("mean", "mean", {"values": NUMBERS}),
    **_with_weights("mean_tensor", "mean_tensor", {"values": NUMBERS}),
    **_with_weights("percentage_below", "percentage_below", {"values": NUMBERS}, {"threshold": 1.9}),
    **_with_weights("accuracy", "accuracy", NAMED),
    **_with_weights("mean_absolute_error", "mean_absolute_error", PAIRS),
    **_with_weights("mean_squared_error", "mean_squared_error", PAIRS),
    **_with_weights("root_mean_squared_error", "root_mean_squared_error", PAIRS),
    **_with_weights("mean_relative_error", "mean_relative_error", PAIRS, {"normalizer": [1.0, 0.0, 2.0, 4.0]}),
    **_with_weights("mean_cosine_distance", "mean_cosine_distance", {"labels": VECTORS, "predictions": NEARBY},
                    {"dim": 1}, {"weights": np.array([[[1.0], [2.0]], [[0.5], [0.0]]], np.float32)}),
    **_with_weights("mean_iou", "mean_iou", NAMED, {"num_classes": 3}),
    **_with_weights("mean_per_class_accuracy", "mean_per_class_accuracy", NAMED, {"num_classes": 3}),
    **_with_weights("true_positives", "true_positives", BINARY),
    **_with_weights("true_negatives", "true_negatives", BINARY),
    **_with_weights("false_positives", "false_positives", BINARY),
    **_with_weights("false_negatives", "false_negatives", BINARY),
    **_with_weights("precision", "precision", BINARY),
    **_with_weights("recall", "recall", BINARY),
    **_with_weights("true_positives_at_thresholds", "true_positives_at_thresholds", SCORED, LIMITS),
    **_with_weights("true_negatives_at_thresholds", "true_negatives_at_thresholds", SCORED, LIMITS),
    **_with_weights("false_positives_at_thresholds", "false_positives_at_thresholds", SCORED, LIMITS),
    **_with_weights("false_negatives_at_thresholds", "false_negatives_at_thresholds", SCORED, LIMITS),
    **_with_weights("precision_at_thresholds", "precision_at_thresholds", SCORED, LIMITS),
    **_with_weights("recall_at_thresholds", "recall_at_thresholds", SCORED, LIMITS),
    **_with_weights("auc", "auc", SCORED, {"num_thresholds": 11}),
    **_with_weights("sensitivity_at_specificity", "sensitivity_at_specificity", SCORED,
                    {"specificity": 0.6, "num_thresholds": 11}),
    **_with_weights("specificity_at_sensitivity", "specificity_at_sensitivity", SCORED,
                    {"sensitivity": 0.6, "num_thresholds": 11}),
    **_with_weights("precision_at_k", "precision_at_k", AT_K, {"k": 2}, {"weights": BY_ROW}),
    **_with_weights("precision_at_top_k", "precision_at_top_k", AT_TOP_K, {"k": 2}, {"weights": BY_ROW}),
    **_with_weights("recall_at_k", "recall_at_k", AT_K, {"k": 2}, {"weights": BY_ROW}),
    **_with_weights("recall_at_top_k", "recall_at_top_k", AT_TOP_K, {"k": 2}, {"weights": BY_ROW}),
    **_with_weights("average_precision_at_k", "average_precision_at_k", AT_K, {"k": 3}, {"weights": BY_ROW}),
    **_with_weights("sparse_precision_at_k", "sparse_precision_at_k", AT_K, {"k": 2}, {"weights": BY_ROW}),
    **_with_weights("sparse_average_precision_at_k", "sparse_average_precision_at_k", AT_K, {"k": 2},
                    {"weights": BY_ROW}),
    "mean-named": Case("mean", {"values": NUMBERS}, {"name": "average"}),
    "mean-by_column": Case("mean", {"values": VECTORS, "weights": VECTORS[:, :1, :]}),
    "auc-pr": Case("auc", SCORED, {"num_thresholds": 11, "curve": "PR"}),
    "auc-pr-careful": Case("auc", SCORED, {"num_thresholds": 11, "curve": "PR",
                                            "summation_method": "careful_interpolation"}),
    "auc-minoring": Case("auc", SCORED, {"num_thresholds": 11, "summation_method": "minoring"}, False),
    "auc-majoring": Case("auc", SCORED, {"num_thresholds": 11, "summation_method": "majoring"}, False),
    "auc-200": Case("auc", SCORED, {}, False),
    "auc-thresholds": Case("auc", SCORED, {"thresholds": [0.25, 0.5, 0.65]}),
    "precision_at_k-class": Case("precision_at_k", AT_K, {"k": 2, "class_id": 1}, False),
    "recall_at_k-class": Case("recall_at_k", {**AT_K, "weights": BY_ROW}, {"k": 2, "class_id": 3}, False),
    "recall_at_top_k-class": Case("recall_at_top_k", AT_TOP_K, {"class_id": 3}, False),
    "precision_at_k-sparse": Case("precision_at_k", {"predictions": RANKED}, {"k": 2, "labels": SPARSE}, False),
    "recall_at_k-sparse-class": Case("recall_at_k", {"predictions": RANKED},
                                     {"k": 2, "labels": SPARSE, "class_id": 3}, False),
    "average_precision_at_k-sparse": Case("average_precision_at_k", {"predictions": RANKED, "weights": BY_ROW},
                                          {"k": 3, "labels": SPARSE}, False),
    "accuracy-columns": Case("accuracy", {"labels": CLASSES[..., None], "predictions": TAKEN_FOR,
                                          "weights": SHARES[..., None]}),
    "precision-column": Case("precision", {"labels": BINARY["labels"][..., None],
                                           "predictions": BINARY["predictions"][..., None], "weights": SHARES}),
}


def _essence(lines):
    """The lines without assertions, which are made of frames in TensorFlow, without the waiting for them, and without
    the inside of confusion matrices; quotients under one name (tf.div in 1.15, the operator / in 2.15)."""
    aside = re.compile(r"(^|\S*/)(assert_|confusion_matrix/|AssertGuard)")
    kept = [line for line in lines if not aside.match(line)]
    plain = [re.sub(r" \^\S+", "", line) for line in kept]
    return [re.sub(r"(/|^|(?<= ))(truediv|div)(_\d+)?(?=$|[ /])", r"\1div", line) for line in plain]


def recorded(tf, case):
    """The nodes, the names of results and variables, and the results: before any batch, then after each."""
    with tf.Graph().as_default() as graph:
        fed = {name: tf.placeholder(batches.dtype, batches.shape[1:], name=name) for name, batches in case.fed.items()}
        options = dict(case.options)
        if isinstance(options.get("labels"), tuple):
            indices, values, shape = options["labels"]
            options["labels"] = tf.SparseTensor(indices, np.array(values, np.int64), shape)
        value, update = getattr(tf.metrics, case.metric)(**fed, **options)
        nodes, results_named = _essence(listed(graph)), f"{value.name} {update.name}"
        local, metric = (tf.get_collection(key) for key in ("local_variables", "metric_variables"))
        assert local == metric
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            results = [session.run(value)]
            for number in range(2):
                feeds = {tensor: case.fed[name][number] for name, tensor in fed.items()}
                results += [session.run(update, feeds), session.run(value)]
        described = [f"{v.op.name} {v.dtype.base_dtype.name} {v.shape.as_list()}" for v in metric]
        return nodes, [results_named, *described], results
