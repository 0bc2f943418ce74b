"""Records what TensorFlow makes of proto_cases: `.venv-tf/bin/python -m tests.frontend.record_protos`."""

import json
from pathlib import Path

import tensorflow.compat.v1 as tf

from tests.frontend import proto_cases

if __name__ == "__main__":
    tf.disable_v2_behavior()
    found = {case: proto_cases.outcome(tf, case) for case in proto_cases.CASES}
    lines = ",\n".join(f"{json.dumps(case)}: {json.dumps(value)}" for case, value in found.items())
    Path(__file__).with_name("protos.json").write_text(f"{{\n{lines}\n}}\n")
