"""Trains without end in the directory given, saving every other step: something to be killed."""
import sys

import evergraph as tf
from tests.estimator.models import batches, line


class Tell(tf.train.SessionRunHook):
    """Prints each step."""

    def after_run(self, run_context, run_values):
        print("step", flush=True)


if __name__ == "__main__":
    config = tf.estimator.RunConfig(model_dir=sys.argv[1], save_checkpoints_steps=2, save_summary_steps=1)
    tf.estimator.Estimator(line, config=config, params={}).train(batches, hooks=[Tell()])
