"""Tells species of irises apart: a custom Estimator that trains, evaluates, predicts, and is exported and served.

    evergraph run examples/iris.py --model_dir=/tmp/iris

The measurements are Anderson's and Fisher's (1936): https://doi.org/10.1111/j.1469-1809.1936.tb02137.x
"""

import os
import tempfile

import tensorflow as tf

tf.app.flags.DEFINE_string("model_dir", None, "where to keep checkpoints, events and the exported model")
tf.app.flags.DEFINE_integer("steps", 1000, "how many batches to train")
FLAGS = tf.app.flags.FLAGS

HERE = os.path.dirname(os.path.abspath(__file__))
MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
SPECIES = ["setosa", "versicolor", "virginica"]


def parse(line):
    """The features and the label in a line of a csv file."""
    *sizes, species = tf.decode_csv(line, record_defaults=[[0.0]] * len(MEASURES) + [[""]])
    return dict(zip(MEASURES, sizes)), species


def input_fn(name, train=False):
    lines = tf.data.TextLineDataset(os.path.join(HERE, name)).skip(1).map(parse)
    if train:
        lines = lines.shuffle(200, seed=1).repeat()
    return lines.batch(32).prefetch(1)


def model_fn(features, labels, mode, params):
    """Two layers between the features and a score for each species."""
    net = tf.feature_column.input_layer(features, params["columns"])
    for units in params["units"]:
        net = tf.layers.dense(net, units, activation=tf.nn.relu)
    logits = tf.layers.dense(net, len(SPECIES))
    classes = tf.argmax(logits, axis=1)
    predictions = {"species": tf.gather(SPECIES, classes), "probabilities": tf.nn.softmax(logits)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=predictions)

    table = tf.contrib.lookup.index_table_from_tensor(SPECIES)
    labels = table.lookup(labels)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    accuracy = tf.metrics.accuracy(labels, classes, name="accuracy")
    tf.summary.scalar("accuracy", accuracy[1])
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops={"accuracy": accuracy})


def main(_):
    model_dir = FLAGS.model_dir or tempfile.mkdtemp(prefix="iris")
    columns = [tf.feature_column.numeric_column(name) for name in MEASURES]
    classifier = tf.estimator.Estimator(model_fn, model_dir, tf.estimator.RunConfig(tf_random_seed=1),
                                        params={"columns": columns, "units": [10, 10]})
    classifier.train(lambda: input_fn("iris_train.csv", train=True), steps=FLAGS.steps)
    result = classifier.evaluate(lambda: input_fn("iris_test.csv"))

    flowers = {"sepal_length": [5.1, 5.9, 6.9], "sepal_width": [3.3, 3.0, 3.1], "petal_length": [1.7, 4.2, 5.4],
               "petal_width": [0.5, 1.5, 2.1]}
    guesses = classifier.predict(lambda: tf.data.Dataset.from_tensor_slices(flowers).batch(3))
    for guess in guesses:
        print("{}  {:.1%}".format(guess["species"].decode(), guess["probabilities"].max()))

    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {name: tf.placeholder(tf.float32, [None], name=name) for name in MEASURES})
    exported = classifier.export_savedmodel(os.path.join(model_dir, "export"), receiver).decode()
    serve = tf.contrib.predictor.from_saved_model(exported)
    print("served:", *(species.decode() for species in serve(flowers)["species"]))
    print("accuracy {accuracy:.3f} after {global_step} steps, in {where}".format(where=model_dir, **result))


if __name__ == "__main__":
    tf.app.run()
