"""What a node of a profile costs, in one step or in all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

COSTS = ("micros", "accelerator_micros", "cpu_micros", "bytes", "peak_bytes", "residual_bytes", "output_bytes",
         "params", "float_ops", "run_count", "definition_count")
NOTHING = dict.fromkeys(COSTS, 0)


def costs_of(node: Any, step: int) -> dict[str, int]:
    """The costs of a ProfileNode in a step; for step -1 times are means over its steps, memory is the
    most of them."""
    runs = [node.execs[step]] if step in node.execs else [] if step >= 0 else list(node.execs.values())
    accelerator = _mean(_micros(run.accelerator_execs) for run in runs)
    cpu = _mean(_micros(run.cpu_execs) for run in runs)
    count = _mean(run.run_count for run in runs)
    return {
        "micros": accelerator + cpu, "accelerator_micros": accelerator, "cpu_micros": cpu,
        "bytes": _most(runs, sum, "requested_bytes"), "peak_bytes": _most(runs, _largest, "peak_bytes"),
        "residual_bytes": _most(runs, _largest, "residual_bytes"), "output_bytes": _most(runs, sum, "output_bytes"),
        "params": parameters(node), "float_ops": node.float_ops * count if node.execs else node.float_ops,
        "run_count": count, "definition_count": 1,
    }  # fmt: skip


def parameters(node: Any) -> int:
    """The size of what has the attr `shape`: variables and placeholders; 0 where it is not known."""
    return math.prod(node.shape) if node.shape and min(node.shape) >= 0 else 0


def input_shapes(node: Any, nodes: Any) -> dict[int, list[int]]:
    """The shape of each input, control inputs among them; [] for one that is not known."""
    found = {}
    for at, number in sorted(node.inputs.items()):
        shapes, index = nodes[number].output_shapes, node.src_output_index[number]
        found[at] = list(shapes[index].int64_values) if index in shapes else []
    return found


def added(*parts: dict[str, int]) -> dict[str, int]:
    """The sums."""
    return {cost: sum(part[cost] for part in parts) for cost in COSTS}


def _micros(by_device: Any) -> int:
    return sum(time.int64_values[1] for run in by_device.values() for time in run.times)


def _mean(numbers: Iterable[int]) -> int:
    numbers = list(numbers)
    return sum(numbers) // len(numbers) if numbers else 0


def _most(runs: list[Any], together: Callable[[Iterable[int]], int], field: str) -> int:
    return _largest(together(getattr(memory, field) for memory in run.memory_execs) for run in runs)


def _largest(numbers: Iterable[int]) -> int:
    return max(numbers, default=0)
