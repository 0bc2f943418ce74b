# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.config.threading."""

def get_inter_op_parallelism_threads() -> int:
    """What `set_inter_op_parallelism_threads` has set; 0, for the runtime's choice, at first."""

def get_intra_op_parallelism_threads() -> int:
    """What `set_intra_op_parallelism_threads` has set; 0, for the runtime's choice, at first."""

def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Notes how many ops may run at a time: with eager execution here it is one for each thread of the
    program."""

def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Notes how many threads one op may use."""
