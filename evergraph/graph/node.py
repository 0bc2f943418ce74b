"""Operations and tensors: the nodes of a graph and the values on its edges."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from evergraph.base import dtypes, errors
from evergraph.base.devices import DeviceSpec
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.graph import codec, scopes

if TYPE_CHECKING:
    from evergraph.graph.graph import Graph
    from evergraph.graph.opdef import OpDef

Shape = tuple[int | None, ...] | None

_PACKAGE = __file__.rpartition("graph")[0]
_ITEMS_KEPT = 2 * 16  # of 16 stack frames


class Misfits(dict["Operation", dict[int, dtypes.DType]]):
    """The operations of a graph whose inputs were replaced -> number of an input of another dtype -> its own dtype."""


@export("Operation")
class Operation:
    """A node of a graph: one op applied to input tensors. Ops create operations; programs never do so directly.

    Attributes:
        graph: the graph that the operation belongs to.
        name: its unique name in that graph.
        opdef: the declaration of the op that it applies.
        attrs: the op's attrs in declared order, each in the form that `graph/codec.py` documents.
        extra: attrs outside the op's signature (`_class`, `_output_shapes`, ...) as AttrValue messages.
        outputs: the tensors that it produces.
        control_inputs: operations that run before it.
        device: the requested device string, or "".
        age: its place in the order of creation; the smaller, the earlier. Operations that do not depend on each other
            run in this order, and the gradient walk visits them in the reverse order. The age of a new operation is the
            number of operations before it. Two operations may share an age, and it may be a fraction, because a pass
            gives a copy the age of its original (`take_place_of`) and `Graph.place_before` squeezes operations in.
            Random seeds count operations instead (`Graph._last_id`): they do not change when an age does.
    """

    # __dict__: for attributes that programs set
    __slots__ = ("graph", "name", "opdef", "_inputs", "attrs", "outputs", "_control_inputs", "_control_outputs",
                 "_device", "age", "_made_at", "extra", "__dict__", "__weakref__")

    def __init__(
        self, graph: Graph, opdef: OpDef, name: str, inputs: list[Tensor], attrs: dict[str, Any], age: float
    ) -> None:
        self.graph, self.opdef, self.name = graph, opdef, name
        self._inputs, self.attrs, self.age = inputs, attrs, age
        self.outputs: list[Tensor] = []
        self._control_inputs: list[Operation] = []
        self._control_outputs: list[Operation] = []
        self._device: str = ""
        self._made_at: Frames = user_frames(sys._getframe(1))
        self.extra: dict[str, Any] = {}

    @property
    def type(self) -> str:
        """The name of the op, such as "MatMul"."""
        return self.opdef.name

    @property
    def device(self) -> str:
        """The requested device string, or ""."""
        return self._device

    @property
    def inputs(self) -> Inputs:
        """The input tensors, a read-only sequence."""
        return Inputs(self._inputs)

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before this one without giving it a value."""
        return list(self._control_inputs)

    @property
    def traceback(self) -> list[traceback.FrameSummary]:
        """The user's stack frames that created the operation, outermost first."""
        frames = zip(self._made_at[::2], self._made_at[1::2], strict=True)
        return [traceback.FrameSummary(code.co_filename, _line(code, at), code.co_name) for code, at in frames][::-1]

    @property
    def where(self) -> str:
        """The user's source line that created the operation, such as "model.py:41"."""
        if not self._made_at:
            return ""
        code, at = self._made_at[:2]
        return f"{code.co_filename}:{_line(code, at)}"

    @property
    def node_def(self) -> Any:
        """The operation as a NodeDef message."""
        return self.graph.node_def(self)

    @property
    def op_def(self) -> Any:
        """The declaration of its op as an OpDef message."""
        return self.graph.op_def(self.opdef)

    @property
    def _id(self) -> float:
        """TensorFlow's name for `age`, which programs sort by."""
        return self.age

    def take_place_of(self, original: Operation) -> None:
        """Makes this operation run, and fail, where `original` would: copies its age and its source line."""
        self.age, self._made_at = original.age, original._made_at

    def values(self) -> tuple[Tensor, ...]:
        """The outputs, as a tuple."""
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        """The value of an attr: a dtype as DType, a string as bytes, a shape or tensor as a message.

        Raises:
            ValueError: the operation has no such attr.
        """
        kinds = self.opdef.signature.attr
        if name in kinds and name in self.attrs:
            return self.graph.public_attr(kinds[name].kind, self.attrs[name])
        if name in self.extra:
            kind = codec.kind_in(self.extra[name])
            return self.graph.public_attr(kind, codec.decode_attr(kind, self.extra[name]))
        raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")

    def _set_attr(self, name: str, proto: Any) -> None:
        """Sets an attr from its AttrValue message."""
        kinds = self.opdef.signature.attr
        if name in kinds:
            self.attrs[name] = codec.decode_attr(kinds[name].kind, proto)
            self.graph._rewirings += 1
        else:
            self.extra[name] = proto
        self.graph.touch()

    def _clear_attr(self, name: str) -> None:
        """Removes an attr that the op does not declare."""
        self.extra.pop(name, None)
        self.graph.touch()

    def colocation_groups(self) -> list[bytes]:
        """The names of its colocation groups; a group of its own when it has no other."""
        held = self.extra.get("_class")
        found = [group for group in held.list.s if group.startswith(b"loc:@")] if held is not None else []
        return found or [f"loc:@{self.name}".encode()]

    def run(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> None:
        """Runs the operation in `session`, or in the default session."""
        session_for(session, self.graph, "execute operation", "`operation.run(session=sess)`").run(self, feed_dict)

    def _set_device(self, device: Any) -> None:
        self._begin_on(device)
        self.graph.touch()

    def _begin_on(self, device: Any) -> None:
        """Sets the device of an operation that is being made, so that no plan can have it yet."""
        self._device = device.to_string() if isinstance(device, DeviceSpec) else str(device or "")

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            if op not in self._control_inputs:
                self._control_inputs.append(op)
                op._control_outputs.append(self)
        self.graph.touch()

    def _update_input(self, index: int, tensor: Tensor) -> None:
        """Replaces an input by a tensor of the same graph with a compatible static shape."""
        if self.graph is not tensor.graph:
            raise ValueError(f"{tensor} must be from the same graph as {self.name}")
        if index >= len(self._inputs):
            raise errors.OutOfRangeError(
                None,
                None,
                f"Cannot update edge. Input index [{index}] is greater than the number of total inputs "
                f"[{len(self._inputs)}].")
        old = self._inputs[index]
        if not TensorShape(tensor._shape).is_compatible_with(TensorShape(old._shape)):
            shapes = " and ".join(str(list(t._shape or ())).replace(" ", "") for t in (tensor, old))
            raise errors.InvalidArgumentError(None, None, f"Cannot update edge, incompatible shapes: {shapes}")
        self._note_misfit(index, old, tensor)
        self._inputs[index] = tensor
        if self in old._consumers:
            old._consumers.remove(self)
        tensor._consumers.append(self)
        self.graph._rewirings += 1
        self.graph.touch()

    def _note_misfit(self, index: int, old: Tensor, new: Tensor) -> None:
        """Notes that an input gets another dtype than the operation takes, or no longer has one."""
        misfits = self.graph.memo(Misfits).setdefault(self, {})
        wanted = misfits.pop(index, old._dtype.base_dtype)
        if new._dtype.base_dtype is not wanted:
            misfits[index] = wanted

    def _remove_all_control_inputs(self) -> None:
        for op in self._control_inputs:
            op._control_outputs.remove(self)
        self._control_inputs.clear()
        self.graph.touch()

    def _append_input(self, tensor: Tensor) -> None:
        """Adds an input; the caller updates the op's list attrs."""
        self._inputs.append(tensor)
        tensor._consumers.append(self)
        self.graph.touch()

    def _append_output(self, dtype: dtypes.DType, shape: Shape) -> Tensor:
        """Adds an output; the caller updates the op's list attrs."""
        self.outputs.append(Tensor(self, len(self.outputs), dtype, shape))
        self.graph.touch()
        return self.outputs[-1]

    def __str__(self) -> str:
        return str(self.node_def)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class Inputs:
    """The inputs of an operation as a read-only sequence, equal to a list or tuple of the same tensors."""

    __slots__ = ("_tensors",)

    def __init__(self, tensors: list[Tensor]) -> None:
        self._tensors = tensors

    def __iter__(self) -> Any:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __getitem__(self, index: Any) -> Any:
        return self._tensors[index]

    def __bool__(self) -> bool:
        return bool(self._tensors)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Inputs, list, tuple)) else NotImplemented

    def __repr__(self) -> str:
        return repr(tuple(self._tensors))


class Reference:
    """A hashable reference to a tensor or variable; two are equal when they refer to the same object."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The tensor or variable."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)


@dataclass(frozen=True, slots=True)
class HandleData:
    """The static dtype and shape of the variable behind a resource handle."""

    dtype: dtypes.DType
    shape: Shape


@export("Tensor")
class Tensor:
    """One output of an operation. It has a dtype and a static shape; only a session run gives it a value.

    Attributes:
        op: the operation that produces it.
        value_index: its position among the outputs of that operation.
    """

    # __dict__: for attributes that programs set or read, as `alias`, `_keras_mask`, the `assign` of a slice
    __slots__ = ("op", "value_index", "_dtype", "_shape", "_consumers", "_handle_data", "_static_value", "__dict__",
                 "__weakref__")
    __array_priority__ = 100  # makes NumPy arrays leave binary operators to the tensor

    _USE_EQUALITY = False  # TensorFlow's private name, which programs ask for; tf.enable_tensor_equality changes it
    OVERLOADABLE_OPERATORS = {  # not frozen: libraries take some away while they copy the others
        f"__{name}__" for name in (
            "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul "
            "lt le gt ge and rand or ror xor rxor getitem invert neg abs").split()}

    def __init__(self, op: Operation, value_index: int, dtype: dtypes.DType, shape: Shape = None) -> None:
        self.op, self.value_index, self._dtype, self._shape = op, value_index, dtype, shape
        self._consumers: list[Operation] = []
        self._handle_data: HandleData | None = None  # of a resource handle
        self._static_value: tuple[int, Any] | None = None  # see `shaping.static_value`

    @property
    def source(self) -> Operation:
        """The operation as evergraph's own code sees it: a tensor of eager execution has one here, but no `op`."""
        return self.op

    @property
    def label(self) -> str:
        """What messages call the tensor."""
        return self.name

    def _as_tf_output(self) -> Tensor:
        """What programs give to functions of `pywrap_tensorflow` as the tensor."""
        return self

    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
        return self.op.graph

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name: that of its operation, a colon and its position among the outputs."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """The requested device string of its operation, or ""."""
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        """The static shape; dimensions may be unknown."""
        return TensorShape(self._shape)

    def get_shape(self) -> TensorShape:
        """The static shape; dimensions may be unknown."""
        return TensorShape(self._shape)

    def _shape_as_list(self) -> list[int | None] | None:
        """The static sizes; None for an unknown rank. TensorFlow's private name, which programs use."""
        return None if self._shape is None else list(self._shape)

    def set_shape(self, shape: Any) -> None:
        """Merges `shape` into the static shape.

        Raises:
            ValueError: `shape` contradicts the static shape.
        """
        merged = TensorShape(self._shape).merge_with(TensorShape(shape)).tuple
        if merged != self._shape:
            self._shape = merged
            self.graph.touch()

    def consumers(self) -> list[Operation]:
        """The operations with this tensor as an input; one that takes it twice is listed twice."""
        return list(self._consumers)

    def experimental_ref(self) -> Reference:
        """A hashable reference to this tensor; its `deref()` returns the tensor."""
        return Reference(self)

    def eval(self, feed_dict: dict[Any, Any] | None = None, session: Any = None) -> Any:
        """The value of this tensor in `session`, or in the default session."""
        found = session_for(session, self.graph, "evaluate tensor", "`t.eval(session=sess)`")
        return found.run(self, feed_dict)

    def _shape_tuple(self) -> Shape:
        return self._shape

    def _rank(self) -> int | None:
        return None if self._shape is None else len(self._shape)

    def _as_node_def_input(self) -> str:
        return self.op.name if self.value_index == 0 else self.name

    @classmethod
    def _override_operator(cls, operator: str, function: Callable[..., Any]) -> None:
        """Implements a Python operator, such as "__add__", on tensors."""
        if operator not in cls.OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        setattr(cls, operator, function)

    def __iter__(self) -> Any:
        raise TypeError(
            f"Tensor objects are only iterable when eager execution is enabled. To iterate over '{self.name}' "
            f"use tf.map_fn, or tf.unstack when its length is known.")

    def __bool__(self) -> bool:
        raise TypeError(
            f"the tensor '{self.name}' cannot serve as a Python `bool`: it has no value while the graph is built. "
            "Test `t is not None` for presence; tf.cond chooses by value.")

    __nonzero__ = __bool__  # Python 2's name, which programs that wrap tensors look up

    def __len__(self) -> int:
        raise TypeError(f"object of type 'Tensor' has no len(): use tf.shape({self.name!r})[0]")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"Cannot convert a symbolic Tensor to an array: {self.name} has a value only in a "
                                  "step.")

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __str__(self) -> str:
        shape = "" if self._shape is None else f", shape={TensorShape(self._shape)}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self._dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.get_shape()} dtype={self._dtype.name}>"


def share_handle_data(source: Tensor, target: Tensor) -> None:
    """Copies the handle data of a tensor to another tensor that carries the same handle."""
    if source._handle_data is not None:
        target._handle_data = source._handle_data


Frames = tuple[Any, ...]
"""Stack frames, innermost first, as a flat tuple: code object, instruction, code object, instruction, ..."""


def user_frames(frame: FrameType | None) -> Frames:
    """The innermost stack frames from `frame` on that belong to the user.

    Every node keeps its frames, so they are stored flat, with instruction offsets; `_line` computes a line on demand.
    """
    kept: list[Any] = []
    while frame is not None:
        code = frame.f_code
        if not _is_own[code.co_filename]:
            kept += (code, frame.f_lasti)
            if len(kept) == _ITEMS_KEPT:
                break
        frame = frame.f_back
    return tuple(kept)


class _IsOwn(dict[str, bool]):
    """What `is_own` says of the files met so far. Every new node looks up each frame of the stack."""

    def __missing__(self, file: str) -> bool:
        self[file] = file.startswith((_PACKAGE, "<op "))
        return self[file]


_is_own = _IsOwn()


def is_own(file: str) -> bool:
    """Whether a file of code belongs to evergraph rather than to the user's program."""
    return _is_own[file]


def _line(code: CodeType, instruction: int) -> int:
    """The source line of an instruction."""
    found = code.co_firstlineno
    for start, stop, line in code.co_lines():
        if start <= instruction < stop and line is not None:
            return line
    return found


def session_for(session: Any, graph: Graph, doing: str, hint: str) -> Any:
    """`session`, or the default session, checked to run `graph`.

    Raises:
        ValueError: there is no session, or it runs another graph.
    """
    found = session if session is not None else scopes.default_session()
    if found is None:
        raise ValueError(
            f"there is no session to {doing} with: No default session is registered (`with sess.as_default()`), "
            f"and none was given to {hint}")
    if found.graph is not graph:
        which = "passed session" if session is not None else "default session"
        raise ValueError(f"the {which} cannot {doing}: it runs a different graph; give {hint} one that runs this")
    return found
