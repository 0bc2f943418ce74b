"""TensorFlow 1.15's tools for graphs and models, with their flags.

    evergraph tool freeze_graph --input_graph=graph.pbtxt --input_checkpoint=model.ckpt --output_graph=f.pb \\
        --output_node_names=softmax
    evergraph tool optimize_for_inference --input=f.pb --output=o.pb --input_names=x --output_names=softmax
    evergraph tool strip_unused --input_graph=f.pb --output_graph=s.pb --input_node_names=x --output_node_names=y
    evergraph tool transform_graph --in_graph=f.pb --out_graph=t.pb --inputs=x --outputs=y --transforms="fold_constants"
    evergraph tool summarize_graph --in_graph=f.pb
    evergraph tool saved_model_cli show --dir export/1 --all
    evergraph tool saved_model_cli run --dir export/1 --tag_set serve --signature_def serving_default --inputs x=x.npy
    evergraph tool saved_model_cli scan --dir export/1
    evergraph tool inspect_checkpoint --file_name=model.ckpt --all_tensors
    evergraph tool print_selective_registration_header --graphs=f.pb
    evergraph tool tflite_convert --saved_model_dir=export/1 --output_file=model.tflite
"""

from __future__ import annotations

import importlib
import sys

from evergraph.cli.plain import plain

TOOLS = {
    "freeze_graph": "graphs", "optimize_for_inference": "graphs", "strip_unused": "graphs", "transform_graph": "graphs",
    "summarize_graph": "graphs", "print_selective_registration_header": "graphs",
    "inspect_checkpoint": "checkpoints", "saved_model_cli": "saved_models", "tflite_convert": "lite",
}  # fmt: skip
"""Tool -> the module of cli/tools with a function of its name, which takes the words behind it."""


def execute(words: list[str]) -> int:
    """Runs a tool; returns 1, with one line on stderr, when it cannot do what it is asked for."""
    if words[:1] in ([], ["-h"], ["--help"]):
        print(f"usage: evergraph tool NAME ...\n\n{__doc__}", file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    name = words[0].removesuffix(".py")
    if name not in TOOLS:
        print(f"evergraph tool: there is no tool {plain(words[0])!r}; there are {', '.join(TOOLS)}", file=sys.stderr)
        return 2
    tool = getattr(importlib.import_module(f"evergraph.cli.tools.{TOOLS[name]}"), name)
    from evergraph.base import errors, logging
    from evergraph.cli.predictions.values import Unusable

    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        tool(words[1:])
    except (Unusable, errors.OpError, OSError, ValueError, TypeError, KeyError, RuntimeError, ImportError, SyntaxError,
            NameError) as error:
        reason = getattr(error, "message", None) or (error.args[0] if isinstance(error, KeyError) else error)
        print(f"evergraph tool {name}: {plain(' '.join(str(reason).split()))}", file=sys.stderr)
        return 1
    finally:
        logging.set_verbosity(verbosity)
    return 0
