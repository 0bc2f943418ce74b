"""Applies an op: converts the inputs, infers the attrs, checks both, and adds a node to the graph."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import TensorShape
from evergraph.graph import convert
from evergraph.graph.codec import NameAttrList
from evergraph.graph.graph import Graph, default_graph
from evergraph.graph.node import Operation, Tensor
from evergraph.graph.signature import REQUIRED, Arg, Attr
from evergraph.kernel import calling

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef


_SIZES = {dtypes.int32, dtypes.int64}
MOST_TENSORS = 2**20  # that one argument of a node stands for: attrs of hostile graphs ask for any number


class Plan:
    """The parts of an op's signature that `apply_op` needs, extracted once per op."""

    def __init__(self, opdef: OpDef) -> None:
        signature = opdef.signature
        self.inputs: tuple[Arg, ...] = tuple(signature.inputs)
        self.outputs: tuple[Arg, ...] = tuple(signature.outputs)
        self.attrs: tuple[Attr, ...] = tuple(signature.attrs)
        self.preferred = {a.name: a.default for a in signature.attrs if a.kind == "type" and a.default is not REQUIRED}
        self.allowed = {a.name: a.allowed for a in signature.attrs if a.allowed}
        self.sizes = {name for name, allowed in self.allowed.items() if _SIZES.issuperset(allowed)}
        self.functions = tuple(a.name for a in signature.attrs if a.kind in ("func", "list(func)"))
        self.has_lists = any(a.is_list for a in self.inputs)
        self.by_reference = any(a.is_ref for a in self.inputs) and not self.has_lists
        self.references = [a.name for a in (*self.inputs, *self.outputs) if a.is_ref]
        alone = len(self.outputs) == 1 and not self.outputs[0].is_list and not self.outputs[0].is_ref
        self.only_output: Any = self.outputs[0] if alone else None
        inferred = {a.type_attr for a in self.inputs if not a.is_list}
        self.is_inferred = all(a.name in inferred for a in self.attrs)
        self.settled: dict[Any, dict[str, Any]] = {}  # if all attrs follow from inputs: the attrs for their dtypes
        many = len(self.outputs) > 1
        fields = [a.name if a.name.isidentifier() else f"output{i}" for i, a in enumerate(self.outputs)]
        self.result = collections.namedtuple(opdef.name, fields, rename=True) if many else None

    def wraps(self, arg: Arg) -> bool:
        """Whether Python ints that are too large are cast as in C: not where they are sizes, axes or counts."""
        return arg.type is None and arg.type_attr not in self.sizes

    def takes_ref(self, attrs: dict[str, Any], position: int) -> bool:
        """Whether the op declares input number `position`, lists counted by tensor, as a reference."""
        if not self.has_lists:
            return position < len(self.inputs) and self.inputs[position].is_ref
        for arg in self.inputs:
            count = calling.count_of(arg, attrs)
            if position < count:
                return arg.is_ref
            position -= count
        return False


def apply_op(opdef: OpDef, values: Sequence[Any], attrs: dict[str, Any], name: str | None = None) -> Any:
    """Adds a node that applies `opdef` to `values`, and returns its outputs as `pack_outputs` does."""
    plan = opdef.plan
    graph = graph_of(values, default_graph())
    if plan.references and graph.is_eager:
        raise RuntimeError(
            f"{opdef.__name__} op does not support eager execution. Arg '{plan.references[0]}' is a ref.")
    full_name = graph.claim_name(name or opdef.name)
    inputs = _Inputs(opdef, graph, full_name)
    flat = inputs.converted(values)
    node_attrs = _settle_attrs(opdef, plan, graph, full_name, attrs, inputs.inferred)
    if plan.by_reference:
        with graph._colocated([tensor.source for arg, tensor in zip(plan.inputs, flat) if arg.is_ref]):
            return pack_outputs(plan, graph.add_node(opdef, full_name, flat, node_attrs))
    return pack_outputs(plan, graph.add_node(opdef, full_name, flat, node_attrs))


def pack_outputs(plan: Plan, node: Operation) -> Any:
    """The outputs as the Python function of an op returns them: a tensor, a list or a named tuple.

    An op without outputs returns the operation, or None if it has run already.
    """
    if not plan.outputs:
        return None if node.graph.is_eager else node
    outputs = node.outputs
    if plan.result is None:
        return list(outputs) if plan.outputs[0].is_list else outputs[0]
    if len(outputs) == len(plan.outputs) and not any(a.is_list for a in plan.outputs):
        return plan.result(*outputs)
    fields, start = [], 0
    for arg in plan.outputs:
        count = calling.count_of(arg, node.attrs)
        part = list(outputs[start : start + count])
        fields.append(part if arg.is_list else part[0])
        start += count
    return plan.result(*fields)


def output_dtypes(opdef: OpDef, attrs: dict[str, Any]) -> list[dtypes.DType]:
    """The dtype of each output of a node with these attrs."""
    only = opdef.plan.only_output
    if only is not None:
        return [attrs[only.type_attr] if only.type is None else only.type]
    return dtypes_of(opdef.plan.outputs, attrs)


def dtypes_of(args: Sequence[Arg], attrs: dict[str, Any]) -> list[dtypes.DType]:
    """The dtype of each tensor that declared inputs or outputs stand for."""
    result: list[dtypes.DType] = []
    for arg in args:
        if arg.list_attr is not None:
            result += attrs[arg.list_attr]
            continue
        dtype = arg.type if arg.type is not None else attrs[arg.type_attr or ""]
        count = calling.count_of(arg, attrs)
        if count > MOST_TENSORS:
            raise errors.ResourceExhaustedError(
                None, None, f"'{arg.name}' is a list of {count} tensors, as the attr '{arg.number_attr}' says; a node "
                f"has room for {MOST_TENSORS}")
        result += [dtype.ref if arg.is_ref else dtype] * count
    return result


def graph_of(values: Sequence[Any], current: Graph) -> Graph:
    """The graph for a node with these inputs: that of its input tensors, else `current`; a function captures others'.

    Raises:
        ValueError: the tensors come from different graphs.
    """
    if current.is_eager and current.has_descriptions:
        return _description_of(values) or current
    if current.is_function or current.is_eager:
        return current
    owner, first = None, None
    for value in values:
        for item in value if type(value) in (list, tuple) else (value,):
            graph = getattr(item, "graph", None) if not isinstance(item, np.ndarray) else None
            if graph is None or not isinstance(graph, Graph):
                continue
            if graph.is_eager:
                raise RuntimeError("Attempting to capture an EagerTensor in a graph of its own, without building a "
                                   "function.")
            if graph.is_function and graph._is_part_of(current):
                graph = current
            if owner is None:
                owner, first = graph, item
            elif graph is not owner:
                raise ValueError(f"{_called(item)} must be from the same graph as {_called(first)}.")
    return owner or current


def _description_of(values: Sequence[Any]) -> Graph | None:
    """With eager execution, the graph of the first input that stands for a value of a model to be called later."""
    for value in values:
        for item in value if type(value) in (list, tuple) else (value,):
            if isinstance(item, Tensor) and item.graph.is_description:
                return item.graph
    return None


def _called(item: Any) -> str:
    return f"{type(item).__name__}({getattr(item, 'name', item)!r})"


class _Inputs:
    """The arguments of a call as tensors.

    Attributes:
        inferred: the values of attrs that follow from them.
    """

    __slots__ = ("opdef", "plan", "graph", "full_name", "inferred")

    def __init__(self, opdef: OpDef, graph: Graph, full_name: str) -> None:
        self.opdef, self.plan, self.graph, self.full_name = opdef, opdef.plan, graph, full_name
        self.inferred: dict[str | None, Any] = {}

    def converted(self, values: Sequence[Any]) -> list[Tensor]:
        flat: list[Tensor] = []
        origin: dict[str | None, str] = {}
        for arg, value in zip(self.plan.inputs, values, strict=True):
            if arg.is_list:
                flat += self._list(arg, value)
                continue
            dtype = arg.type if arg.type is not None else self.inferred.get(arg.type_attr)
            tensor = self._one(arg, arg.name, value, dtype)
            base = tensor._dtype.base_dtype
            if dtype is None:
                self.inferred[arg.type_attr], origin[arg.type_attr] = base, arg.name
            elif base is not dtype.base_dtype:
                wanted = f"expected type of {dtype.base_dtype.name}"
                if arg.type_attr in origin:
                    wanted = f"type {dtype.base_dtype.name} of argument '{origin[arg.type_attr]}'"
                raise self._mismatch(len(flat), dtype, base, f"Input '{arg.name}' of '{self.opdef.name}' Op has type "
                                                             f"{base.name} that does not match {wanted}. ")
            if arg.is_ref and not tensor._dtype.is_ref:
                raise TypeError(f"input '{arg.name}' of '{self.opdef.name}' is assigned to, so it takes a reference "
                                f"(e.g.: a tf.Variable), not a value (node '{self.full_name}')")
            flat.append(tensor)
        return flat

    def _mismatch(self, place: int, wanted: dtypes.DType, got: dtypes.DType, told: str) -> Exception:
        """The error about an input of another dtype; with eager execution TensorFlow finds it when the op runs."""
        if not self.graph.is_eager:
            return TypeError(f"{told}(node '{self.full_name}')")
        wanted_name, got_name = dtypes.short_name(wanted.base_dtype), dtypes.short_name(got.base_dtype)
        name = self.opdef.name
        return errors.InvalidArgumentError(
            None, None, f"cannot compute {name} as input #{place}(zero-based) was expected to be a {wanted_name} "
            f"tensor but is a {got_name} tensor [Op:{name}] name: {self.full_name}/")

    def _one(self, arg: Arg, label: str, value: Any, dtype: dtypes.DType | None) -> Tensor:
        tensor = value if isinstance(value, Tensor) else self._made(arg, label, value, dtype)
        return tensor if tensor.graph is self.graph else self.graph.capture(tensor)

    def _made(self, arg: Arg, label: str, value: Any, dtype: dtypes.DType | None) -> Tensor:
        """The tensor of another value."""
        graph, plan = self.graph, self.plan
        preferred = plan.preferred.get(arg.type_attr) if arg.type_attr else None
        before, graph.scopes.name = graph.scopes.name, self.full_name
        try:
            with graph.as_default_if_needed():
                return convert.to_tensor(value, dtype, label, preferred_dtype=preferred, as_ref=arg.is_ref,
                                         wraps=plan.wraps(arg))
        except TypeError as error:
            wanted = dtype.name if dtype is not None else "a tensor type"
            raise TypeError(f"Failed to convert input '{arg.name}' of '{self.opdef.name}' Op to {wanted}: {error} "
                            f"(node '{self.full_name}')") from error
        except ValueError as error:
            if dtype is not None:
                raise
            raise ValueError(
                f"'{arg.name}' is no tensor, and cannot become one: {error} (node '{self.full_name}')") from error
        finally:
            graph.scopes.name = before

    def _list(self, arg: Arg, value: Any) -> list[Tensor]:
        inferred = self.inferred
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for '{arg.name}' argument to '{self.opdef.name}' Op, not {value!r}.")
        if arg.number_attr is None:
            return self._mixed(arg, value)
        dtype = arg.type if arg.type is not None else inferred.get(arg.type_attr)
        if dtype is None:  # Python values take the dtype of the first tensor in the list
            dtype = next((v.dtype.base_dtype for v in value if convert.is_tensor_like(v)), None)
        tensors = []
        for i, v in enumerate(value):
            tensor = self._one(arg, f"{arg.name}_{i}", v, dtype)
            dtype = dtype or tensor._dtype.base_dtype
            tensors.append(tensor)
        self._check_one_dtype(arg, tensors, dtype, arg.type_attr in inferred or bool(arg.type))
        if inferred.setdefault(arg.number_attr, len(tensors)) != len(tensors):
            raise ValueError(f"'{self.opdef.name}' takes lists of one length: '{arg.name}' has {len(tensors)} tensors, "
                             f"another argument {inferred[arg.number_attr]} (node '{self.full_name}')")
        if arg.type_attr is not None and dtype is not None:
            inferred.setdefault(arg.type_attr, dtype.base_dtype)
        return tensors

    def _mixed(self, arg: Arg, value: Sequence[Any]) -> list[Tensor]:
        """Converts a list argument whose tensors each have a dtype of their own."""
        known = self.inferred.get(arg.list_attr) or [None] * len(value)
        if len(known) != len(value):
            raise ValueError(f"'{arg.name}' of '{self.opdef.name}' Op has {len(value)} tensors, wanted {len(known)} "
                             f"(node '{self.full_name}')")
        tensors = [self._one(arg, f"{arg.name}_{i}", v, known[i]) for i, v in enumerate(value)]
        self.inferred[arg.list_attr] = [t._dtype.base_dtype for t in tensors]
        return tensors

    def _check_one_dtype(self, arg: Arg, tensors: list[Tensor], dtype: dtypes.DType | None, is_given: bool) -> None:
        """Raises unless the tensors of a list have one dtype; `is_given` when something else determines it."""
        found = [t._dtype.base_dtype for t in tensors]
        if len(set(found)) > 1 or dtype is not None and found and dtype.base_dtype not in found:
            expected = dtype.base_dtype if dtype is not None else found[0]
            wanted = "that don't all match"
            if dtype is not None and is_given:
                wanted = f"that don't match expected type {expected.name}"
            told = f"Tensors in list passed to '{arg.name}' of '{self.opdef.name}' Op have types " \
                f"[{', '.join(each.name for each in found)}] {wanted}. "
            place = next(i for i, each in enumerate(found) if each is not expected)
            raise self._mismatch(place, expected, tensors[place]._dtype, told)


def _settle_attrs(
    opdef: OpDef, plan: Plan, graph: Graph, full_name: str, given: dict[str, Any], inferred: dict[str | None, Any]
) -> dict[str, Any]:
    known = plan.settled.get(tuple(inferred.items())) if not given and plan.is_inferred else None
    if known is not None:
        return dict(known)
    settled: dict[str, Any] = {}
    for attr in plan.attrs:
        name = attr.name
        if name in inferred:
            value = inferred[name]
        else:
            value = given.get(name)
            is_given = value is not None or attr.kind == "shape"
            value = value if is_given else attr.default
            if value is REQUIRED:
                raise TypeError(f"'{opdef.name}' Op is missing a value for attr '{name}' (node '{full_name}')")
            if is_given:
                value = normal_attr(opdef, graph, attr, value)
        if attr.allowed or attr.minimum is not None:
            from_input = _named_by(plan, name) if name in inferred else None
            check_attr(opdef, full_name, attr, value, from_input, graph.is_eager)
        settled[name] = value
    if not given and plan.is_inferred:
        plan.settled[tuple(inferred.items())] = dict(settled)
    return settled


def _named_by(plan: Plan, attr_name: str) -> str:
    return next(a.name for a in plan.inputs if attr_name in (a.type_attr, a.list_attr, a.number_attr))


def check_attr(
    opdef: OpDef, full_name: str, attr: Attr, value: Any, from_input: str | None, is_eager: bool = False
) -> None:
    """Raises TypeError or ValueError for a value that the op does not allow for `attr`.

    With eager execution TensorFlow finds the dtype of an input when the op runs, and raises InvalidArgumentError.
    """
    if attr.minimum is not None:
        size = len(value) if attr.kind.startswith("list(") else value
        if size < attr.minimum:
            what = f"List argument '{from_input}'" if from_input else f"Attr '{attr.name}'"
            raise ValueError(f"{what} of '{opdef.name}' Op with value {size} must be at least minimum {attr.minimum}. "
                             f"(node '{full_name}')")
    if not attr.allowed:
        return
    for item in value if attr.kind.startswith("list(") else (value,):
        if item in attr.allowed:
            continue
        if attr.kind.endswith("type") or attr.kind == "list(type)":
            listed = ", ".join(d.name for d in attr.allowed)
            what = f"Value passed to parameter '{from_input}'" if from_input else f"Value for attr '{attr.name}'"
            if is_eager and from_input:
                short = ", ".join(map(dtypes.short_name, attr.allowed))
                raise errors.InvalidArgumentError(
                    None, None, f"attr '{attr.name}' cannot be {dtypes.short_name(item)}: allowed values: "
                                f"{short} [Op:{opdef.name}]")
            raise TypeError(f"{what} has DataType {item.name} not in list of allowed values: {listed} "
                            f"('{opdef.name}' node '{full_name}')")
        listed = '", "'.join(attr.allowed)
        raise ValueError(
            f"Attr '{attr.name}' of '{opdef.name}' Op passed string '{item}' not in: \"{listed}\". (node '{full_name}')"
        )


def normal_attr(opdef: OpDef, graph: Graph, attr: Attr, value: Any) -> Any:
    """`value` in the form in which nodes store attrs of this kind; `graph/codec.py` documents the forms."""
    kind = attr.kind
    if kind.startswith("list("):
        if not isinstance(value, (list, tuple, np.ndarray, TensorShape)):
            raise TypeError(f"Expected list for attr '{attr.name}' of '{opdef.name}' Op, got {type(value).__name__} "
                            f"instead: {value!r}")
        return [_normal_value(opdef, graph, attr, kind[5:-1], item) for item in value]
    return _normal_value(opdef, graph, attr, kind, value)


def _normal_value(opdef: OpDef, graph: Graph, attr: Attr, kind: str, value: Any) -> Any:
    try:
        if kind == "type":
            return dtypes.as_dtype(value).base_dtype
        if kind == "int":
            if isinstance(value, (float, str, bytes)):
                raise TypeError(f"got {value!r}")
            return int(value)
        if kind == "bool":
            if not isinstance(value, (bool, np.bool_, int)):
                raise TypeError(f"got {value!r}")
            return bool(value)
        if kind == "float":
            return float(value)
        if kind == "shape":
            return (
                value
                if value is None or type(value) is tuple and all(type(d) is int and d >= 0 for d in value)
                else TensorShape(value).tuple
            )
        if kind == "string":
            if not isinstance(value, (str, bytes)):
                raise TypeError(f"got {value!r}")
            return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
        if kind == "func":
            if isinstance(value, NameAttrList):
                return value
            inside = getattr(value, "graph", None)  # that of a concrete function
            return graph.add_function(value if inside is None else inside)
        return value
    except (TypeError, ValueError) as error:
        wrong = ValueError if kind == "shape" and isinstance(error, ValueError) else TypeError
        raise wrong(f"Expected {kind} for argument '{attr.name}' of '{opdef.name}' Op: {error}") from error
