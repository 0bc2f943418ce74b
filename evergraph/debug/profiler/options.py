"""tf.profiler.ProfileOptionBuilder: which nodes a profile shows, and what of them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from evergraph.base.export import export

_EVERYTHING = {
    "max_depth": 10000, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0, "min_occurrence": 0,
    "order_by": "name", "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
    "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": True, "select": ["params"],
    "step": -1, "output": "stdout",
}

TRAINABLE_VARS_PARAMS_STAT_OPTIONS = export("contrib.tfprof.model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS")(
    {**_EVERYTHING, "account_type_regexes": ["_trainable_variables"]})
FLOAT_OPS_OPTIONS = export("contrib.tfprof.model_analyzer.FLOAT_OPS_OPTIONS")(
    {**_EVERYTHING, "min_float_ops": 1, "order_by": "float_ops", "select": ["float_ops"]})
PRINT_ALL_TIMING_MEMORY = export("contrib.tfprof.model_analyzer.PRINT_ALL_TIMING_MEMORY")(
    {**_EVERYTHING, "min_bytes": 1, "min_micros": 1, "account_displayed_op_only": False,
     "select": ["micros", "bytes"]})


@export("profiler.ProfileOptionBuilder", "contrib.tfprof.ProfileOptionBuilder")
class ProfileOptionBuilder:
    """Builds the options of `tf.profiler.profile`, one after the other.

    >>> builder = tf.profiler.ProfileOptionBuilder
    >>> options = builder(builder.trainable_variables_parameter()).with_empty_output().build()

    Args:
        options: options to begin with.
    """

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        default = {**_EVERYTHING, "max_depth": 100, "account_displayed_op_only": False, "select": ["micros"]}
        self._options = copy.deepcopy(default if options is None else options)

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """Options that show the number of parameters of each trainable variable."""
        return copy.deepcopy(TRAINABLE_VARS_PARAMS_STAT_OPTIONS)

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Options that show the floating point operations of each node that has some."""
        return copy.deepcopy(FLOAT_OPS_OPTIONS)

    @staticmethod
    def time_and_memory(min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0,
                        min_cpu_micros: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> dict[str, Any]:
        """Options that show time and memory of each node that needs at least so much."""
        limits = {"min_bytes": min_bytes, "min_peak_bytes": min_peak_bytes, "min_residual_bytes": min_residual_bytes,
                  "min_output_bytes": min_output_bytes, "min_micros": min_micros,
                  "min_accelerator_micros": min_accelerator_micros, "min_cpu_micros": min_cpu_micros}
        return copy.deepcopy({**_EVERYTHING, **limits, "order_by": "micros", "select": ["micros", "bytes"]})

    def build(self) -> dict[str, Any]:
        """A copy of the options."""
        return copy.deepcopy(self._options)

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Shows no node that is deeper in the tree."""
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> ProfileOptionBuilder:
        """Shows nodes that need at least so much memory."""
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros: int = 0, min_accelerator_micros: int = 0,
                                min_cpu_micros: int = 0) -> ProfileOptionBuilder:
        """Shows nodes that need at least so many microseconds."""
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
                          min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Shows nodes with at least so many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> ProfileOptionBuilder:
        """Shows types of which there are at least so many nodes; for the op view."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Shows nodes with at least so many floating point operations."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: Sequence[str]) -> ProfileOptionBuilder:
        """Counts only nodes of which the op, the device or a type of the log matches."""
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(self, start_name_regexes: Sequence[str] | None = None,
                        show_name_regexes: Sequence[str] | None = None, hide_name_regexes: Sequence[str] | None = None,
                        trim_name_regexes: Sequence[str] | None = None) -> ProfileOptionBuilder:
        """Selects nodes by their names.

        Args:
            start_name_regexes: nodes at which the tree begins.
            show_name_regexes: nodes to show.
            hide_name_regexes: nodes not to show.
            trim_name_regexes: nodes that are left out with everything below.
        """
        given = {"start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
                 "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes}
        return self._with(**{key: list(value) for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Whether totals count only nodes that are shown."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Writes nothing; the profile is the result of the call."""
        return self._with(output="none")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Prints the profile."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Writes the profile to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: str) -> ProfileOptionBuilder:
        """Writes the times of the step's nodes to a file for Chrome."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: str) -> ProfileOptionBuilder:
        """Writes a file for pprof; for the view "code" with one number selected."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Sorts the children of a node by what they have most of, or by "name"."""
        return self._with(order_by=attribute)

    def select(self, attributes: Sequence[str]) -> ProfileOptionBuilder:
        """What of the nodes is shown, such as "params" or "micros"."""
        return self._with(select=list(attributes))

    def with_step(self, step: int) -> ProfileOptionBuilder:
        """The step of a Profiler that is shown; -1 for the average over all."""
        return self._with(step=step)

    def _with(self, **options: Any) -> ProfileOptionBuilder:
        self._options.update(options)
        return self
