"""TensorFlow 1's programming system, computed by XLA.

    import evergraph as tf

    x = tf.placeholder(tf.float32, [None, 3])
    with tf.Session() as session:
        print(session.run(tf.reduce_sum(x), {x: [[1, 2, 3]]}))

The names below `tf.` are those of TensorFlow 1.15. They load when first used: `import evergraph` itself loads neither
JAX nor protobuf. `evergraph.__version__` is this package's version, `tf.VERSION` that of the TensorFlow it stands for.
"""

import importlib

from evergraph.api import namespace

__version__ = "0.2.0"

namespace.install()
del namespace


def load_ipython_extension(shell):
    """What `%load_ext evergraph` does: `import tensorflow` is evergraph, errors are short, graphs are drawn."""
    importlib.import_module("evergraph.cli.notebooks.extension").load(shell)
