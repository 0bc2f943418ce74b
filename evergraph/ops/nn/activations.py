"""Activation functions of neural networks and their gradients, softmax, and the losses built on it."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.base.recent import Computed
from evergraph.graph.opdef import op
from evergraph.graph.shaping import at_least_rank, broadcast, merge, same_as, scalar, with_rank
from evergraph.graph.traits import Memory
from evergraph.kernel.fence import computed_once
from evergraph.kernel.rows import along_first
from evergraph.ops.arrays.basic import broadcast_to, fill, shape, size, zeros_like
from evergraph.ops.arrays.reshape import concat_v2, expand_dims, reshape, squeeze
from evergraph.ops.math import channels, lines
from evergraph.ops.math.elementwise import add, exp, less, mul, neg, real_div, select, sub
from evergraph.ops.math.matmul import batch_mat_mul_v2
from evergraph.ops.math.reduce import sum_

SELU_SCALE = 1.0507009873554804934193349852946
SELU_ALPHA = 1.7580993408473768599402175208123  # scale times alpha


def _activation(name, types, kernel, doc, attrs="", **facets):
    kernel.__doc__ = doc
    return op(f"{name}(features: T, *, {attrs}T: {types}) -> activations: T", shape=same_as("features"), **facets)(
        kernel
    )


def _gradient(name, types, kernel, of, attrs="", **facets):
    """Declares an activation's gradient op, a function of the input (`of` is features) or the output (outputs)."""
    kernel.__doc__ = f"The gradient of {name.removesuffix('Grad')}."
    return op(
        f"{name}(gradients: T, {of}: T, *, {attrs}T: {types}) -> backprops: T",
        shape=lambda gradients: gradients,
        **facets,
    )(kernel)


def _passes(xp, passes, gradients):
    """One where the gradient passes, else zero: times NaN that is NaN, as in TensorFlow."""
    if xp is np:
        return passes.astype(gradients.dtype)
    return xp.where(passes, gradients.dtype.type(1), gradients.dtype.type(0))


relu_grad = _gradient(
    "ReluGrad",
    "real",
    lambda xp, gradients, features: gradients * _passes(xp, features > 0, gradients),
    "features",
    grad=lambda op, dy: (relu_grad(dy, op.inputs[1]), zeros_like(op.inputs[1])),
)


@relu_grad.bind
def _(node, known):
    def passed_back(gradients, features):
        if gradients.shape == features.shape and channels.takes(gradients):
            return channels.rectified_gradient(gradients, features)
        return relu_grad.kernel(np, gradients, features)
    return passed_back


relu = _activation(
    "Relu",
    "{real, qint8}",
    lambda xp, features: xp.maximum(features, features.dtype.type(0)),
    "The rectified linear unit: max(features, 0).",
    grad=lambda op, dy: relu_grad(dy, op.outputs[0]),
    export=("nn.relu",),
)



@relu.bind
def _(node, known):
    return lambda x: channels.rectified(x) if channels.takes(x) else relu.kernel(np, x)


relu6_grad = _gradient(
    "Relu6Grad",
    "real",
    lambda xp, gradients, features: gradients * _passes(xp, (features > 0) & (features < 6), gradients),
    "features",
    grad=lambda op, dy: (relu6_grad(dy, op.inputs[1]), zeros_like(op.inputs[1])),
)
relu6 = _activation(
    "Relu6",
    "real",
    lambda xp, features: xp.clip(features, 0, 6),
    "The rectified linear unit capped at 6: min(max(features, 0), 6).",
    grad=lambda op, dy: relu6_grad(dy, op.outputs[0]),
    export=("nn.relu6",),
)


def _single(attr, x):
    """An attr in the dtype of `x`; attrs have single precision."""
    return np.float32(attr).astype(x.dtype)


leaky_relu_grad = _gradient(
    "LeakyReluGrad",
    "floating = float",
    lambda xp, gradients, features, alpha: xp.where(features > 0, gradients, gradients * _single(alpha, gradients)),
    "features",
    "alpha: float = 0.2, ",
    grad=lambda op, dy: (leaky_relu_grad(dy, op.inputs[1], alpha=op.attrs["alpha"]), zeros_like(op.inputs[1])),
)
leaky_relu = _activation(
    "LeakyRelu",
    "floating = float",
    lambda xp, features, alpha: xp.where(features > 0, features, features * _single(alpha, features)),
    "The leaky rectified linear unit: features where positive, else alpha * features.",
    "alpha: float = 0.2, ",
    grad=lambda op, dy: leaky_relu_grad(dy, op.inputs[0], alpha=op.attrs["alpha"]),
)


def _second(op, dy):
    """The gradient of EluGrad and SeluGrad: both are linear in the gradient, and in outputs below zero."""
    gradients, outputs = op.inputs
    zero = zeros_like(outputs)
    return op.opdef(dy, outputs), select(less(outputs, zero), mul(dy, gradients), zero)


elu_grad = _gradient(
    "EluGrad",
    "floating",
    lambda xp, gradients, outputs: xp.where(outputs < 0, gradients * (outputs + 1), gradients),
    "outputs",
    grad=_second,
)
elu = _activation(
    "Elu",
    "floating",
    lambda xp, features: xp.where(features < 0, xp.expm1(features), features),
    "The exponential linear unit (Clevert et al., 2015): exp(features) - 1 where negative, else features.",
    grad=lambda op, dy: elu_grad(dy, op.outputs[0]),
    export=("nn.elu",),
)


selu_grad = _gradient(
    "SeluGrad",
    "floating",
    lambda xp, gradients, outputs: xp.where(
        outputs < 0, gradients * (outputs + outputs.dtype.type(SELU_ALPHA)), gradients * outputs.dtype.type(SELU_SCALE)
    ),
    "outputs",
    grad=_second,
)
selu = _activation(
    "Selu",
    "floating",
    lambda xp, features: xp.where(
        features < 0, features.dtype.type(SELU_ALPHA) * xp.expm1(features), features.dtype.type(SELU_SCALE) * features
    ),
    "The scaled exponential linear unit (Klambauer et al., 2017).",
    grad=lambda op, dy: selu_grad(dy, op.outputs[0]),
    export=("nn.selu",),
)


def _softplus(xp, features):
    return xp.logaddexp(features, features.dtype.type(0))


def _softplus_second(op, dy):
    gradients, features = op.inputs
    return softplus_grad(dy, features), real_div(mul(dy, gradients), add(add(exp(neg(features)), exp(features)), 2))


softplus_grad = _gradient(
    "SoftplusGrad",
    "floating",
    lambda xp, gradients, features: gradients / (xp.exp(-features) + 1),
    "features",
    grad=_softplus_second,
)
softplus = _activation(
    "Softplus",
    "floating",
    _softplus,
    "The softplus function log(1 + exp(features)).",
    grad=lambda op, dy: softplus_grad(dy, op.inputs[0]),
    export=("nn.softplus", "math.softplus"),
)

softsign_grad = _gradient(
    "SoftsignGrad", "floating", lambda xp, gradients, features: gradients / (xp.abs(features) + 1) ** 2, "features"
)
softsign = _activation(
    "Softsign",
    "floating",
    lambda xp, features: features / (xp.abs(features) + 1),
    "The softsign function features / (1 + |features|).",
    grad=lambda op, dy: softsign_grad(dy, op.inputs[0]),
    export=("nn.softsign", "math.softsign"),
)


# ---- softmax


def _softmax_gradient(op, dy):
    y = op.outputs[0]
    return mul(sub(dy, sum_(mul(dy, y), [-1], keep_dims=True)), y)


@op(
    "Softmax(logits: T, *, T: floating) -> softmax: T",
    grad=_softmax_gradient,
    shape=lambda logits: at_least_rank(logits, 1),
    memory=Memory.REREADS,
    in_batches=along_first,
)
def softmax(xp, logits):
    """Softmax along the last axis: exp(logits) / sum(exp(logits))."""
    if lines.takes(logits):
        return lines.softmax(logits)
    raised = xp.exp(logits - logits.max(-1, keepdims=True)) if logits.shape[-1] else logits
    return raised / raised.sum(-1, keepdims=True)


@op(
    "LogSoftmax(logits: T, *, T: floating) -> logsoftmax: T",
    shape=lambda logits: at_least_rank(logits, 1),
    grad=lambda op, dy: sub(dy, mul(sum_(dy, [-1], keep_dims=True), exp(op.outputs[0]))),
    memory=Memory.REREADS,
    in_batches=along_first,
)
def log_softmax(xp, logits):
    """Log-softmax along the last axis: logits - log(sum(exp(logits)))."""
    return _log_softmax(xp, logits)


def _log_softmax(xp, logits):
    if not logits.shape[-1]:
        return logits
    if lines.takes(logits):
        shifted = lines.shifted(logits)
        return shifted - np.log(lines.sums(np.exp(shifted), True))
    shifted = logits - logits.max(-1, keepdims=True)
    return shifted - xp.log(xp.exp(shifted).sum(-1, keepdims=True))


def _xent_shape(features, labels):
    both = broadcast(features, labels)
    if both is not None and len(both) != 2:
        raise ValueError(f"what features and labels broadcast to must have rank 2, but is rank {len(both)}")
    both = with_rank(both, 2)
    return [both[:1], both]


def _by_logits(op, dy, dbackprop):
    """The gradient with respect to the logits: of the loss and, for second derivatives, of the first gradient."""
    gradient = mul(expand_dims(dy, -1), op.outputs[1])
    if dbackprop is None or dbackprop.source.type == "ZerosLike":
        return gradient
    probability = softmax(op.inputs[0])
    inner = batch_mat_mul_v2(expand_dims(dbackprop, 1), expand_dims(probability, 2))
    return add(gradient, mul(sub(dbackprop, squeeze(inner, axis=[1])), probability))


def _softmax_xent_gradient(op, dy, dbackprop):
    return _by_logits(op, dy, dbackprop), mul(expand_dims(dy, -1), neg(log_softmax(op.inputs[0])))


@op(
    "SoftmaxCrossEntropyWithLogits(features: T, labels: T, *, T: floating) -> loss: T, backprop: T",
    shape=_xent_shape,
    grad=_softmax_xent_gradient,
    memory=Memory.REREADS,
)
def softmax_cross_entropy_with_logits(xp, features, labels):
    """The softmax cross entropy of each row of logits with the label distribution, and its gradient by the logits."""
    if features.shape != labels.shape:
        features = xp.broadcast_to(features, np.broadcast_shapes(features.shape, labels.shape))
    log_probability = _log_softmax(xp, features)
    product = labels * log_probability
    loss = -(lines.sums(product, False) if lines.takes(product) else product.sum(-1))
    return loss, xp.exp(log_probability) - labels


def _sparse_xent_shape(features, labels):
    features, labels = with_rank(features, 2), with_rank(labels, 1)
    rows = merge(features[:1], labels)
    return [rows, (rows[0], features[1])]


def _check_ranks(features, labels):
    for what, x, rank in (("logits", features, 2), ("labels", labels, 1)):
        if x.ndim != rank:
            raise invalid(f"{what} must be {rank}-D, but got shape {list(x.shape)}")
    if features.shape[0] != labels.shape[0]:
        raise invalid(f"every row of logits has one label: logits are {list(features.shape)}, labels "
                      f"{list(labels.shape)}")


@op(
    "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels, *, T: floating, Tlabels: index = int64) -> "
    "loss: T, backprop: T",
    shape=_sparse_xent_shape,
    grad=lambda op, dy, dbackprop: (_by_logits(op, dy, dbackprop), None),
    memory=Memory.REREADS,
)
def sparse_softmax_cross_entropy_with_logits(xp, features, labels, check):
    """The softmax cross entropy of each row of logits with a class index, and its gradient by the logits."""
    _check_ranks(features, labels)
    classes = features.shape[1]
    known = (labels >= 0) & (labels < classes)
    if labels.size and not (xp is np and known.all()):
        check(
            known.all(),
            "Received a label value of {}, and classes are numbered in [0, "
            + str(classes)
            + ").  Label values: {}",
            xp.asarray(labels)[xp.argmin(known)],
            labels,
        )
    if classes == 0:
        return xp.zeros(labels.shape, features.dtype), features
    # Otherwise XLA fuses the product that computes the features into each part of this and recomputes it.
    log_probability = _log_softmax(xp, computed_once(features))
    if type(features) is type(labels) is np.ndarray:
        return _chosen_on_numpy(log_probability, labels)
    chosen = labels[:, None] == xp.arange(classes, dtype=labels.dtype)[None, :]
    loss = -xp.take_along_axis(log_probability, xp.clip(labels, 0, classes - 1)[:, None], axis=1)[:, 0]
    return loss, xp.exp(log_probability) - chosen.astype(features.dtype)


def _chosen_on_numpy(log_probability, labels):
    """The cross entropy of each row with one class, and its gradient, with the calls that NumPy is quick at."""
    rows = np.arange(len(labels))
    slopes = np.exp(log_probability)
    slopes[rows, labels] -= 1
    return -log_probability[rows, labels], slopes


@op(
    "L2Loss(t: T, *, T: floating) -> output: T",
    shape=scalar,
    grad=lambda op, dy: mul(op.inputs[0], dy),
    adds_up=True,
    export=("nn.l2_loss",),
    memory=Memory.REREADS,
)
def l2_loss(xp, t):
    """Half the squared L2 norm: sum(t ** 2) / 2."""
    squares = lines.sum_of_squares(t) if lines.takes_all(t) else (t * t).sum()
    return squares / t.dtype.type(2)


# ---- bias


def _channel(data_format, rank):
    return 1 if data_format == "NCHW" else rank - 1


@op("BiasAdd(value: T, bias: T, *, T: number, data_format: {'NHWC', 'NCHW'} = 'NHWC') -> output: T")
def bias_add(xp, value, bias, data_format):
    """value + bias, with one bias per channel."""
    axis = _channel(data_format, value.ndim)
    if bias.ndim != 1 or bias.size != value.shape[axis]:
        raise invalid(f"Must provide as many biases as the channels of the input: value is {list(value.shape)}, bias "
                      f"is {list(bias.shape)}, data_format is {data_format}")
    behind = value.ndim - 1 - axis
    return value + (bias.reshape((bias.size,) + (1,) * behind) if behind else bias)


@bias_add.bind
def _(node, known):
    if node.attrs["data_format"] != "NHWC":
        return None

    def biased(value, bias):
        if not value.ndim or bias.shape != value.shape[-1:]:
            return bias_add.kernel(np, value, bias, "NHWC")
        return channels.biased(value, bias) if channels.takes(value) else value + bias
    return biased


@bias_add.shape
def _biased_shape(value, bias, data_format):
    bias = with_rank(bias, 1)
    if at_least_rank(value, 2) is None:
        return None
    axis = _channel(data_format, len(value))
    channels = merge(value[axis : axis + 1], bias)
    return (*value[:axis], *channels, *value[axis + 1 :])


@bias_add.grad
def _(op, dy):
    return dy, bias_add_grad(dy, data_format=op.attrs["data_format"])


@op(
    "BiasAddV1(value: T, bias: T, *, T: number) -> output: T",
    shape=lambda value, bias: _biased_shape(value, bias, "NHWC"),
    grad=lambda op, dy: (dy, bias_add_grad(dy)),
)
def bias_add_v1(xp, value, bias):
    """value + bias along the last axis."""
    return bias_add.kernel(xp, value, bias, "NHWC")


@op("BiasAddGrad(out_backprop: T, *, T: number, data_format: {'NHWC', 'NCHW'} = 'NHWC') -> output: T",
    memory=Memory.STORED)
def bias_add_grad(out_backprop, data_format):
    """The gradient of BiasAdd with respect to the bias: the sum over all axes but the channels."""
    axis = _channel(data_format, out_backprop.ndim)
    return out_backprop.sum(tuple(i for i in range(out_backprop.ndim) if i != axis))


@bias_add_grad.bind
def _(node, known):
    data_format = node.attrs["data_format"]
    axes = Computed(lambda rank: tuple([axis for axis in range(rank) if axis != _channel(data_format, rank)]))

    def summed(out_backprop):
        if data_format == "NHWC" and channels.takes(out_backprop):
            return channels.sums(out_backprop)
        return np.add.reduce(out_backprop, axes[out_backprop.ndim])
    return summed


@bias_add_grad.shape
def _(out_backprop, data_format):
    if out_backprop is None:
        return (None,)
    return (out_backprop[_channel(data_format, len(out_backprop))],)


@bias_add_grad.grad
def _(op, dy):
    """Broadcasts the bias gradient's gradient over all positions of a channel."""
    sizes = shape(op.inputs[0])
    if op.attrs["data_format"] == "NHWC":
        return broadcast_to(dy, sizes)
    behind = fill(reshape(sub(size(sizes), 2), [1]), 1)
    return broadcast_to(reshape(dy, concat_v2([[-1], behind], 0)), sizes)
