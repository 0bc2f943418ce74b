"""Starting from the variables of another model: tf.estimator.WarmStartSettings."""
from __future__ import annotations

import collections
import os
from typing import Any

from evergraph.base import files, logging
from evergraph.base.export import export
from evergraph.base.text import as_text
from evergraph.save import saved_model_constants as constants
from evergraph.save.warm import warm_start

_FIELDS = ("ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info", "var_name_to_prev_var_name")


@export("estimator.WarmStartSettings")
class WarmStartSettings(collections.namedtuple("WarmStartSettings", _FIELDS)):
    """Which variables of an Estimator start with the values of another model. See `tf.train.warm_start`.

    Args:
        ckpt_to_initialize_from: a checkpoint, a directory to use the latest checkpoint of, or a SavedModel.
        vars_to_warm_start: the variables. A string: the trainable ones whose names match it as a regular expression. A
            list of strings: the global ones. A list of variables: these. None: only those with a vocabulary.
        var_name_to_vocab_info: the tf.estimator.VocabInfo of variables whose words have changed positions.
        var_name_to_prev_var_name: the variables' names in the checkpoint, if they differ.

    Raises:
        ValueError: there is no checkpoint.
    """

    __slots__ = ()

    def __new__(cls, ckpt_to_initialize_from: Any, vars_to_warm_start: Any = ".*", var_name_to_vocab_info: Any = None,
                var_name_to_prev_var_name: Any = None) -> WarmStartSettings:
        if not ckpt_to_initialize_from:
            raise ValueError("WarmStartSettings needs ckpt_to_initialize_from, the path of a checkpoint")
        return super().__new__(cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {},
                               var_name_to_prev_var_name or {})


def as_settings(warm_start_from: Any) -> WarmStartSettings | None:
    """The settings that the argument `warm_start_from` of an Estimator means.

    Raises:
        ValueError: it is neither a path nor settings.
    """
    if warm_start_from is None:
        return None
    if isinstance(warm_start_from, (str, bytes, os.PathLike)):
        warm_start_from = WarmStartSettings(os.fspath(warm_start_from))
    if not isinstance(warm_start_from, WarmStartSettings):
        raise ValueError("warm_start_from is a path in a string or a WarmStartSettings, not "
                         f"{type(warm_start_from)}")
    path = as_text(warm_start_from.ckpt_to_initialize_from)
    return warm_start_from._replace(ckpt_to_initialize_from=_variables_of(path))


def _variables_of(path: str) -> str:
    """The checkpoint inside a SavedModel; any other path as it is."""
    names = (constants.SAVED_MODEL_FILENAME_PB, constants.SAVED_MODEL_FILENAME_PBTXT)
    if not any(files.exists(os.path.join(path, name)) for name in names):
        return path
    logging.info("Warm-starting from a SavedModel: %s", path)
    return os.path.join(path, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)


def start_warm(settings: WarmStartSettings) -> None:
    """Replaces the initializers of the default graph's variables."""
    logging.info("Warm-starting with WarmStartSettings: %s", settings)
    warm_start(*settings)
