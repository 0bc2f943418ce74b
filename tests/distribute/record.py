"""Records TensorFlow's losses of the models: `.venv-tf/bin/python -m tests.distribute.record`."""

import json
import pathlib

from tests.distribute.models import COUNTS, MODELS

FILE = pathlib.Path(__file__).parent / "losses.json"

if __name__ == "__main__":
    from tests.harness.judge import tf

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * max(COUNTS))
    tf.distribute.Strategy.experimental_run_v2 = tf.distribute.MirroredStrategy.run
    found = {f"{name} {count}": model(tf, count) for name, model in MODELS.items() for count in COUNTS}
    FILE.write_text(json.dumps(found, indent=1) + "\n")
