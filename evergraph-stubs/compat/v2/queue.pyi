# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.queue."""

from evergraph import FIFOQueue as FIFOQueue
from evergraph import PaddingFIFOQueue as PaddingFIFOQueue
from evergraph import PriorityQueue as PriorityQueue
from evergraph import QueueBase as QueueBase
from evergraph import RandomShuffleQueue as RandomShuffleQueue
