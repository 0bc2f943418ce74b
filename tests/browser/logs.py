"""Writes logs of every kind with evergraph, for TensorBoard to show."""

import numpy as np
from tensorboard.plugins.hparams import summary_v2 as hparams

import evergraph as tf
from evergraph.contrib.tensorboard.plugins import projector

STEPS = 20
NOTE = "# Notes\n\nThis run is **evergraph**'s.\n\n| a | b |\n|---|---|\n| 1 | 2 |"


def model():
    """A small classifier with names in scopes, as programs have them."""
    x = tf.placeholder(tf.float32, [None, 8], name="features")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    with tf.variable_scope("hidden"):
        kernel = tf.get_variable("kernel", [8, 16])
        hidden = tf.nn.relu(tf.matmul(x, kernel) + tf.get_variable("bias", [16], initializer=tf.zeros_initializer()))
    with tf.variable_scope("output"):
        logits = tf.matmul(hidden, tf.get_variable("kernel", [16, 3]), name="logits")
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=tf.train.get_or_create_global_step())
    return x, labels, kernel, loss, train


def summaries(loss, kernel, step):
    tf.summary.scalar("loss/cross_entropy", loss)
    tf.summary.histogram("weights/hidden", kernel)
    shade = tf.cast(step, tf.float32) / STEPS
    ramp = tf.reshape(tf.linspace(0.0, 1.0, 32), [1, 1, 32, 1]) * tf.ones([2, 32, 1, 1])
    tf.summary.image("pictures", tf.concat([ramp, ramp * shade, tf.ones_like(ramp) * shade], 3), max_outputs=2)
    seconds = tf.linspace(0.0, 2.0, 16000)
    tf.summary.audio("tones", tf.reshape(tf.sin(seconds * 440 * 2 * np.pi), [1, 16000, 1]), 8000, max_outputs=1)
    tf.summary.text("notes", tf.constant(NOTE))
    tf.summary.text("table", tf.constant([["one", "two"], ["three", "four"]]))
    return tf.summary.merge_all()


def write(folder):
    """Trains in `folder`/train and `folder`/eval."""
    random = np.random.RandomState(0)
    data, classes = random.randn(64, 8).astype("f4"), random.randint(0, 3, 64)
    for seed, run in enumerate(("train", "eval")):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(seed)
            x, labels, kernel, loss, train = model()
            merged = summaries(loss, kernel, tf.train.get_global_step())
            session.run(tf.global_variables_initializer())
            writer = tf.summary.FileWriter(f"{folder}/{run}", graph)
            writer.add_summary(hparams.hparams_pb({"rate": 0.05, "units": 16, "run": run}, trial_id=run), 0)
            for step in range(STEPS):
                metadata = tf.RunMetadata()
                options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE if step == 10 else 0)
                summary, _ = session.run([merged, train], {x: data, labels: classes}, options, metadata)
                writer.add_summary(summary, step)
                if step == 10:
                    writer.add_run_metadata(metadata, f"step {step}", step)
            if run == "train":
                embed(session, kernel, writer)
            writer.close()


def embed(session, kernel, writer):
    """Has the projector show the rows of a variable."""
    folder = writer.get_logdir()
    tf.train.Saver([kernel]).save(session, f"{folder}/model.ckpt", global_step=STEPS)
    with open(f"{folder}/names.tsv", "w") as file:
        file.write("".join(f"row {i}\n" for i in range(8)))
    config = projector.ProjectorConfig()
    config.embeddings.add(tensor_name=kernel.op.name, metadata_path="names.tsv")
    projector.visualize_embeddings(writer, config)
