"""Runs frame_programs.py and wild_programs.py in TensorFlow; keeps MetaGraphs, variables, feeds and results:

    .venv-tf/bin/python -m tests.passes.imported.record_frames     writes frames.npz and wild.npz in tests/goldens
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.harness.goldens import FOLDER
from tests.passes.imported import frame_programs, wild_programs

FILES = {"frames": frame_programs.PROGRAMS, "wild": wild_programs.PROGRAMS}


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
    for file in sys.argv[1:] or FILES:
        everything = {f"{name}//{key}": value for name, program in FILES[file].items()
                      for key, value in record(program).items()}
        np.savez_compressed(FOLDER / f"{file}.npz", **everything)
