"""Runs a program as the tasks of a cluster on this machine, each in a process of its own.

    evergraph launch --ps 1 --workers 2 train.py --steps 100
    evergraph launch --ps 2 --workers 3 --chief --evaluator estimator.py
    evergraph launch --ps 1 --workers 2 --flags mnist_replica.py --sync_replicas
    evergraph launch -n 4 horovod_mnist.py
    evergraph launch --on ray --ps 1 --workers 2 train.py

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
    --on ray        place the tasks on the machines of the Ray cluster that runs already (RAY_ADDRESS, or the one of
                    this machine), where evergraph and the program are at the same places as here
    --gpus N        so many GPUs of Ray for each worker and the chief
"""

from __future__ import annotations

import importlib
import json
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

from evergraph.cli.seats import Machine, Running, ThisMachine

GRACE_SECONDS = 5.0  # that tasks have to end in
_COLOURS = (36, 33, 32, 35, 34, 31)
_NUMBERS = {"--ps": 0, "--workers": 1, "--restarts": 0, "-n": 0, "--gpus": 0}
_SWITCHES = ("--chief", "--evaluator", "--flags")


def execute(words: list[str]) -> int:
    """Starts the tasks, and waits for them; returns the status of the first that has failed, or 0."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        options, program = _taken_apart(words)
        machine = _machine(options)
    except (ValueError, ImportError, ConnectionError) as error:
        return _refused(error)
    with machine:
        try:
            tasks = _tasks(options, machine)
        except ConnectionError as error:
            return _refused(error)
        return _Launch(tasks, program, options["--restarts"], "--flags" in options, machine).run()


def _refused(error: Exception) -> int:
    print(f"evergraph launch: {error}", file=sys.stderr)
    return 2


def _machine(options: dict[str, int]) -> Machine:
    """What the tasks run on.

    Raises:
        ImportError, ConnectionError: there is no Ray.
    """
    if "--on" not in options:
        return ThisMachine()
    try:
        seats = importlib.import_module("evergraph.cli.ray_seats")  # which few programs need, and imports Ray
    except ImportError as error:
        raise ImportError(f"{error}: `pip install 'evergraph[ray]'`") from None
    return seats.RayCluster(options["--gpus"])


def _taken_apart(words: list[str]) -> tuple[dict[str, int], list[str]]:
    """(the options, with their numbers; the program and its words)."""
    options, left = dict(_NUMBERS), list(words)
    while left and (left[0].startswith("--") or left[0] == "-n"):
        name, equals, value = left.pop(0).partition("=")
        if name in _SWITCHES and not equals:
            options[name] = 1
        elif name == "--on":
            value = value if equals else left.pop(0) if left else ""
            if value != "ray":
                raise ValueError(f"--on takes ray, got {value!r}")
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
    if options["--gpus"] and "--on" not in options:
        raise ValueError("--gpus goes with --on ray; here all tasks see all GPUs")
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
    process: Running | None = None
    starts: int = 0
    readers: list[threading.Thread] = field(default_factory=list)
    is_rank: bool = False

    @property
    def address(self) -> str:
        """Where others reach it; empty for an evaluator, which nobody calls."""
        return self.cluster[self.job][self.number] if self.job in self.cluster else ""

    @property
    def name(self) -> str:
        if self.is_rank:
            return f"rank {self.number}"
        return self.job if self.job in ("chief", "evaluator") else f"{self.job} {self.number}"


def _tasks(options: dict[str, int], machine: Machine) -> list[_Task]:
    counts = {"chief": options.get("--chief", 0), "worker": options["-n"] or options["--workers"],
              "ps": options["--ps"]}
    cluster = {job: [machine.address(job, number) for number in range(count)]
               for job, count in counts.items() if count}
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
        machine: what they run on.
    """

    def __init__(self, tasks: list[_Task], program: list[str], restarts: int, has_flags: bool, machine: Machine
                 ) -> None:
        self._tasks, self._program, self._restarts, self._has_flags = tasks, program, restarts, has_flags
        self._machine = machine
        self._ended: queue.SimpleQueue[tuple[_Task, Running]] = queue.SimpleQueue()
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
            task, process = self._ended.get()
            if process is not task.process:  # it was ended to be started again
                continue
            code = process.wait()
            if code == 0:
                left.discard(task)
            elif task.starts <= self._restarts:
                self._say(f"{task.name} has ended with status {code}; start {task.starts + 1}")
                self._start_again(task, left)
            else:
                self._say(f"{task.name} has ended with status {code}")
                return code if code > 0 else 128 - code
        return 0

    def _start_again(self, task: _Task, left: set[_Task]) -> None:
        """Starts a task again, and where it has got another address, all others that still run, which have to know."""
        if not self._moves(task):
            self._start(task)
            return
        others = [each for each in self._tasks if each is not task and (each in left or each.job == "ps")]
        self._say(f"{task.name} is at {task.address} now: all tasks start again")
        processes = [each.process for each in others if each.process is not None]
        for each in others:
            each.process, each.starts = None, each.starts - 1  # this one was not for a failure of its own
        _end(processes)
        for each in others:
            self._moves(each)
        for each in (task, *others):
            self._start(each)

    def _moves(self, task: _Task) -> bool:
        """Whether a task has another address when it starts next, which the cluster knows then."""
        address = self._machine.address(task.job, task.number)
        if task.address in ("", address):
            return False
        task.cluster[task.job][task.number] = address
        return True

    def _start(self, task: _Task) -> None:
        words = ["-u", "-m", "evergraph", "run", *self._program, *self._flags(task)]
        config = {"cluster": task.cluster, "task": {"type": task.job, "index": task.number}}
        process = task.process = self._machine.started(
            task.job, task.number, words, {"TF_CONFIG": json.dumps(config), **_rank(task)})
        task.starts += 1
        reader = threading.Thread(target=self._read, args=(task, process), daemon=True)
        task.readers.append(reader)
        reader.start()

    def _flags(self, task: _Task) -> list[str]:
        if not self._has_flags:
            return []
        hosts = [f"--{job}_hosts={','.join(task.cluster.get(job, ()))}" for job in ("ps", "worker")]
        return [*hosts, f"--job_name={task.job}", f"--task_index={task.number}"]

    def _read(self, task: _Task, process: Running) -> None:
        colour = _COLOURS[self._tasks.index(task) % len(_COLOURS)]
        name = task.name.rjust(self._width)
        head = f"\x1b[{colour}m{name} |\x1b[0m " if sys.stdout.isatty() else f"{name} | "
        for line in process.lines():
            with self._writing:
                sys.stdout.write(head + line.decode(errors="replace").rstrip("\n") + "\n")
                sys.stdout.flush()
        self._ended.put((task, process))

    def _say(self, text: str) -> None:
        with self._writing:
            print(f"evergraph launch: {text}", file=sys.stderr, flush=True)

    def _end_all(self) -> None:
        """Ends the tasks that run, with what they have started: politely at first."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _end([task.process for task in self._tasks if task.process is not None])
        for task in self._tasks:
            for reader in task.readers:
                reader.join(GRACE_SECONDS)


def _end(processes: list[Running]) -> None:
    """Ends tasks, with what they have started: politely at first."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            process.tell(number)
        for process in processes:
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                continue


def _rank(task: _Task) -> dict[str, str]:
    """How programs for Horovod know which of several equal processes they are."""
    if not task.is_rank:
        return {}
    members = task.cluster["worker"]
    hosts = [member.rpartition(":")[0] for member in members]
    own = hosts[task.number]
    return {"EVERGRAPH_MEMBERS": ",".join(members), "HOROVOD_RANK": str(task.number),
            "HOROVOD_SIZE": str(len(members)), "HOROVOD_LOCAL_RANK": str(hosts[: task.number].count(own)),
            "HOROVOD_LOCAL_SIZE": str(hosts.count(own))}


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt
