"""Writes a model as one file: a graph whose variables are constants.

    evergraph freeze export/1 --output frozen.pb                               a SavedModel, by its signature
    evergraph freeze model.ckpt-1000 --output frozen.pb --output-nodes softmax   a checkpoint with its .meta file
    evergraph freeze train_dir --output frozen.pb --output-nodes softmax         the latest checkpoint of a directory
    evergraph freeze graph.pbtxt --checkpoint model.ckpt-1000 --output frozen.pb --output-nodes softmax
"""

from __future__ import annotations

import argparse
import sys

from evergraph.cli.plain import plain


def execute(words: list[str]) -> int:
    """Freezes a model; returns 1, with one line on stderr, when it cannot."""
    given = _parser().parse_args(words)
    # Only now: what reads models takes half a second to import, which --help need not wait for.
    from evergraph.base import errors, logging
    from evergraph.proto.text import to_text
    from evergraph.save.freezing import Wish, frozen, write_graph_def

    wish = Wish(_listed(given.output_nodes), given.checkpoint, _listed(given.tags), given.signature,
                _listed(given.variable_whitelist), _listed(given.variable_blacklist), given.clear_devices)  # fmt: skip
    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        message = frozen(given.model, wish)
        write_graph_def(given.output, message, to_text(message) if given.text else None)
    except (errors.OpError, OSError, ValueError, TypeError, KeyError, RuntimeError, AssertionError) as error:
        reason = getattr(error, "message", None) or str(error)
        print(f"evergraph freeze: {plain(given.model)}: {plain(' '.join(reason.split()))}", file=sys.stderr)
        return 1
    finally:
        logging.set_verbosity(verbosity)
    print(plain(f"{given.output}: {len(message.node)} nodes, {_size(message)}, inputs {_inputs(message)}"))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evergraph freeze", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    add = parser.add_argument
    add("model", help="a SavedModel, a checkpoint or a directory with one, or a graph in .pb or .pbtxt")
    add("--output", required=True, metavar="FILE", help="where to write the frozen graph")
    add("--output-nodes", default="", metavar="A,B", help="the nodes to keep; by default those of the signature")
    add("--checkpoint", metavar="PREFIX", help="the variables of a graph in .pb or .pbtxt")
    add("--tags", default="serve", metavar="A,B", help="the graph of a SavedModel (serve)")
    add("--signature", default="serving_default", metavar="KEY", help="whose outputs are kept (serving_default)")
    add("--variable-whitelist", default="", metavar="A,B", help="the variables to make constants; all by default")
    add("--variable-blacklist", default="", metavar="A,B", help="variables to leave as they are")
    add("--clear-devices", action="store_true", help="leave out on which devices nodes run")
    add("--text", action="store_true", help="write protobuf's text form")
    return parser


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _size(message: object) -> str:
    return f"{message.ByteSize() / 2**20:.1f} MB"  # type: ignore[attr-defined]


def _inputs(message: object) -> str:
    from evergraph.ops.arrays.basic import placeholder, placeholder_with_default

    kinds = (placeholder.name, placeholder_with_default.name)
    nodes = message.node  # type: ignore[attr-defined]
    return ", ".join(node.name for node in nodes if node.op in kinds) or "none"
