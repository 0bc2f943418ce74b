"""Asks real TensorFlow, in the interpreter that `make interop` prepares (EVERGRAPH_JUDGE)."""

import inspect
import os
import pickle
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("EVERGRAPH_JUDGE", str(ROOT / ".venv-tf/bin/python"))

PROGRAM = """
import pickle, sys
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

{source}

with open(sys.argv[1], "rb") as file:
    arguments = pickle.load(file)
with open(sys.argv[1], "wb") as file:
    pickle.dump({name}(tf, **arguments), file)
"""


def ask(function, folder, **arguments):
    """Runs `function(tf, **arguments)` in TensorFlow's interpreter and returns its result.

    Only the function's source travels: it may use `tf`, `np`, its arguments and what it imports itself, modules of
    `tests` among it. Arguments and result are pickled, so they are numbers, strings, bytes, lists and NumPy arrays.

    Args:
        function: a plain function of this process, not run here.
        folder: a scratch folder, such as pytest's tmp_path.

    Raises:
        AssertionError: with TensorFlow's traceback.
    """
    program, exchange = Path(folder) / "judge.py", Path(folder) / "judge.pickle"
    source = textwrap.dedent(inspect.getsource(function))
    program.write_text(PROGRAM.format(source=source, name=function.__name__))
    exchange.write_bytes(pickle.dumps(arguments, protocol=4))
    done = subprocess.run([PYTHON, str(program), str(exchange)], env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return pickle.loads(exchange.read_bytes())
