"""Asks TensorFlow for the second derivatives of the cases, and writes them to tests/goldens/second.json.gz.

    .venv-tf/bin/python -m tests.record_second [family ...]
"""

import gzip
import json
import sys
import warnings

from tests.harness import families
from tests.harness.goldens import FOLDER
from tests.harness.second import derivatives
from tests.record import apply_op, tf

FILE = FOLDER / "second.json.gz"


def read():
    return json.loads(gzip.decompress(FILE.read_bytes())) if FILE.exists() else {}


def _session(graph):
    return tf.Session(graph=graph, config=tf.ConfigProto(intra_op_parallelism_threads=1))


def _record(known, chosen):
    for family in chosen:
        found = {}
        for name, case in families.load(family).items():
            if not case.error and "gradient" not in case.skips:
                try:
                    found[name] = derivatives(tf, apply_op, _session, case)
                except Exception as error:
                    print(f"{family}: {case}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        known[family] = {name: record for name, record in found.items() if record}
        print(family, len(known[family]), flush=True)
    return known


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.FATAL)
    tf.disable_v2_behavior()
    warnings.simplefilter("ignore")
    text = json.dumps(_record(read(), sys.argv[1:] or families.families()), separators=(",", ":"), sort_keys=True)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
