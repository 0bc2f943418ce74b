"""tf.train.match_filenames_once: file names that a session matches once."""

from __future__ import annotations

from typing import Any

from evergraph.base.export import export
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys
from evergraph.frontend.variables.variable import Variable
from evergraph.ops.state.file_contents import matching_files


@export("train.match_filenames_once", "io.match_filenames_once")
def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """A local variable with the file names that match a pattern when local variables are initialized.

    Args:
        pattern: a glob pattern, or several; see `tf.io.gfile.glob`.
        name: a name prefix for the operations.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return Variable(matching_files(pattern), trainable=False, validate_shape=False,
                        collections=[GraphKeys.LOCAL_VARIABLES], name=scope)
