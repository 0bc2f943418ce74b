"""Trains in two goes: the second starts from the checkpoint of the first, at its step and its learning rate.

Along the way it keeps a count of steps, lets the learning rate fall, writes summaries for TensorBoard, and measures
the accuracy over many batches with a streaming metric.

    python examples/resume.py /tmp/digits       # once, and again to go on
"""

import sys
import tempfile

import digits

import evergraph as tf

GO = 100  # steps of one go


def build():
    """The graph: a softmax classifier with everything a training program has around it."""
    images = tf.placeholder(tf.float32, [None, digits.SIZE, digits.SIZE], name="images")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    step = tf.train.get_or_create_global_step()

    hidden = tf.layers.dense(tf.layers.flatten(images), 32, tf.nn.relu,
                             kernel_initializer=tf.glorot_uniform_initializer(seed=1))
    logits = tf.layers.dense(hidden, 10, kernel_initializer=tf.glorot_uniform_initializer(seed=2))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    tf.identity(loss, name="loss")

    rate = tf.train.exponential_decay(0.2, step, decay_steps=50, decay_rate=0.8, staircase=True, name="rate")
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)

    with tf.variable_scope("measure"):
        accuracy, count = tf.metrics.accuracy(labels, tf.argmax(logits, 1))
    tf.identity(accuracy, name="accuracy")
    tf.summary.scalar("learning_rate", rate)
    tf.summary.scalar("training_loss", loss)
    tf.summary.histogram("logits", logits)
    return train, count, tf.summary.merge_all()


def main(directory=None):
    """Goes on from the last checkpoint in the directory, if there is one.

    Returns:
        The accuracy on new images, the loss on them, what was fed to measure the loss, and the steps taken in all.
    """
    directory = directory or tempfile.mkdtemp()
    train, count, summaries = build()
    reset = tf.variables_initializer(tf.local_variables(scope="measure"))
    saver = tf.train.Saver(max_to_keep=2)
    batches = digits.batches(*digits.make(2000, seed=0), size=50, seed=1)
    images, labels = digits.make(500, seed=2)
    test = {"images:0": images, "labels:0": labels}

    with tf.Session() as session, tf.summary.FileWriter(directory, session.graph) as writer:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        latest = tf.train.latest_checkpoint(directory)
        if latest:
            saver.restore(session, latest)
        begun = tf.train.global_step(session, tf.train.get_global_step())
        end = begun + GO

        for step in range(begun + 1, end + 1):
            batch, truth = next(batches)
            _, summary = session.run([train, summaries], {"images:0": batch, "labels:0": truth})
            if step % 25 == 0:
                writer.add_summary(summary, step)
                print("step {}  loss {:.3f}  rate {:.3f}".format(step, *session.run(["loss:0", "rate:0"], test)))

        session.run(reset)
        for start in range(0, len(images), 100):
            part = slice(start, start + 100)
            session.run(count, {"images:0": images[part], "labels:0": labels[part]})
        accuracy, loss = session.run(["accuracy:0", "loss:0"], test)
        saver.save(session, directory + "/model", global_step=end)
    print(f"accuracy {accuracy:.3f} after {end} steps; the rest is in {directory}")
    return accuracy, loss, test, end


if __name__ == "__main__":
    main(*sys.argv[1:])
