"""Records what TensorFlow's input pipelines are made of and give. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.train.record_pipelines     writes tests/goldens/pipelines.json and pipeline.meta
"""

import numpy as np

from tests.harness.goldens import FOLDER
from tests.harness.judge import tf
from tests.harness.recorded import write_texts
from tests.train import pipelines


def plain(value):
    """Batches as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else np.asarray(value).tolist()


def main():
    write_texts("pipelines", {name: {**pipelines.built(tf, name), "batches": plain(pipelines.batches(tf, name))}
                              for name in pipelines.PROGRAMS})
    with tf.Graph().as_default():
        tf.identity(pipelines.kept_rows(tf, None), name="batch_of_rows")
        tf.train.export_meta_graph(str(FOLDER / "pipeline.meta"))


if __name__ == "__main__":
    main()
