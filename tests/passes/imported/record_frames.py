"""Runs the programs of frame_programs.py in TensorFlow, and keeps their MetaGraphs, variables, feeds and results:

    .venv-tf/bin/python -m tests.passes.imported.record_frames     writes tests/goldens/frames.npz
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.harness.goldens import FOLDER
from tests.passes.imported.frame_programs import PROGRAMS


def record(program):
    """What is kept of one program, by name."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        feeds, fetches = program(tf)
        fetches["train"] = program.optimizer(tf).minimize(fetches["loss"])
        session.run(tf.global_variables_initializer())
        kept = {f"variable/{v.op.name}": session.run(v) for v in tf.global_variables()}
        meta = tf.train.export_meta_graph(graph=graph, strip_default_attrs=True)
        kept["meta"] = np.frombuffer(meta.SerializeToString(), np.uint8)
        kept |= {f"fetch/{name}": np.array(fetch.name) for name, fetch in fetches.items()}
        for step, feed in enumerate(feeds):
            kept |= {f"feed/{step}/{name}": value for name, value in feed.items()}
            for name, value in session.run(fetches, feed).items():
                if value is not None:
                    kept[f"result/{step}/{name}"] = value
        kept |= {f"after/{v.op.name}": session.run(v) for v in tf.global_variables()}
    return kept


if __name__ == "__main__":
    tf.disable_v2_behavior()
    tf.disable_control_flow_v2()
    tf.logging.set_verbosity(tf.logging.ERROR)
    everything = {f"{name}//{key}": value for name, program in PROGRAMS.items()
                  for key, value in record(program).items()}
    np.savez_compressed(FOLDER / "frames.npz", **everything)
