# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.examples.tutorials.mnist.input_data."""

from evergraph.contrib.learn.datasets.mnist import DataSet as DataSet
from evergraph.contrib.learn.datasets.mnist import dense_to_one_hot as dense_to_one_hot
from evergraph.contrib.learn.datasets.mnist import extract_images as extract_images
from evergraph.contrib.learn.datasets.mnist import extract_labels as extract_labels
from evergraph.contrib.learn.datasets.mnist import read_data_sets as read_data_sets
