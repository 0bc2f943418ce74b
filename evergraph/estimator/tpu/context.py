"""What a TPUEstimator's input function learns about the devices that its batches go to: params["context"]."""

from __future__ import annotations

from typing import Any

from evergraph.base import errors


class TPUContext:
    """The place of an input function among others, of which there are none here: one host, and one replica.

    Args:
        is_model_fn: whether it is given to a model function rather than to an input function.
    """

    def __init__(self, is_model_fn: bool = False) -> None:
        self._is_model_fn = is_model_fn

    def current_input_fn_deployment(self) -> tuple[str, int, int, int]:
        """(the device of the input, the number of this call of the input function, how many calls there are, how many
        replicas take what it gives).

        Raises:
            RuntimeError: a model function asks.
        """
        self._only_input()
        return "/cpu:0", 0, 1, 1

    def _only_input(self) -> None:
        if self._is_model_fn:
            raise RuntimeError("an input function alone has a deployment, and this is the context of a model function")

    @property
    def num_replicas(self) -> int:
        """How many replicas there are."""
        return 1

    @property
    def num_hosts(self) -> int:
        """How many hosts there are."""
        return 1

    @property
    def current_host(self) -> int:
        """The number of this host.

        Raises:
            RuntimeError: a model function asks.
        """
        self._only_input()
        return 0

    @property
    def num_of_replicas_per_host(self) -> int:
        """How many replicas a host has.

        Raises:
            RuntimeError: a model function asks.
        """
        self._only_input()
        return 1

    def device_for_replica(self, replica_id: int) -> tuple[str, int]:
        """(the device of the host of a replica, the number of its core).

        Raises:
            RuntimeError: there is no such replica.
        """
        self._only_input()
        if replica_id != 0:
            raise RuntimeError(f"there is one replica, with the number 0; got {replica_id}")
        return "/cpu:0", 0

    def device_assignment(self) -> Any:
        """Where replicas run.

        Raises:
            UnimplementedError: a session has one device, to which nothing is assigned.
        """
        raise errors.UnimplementedError(None, None, "TPUContext.device_assignment: a session has one device")
