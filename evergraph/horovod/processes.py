"""Which of the processes of a run this one is, by what has started it: `evergraph launch`, mpirun, horovodrun, srun."""
from __future__ import annotations

import atexit
import json
import os
import socket
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evergraph.base import errors
from evergraph.cluster.links import Doorway, opened, wait_to_call
from evergraph.cluster.memberships import group_at
from evergraph.cluster.ring import Group

_PATIENCE_SECONDS = 120.0  # that the processes have to find each other in
# (rank, size, local rank, local size), the first set of which the environment has.
_VARIABLES = (
    ("HOROVOD_RANK", "HOROVOD_SIZE", "HOROVOD_LOCAL_RANK", "HOROVOD_LOCAL_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
)
_RUNS = ("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri", "PMI_KVSNAME", "SLURM_JOB_ID",
         "SLURM_STEP_ID")


@dataclass(frozen=True)
class Place:
    """Where a process is among all.

    Attributes:
        rank: its number.
        size: how many there are.
        local_rank: its number on its machine.
        local_size: how many there are on the machine.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1


class Process:
    """This process in its run, from `init` to `shutdown`.

    Attributes:
        place: where it is.
        group: all processes.
    """

    place: Place | None = None
    group: Group | None = None


process = Process()


def init(comm: Any = None) -> None:
    """Finds this process's place among those of the run. A second call changes nothing.

    Args:
        comm: a list of ranks, which has to be that of all; None means the same.

    Raises:
        UnimplementedError: a part of the processes is asked for.
        DeadlineExceededError: the others cannot be found.
    """
    if process.place is not None:
        return
    place = place_in(os.environ)
    if comm is not None and list(comm) not in ([], list(range(place.size))):
        raise errors.UnimplementedError(None, None, f"hvd.init(comm={comm!r}): all processes of a run are together")
    process.group = _group(place) if place.size > 1 else Group(0, ["localhost:0"])
    process.place = place


def shutdown() -> None:
    """Leaves the other processes."""
    if process.group is not None and process.group.size == 1:
        process.group.close()
    process.place = process.group = None


def joined() -> Group:
    """The processes of the run.

    Raises:
        ValueError: `init` was not called.
    """
    if process.group is None:
        raise ValueError("Horovod has not been initialized; use hvd.init().")
    return process.group


def here() -> Place:
    """This process's place. Raises as `joined`."""
    joined()
    assert process.place is not None
    return process.place


def place_in(environment: Mapping[str, str]) -> Place:
    """The place that environment variables give.

    >>> place_in({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"}).rank
    3
    """
    for rank, size, local_rank, local_size in _VARIABLES:
        if rank in environment and size in environment:
            number, count = int(environment[rank]), int(environment[size])
            return Place(number, count, int(environment.get(local_rank, number)),
                         int(environment.get(local_size, count)))
    return Place()


def _group(place: Place) -> Group:
    members = os.environ.get("EVERGRAPH_MEMBERS")
    if members:
        return group_at(place.rank, members.split(","))
    door = Doorway("127.0.0.1" if place.size == place.local_size else "0.0.0.0", 0)
    point = os.environ.get("MASTER_ADDR"), os.environ.get("MASTER_PORT")
    if all(point):
        addresses = _met(place, door, f"{point[0]}:{point[1]}")
    elif place.size == place.local_size:
        addresses = _met_in_folder(place, door)
    else:
        raise errors.FailedPreconditionError(
            None, None, "the processes of several machines meet at rank 0: say where it is by MASTER_ADDR and "
            "MASTER_PORT, as in `mpirun -x MASTER_ADDR=host0 -x MASTER_PORT=29500`")
    return Group(place.rank, addresses, door=door)


def _met(place: Place, door: Doorway, point: str) -> list[str]:
    """The addresses of all, which rank 0 collects at a point that all know."""
    end = time.monotonic() + _PATIENCE_SECONDS
    own = {"rank": place.rank, "address": f"{socket.gethostname()}:{door.port}"}
    if place.rank:
        while time.monotonic() < end:
            try:
                with opened(point, own) as link:
                    link.settimeout(max(0.1, end - time.monotonic()))
                    with link.makefile("r") as lines:
                        if line := lines.readline():
                            return json.loads(line)
            except OSError:
                pass
            wait_to_call()
        raise errors.DeadlineExceededError(None, None, f"rank {place.rank} does not find rank 0 at {point}")
    found, links, meeting = {0: own["address"]}, [], Doorway("0.0.0.0", int(point.rpartition(":")[2]))
    try:
        while len(found) < place.size:
            if time.monotonic() > end:
                missing = sorted(set(range(place.size)) - set(found))
                raise errors.DeadlineExceededError(None, None, f"the ranks {missing} do not come to {point}")
            for link, hello in meeting.accepted(0.2):
                found[int(hello["rank"])] = str(hello["address"])
                links.append(link)
        addresses = [str(found[rank]) for rank in range(place.size)]
        for link in links:
            link.setblocking(True)
            link.sendall((json.dumps(addresses) + "\n").encode())
        return addresses
    finally:
        for link in links:
            link.close()
        meeting.close()


def _met_in_folder(place: Place, door: Doorway) -> list[str]:
    """The addresses of all processes of one machine, each of which writes its own into a folder of the run."""
    folder = Path(tempfile.gettempdir()) / f"evergraph-{os.getuid()}-{_run_name()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise errors.PermissionDeniedError(None, None, f"{folder} belongs to another user")
    own = folder / f"{place.rank}.{os.getpid()}"
    own.with_suffix(".part").write_text(f"localhost:{door.port}")
    own.with_suffix(".part").rename(folder / str(place.rank))
    atexit.register(_forget, folder, place.rank)
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        missing = [rank for rank in range(place.size) if not (folder / str(rank)).exists()]
        if not missing:
            return [(folder / str(rank)).read_text() for rank in range(place.size)]
        if time.monotonic() > end:
            raise errors.DeadlineExceededError(None, None, f"rank {place.rank} does not find the ranks {missing}")
        wait_to_call()


def _forget(folder: Path, rank: int) -> None:
    (folder / str(rank)).unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:
        return  # others are still there


def _run_name() -> str:
    """What the processes of one run have in common, and those of others do not."""
    names = [os.environ[name] for name in _RUNS if name in os.environ]
    if not names:
        names = [str(os.getppid())]
    return "".join(c if c.isalnum() else "-" for c in "-".join(names))[-100:]
