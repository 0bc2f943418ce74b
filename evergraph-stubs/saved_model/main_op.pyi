# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.saved_model.main_op."""

from evergraph import Operation

def main_op() -> Operation:
    """An operation that initializes all variables and tables."""

from evergraph.saved_model import main_op_with_restore as main_op_with_restore
