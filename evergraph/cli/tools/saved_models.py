"""saved_model_cli: what SavedModels have, a run of one on values, and a scan for ops that reach for files."""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from evergraph.base import dtypes
from evergraph.cli.plain import plain
from evergraph.cli.predictions.answers import show as show_values
from evergraph.cli.predictions.model import Model, opened
from evergraph.cli.tools.flags import listed, unless
from evergraph.formats import tensor_messages
from evergraph.ops.state import file_contents
from evergraph.proto import example_pb2
from evergraph.save.saved_model_loader import parse_saved_model
from evergraph.save.stripping import get_meta_graph_def


def saved_model_cli(words: list[str]) -> None:
    """Runs one of the commands show, run and scan."""
    parser = argparse.ArgumentParser(prog="evergraph tool saved_model_cli", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="{show,run,scan}")
    _add_show(commands.add_parser("show", help="say which tags, signatures, inputs and outputs there are"))
    _add_run(commands.add_parser("run", help="run a signature"))
    _add_scan(commands.add_parser("scan", help="look for ops that read or write files"))
    given = parser.parse_args(words)
    given.do(given)


# ---- show


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dir", required=True, help="the SavedModel")
    parser.add_argument("--tag_set", help="the graph with these tags; without it, which tags there are")
    parser.add_argument("--signature_def", metavar="KEY", help="the inputs and outputs of this signature")
    parser.add_argument("--all", action="store_true", help="everything")
    parser.set_defaults(do=_show)


def _show(given: Any) -> None:
    if given.all:
        for graph in parse_saved_model(given.dir).meta_graphs:
            print(plain(f"tags: {','.join(graph.meta_info_def.tags)}"))
            for key in sorted(graph.signature_def):
                _show_signature(key, graph.signature_def[key])
    elif given.tag_set is None:
        for graph in parse_saved_model(given.dir).meta_graphs:
            print(plain(f"tags: {','.join(graph.meta_info_def.tags)}"))
    elif given.signature_def is None:
        for key in sorted(get_meta_graph_def(given.dir, given.tag_set).signature_def):
            print(plain(f"signature: {key}"))
    else:
        signatures = get_meta_graph_def(given.dir, given.tag_set).signature_def
        if given.signature_def not in signatures:
            raise ValueError(f"there is no signature {given.signature_def!r}, only {', '.join(sorted(signatures))}")
        _show_signature(given.signature_def, signatures[given.signature_def])


def _show_signature(key: str, signature: Any) -> None:
    print(plain(f"signature: {key}, method {signature.method_name or 'none'}"))
    for what, infos in (("input", signature.inputs), ("output", signature.outputs)):
        for name in sorted(infos):
            info = infos[name]
            shape = "of unknown rank" if info.tensor_shape.unknown_rank else _sizes(info.tensor_shape)
            print(plain(f"  {what} {name}: {dtypes.as_dtype(info.dtype).name} {shape}, tensor {info.name or 'none'}"))


def _sizes(message: Any) -> str:
    sizes = tensor_messages.proto_to_shape(message) or ()
    return f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"


# ---- run


def _add_run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--dir", required=True, help="the SavedModel")
    add("--tag_set", required=True, help="the graph with these tags")
    add("--signature_def", required=True, metavar="KEY", help="the signature")
    add("--inputs", default="", metavar="NAME=FILE;...", help=".npy, or .npz with an array in brackets: x=data.npz[a]")
    add("--input_exprs", default="", metavar="NAME=TEXT;...", help="expressions of Python and NumPy: x=np.ones(3)")
    add("--input_examples", default="", metavar="NAME=[{...}];...", help='lists of features: x=[{"age": [22]}]')
    add("--outdir", help="the directory for NAME.npy of each output")
    add("--overwrite", action="store_true", help="replace files in it")
    add("--tf_debug", action="store_true", help="not supported")
    add("--init_tpu", action="store_true", help="not supported")
    add("--worker", default="", help="not supported")
    parser.set_defaults(do=_run)


def _run(given: Any) -> None:
    unless(given, ("tf_debug", False), ("init_tpu", False), ("worker", ""))
    model = opened(given.dir, given.signature_def, listed(given.tag_set), ())
    values = _from_files(given.inputs) | _from_expressions(given.input_exprs) | _from_examples(given.input_examples)
    if not values and model.inputs:
        raise ValueError("give values: --inputs, --input_exprs or --input_examples")
    answers = model.run(_known(values, model))
    show_values(answers)
    if given.outdir:
        _write(given.outdir, answers, given.overwrite)


def _known(values: Mapping[str, Any], model: Model) -> dict[str, Any]:
    unknown = [name for name in values if name not in model.inputs]
    if unknown:
        raise ValueError(f"the signature has no input {unknown[0]!r}, only {', '.join(model.inputs)}")
    return dict(values)


def _pairs(given: str, what: str) -> list[tuple[str, str]]:
    """NAME=VALUE between semicolons."""
    found = [text.partition("=") for text in given.split(";") if text.strip()]
    if any(not name.strip() or not value.strip() for name, _, value in found):
        raise ValueError(f"--{what} takes NAME=VALUE;NAME=VALUE, not {given!r}")
    return [(name.strip(), value.strip()) for name, _, value in found]


def _from_files(given: str) -> dict[str, Any]:
    found = {}
    for name, place in _pairs(given, "inputs"):
        path, _, key = place.removesuffix("]").partition("[")
        arrays = np.load(path, allow_pickle=False)
        if isinstance(arrays, np.ndarray):
            if key:
                raise ValueError(f"{path} has one array, and none of the name {key!r}")
            found[name] = arrays
        elif key or len(arrays.files) == 1:
            found[name] = arrays[key or arrays.files[0]]
        else:
            raise ValueError(f"{path} has the arrays {', '.join(arrays.files)}: name one as {path}[NAME]")
    return found


def _from_expressions(given: str) -> dict[str, Any]:
    """The values of expressions, which are the user's own program as those of `python -c` are."""
    return {name: eval(expression, {"np": np, "numpy": np}) for name, expression in _pairs(given, "input_exprs")}


def _from_examples(given: str) -> dict[str, Any]:
    """Serialized Examples of lists of dictionaries."""
    found = {}
    for name, text in _pairs(given, "input_examples"):
        rows = ast.literal_eval(text)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ValueError(f"--input_examples takes a list of dictionaries, not {text}")
        found[name] = np.array([_example(row) for row in rows], object)
    return found


def _example(row: Mapping[str, Any]) -> bytes:
    example = example_pb2.Example()
    for name, given in row.items():
        values = given if isinstance(given, list) else [given]
        feature = example.features.feature[name]
        if all(isinstance(value, (str, bytes)) for value in values):
            feature.bytes_list.value.extend(v if isinstance(v, bytes) else v.encode() for v in values)
        elif all(isinstance(value, int) for value in values):
            feature.int64_list.value.extend(map(int, values))
        else:
            feature.float_list.value.extend(map(float, values))
    return example.SerializeToString()


def _write(folder: str, answers: Mapping[str, Any], overwrite: bool) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, value in answers.items():
        path = os.path.join(folder, f"{name.replace(os.sep, '_')}.npy")
        if os.path.exists(path) and not overwrite:
            raise ValueError(f"{path} is there already: --overwrite replaces it")
        array = np.asarray(value)
        np.save(path, array.astype(bytes) if array.dtype == object else array)


# ---- scan


def _add_scan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dir", required=True, help="the SavedModel")
    parser.add_argument("--tag_set", help="the graph with these tags; by default all")
    parser.set_defaults(do=_scan)


_FILE_OPS = {file_contents.read_file.name, file_contents.write_file.name}


def _scan(given: Any) -> None:
    tags = given.tag_set
    for meta in [get_meta_graph_def(given.dir, tags)] if tags else parse_saved_model(given.dir).meta_graphs:
        graph = meta.graph_def
        nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
        named = sorted({node.op for node in nodes} & _FILE_OPS)
        what = f"reads or writes files by {', '.join(named)}" if named else "no op reads or writes files"
        print(plain(f"tags {','.join(meta.meta_info_def.tags)}: {what}"))
