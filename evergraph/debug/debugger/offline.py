"""Looks at the dump of a run that is over: `python -m evergraph.debug.debugger.offline --dump_dir=DIR`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from evergraph.debug.debugger.analyzer import add_commands
from evergraph.debug.debugger.config import CLIConfig
from evergraph.debug.debugger.dumps import DebugDumpDir, has_inf_or_nan
from evergraph.debug.debugger.ui import get_ui


def main(words: Sequence[str] | None = None) -> None:
    """Opens the prompt with the list of the dump's tensors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump_dir", required=True, help="the directory of the dump")
    parser.add_argument("--ui_type", default="curses", choices=["curses", "readline"], help="the kind of prompt")
    parser.add_argument("--validate_graph", type=lambda word: word.lower() != "false", default=True, nargs="?",
                        const=True, help="whether tensors and graph have to agree")
    parsed = parser.parse_args(words)
    dump = DebugDumpDir(parsed.dump_dir, validate=parsed.validate_graph)
    config = CLIConfig()
    ui = get_ui(parsed.ui_type, config=config)
    add_commands(ui, dump, {"has_inf_or_nan": has_inf_or_nan}, config)
    ui.run_ui(init_command="lt", title=f"tfdbg offline: {parsed.dump_dir}")


if __name__ == "__main__":
    main()
