"""A graph: operations under unique names, the scopes that new operations take on, collections, a function library."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from evergraph.base.devices import DeviceSpec, merge_names
from evergraph.base.export import export
from evergraph.graph import codec, encode, graphdef, scopes, shaping
from evergraph.graph.node import Operation, Tensor, share_handle_data

if TYPE_CHECKING:
    from evergraph.graph.opdef import OpDef

T = TypeVar("T")

_NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
_SCOPE_NAME = re.compile(r"[A-Za-z0-9_.\-/]*\Z")


class ControlScope:
    """One `control_dependencies` block.

    Attributes:
        operations: the control inputs of operations created inside the block.
        covered: the operations created inside; one that uses their outputs needs no control inputs of its own.
    """

    __slots__ = ("operations", "covered")

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.operations = tuple(operations)
        self.covered: set[Operation] = set()


class NameBlock(contextlib.ContextDecorator):
    """A with-block of `Graph.name_scope`. One made of a generator would take several times as long."""

    def __init__(self, graph: Graph, name: str | None) -> None:
        self._graph, self._name = graph, name

    def __enter__(self) -> str:
        graph, name = self._graph, self._name
        current = graph.scopes
        before = current.name
        if not name:
            current.name = ""
        else:
            if isinstance(name, bytes):
                name = name.decode()
            if not graph.is_eager and not (_SCOPE_NAME if before else _NODE_NAME).match(name):
                raise ValueError(f"'{name}' is not a valid scope name")
            current.name = name[:-1] if name[-1] == "/" else graph.unique_name(name)
        self._before = before
        return f"{current.name}/" if name else ""

    def __exit__(self, *error: object) -> None:
        self._graph.scopes.name = self._before

    def _recreate_cm(self) -> NameBlock:
        """A block for one call of a function that this one decorates."""
        return NameBlock(self._graph, self._name)


@export("Graph")
class Graph:
    """A computation: operations, and the tensors that flow between them.

    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     answer = tf.constant(42)
    >>> answer.graph is graph
    True
    """

    is_function = False
    is_eager = False  # whether operations run as soon as they are added
    is_description = False  # whether ops on its tensors join it though the default graph is an eager one
    has_descriptions = False  # whether such graphs have been made, for an eager one

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._nodes: list[Operation] = []
        self._inner_nodes = 0  # operations inside functions of this graph
        self._by_name: dict[str, Operation] = {}
        self._names_in_use: dict[str, int] = {}  # lower-case name -> the next number to try as its suffix
        self._collections: dict[Any, list[Any]] = {}
        self._functions: dict[str, Any] = {}
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Operation] = set()
        self._memos: dict[Any, Any] = {}
        self._caches: dict[Any, tuple[tuple[int, int], Any]] = {}
        self.stand_ins: dict[Tensor, Tensor] = {}  # output of an imported loop -> its replacement in every run
        self.home: Graph | None = None  # of a graph of copies: the graph with the originals
        self._finalized = False
        self._epoch = 0  # counts changes of existing operations
        self._rewirings = 0  # counts those changes that may change the value of a tensor: a new input, another attr
        self._producer = 134  # the GraphDef version that as_graph_def writes
        self.scopes = scopes.GraphScopes()
        self.seed: int | None = None
        self.seeds_given = 0  # how many random ops got their second seed from the graph

    # ---- adding nodes

    def add_node(
        self, opdef: OpDef, name: str, inputs: list[Tensor], attrs: dict[str, Any], infer_shapes: bool = True
    ) -> Operation:
        """Adds an operation under a name that `claim_name` returned, in the current scopes.

        Raises:
            RuntimeError: the graph is finalized.
            ValueError: the inputs' static shapes do not fit the op.
        """
        self._check_not_finalized()
        if name in self._by_name:
            raise ValueError(f"Duplicate node name in graph: '{name}'")
        current = self.scopes
        if current.containers and attrs.get("container") == "" and opdef.stateful:
            attrs["container"] = current.containers[-1]
        node = Operation(self, opdef, name, inputs, attrs, len(self._nodes))
        node.outputs = [Tensor(node, i, dtype) for i, dtype in enumerate(opdef.output_dtypes(attrs))]
        if infer_shapes:
            shaping.infer(node)
        if current.control:
            self._wait_in_scopes(node)
        for tensor in inputs:
            tensor._consumers.append(node)
        with self._lock:
            node.age = len(self._nodes)
            self._nodes.append(node)
            self._by_name[name] = node
        if current.attrs:
            node.extra.update((k, v) for k, v in current.attrs.items() if v is not None)
        if current.colocate:
            self._colocate(node)
        if current.devices:
            self._place(node)
        if current.gradient_override:
            self._override_gradient(node)
        if node.type in current.kernel_labels:
            node.extra["_kernel"] = encode.string_value(current.kernel_labels[node.type])
        if current.context is not None:
            current.context.AddOp(node)
        if scopes.tapes.items:
            scopes.record(node)
        return node

    def add_copy(
        self, node: Operation, inputs: list[Tensor], attrs: Mapping[str, Any] | None = None,
        outputs: Sequence[Tensor] | None = None,
    ) -> Operation:
        """Adds an operation that stands for one of another graph, possibly with other attrs, or with some outputs only.

        It has no control inputs yet. It runs where the original would, and its errors name the original's line.
        """
        name = node.name if node.name not in self._by_name else self.unique_name(node.name)
        copy = self.add_node(node.opdef, name, inputs, dict(node.attrs if attrs is None else attrs), infer_shapes=False)
        self._names_in_use.setdefault(name.lower(), 1)
        for old, new in zip(node.outputs if outputs is None else outputs, copy.outputs, strict=True):
            new._dtype, new._shape = old._dtype, old._shape
            share_handle_data(old, new)
        copy.extra = dict(node.extra)
        copy.take_place_of(node)
        copy._set_device(node._device)
        return copy

    def touch(self) -> None:
        """Invalidates plans and caches after a change of existing operations."""
        self._epoch += 1

    def place_before(self, nodes: Iterable[Operation], op: Operation) -> None:
        """Makes operations run as if they had been created just before `op`."""
        for node in nodes:
            node.age = op.age - 0.5

    def place_last(self, first: int) -> None:
        """Makes the operations from number `first` on run in the order of their creation, after all others."""
        for number, node in enumerate(self._nodes[first:], first):
            node.age = number

    def create_op(
        self, op_type: str, inputs: Iterable[Tensor], dtypes: Any = None, input_types: Any = None,
        name: str | None = None, attrs: dict[str, Any] | None = None, op_def: Any = None, compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Adds an operation from its type, inputs and AttrValue messages.

        `dtypes`, `input_types`, `op_def`, `compute_shapes` and `compute_device` have no effect: the op's declaration
        determines them.
        """
        return encode.create_op(self, op_type, list(inputs), name, attrs or {})

    def _is_part_of(self, graph: Graph) -> bool:
        """Whether this is a branch of a conditional, or the body of a loop, at any depth in another graph."""
        return False

    def _outside(self, tensor: Tensor) -> Tensor | None:
        """The tensor around this graph that carries the value of one of its tensors; None if there is none."""
        return None

    def capture(self, tensor: Tensor) -> Tensor:
        """The tensor of this graph that carries the value of a tensor of another graph.

        Functions have one. So has a graph for a tensor of a branch of a conditional.

        Raises:
            ValueError: there is none.
        """
        outer: Tensor | None = tensor
        while outer is not None and outer.graph is not self:
            outer = outer.graph._outside(outer)
        if outer is not None:
            return outer
        raise ValueError(
            f"Tensor {tensor.label!r} must be from the same graph as the operation that uses it: it belongs to "
            f"{tensor.graph}, not to {self}")

    # ---- data that other rooms keep with a graph

    def memo(self, kind: Callable[[], T]) -> T:
        """The one `kind()` of this graph, created by the first call.

        A room that keeps something with a graph declares a class for it, which is both the key and the type:
        `graph.memo(VariableStore)` is the variable store of the graph.
        """
        found = self._memos.get(kind)
        if found is None:
            with self._lock:
                found = self._memos.setdefault(kind, kind())
        return found

    def cache(self, kind: Callable[[], T]) -> T:
        """Like `memo`, for values computed from the operations: any change of the graph invalidates them."""
        revision = (self._epoch, len(self._nodes))
        found = self._caches.get(kind)
        if found is None or found[0] != revision:
            found = self._caches[kind] = (revision, kind())
        return found[1]

    # ---- names

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` in the current name scope, with the suffix _1, _2, ... when it is in use."""
        if self.scopes.name:
            name = f"{self.scopes.name}/{name}"
        with self._lock:
            # Names are compared without case, because some file systems ignore it in file names.
            key = name.lower()
            count = self._names_in_use.get(key, 0)
            if mark_as_used:
                self._names_in_use[key] = count + 1
            if count:
                base = key
                while key in self._names_in_use:
                    key = f"{base}_{count}"
                    count += 1
                if mark_as_used:
                    self._names_in_use[key] = 1
                name = f"{name}_{count - 1}"
        return name

    def claim_name(self, name: str | bytes) -> str:
        """The unique full name for a new operation; a `name` that ends in a slash is the full name already."""
        if isinstance(name, bytes):
            name = name.decode()
        if name[-1:] == "/":
            return name[:-1]
        if not self.is_eager and not (_SCOPE_NAME if self.scopes.name else _NODE_NAME).match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        return self.unique_name(name)

    def name_scope(self, name: str | None) -> contextlib.AbstractContextManager[str]:
        """Operations created inside get the prefix `name/`; None or "" leaves all scopes, "a/" re-enters scope a."""
        return NameBlock(self, name)

    def get_name_scope(self) -> str:
        """The current name scope, without a trailing slash."""
        return self.scopes.name

    @property
    def _name_stack(self) -> str:
        return self.scopes.name

    # ---- scopes

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Sequence[Any] | None) -> Iterator[None]:
        """Operations created inside run after `control_inputs`; None clears those of enclosing blocks."""
        control: tuple[ControlScope, ...] = ()
        if control_inputs is not None:
            waits: dict[Operation, None] = {}
            for item in control_inputs:
                if (hasattr(item, "_components") or hasattr(item, "_handle")) and hasattr(item, "op"):
                    item = item.op
                element = self.as_graph_element(item)
                waits[element.source if isinstance(element, Tensor) else element] = None
            control = (*self.scopes.control, ControlScope(waits))
        with self.scopes.replaced(control=control, name=self.scopes.name):
            yield

    def switch_to_thread_local(self) -> None:
        """Has no effect: scopes are always thread-local."""

    def _wait_in_scopes(self, node: Operation) -> None:
        """Adds the control inputs of the enclosing blocks, unless the node's inputs already depend on them."""
        sources = {t.op for t in node._inputs}
        for scope in self.scopes.control:
            if not sources & scope.covered:
                for waited in scope.operations:
                    if waited is not node and waited not in sources and waited not in node._control_inputs:
                        node._control_inputs.append(waited)
                        waited._control_outputs.append(node)
        for scope in self.scopes.control:
            scope.covered.add(node)

    def _control_dependencies_for_inputs(self, tensors: Iterable[Tensor]) -> list[Operation]:
        sources = {t.source if isinstance(t, Tensor) else t for t in tensors}
        return [w for s in self.scopes.control if not sources & s.covered for w in s.operations if w not in sources]

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Operations created inside request this device.

        Args:
            device_name_or_function: a device string, a tf.DeviceSpec, a function from the operation to one of these,
                or None, which cancels the requests of enclosing blocks.
        """
        item = device_name_or_function
        if item is not None and not callable(item):
            item = DeviceSpec.from_string(item).to_string() if isinstance(item, str) else item.to_string()
        before = self.scopes.devices
        self.scopes.devices = (*before, item)
        try:
            yield
        except BaseException:
            self.scopes.devices = before  # also where an interrupt has left a scope inside as it began
            raise
        if self.scopes.devices[:-1] != before:
            raise RuntimeError("Exiting device scope without proper scope nesting")
        self.scopes.devices = before

    def _place(self, node: Operation) -> None:
        for item in reversed(self.scopes.devices):
            if item is None:
                break
            node._begin_on(item(node) if callable(item) else merge_names(item, node._device))

    def _apply_device_functions(self, op: Any) -> None:
        """Tells an object of the program's the device that the blocks around request, if any."""
        name = ""
        for item in reversed(self.scopes.devices):
            if item is None:
                break
            name = item(op) if callable(item) else merge_names(item, name)
        if name:
            getattr(op, "_set_device_from_string", op._set_device)(name)

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Operations created inside run on the device of `op`."""
        if op is None and not ignore_existing:
            raise ValueError("colocate_with(None) needs ignore_existing=True")
        colocate = () if ignore_existing else self.scopes.colocate
        if op is not None:
            element = self.as_graph_element(getattr(op, "handle", op))
            colocate = (*colocate, element.source if isinstance(element, Tensor) else element)
        # The device of `op` takes precedence over device blocks around.
        with self.scopes.replaced(colocate=colocate, devices=()):
            yield

    def _colocated(self, others: Sequence[Operation]) -> contextlib.AbstractContextManager[None]:
        """Operations created inside run on the devices of these operations of the graph."""
        return self.scopes.replaced(colocate=(*self.scopes.colocate, *others), devices=())

    def _colocate(self, node: Operation) -> None:
        groups: set[bytes] = set()
        for other in self.scopes.colocate:
            groups.update(other.colocation_groups())
            if other._device and not node._device:
                node._begin_on(other._device)
        node.extra["_class"] = encode.list_of_bytes(sorted(groups))

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Variables, queues and tables created inside live in this resource container."""
        with self.scopes.replaced(containers=(*self.scopes.containers, container_name)):
            yield container_name

    @property
    def _container(self) -> str:
        return self.scopes.containers[-1] if self.scopes.containers else ""

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Operations created inside use other gradients: `op_type_map` maps an op type to a registered name."""
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary from op types to op types")
        for key, value in op_type_map.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise TypeError(f"op_type_map must hold names of op types, got {key!r}: {value!r}")
        with self.scopes.replaced(gradient_override={**self.scopes.gradient_override, **op_type_map}):
            yield

    def _override_gradient(self, node: Operation) -> None:
        other = self.scopes.gradient_override.get(node.type)
        if other is not None:
            node.extra["_gradient_op_type"] = encode.string_value(other)

    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> contextlib.AbstractContextManager[None]:
        """Operations created inside get a kernel label in their NodeDef. It selects nothing: an op has one kernel."""
        return self.scopes.replaced(kernel_labels={**self.scopes.kernel_labels, **op_to_kernel_label_map})

    def _attr_scope(self, attr_map: dict[str, Any]) -> contextlib.AbstractContextManager[None]:
        return self.scopes.replaced(attrs={**self.scopes.attrs, **attr_map})

    def as_default(self) -> Any:
        """A context manager that makes this the default graph of the thread."""
        return scopes.graphs.pushed(self)

    def as_plain(self) -> Graph:
        """The graph that programs see as the default one while this one is."""
        return self

    def forget_plain(self) -> None:
        """Replaces the graph that `as_plain` returns, if it is another one, by an empty one."""

    def as_default_if_needed(self) -> Any:
        """Like `as_default`, but costs nothing when this already is the default graph."""
        return _NOTHING if default_graph() is self else scopes.graphs.pushed(self)

    # ---- lookup

    def get_operations(self) -> list[Operation]:
        """All operations, in the order of their creation."""
        return list(self._nodes)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name.

        Raises:
            TypeError: `name` is no string.
            ValueError: `name` is that of a tensor.
            KeyError: the graph has no such operation.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of that name, such as "add:0".

        Raises:
            TypeError: `name` is no string.
            ValueError: `name` is not of the form "operation:number".
            KeyError: the graph has no such tensor.
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_operation=False)

    def _get_operation_by_name_unsafe(self, name: str) -> Operation:
        return self._by_name[name]

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that `obj` is, names, or converts to.

        Raises:
            TypeError: `obj` is neither a tensor or operation, nor the name of one, nor convertible.
            ValueError: `obj` is a malformed name or belongs to another graph.
            KeyError: the graph has nothing of that name.
        """
        if type(obj) is Tensor and allow_tensor and obj.graph is self:
            return obj  # the common case first
        wanted = " or ".join(n for n, ok in (("Tensor", allow_tensor), ("Operation", allow_operation)) if ok)
        if not wanted:
            raise ValueError("allow_tensor or allow_operation must be True: otherwise nothing can be found.")
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, bytes):
            obj = obj.decode()
        if isinstance(obj, str):
            return self._element_by_name(obj, allow_tensor, allow_operation, wanted)
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"{obj} is a tensor of another graph, not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"{obj!r} is an operation of another graph, not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _element_by_name(self, name: str, allow_tensor: bool, allow_operation: bool, wanted: str) -> Any:
        if ":" in name and allow_tensor:
            op_name, _, index = name.partition(":")
            if not op_name or not index.isdigit():
                raise ValueError(
                    f"{name!r} is not the name of a tensor, which is that of its operation, a colon and a number")
            op = self._by_name.get(op_name)
            if op is None:
                raise KeyError(f"there is no tensor {name!r}: the graph has no operation {op_name!r}")
            if int(index) >= len(op.outputs):
                raise KeyError(f"there is no tensor {name!r}: operation {op_name!r} has {len(op.outputs)} outputs")
            return op.outputs[int(index)]
        if ":" in name:
            raise ValueError(f"{name!r} is the name of a tensor; wanted: {wanted}")
        if not allow_operation:
            if name in self._by_name:
                raise ValueError(f"{name!r} is the name of an operation; wanted: {wanted}")
            raise ValueError(
                f"{name!r} names an Operation not in the graph; wanted: {wanted}, whose name is that of its operation, "
                "a colon and a number")
        if name not in self._by_name:
            raise KeyError(f"{name!r} names an Operation not in the graph")
        return self._by_name[name]

    # ---- collections

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Adds `value` to the named collection."""
        self._check_not_finalized()
        with self._lock:
            self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Adds `value` to each of the named collections once."""
        for name in dict.fromkeys((names,) if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The list that holds the collection: changing it changes the collection."""
        with self._lock:
            return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of the collection.

        Args:
            name: the key of the collection.
            scope: a regular expression; keeps the items whose names match it at their beginning.
        """
        found = list(self._collections.get(name, ()))
        if scope is None:
            return found
        matches = re.compile(scope).match
        return [item for item in found if hasattr(item, "name") and matches(item.name)]

    def get_all_collection_keys(self) -> list[Any]:
        """The names of all collections that have a string for a name."""
        return [key for key in self._collections if isinstance(key, str)]

    def clear_collection(self, name: Any) -> None:
        """Removes all items of the named collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    @property
    def collections(self) -> list[Any]:
        """The names of all collections."""
        return list(self._collections)

    # ---- feeding, fetching, finalizing

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a session run may feed the tensor."""
        return tensor not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a session run may fetch the tensor or operation."""
        node = tensor_or_op.source if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return node not in self._unfetchable

    def prevent_feeding(self, tensor: Any) -> None:
        """Forbids session runs to feed the tensor."""
        self._unfeedable.add(tensor)

    def prevent_fetching(self, op: Any) -> None:
        """Forbids session runs to fetch the operation or its outputs."""
        self._unfetchable.add(op)

    def finalize(self) -> None:
        """Makes the graph read-only."""
        self._finalized = True

    @property
    def finalized(self) -> bool:
        """Whether `finalize` has made the graph read-only."""
        return self._finalized

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    # ---- functions and messages

    @property
    def library(self) -> dict[str, Any]:
        """The functions that operations of this graph can call, by name."""
        return self._functions

    def add_function(self, function: Any) -> codec.NameAttrList:
        """Adds a FuncGraph to the library and returns what the attr of a node that calls it holds.

        Raises:
            ValueError: the library has another function of that name.
        """
        known = self.library.setdefault(function.name, function)
        if known is not function:
            raise ValueError(f"Another function is already defined with the name {function.name!r}")
        return codec.NameAttrList(function.name, {}, function)

    def function(self, name: str) -> Any:
        """The FuncGraph of that name.

        Raises:
            ValueError: the library has no such function.
        """
        if name not in self.library:
            raise ValueError(f"No function named {name!r} in the graph's library")
        found = self.library[name]
        if not isinstance(found, Graph):  # a FunctionDef, built at its first use
            found = self.library[name] = found.build()
        return found

    def op_def(self, opdef: OpDef) -> Any:
        """The declaration of an op as an OpDef message."""
        return encode.op_def(opdef)

    def public_attr(self, kind: str, value: Any) -> Any:
        """The value of an attr as `Operation.get_attr` returns it."""
        return encode.public_attr(kind, value)

    def node_def(self, node: Operation) -> Any:
        """An operation as a NodeDef message."""
        return encode.node_def(node)

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a GraphDef message, which TensorFlow can import."""
        return graphdef.graph_def(self, from_version, add_shapes)

    @property
    def version(self) -> int:
        """The number of operations."""
        return len(self._nodes)

    @property
    def graph_def_versions(self) -> Any:
        """The VersionDef of the GraphDef that `as_graph_def` returns."""
        return encode.versions(self._producer)

    @property
    def _c_graph(self) -> Graph:
        """What programs give to functions of `pywrap_tensorflow` as the graph."""
        return self

    @property
    def building_function(self) -> bool:
        """Whether this graph is the body of a function."""
        return self.is_function

    _building_function = building_function  # TensorFlow's private name, which programs use

    def _get_control_flow_context(self) -> Any:
        """The context that a program has entered; branches and loop bodies are graphs of their own, and have none."""
        return self.scopes.context

    def _set_control_flow_context(self, context: Any) -> None:
        """Has a context, or none, told of the operations that this thread makes from now on."""
        self.scopes.context = context

    @property
    def _last_id(self) -> int:
        """The number of operations created so far, functions included, from which default op seeds derive."""
        return len(self._nodes) + self._inner_nodes

    def _next_id(self) -> int:
        return self._last_id + 1

    def _count_more(self, count: int) -> None:
        """Counts nodes that TensorFlow builds besides, so that later random ops get the seeds that they have there."""
        self._inner_nodes += count

    def next_op_seed(self) -> int:
        """The second seed of a random op that is given none, where `seed` is set."""
        self.seeds_given += 1
        return self._last_id


_NOTHING = contextlib.nullcontext()
_root_lock = threading.Lock()
_root: list[Graph] = []


@export("get_default_graph")
def get_default_graph() -> Graph:
    """The graph of the innermost `graph.as_default()` block, or the global one."""
    return default_graph().as_plain()


def default_graph() -> Graph:
    """The graph that new operations go to; with eager execution, the one that runs them at once."""
    top = scopes.graphs.top()
    if top is not None:
        return top
    if _root:
        return _root[0]
    with _root_lock:
        if not _root:
            _root.append(Graph())
        return _root[0]


@export("reset_default_graph")
def reset_default_graph() -> None:
    """Replaces the global default graph by an empty one.

    Raises:
        AssertionError: called inside a `with graph.as_default()` block.
    """
    around = scopes.graphs.items
    if not all(graph.is_eager for graph in around):
        raise AssertionError(
            "tf.reset_default_graph() replaces the global graph only: it cannot be called among nested graphs, inside "
            "`with graph.as_default()`.")
    with _root_lock:
        current = around[-1:] or _root
        if current and current[0].is_eager:
            current[0].forget_plain()
        else:
            _root[:] = [Graph()]


def replace_global_graph(graph: Graph) -> None:
    """Makes `graph` the default outside of all `graph.as_default()` blocks."""
    with _root_lock:
        _root[:] = [graph]


def global_graph() -> Graph | None:
    """The graph outside of all `graph.as_default()` blocks, if something has used it."""
    return _root[0] if _root else None
