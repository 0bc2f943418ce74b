"""Records what TensorFlow makes of proto_cases: `.venv-tf/bin/python -m tests.frontend.record_protos`."""

from pathlib import Path

from tests.frontend import proto_cases
from tests.harness.judge import tf
from tests.harness.recorded import as_lines

if __name__ == "__main__":
    found = {case: proto_cases.outcome(tf, case) for case in proto_cases.CASES}
    Path(__file__).with_name("protos.json").write_text(as_lines(found))
