"""tf.tpu's mesh of devices, and which of them compute."""

import itertools

import numpy as np
import pytest

import evergraph as tf
from evergraph.frontend.tpu_topology import Topology

DeviceAssignment = tf.tpu.experimental.DeviceAssignment


def mesh(shape, devices):
    """A mesh whose tasks hold so many devices each."""
    places = np.array(list(itertools.product(*map(range, shape))))
    return Topology(mesh_shape=shape, device_coordinates=places.reshape(-1, devices, len(shape)))


# What TensorFlow's DeviceAssignment.build gives: mesh, devices of a task, shape, stride, replicas -> first cores
BUILT = [
    ((1, 1, 1, 1), 1, None, None, 1, [[0, 0, 0, 0]]),
    ((2, 2, 1, 2), 4, None, None, 3, [[0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]),
    ((4, 4, 1, 2), 8, [2, 2, 1, 1], [2, 1, 1, 1], 6,
     [[0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 1], [0, 2, 0, 0], [0, 2, 0, 1]]),
]


@pytest.mark.parametrize("shape, devices, computation, stride, replicas, first", BUILT)
def test_replicas_are_placed_as_in_tensorflow(shape, devices, computation, stride, replicas, first):
    found = DeviceAssignment.build(mesh(shape, devices), computation, stride, replicas)
    assert found.core_assignment[:, 0].tolist() == first
    assert (found.num_replicas, found.num_cores_per_replica) == (replicas, np.prod(computation or [1]))


def test_devices_by_replica_and_task():
    assignment = DeviceAssignment.build(mesh((2, 2, 1, 2), 4), num_replicas=3)
    assert assignment.tpu_device(1) == "/task:0/device:TPU:1"
    assert assignment.tpu_device(2, job="worker") == "/job:worker/task:1/device:TPU:0"
    assert assignment.host_device(2) == "/task:1/device:CPU:0" and assignment.tpu_ordinal(1) == 1
    assert assignment.lookup_replicas(0, 0) == [0, 1] and assignment.coordinates(2, 0) == (1, 0, 0, 0)
    with pytest.raises(ValueError, match="task 5 has no replica"):
        assignment.lookup_replicas(5, 0)


def test_what_does_not_fit_is_refused():
    topology = mesh((2, 2, 1, 2), 4)
    for options, message in (({"num_replicas": 9}, "room for 8"), ({"computation_shape": [1, 1]}, "shape \\[4\\]"),
                             ({"computation_shape": [3, 1, 1, 1]}, "a replica takes")):
        with pytest.raises(ValueError, match=message):
            DeviceAssignment.build(topology, **options)
    with pytest.raises(ValueError, match="needs a Topology"):
        DeviceAssignment(3, np.zeros((1, 1, 4)))
    with pytest.raises(ValueError, match="inside of the mesh"):
        Topology(mesh_shape=[1, 1], device_coordinates=[[[0, 1]]])


def test_a_session_has_a_mesh_of_one_device(session):
    topology = Topology(serialized=session.run(tf.tpu.initialize_system()))
    assert topology.mesh_shape.tolist() == [1, 1, 1] and (topology.num_tasks, topology.num_tpus_per_task) == (1, 1)
    session.run(tf.tpu.shutdown_system())
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver("local")
    assert tf.tpu.experimental.initialize_tpu_system(resolver).serialized() == topology.serialized()
    with pytest.raises(tf.errors.UnimplementedError, match="embedding_config"):
        tf.tpu.initialize_system(embedding_config=b"")
