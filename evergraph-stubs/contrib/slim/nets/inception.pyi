# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.inception."""

from typing import Any

def inception_v1(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    prediction_fn: Any = ..., spatial_squeeze: bool = True, reuse: Any = None, scope: Any = 'InceptionV1',
) -> tuple[Any, dict[str, Any]]:
    """The network with its classifier."""

def inception_v1_arg_scope(
    weight_decay: float = 4e-05, use_batch_norm: bool = True,
    batch_norm_var_collection: str = 'moving_vars',
) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of the network have, for `arg_scope`."""

def inception_v1_base(
    inputs: Any, final_endpoint: str = 'Mixed_5c', scope: Any = 'InceptionV1',
) -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions."""

def inception_v2(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = ...,
    spatial_squeeze: bool = True, reuse: Any = None, scope: Any = 'InceptionV2',
) -> tuple[Any, dict[str, Any]]:
    """The network with its classifier."""

def inception_v2_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = 'moving_vars',
) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of the network have, for `arg_scope`."""

def inception_v2_base(
    inputs: Any, final_endpoint: str = 'Mixed_5c', min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions."""

def inception_v3(
    inputs: Any, num_classes: int = 1000, is_training: Any = True, dropout_keep_prob: float = 0.8,
    min_depth: int = 16, depth_multiplier: float = 1.0, prediction_fn: Any = ...,
    spatial_squeeze: bool = True, reuse: Any = None, scope: Any = 'InceptionV3',
) -> tuple[Any, dict[str, Any]]:
    """The network with its classifier and the auxiliary one."""

def inception_v3_arg_scope(
    weight_decay: float = 4e-05, batch_norm_var_collection: str = 'moving_vars',
    batch_norm_decay: float = 0.9997, batch_norm_epsilon: float = 0.001,
    updates_collections: Any = 'update_ops', use_fused_batchnorm: bool = True,
) -> dict[str, dict[str, Any]]:
    """The arguments that the layers of the network have, for `arg_scope`."""

def inception_v3_base(
    inputs: Any, final_endpoint: str = 'Mixed_7c', min_depth: int = 16, depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """The network up to its last convolutions."""
