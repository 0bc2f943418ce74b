"""Learning rates that evergraph and TensorFlow both compute."""

import numpy as np

STEPS = np.array([0, 1, 2, 3, 5, 7, 10, 13, 20, 29, 30], np.int64)

SCHEDULES = {
    "exponential": lambda tf, step: tf.train.exponential_decay(0.1, step, 5, 0.9),
    "staircase": lambda tf, step: tf.train.exponential_decay(0.1, step, 5, 0.9, staircase=True, name="mine"),
    "piecewise": lambda tf, step: tf.train.piecewise_constant(step, [3, 10], [1.0, 0.5, 0.1]),
    "piecewise_one": lambda tf, step: tf.train.piecewise_constant_decay(step, [3], [1.0, 0.5]),
    "polynomial": lambda tf, step: tf.train.polynomial_decay(0.1, step, 10, 0.01, power=0.5),
    "polynomial_cycle": lambda tf, step: tf.train.polynomial_decay(0.1, step, 10, 0.01, cycle=True),
    "natural_exp": lambda tf, step: tf.train.natural_exp_decay(0.1, step, 5, 0.3),
    "natural_exp_staircase": lambda tf, step: tf.train.natural_exp_decay(0.1, step, 5, 0.3, staircase=True),
    "inverse_time": lambda tf, step: tf.train.inverse_time_decay(0.1, step, 5, 0.5),
    "inverse_time_staircase": lambda tf, step: tf.train.inverse_time_decay(0.1, step, 5, 0.5, staircase=True),
    "cosine": lambda tf, step: tf.train.cosine_decay(0.1, step, 20, alpha=0.1),
    "cosine_restarts": lambda tf, step: tf.train.cosine_decay_restarts(0.1, step, 6, t_mul=1.5, m_mul=0.9, alpha=0.01),
    "cosine_restarts_even": lambda tf, step: tf.train.cosine_decay_restarts(0.1, step, 6, t_mul=1.0),
    "linear_cosine": lambda tf, step: tf.train.linear_cosine_decay(0.1, step, 20),
}


def computed(tf, make):
    """The learning rate at each of the steps."""
    with tf.Graph().as_default() as graph:
        step = tf.train.create_global_step()
        rate = make(tf, step)
        with tf.Session(graph=graph) as session:
            return np.array([session.run(rate, {step: at}) for at in STEPS])
