"""Records what TensorFlow's metrics do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.metrics.record     writes tests/goldens/metrics.npz and metrics.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write
from tests.metrics.programs import CASES, recorded


def record(case):
    nodes, variables, results = recorded(tf, case)
    return results, [variables, nodes if case.compare_nodes else []]


if __name__ == "__main__":
    write("metrics", {name: record(case) for name, case in CASES.items()})
