"""What stages cost on NumPy and in compiled programs, from which `evergraph.compile.policy` has its numbers.

    python -m benchmarks.tiers [--without-c | --accelerator] [PART OF A NAME ...]

A row is a program of the other tables, in a process of its own for each tier: how many nodes it has, how many kernels
its loops call, how many elements it makes, how many multiplications it takes; the processor time of a step on NumPy,
where C code replays it, and in a program; the processor time of the first step, which compiles. The last columns are
what the policy takes NumPy to lose by a step, and compiling to cost. With an accelerator, times are by the clock.
"""

import argparse
import functools
import gc
import json
import math
import os
import subprocess
import sys
import tempfile
import time

from benchmarks.rows import all_rows
from benchmarks.sides import ROOT
from benchmarks.sizes import PROGRAMS
from benchmarks.worker import load

ROWS = ("MLP + Adam step, batch 32", "MLP + Adam step, batch 128", "LSTM dynamic_rnn step", "LeNet step, batch 64",
        "ResNet step, 3 blocks with batch norm", "transformer step, 4 layers", "text CNN step, batch 64",
        "ResNet-20 step, 32 x 32, batch 32", "MobileNet block step, batch 16", "Wide&Deep step, batch 40",
        "Wide&Deep step, batch 512", "DeepFM step, 26 fields, 2e5 x 16")
SIZES = ("LSTM, 60 lengths", "three convolutions, 60 image sizes", "attention, 60 lengths", "MLP, 60 batch sizes",
         "transformer, 60 lengths", "text classifier with convolutions, 60 lengths",
         "MLP of 512 units, 60 batch sizes", "U-Net, 60 heights and widths", "beam search of changing length",
         "decoder with attention, 60 lengths of two kinds", "YOLO, another image size every ten batches")
WARM = 40  # steps before the time is taken; what NumPy does is replayed after a few


def measured(name, tier, platform):
    """What a program costs on a tier, and what the policy for a platform knows of it."""
    clock = time.process_time if platform == "cpu" else time.perf_counter
    tf = load("evergraph")
    tf.Session = functools.partial(tf.Session, tier=tier)
    seen = _watched()
    program = PROGRAMS[name](tf) if name in PROGRAMS else all_rows()[name].program(tf)
    step = functools.partial(program, 0) if name in PROGRAMS else program
    seen.clear()  # of initializers
    start = clock()
    step()
    first = clock() - start
    for _ in range(WARM):
        step()
    gc.disable()
    return {"first": first, "step": min(_time(step, clock) for _ in range(5)), "stages": _stages(seen, platform)}


def _time(step, clock, seconds=0.4):
    count, start = 0, clock()
    while clock() - start < seconds:
        step()
        count += 1
    return (clock() - start) / count


def _watched():
    """Runners of device stages -> (the store, the inputs) of their last run."""
    from evergraph.compile.stage import StageRunner

    seen, run = {}, StageRunner.run

    def watched(self, store, args, undo):
        if not self.stage.on_host:
            seen[self] = store, args
        return run(self, store, args, undo)

    StageRunner.run = watched
    return seen


def _stages(seen, platform):
    """The work of each stage, the kernels that its loops call in a run, and what the policy makes of both."""
    from evergraph.compile.policy import machine_for

    found = []
    for runner, (store, args) in seen.items():
        choice, loops = runner.choice, runner.choice._interpreter
        work = choice._with_known_sizes(choice._work(store, args, None), args)
        calls = loops.calls / max(loops.runs_of_loops, 1)
        machine = machine_for(platform)
        found.append({"nodes": work.nodes, "calls": calls, "elements": work.elements or 0, "flops": work.flops,
                      "state": work.state, "lost": max(machine.lost(work, calls), 0) / 1e6,
                      "cost": machine.compile * work.nodes / 1e6})
    return found


def in_process(name, tier, platform, without_c):
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"} | ({"JAX_PLATFORMS": "cpu"} if platform == "cpu" else {})
    environment |= {"EVERGRAPH_NATIVE": "0"} if without_c else {}
    with tempfile.TemporaryDirectory() as caches:
        done = subprocess.run([sys.executable, "-m", "benchmarks.tiers", "--worker", name, tier, platform], cwd=ROOT,
                              text=True, env=environment | {"XDG_CACHE_HOME": caches}, capture_output=True, check=False)
    if done.returncode:
        print(f"{name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return {"first": math.nan, "step": math.nan, "stages": []}
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--without-c", action="store_true", help="measure the Python twins of the C code")
    parser.add_argument("--accelerator", action="store_true", help="measure programs on the machine's accelerator")
    parser.add_argument("--worker", nargs=3, metavar=("NAME", "TIER", "PLATFORM"))
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured(*options.worker)), flush=True)
        return
    platform = "gpu" if options.accelerator else "cpu"
    print(f"{'milliseconds':40}{'nodes':>7}{'calls':>8}{'elements':>12}{'flops':>14}{'state':>11}{'NumPy':>9}{'XLA':>9}"
          f"{'lost':>8}{'compile':>9}{'policy: lost':>14}{'compile':>9}")
    for name in (*ROWS, *SIZES):
        if options.names and not any(part in name for part in options.names):
            continue
        numpy, xla = (in_process(name, tier, platform, options.without_c) for tier in ("numpy", "xla"))
        totals = {key: sum(stage[key] for stage in numpy["stages"])
                  for key in ("nodes", "calls", "elements", "flops", "state", "lost", "cost")}
        print(f"{name[:39]:40}{totals['nodes']:7}{totals['calls']:8.0f}{totals['elements']:12,}{totals['flops']:14,}{totals['state']:11,}"
              f"{1e3 * numpy['step']:9.2f}{1e3 * xla['step']:9.2f}{1e3 * (numpy['step'] - xla['step']):8.2f}"
              f"{1e3 * xla['first']:9.0f}{1e3 * totals['lost']:14.2f}{1e3 * totals['cost']:9.0f}", flush=True)


if __name__ == "__main__":
    main()
