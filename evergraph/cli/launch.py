"""Runs a program as the tasks of a cluster on this machine, each in a process of its own.

    evergraph launch --ps 1 --workers 2 train.py --steps 100
    evergraph launch --ps 2 --workers 3 --chief --evaluator estimator.py
    evergraph launch --ps 1 --workers 2 --flags mnist_replica.py --sync_replicas
    evergraph launch -n 4 horovod_mnist.py

The program is anything that `evergraph run` takes. Each task finds the cluster in TF_CONFIG; addresses are free ports
of the loopback interface. What the tasks print is one log, each line with the name of its task. It ends when all tasks
but the parameter servers have ended, which then end too, or when one has failed; Ctrl-C ends them all.

Options stand before the program:
    -n N            so many equal processes for Horovod and MultiWorkerMirroredStrategy, instead of jobs: each is a
                    worker of TF_CONFIG, and knows its rank from HOROVOD_RANK
    --ps N          parameter servers, 0 by default
    --workers N     workers, 1 by default
    --chief         a chief beside the workers, as Estimators want it
    --evaluator     an evaluator beside the cluster
    --flags         also give the program --ps_hosts, --worker_hosts, --job_name and --task_index
    --restarts N    start a task that has failed again, up to N times each
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

from evergraph.cluster.local_cluster import free_ports

GRACE_SECONDS = 5.0  # that tasks have to end in
_PR_SET_PDEATHSIG = 1
_COLOURS = (36, 33, 32, 35, 34, 31)
_NUMBERS = {"--ps": 0, "--workers": 1, "--restarts": 0, "-n": 0}
_SWITCHES = ("--chief", "--evaluator", "--flags")


def execute(words: list[str]) -> int:
    """Starts the tasks, and waits for them; returns the status of the first that has failed, or 0."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        options, program = _taken_apart(words)
    except ValueError as error:
        print(f"evergraph launch: {error}", file=sys.stderr)
        return 2
    return _Launch(_tasks(options), program, options["--restarts"], "--flags" in options).run()


def _taken_apart(words: list[str]) -> tuple[dict[str, int], list[str]]:
    """(the options, with their numbers; the program and its words)."""
    options, left = dict(_NUMBERS), list(words)
    while left and (left[0].startswith("--") or left[0] == "-n"):
        name, equals, value = left.pop(0).partition("=")
        if name in _SWITCHES and not equals:
            options[name] = 1
        elif name in _NUMBERS:
            value = value if equals else left.pop(0) if left else ""
            if not value.isdecimal():
                raise ValueError(f"{name} takes a number, got {value!r}")
            options[name] = int(value)
        else:
            raise ValueError(f"there is no option {name}; see evergraph launch --help")
    if options["-n"] and any(name in words[: len(words) - len(left)] for name in ("--ps", "--workers", "--chief")):
        raise ValueError("-n makes equal processes: it goes without --ps, --workers and --chief")
    if not left:
        raise ValueError("say what to run, as for evergraph run")
    return options, left


@dataclass(eq=False)
class _Task:
    """A task.

    Attributes:
        job: its job.
        number: its number there.
        cluster: the addresses of the cluster's tasks, by job.
        process: what runs it.
        starts: how often it was started.
        is_rank: whether it is one of several equal ones.
    """

    job: str
    number: int
    cluster: dict[str, list[str]]
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    readers: list[threading.Thread] = field(default_factory=list)
    is_rank: bool = False

    @property
    def name(self) -> str:
        if self.is_rank:
            return f"rank {self.number}"
        return self.job if self.job in ("chief", "evaluator") else f"{self.job} {self.number}"


def _tasks(options: dict[str, int]) -> list[_Task]:
    counts = {"chief": options.get("--chief", 0), "worker": options["-n"] or options["--workers"],
              "ps": options["--ps"]}
    ports = iter(free_ports(sum(counts.values())))
    cluster = {job: [f"localhost:{next(ports)}" for _ in range(count)] for job, count in counts.items() if count}
    if options["-n"]:
        return [_Task("worker", number, cluster, is_rank=True) for number in range(options["-n"])]
    tasks = [_Task(job, number, cluster) for job in ("ps", "chief", "worker")
             for number in range(len(cluster.get(job, ())))]
    return [*tasks, _Task("evaluator", 0, cluster)] if "--evaluator" in options else tasks


class _Launch:
    """Tasks from their start to their end.

    Args:
        tasks: the tasks.
        program: what they run.
        restarts: how often a task may be started again.
        has_flags: whether the program is told the cluster by its words, too.
    """

    def __init__(self, tasks: list[_Task], program: list[str], restarts: int, has_flags: bool) -> None:
        self._tasks, self._program, self._restarts, self._has_flags = tasks, program, restarts, has_flags
        self._ended: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        self._writing = threading.Lock()
        self._width = max(len(task.name) for task in tasks)

    def run(self) -> int:
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            for task in self._tasks:
                self._start(task)
            return self._wait()
        except KeyboardInterrupt:
            self._say("ending all tasks")
            return 130
        finally:
            self._end_all()

    def _wait(self) -> int:
        left = {task for task in self._tasks if task.job != "ps"}
        while left:
            task = self._ended.get()
            assert task.process is not None
            code = task.process.wait()
            if code == 0:
                left.discard(task)
            elif task.starts <= self._restarts:
                self._say(f"{task.name} has ended with status {code}; start {task.starts + 1}")
                self._start(task)
            else:
                self._say(f"{task.name} has ended with status {code}")
                return code if code > 0 else 128 - code
        return 0

    def _start(self, task: _Task) -> None:
        words = [sys.executable, "-u", "-m", "evergraph", "run", *self._program, *self._flags(task)]
        config = {"cluster": task.cluster, "task": {"type": task.job, "index": task.number}}
        task.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "TF_CONFIG": json.dumps(config), **_rank(task)}, preexec_fn=_end_with_parent)
        task.starts += 1
        reader = threading.Thread(target=self._read, args=(task, task.process), daemon=True)
        task.readers.append(reader)
        reader.start()

    def _flags(self, task: _Task) -> list[str]:
        if not self._has_flags:
            return []
        hosts = [f"--{job}_hosts={','.join(task.cluster.get(job, ()))}" for job in ("ps", "worker")]
        return [*hosts, f"--job_name={task.job}", f"--task_index={task.number}"]

    def _read(self, task: _Task, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        colour = _COLOURS[self._tasks.index(task) % len(_COLOURS)]
        name = task.name.rjust(self._width)
        head = f"\x1b[{colour}m{name} |\x1b[0m " if sys.stdout.isatty() else f"{name} | "
        with process.stdout:
            for line in process.stdout:
                with self._writing:
                    sys.stdout.write(head + line.decode(errors="replace").rstrip("\n") + "\n")
                    sys.stdout.flush()
        self._ended.put(task)

    def _say(self, text: str) -> None:
        with self._writing:
            print(f"evergraph launch: {text}", file=sys.stderr, flush=True)

    def _end_all(self) -> None:
        """Ends the tasks that run, with what they have started: politely at first."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        running = [task.process for task in self._tasks if task.process is not None]
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in running:
                _tell(process, number)
            for process in running:
                try:
                    process.wait(GRACE_SECONDS)
                except subprocess.TimeoutExpired:
                    continue
        for task in self._tasks:
            for reader in task.readers:
                reader.join(GRACE_SECONDS)


def _rank(task: _Task) -> dict[str, str]:
    """How programs for Horovod know which of several equal processes they are."""
    if not task.is_rank:
        return {}
    members = task.cluster["worker"]
    number, count = str(task.number), str(len(members))
    return {"EVERGRAPH_MEMBERS": ",".join(members), "HOROVOD_RANK": number, "HOROVOD_SIZE": count,
            "HOROVOD_LOCAL_RANK": number, "HOROVOD_LOCAL_SIZE": count}


def _tell(process: subprocess.Popen[bytes], number: int) -> None:
    """Sends a signal to a task and to what it has started, whether or not the task itself has ended."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Has the system end this process when the one that started it ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
