"""Ops between replicas of a computation. A program has one replica here, in a group of its own."""

from evergraph.base.errors import invalid
from evergraph.graph.opdef import op


@op("CrossReplicaSum(input: T, group_assignment: int32, *, T: {bfloat16, float32, int32, uint32}) -> output: T",
    static=("group_assignment",), shape=lambda input, group_assignment: input)
def cross_replica_sum(input, group_assignment):
    """The sum over the replicas of a group: of the one that there is."""
    if group_assignment.size and (group_assignment.ndim != 2 or group_assignment.tolist() != [[0]]):
        raise invalid("CrossReplicaSum: there is one replica, so that the only group is [0], not "
                      f"{group_assignment.tolist()}")
    return input


@cross_replica_sum.grad
def _(op, dy):
    return cross_replica_sum(dy, op.inputs[1]), None
