"""Times of nodes with the lines that made them, and their sums."""

from __future__ import annotations

from typing import Any


class ProfileDatum:
    """The times of one node.

    Args:
        device_name: its device.
        node_exec_stats: the NodeExecStats.
        file_path, line_number, func_name: the line that made it.
        op_type: its type.
    """

    def __init__(self, device_name: str, node_exec_stats: Any, file_path: str, line_number: int, func_name: str,
                 op_type: str) -> None:
        self.device_name, self.node_exec_stats = device_name, node_exec_stats
        self.file_path, self.line_number, self.func_name, self.op_type = file_path, line_number, func_name, op_type
        self.file_line_func = f"{(file_path or '').rpartition('/')[2]}:{line_number}({func_name})" if file_path else ""

    start_time = property(lambda self: self.node_exec_stats.all_start_micros)
    op_time = property(lambda self: self.node_exec_stats.op_end_rel_micros - self.node_exec_stats.op_start_rel_micros)
    exec_time = property(lambda self: self.node_exec_stats.all_end_rel_micros)


class AggregateProfile:
    """The sums of times of several nodes."""

    def __init__(self, profile_datum: ProfileDatum) -> None:
        self.total_op_time, self.total_exec_time = profile_datum.op_time, profile_datum.exec_time
        self._counts = {_key(profile_datum): 1}

    def add(self, profile_datum: ProfileDatum) -> None:
        """Adds a node's times."""
        self.total_op_time += profile_datum.op_time
        self.total_exec_time += profile_datum.exec_time
        self._counts[_key(profile_datum)] = self._counts.get(_key(profile_datum), 0) + 1

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self._counts)

    @property
    def node_exec_count(self) -> int:
        """How often they ran."""
        return sum(self._counts.values())


def _key(datum: ProfileDatum) -> tuple[str, str]:
    return datum.device_name, datum.node_exec_stats.node_name
