"""DecodeLibsvm: lines of a label and of pairs of a feature and its value."""

from __future__ import annotations

import numpy as np

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op
from evergraph.ops.strings.numbers import real_number, whole_number
from evergraph.ops.strings.walking import flat

_NUMBERS = "{float, double, int32, int64}"


def _parsed(text, dtype, what):
    parse = real_number if np.issubdtype(dtype, np.floating) else whole_number
    value = parse(text, dtype)
    if value is None:
        raise invalid(f"{what} is no {dtype.name}: {text.decode(errors='replace')!r}")
    return value


def _shapes(input):
    rank = None if input is None else len(input) + 1
    return [input, (None, rank), (None,), (rank,)]


@op(f"DecodeLibsvm(input: string, *, dtype: {_NUMBERS} = float, label_dtype: {_NUMBERS} = int64, "
    "num_features: int >= 1) -> label: label_dtype, feature_indices: int64, feature_values: dtype, "
    "feature_shape: int64", shape=_shapes, on="host")
def decode_libsvm(input, dtype, label_dtype, num_features):
    """The labels of lines in the format of LIBSVM, and their features as parts of a sparse tensor."""
    shape = np.shape(input)
    dtype, label_dtype = np.dtype(dtype), np.dtype(label_dtype)
    labels, places, values = [], [], []
    for place, line in zip(np.ndindex(shape), flat(input)):
        words = line.split()
        if not words:
            raise invalid(f"There is no label in {line.decode(errors='replace')!r}")
        labels.append(_parsed(words[0], label_dtype, "The label"))
        for word in words[1:]:
            name, colon, value = word.partition(b":")
            if not colon:
                raise invalid(f"A feature is a number, a colon and a value, but there is {word.decode()!r}")
            feature = _parsed(name, np.dtype(np.int64), "The number of a feature")
            if not 0 <= feature < num_features:
                raise invalid(f"Features are numbered from 0 to {num_features - 1}, but there is {feature}")
            places.append((*place, feature))
            values.append(_parsed(value, dtype, "A value"))
    return (np.array(labels, label_dtype).reshape(shape), np.array(places, np.int64).reshape(-1, len(shape) + 1),
            np.array(values, dtype), np.array([*shape, num_features], np.int64))
