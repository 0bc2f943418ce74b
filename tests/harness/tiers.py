"""Machines that compile stages when a test wants it."""

from evergraph.compile import policy

_SMALL = 12  # nodes of stages that are never compiled


def compile_after(monkeypatch, runs, **costs):
    """Every stage of more than a few nodes is compiled after so many runs on NumPy, on every machine; after 0, at once.

    A run on NumPy loses a microsecond for each further node, and compiling takes that long for as many runs. `costs`
    are other ones.
    """
    _set(monkeypatch, {"load": -_SMALL * runs, "compile": runs, "start": _SMALL, "kernel": 1, **costs})


def compile_loops_after(monkeypatch, calls, **costs):
    """Stages with loops are compiled when these have called so many kernels; other stages never are."""
    _set(monkeypatch, {"load": calls, "compile": 0, "start": 1e-6, "kernel": 0, "loop": 1, **costs})


def _set(monkeypatch, costs):
    machine = policy.Machine(**{"loop": 1e-6, "element": 0, "flop": 0, "replays": False, **costs})
    for name in ("CPU", "CPU_WITHOUT_C", "ACCELERATOR"):
        monkeypatch.setattr(policy, name, machine)
