"""Builds the graph of a case with whichever package is asked, and runs it."""

import dataclasses
import zlib

import numpy as np

SHAPES = ("full", "partial", "unknown")


@dataclasses.dataclass
class Built:
    """The graph of one case: what to feed, what the op returned, and the variables it may have changed."""

    graph: object
    tensors: list          # one a leaf of the case
    feeds: dict
    outputs: list          # the op's output tensors, flat
    targets: list          # the op itself, where it returns no tensor
    initializer: list
    state: list            # tensors that read the variables

    @property
    def fetched(self):
        """The outputs that have a value outside a session."""
        return [each for each in self.outputs if each.dtype.base_dtype.name not in ("resource", "variant")]

    def run(self, session):
        """One step: the values of `fetched`."""
        # Copies: TensorFlow's SdcaOptimizer writes into the array that it is fed with.
        feeds = {tensor: np.array(value) for tensor, value in self.feeds.items()}
        return session.run([self.fetched, self.targets], feeds)[0]


def build(tf, apply_op, case, shapes="full"):
    """The graph of `case`, with placeholders whose static shape is known fully, partially or not at all."""
    built, inputs = arguments(tf, case, shapes)
    with built.graph.as_default():
        returned = case.build(tf, *inputs) if case.build else apply_op(case.op, inputs, case.attrs)
        for each in flat_outputs(tf, returned):
            (built.targets if isinstance(each, tf.Operation) else built.outputs).append(each)
    return built


def arguments(tf, case, shapes="full"):
    """(a graph with the inputs of `case` and nothing else, the arguments for its op)."""
    graph = tf.Graph()
    with graph.as_default():
        built = Built(graph, [], {}, [], [], [], [])
        return built, [[_tensor(tf, built, leaf, shapes) for leaf in each] if isinstance(each, list)
                       else _tensor(tf, built, each, shapes) for each in case.inputs]


def gradients(tf, built, case, output_shapes):
    """Gradients of the weighted outputs with respect to every input that has one: tensors or None, one a leaf."""
    ys = [each for each in built.outputs if _is_differentiable(each)]
    leaves = [at for at, leaf in enumerate(case.leaves) if leaf.differentiable and leaf.kind != "ref"]
    found = [None] * len(case.leaves)
    if not ys or not leaves:
        return found
    with built.graph.as_default():
        weights = [tf.constant(weight(shape, at), each.dtype.base_dtype) for at, (each, shape) in
                   enumerate(zip(built.outputs, output_shapes)) if _is_differentiable(each)]
        for at, dx in zip(leaves, tf.gradients(ys, [built.tensors[at] for at in leaves], weights)):
            found[at] = None if dx is None else tf.convert_to_tensor(dx)
    return found


def weight(shape, at):
    """The fixed weights with which output number `at` enters the scalar that is differentiated."""
    seed = zlib.crc32(repr((tuple(shape), at)).encode())
    return np.random.RandomState(seed).uniform(-1, 1, size=shape)


def initialize(session, built):
    if built.initializer:
        session.run(built.initializer)


def _tensor(tf, built, leaf, shapes):
    tensor = _MAKERS[leaf.kind](tf, built, leaf, shapes)
    built.tensors.append(tensor)
    return tensor


def _placeholder(tf, built, leaf, shapes):
    tensor = tf.placeholder(leaf.dtype, _static_shape(leaf.value.shape, shapes))
    built.feeds[tensor] = leaf.value.astype(tensor.dtype.as_numpy_dtype)
    return tensor


def _constant(tf, built, leaf, shapes):
    return tf.constant(leaf.value, leaf.dtype)


def _ref(tf, built, leaf, shapes):
    raw = tf.raw_ops
    variable = raw.VariableV2(shape=leaf.value.shape, dtype=leaf.dtype, container="", shared_name="")
    value = tf.constant(leaf.value, leaf.dtype)
    built.initializer.append(raw.Assign(ref=variable, value=value, validate_shape=True, use_locking=True).op)
    built.state.append(variable)
    return variable


def _resource(tf, built, leaf, shapes):
    raw = tf.raw_ops
    name = f"variable_{len(built.tensors)}"
    handle = raw.VarHandleOp(dtype=leaf.dtype, shape=leaf.value.shape, container="", shared_name=name)
    built.initializer.append(raw.AssignVariableOp(resource=handle, value=tf.constant(leaf.value, leaf.dtype)))
    built.state.append(raw.ReadVariableOp(resource=handle, dtype=leaf.dtype))
    return handle


_MAKERS = {"feed": _placeholder, "constant": _constant, "ref": _ref, "resource": _resource}


def _static_shape(shape, shapes):
    if shapes == "unknown":
        return None
    return [None if shapes == "partial" and at % 2 == 0 else size for at, size in enumerate(shape)]


def flat_outputs(tf, returned):
    """The tensors and operations that an op or a function returned."""
    if isinstance(returned, tf.Operation | tf.Tensor):
        return [returned]
    if returned is None:
        return []
    if not isinstance(returned, list | tuple):
        return [tf.convert_to_tensor(returned)]
    return [each for part in returned for each in flat_outputs(tf, part)]


def _is_differentiable(tensor):
    dtype = tensor.dtype.base_dtype
    return dtype.is_floating or dtype.is_complex
