"""The time until the first step of large programs is over: `python -m benchmarks.first_steps [PART OF A NAME ...]`.

A row is a program of `benchmarks.large_steps`, in a process of its own. It runs with an empty compile cache, again with
what the first process left there, and on TensorFlow. Columns are the time to build the graph, to initialize, of the
first run of each step, and of a second run; of those, what JAX took to trace and to lower, and XLA to compile or load;
the number of programs, and how many of them were in the cache; the peak memory. Times are those of the processor, all
threads together, unless `--clock wall` asks for others; those of JAX and XLA are always time that passed.
"""

import argparse
import collections
import functools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks.large_steps import PROGRAMS
from benchmarks.sides import INTERPRETERS, ROOT, duration
from benchmarks.worker import load

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
PARTS = {"/jax/core/compile/jaxpr_trace_duration": "traced",
         "/jax/core/compile/jaxpr_to_mlir_module_duration": "lowered",
         "/jax/core/compile/backend_compile_duration": "xla"}
COLUMNS = {"nodes": 7, "build": 8, "initializer": 12, "first steps": 24, "a step": 8, "traced": 8, "lowered": 8,
           "xla": 8, "programs": 9, "cached": 7, "peak MiB": 9}
HIT = "/jax/compilation_cache/cache_hits"


def measured(package, name, clock):
    """{column: value} for a program in this process."""
    now = CLOCKS[clock]
    tf, spent = load(package), collections.Counter()
    if package == "evergraph":
        _listen(spent)
    times = [now()]
    steps = PROGRAMS[name](tf)
    times.append(now())
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    times.append(now())
    for fetches, feeds in (*steps, steps[-1]):
        session.run(fetches, feeds)
        times.append(now())
    build, start, *first, again = [later - earlier for earlier, later in zip(times, times[1:])]
    return {"nodes": len(tf.get_default_graph().get_operations()), "build": build, "initializer": start,
            "first steps": first, "a step": again, **spent,
            "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}


def _listen(spent):
    """Has JAX add what it does to `spent`: seconds of each part, programs, and programs that were in the cache."""
    from evergraph.compile import backend
    monitoring = backend.jax().monitoring

    def note(event, seconds, **_):
        if event in PARTS:
            spent[PARTS[event]] += seconds
            spent["programs"] += PARTS[event] == "xla"

    monitoring.register_event_duration_secs_listener(note)
    monitoring.register_event_listener(lambda event, **_: spent.update({"cached": event == HIT}))


@functools.cache
def _environment():
    return os.environ | {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}


def in_process(package, name, clock, caches):
    """What a process of its own measures; None if it fails."""
    command = [INTERPRETERS[package], "-m", "benchmarks.first_steps", "--worker", package, name, "--clock", clock]
    done = subprocess.run(command, cwd=ROOT, env=_environment() | {"XDG_CACHE_HOME": caches}, text=True,
                          capture_output=True, check=False)
    if done.returncode:
        print(f"{package}, {name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def report(names, clock, sides):
    print(f"{'':12}" + "".join(f"{column:>{width}}" for column, width in COLUMNS.items()))
    for name in names:
        print(name)
        with tempfile.TemporaryDirectory() as caches:
            for side in sides:
                found = in_process("tensorflow" if side == "TensorFlow" else "evergraph", name, clock, caches)
                cells = ["failed"] if found is None else [_cell(found.get(column, "")) for column in COLUMNS]
                print(f"  {side:10}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, COLUMNS.values())),
                      flush=True)


def _cell(value):
    if isinstance(value, list):
        return ", ".join(map(duration, value))
    return duration(value) if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_steps", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of the programs; all if none is given")
    parser.add_argument("--clock", choices=CLOCKS, default="processor")
    parser.add_argument("--sides", nargs="+", choices=("cold", "warm", "TensorFlow"),
                        default=["cold", "warm", "TensorFlow"])
    parser.add_argument("--worker", nargs=2, metavar=("PACKAGE", "NAME"), help="run one side and print it as JSON")
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured(*options.worker, options.clock)))
        return
    report([n for n in PROGRAMS if not options.names or any(part in n for part in options.names)], options.clock,
           options.sides)


if __name__ == "__main__":
    main()
