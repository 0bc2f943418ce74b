"""tf.print and tf.Print: show values while a graph runs."""
from __future__ import annotations

import sys

from evergraph.base import logging, nest
from evergraph.base.export import export
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor, is_tensor_like
from evergraph.graph.node import Tensor
from evergraph.ops.control import effects
from evergraph.ops.strings.strings import string_format


@export("Print")
def Print(input_, data, message=None, first_n=None, summarize=None, name=None):  # noqa: N802 - TensorFlow's spelling
    """`input_`, which prints `data` to stderr whenever it is computed.

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
    """An operation that prints `inputs` whenever it runs. Hang control dependencies on it to have it run.

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
    tensors: list[Tensor] = []
    template = sep.join(_described(item, tensors, top=True) for item in inputs)
    format_name = None if name is None else f"{name}_format"
    placeholder = _unlike(template)
    line = string_format(tensors, template=template.replace(_MARK, placeholder), placeholder=placeholder,
                                  summarize=3 if summarize is None else summarize, name=format_name)
    return effects.print_v2(line, output_stream=target, end=end, name=name)


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
        text = f"SparseTensor(indices={parts[0]}, values={parts[1]}, shape={parts[2]})"
        return f"'{text}'" if top else text
    if isinstance(item, Tensor) or is_tensor_like(item):
        tensors.append(convert_to_tensor(item))
        return _MARK
    if isinstance(item, dict):
        return "{" + ", ".join(f"{k!r}: {_described(item[k], tensors)}" for k in sorted(item)) + "}"
    if isinstance(item, (list, tuple)) and nest.is_nested(item):
        return _sequence(item, [_described(part, tensors) for part in item])
    return str(item) if top else repr(item)


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

