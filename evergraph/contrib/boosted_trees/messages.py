"""The messages of tf.contrib.boosted_trees under the names of the modules that they are in."""

from __future__ import annotations

from evergraph import proto
from evergraph.base.export import export

_HOMES = {
    "learner_pb2": ("AveragingConfig", "LearnerConfig", "LearningRateConfig", "LearningRateDropoutDrivenConfig",
                    "LearningRateFixedConfig", "LearningRateLineSearchConfig", "TreeConstraintsConfig",
                    "TreeRegularizationConfig"),
    "quantiles_pb2": ("QuantileConfig", "QuantileEntry", "QuantileStreamState", "QuantileSummaryState"),
    "split_info_pb2": ("ObliviousSplitInfo", "SplitInfo"),
    "tree_config_pb2": ("CategoricalIdBinarySplit", "CategoricalIdSetMembershipBinarySplit", "DecisionTreeConfig",
                        "DecisionTreeEnsembleConfig", "DecisionTreeMetadata", "DenseFloatBinarySplit",
                        "GrowingMetadata", "Leaf", "ObliviousCategoricalIdBinarySplit",
                        "ObliviousDenseFloatBinarySplit", "SparseFloatBinarySplitDefaultLeft",
                        "SparseFloatBinarySplitDefaultRight", "SparseVector", "TreeNode", "TreeNodeMetadata", "Vector"),
}

for _home, _names in _HOMES.items():
    for _name in _names:
        globals()[_name] = export(f"contrib.boosted_trees.proto.{_home}.{_name}")(
            getattr(proto.contrib_trees_pb2, _name))
