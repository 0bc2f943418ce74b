"""The messages of tf.contrib.decision_trees under the names of the modules that they are in."""

from __future__ import annotations

from evergraph.base.export import export
from evergraph.proto import generic_tree_model_pb2

_HOMES = {
    "generic_tree_model_pb2": ("Averaging", "BinaryNode", "DecisionTree", "Ensemble", "FeatureId", "InequalityTest",
                               "Leaf", "Model", "ModelAndFeatures", "ObliqueFeatures", "SparseVector", "Summation",
                               "TreeNode", "Value", "Vector"),
    "generic_tree_model_extensions_pb2": ("MatchingValuesTest",),
}

for _home, _names in _HOMES.items():
    for _name in _names:
        globals()[_name] = export(f"contrib.decision_trees.proto.{_home}.{_name}")(
            getattr(generic_tree_model_pb2, _name))
