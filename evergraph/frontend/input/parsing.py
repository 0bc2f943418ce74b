"""tf.parse_example and its siblings, and tf.decode_csv."""

from __future__ import annotations

import re

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array, indexing
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.checks import assert_rank
from evergraph.frontend.control_flow import with_dependencies
from evergraph.frontend.input.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    requested,
)
from evergraph.frontend.sparse.arithmetic import sparse_merge
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.strings import csv_records, parsing, sequence_parsing

_OF_EXAMPLES = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)
_OF_CONTEXTS = (VarLenFeature, FixedLenFeature)
_OF_LISTS = (VarLenFeature, FixedLenSequenceFeature)


# ---- Examples

@export("parse_example", "io.parse_example")
def parse_example(serialized, features, name=None, example_names=None):
    """Parses the features of a batch of serialized Examples to tensors.

    Args:
        serialized: a vector of strings.
        features: a dict from a feature's name to its spec: a `FixedLenFeature` is parsed to a tensor of shape
            [batch, *shape], a `FixedLenSequenceFeature` to one of shape [batch, longest, *shape], a `VarLenFeature` and
            a `SparseFeature` to a SparseTensor.
        name: a name prefix for the operations.
        example_names: a vector of strings: the examples' names in error messages.

    Returns:
        A dict from a feature's name to its tensor.

    Raises:
        ValueError: a feature's spec is invalid.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    features = _with_axis_of_rows(features)
    request = requested(features, _OF_EXAMPLES)
    return with_merged_features(features, _example_tensors(serialized, request, example_names, name))


@export("parse_single_example", "io.parse_single_example")
def parse_single_example(serialized, features, name=None, example_names=None):
    """Parses the features of one serialized Example to tensors: `tf.parse_example` without the batch dimension.

    Args:
        serialized: a scalar string.
        features: a dict from a feature's name to its spec.
        name: a name prefix for the operations.
        example_names: a scalar string: the example's name in error messages.
    """
    if not features:
        raise ValueError("Missing features.")
    features = _with_axis_of_rows(features)
    request = requested(features, _OF_EXAMPLES)
    with name_scope(name, "ParseSingleExample", [serialized, example_names]):
        serialized = _scalar(serialized, "serialized")
        if example_names is None:
            tensors = _single_example_tensors(serialized, request)
        else:
            names = array.expand_dims(_scalar(example_names, "names"), 0)
            batch = _example_tensors(array.expand_dims(serialized, 0), request, names, None)
            tensors = {key: _only_row(key, tensor) for key, tensor in batch.items()}
    return with_merged_features(features, tensors)


def _with_axis_of_rows(features):
    """The features, with the shapes of sequences in the ops' form: the unknown number of rows first."""
    changed = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            if feature.shape is not None:
                changed[key] = feature._replace(shape=[None, *TensorShape(feature.shape)])
    return changed


def requested_features(features):
    """(features in the ops' form, the request for them, the defaults of the dense ones)."""
    features = _with_axis_of_rows(features)
    request = requested(features, _OF_EXAMPLES)
    return features, request, _defaults(request)


def _scalar(value, what):
    tensor = convert_to_tensor(value, dtypes.string, name=what)
    if tensor.shape.ndims is None:
        return with_dependencies([assert_rank(tensor, 0, message=f"Input {what} must be a scalar")], tensor)
    if tensor.shape.ndims:
        raise ValueError(f"Input {what} must be a scalar")
    return tensor


def _defaults(request):
    """The default of each dense feature: none, a value of its shape, or a padding value."""
    return [_default(key, request.dense[key], request.shapes[key], request.defaults.get(key)) for key in request.dense]


def _default(key, dtype, shape, given):
    rows = bool(shape.ndims) and shape.tuple[0] is None
    if given is None:
        return array.constant(("" if dtype == dtypes.string else 0) if rows else [], dtype)
    if not isinstance(given, Tensor):
        given = convert_to_tensor(given, dtype, name="key_" + re.sub(r"[^A-Za-z0-9_.\-/]", "_", key))
    return array.reshape(given, [] if rows else shape)


def _example_tensors(serialized, request, names, name):
    with name_scope(name, "ParseExample", [serialized, names]):
        names = convert_to_tensor([] if names is None else names, dtypes.string, name="names")
        outputs = parsing.parse_example(
            serialized, names, list(request.sparse), list(request.dense), _defaults(request),
            sparse_types=list(request.sparse.values()), dense_shapes=list(request.shapes.values()), name=name)
    return _named(request, *outputs)


def _single_example_tensors(serialized, request):
    outputs = parsing.parse_single_example(
        serialized, _defaults(request), num_sparse=len(request.sparse), sparse_keys=list(request.sparse),
        dense_keys=list(request.dense), sparse_types=list(request.sparse.values()),
        dense_shapes=list(request.shapes.values()))
    return _named(request, *outputs)


def _named(request, indices, values, shapes, dense):
    """The outputs of a parsing op by feature name."""
    sparse = [SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return {**dict(zip(request.sparse, sparse)), **dict(zip(request.dense, dense))}


def _only_row(key, tensor):
    """The tensor of a batch of one, without the batch dimension."""
    key = re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)
    if not isinstance(tensor, SparseTensor):
        return array.squeeze(tensor, [0], name=f"Squeeze_{key}")
    indices = indexing.slice(tensor.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{key}")
    shape = indexing.slice(tensor.dense_shape, [1], [-1], name=f"Squeeze_Shape_{key}")
    return SparseTensor(indices, tensor.values, shape)


def with_merged_features(features, tensors):
    """The requested tensors: SparseFeatures are merged from their parts."""
    tensors = dict(tensors)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            parts = feature.index_key
            ids = tensors[parts] if isinstance(parts, str) else [tensors[part] for part in parts]
            tensors[key] = sparse_merge(ids, tensors[feature.value_key], vocab_size=feature.size,
                                        already_sorted=feature.already_sorted)
    return {key: tensor for key, tensor in tensors.items() if key in features}


# ---- SequenceExamples

@export("io.parse_sequence_example")
def parse_sequence_example(serialized, context_features=None, sequence_features=None, example_names=None, name=None):
    """Parses the contexts and feature lists of a batch of serialized SequenceExamples to tensors.

    Args:
        serialized: a vector of strings.
        context_features: a dict from the name of a context feature to a `FixedLenFeature` or `VarLenFeature`.
        sequence_features: a dict from the name of a feature list to a `FixedLenSequenceFeature`, parsed to a tensor of
            shape [batch, longest, *shape], or a `VarLenFeature`.
        example_names: a vector of strings: the examples' names in error messages.
        name: a name prefix for the operations.

    Returns:
        Three dicts: context features; feature lists; and the number of steps per example of the dense feature lists.

    Raises:
        ValueError: a feature's spec is invalid.
    """
    context, lists, assumed_empty = _sequence_requests(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized, example_names]):
        *outputs, lengths = sequence_parsing.parse_sequence_example(
            serialized, convert_to_tensor([] if example_names is None else example_names, dtypes.string, name="names"),
            _defaults(context), feature_list_dense_missing_assumed_empty=assumed_empty,
            context_sparse_keys=list(context.sparse), context_dense_keys=list(context.dense),
            feature_list_sparse_keys=list(lists.sparse), feature_list_dense_keys=list(lists.dense),
            Ncontext_sparse=len(context.sparse), Ncontext_dense=len(context.dense),
            Nfeature_list_sparse=len(lists.sparse), Nfeature_list_dense=len(lists.dense), **_kinds(context, lists),
            name=name)
    return _named(context, *outputs[:4]), _named(lists, *outputs[4:]), dict(zip(lists.dense, lengths))


@export("parse_single_sequence_example", "io.parse_single_sequence_example")
def parse_single_sequence_example(
    serialized, context_features=None, sequence_features=None, example_name=None, name=None
):
    """Parses the context and the feature lists of one serialized SequenceExample to tensors.

    Args:
        serialized: a scalar string.
        context_features: a dict from the name of a context feature to a `FixedLenFeature` or `VarLenFeature`.
        sequence_features: a dict from the name of a feature list to a `FixedLenSequenceFeature`, parsed to a tensor of
            shape [steps, *shape], or a `VarLenFeature`.
        example_name: a scalar string: the example's name in error messages.
        name: a name prefix for the operations.

    Returns:
        Two dicts: context features and feature lists.

    Raises:
        ValueError: a feature's spec is invalid.
    """
    context, lists, assumed_empty = _sequence_requests(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized, example_name]):
        outputs = sequence_parsing.parse_single_sequence_example(
            _scalar(serialized, "serialized"), convert_to_tensor(assumed_empty, dtypes.string),
            list(context.sparse), list(context.dense), list(lists.sparse), list(lists.dense), _defaults(context),
            "" if example_name is None else example_name, **_kinds(context, lists), name=name)
    return _named(context, *outputs[:4]), _named(lists, *outputs[4:])


def _sequence_requests(context_features, sequence_features):
    """(request for the context, request for the feature lists, lists that may be missing)."""
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    context = requested(context_features, _OF_CONTEXTS)
    lists = requested(sequence_features, _OF_LISTS)
    for key in lists.defaults:
        raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")
    return context, lists, [key for key in lists.dense if sequence_features[key].allow_missing]


def _kinds(context, lists):
    """The attrs that both ops share."""
    return {
        "context_sparse_types": list(context.sparse.values()), "context_dense_shapes": list(context.shapes.values()),
        "feature_list_sparse_types": list(lists.sparse.values()),
        "feature_list_dense_types": list(lists.dense.values()),
        "feature_list_dense_shapes": list(lists.shapes.values()),
    }  # fmt: skip


# ---- comma-separated values

@export("decode_csv", "io.decode_csv")
def decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="",
               select_cols=None):  # fmt: skip
    """Parses lines of comma-separated values to one tensor per column, of the shape of `records`.

    Args:
        records: strings, one for each line.
        record_defaults: for each column, a vector of its dtype (float32, float64, int32, int64 or string) that holds
            the value of an empty field, or is empty if the field is required.
        field_delim: the separator of fields.
        use_quote_delim: whether double quotes may enclose a field.
        name: a name for the operation.
        na_value: a text that counts as an empty field.
        select_cols: the sorted numbers of the columns to parse; all if None.

    Raises:
        ValueError: select_cols are not sorted, or differ in number from the defaults.
    """
    if select_cols is not None:
        if any(here >= after for here, after in zip(select_cols, select_cols[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols and select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("select_cols and record_defaults do not match: each column that is read has one default.")
    return csv_records.decode_csv(records, record_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim,
                                  na_value=na_value, select_cols=select_cols or [], name=name)
