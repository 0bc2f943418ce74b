"""`evergraph run`: programs that import tensorflow, as files and as modules."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import helper
import tensorflow as tf

with tf.Session() as session:
    print(session.run(tf.constant(helper.VALUE) * 2), sys.argv[1:], __name__, tf.__version__)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text("VALUE = 21\n")
    return tmp_path


def evergraph(folder, *arguments, **kwargs):
    return subprocess.run([sys.executable, "-m", "evergraph", "run", *arguments], cwd=folder, capture_output=True,
                          text=True, **kwargs)


@pytest.mark.parametrize("how", [["program.py"], ["-m", "program"]])
def test_a_program_runs_unchanged(folder, how):
    done = evergraph(folder, *how, "--steps", "3")
    assert done.stdout.split("\n")[0] == "42 ['--steps', '3'] __main__ 1.15.0", done.stderr


CHILDREN = """
import multiprocessing
import helper
import tensorflow as tf

def version(number):
    return tf.VERSION, helper.VALUE * number

if __name__ == "__main__":
    with multiprocessing.get_context("{how}").Pool(1) as pool:
        print(pool.map(version, [2]))
"""


@pytest.mark.parametrize("how", ["spawn", "forkserver"])
@pytest.mark.parametrize("option", [[], ["--legacy"]])
def test_processes_that_it_starts(folder, how, option):
    (folder / "program.py").write_text(CHILDREN.format(how=how))
    (folder / "helper.py").write_text("import numpy as np\nVALUE = np.float(21)\n" if option else "VALUE = 21.0\n")
    done = evergraph(folder, *option, "program.py", timeout=100)
    assert done.stdout == "[('1.15.0', 42.0)]\n", done.stderr


def test_code_on_the_command_line(folder):
    done = evergraph(folder, "-c", "import sys, tensorflow as tf; print(tf.VERSION, sys.argv)", "-x")
    assert done.stdout == "1.15.0 ['-c', '-x']\n", done.stderr


def test_a_program_on_standard_input(folder):
    done = evergraph(folder, "-", "--steps", "3", input=PROGRAM)
    assert done.stdout.split("\n")[0] == "42 ['--steps', '3'] __main__ 1.15.0", done.stderr
    done = evergraph(folder, "-", input="\nraise OSError('disk')")
    assert done.returncode == 1 and 'File "<stdin>", line 2' in done.stderr


def test_its_exit_status_is_passed_on(folder):
    (folder / "program.py").write_text("import sys\nsys.exit(5)\n")
    assert evergraph(folder, "program.py").returncode == 5


def test_no_such_file(folder):
    done = evergraph(folder, "nothing.py")
    assert done.returncode == 2 and "no file nothing.py" in done.stderr
    assert evergraph(folder).returncode == 2


TOWERS = """
import tensorflow as tf

towers = []
for number in range(2):
    with tf.device(f"/gpu:{number}"):
        x = tf.placeholder(tf.float32, [300, 300])
        towers.append(tf.reduce_mean(tf.matmul(x, x)))
metadata = tf.RunMetadata()
options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
x = {tower.op.inputs[0].op.inputs[0]: [[1.0] * 300] * 300 for tower in towers}
print(*tf.Session().run(towers, x, options=options, run_metadata=metadata))
print(*sorted(each.device[-5:] for each in metadata.step_stats.dev_stats))
"""


def test_a_program_for_two_gpus_runs_on_two_cpus(folder):
    done = evergraph(folder, "--cpus=2", "-", input=TOWERS)
    assert done.stdout.split("\n")[:2] == ["300.0 300.0", "CPU:0 CPU:1"], done.stderr
    assert "Cannot assign a device" in evergraph(folder, "-", input=TOWERS).stderr
    done = evergraph(folder, "--cpus=two", "-", input=TOWERS)
    assert done.returncode == 2 and "--cpus=N takes a number" in done.stderr
