"""tf.contrib.labeled_tensor's activations and losses, which `contrib.labeled_tensor.python.ops.nn` has."""

from __future__ import annotations

from typing import Any

from evergraph.contrib.labeled_tensor.elementwise import define_binary_op, define_unary_op
from evergraph.contrib.labeled_tensor.tensor import LabeledTensor, align, convert_to_labeled_tensor
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.nn import activations as front
from evergraph.frontend.nn import cross_entropy
from evergraph.ops.nn import activations

relu = define_unary_op("relu", activations.relu)
relu6 = define_unary_op("relu6", activations.relu6)
elu = define_unary_op("elu", activations.elu)
softplus = define_unary_op("softplus", activations.softplus)
softmax = define_unary_op("softmax", front.softmax)
log_softmax = define_unary_op("log_softmax", front.log_softmax)
sigmoid_cross_entropy_with_logits = define_binary_op(
    "sigmoid_cross_entropy_with_logits",
    lambda logits, labels, name: cross_entropy.sigmoid_cross_entropy_with_logits(
        labels=labels, logits=logits, name=name))


def crelu(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """`tf.nn.crelu` of a labeled tensor, whose last axis keeps its name only."""
    with name_scope(name, "lt_crelu", [labeled_tensor]) as scope:
        value = convert_to_labeled_tensor(labeled_tensor)
        *kept, last = value.axes.values()
        return LabeledTensor(front.crelu(value.tensor, name=scope), [*kept, last.name])


def l2_loss(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """`tf.nn.l2_loss` of a labeled tensor, a scalar."""
    with name_scope(name, "lt_l2_loss", [labeled_tensor]) as scope:
        return LabeledTensor(activations.l2_loss(convert_to_labeled_tensor(labeled_tensor).tensor, name=scope), [])


def softmax_cross_entropy_with_logits(logits: Any, labels: Any, name: str | None = None) -> LabeledTensor:
    """`tf.nn.softmax_cross_entropy_with_logits` over the last axis of two labeled tensors."""
    with name_scope(name, "lt_softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        logits, labels, axes = align(logits, labels)
        losses = cross_entropy.softmax_cross_entropy_with_logits(
            labels=labels.tensor, logits=logits.tensor, name=scope)
        return LabeledTensor(losses, list(axes.values())[:-1])


def sparse_softmax_cross_entropy_with_logits(logits: Any, labels: Any, name: str | None = None) -> LabeledTensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`: labels have the axes of the logits without the last one."""
    with name_scope(name, "lt_sparse_softmax_cross_entropy_with_logits", [logits, labels]) as scope:
        labels = convert_to_labeled_tensor(labels)
        losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(
            labels=labels.tensor, logits=convert_to_labeled_tensor(logits).tensor, name=scope)
        return LabeledTensor(losses, labels.axes)
