"""What TensorFlow answers to one case at edge values. Loads TensorFlow."""

import numpy as np

from tests import record
from tests.harness import edges, graph

record.tf.logging.set_verbosity(record.tf.logging.ERROR)
record.tf.disable_v2_behavior()


def asker(case):
    """A function from an edge to the answer: the outputs, then the gradients, or the class of the error.

    What is too large to keep counts as a crash.
    """
    session, built, fetches = _prepared(case)

    def ask(edge):
        if edge.how in ("empty", "single"):
            return _fresh(edges.reshaped(case, edge))
        tensor = built.tensors[edge.leaf]
        try:
            graph.initialize(session, built)
            # Copies: SdcaOptimizer writes into the array that it is fed with.
            feeds = {each: np.array(value) for each, value in built.feeds.items()}
            found = session.run(fetches, feeds | {tensor: edges.varied(feeds[tensor], edge.how)})
        except Exception as error:
            return type(error).__name__
        return _arrays(found)

    return ask


def _prepared(case):
    built = graph.build(record.tf, record.apply_op, case)
    gradients = _gradients(case, built)
    session = record._session(built)
    return session, built, [built.fetched, built.targets, gradients]


def _gradients(case, built):
    if "gradient" in case.skips:
        return []
    with record._session(built) as session:
        graph.initialize(session, built)
        values = iter(built.run(session))
    shapes = [None if each.dtype.base_dtype.name in ("resource", "variant") else np.shape(next(values))
              for each in built.outputs]
    try:
        found = graph.gradients(record.tf, built, case, shapes)
    except LookupError:
        return []
    return [each for each in found if each is not None]


def _fresh(case):
    try:
        built = graph.build(record.tf, record.apply_op, case)
        with record._session(built) as session:
            graph.initialize(session, built)
            return _arrays([built.run(session)])
    except Exception as error:
        return type(error).__name__


def _arrays(found):
    arrays = [record._array(each) for part in found for each in part if each is not None]
    return arrays if sum(each.size for each in arrays) <= edges.LARGEST * 4 else "crash"
