"""tf.contrib.model_pruning.Pruning: when masks change, and to what."""
from __future__ import annotations

import re
from typing import Any

from evergraph.base import dtypes, logging
from evergraph.base.export import export
from evergraph.contrib.hparams import HParams
from evergraph.contrib.model_pruning import masks
from evergraph.contrib.model_pruning.blocks import expand_tensor, factorized_pool
from evergraph.frontend import array, indexing, math
from evergraph.frontend.blocks import control_dependencies, name_scope
from evergraph.frontend.control_flow import cond, group
from evergraph.frontend.ordering import top_k
from evergraph.frontend.variables.initializers import constant_initializer
from evergraph.frontend.variables.scope import AUTO_REUSE, get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Operation, Tensor
from evergraph.ops.arrays import basic
from evergraph.ops.math import elementwise
from evergraph.summary import summaries
from evergraph.train.global_step import get_global_step


@export("contrib.model_pruning.get_pruning_hparams")
def get_pruning_hparams() -> HParams:
    """The hyperparameters of pruning, with their defaults.

    `name` is the name of the variable scope. Masks change every `pruning_frequency` steps from `begin_pruning_step` to
    `end_pruning_step` (-1 for no end). The share of zeros rises from `initial_sparsity` to `target_sparsity` between
    `sparsity_function_begin_step` and `sparsity_function_end_step`, with `sparsity_function_exponent`.
    `weight_sparsity_map` has a target of its own for weights whose name fits a pattern ("conv1:0.9"). Weights are
    masked in blocks of `block_height` x `block_width`, or those of `block_dims_map` ("dense1:4x4"), by the
    `block_pooling_function`, AVG or MAX. Thresholds are moving averages with the decay `threshold_decay`. `nbins`,
    `do_not_prune` and `use_tpu` have no meaning here: thresholds are exact, weights without a mask are not pruned.
    """
    return HParams(
        name="model_pruning", begin_pruning_step=0, end_pruning_step=-1, weight_sparsity_map=[""], block_dims_map=[""],
        do_not_prune=[""], threshold_decay=0.0, pruning_frequency=10, nbins=256, block_height=1, block_width=1,
        block_pooling_function="AVG", initial_sparsity=0.0, target_sparsity=0.5, sparsity_function_begin_step=0,
        sparsity_function_end_step=100, sparsity_function_exponent=3.0, use_tpu=False)


@export("contrib.model_pruning.Pruning")
class Pruning:
    """Prunes the weights of a graph that have a mask, by their magnitude (Zhu and Gupta, 2017).

    >>> pruning = tf.contrib.model_pruning.Pruning(tf.contrib.model_pruning.get_pruning_hparams())
    >>> update = pruning.conditional_mask_update_op()      # to run after each step of training

    Args:
        spec: hyperparameters, see `get_pruning_hparams`.
        global_step: the number of the step; by default that of the graph.
        sparsity: the share of zeros; by default the one that the hyperparameters say for the step.
    """

    def __init__(self, spec: HParams | None = None, global_step: Any = None, sparsity: Any = None) -> None:
        self._spec = spec or get_pruning_hparams()
        step = get_global_step() if global_step is None else global_step
        self._global_step = math.cast(convert_to_tensor(step), dtypes.int32)
        self._sparsity = self._rising_sparsity() if sparsity is None else sparsity
        with variable_scope(self._spec.name, reuse=AUTO_REUSE):
            self._last_update_step = get_variable("last_mask_update_step", [], dtypes.int32, trainable=False,
                                                  initializer=constant_initializer(0, dtype=dtypes.int32))
        self._targets = self._by_pattern(self._spec.weight_sparsity_map, float)
        self._blocks = self._by_pattern(self._spec.block_dims_map, lambda text: [int(n) for n in text.split("x")])

    def _by_pattern(self, items: list[str], read: Any) -> dict[str, Any]:
        """Pattern -> value, of texts "pattern:value".

        Raises:
            ValueError: a text has no value.
        """
        found = {}
        for item in filter(None, items):
            pattern, colon, value = item.rpartition(":")
            if not colon:
                raise ValueError(f"{item!r} of {self._spec.name} is not of the form pattern:value")
            found[pattern] = read(value)
        return found

    def _rising_sparsity(self) -> Tensor:
        """The share of zeros at the step."""
        spec = self._spec
        first, last = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        if first >= last:
            raise ValueError(f"the sparsity rises from step {first}, which is not before step {last}")
        with name_scope(spec.name):
            share = (math.cast(self._global_step, dtypes.float32) - first) / (last - first)
            share = elementwise.minimum(1.0, elementwise.maximum(0.0, share))
            left = (1.0 - share) ** spec.sparsity_function_exponent
            return elementwise.add(left * (spec.initial_sparsity - spec.target_sparsity), spec.target_sparsity,
                                   name="sparsity")

    def _sparsity_of(self, name: str) -> Any:
        """The share of zeros of a weight."""
        for pattern, target in self._targets.items():
            if re.search(pattern, name):
                return self._sparsity * (target / self._spec.target_sparsity)
        return self._sparsity

    def _update_mask(self, weights: Tensor, threshold: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
        """(the new threshold, the new mask) of weights."""
        sizes = array.reshape(elementwise.abs_(weights), [-1])
        count = sizes.shape.num_elements()
        zeros = math.cast(self._sparsity_of(name or weights.op.name), dtypes.float32)
        kept = math.cast(math.round(count * (1.0 - zeros)), dtypes.int32)
        largest = top_k(sizes, k=count)[0]
        at = largest[elementwise.maximum(kept - 1, 0)]
        decay = self._spec.threshold_decay
        smoothed = convert_to_tensor(threshold) * decay + at * (1 - decay)
        kept_ones = math.cast(elementwise.greater_equal(elementwise.abs_(weights), smoothed), weights.dtype)
        return smoothed, kept_ones

    def _maybe_update_block_mask(self, weights: Any, threshold: Any) -> tuple[Tensor, Tensor]:
        """(the new threshold, the new mask) of weights, in blocks if there are any.

        Raises:
            ValueError: the weights are no matrix, apart from axes of size 1.
        """
        name = _name_of(weights)
        weights = convert_to_tensor(weights)
        flat = array.squeeze(weights)
        block = next((dims for pattern, dims in self._blocks.items() if re.search(pattern, name)),
                     [self._spec.block_height, self._spec.block_width])
        if flat.shape.ndims != 2 or block == [1, 1]:
            return self._update_mask(weights, threshold, name)
        block = [size if each < 0 else each for each, size in zip(block, flat.shape.as_list())]
        with name_scope(f"{weights.op.name}_pruning_ops"):
            pooled = factorized_pool(elementwise.abs_(flat), block, self._spec.block_pooling_function, block, "SAME")
            smoothed, mask = self._update_mask(pooled, threshold, name)
            rows, columns = flat.shape.as_list()
            whole = indexing.slice(expand_tensor(mask, block), [0, 0], [rows, columns])
            return smoothed, array.reshape(whole, weights.shape.as_list())

    def mask_update_op(self) -> Operation:
        """The operation that sets all masks and thresholds for the weights as they are."""
        updates = []
        with name_scope(self._spec.name):
            for weights, mask, threshold in zip(masks.get_weights(), masks.get_masks(), masks.get_thresholds()):
                smoothed, ones = self._maybe_update_block_mask(weights, threshold)
                updates += [threshold.assign(smoothed), *_assigned(mask, ones)]
        with control_dependencies(updates):
            return group(self._last_update_step.assign(self._global_step), name="mask_update")

    def conditional_mask_update_op(self) -> Tensor:
        """The operation that changes masks in the steps that the hyperparameters say."""
        spec, step = self._spec, self._global_step
        inside = elementwise.greater_equal(step, spec.begin_pruning_step)
        if spec.end_pruning_step >= 0:
            inside = elementwise.logical_and(inside, elementwise.less_equal(step, spec.end_pruning_step))
        due = elementwise.less_equal(self._last_update_step + spec.pruning_frequency, step)

        def update() -> Tensor:
            with control_dependencies([self.mask_update_op()]):
                return array.constant(True)

        return cond(elementwise.logical_and(inside, due), update, lambda: array.constant(False))

    def add_pruning_summaries(self) -> None:
        """Adds summaries of the sparsity of all masks and of their thresholds."""
        with name_scope(f"{self._spec.name}_summaries"):
            summaries.scalar("sparsity", convert_to_tensor(self._sparsity))
            summaries.scalar("last_mask_update_step", basic.identity(self._last_update_step))
            for mask, threshold, share in zip(masks.get_masks(), masks.get_thresholds(), masks.get_weight_sparsity()):
                summaries.scalar(f"{_name_of(mask)}/sparsity", share)
                summaries.scalar(f"{threshold.op.name}/threshold", convert_to_tensor(threshold))

    def print_hparams(self) -> None:
        """Logs the hyperparameters."""
        logging.info(self._spec.to_json())


def _name_of(weights: Any) -> str:
    """The name of weights, or of the whole of partitioned ones."""
    return weights.op.name if hasattr(weights, "op") else weights.name


def _assigned(mask: Any, value: Tensor) -> list[Any]:
    """Assignments of a value to a mask, or to the parts of a partitioned one."""
    if hasattr(mask, "op"):
        return [mask.assign(value)]
    return [part.assign(indexing.slice(value, part._save_slice_info.var_offset, part._save_slice_info.var_shape))
            for part in mask]
