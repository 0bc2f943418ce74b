"""Starts TensorBoard on a log directory, until it is interrupted.

    evergraph board logs
    evergraph board logs --port 6007 --host 0.0.0.0
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from typing import Any


def execute(words: list[str]) -> int:
    """Serves TensorBoard; returns 1, with one line on stderr, when it cannot start."""
    parser = argparse.ArgumentParser(
        prog="evergraph board", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logdir", help="the directory that tf.summary.FileWriter, an Estimator, ... wrote to")
    parser.add_argument("--port", type=int, default=6006, help="where to listen (6006); 0 for any free port")
    parser.add_argument("--host", default="localhost", help="which address to listen at (localhost)")
    given = parser.parse_args(words)
    try:
        board, address = started(given.logdir, given.port, given.host)
    except CannotStart as error:
        print(f"evergraph board: {error}", file=sys.stderr)
        return 1
    print(f"TensorBoard {board} at {address} (Ctrl+C ends it)", flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print()
    return 0


class CannotStart(Exception):
    """TensorBoard cannot start; the message says why, and what to do."""


def started(logdir: str, port: int, host: str) -> tuple[str, str]:
    """Starts TensorBoard's server on threads of this process.

    Returns:
        TensorBoard's version, and the address of its page.

    Raises:
        CannotStart: there is no such directory, the port is taken, or TensorBoard is not installed as it should be.
    """
    if "://" not in logdir and not os.path.isdir(logdir):
        raise CannotStart(f"there is no directory {logdir}")
    version, server = _program()
    server.configure(argv=["evergraph board"], logdir=logdir, port=port, host=host)
    try:
        return version, server.launch()
    except Exception as error:  # TensorBoard's own class for a port that is taken, and what the sockets raise
        raise CannotStart(f"TensorBoard cannot listen at {host}:{port}: {' '.join(str(error).split())}") from None


def _program() -> tuple[str, Any]:
    try:
        from tensorboard import default, program, version
    except ModuleNotFoundError as error:
        missing = error.name or str(error)
        if missing == "pkg_resources":  # TensorBoard before 2.21 asks for it, which setuptools 82 no longer has
            raise CannotStart("this TensorBoard needs pkg_resources, which new setuptools do not have: "
                              "pip install --upgrade tensorboard, or pip install 'setuptools<82'") from None
        package = "tensorboard" if missing.split(".")[0] == "tensorboard" else missing
        raise CannotStart(f"TensorBoard cannot be imported without {missing}: pip install {package}") from None
    except ImportError as error:
        raise CannotStart(f"TensorBoard cannot be imported: {' '.join(str(error).split())}") from None
    _lend_checkpoints()
    return version.VERSION, program.TensorBoard(default.get_plugins())


def _lend_checkpoints() -> None:
    """Has the projector read checkpoints with evergraph: TensorBoard does it with TensorFlow, or not at all."""
    if importlib.util.find_spec("tensorflow") is None:
        from tensorboard.plugins.projector import projector_plugin

        projector_plugin.tf = sys.modules["evergraph"]
