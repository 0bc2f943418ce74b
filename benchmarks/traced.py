"""What a traced step costs beside one that is not watched, and whether the times of its nodes add up to the step.

    python -m benchmarks.traced [PART OF A NAME ...]

A row is a program on one tier, in a process of its own: the wall clock of a step that is not watched, the processor
time of such a step and of a traced one, in turn; the sum of the times of the nodes, and its part of the first column.
XLA's kernels may run side by side, so the process has one core. Times of nodes are taken by the wall clock: on a busy
machine, `chrt -f 5` before the command gives it that core.
"""

import argparse
import functools
import gc
import json
import os
import subprocess
import sys
import time

from benchmarks.rows import all_rows
from benchmarks.sides import ROOT
from benchmarks.worker import load

ROWS = ("MLP + Adam step, batch 32", "LeNet step, batch 64", "LSTM dynamic_rnn step")
WARM, ROUNDS = 40, 15


def measured(name, tier):
    """Milliseconds, the least of several: a step by the clock and by processor time, a traced one, all its nodes."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    tf = load("evergraph")
    tracing = _Tracing(tf)
    tf.Session = functools.partial(_session(tf, tracing), tier=tier)
    step = all_rows()[name].program(tf)
    for is_traced in (*[False] * WARM, True, True, True):
        tracing.is_on = is_traced
        step()
    gc.disable()
    plain, traced, sums = [], [], []
    for _ in range(ROUNDS):
        tracing.is_on = False
        plain.append(_times(step))
        tracing.is_on, tracing.nodes = True, 0
        traced.append(_times(step))
        sums.append(tracing.nodes / 1e6)
    return {"clock": min(each[0] for each in plain), "plain": min(each[1] for each in plain),
            "traced": min(each[1] for each in traced), "nodes": min(sums)}


class _Tracing:
    """Whether runs are traced, and the nanoseconds that nodes of traced runs took."""

    def __init__(self, tf):
        self.is_on, self.nodes, self._tf = False, 0, tf
        self.options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)

    def add(self, metadata):
        """Adds the times of nodes: not those of programs, of which nodes have their parts, nor of what runs nodes."""
        for device in metadata.step_stats.dev_stats:
            if not device.device.endswith("/programs"):
                self.nodes += sum(node.all_end_rel_nanos for node in device.node_stats)


def _session(tf, tracing):
    class Traced(tf.Session):
        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            if not tracing.is_on:
                return super().run(fetches, feed_dict, options, run_metadata)
            metadata = tf.RunMetadata()
            result = super().run(fetches, feed_dict, tracing.options, metadata)
            tracing.add(metadata)
            return result
    return Traced


def _times(step):
    clock, processor = time.perf_counter(), time.process_time()
    step()
    return 1e3 * (time.perf_counter() - clock), 1e3 * (time.process_time() - processor)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--worker", nargs=2, metavar=("NAME", "TIER"))
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(measured(*options.worker)), flush=True)
        return
    print(f"{'milliseconds':36}{'tier':>6}{'step':>9}{'processor':>11}{'traced':>9}{'times':>7}{'nodes':>9}"
          f"{'of step':>9}")
    for name in ROWS:
        for tier in ("numpy", "xla"):
            if options.names and not any(part in name for part in options.names):
                continue
            done = subprocess.run([sys.executable, "-m", "benchmarks.traced", "--worker", name, tier], cwd=ROOT,
                                  stdout=subprocess.PIPE, text=True, check=True)
            row = json.loads(done.stdout.splitlines()[-1])
            print(f"{name:36}{tier:>6}{row['clock']:9.2f}{row['plain']:11.2f}{row['traced']:9.2f}"
                  f"{row['traced'] / row['plain']:7.1f}{row['nodes']:9.2f}{row['nodes'] / row['clock']:9.2f}",
                  flush=True)


if __name__ == "__main__":
    main()
