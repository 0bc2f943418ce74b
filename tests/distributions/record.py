"""Records what TensorFlow's distributions give. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.distributions.record     writes tests/goldens/distributions.npz
"""

from tests.distributions.programs import KINDS, SAMPLED, run, samples, values
from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers

if __name__ == "__main__":
    found = {}
    for kind in KINDS:
        found.update(keyed(kind, run(tf, values, kind)))
    for kind in SAMPLED:
        found.update(keyed(f"{kind} sampled", run(tf, samples, kind)))
    write_numbers("distributions", found)
