# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.train.queue_runner."""

from evergraph.train import QueueRunner as QueueRunner
from evergraph.train import add_queue_runner as add_queue_runner
from evergraph.train import start_queue_runners as start_queue_runners
