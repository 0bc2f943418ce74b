"""Lets TensorFlow save the modules for the suite: `python -m tests.eager.saved.record`."""

import shutil
import tempfile

from tests.eager.saved.modules import write
from tests.harness.goldens import FOLDER
from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers

if __name__ == "__main__":
    tf.enable_v2_behavior()
    shutil.rmtree(FOLDER / "saved_modules", ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        answers = write(tf.compat.v2, str(FOLDER / "saved_modules"), scratch)
    write_numbers("saved_modules", {key: value for name, values in answers.items()
                                    for key, value in keyed(name, values).items()})
    for path in FOLDER.glob("saved_modules/*/fingerprint.pb"):
        path.unlink()
