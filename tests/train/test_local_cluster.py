"""tf.test.create_local_cluster: workers and parameter servers in this process."""

import evergraph as tf


def test_workers_share_what_a_parameter_server_keeps():
    workers, servers = tf.test.create_local_cluster(2, 1)
    assert [(each.server_def.job_name, each.server_def.task_index) for each in [*workers, *servers]] == [
        ("worker", 0), ("worker", 1), ("ps", 0)]
    with tf.device("/job:ps/task:0"):
        total = tf.Variable(1.0, name="shared_total")
    with tf.Session(workers[0].target) as session:
        session.run(total.initializer)
        session.run(total.assign_add(4.0))
    with tf.Session(workers[1].target) as session:
        assert session.run(total) == 5.0
