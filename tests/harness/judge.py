"""TensorFlow itself, quiet and in graph mode, for the recorders: `from tests.harness.judge import tf`."""

import os
import warnings

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # its kernels round otherwise than TensorFlow 1's

import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.ERROR)
warnings.simplefilter("ignore")
tf.disable_v2_behavior()
