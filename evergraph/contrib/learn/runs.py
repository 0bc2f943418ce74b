"""tf.contrib.learn.run_n, and the file that a program downloads once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from evergraph.base.export import export
from evergraph.frontend.control_flow import group
from evergraph.frontend.input.lookup import tables_initializer
from evergraph.frontend.variables.assign import global_variables_initializer, local_variables_initializer
from evergraph.graph.graph import default_graph
from evergraph.keras.cached_files import get_file
from evergraph.run.session import Session
from evergraph.save.saver import Saver
from evergraph.train.coordinator import Coordinator
from evergraph.train.queue_runner import start_queue_runners


@export("contrib.learn.run_n")
def run_n(output_dict: Mapping[str, Any], feed_dict: Mapping[Any, Any] | None = None,
          restore_checkpoint_path: str | None = None, n: int = 1) -> list[dict[str, Any]]:
    """The values of tensors in several runs with the same feeds, in a session whose variables are initialized.

    >>> found = tf.contrib.learn.run_n({"twice": 2 * tf.constant(3)}, n=2)

    Args:
        output_dict: the tensors by name, of one graph.
        feed_dict: what to feed in each run.
        restore_checkpoint_path: a checkpoint whose values the variables get.
        n: the number of runs.
    """
    graph = next((tensor.graph for tensor in output_dict.values()), default_graph())
    with graph.as_default(), Session() as session:
        session.run(group(global_variables_initializer(), local_variables_initializer()))
        session.run(tables_initializer())
        if restore_checkpoint_path is not None:
            Saver().restore(session, restore_checkpoint_path)
        coordinator = Coordinator()
        threads = start_queue_runners(session, coordinator)
        found = [session.run(dict(output_dict), feed_dict) for _ in range(n)]
        coordinator.request_stop()
        coordinator.join(threads, ignore_live_threads=True)
        return found


@export("contrib.learn.datasets.base.maybe_download")
def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file, which is downloaded if it is not there.

    Args:
        filename: its name.
        work_directory: its directory, which is made if it is not there.
        source_url: where to get it from.
    """
    os.makedirs(work_directory, exist_ok=True)
    return get_file(os.path.abspath(os.path.join(work_directory, filename)), source_url)
