"""Records the files of models that others write.

    .venv-tf/bin/python -m tests.keras.record_files            # TensorFlow
    evergraph run --legacy -m tests.keras.record_files 2.3.1   # Keras of this version, if it is on the path
"""

import shutil
import sys
from pathlib import Path

import numpy as np

from tests.keras.file_models import compiled, predicted, written

FILES = Path(__file__).parent / "files"


def main():
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    found = {}
    for name in ("shared", "pictures"):
        tf.keras.backend.clear_session()
        outputs, losses = written(tf, name, str(FILES))
        found.update({f"{name}_output_{place}": value for place, value in enumerate(outputs)})
        found[f"{name}_losses"] = losses
    shutil.rmtree(FILES / "shared_saved")  # large, and the other one shows the format
    np.savez(FILES / "answers.npz", **found)


def standalone(version):
    """A file of Keras 2 itself."""
    import types

    import keras

    assert keras.__version__ == version
    model = compiled(types.SimpleNamespace(keras=keras), "pictures")
    model.save(str(FILES / f"keras_{version}.h5"))
    np.savez(FILES / f"keras_{version}.npz", *predicted(model, "pictures"))


if __name__ == "__main__":
    standalone(sys.argv[1]) if len(sys.argv) > 1 else main()
