"""The models here, for a process with four CPUs: `python -m tests.distribute.replicas` prints their losses."""

import json
import sys

import evergraph as tf
from tests.distribute.models import COUNTS, MODELS

if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.Session(config=tf.ConfigProto(device_count={"CPU": max(COUNTS)})).close()
    names = sys.argv[1:] or list(MODELS)
    print(json.dumps({f"{name} {count}": MODELS[name](tf, count) for name in names for count in COUNTS}))
