"""How programs are compiled: options, the cache on disk, large constants."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import evergraph as tf
from evergraph.compile import backend, policy
from evergraph.compile.executable import free_bytes
from evergraph.compile.program import LARGE_CONSTANT


@pytest.mark.parametrize("name, value", [*backend._OPTIONS.items(), *backend._IN_ONE_THREAD.items()])
def test_this_version_of_xla_takes_the_options(name, value):
    assert backend._is_taken({name: value})
    assert not backend._is_taken({"xla_no_such_option": "1"})


@pytest.mark.cpus
def test_what_the_user_says_in_the_environment_comes_first():
    assert backend.with_flags("") == backend._NOT_UNROLLED
    assert backend.with_flags("--xla_dump_to=x") == f"--xla_dump_to=x {backend._NOT_UNROLLED}"
    said = "--xla_backend_extra_options=xla_cpu_optimize_for_size=true"
    assert backend.with_flags(said) == said
    assert not backend.keep_memory({"MALLOC_TRIM_THRESHOLD_": "0"})


def test_flags_for_gpus(monkeypatch):
    monkeypatch.setattr(backend, "_has_only_cpus", lambda: False)
    assert backend.with_flags("") == f"{backend._NOT_UNROLLED} {backend._NO_TRITON}"
    said = "--xla_gpu_enable_triton_gemm=true"
    assert backend.with_flags(said) == f"{said} {backend._NOT_UNROLLED}"
    monkeypatch.setattr(backend.importlib.metadata, "version", lambda package: "1.0.0")
    assert backend.with_flags("") == backend._NOT_UNROLLED


@pytest.mark.parametrize("width, is_small", [(8, True), (4096, False)])
def test_small_programs_run_in_one_thread(width, is_small, monkeypatch):
    options, asked = backend.compiler_options, []
    monkeypatch.setattr(backend, "compiler_options", lambda *given: asked.append(given) or options(*given))
    x = tf.placeholder(tf.float32, [None, width])
    total = tf.reduce_sum(tf.matmul(x, x, transpose_a=True) + 1.0)
    with tf.Session(tier="xla") as session:
        assert session.run(total, {x: np.ones([3, width])}) == 4.0 * width * width
    assert [given[0] for given in asked] == [is_small]


@pytest.mark.skipif(sys.platform != "linux", reason="about the C library of Linux")
def test_memory_that_was_freed_comes_back_without_the_system():
    if not backend.keep_memory({}):
        pytest.skip("this C library has no such options")
    import resource
    library, size = ctypes.CDLL(None), 1 << 26
    library.malloc.argtypes, library.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    library.free.argtypes = [ctypes.c_void_p]
    faults = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        place = library.malloc(size)
        ctypes.memset(place, 1, size)
        library.free(place)
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    assert faults[1] < size / resource.getpagesize() / 4


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    for age in range(10):
        path = tmp_path / f"program{age}"
        path.write_bytes(bytes(100))
        os.utime(path, (10**9 - age, 10**9 - age))
    backend.trim(tmp_path, 1000)
    assert len(list(tmp_path.iterdir())) == 10
    backend.trim(tmp_path, 900)
    assert {path.name for path in tmp_path.iterdir()} == {f"program{age}" for age in range(4)}


def test_a_missing_cache_is_no_error(tmp_path):
    backend.trim(tmp_path / "nowhere", 0)


@pytest.mark.parametrize("count", [4, 2 * LARGE_CONSTANT])
def test_large_constants_are_arguments_of_the_program(count, tmp_path):
    """Whatever their size, and also when they were computed from others, updated variables and loops use them."""
    data = np.arange(count, dtype=np.float64)
    with tf.Graph().as_default(), tf.Session(tier="xla") as session:
        table = tf.constant(data) * 2.0
        index = tf.placeholder(tf.int32, [2])
        total = tf.Variable(np.zeros(2), name="total")
        picked = tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v + tf.gather(table, index)),
                               [0, tf.zeros([2], tf.float64)])[1]
        update = tf.assign_add(total, picked)
        session.run(total.initializer)
        for turn in range(1, 4):
            np.testing.assert_array_equal(session.run(update, {index: [1, 3]}), [6.0 * turn, 18.0 * turn])
        program = session.run(table[-1])
    assert program == 2.0 * (count - 1)


def test_large_constants_stay_out_of_the_compiled_text():
    from evergraph.compile.program import _without_large_constants
    jax = backend.jax()
    data = np.arange(LARGE_CONSTANT, dtype=np.float32)
    jitted, constants = _without_large_constants(jax.jit, lambda x: (x + data, [x]), [np.float32(1)])
    assert [c.shape for c in constants] == [data.shape]
    assert len(jitted.lower(np.float32(1), *constants).as_text()) < 5000
    total, (x,) = jitted(np.float32(1), *constants)
    np.testing.assert_array_equal(total, data + 1)
    assert x == 1


@pytest.mark.parametrize(
    "number", [np.float32(2), np.float64("nan"), np.int8(-3), np.complex128(1 + 2j), np.bool_(True)])
def test_programs_make_large_constants_of_one_number_themselves(number):
    from evergraph.compile.program import _without_large_constants
    jax, made = backend.jax(), []

    def function(x):
        data = np.full([4, LARGE_CONSTANT], number)
        made.append(weakref.ref(data))
        return x, data

    jitted, constants = _without_large_constants(jax.jit, function, [np.float32(1)])
    gc.collect()
    assert not constants and made[0]() is None
    found = jitted(np.float32(1))[1]
    assert found.dtype == number.dtype
    np.testing.assert_array_equal(found, np.full([4, LARGE_CONSTANT], number))


def test_zeros_of_both_signs_are_two_numbers():
    from evergraph.compile.program import _without_large_constants
    data = np.zeros(LARGE_CONSTANT, np.float32)
    data[-1] = -0.0
    jitted, constants = _without_large_constants(backend.jax().jit, lambda x: x + data, [np.float32(-0.0)])
    assert len(constants) == 1 and np.signbit(jitted(np.float32(-0.0), *constants)[-1])


def test_loading_jax_leaves_numpys_generator_and_the_programs_log_alone():
    program = (
        "import logging, numpy as np, evergraph as tf, sys\n"
        "logging.basicConfig(level=logging.DEBUG)\n"
        "np.random.seed(3)\n"
        "x = tf.placeholder(tf.float32, [None, None])\n"
        "tf.linalg.expm(x)\n"  # a shape that is found by evaluating the kernel
        "w = tf.get_variable('w', [3, 2])\n"
        "step = tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.matmul(x, w)))\n"
        "with tf.Session(tier='xla') as session:\n"
        "    session.run(tf.global_variables_initializer())\n"
        "    session.run(step, {x: [[1, 2, 3]]})\n"
        "assert 'jax' in sys.modules\n"
        "print(np.random.rand() == np.random.RandomState(3).rand())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
    assert "jax" not in done.stderr and "cache" not in done.stderr


def test_a_long_compilation_is_announced(monkeypatch):
    lines, said = [], threading.Event()
    monkeypatch.setattr(backend, "LONG_COMPILE", 0.01)
    monkeypatch.setattr(backend.logging, "warn", lambda line: (lines.append(line), len(lines) > 2 and said.set()))
    with backend.announced("a program of 7 nodes", 50.2):
        assert said.wait(10)
    count = len(lines)
    assert lines[0].startswith("Compiling a program of 7 nodes takes more than 0.01 seconds (about 50, by its size).")
    assert lines[1:3] == [f"Compiling a program of 7 nodes: {seconds} seconds so far" for seconds in (0.02, 0.04)]
    time.sleep(0.2)
    assert len(lines) <= count + 1  # one may have been on its way


def test_the_expected_time_grows_with_the_nodes():
    few, many = policy.expected_seconds(100, "cpu"), policy.expected_seconds(20_000, "cpu")
    assert few < backend.LONG_COMPILE < many


@pytest.mark.parametrize("stats, free", [
    (None, None), ({}, None), ({"bytes_limit": 100, "bytes_in_use": 30}, 70), ({"bytes_limit": 100}, 100),
])
def test_free_bytes(stats, free):
    assert free_bytes(stats) == free


@pytest.mark.cpus
@pytest.mark.parametrize("room, copies", [(100_000, 1), (9_200, 0), (5_000, 1), (500, 0)])
def test_the_first_run_goes_without_copies_where_it_fits_only_in_place(room, copies, monkeypatch):
    """The program needs 8,000 bytes, and a copy of the variable 800. What needs more than there is fails on a copy."""
    put, taken = backend.jax().device_put, []

    def noted(value, **options):
        taken.append(value)
        return put(value, **options)

    monkeypatch.setattr(backend.jax(), "device_put", noted)
    monkeypatch.setattr("evergraph.compile.executable.free_bytes", lambda stats: room)
    with tf.Session(tier="xla") as session:
        v = tf.Variable(np.zeros(100))
        session.run(v.initializer)
        session.run(tf.assign_add(v, np.ones(100)))
        taken.clear()
        assert session.run(tf.tile(tf.assign_add(v, np.ones(100)), [10]))[0] == 2.0
    assert len(taken) == copies


EVALUATION = """
import sys
import numpy as np
import evergraph as tf
x = tf.placeholder(tf.float32, [None, 64])
hidden = x
for _ in range(8):
    hidden = tf.layers.dense(hidden, 64, tf.nn.relu)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(hidden, {x: np.ones([2, 64])})
print("jax" in sys.modules)
"""


def test_a_few_runs_on_cpus_do_without_jax():
    done = subprocess.run([sys.executable, "-c", EVALUATION], env=os.environ | {"JAX_PLATFORMS": "cpu"}, text=True,
                          check=True, capture_output=True)
    assert done.stdout.split()[-1] == "False"


@pytest.mark.parametrize("plugins, modules, only_cpus",
                         [([], (), True), (["cuda"], (), False), ([], ("libtpu",), False)])
def test_what_is_installed_tells_the_platform(plugins, modules, only_cpus, monkeypatch):
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(backend.importlib.metadata, "entry_points", lambda group: plugins)
    monkeypatch.setattr(backend.importlib.util, "find_spec", lambda name: name in modules)
    assert backend._has_only_cpus() == only_cpus
