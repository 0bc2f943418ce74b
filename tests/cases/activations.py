"""Activations, softmax, losses of logits and biases: evergraph/ops/nn/activations.py."""

from tests.harness import bf16, case, f16, f64, floats, i32, i64, ints

x34 = floats(3, 4)
far = f64([[-800, -30, -1], [1, 30, 800]])
probabilities = floats(3, 4, low=0.1, high=1, seed=7)
image = floats(2, 3, 2, 4)

CASES = [
    *[case(op, x34) for op in ("Relu", "Relu6", "LeakyRelu", "Elu", "Selu", "Softplus", "Softsign", "Softmax",
                               "LogSoftmax", "L2Loss")],
    *[case(op, far).no_differences("saturated") for op in ("Elu", "Selu", "Softplus", "Softsign", "Softmax",
                                                           "LogSoftmax")],
    *[case(op, f16([-3, -0.5, 0.5, 3])).no_differences("half precision") for op in ("Relu", "Softplus", "Softmax")],
    case("Relu", ints(3, 4, low=-5, high=5)),
    case("Relu", bf16([-1, 2])).no_differences("half precision"),
    case("Relu6", f64([-1, 3, 7])),
    case("LeakyRelu", x34, alpha=0.5),
    *[case(op, x34, floats(3, 4, seed=1)) for op in ("ReluGrad", "Relu6Grad", "LeakyReluGrad", "EluGrad", "SeluGrad",
                                                     "SoftplusGrad")],
    case("SoftsignGrad", x34, floats(3, 4, seed=1)).no_grad("TensorFlow has none"),
    case("ReluGrad", f64([1, 2]), f64([0, 1])).no_differences("kink"),
    case("Softmax", floats(2, 3, 4)),
    case("Softmax", floats(0, 3)),
    case("LogSoftmax", floats(2, 3, 4)),
    case("LogSoftmax", floats(2, 0)),
    case("SoftmaxCrossEntropyWithLogits", x34, probabilities).no_differences("the second output has no gradient"),
    case("SoftmaxCrossEntropyWithLogits", x34, floats(1, 4)).no_grad("TensorFlow's is not of the input's shape"),
    case("SoftmaxCrossEntropyWithLogits", x34, floats(3, 5)).fails("ValueError"),
    case("SparseSoftmaxCrossEntropyWithLogits", x34, i32([1, 0, 3])).no_differences("the same"),
    case("SparseSoftmaxCrossEntropyWithLogits", x34.astype("float64"), i64([1, 0, 3])).no_differences("the same"),
    case("SparseSoftmaxCrossEntropyWithLogits", x34, i32([1, 0, 4])).fails("InvalidArgumentError"),
    case("SparseSoftmaxCrossEntropyWithLogits", x34, i32([1, 0])).fails("ValueError"),
    case("BiasAdd", image, floats(4)),
    case("BiasAdd", x34, floats(4)),
    case("BiasAdd", image, floats(3), data_format="NCHW"),
    case("BiasAdd", ints(2, 3), ints(3)),
    case("BiasAdd", x34, floats(3)).fails("ValueError"),
    case("BiasAddV1", x34, floats(4)),
    case("BiasAddGrad", image),
    case("BiasAddGrad", image, data_format="NCHW"),
]
