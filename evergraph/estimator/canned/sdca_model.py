"""A linear model that stochastic dual coordinate ascent trains, over groups of features and their weights."""
from __future__ import annotations

from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.frontend import array, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import group
from evergraph.frontend.indexing import boolean_mask
from evergraph.frontend.input.lookup import MutableDenseHashTable
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits
from evergraph.frontend.nn.embedding import embedding_lookup
from evergraph.frontend.ordering import unique
from evergraph.frontend.reduce import reduce_sum
from evergraph.frontend.variables.partitions import PartitionedVariable
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.ops.arrays.gather import dynamic_partition, dynamic_stitch
from evergraph.ops.arrays.segment import unsorted_segment_sum
from evergraph.ops.math.elementwise import exp, floor_mod, logical_and, sigmoid
from evergraph.ops.nn.activations import relu
from evergraph.ops.nn.sdca import sdca_fprint, sdca_optimizer_v2
from evergraph.ops.nn.sdca_losses import LOSSES

_EXAMPLES = ("sparse_features", "dense_features", "example_labels", "example_weights", "example_ids")
_VARIABLES = ("sparse_features_weights", "dense_features_weights")
_OPTIONS = ("loss_type", "symmetric_l1_regularization", "symmetric_l2_regularization")
_STATE = [0.0, 0.0, 0.0, 0.0]  # of an example that was not seen: dual, primal loss, dual loss, weight


@export("contrib.linear_optimizer.SparseFeatureColumn")
class SparseFeatureColumn:
    """A group of sparse features of the examples of a batch, in lists of one entry for each feature of each example.

    Args:
        example_indices: the example, ascending.
        feature_indices: the number of the feature, which no example has twice.
        feature_values: the value, or None where all are 1.
    """

    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any) -> None:
        with name_scope(None, "SparseFeatureColumn", [example_indices, feature_indices]):
            self.example_indices = convert_to_tensor(example_indices, dtype=dtypes.int64, name="example_indices")
            self.feature_indices = convert_to_tensor(feature_indices, dtype=dtypes.int64, name="feature_indices")
            self.feature_values = None if feature_values is None else convert_to_tensor(
                feature_values, dtype=dtypes.float32, name="feature_values")


class StatesOfExamples:
    """The states of all examples that were seen, by the fingerprints of their ids, in one table or several.

    Args:
        shards: the number of tables.
    """

    def __init__(self, shards: int) -> None:
        if shards < 1:
            raise ValueError(f"num_table_shards must be positive, got {shards}")
        with name_scope("ShardedMutableHashTable"):
            self.tables = [MutableDenseHashTable(
                dtypes.int64, dtypes.float32, _STATE, empty_key=[0, 0], deleted_key=[1, 1],
                name=f"ShardedMutableHashTable-{number}-of-{shards}") for number in range(1, shards + 1)]

    def _shards(self, keys: Tensor) -> Tensor:
        """The number of the table of each key, by its first word."""
        words = math.abs(array.reshape(keys[:, 0], [-1]))
        return math.cast(floor_mod(words, len(self.tables)), dtypes.int32)

    def lookup(self, keys: Tensor) -> Tensor:
        if len(self.tables) == 1:
            return self.tables[0].lookup(keys)
        shards, count = self._shards(keys), len(self.tables)
        found = [table.lookup(part) for table, part in zip(
            self.tables, dynamic_partition(keys, shards, count), strict=True)]
        places = dynamic_partition(math.range(array.shape(keys)[0]), shards, count)
        return array.reshape(dynamic_stitch(places, found), [-1, len(_STATE)])

    def insert(self, keys: Tensor, states: Tensor) -> Any:
        if len(self.tables) == 1:
            return self.tables[0].insert(keys, states)
        shards, count = self._shards(keys), len(self.tables)
        return group(*[table.insert(*parts) for table, *parts in zip(
            self.tables, dynamic_partition(keys, shards, count),
            dynamic_partition(states, shards, count), strict=True)])

    def size(self) -> Tensor:
        with name_scope("sharded_mutable_hash_table_size"):
            return math.add_n([table.size() for table in self.tables])

    def sums(self) -> Tensor:
        """The sum of each column of the states, as doubles."""
        return math.add_n([reduce_sum(math.cast(table.export()[1], dtypes.float64), 0) for table in self.tables])


@export("contrib.linear_optimizer.SdcaModel")
class SdcaModel:
    """A linear model whose weights stochastic dual coordinate ascent finds (Shalev-Shwartz and Zhang, 2013).

    `minimize` takes all examples of a batch once, and changes "unshrunk" copies of the weights. `update_weights` sets
    the weights themselves. Between the batches a table keeps the dual of each example by the example's id.

    Args:
        examples: a dictionary with `sparse_features` (SparseFeatureColumns), `dense_features` (matrices),
            `example_labels`, `example_weights` (vectors) and `example_ids` (a vector of strings).
        variables: a dictionary with the lists `sparse_features_weights` and `dense_features_weights`, of variables.
        options: a dictionary with `loss_type` ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
            "poisson_loss"), `symmetric_l1_regularization`, `symmetric_l2_regularization`, and, if wanted,
            `num_loss_partitions` (how many workers share the data), `num_table_shards` and `adaptive` (whether
            examples far from their optimum are taken more often).

    Raises:
        ValueError: an entry is missing, a regularization is negative or that of L2 is 0, or the loss is not known.
    """

    def __init__(self, examples: dict[str, Any], variables: dict[str, Any], options: dict[str, Any]) -> None:
        for given, wanted in ((examples, _EXAMPLES), (variables, _VARIABLES), (options, _OPTIONS)):
            missing = [name for name in wanted if name not in given]
            if missing:
                raise ValueError(f"SdcaModel needs {', '.join(missing)}, got {', '.join(given)}")
        if options["loss_type"] not in LOSSES:
            raise ValueError(f"Unsupported loss_type: {options['loss_type']}")
        if options["symmetric_l2_regularization"] <= 0.0:
            raise ValueError(f"symmetric_l2_regularization is {options['symmetric_l2_regularization']}, not above 0")
        if options["symmetric_l1_regularization"] < 0.0:
            raise ValueError(f"symmetric_l1_regularization is {options['symmetric_l1_regularization']}, below 0")
        self._examples, self._options = examples, options
        self._sparse, self._dense = (variables[name] for name in _VARIABLES)
        self._unshrunk_sparse, self._unshrunk_dense = (
            [_unshrunk(parts_of(each)) for each in found] for found in (self._sparse, self._dense))
        self._states = StatesOfExamples(options.get("num_table_shards") or 1)

    @property
    def _l1(self) -> float:
        return float(self._options["symmetric_l1_regularization"])

    @property
    def _l2(self) -> float:
        return float(self._options["symmetric_l2_regularization"])

    # ---- predictions and losses

    def predictions(self, examples: dict[str, Any]) -> Tensor:
        """What the model predicts: probabilities for the logistic loss, means for Poisson's, logits for the others."""
        with name_scope("sdca/prediction"):
            logits = self._logits(examples)
            if self._options["loss_type"] == "logistic_loss":
                return sigmoid(logits)
            return exp(logits) if self._options["loss_type"] == "poisson_loss" else logits

    def _logits(self, examples: dict[str, Any]) -> Tensor:
        count = array.shape(convert_to_tensor(examples["example_labels"]))[0]
        logits = array.zeros([count])
        for features, weights in zip(examples["sparse_features"], self._sparse, strict=True):
            products = _rows(parts_of(weights), features.feature_indices)
            if features.feature_values is not None:
                products *= features.feature_values
            logits += unsorted_segment_sum(products, features.example_indices, count)
        for features, weights in zip(examples["dense_features"], self._dense, strict=True):
            column = array.reshape(_whole(parts_of(weights)), [-1, 1])
            logits += array.reshape(matmul(convert_to_tensor(features), column), [-1])
        return logits

    def unregularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The weighted mean of the losses of examples."""
        with name_scope("sdca/unregularized_loss"):
            logits = math.cast(self._logits(examples), dtypes.float64)
            labels, weights = (math.cast(convert_to_tensor(examples[name]), dtypes.float64)
                               for name in ("example_labels", "example_weights"))
            losses = _LOSSES[self._options["loss_type"]](labels, logits)
            return reduce_sum(losses * weights) / reduce_sum(weights)

    def regularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The mean loss of examples, plus the regularization losses over the sum of the weights of examples."""
        with name_scope("sdca/regularized_loss"):
            weights = reduce_sum(math.cast(convert_to_tensor(examples["example_weights"]), dtypes.float64))
            return (self._l1_loss() + self._l2_loss()) / weights + self.unregularized_loss(examples)

    def _l1_loss(self) -> Tensor:
        with name_scope("sdca/l1_loss"):
            return self._l1 * math.add_n([reduce_sum(math.abs(each)) for each in self._all_weights()])

    def _l2_loss(self) -> Tensor:
        with name_scope("sdca/l2_loss"):
            return self._l2 * math.add_n([reduce_sum(math.square(each)) for each in self._all_weights()]) / 2.0

    def _all_weights(self) -> list[Tensor]:
        return [math.cast(part, dtypes.float64) for weights in (*self._sparse, *self._dense)
                for part in parts_of(weights)]

    def approximate_duality_gap(self) -> Tensor:
        """By how much the loss may be above its minimum: exact when the states of all examples are fresh."""
        with name_scope("sdca/approximate_duality_gap"):
            sums = self._states.sums()
            return (sums[1] + sums[2] + self._l1_loss() + 2.0 * self._l2_loss()) / sums[3]

    def examples_seen(self) -> Tensor:
        """The number of different examples that `minimize` has taken."""
        return self._states.size()

    # ---- training

    def minimize(self, global_step: Any = None, name: str | None = None) -> Any:
        """The operation that takes the examples once.

        Args:
            global_step: a variable to increment.
            name: the name of the operation.
        """
        with name_scope(name, "sdca/minimize"):
            columns, keys = self._examples["sparse_features"], sdca_fprint(self._examples["example_ids"])
            ids = [unique(each.feature_indices)[0] for each in columns]
            found = sdca_optimizer_v2(
                [each.example_indices for each in columns], [each.feature_indices for each in columns],
                [each.feature_values for each in columns if each.feature_values is not None],
                self._examples["dense_features"], math.cast(self._examples["example_weights"], dtypes.float32),
                math.cast(self._examples["example_labels"], dtypes.float32), ids,
                [_rows(parts, wanted) for parts, wanted in zip(self._unshrunk_sparse, ids, strict=True)],
                [_whole(parts) for parts in self._unshrunk_dense], self._states.lookup(keys),
                loss_type=self._options["loss_type"], adaptive=self._options.get("adaptive", False), l1=self._l1,
                l2=self._l2, num_loss_partitions=self._options.get("num_loss_partitions") or 1,
                num_inner_iterations=1)
            with control_dependencies([found.out_example_state_data.op]):
                steps = [self._states.insert(keys, found.out_example_state_data)]
                for parts, wanted, deltas in zip(
                        self._unshrunk_sparse, ids, found.out_delta_sparse_weights, strict=True):
                    steps.extend(_scattered(parts, wanted, deltas))
                for parts, deltas in zip(self._unshrunk_dense, found.out_delta_dense_weights, strict=True):
                    steps.extend(_added(parts, deltas))
            if global_step is None:
                return group(*steps)
            with control_dependencies(steps):
                return global_step.assign_add(1).op

    def update_weights(self, train_op: Any) -> Any:
        """The operation that sets the weights after `train_op`: the unshrunk ones, moved towards 0 by l1 / l2."""
        with control_dependencies([train_op]):
            return group(*[
                weights.assign(_shrunk(array.identity(unshrunk), self._l1 / self._l2))
                for found, kept in ((self._sparse, self._unshrunk_sparse), (self._dense, self._unshrunk_dense))
                for each, slots in zip(found, kept, strict=True)
                for weights, unshrunk in zip(parts_of(each), slots, strict=True)])


# ---- losses of examples, of labels and logits

def _hinge(labels: Tensor, logits: Tensor) -> Tensor:
    return relu(1 - (2 * labels - 1) * logits)


_LOSSES = {
    "logistic_loss": lambda labels, logits: sigmoid_cross_entropy_with_logits(labels=labels, logits=logits),
    "squared_loss": lambda labels, logits: math.square(labels - logits) / 2,
    "hinge_loss": _hinge,
    "smooth_hinge_loss": _hinge,  # TensorFlow minimizes the smooth loss and shows this one
    "poisson_loss": lambda labels, logits: log_poisson_loss(targets=labels, log_input=logits),
}


# ---- weights, which may be in parts along their first axis

def parts_of(weights: Any) -> list[Any]:
    """The variables that hold weights: the parts of one, or a single one."""
    return list(weights) if isinstance(weights, (list, tuple, PartitionedVariable)) else [weights]


def _unshrunk(parts: list[Any]) -> list[Any]:
    return [Variable(array.zeros_like(part.initialized_value()), name=f"{part.op.name}_unshrunk") for part in parts]


def _rows(parts: list[Any], ids: Tensor) -> Tensor:
    """The weights of ids, a vector."""
    return array.reshape(embedding_lookup(parts, ids, partition_strategy="div"), [-1])


def _whole(parts: list[Any]) -> Tensor:
    return array.reshape(array.concat([array.identity(part) for part in parts], 0), [-1])


def _sizes(parts: list[Any]) -> list[int]:
    return [part.shape.tuple[0] for part in parts]


def _scattered(parts: list[Any], ids: Tensor, deltas: Tensor) -> list[Any]:
    """Adds to the rows of ids, each in the part that has it."""
    if len(parts) == 1:
        return [parts[0].scatter_add(_slices(parts[0], ids, deltas))]
    steps, start = [], 0
    for part, size in zip(parts, _sizes(parts), strict=True):
        here = logical_and(ids >= start, ids < start + size)
        steps.append(part.scatter_add(_slices(part, boolean_mask(ids, here) - start,
                                              boolean_mask(deltas, here))))
        start += size
    return steps


def _slices(part: Any, ids: Tensor, deltas: Tensor) -> Any:
    return IndexedSlices(array.reshape(deltas, [-1, *part.shape.as_list()[1:]]), ids)


def _added(parts: list[Any], deltas: Tensor) -> list[Any]:
    counts = [part.shape.num_elements() for part in parts]
    return [part.assign_add(array.reshape(delta, part.shape)) for part, delta in zip(
        parts, array.split(deltas, counts), strict=True)]


def _shrunk(weights: Tensor, by: float) -> Tensor:
    return math.sign(weights) * relu(math.abs(weights) - by) if by else weights
