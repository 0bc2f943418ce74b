"""Tells how far two integers are apart that move together, such as the ends of the slice `x[i * n : (i + 1) * n]`."""
import numpy as np

from evergraph.graph.shaping import static_value

_MOST = 64  # nodes that are looked at for one integer


def distance(start, end):
    """`end - start` of two scalar integer tensors, or of ints, if it is the same in every step; else None."""
    first, last = _terms(start), _terms(end)
    if first is None or last is None:
        return None
    terms = {tensor: last.get(tensor, 0) - first.get(tensor, 0) for tensor in (*first, *last)}
    return None if any(factor for tensor, factor in terms.items() if tensor is not None) else terms.get(None, 0)


def scalars(tensor):
    """The elements of a vector as scalar tensors and ints; None if its node does not tell them apart."""
    value = static_value(tensor)
    if value is not None:
        return [int(item) for item in np.ravel(value)]
    node = tensor.op
    return list(node.inputs) if node.type == "Pack" and not node.inputs[0].shape.ndims else None


def _terms(number):
    """A number as a sum: tensor -> the factor that it occurs with; None -> the constant. None if it is too long."""
    found, left = {}, [(number, 1)]
    for _ in range(_MOST):
        if not left:
            return found
        tensor, factor = left.pop()
        value = tensor if isinstance(tensor, int) else static_value(tensor)
        if value is not None:
            found[None] = found.get(None, 0) + factor * int(value)
        elif (parts := _parts(tensor.op)) is not None:
            left += [(part, factor * times) for part, times in parts]
        else:
            found[tensor] = found.get(tensor, 0) + factor
    return None


def _parts(node):
    """The tensors that add up to the output of a node, each with its factor; None if the node does something else."""
    kind, inputs = node.type, node._inputs
    if kind in ("Add", "AddV2"):
        return [(inputs[0], 1), (inputs[1], 1)]
    if kind == "Sub":
        return [(inputs[0], 1), (inputs[1], -1)]
    if kind == "Neg":
        return [(inputs[0], -1)]
    if kind == "Identity" or kind == "Cast" and inputs[0]._dtype.is_integer:
        return [(inputs[0], 1)]
    if kind == "Mul":
        for factor, other in (inputs, reversed(inputs)):
            value = static_value(factor)
            if value is not None:
                return [(other, int(value))]
    return None
