"""Says what a checkpoint, graph, SavedModel, Keras or Lite model, TFRecord file, event file or log directory holds.

    evergraph inspect model.ckpt-1000            a checkpoint: its tensors (also a directory: the latest one)
    evergraph inspect model.ckpt-1000 --tensor layer/kernel
    evergraph inspect model.ckpt-1000.meta       a MetaGraphDef, or a GraphDef in .pb or .pbtxt
    evergraph inspect export/1                   a SavedModel: signatures, variables, assets
    evergraph inspect model.h5                   a model or weights of Keras; model.tflite, one of TensorFlow Lite
    evergraph inspect train.tfrecord             records, and the features of Examples
    evergraph inspect logs --json                the tags of each run, for programs
"""

from __future__ import annotations

import argparse
import json
import sys

from evergraph.cli.plain import plain


def execute(words: list[str]) -> int:
    """Prints a report on a path; returns 1, with one line on stderr, when the path cannot be read."""
    given = _parser().parse_args(words)
    # Only now: what reads files takes half a second to import, which --help need not wait for.
    from evergraph.base import errors, logging
    from evergraph.cli.reports.kinds import Options, Unknown, report_on
    from evergraph.cli.reports.report import show, to_json

    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.FATAL)  # what is wrong is said once, below
    try:
        report = report_on(given.path, Options(given.tensor, given.records, given.verify))
    except (Unknown, errors.OpError, OSError, ValueError) as error:
        print(f"evergraph inspect: {plain(given.path)}: {_line(error)}", file=sys.stderr)
        return 1
    finally:
        logging.set_verbosity(verbosity)
    try:
        if given.json:
            # JSON escapes every control character but this one.
            print(json.dumps(to_json(report), indent=2, allow_nan=False).replace("\x7f", "\\u007f"))
        else:
            show(report)
    except BrokenPipeError:  # `evergraph inspect ... | head`
        sys.stderr.close()
    return 0


def _line(error: Exception) -> str:
    """What went wrong, without where in evergraph, on one line."""
    text = getattr(error, "message", None) or getattr(error, "strerror", None) or str(error)
    return plain(" ".join(str(text).split()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph inspect", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", help="a file, a directory, or the prefix of a checkpoint")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tensor", metavar="NAME", help="of a checkpoint: show the value of this tensor")
    parser.add_argument("--verify", action="store_true", help="of a checkpoint: read everything and compare checksums")
    parser.add_argument("--records", type=int, default=1000, metavar="N",
                        help="of a TFRecord file: take N records apart (1000), 0 for all; all are counted")  # fmt: skip
    return parser
