"""tf.contrib.estimator.SavedModelEstimator: goes on with a model of which there is a SavedModel alone."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.estimator.estimator import Estimator
from evergraph.estimator.export.outputs import PredictOutput
from evergraph.estimator.export.signatures import TAGS
from evergraph.estimator.mode_keys import ModeKeys
from evergraph.estimator.spec import EstimatorSpec
from evergraph.estimator.warm_start import WarmStartSettings
from evergraph.frontend.array import constant
from evergraph.frontend.collections import GraphKeys, get_collection_ref
from evergraph.graph.composite import SparseTensor
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import Graph, default_graph
from evergraph.save import saved_model_constants as constants
from evergraph.save.reader import list_variables
from evergraph.save.saved_model_assets import asset_feeds
from evergraph.save.saved_model_loader import SavedModelLoader, get_init_op, get_train_op
from evergraph.train.global_step import get_global_step
from evergraph.train.scaffold import Scaffold

_SIGNATURES = {ModeKeys.TRAIN: ModeKeys.TRAIN, ModeKeys.EVAL: ModeKeys.EVAL,
               ModeKeys.PREDICT: constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY}
_OF_THE_FILE = (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY, constants.TRAIN_OP_KEY, constants.ASSETS_KEY)


@export("contrib.estimator.SavedModelEstimator")
class SavedModelEstimator(Estimator):
    """An Estimator whose model is a SavedModel with a graph for each mode.

    `Estimator.experimental_export_all_saved_models` makes such SavedModels. A mode whose graph was not exported is not
    available. The variables start with the values in the SavedModel.

    >>> estimator = tf.contrib.estimator.SavedModelEstimator(exported, model_dir="/tmp/model")
    >>> estimator.train(input_fn, steps=100)

    Args:
        saved_model_dir: the directory of the SavedModel.
        model_dir: the directory of checkpoints and events; by default a new temporary one.

    Raises:
        OSError: there is no such SavedModel.
    """

    _OVERRIDABLE = Estimator._OVERRIDABLE | {"_OVERRIDABLE"}

    def __init__(self, saved_model_dir: Any, model_dir: Any = None) -> None:
        self._loader = SavedModelLoader(saved_model_dir)
        settings = WarmStartSettings(self._loader.variables_path, vars_to_warm_start=[".*"])
        super().__init__(self._imported_model, model_dir, warm_start_from=settings)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        """The imported graph brings a global step, where the model has one."""
        return None if self._brings_step() else super()._create_and_assert_global_step(graph)

    def _brings_step(self) -> bool:
        return any(name == GraphKeys.GLOBAL_STEP for name, _ in list_variables(self._loader.variables_path))

    def _imported_model(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        """Imports the graph of a mode, with features and labels in place of what a server would feed.

        Raises:
            RuntimeError: the SavedModel has no graph for the mode, or the input has made a global step.
            ValueError: a feature is missing or has another dtype or shape.
        """
        saved = self._graph_of(mode)
        signature = saved.signature_def[_SIGNATURES[mode]]
        replaced = _with_control_inputs(saved.graph_def, {
            **_input_map(signature, features, labels), **_assets(saved, self._loader.export_dir)})
        names = {key: info.name for key, info in signature.outputs.items()}
        saver, tensors = self._loader.load_graph(default_graph(), TAGS[mode], input_map=replaced,
                                                 return_elements=list(names.values()))
        train_op, init_op = get_train_op(saved), get_init_op(saved)
        for key in _OF_THE_FILE:  # the next export writes its own
            get_collection_ref(key).clear()
        scaffold = Scaffold(local_init_op=init_op, saver=saver)
        return _spec(mode, dict(zip(names, tensors or ())), train_op, scaffold)

    def _graph_of(self, mode: str) -> Any:
        """A copy of the MetaGraphDef of a mode."""
        if get_global_step() is not None and self._brings_step():
            raise RuntimeError("the input function has made a global step, which the SavedModel brings itself")
        try:
            return self._loader.get_meta_graph_def_from_tags(TAGS[mode])
        except RuntimeError as error:
            raise RuntimeError(f"{mode} mode is not available: {self._loader.export_dir} was exported without "
                               "it") from error


# ---- inputs


def _input_map(signature: Any, features: Any, labels: Any) -> dict[str, Any]:
    """Name of a placeholder in the imported graph -> the tensor that takes its place."""
    only = "input" if "input" in signature.inputs else "feature"
    given = dict(features) if isinstance(features, Mapping) else {only: features}
    if labels is not None:
        given.update(labels if isinstance(labels, Mapping) else {"label": labels})
    missing = sorted(set(signature.inputs) - set(given))
    if missing:
        raise ValueError(f"The SavedModel wants the inputs {missing}; the input function gives {sorted(given)}")
    found: dict[str, Any] = {}
    for key, info in signature.inputs.items():
        found.update(_parts(key, info, given[key]))
    return found


def _parts(key: str, info: Any, value: Any) -> dict[str, Any]:
    """What takes the place of one input: one tensor, or the three of a sparse one.

    Raises:
        ValueError: the input has another dtype or shape.
    """
    if info.HasField("coo_sparse"):
        if not isinstance(value, SparseTensor):
            raise ValueError(f"Expected a sparse tensor for the input {key}, got {value}")
        parts = info.coo_sparse
        return {parts.indices_tensor_name: value.indices, parts.values_tensor_name: value.values,
                parts.dense_shape_tensor_name: value.dense_shape}
    tensor = convert_to_tensor(value)
    wanted = TensorShape(info.tensor_shape)
    if not tensor.shape.is_compatible_with(wanted):
        raise ValueError(f"Expected shape {wanted} for the input {key}, got {tensor.shape}")
    if tensor.dtype.enum != info.dtype:
        raise ValueError(f"Expected dtype {dtypes.as_dtype(info.dtype).name} for the input {key}, got "
                         f"{tensor.dtype.name}")
    return {info.name: tensor}


def _with_control_inputs(graph_def: Any, replaced: dict[str, Any]) -> dict[str, Any]:
    """Adds the control inputs of nodes that wait for what is replaced."""
    waited_for = {name for node in graph_def.node for name in node.input if name.startswith("^")}
    controls = {f"^{name.partition(':')[0]}": tensor for name, tensor in replaced.items()}
    return {**replaced, **{name: tensor for name, tensor in controls.items() if name in waited_for}}


def _assets(saved: Any, folder: str) -> dict[str, Any]:
    """Name of a tensor with the path of an asset -> a tensor with the path of the file in the SavedModel."""
    return {name: constant(path) for name, path in asset_feeds(saved, folder, None).items()}


# ---- outputs


def _spec(mode: str, outputs: Mapping[str, Any], train_op: Any, scaffold: Scaffold) -> EstimatorSpec:
    """The outputs of a signature as what a model function would have said."""
    if mode == ModeKeys.PREDICT:
        exported = {constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(dict(outputs))}
        return EstimatorSpec(mode, predictions=dict(outputs), export_outputs=exported, scaffold=scaffold)
    predictions = {key: value for key, value in outputs.items() if key.startswith("predictions")}
    metrics = {key.removesuffix("/value"): (value, outputs[f"{key.removesuffix('/value')}/update_op"])
               for key, value in outputs.items() if key.startswith("metrics") and key.endswith("/value")}
    return EstimatorSpec(mode, predictions=predictions, loss=outputs["loss"], train_op=train_op,
                         eval_metric_ops=metrics, scaffold=scaffold)

