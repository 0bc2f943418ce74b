"""Tools for checkpoints: inspect_checkpoint."""

from __future__ import annotations

import contextlib

import numpy as np

from evergraph.base import errors
from evergraph.cli.tools.flags import flags, switch, text
from evergraph.save.listing import print_tensors_in_checkpoint_file
from evergraph.save.state import checkpoint_exists


def inspect_checkpoint(words: list[str]) -> None:
    """Prints tensors of a checkpoint."""
    parser = flags("inspect_checkpoint", "Prints tensors of a checkpoint.")
    text(parser, "file_name", "the path of the checkpoint", required=True)
    text(parser, "tensor_name", "the tensor to print")
    text(parser, "count_exclude_pattern", "a regular expression for tensors not to count")
    switch(parser, "all_tensors", "print all values")
    switch(parser, "all_tensor_names", "print all names and shapes")
    parser.add_argument("--printoptions", nargs="*", default=[], metavar="KEY=VALUE", help="for numpy.set_printoptions")
    given = parser.parse_args(words)
    if not checkpoint_exists(given.file_name):
        raise errors.NotFoundError(None, None, f"there is no checkpoint {given.file_name}")
    with _print_options(given.printoptions):
        print_tensors_in_checkpoint_file(given.file_name, given.tensor_name, given.all_tensors, given.all_tensor_names,
                                         given.count_exclude_pattern)


def _print_options(pairs: list[str]) -> contextlib.AbstractContextManager[object]:
    return np.printoptions(**{key: _value(value) for key, _, value in (pair.partition("=") for pair in pairs)})


def _value(word: str) -> object:
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(word)
    return {"True": True, "False": False}.get(word, word)
