"""A session that asks at the terminal before and after its runs: LocalCLIDebugWrapperSession."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.debug.debugger import parser as parsing
from evergraph.debug.debugger import shared
from evergraph.debug.debugger.analyzer import add_commands
from evergraph.debug.debugger.commands import EXPLICIT_USER_EXIT, CommandLineExit
from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.dumps import DebugDumpDir, has_inf_or_nan
from evergraph.debug.debugger.lines import MAIN_MENU_KEY, Menu, MenuItem, RichTextLines
from evergraph.debug.debugger.profile_analyzer import ProfileAnalyzer
from evergraph.debug.debugger.sessions import (
    BaseDebugWrapperSession,
    OnRunEndRequest,
    OnRunEndResponse,
    OnRunStartAction,
    OnRunStartRequest,
    OnRunStartResponse,
    OnSessionInitAction,
    OnSessionInitRequest,
    OnSessionInitResponse,
    new_dump_root,
    remove_dumps,
)
from evergraph.debug.debugger.ui import get_ui


class LocalCLIDebugWrapperSession(BaseDebugWrapperSession):
    """Asks at the terminal before and after runs; `help` lists the commands.

    Args:
        sess: the session.
        dump_root: a directory for the tensors of watched runs, which are removed at the end; None for a temporary one.
        log_usage: whether TensorFlow logs the use of its debugger. There is no such log.
        ui_type: "curses" or "readline".
        thread_name_filter: a pattern of the threads whose runs are watched.
        config_file_path: the file of the prompt's settings; by default ~/.tfdbg_config.

    Raises:
        ValueError: `dump_root` is a file, or has something in it.
    """

    def __init__(self, sess: Any, dump_root: str | None = None, log_usage: bool = True, ui_type: str = "curses",
                 thread_name_filter: str | None = None, config_file_path: str | None = None) -> None:
        super().__init__(sess, thread_name_filter=thread_name_filter)
        if not dump_root:
            self._dump_root = new_dump_root()
        else:
            dump_root = os.path.expanduser(dump_root)
            if os.path.isfile(dump_root):
                raise ValueError(f"dump_root path points to a file: {dump_root}")
            if os.path.isdir(dump_root) and os.listdir(dump_root):
                raise ValueError(f"dump_root path points to a non-empty directory: {dump_root}")
            self._dump_root = dump_root
        self._ui_type, self._config = ui_type, CLIConfig(config_file_path)
        self._argparsers = _argparsers()
        self._tensor_filters: dict[str, Callable[[Any, Any], Any]] = {}
        self.add_tensor_filter("has_inf_or_nan", has_inf_or_nan)
        self._active_tensor_filter: str | None = None
        self._active_exclude: str | None = None
        self._left_times, self._skip_debug, self._is_run_start = 0, False, True
        self._next_response: OnRunStartResponse | None = None
        self._is_first_run_info = True
        self._run_cli: Any = None
        self._init_command: str | None = None
        self._title, self._title_color = "", None

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable[[Any, Any], Any]) -> None:
        """Adds a function of a datum and its value, by whose name `run -f` and `lt -f` find tensors."""
        self._tensor_filters[filter_name] = tensor_filter

    # ---- what runs ask

    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        return OnSessionInitResponse(OnSessionInitAction.PROCEED)

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        self._is_run_start = True
        self._update_run_calls_state(request)
        if self._active_tensor_filter:  # until a tensor passes
            return self._debug_run()
        if self._left_times:
            return self._one_of_several()
        if self._next_response is not None:
            response, self._next_response = self._next_response, None
        else:
            self._prep_cli_for_run_start()
            response = self._answered()
        return self._one_of_several() if self._left_times else response

    def _one_of_several(self) -> OnRunStartResponse:
        """Runs before the last one of `run -t` are not watched."""
        self._left_times -= 1
        is_watched = not self._left_times and not self._skip_debug
        return self._debug_run() if is_watched else self._without_watching()

    def _answered(self) -> OnRunStartResponse:
        token = self._launch_cli()
        if token == EXPLICIT_USER_EXIT or token is None:
            print("tfdbg: the user ends the program", file=sys.stderr)
            sys.exit(1)
        return token

    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        self._is_run_start = False
        if request.performed_action == OnRunStartAction.DEBUG_RUN:
            dump = DebugDumpDir(self._run_dump_root, partition_graphs=request.run_metadata.partition_graphs)
            dump.set_python_graph(self._sess.graph)
            passed, excluded = None, self._active_exclude
            if self._active_tensor_filter:
                if not dump.find(self._tensor_filters[self._active_tensor_filter], first_n=1,
                                 exclude_node_names=excluded) and request.tf_error is None:
                    self._remove_persisted_dump()
                    return OnRunEndResponse()
                passed = self._active_tensor_filter
                self._active_tensor_filter = self._active_exclude = None
            self._prep_debug_cli_for_run_end(dump, request.tf_error, passed, excluded)
        elif request.performed_action == OnRunStartAction.PROFILE_RUN:
            self._prep_profile_cli_for_run_end(self._sess.graph, request.run_metadata)
        else:
            return OnRunEndResponse()
        self._next_response = self._answered()
        self._remove_persisted_dump()
        return OnRunEndResponse()

    def _remove_persisted_dump(self) -> None:
        remove_dumps(self._run_dump_root)

    @property
    def _run_dump_root(self) -> str:
        return os.path.join(self._dump_root, f"run_{self._run_call_count}")

    def _debug_run(self) -> OnRunStartResponse:
        return OnRunStartResponse(OnRunStartAction.DEBUG_RUN, [f"file://{self._run_dump_root}"], **self._filters)

    def _without_watching(self) -> OnRunStartResponse:
        return OnRunStartResponse(OnRunStartAction.NON_DEBUG_RUN, [])

    _filters: dict[str, str | None] = {}

    def _update_run_calls_state(self, request: OnRunStartRequest) -> None:
        self._fetches, self._feed_dict = request.fetches, request.feed_dict
        self._is_callable_runner = request.is_callable_runner
        self._run_description = shared.get_run_short_description(
            request.run_call_count, request.fetches, request.feed_dict, request.is_callable_runner)

    # ---- the prompt

    def _prep_cli_for_run_start(self) -> None:
        self._run_cli = get_ui(self._ui_type, config=self._config)
        self._register_this_run_info(self._run_cli)
        self._init_command, self._title = "run_info", f"run-start: {self._run_description}"
        self._run_cli.set_help_intro(self._run_help())

    def _run_help(self) -> RichTextLines:
        found = shared.get_tfdbg_logo() if self._is_first_run_info else RichTextLines([])
        found.append("Upcoming run:")
        found.extend(shared.get_run_start_intro(self._run_call_count, self._fetches, self._feed_dict,
                                                self._tensor_filters, self._is_callable_runner))
        return found

    def _prep_debug_cli_for_run_end(self, debug_dump: DebugDumpDir, tf_error: Any, passed_filter: str | None,
                                    passed_filter_exclude_op_names: str | None) -> None:
        self._run_cli = ui = get_ui(self._ui_type, config=self._config)
        add_commands(ui, debug_dump, self._tensor_filters, self._config)
        self._title = f"run-end: {self._run_description}"
        if tf_error is not None:
            ui.set_help_intro(shared.get_error_intro(tf_error))
            self._init_command = "help"
        else:
            self._init_command = "lt"
            if passed_filter is not None:
                self._init_command += f" -f {passed_filter}"
                if passed_filter_exclude_op_names:
                    self._init_command += f" --filter_exclude_node_names {passed_filter_exclude_op_names}"
        self._register_this_run_info(ui)

    def _prep_profile_cli_for_run_end(self, py_graph: Any, run_metadata: Any) -> None:
        self._run_cli = ui = get_ui(self._ui_type, config=self._config)
        analyzer = ProfileAnalyzer(py_graph, run_metadata)
        for command, handler, aliases in analyzer.get_commands():
            ui.register_command_handler(command, handler, analyzer.get_help(command), prefix_aliases=aliases)
        self._init_command, self._title = "lp", f"run-end (profiler mode): {self._run_description}"
        self._register_this_run_info(ui)

    def _launch_cli(self) -> Any:
        """Asks; returns what the command that ended the prompt says."""
        return self._run_cli.run_ui(init_command=self._init_command, title=self._title)

    def _register_this_run_info(self, curses_cli: Any) -> None:
        """Adds the commands about the run itself."""
        for command, handler, aliases in (("run", self._run_handler, ["r"]),
                                          ("run_info", self._run_info_handler, ["ri"]),
                                          ("print_feed", self._print_feed_handler, ["pf"])):
            curses_cli.register_command_handler(command, handler, self._argparsers[command].format_help(),
                                                prefix_aliases=aliases)
        if self._tensor_filters:
            curses_cli.register_tab_comp_context(["run", "r"], list(self._tensor_filters))
        if self._feed_dict:
            curses_cli.register_tab_comp_context(
                ["print_feed", "pf"], [shared.get_graph_element_name(key) for key in self._feed_dict])

    def _run_handler(self, args: Sequence[str], screen_info: Any = None) -> Any:
        """Ends the prompt with what to do next."""
        parsed = self._argparsers["run"].parse_args(args)
        self._filters = {
            "node_name_regex_whitelist": parsed.node_name_filter or None,
            "op_type_regex_whitelist": parsed.op_type_filter or None,
            "tensor_dtype_regex_whitelist": parsed.tensor_dtype_filter or None}
        if parsed.filter_exclude_node_names and not parsed.till_filter_pass:
            raise ValueError("--filter_exclude_node_names needs a filter (-f) to exclude nodes from")
        if parsed.profile:
            raise CommandLineExit(OnRunStartResponse(OnRunStartAction.PROFILE_RUN, []))
        self._skip_debug, self._left_times = parsed.no_debug, parsed.times if parsed.times > 1 else 0
        action = OnRunStartAction.NON_DEBUG_RUN if parsed.no_debug else OnRunStartAction.DEBUG_RUN
        if parsed.till_filter_pass:
            if parsed.till_filter_pass not in self._tensor_filters:
                return shared.error(f'There is no tensor filter named "{parsed.till_filter_pass}".')
            self._active_tensor_filter = parsed.till_filter_pass
            self._active_exclude = parsed.filter_exclude_node_names or None
            action = OnRunStartAction.DEBUG_RUN
        urls = [f"file://{self._next_dump_root}"] if action == OnRunStartAction.DEBUG_RUN else []
        filters = self._filters if action == OnRunStartAction.DEBUG_RUN else {}
        raise CommandLineExit(OnRunStartResponse(action, urls, **filters))

    @property
    def _next_dump_root(self) -> str:
        """Where the run goes that the prompt is about: this one before it, the next one after it."""
        number = self._run_call_count + (0 if self._is_run_start else 1)
        return os.path.join(self._dump_root, f"run_{number}")

    def _run_info_handler(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The run, its fetches and feeds, and what can be done with it."""
        found = RichTextLines([])
        if self._run_call_count == 1:
            found.extend(shared.get_tfdbg_logo())
        found.extend(shared.get_run_start_intro(self._run_call_count, self._fetches, self._feed_dict,
                                                self._tensor_filters, self._is_callable_runner))
        if not self._is_run_start and MAIN_MENU_KEY in found.annotations:
            menu = Menu()
            menu.append(MenuItem("list_tensors", "list_tensors"))
            found.annotations[MAIN_MENU_KEY] = menu
        return found

    def _print_feed_handler(self, args: Sequence[str], screen_info: Any = None) -> RichTextLines:
        """The value of a feed."""
        if not self._feed_dict:
            return shared.error("The feed_dict of the current run is None or empty.")
        parsed = self._argparsers["print_feed"].parse_args(args)
        name, slicing = parsing.parse_tensor_name_with_slicing(parsed.tensor_name)
        for key, value in self._feed_dict.items():
            if shared.get_graph_element_name(key) == name:
                return shared.format_tensor(
                    value, f"{name} (feed)", shared.numpy_printoptions_from_screen_info(screen_info),
                    print_all=parsed.print_all, tensor_slicing=slicing,
                    highlight_options=shared.parse_ranges_highlight(parsed.ranges),
                    include_numeric_summary=parsed.numeric_summary, write_path=parsed.write_path)
        return shared.error(f"The feed_dict of the current run does not contain the key {name}")


def _argparsers() -> dict[str, argparse.ArgumentParser]:
    run = argparse.ArgumentParser(description="Run through, with or without debug tensor watching.",
                                  usage=argparse.SUPPRESS)
    run.add_argument("-t", "--times", dest="times", type=int, default=1,
                     help="How many Session.run() calls to proceed with.")
    run.add_argument("-n", "--no_debug", dest="no_debug", action="store_true",
                     help="Run through without debug tensor watching.")
    run.add_argument("-f", "--till_filter_pass", dest="till_filter_pass", type=str, default="",
                     help="Run until a tensor in the graph passes the specified filter.")
    run.add_argument("-fenn", "--filter_exclude_node_names", dest="filter_exclude_node_names", type=str, default="",
                     help="When applying the tensor filter, exclude node with names matching the regular expression. "
                     "Applicable only if --tensor_filter or -f is used.")
    run.add_argument("--node_name_filter", dest="node_name_filter", type=str, default="",
                     help="Regular-expression filter for node names to be watched in the run, e.g., loss, reshape.*")
    run.add_argument("--op_type_filter", dest="op_type_filter", type=str, default="",
                     help="Regular-expression filter for op type to be watched in the run, e.g., (MatMul|Add), "
                     "Variable.*")
    run.add_argument("--tensor_dtype_filter", dest="tensor_dtype_filter", type=str, default="",
                     help="Regular-expression filter for tensor dtype to be watched in the run, e.g., "
                     "(float32|float64), int.*")
    run.add_argument("-p", "--profile", dest="profile", action="store_true",
                     help="Run and profile TensorFlow graph execution.")
    info = argparse.ArgumentParser(description="Display information about this Session.run() call.",
                                   usage=argparse.SUPPRESS)
    feed = parsing.get_print_tensor_argparser("Print the value of a feed in feed_dict.")
    return {"run": run, "run_info": info, "print_feed": feed}
