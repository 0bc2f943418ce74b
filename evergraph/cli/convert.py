"""Converts a model to TensorFlow Lite, StableHLO, ONNX, a module for JAX, a frozen graph or a SavedModel.

    evergraph convert export/1 --to tflite --output model.tflite         a SavedModel, by its signature
    evergraph convert model.h5 --to stablehlo --output model.stablehlo   a Keras model, for jax.export.deserialize
    evergraph convert model.h5 --to stablehlo --output model.mlir        MLIR, for IREE and others; .mlirbc: bytecode
    evergraph convert frozen.pb --to jax --output model.py               a module for JAX, with the weights beside it
    evergraph convert model.ckpt-1000 --outputs softmax --to onnx --output model.onnx
    evergraph convert graph.pbtxt --checkpoint model.ckpt-1000 --outputs y=softmax:0 --to savedmodel --output export/1

Sizes of inputs that the model leaves open, such as the batch size, stay open where the format and the model allow it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evergraph.cli.plain import plain

_KINDS = ("tflite", "stablehlo", "onnx", "frozen", "savedmodel", "jax")


def execute(words: list[str]) -> int:
    """Converts a model; returns 1, with one line on stderr, when it cannot."""
    given = _parser().parse_args(words)
    # Only now: what reads models takes a second to import, which --help need not wait for.
    from evergraph.base import errors, logging
    from evergraph.convert.model import Inconvertible, with_batch
    from evergraph.convert.opening import Asked, opened
    from evergraph.convert.writing import Options, write

    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        asked = Asked(_listed(given.inputs), _listed(given.outputs), dict(map(_shape, given.shape)), given.signature,
                      _listed(given.tags), given.checkpoint)  # fmt: skip
        model = opened(given.model, asked)
        if given.batch is not None:
            model = with_batch(model, given.batch)
        samples = _samples(given.samples, list(model.inputs)) if given.samples else None
        options = Options(_listed(given.platforms), given.weights, samples, given.opset)
        paths = write(model, given.to, given.output, options)
    except (Inconvertible, errors.OpError, OSError, ValueError, TypeError, KeyError, RuntimeError, ImportError,
            AssertionError) as error:
        reason = getattr(error, "message", None) or (error.args[0] if isinstance(error, KeyError) else error)
        print(f"evergraph convert: {plain(given.model)}: {plain(' '.join(str(reason).split()))}", file=sys.stderr)
        return 1
    finally:
        logging.set_verbosity(verbosity)
    for path in paths:
        print(plain(f"{path}: {_size(path)}"))
    inputs = ", ".join(f"{name} {each.dtype.name} {_sizes(each.shape)}" for name, each in model.inputs.items())
    print(plain(f"inputs {inputs or 'none'}; outputs {', '.join(model.outputs)}"))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph convert", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("model", help="a SavedModel, a checkpoint or its directory, a graph in .pb or .pbtxt, or a Keras model in .h5")
    add("--to", required=True, choices=_KINDS, help="the format")
    add("--output", required=True, metavar="PATH", help="the file to write; of a SavedModel the directory")
    add("--inputs", default="", metavar="A,B", help="tensors to be given, NAME or WORD=NAME; the graph is cut there")
    add("--outputs", default="", metavar="A,B", help="tensors to compute, NAME or WORD=NAME")
    add("--shape", action="append", default=[], metavar="NAME=8,28,?", help="the shape of an input; ? for an open size")
    add("--batch", type=int, metavar="N", help="the first size of all inputs that leave it open")
    add("--checkpoint", metavar="PREFIX", help="the variables of a graph in .pb or .pbtxt")
    add("--tags", default="serve", metavar="A,B", help="the graph of a SavedModel (serve)")
    add("--signature", default="serving_default", metavar="KEY", help="of a SavedModel (serving_default)")
    add("--platforms", default="", metavar="A,B",
        help="stablehlo, jax: where the program is to run (cpu,cuda,rocm,tpu; cpu for MLIR)")  # fmt: skip
    add("--weights", default="float32", choices=("float32", "float16", "int8"), help="tflite: how weights are stored")
    add("--samples", metavar="FILE",
        help="tflite: quantizes the whole model by values: .npy, or .npz with an array for each input")  # fmt: skip
    add("--opset", type=int, default=17, metavar="N", help="onnx: the version of its operators (17)")
    return parser


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _shape(text: str) -> tuple[str, tuple[int | None, ...]]:
    name, _, sizes = text.rpartition("=")
    try:
        found = tuple(None if word in ("?", "-1") else int(word) for word in _listed(sizes))
    except ValueError:
        raise ValueError(f"--shape takes NAME=SIZE,SIZE, not {text!r}") from None
    if not name:
        raise ValueError(f"--shape takes NAME=SIZE,SIZE, not {text!r}")
    return name, found


def _samples(path: str, names: Sequence[str]) -> Callable[[], Iterable[list[Any]]]:
    """A function that gives the rows of a file's arrays, each as a batch of one."""
    loaded = np.load(path, allow_pickle=False)
    arrays = {names[0]: loaded} if isinstance(loaded, np.ndarray) and len(names) == 1 else loaded
    missing = [name for name in names if isinstance(arrays, np.ndarray) or name not in arrays]
    if missing:
        raise ValueError(f"{path} has no array for the input {missing[0]!r}")
    columns = [arrays[name] for name in names]
    return lambda: ([column[row:row + 1] for column in columns] for row in range(min(map(len, columns))))


def _size(path: str) -> str:
    return "a SavedModel" if os.path.isdir(path) else f"{os.path.getsize(path):,} bytes"


def _sizes(shape: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"
