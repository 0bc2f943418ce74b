# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.learn.graph_actions."""

from typing import Any

def clear_summary_writers() -> None:
    """Closes and forgets all summary writers."""

from evergraph.contrib.learn import evaluate as evaluate

def get_summary_writer(logdir: Any) -> Any:
    """The summary writer of a directory."""

from evergraph.contrib.learn import infer as infer
from evergraph.contrib.learn import run_feeds as run_feeds
from evergraph.contrib.learn import run_feeds_iter as run_feeds_iter
from evergraph.contrib.learn import run_n as run_n
from evergraph.contrib.learn import train as train
