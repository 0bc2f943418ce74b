"""Parsing of serialized SequenceExamples: context features, and feature lists with one entry per step."""

from __future__ import annotations

import math

import numpy as np

import evergraph.proto as protos
from evergraph import native
from evergraph.base.errors import invalid
from evergraph.base.shapes import text as shape_text
from evergraph.formats.examples import (
    all_parsed,
    column_of,
    kind_of,
    native_request,
    padded,
    sparse_indices,
    values_of,
    within,
)
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import with_rank
from evergraph.ops.strings.parsing import key_text, names_of
from evergraph.ops.strings.strings import shown
from evergraph.ops.strings.walking import flat
from evergraph.proto.text import to_text
from evergraph.proto.wire import from_bytes

_TYPES = "list({float, int64, string}) >= 0 = []"
_COUNTS = ("Ncontext_sparse: int >= 0 = 0, Ncontext_dense: int >= 0 = 0, Nfeature_list_sparse: int >= 0 = 0, "
           "Nfeature_list_dense: int >= 0 = 0")
_KINDS = (f"context_sparse_types: {_TYPES}, Tcontext_dense: {_TYPES}, feature_list_dense_types: {_TYPES}, "
          f"context_dense_shapes: list(shape) >= 0 = [], feature_list_sparse_types: {_TYPES}, "
          "feature_list_dense_shapes: list(shape) >= 0 = []")
_OUTPUTS = ("context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, "
            "context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, "
            "feature_list_sparse_indices: Nfeature_list_sparse * int64, "
            "feature_list_sparse_values: feature_list_sparse_types, "
            "feature_list_sparse_shapes: Nfeature_list_sparse * int64, "
            "feature_list_dense_values: feature_list_dense_types")


class _Sequences:
    """A batch of serialized SequenceExamples.

    Args:
        serialized: the examples.
        names: the examples' names in error messages.
        wanted: (key, dtype) of all context features to parse.
        wanted_lists: (key, dtype) of all feature lists to parse.
    """

    def __init__(self, serialized, names, wanted, wanted_lists):
        self.serialized, self.names = serialized, names
        self._read = self._all_columns(wanted, wanted_lists)
        if self._read is None:
            self._parts = all_parsed(serialized, protos.example_parts_pb2.SequenceExampleParts)

    def _all_columns(self, wanted, wanted_lists):
        """The columns of the context and of the feature lists by key; None without the C extension."""
        request, lists = native_request(wanted), native_request(wanted_lists)
        if request is None or lists is None:
            return None
        found = native.files.sequences(tuple(self.serialized), *request, *lists)
        return found and [{key: column_of(parts, dtype) for (key, dtype), parts in zip(keys, columns)}
                          for keys, columns in zip((wanted, wanted_lists), found)]

    def context(self, key, dtype, required):
        """(values, number of values per example, which examples lack the feature) of a context feature."""
        if self._read is not None:
            values, counts, has, _ = self._read[0][key]
            return values, counts, ~has
        lists = []
        for name, parts in zip(self.names, self._parts):
            feature = parts.context.feature.get(key)
            if feature is not None and (required or feature.WhichOneof("kind")):
                _check_kind(feature, dtype, f"Name: {name}, Context feature: {key}.  ")
            lists.append(None if feature is None else getattr(feature, kind_of(dtype).field))
        return *values_of(lists, dtype, self.serialized), np.array([data is None for data in lists], bool)

    def steps(self, key, dtype, required, may_miss=True):
        """(values, number of values per step, number of steps per example) of a feature list."""
        if self._read is not None:
            values, counts, has, _, steps = self._read[1][key]
            if not may_miss and not has.all():
                raise self._missing(key, int(np.argmin(has)))
            return values, counts, steps
        lists, counts, owners = [], [], []
        for place, (serialized, parts) in enumerate(zip(self.serialized, self._parts)):
            found = parts.feature_lists.feature_list.get(key)
            if found is None and not may_miss:
                raise self._missing(key, place)
            features = () if found is None else found.feature
            for step, feature in enumerate(features):
                if required or feature.WhichOneof("kind"):
                    _check_kind(feature, dtype, f"Name: {self.names[place]}, Feature list: {key}, Index: {step}.  ")
                lists.append(getattr(feature, kind_of(dtype).field))
            counts.append(len(features))
            owners += [serialized] * len(features)
        return *values_of(lists, dtype, owners), np.array(counts, np.int64)

    def _missing(self, key, place):
        return invalid(f"Name: {self.names[place]}, Feature list '{key}' is required but could not be found.  Did you "
                       "mean to include it in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?")


def _check_kind(feature, dtype, where):
    kind = kind_of(dtype)
    if feature.WhichOneof("kind") != kind.field:
        whole = from_bytes(feature.SerializeToString(), protos.feature_pb2.Feature())
        raise invalid(f"{where}Data types don't match. Expected type: {kind.type_name}  Feature is: {to_text(whole)}")


# ---- the context

def _context_sparse(sequences, key, dtype):
    values, counts, _ = sequences.context(key, dtype, required=False)
    indices, longest = sparse_indices(counts)
    return indices, values, np.array([len(counts), longest], np.int64)


def _context_dense(sequences, key, dtype, shape, default):
    values, counts, missing = sequences.context(key, dtype, required=True)
    if missing.any() and not default.size:
        raise invalid(f"Name: {sequences.names[int(np.argmax(missing))]}, Context feature '{key}' is required but "
                      "could not be found.")
    _check_sizes(counts, shape, dtype, key, lambda _: (sequences.names[0], 0), except_at=missing)
    column = np.empty((len(counts), *shape), dtype)
    if missing.any():
        column[missing] = default
    column[~missing] = values.reshape(-1, *shape)
    return column


def _check_sizes(counts, shape, dtype, key, whose, except_at=False):
    """Checks that the number of values matches the shape everywhere; whose(place) -> (example's name, index)."""
    wrong = (counts != math.prod(shape)) & ~np.asarray(except_at)
    if wrong.any():
        place = int(np.argmax(wrong))
        name, index = whose(place)
        raise invalid(f"Name: {name}, Key: {key}, Index: {index}.  Number of {kind_of(dtype).word} values != expected."
                      f"  values size: {counts[place]} but output shape: {shape_text(shape)}")


def _check_defaults(defaults, shapes):
    for place, (default, shape) in enumerate(zip(defaults, shapes)):
        if np.size(default) and np.shape(default) != tuple(shape):
            raise invalid(f"context_dense_defaults[{place}].shape() == {shown(np.shape(default))} != "
                          f"context_dense_shapes[{place}] == {shape_text(shape)}")


# ---- feature lists

def _list_sparse(sequences, key, dtype):
    """(indices, values, shape), with axes for example, step, and position in the step."""
    values, counts, steps = sequences.steps(key, dtype, required=False)
    example = np.repeat(np.repeat(np.arange(len(steps)), steps), counts)
    indices = np.stack([example, np.repeat(within(steps), counts), within(counts)], axis=1)
    return indices, values, np.array([len(steps), steps.max(initial=0), counts.max(initial=0)], np.int64)


def _list_dense(sequences, key, dtype, shape, may_miss):
    """(values, number of steps per example); examples with fewer steps are padded with zeros or ""."""
    values, counts, steps = sequences.steps(key, dtype, required=True, may_miss=may_miss)
    owners, places = np.repeat(np.arange(len(steps)), steps), within(steps)
    _check_sizes(counts, shape, dtype, key, lambda at: (sequences.names[owners[at]], places[at]))
    matrix = padded(values, steps * math.prod(shape), b"" if dtype.hasobject else 0)
    return matrix.reshape(len(steps), steps.max(initial=0), *shape), steps


def _transposed(rows, width):
    """[(a, b, c), ...] -> ([a, ...], [b, ...], [c, ...]), also for an empty list."""
    return [[row[place] for row in rows] for place in range(width)]


def _parts_of(serialized, names, keys, kinds, assumed_empty):
    """The eight groups of outputs, and the number of steps of the dense feature lists."""
    sparse_keys, dense_keys, list_sparse_keys, list_dense_keys = ([key_text(key) for key in some] for some in keys)
    sparse_types, dense_types, dense_shapes, defaults, list_sparse_types, list_types, list_shapes = kinds
    _check_defaults(defaults, dense_shapes)
    sparse, dense = [*zip(sparse_keys, sparse_types)], [*zip(dense_keys, dense_types)]
    list_sparse, list_dense = [*zip(list_sparse_keys, list_sparse_types)], [*zip(list_dense_keys, list_types)]
    sequences = _Sequences(serialized, names, sparse + dense, list_sparse + list_dense)
    context = [_context_sparse(sequences, *each) for each in sparse]
    arrays = [_context_dense(sequences, *each, shape, np.asarray(default, each[1]))
              for each, shape, default in zip(dense, dense_shapes, defaults)]
    lists = [_list_sparse(sequences, *each) for each in list_sparse]
    list_arrays = [_list_dense(sequences, *each, shape, each[0] in assumed_empty)
                   for each, shape in zip(list_dense, list_shapes)]
    return *_transposed(context, 3), arrays, *_transposed(lists, 3), *_transposed(list_arrays, 2)


@op("ParseSequenceExample(serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense, *, "
    "feature_list_dense_missing_assumed_empty: list(string) >= 0, context_sparse_keys: list(string) >= 0, "
    "context_dense_keys: list(string) >= 0, feature_list_sparse_keys: list(string) >= 0, "
    f"feature_list_dense_keys: list(string) >= 0, {_COUNTS}, {_KINDS}) -> {_OUTPUTS}, "
    "feature_list_dense_lengths: Nfeature_list_dense * int64", on="host", grad=STOP)
def parse_sequence_example(
        serialized, debug_name, context_dense_defaults, feature_list_dense_missing_assumed_empty, context_sparse_keys,
        context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_sparse_types, Tcontext_dense,
        feature_list_dense_types, context_dense_shapes, feature_list_sparse_types, feature_list_dense_shapes):
    """Parses the contexts and feature lists of a batch of serialized SequenceExamples."""
    return _parts_of(
        flat(serialized), names_of(debug_name, serialized),
        (context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys),
        (context_sparse_types, Tcontext_dense, context_dense_shapes, context_dense_defaults, feature_list_sparse_types,
         feature_list_dense_types, feature_list_dense_shapes), set(feature_list_dense_missing_assumed_empty))


@parse_sequence_example.shape
def _(serialized, context_sparse_types, context_dense_shapes, feature_list_sparse_types, feature_list_dense_shapes):
    batch = with_rank(serialized, 1)
    sparse, listed = len(context_sparse_types), len(feature_list_sparse_types)
    return [*_sparse_shapes(sparse, 2), *((*batch, *_known(shape)) for shape in context_dense_shapes),
            *_sparse_shapes(listed, 3), *((*batch, None, *_known(shape)) for shape in feature_list_dense_shapes),
            *([batch] * len(feature_list_dense_shapes))]


@op("ParseSingleSequenceExample(serialized: string, feature_list_dense_missing_assumed_empty: string, "
    "context_sparse_keys: Ncontext_sparse * string, context_dense_keys: Ncontext_dense * string, "
    "feature_list_sparse_keys: Nfeature_list_sparse * string, feature_list_dense_keys: Nfeature_list_dense * string, "
    f"context_dense_defaults: Tcontext_dense, debug_name: string, *, {_COUNTS}, {_KINDS}) -> {_OUTPUTS}",
    on="host", grad=STOP)
def parse_single_sequence_example(
        serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys,
        feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name, context_sparse_types,
        Tcontext_dense, feature_list_dense_types, context_dense_shapes, feature_list_sparse_types,
        feature_list_dense_shapes):
    """Parses the context and the feature lists of one serialized SequenceExample."""
    name = "".join(each.decode(errors="replace") for each in flat(debug_name))
    assumed_empty = {key_text(key) for key in flat(feature_list_dense_missing_assumed_empty)}
    indices, values, shapes, dense, list_indices, list_values, list_shapes, list_dense, _ = _parts_of(
        flat(serialized), [name],
        (context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys),
        (context_sparse_types, Tcontext_dense, context_dense_shapes, context_dense_defaults, feature_list_sparse_types,
         feature_list_dense_types, feature_list_dense_shapes), assumed_empty)
    return ([rows[:, 1:] for rows in indices], values, [shape[1:] for shape in shapes], [rows[0] for rows in dense],
            [rows[:, 1:] for rows in list_indices], list_values, [shape[1:] for shape in list_shapes],
            [rows[0] for rows in list_dense])


@parse_single_sequence_example.shape
def _(serialized, feature_list_dense_missing_assumed_empty, context_sparse_types, context_dense_shapes,
      feature_list_sparse_types, feature_list_dense_shapes):
    with_rank(serialized, 0)
    with_rank(feature_list_dense_missing_assumed_empty, 1)
    return [*_sparse_shapes(len(context_sparse_types), 1), *map(_known, context_dense_shapes),
            *_sparse_shapes(len(feature_list_sparse_types), 2),
            *((None, *_known(shape)) for shape in feature_list_dense_shapes)]


def _sparse_shapes(count, rank):
    return [(None, rank)] * count + [(None,)] * count + [(rank,)] * count


def _known(shape):
    if shape is None or None in shape:
        raise ValueError(f"the shape of a dense feature must be known, not {shape_text(shape)}")
    return shape
