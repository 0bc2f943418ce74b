"""Records what TensorFlow's input pipelines are made of and give. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.train.record_pipelines     writes tests/goldens/pipelines.json and pipeline.meta
"""

import json
import os
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow.compat.v1 as tf

from tests.train import pipelines

GOLDENS = Path(__file__).parents[1] / "goldens"


def main():
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    plain = lambda value: {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else \
        [plain(v) for v in value] if isinstance(value, list) else np.asarray(value).tolist()
    found = {name: {**pipelines.built(tf, name), "batches": plain(pipelines.batches(tf, name))}
             for name in pipelines.PROGRAMS}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    (GOLDENS / "pipelines.json").write_text(f"{{\n{lines}\n}}\n")
    with tf.Graph().as_default():
        tf.identity(pipelines.kept_rows(tf, None), name="batch_of_rows")
        tf.train.export_meta_graph(str(GOLDENS / "pipeline.meta"))


if __name__ == "__main__":
    main()
