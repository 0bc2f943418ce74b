"""tf.TensorArray: a list of tensors that loops read and write."""
from __future__ import annotations

from evergraph.base import dtypes, errors
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.specs import TypeSpec
from evergraph.graph import encode
from evergraph.graph.convert import constant, convert_to_tensor, sizes_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.shaping import merge, static_value
from evergraph.ops.arrays import basic
from evergraph.ops.control import lists


@export("TensorArray")
class TensorArray:
    """A list of tensors of one dtype, to be read and written by index, also inside `tf.while_loop`.

    Methods that change the array return the new one, which is the one to go on with:

    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> total = tf.reduce_sum(squares.stack())

    The elements live in a tensor list, the `flow`. Writing an element twice replaces it, and elements stay after they
    have been read.

    Args:
        dtype: the elements' dtype.
        size: the number of elements, a scalar.
        dynamic_size: whether writing behind the end makes the array longer.
        clear_after_read: has no meaning here: nothing is held for an element that is not read again.
        tensor_array_name: has no meaning here: arrays are values and need no name to be found by.
        handle: the `handle` of another array, to share its elements.
        flow: the flow of another array, to go on from.
        infer_shape: whether all elements must have one shape, that of the first.
        element_shape: the elements' static shape.
        colocate_with_first_write_call: has no meaning here: the list is where its user is.
        name: a name for the operation.

    Raises:
        ValueError: both or neither of `size` and `handle` or `flow` are given.
    """

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None,
                 flow=None, infer_shape=True, element_shape=None, colocate_with_first_write_call=True, name=None):
        flow = handle if flow is None else flow
        if (flow is None) == (size is None):
            raise ValueError("Either size, or a handle or flow of another array must be provided, not both.")
        if flow is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both a handle and dynamic_size")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = bool(dynamic_size)
        self._infer_shape = infer_shape
        self._size = None
        # In a list, because arrays that come from this one by writing learn the shape for all.
        self._element = [None if element_shape is None else TensorShape(element_shape).tuple]
        if flow is not None:
            self._flow = flow
            return
        with name_scope(name, "TensorArray", [size]) as scope:
            count = sizes_to_tensor(size, "size")
            self._size = static_value(count)
            self._flow = lists.tensor_list_reserve(lists.shape_input(self._element[0]), count,
                                                   element_dtype=self._dtype, name=scope)

    # ---- what it is

    @property
    def dtype(self):
        """The elements' dtype."""
        return self._dtype

    @property
    def dynamic_size(self):
        """Whether writing behind the end makes the array longer."""
        return self._dynamic_size

    @property
    def element_shape(self):
        """What is known of the elements' shape."""
        return TensorShape(self._element[0])

    @property
    def flow(self):
        """The tensor that stands for the array's elements."""
        return self._flow

    @property
    def handle(self):
        """The same as `flow`."""
        return self._flow

    @property
    def _type_spec(self):
        return TensorArraySpec.from_value(self)

    def _components(self):
        return [self._flow]

    def _from_components(self, parts):
        return self._with_flow(parts[0])

    def _with_flow(self, flow):
        """The array with other elements; with eager execution the array itself, which changes."""
        if default_graph().is_eager:
            self._flow = flow
            return self
        other = TensorArray.__new__(TensorArray)
        vars(other).update(vars(self))
        other._flow = flow
        return other

    def _learn(self, shape):
        """Adds what an element's static shape says about all.

        Raises:
            ValueError: it contradicts what is known.
        """
        try:
            merged = merge(self._element[0], shape)
        except ValueError:
            raise ValueError(f"Inconsistent shapes: saw {TensorShape(shape)} but expected "
                             f"{TensorShape(self._element[0])} (and infer_shape={self._infer_shape})") from None
        if self._infer_shape:
            self._element[0] = merged

    def _value(self, value, name="value"):
        tensor = convert_to_tensor(value, preferred_dtype=self._dtype, name=name)
        if tensor.dtype.base_dtype is not self._dtype:
            raise TypeError(f"a TensorArray of dtype {self._dtype.name} cannot hold {tensor.dtype.base_dtype.name}")
        return tensor

    # ---- single elements

    def read(self, index, name=None):
        """The element at `index`."""
        value = lists.tensor_list_get_item(self._flow, index, lists.shape_input(self._element[0]),
                                           element_dtype=self._dtype, name=name or "TensorArrayReadV3")
        value.set_shape(self._element[0])
        return value

    def write(self, index, value, name=None):
        """The array with `value` at `index`."""
        with name_scope(name, "TensorArrayWrite", [self._flow, index, value]):
            value = self._value(value)
            self._learn(value._shape)
            flow = self._long_enough(index) if self._dynamic_size and default_graph().is_eager else self._flow
            flow = lists.tensor_list_set_item(flow, index, value, name="TensorArrayWriteV3")
            if self._dynamic_size and not flow.graph.is_eager:
                flow.source.extra["resize_if_index_out_of_bounds"] = encode.bool_value(True)
        return self._with_flow(flow)

    def _long_enough(self, index):
        """The flow, made longer now if it has no element at `index`."""
        wanted = int(static_value(convert_to_tensor(index))) + 1
        if int(static_value(lists.tensor_list_length(self._flow))) >= wanted:
            return self._flow
        return lists.tensor_list_resize(self._flow, wanted)

    # ---- several elements

    def stack(self, name=None):
        """All elements as one tensor."""
        with name_scope(name, "TensorArrayStack", [self._flow]):
            count = -1 if self._dynamic_size or self._size is None else int(self._size)
            value = lists.tensor_list_stack(self._flow, lists.shape_input(self._element[0]), element_dtype=self._dtype,
                                            num_elements=count, name="TensorArrayGatherV3")
        return self._shaped(value, None if count < 0 else count)

    def gather(self, indices, name=None):
        """The elements at `indices` as one tensor."""
        value = lists.tensor_list_gather(self._flow, indices, lists.shape_input(self._element[0]),
                                         element_dtype=self._dtype, name=name or "TensorArrayGatherV3")
        return self._shaped(value, None)

    def _shaped(self, value, rows):
        if self._element[0] is not None:
            value.set_shape([rows, *self._element[0]])
        return value

    def unstack(self, value, name=None):
        """The array with the rows of `value` as its elements."""
        with name_scope(name, "TensorArrayUnstack", [self._flow, value]):
            value = self._value(value)
            element = None if value._shape is None else value._shape[1:]
            self._learn(element)
            rows = None if value._shape is None else value._shape[0]
            if self._dynamic_size or self._size is None or rows in (None, int(self._size)):
                flow = lists.tensor_list_from_tensor(value, lists.shape_input(element), name="TensorArrayScatterV3")
                if self._dynamic_size and not flow.graph.is_eager:
                    flow.source.extra["_may_grow"] = encode.bool_value(True)
            else:
                if rows > self._size:
                    raise ValueError(f"cannot unstack {rows} rows into an array of {int(self._size)} elements")
                flow = lists.tensor_list_scatter_v2(value, list(range(rows)), lists.shape_input(element),
                                                    int(self._size), name="TensorArrayScatterV3")
        return self._with_flow(flow)

    def scatter(self, indices, value, name=None):
        """The array with the rows of `value` at `indices`."""
        with name_scope(name, "TensorArrayScatter", [self._flow, indices, value]):
            value = self._value(value)
            self._learn(None if value._shape is None else value._shape[1:])
            flow = lists.tensor_list_scatter_into_existing_list(self._flow, value, indices,
                                                                name="TensorArrayScatterV3")
        return self._with_flow(flow)

    def concat(self, name=None):
        """The elements one after another along their first dimension."""
        shape = self._element[0]
        rest = None if shape is None else (None, *shape[1:])
        value, _ = lists.tensor_list_concat_v2(self._flow, lists.shape_input(rest), [], element_dtype=self._dtype,
                                               name=name or "TensorArrayConcatV3")
        if rest is not None:
            value.set_shape(rest)
        return value

    def split(self, value, lengths, name=None):
        """The array with consecutive pieces of `value`, of `lengths` rows, as its elements."""
        with name_scope(name, "TensorArraySplit", [self._flow, value, lengths]):
            value = self._value(value)
            lengths = convert_to_tensor(lengths)
            lengths = lengths if lengths.dtype is dtypes.int64 else basic.cast(lengths, dtypes.int64)
            shape, known = value._shape, static_value(lengths)
            if shape is not None:
                same = known is not None and known.size and (known == known[0]).all()
                self._learn((int(known[0]) if same else None, *shape[1:]))
            flow = lists.tensor_list_split(value, lists.shape_input(self._element[0]), lengths,
                                           name="TensorArraySplitV3")
        return self._with_flow(flow)

    # ---- the array as a whole

    def size(self, name=None):
        """The number of elements."""
        if not self._dynamic_size and self._size is not None:
            return constant(int(self._size), dtypes.int32)
        return lists.tensor_list_length(self._flow, name=name or "TensorArraySizeV3")

    def identity(self):
        """The same array, which waits for the control dependencies in force."""
        return self._with_flow(basic.identity(self._flow))

    def close(self, name=None):
        """Does nothing: an array lives no longer than the step that uses it."""
        return basic.no_op(name=name or "TensorArrayCloseV3")

    def grad(self, source, flow=None, name=None):
        """Not available: gradients pass through the array's own operations.

        Raises:
            UnimplementedError: always.
        """
        raise errors.UnimplementedError(None, None, f"TensorArray.grad (source {source!r}): use tf.gradients")


@export("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """The shape and dtype of the elements of a tf.TensorArray.

    Args:
        element_shape: the static shape of the elements.
        dtype: their dtype.
        dynamic_size: whether writing behind the end makes the array longer.
        infer_shape: whether all elements must have one shape.
    """

    value_type = TensorArray

    def __init__(self, element_shape=None, dtype=dtypes.float32, dynamic_size=False, infer_shape=True):
        self._element_shape, self._dtype = TensorShape(element_shape), dtypes.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @staticmethod
    def from_value(value):
        """The spec of a TensorArray."""
        return TensorArraySpec(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)

    def is_compatible_with(self, other):
        """Whether a TensorArray, or the spec of one, fits."""
        return super().is_compatible_with(other)

    def _parts(self):
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def _value_of(self, flow):
        array = TensorArray(self._dtype, flow=flow, infer_shape=self._infer_shape, element_shape=self._element_shape)
        array._dynamic_size = self._dynamic_size
        return array


@export("data.experimental.TensorArrayStructure")
def tensor_array_structure(dtype, element_shape, dynamic_size, infer_shape):
    """The same as `tf.TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)`."""
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)
