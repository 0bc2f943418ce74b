"""tf.train.do_quantize_training_on_graphdef: trains with the inputs of products rounded to few bits."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.formats.tensor_messages import proto_to_array
from evergraph.graph.codec import encode_attr
from evergraph.graph.opdef import OpDef
from evergraph.ops.arrays import basic, reshape
from evergraph.ops.control import frames
from evergraph.ops.math import elementwise, matmul, quantize, reduce
from evergraph.ops.nn import activations, conv, pool
from evergraph.ops.state import checkpoints, variables
from evergraph.proto import graph_pb2, node_def_pb2

_DECAY = 0.999
_FLOAT = dtypes.float32


class _Range(NamedTuple):
    """What is known of values: whether they may be negative, and their limits, or None to measure them."""

    is_signed: bool = True
    limits: tuple[float, float] | None = None


_TARGETS = {opdef.name for opdef in (matmul.mat_mul, conv.conv2d)}
_RANGES = {opdef.name: found for opdef, found in (
    (activations.relu, _Range(False)), (activations.relu6, _Range(False, (0.0, 6.0))),
    (elementwise.sigmoid, _Range(False, (0.0, 1.0))), (elementwise.tanh, _Range(True, (-1.0, 1.0))))}
# These have the range of their first input.
_SAME_RANGE = {opdef.name for opdef in (
    basic.identity, reshape.reshape, reshape.concat_v2, pool.max_pool, pool.avg_pool)}


@export("train.do_quantize_training_on_graphdef")
def do_quantize_training_on_graphdef(input_graph: Any, num_bits: int) -> Any:
    """A graph whose products and convolutions take inputs that are rounded to a number of bits.

    Each input of a MatMul or Conv2D outside of gradients passes a QuantizeAndDequantizeV2. Its range is known after
    Relu6, Sigmoid and Tanh. Otherwise the range is a moving average of smallest and largest values in variables, which
    start with the first batch and are saved and restored with the others.

    >>> quantized = tf.train.do_quantize_training_on_graphdef(tf.get_default_graph().as_graph_def(), num_bits=8)

    Args:
        input_graph: a GraphDef.
        num_bits: the number of bits, from 1 to 63.

    Returns:
        The new GraphDef.

    Raises:
        IndexError: `num_bits` is out of its range.
        ValueError: an input of a product is not of float32.
    """
    if not 1 <= num_bits <= 63:
        raise IndexError(f"num_bits lies in the range [1, 63] but is: {num_bits}")
    rewriting = _Rewriting(input_graph, num_bits)
    for node in list(rewriting.graph.node):
        if node.op in _TARGETS and "gradients" not in node.name:
            rewriting.quantize_inputs(node)
    rewriting.save_variables()
    return rewriting.graph


class _Rewriting:
    """A copy of a graph, to which nodes are added."""

    def __init__(self, graph: Any, num_bits: int) -> None:
        self.graph = graph_pb2.GraphDef.FromString(graph.SerializeToString())
        self._num_bits, self._variables = num_bits, []
        self._by_name = {node.name: node for node in self.graph.node}
        self._quantized: dict[str, str] = {}

    def _add(self, opdef: OpDef, name: str, *inputs: str, **given: Any) -> str:
        node = self.graph.node.add(name=name, op=opdef.name, input=inputs)
        for attr in opdef.signature.attrs:
            node.attr[attr.name].CopyFrom(encode_attr(attr.kind, given.get(attr.name, attr.default)))
        return name

    def _constant(self, name: str, value: Any) -> str:
        array = np.asarray(value)
        return self._add(basic.const, name, value=array, dtype=dtypes.as_dtype(array.dtype))

    # ---- rounding

    def quantize_inputs(self, node: node_def_pb2.NodeDef) -> None:
        """Puts a rounding before each input of a node."""
        if node.attr["T"].type != _FLOAT.as_datatype_enum:
            raise ValueError(f"training can be quantized for float32 alone, but {node.name} is of "
                             f"{dtypes.as_dtype(node.attr['T'].type).name}")
        for place, tensor in enumerate(node.input):
            if not tensor.startswith("^"):
                node.input[place] = self._rounded(tensor)

    def _rounded(self, tensor: str) -> str:
        if tensor not in self._quantized:
            source = tensor.partition(":")[0]
            taken = f"{source}/{quantize.quantize_and_dequantize_v2.name}" in self._by_name
            self._quantized[tensor] = self._add_rounding(tensor, f"{source}_1" if taken else source)
        return self._quantized[tensor]

    def _add_rounding(self, tensor: str, scope: str) -> str:
        known = self._range_of(tensor)
        if known.limits is None:
            low, high = self._measured(tensor, scope)
        else:
            low, high = (self._constant(f"{scope}/{name}", np.float32(limit))
                         for name, limit in zip(("InputMin", "InputMax"), known.limits, strict=True))
        opdef = quantize.quantize_and_dequantize_v2
        return self._add(opdef, f"{scope}/{opdef.name}", tensor, low, high, signed_input=known.is_signed,
                         num_bits=self._num_bits, range_given=True, T=_FLOAT)

    def _range_of(self, tensor: str) -> _Range:
        node = self._by_name[tensor.partition(":")[0]]
        if node.op in _SAME_RANGE and node.input:
            return self._range_of(node.input[0])
        return _RANGES.get(node.op, _Range())

    def _measured(self, tensor: str, scope: str) -> list[str]:
        """The moving averages of the smallest and the largest value of a tensor."""
        decay = self._constant(f"{scope}/Decay", np.float32(_DECAY))
        axes = f"{scope}/ReductionAxes"
        start, delta = (self._constant(f"{axes}/{name}", np.int32(value))
                        for name, value in (("RangeStart", 0), ("RangeDelta", 1)))
        rank = self._add(basic.rank, f"{axes}/InputRank", tensor, T=_FLOAT)
        every = self._add(basic.range_, f"{axes}/ReductionAxes", start, rank, delta, Tidx=dtypes.int32)
        extremes = [self._add(opdef, f"{scope}/{opdef.name}", tensor, every, T=_FLOAT, Tidx=dtypes.int32,
                              keep_dims=False) for opdef in (reduce.min_, reduce.max_)]
        return [self._moving_average(extreme, decay) for extreme in extremes]

    def _moving_average(self, value: str, decay: str) -> str:
        """A variable that starts with the value, and then moves towards it."""
        variable = self._add(variables.variable_v2, f"{value}/Variable", shape=(), dtype=_FLOAT)
        self._variables.append(variable)
        is_there = self._add(variables.is_variable_initialized, f"{value}/IsInitialized", variable, dtype=_FLOAT)
        chosen = self._add(frames.switch, f"{value}/Switch", value, is_there, T=_FLOAT)
        one = self._constant(f"{value}/EMA/OneConst", np.float32(1))
        share = self._add(elementwise.sub, f"{value}/EMA/DecayComplement", one, decay, T=_FLOAT)
        change = self._add(elementwise.sub, f"{value}/EMA/ValueDiff", variable, f"{chosen}:1", T=_FLOAT)
        step = self._add(elementwise.mul, f"{value}/EMA/UpdateValue", change, share, T=_FLOAT)
        moved = self._add(elementwise.sub, f"{value}/EMA/EMAValue", variable, step, T=_FLOAT)
        either = self._add(frames.merge, f"{value}/Merge", chosen, moved, T=_FLOAT, N=2)
        return self._add(variables.assign, f"{value}/AssignValue", variable, either, T=_FLOAT)

    # ---- checkpoints

    def save_variables(self) -> None:
        """Adds the variables to what the graph saves and restores, if it does."""
        savers = [node for node in self.graph.node if node.op == checkpoints.save_v2.name]
        restores = [node for node in self.graph.node if node.op == basic.no_op.name
                    and node.name.endswith("restore_all")]
        if not savers or not restores or not self._variables:
            return
        saver, restore_all = savers[0], restores[0]
        for name, added in zip(saver.input[1:3], (self._variables, [""] * len(self._variables)), strict=True):
            self._extend(self._by_name[name], added)
        saver.input.extend(self._variables)
        saver.attr["dtypes"].list.type.extend([_FLOAT.as_datatype_enum] * len(self._variables))
        scope, number = saver.name.rpartition("/")[0], 0
        for variable in self._variables:
            value = self._restored(f"{scope}/RestoreV2/_{number}_qt", saver.input[0], variable)
            assign = self._add(variables.assign, f"{scope}/Assign/_{number + 1}_qt", variable, value, T=_FLOAT)
            restore_all.input.append(f"^{assign}")
            number += 2

    def _restored(self, name: str, path: str, variable: str) -> str:
        names, slices = (self._constant(f"{name}/{what}", np.array([text], object))
                         for what, text in (("tensor_names", variable.encode()), ("shape_and_slices", b"")))
        return self._add(checkpoints.restore_v2, name, path, names, slices, dtypes=[_FLOAT])

    def _extend(self, constant: node_def_pb2.NodeDef, texts: list[str]) -> None:
        """Appends to a constant vector of strings."""
        old = proto_to_array(constant.attr["value"].tensor)
        new = np.array([*old.reshape(-1).tolist(), *(text.encode() for text in texts)], object)
        constant.attr["value"].CopyFrom(encode_attr("tensor", new))
