"""tf.linalg.LinearOperator: matrices defined by their action on vectors."""
