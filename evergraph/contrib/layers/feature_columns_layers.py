"""tf.contrib.layers: what networks and linear models make of the older feature columns."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.layers.feature_columns import (
    OlderBucketizedColumn,
    OlderCrossedColumn,
    RealValuedColumn,
    Transformer,
    flat,
    model_weights,
)
from evergraph.feature.column import DenseTensorColumn, IdsColumn
from evergraph.feature.input_layer import tensors_of
from evergraph.frontend import array, math
from evergraph.frontend.input.features import FixedLenFeature, FixedLenSequenceFeature
from evergraph.frontend.input.parsing import parse_example, parse_single_sequence_example
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import bias_add
from evergraph.frontend.nn.embedding import safe_embedding_lookup_sparse
from evergraph.frontend.reduce import reduce_prod
from evergraph.frontend.sparse.shape import sparse_reshape
from evergraph.frontend.variables.initializers import zeros_initializer
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.save.warm import init_from_checkpoint

_WITHOUT_STEPS = (OlderBucketizedColumn, OlderCrossedColumn)


@export("contrib.layers.check_feature_columns")
def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Raises ValueError where columns are a dictionary or two have the same name."""
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict (pass a list of its columns)")
    seen: set[str] = set()
    for column in feature_columns:
        if column.name in seen:
            raise ValueError(f"Duplicate feature column key found for column: {column.name}; leave one of the two out")
        seen.add(column.name)


def _in_order(columns: Iterable[Any]) -> list[Any]:
    return sorted(set(columns), key=lambda column: getattr(column, "key", column.name))


@export("contrib.layers.transform_features")
def transform_features(features: Mapping[Any, Any], feature_columns: Iterable[Any]) -> dict[Any, Any]:
    """What each column makes of the features: tensors by column.

    Args:
        features: tensors by name.
        feature_columns: columns.
    """
    columns = list(feature_columns)
    check_feature_columns(columns)
    transformer = Transformer(features)
    return {column: transformer.transform(column) for column in _in_order(columns)}


@export("contrib.layers.input_from_feature_columns")
def input_from_feature_columns(columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any],
                               weight_collections: Any = None, trainable: bool = True, scope: Any = None,
                               cols_to_outs: dict[Any, Any] | None = None) -> Any:
    """The input of a network: what dense columns make of the features, side by side.

    Args:
        columns_to_tensors: tensors by name, or by column where they are transformed already.
        feature_columns: dense columns.
        weight_collections: collections that variables join.
        trainable: whether the variables are.
        scope: the variable scope; "input_from_feature_columns" by default.
        cols_to_outs: a dictionary to fill: the tensor of each column.

    Raises:
        ValueError: a column is not dense, or two have the same name.
    """
    check_feature_columns(feature_columns)
    outputs = []
    with variable_scope(scope, "input_from_feature_columns", tensors_of(columns_to_tensors)):
        transformer = Transformer(columns_to_tensors)
        for column in _in_order(feature_columns):
            with variable_scope(None, default_name=column.name):
                if not isinstance(column, DenseTensorColumn):
                    raise ValueError(f"Error creating input layer for column: {column.name}. It is categorical: wrap "
                                     "it in an embedding_column or a one_hot_column")
                outputs.append(flat(column, column._get_dense_tensor(transformer, weight_collections, trainable)))
                if cols_to_outs is not None:
                    cols_to_outs[column] = outputs[-1]
        return array.concat(outputs, axis=1)


@export("contrib.layers.sequence_input_from_feature_columns")
def sequence_input_from_feature_columns(columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any],
                                        weight_collections: Any = None, trainable: bool = True,
                                        scope: Any = None) -> Any:
    """The input of a recurrent network, [batch, steps, width]: what dense columns make of each step, side by side.

    Args:
        columns_to_tensors: tensors by name: [batch, steps, numbers] or [batch, steps], sparse for categories.
        feature_columns: columns of numbers, embeddings and one-hot columns.
        weight_collections: collections that variables join.
        trainable: whether the variables are.
        scope: the variable scope; "sequence_input_from_feature_columns" by default.

    Raises:
        ValueError: a column is not dense or has no steps, or two have the same name.
    """
    columns = list(feature_columns)
    for column in columns:
        if isinstance(column, _WITHOUT_STEPS) or isinstance(getattr(column, "sparse_id_column", None), _WITHOUT_STEPS):
            raise ValueError(f"the column {column.name} has no steps: sequences are made of numbers, embeddings and "
                             "one-hot columns")
    with variable_scope(scope, "sequence_input_from_feature_columns", tensors_of(columns_to_tensors)) as own:
        given = {key: columns_to_tensors[key] for column in columns for key in column._parse_example_spec}
        folded, outer = {}, None
        for key, tensor in given.items():
            folded[key], outer = _steps_as_batch(tensor)
        flat_input = input_from_feature_columns(folded, columns, weight_collections, trainable, own)
        width = flat_input.shape[-1].value
        result = array.reshape(flat_input, array.concat([outer, [width]], 0))
        dense = [tensor.shape[:2] for tensor in given.values() if not isinstance(tensor, SparseTensor)]
        for shape in dense:
            result.set_shape(shape.concatenate([width]))
        return result


def _steps_as_batch(tensor: Any) -> tuple[Any, Any]:
    """(a tensor [batch * steps, ...] of one [batch, steps, ...], its batch and steps)."""
    if isinstance(tensor, SparseTensor):
        rank = tensor.dense_shape.shape[0].value
        size = tensor.dense_shape[2:] if rank is not None and rank > 2 else array.constant([1], dtypes.int64)
        outer = tensor.dense_shape[:2]
        return (sparse_reshape(tensor, array.concat([[reduce_prod(outer)], size], 0)),
                math.cast(outer, dtypes.int32))
    tensor = convert_to_tensor(tensor)
    shape = array.shape(tensor)
    inner = [1] if tensor.shape.ndims == 2 else shape[2:]
    found = array.reshape(tensor, array.concat([[shape[0] * shape[1]], inner], 0))
    found.set_shape([None, *(tensor.shape.as_list()[2:] or [1])])
    return found, shape[:2]


@export("contrib.layers.weighted_sum_from_feature_columns")
def weighted_sum_from_feature_columns(columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any],
                                      num_outputs: int, weight_collections: Any = None, trainable: bool = True,
                                      scope: Any = None) -> tuple[Any, dict[Any, list[Any]], Any]:
    """The predictions of a linear model: the sum of each column's values times their weights, plus a bias.

    Args:
        columns_to_tensors: tensors by name, or by column where they are transformed already.
        feature_columns: categorical columns, buckets and numbers.
        num_outputs: how many predictions there are.
        weight_collections: collections that variables join.
        trainable: whether the variables are.
        scope: the variable scope; "weighted_sum_from_feature_columns" by default.

    Returns:
        (predictions [batch, num_outputs], the variables of each column, the bias).

    Raises:
        ValueError: a column is an embedding or one-hot, or two have the same name.
    """
    check_feature_columns(feature_columns)
    sums, variables = [], {}
    with variable_scope(scope, "weighted_sum_from_feature_columns", tensors_of(columns_to_tensors)):
        transformer = Transformer(columns_to_tensors)
        for column in _in_order(feature_columns):
            with variable_scope(None, default_name=column.name):
                total, weights = _weighted_sum(column, transformer, num_outputs, trainable, weight_collections)
                sums.append(total)
                variables[column] = list(weights) if isinstance(weights, PartitionedVariable) else [weights]
        bias = model_weights("bias_weight", [num_outputs], zeros_initializer(), trainable, weight_collections)
        return bias_add(math.add_n(sums), bias), variables, bias


def _weighted_sum(column: Any, inputs: Transformer, units: int, trainable: bool, collections: Any) -> tuple[Any, Any]:
    """(the sum, the weights) of a column."""
    if isinstance(column, RealValuedColumn):
        tensor = flat(column, column._get_dense_tensor(inputs))
        weights = model_weights("weight", [column.dimension, units], zeros_initializer(), trainable, collections)
        whole = weights.as_tensor() if isinstance(weights, PartitionedVariable) else weights
        return matmul(tensor, whole, name="matmul"), weights
    if not isinstance(column, IdsColumn):
        raise ValueError(f"Error creating weighted sum for column: {column.name}. It is neither categorical nor "
                         "made of numbers")
    weights = model_weights("weights", [column._num_buckets, units], zeros_initializer(), trainable, collections)
    if getattr(column, "ckpt_to_load_from", None) is not None:
        init_from_checkpoint(column.ckpt_to_load_from, {column.tensor_name_in_ckpt: weights})
    ids, amounts = (_as_matrix(each) for each in column._get_sparse_tensors(inputs))
    return safe_embedding_lookup_sparse(weights, ids, amounts, combiner=getattr(column, "combiner", "sum"),
                                        name=f"{column.name}_weights"), weights


def _as_matrix(sparse: SparseTensor | None) -> SparseTensor | None:
    return None if sparse is None else sparse_reshape(sparse, [array.shape(sparse)[0], -1])


@export("contrib.layers.joint_weighted_sum_from_feature_columns")
def joint_weighted_sum_from_feature_columns(columns_to_tensors: Mapping[Any, Any], feature_columns: Iterable[Any],
                                            num_outputs: int, weight_collections: Any = None, trainable: bool = True,
                                            scope: Any = None) -> tuple[Any, dict[Any, list[Any]], Any]:
    """The predictions of a linear model of categorical columns, whose weights are one variable.

    Args:
        columns_to_tensors, feature_columns, num_outputs, weight_collections, trainable, scope: see
            `weighted_sum_from_feature_columns`.

    Raises:
        ValueError: a column is not categorical.
    """
    columns = _in_order(feature_columns)
    check_feature_columns(columns)
    strange = [column.name for column in columns if not isinstance(column, IdsColumn)]
    if strange:
        raise ValueError(f"columns with joint weights are categorical, and these are not: {strange}")
    with variable_scope(scope, "joint_weighted_sum_from_feature_columns", tensors_of(columns_to_tensors)):
        transformer = Transformer(columns_to_tensors)
        size = sum(column._num_buckets for column in columns)
        weights = model_weights("weights", [size, num_outputs], zeros_initializer(), trainable, weight_collections)
        sums, start = [], 0
        for column in columns:
            ids, amounts = (_as_matrix(each) for each in column._get_sparse_tensors(transformer))
            moved = SparseTensor(ids.indices, math.cast(ids.values, dtypes.int64) + start, ids.dense_shape)
            sums.append(safe_embedding_lookup_sparse(weights, moved, amounts, combiner="sum",
                                                     name=f"{column.name}_weights"))
            start += column._num_buckets
        bias = model_weights("bias_weight", [num_outputs], zeros_initializer(), trainable, weight_collections)
        parts = list(weights) if isinstance(weights, PartitionedVariable) else [weights]
        return bias_add(math.add_n(sums), bias), dict.fromkeys(columns, parts), bias


# ---- Examples


@export("contrib.layers.create_feature_spec_for_parsing")
def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """The features that columns read, to be given to `tf.parse_example`.

    Args:
        feature_columns: columns, or a dictionary whose values they are.
    """
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return {key: feature for column in columns for key, feature in column._parse_example_spec.items()}


@export("contrib.layers.parse_feature_columns_from_examples")
def parse_feature_columns_from_examples(serialized: Any, feature_columns: Iterable[Any], name: str | None = None,
                                        example_names: Any = None) -> dict[Any, Any]:
    """Parses Examples and transforms their features.

    Args:
        serialized: a vector of serialized Examples.
        feature_columns: columns.
        name: a name for the operation.
        example_names: names of the examples, for errors.

    Returns:
        The features by name and the tensors of columns by column.
    """
    check_feature_columns(feature_columns)
    parsed = parse_example(serialized, create_feature_spec_for_parsing(feature_columns), name, example_names)
    return {**parsed, **transform_features(parsed, feature_columns)}


@export("contrib.layers.parse_feature_columns_from_sequence_examples")
def parse_feature_columns_from_sequence_examples(serialized: Any, context_feature_columns: Any,
                                                 sequence_feature_columns: Any, name: str | None = None,
                                                 example_name: Any = None) -> tuple[Any, Any]:
    """Parses a SequenceExample: (features of the whole, features of the steps), both by name.

    Args:
        serialized: a serialized SequenceExample.
        context_feature_columns: columns of the whole; or None.
        sequence_feature_columns: columns of steps; or None.
        name: a name for the operation.
        example_name: the name of the example, for errors.
    """
    for columns in (context_feature_columns, sequence_feature_columns):
        check_feature_columns(columns or [])
    context = create_feature_spec_for_parsing(context_feature_columns or [])
    return parse_single_sequence_example(serialized, context, features_of_steps(sequence_feature_columns or []),
                                         example_name, name)


def features_of_steps(feature_columns: Any) -> dict[str, Any]:
    """The features that columns read, as features of each step of a sequence."""
    return {key: _of_steps(feature) for key, feature in create_feature_spec_for_parsing(feature_columns).items()}


def _of_steps(feature: Any) -> Any:
    if not isinstance(feature, (FixedLenFeature, FixedLenSequenceFeature)):
        return feature
    return FixedLenSequenceFeature(feature.shape, feature.dtype, allow_missing=feature.default_value is not None)


@export("contrib.layers.make_place_holder_tensors_for_base_features")
def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """Placeholders for the features that columns read, sparse ones where their lengths vary; by name.

    Args:
        feature_columns: columns, or a dictionary whose values they are.
    """
    def placeholder(key: str, feature: Any) -> Any:
        if isinstance(feature, FixedLenFeature):
            return array.placeholder(feature.dtype, [None, *feature.shape], name=f"Placeholder_{key}")
        return array.sparse_placeholder(feature.dtype, name=f"Placeholder_{key}")

    return {key: placeholder(key, feature) for key, feature in create_feature_spec_for_parsing(feature_columns).items()}


@export("contrib.layers.infer_real_valued_columns")
def infer_real_valued_columns(features: Any) -> list[RealValuedColumn]:
    """Columns of numbers for features: one for each tensor of a dictionary, by its name; "" for a single tensor.

    Raises:
        ValueError: a feature is sparse, not made of numbers, or its width is not known.
    """
    named = features if isinstance(features, dict) else {"": features}
    return [_inferred(name, named[name]) for name in sorted(named)]


def _inferred(name: str, tensor: Any) -> RealValuedColumn:
    if isinstance(tensor, SparseTensor):
        raise ValueError(f"Expected dense Tensor, got SparseTensor: {tensor}")
    tensor = convert_to_tensor(tensor)
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(f"on non-numeric feature {name}: dtype must be convertible to float, got {tensor.dtype}")
    sizes = tensor.shape.as_list()[1:] if tensor.shape.rank is not None else [None]
    if None in sizes:
        raise ValueError(f"Can't infer the width of feature {name} of shape {tensor.shape}")
    width = 1
    for size in sizes:
        width *= size
    return RealValuedColumn(name, width, None, tensor.dtype, None)
