"""Ops on whole files: reading, writing, globbing."""

from __future__ import annotations

import os

import numpy as np

from evergraph.base import files
from evergraph.base.errors import invalid
from evergraph.graph.opdef import STOP, op
from evergraph.graph.shaping import at_most_rank, with_rank
from evergraph.ops.strings.strings import shown
from evergraph.ops.strings.walking import flat, objects


def _only(strings, what):
    """The one string of a scalar tensor."""
    if np.shape(strings):
        raise invalid(f"Input {what} tensor must be scalar, but had shape: {shown(np.shape(strings))}")
    return flat(strings)[0]


@op("ReadFile(filename: string) -> contents: string", on="host", grad=STOP, outside=True,
    export=("read_file", "io.read_file"))
def read_file(filename):
    """Reads a whole file."""
    return objects([files.read_file(_only(filename, "filename"))], ())


@read_file.shape
def _(filename):
    with_rank(filename, 0)
    return ()


@op("WriteFile(filename: string, contents: string) -> ()", stateful=True, on="host",
    outside=True, export=("write_file", "io.write_file"))
def write_file(filename, contents):
    """Writes a whole file, and creates missing parent directories."""
    path = os.fsdecode(_only(filename, "filename"))
    folder = os.path.dirname(path)
    if folder:
        files.makedirs(folder)
    files.write_file(path, _only(contents, "contents"))


@write_file.shape
def _(filename, contents):
    with_rank(filename, 0)
    with_rank(contents, 0)
    return []


@op("MatchingFiles(pattern: string) -> filenames: string", on="host", grad=STOP,
    outside=True, export=("matching_files", "io.matching_files"))
def matching_files(pattern):
    """The sorted paths that match a glob pattern, or one of several; see `tf.io.gfile.glob`."""
    found = sorted(path.encode() for path in files.glob(flat(pattern)))
    return objects(found, (len(found),))


@matching_files.shape
def _(pattern):
    at_most_rank(pattern, 1)
    return (None,)
