"""Fits a line to noisy points with gradient descent, as a TensorFlow 1 program does.

    python examples/linear_regression.py
"""

import numpy as np

import evergraph as tf

random = np.random.RandomState(0)
points = random.uniform(-1, 1, size=200).astype(np.float32)
targets = 3 * points + 2 + random.normal(scale=0.1, size=200).astype(np.float32)

x = tf.placeholder(tf.float32, [None], name="x")
y = tf.placeholder(tf.float32, [None], name="y")
slope = tf.Variable(0.0, name="slope")
offset = tf.Variable(0.0, name="offset")

loss = tf.reduce_mean(tf.square(slope * x + offset - y))
train = tf.train.GradientDescentOptimizer(learning_rate=0.3).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(61):
        error, _ = session.run([loss, train], feed_dict={x: points, y: targets})
        if step % 20 == 0:
            print(f"step {step:2d}  loss {error:.4f}")
    print("y = {:.2f} x + {:.2f}".format(*session.run([slope, offset])))
