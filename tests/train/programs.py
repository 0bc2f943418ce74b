"""Small trainings that evergraph and TensorFlow both run: every optimizer, dense and sparse, ref and resource."""

import numpy as np

STEPS = 20

OPTIMIZERS = {
    "GradientDescent": lambda tf, step: tf.train.GradientDescentOptimizer(0.1),
    "Momentum": lambda tf, step: tf.train.MomentumOptimizer(0.05, 0.9),
    "Nesterov": lambda tf, step: tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True),
    "Adagrad": lambda tf, step: tf.train.AdagradOptimizer(0.3),
    "AdagradDA": lambda tf, step: tf.train.AdagradDAOptimizer(0.3, step, l1_regularization_strength=0.001,
                                                              l2_regularization_strength=0.01),
    "Adadelta": lambda tf, step: tf.train.AdadeltaOptimizer(1.0, rho=0.9, epsilon=1e-3),
    "Adam": lambda tf, step: tf.train.AdamOptimizer(0.05, epsilon=1e-4),
    "RMSProp": lambda tf, step: tf.train.RMSPropOptimizer(0.02, momentum=0.5),
    "CenteredRMSProp": lambda tf, step: tf.train.RMSPropOptimizer(0.02, momentum=0.5, epsilon=1e-3, centered=True),
    "Ftrl": lambda tf, step: tf.train.FtrlOptimizer(0.3, l1_regularization_strength=0.01,
                                                    l2_regularization_strength=0.02),
    "FtrlPower": lambda tf, step: tf.train.FtrlOptimizer(0.3, learning_rate_power=-0.7),
    "ProximalGradientDescent": lambda tf, step: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
    "ProximalAdagrad": lambda tf, step: tf.train.ProximalAdagradOptimizer(0.3, 0.1, 0.01, 0.02),
    "DecayedAdam": lambda tf, step: tf.train.AdamOptimizer(tf.train.exponential_decay(0.1, step, 5, 0.5, True)),
}

_random = np.random.RandomState(3)
X, Y = _random.randn(8, 3).astype("float32"), _random.randn(8, 2).astype("float32")
W, B = _random.randn(3, 2).astype("float32"), _random.randn(2).astype("float32")
TABLE, TARGET = _random.randn(6, 3).astype("float32"), _random.randn(5, 3).astype("float32")
IDS = [1, 3, 3, 0, 1]  # rows 1 and 3 twice, rows 2, 4 and 5 never


def dense(tf, optimizer, resource):
    """A linear layer. Gives the train op, the loss, the variables and the optimizer."""
    step = tf.train.create_global_step()
    w = tf.get_variable("layer/w", initializer=W, use_resource=resource)
    b = tf.get_variable("layer/b", initializer=B, use_resource=resource)
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.constant(X), w) + b - tf.constant(Y)))
    made = OPTIMIZERS[optimizer](tf, step)
    return made.minimize(loss, global_step=step), loss, [w, b], made


def sparse(tf, optimizer, resource):
    """Rows of a table, some of them twice."""
    step = tf.train.create_global_step()
    table = tf.get_variable("table", initializer=TABLE, use_resource=resource)
    rows = tf.gather(table, tf.constant(IDS))
    loss = tf.reduce_sum(tf.square(rows - tf.constant(TARGET)))
    made = OPTIMIZERS[optimizer](tf, step)
    return made.minimize(loss, global_step=step), loss, [table], made


FORMS = {"dense": dense, "sparse": sparse}
CASES = [(optimizer, form, resource) for optimizer in OPTIMIZERS for form in FORMS for resource in (False, True)]


def key(optimizer, form, resource):
    return f"{optimizer}/{form}/{'resource' if resource else 'ref'}"


def trained(tf, optimizer, form, resource, session=None):
    """What the program gives: (values by name, names of slots, nodes of the graph outside the gradients)."""
    with tf.Graph().as_default() as graph:
        train, loss, variables, made = FORMS[form](tf, optimizer, resource)
        slots = {f"{v.op.name}:{name}": made.get_slot(v, name) for v in variables for name in made.get_slot_names()}
        nodes = [[n.name, n.op, list(n.input)] for n in graph.as_graph_def().node]
        nodes = [node for node in nodes if not node[0].startswith("gradients/")]
        with (session or tf.Session)(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            losses = [sess.run([loss, train])[0] for _ in range(STEPS)]
            values = {"loss": np.array(losses)}
            values |= {v.op.name: sess.run(v) for v in variables}
            values |= {name: sess.run(slot) for name, slot in slots.items()}
            values |= {v.op.name: sess.run(v) for v in made.variables()}
    return values, {name: slot.name for name, slot in slots.items()}, nodes
