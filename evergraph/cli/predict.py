"""Runs a SavedModel or a frozen graph on values from a file.

    evergraph predict export/1 --input x.npy                       an array for the only input
    evergraph predict export/1 --input age=age.npy --input job=job.json
    evergraph predict export/1 --input people.csv                  a column for each input, named in the first line
    evergraph predict export/1 --input values.json --output y.npz  .npz, .npy or .json instead of the terminal
    evergraph predict frozen.pb --input x=x.npy --outputs softmax

A .json file is an object of inputs by name, or the value of the only input; an .npz file has an array for each input.
For an input of serialized Examples, as an Estimator's export has, the columns of a .csv file become their features.
"""

from __future__ import annotations

import argparse
import sys

from evergraph.cli.plain import plain


def execute(words: list[str]) -> int:
    """Prints or writes the outputs; returns 1, with one line on stderr, when there are none."""
    parser = argparse.ArgumentParser(
        prog="evergraph predict", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", help="a SavedModel, or a frozen graph in .pb or .pbtxt")
    parser.add_argument(
        "--input", action="append", required=True, metavar="[NAME=]FILE", help=".npy, .npz, .json or .csv"
    )
    parser.add_argument("--output", metavar="FILE", help="where to write: .npz, .npy or .json")
    parser.add_argument("--outputs", default="", metavar="A,B", help="which outputs, or of a graph which nodes")
    parser.add_argument(
        "--signature", default="serving_default", metavar="KEY", help="of a SavedModel (serving_default)"
    )
    parser.add_argument("--tags", default="serve", metavar="A,B", help="the graph of a SavedModel (serve)")
    given = parser.parse_args(words)
    # Only now: what runs models takes a second to import, which --help need not wait for.
    from evergraph.base import errors, logging
    from evergraph.cli.predictions.answers import show, write
    from evergraph.cli.predictions.model import opened
    from evergraph.cli.predictions.values import Unusable, values

    listed = lambda text: [word.strip() for word in text.split(",") if word.strip()]
    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        model = opened(given.model, given.signature, listed(given.tags), listed(given.outputs))
        answers = model.run(values(given.input, model.inputs))
        if given.output:
            write(given.output, answers)
        else:
            show(answers)
    except (Unusable, errors.OpError, OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        reason = getattr(error, "message", None) or (error.args[0] if isinstance(error, KeyError) else error)
        print(f"evergraph predict: {plain(' '.join(str(reason).split()))}", file=sys.stderr)
        return 1
    finally:
        logging.set_verbosity(verbosity)
    return 0
