"""Records the graphs that TensorFlow makes of the programs. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.variables.record     writes tests/goldens/variable_graphs.json and initializers.npz
"""

from tests.harness.judge import tf
from tests.harness.recorded import write_numbers, write_texts
from tests.variables.initializers import INITIALIZERS, started
from tests.variables.programs import PROGRAMS, nodes

if __name__ == "__main__":
    write_texts("variable_graphs", {name: nodes(tf, function) for name, function in PROGRAMS.items()})
    write_numbers("initializers", {name: started(tf, name) for name in INITIALIZERS})
