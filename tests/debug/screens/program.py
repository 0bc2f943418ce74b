"""A program under the debugger's interface: a loss that is -inf in every step."""

import numpy as np

import evergraph as tf
from evergraph.debug.debugger.local_cli import LocalCLIDebugWrapperSession

x = tf.placeholder(tf.float32, [2, 3], name="x")
with tf.name_scope("hidden"):
    w = tf.Variable(np.arange(12).reshape(3, 4).astype("f"), name="w")
    r = tf.nn.relu(tf.matmul(x, w, name="xw"), name="relu")
with tf.name_scope("out"):
    loss = tf.reduce_sum(tf.log(r, name="log"), name="loss")
with tf.Session() as session:
    session.run(w.initializer)
    watched = LocalCLIDebugWrapperSession(session)
    for _ in range(2):
        print("loss", watched.run(loss, {x: np.zeros([2, 3])}))
