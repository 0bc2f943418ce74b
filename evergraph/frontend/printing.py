"""tf.print and tf.Print: show values while a graph runs."""
from __future__ import annotations

import pprint
import sys

from evergraph.base import dtypes, logging, nest
from evergraph.base.export import export
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.ops.control import effects
from evergraph.ops.strings.strings import string_format


@export("Print")
def Print(input_, data, message=None, first_n=None, summarize=None, name=None):  # noqa: N802 - TensorFlow's spelling
    """Returns `input_` unchanged, and prints `data` to stderr whenever it is computed.

    Args:
        input_: a tensor.
        data: a list of tensors.
        message: printed before them.
        first_n: print only the first so many times.
        summarize: how many elements of each to show; 3 when not given.
        name: a name for the operation.
    """
    first_n, summarize = (default if n is None else n for n, default in ((first_n, -1), (summarize, 3)))
    return effects.print_(input_, [convert_to_tensor(d) for d in data], message=message or "", first_n=first_n,
                          summarize=summarize, name=name)


@export("print")
def print_v2(*inputs, **kwargs):
    """Returns an operation that prints `inputs` whenever it runs; it needs a control dependency or a fetch to run.

    >>> show = tf.print("x is", x)
    >>> with tf.control_dependencies([show]):
    ...     y = x + 1.0

    Args:
        *inputs: tensors, Python values, and lists, tuples and dicts of these.
        output_stream: sys.stderr (the default), sys.stdout, tf.logging.info, .warning or .error, or "file://path".
        summarize: how many elements to show at each end of a dimension; 3 when not given, -1 for all.
        sep: printed between inputs.
        end: printed at the end.
        name: a name for the operation.

    Raises:
        ValueError: another keyword or an output stream of another kind was given.
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    name, summarize = kwargs.pop("name", None), kwargs.pop("summarize", 3)
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    target = _stream_name(stream)
    if len(inputs) == 1 and _is_line(inputs[0]):
        return effects.print_v2(inputs[0], output_stream=target, end=end, name=name)
    tensors: list[Tensor] = []
    template = sep.join(_described(item, tensors, top=True) for item in inputs)
    format_name = None if name is None else f"{name}_format"
    placeholder = _unlike(template)
    line = string_format(tensors, template=template.replace(_MARK, placeholder), placeholder=placeholder,
                                  summarize=3 if summarize is None else summarize, name=format_name)
    return effects.print_v2(line, output_stream=target, end=end, name=name)


def _is_line(item):
    """Whether an input is a text already, which is printed without quotes when it stands alone."""
    return isinstance(item, Tensor) and item.dtype == dtypes.string and item.shape.ndims == 0


def _stream_name(stream):
    named = {id(sys.stdout): "stdout", id(sys.stderr): "stderr"}
    if id(stream) in named:
        return named[id(stream)]
    for level in ("info", "warning", "error"):
        if stream is getattr(logging, level) or stream is getattr(logging, "warn", None) and level == "warning":
            return f"log({level})"
    if isinstance(stream, str) and stream.startswith("file://") and len(stream) > len("file://"):
        return stream
    raise ValueError(f"output_stream must be a standard stream, a function of tf.logging or 'file://' and a path, got "
                     f"{stream!r}")


_MARK = "\0"  # stands for a tensor until the rest of the text is known


def _described(item, tensors, top=False):
    """The text of an input, with marks where tensors go."""
    if isinstance(item, SparseTensor):
        parts = [_described(part, tensors) for part in item._components()]
        return f"'SparseTensor(indices={parts[0]}, values={parts[1]}, shape={parts[2]})'"
    if isinstance(item, Tensor) or is_tensor_like(item):
        tensors.append(convert_to_tensor(item))
        return _MARK
    if isinstance(item, dict):
        return "{" + ", ".join(f"{k!r}: {_described(item[k], tensors)}" for k in sorted(item)) + "}"
    if isinstance(item, (list, tuple)) and nest.is_nested(item):
        return _sequence(item, [_described(part, tensors) for part in item])
    return item if top and isinstance(item, str) else pprint.pformat(item)


def _sequence(item, parts):
    if hasattr(item, "_fields"):
        return f"{type(item).__name__}({', '.join(f'{f}={p}' for f, p in zip(item._fields, parts))})"
    if isinstance(item, list):
        return f"[{', '.join(parts)}]"
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _unlike(template):
    """A placeholder that does not occur in the text itself."""
    placeholder = "{}"
    while placeholder in template:
        placeholder = f"{{{placeholder}}}"
    return placeholder

