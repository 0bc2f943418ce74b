"""Importing this module makes `import tensorflow` mean evergraph, for programs that are not to be touched.

    import evergraph.as_tensorflow
    import tensorflow as tf                     # evergraph's names; tf.__version__ == "1.15.0"
    import tensorflow.compat.v1 as tf
    from tensorflow.contrib import slim
    from tensorflow.core.framework import graph_pb2
    from tensorflow.python.ops import array_ops
    from tensorflow_estimator.python.estimator import estimator
    import horovod.tensorflow as hvd            # evergraph.horovod, where Horovod itself is not installed

    evergraph.as_tensorflow.legacy()            # what `evergraph run --legacy` lends

It holds for the rest of the process, also where TensorFlow is installed. The modules inside TensorFlow, such as
`tensorflow.python.ops`, have the names that api/private_paths.txt lists. A module without any is not found.

Raises:
    ImportError: TensorFlow itself has already been imported; two of them cannot share its name.
"""

import importlib
import sys
from types import ModuleType

from evergraph.api.namespace import Finder, Namespace
from evergraph.api.stand_ins import StandIns

if not isinstance(sys.modules.get("tensorflow", Namespace("tensorflow")), Namespace):
    raise ImportError(
        "evergraph cannot stand in for tensorflow: TensorFlow itself is already imported from "
        f"{getattr(sys.modules['tensorflow'], '__file__', 'an unknown place')}. "
        "Import evergraph.as_tensorflow before anything that imports tensorflow."
    )

sys.meta_path.insert(0, Finder("tensorflow"))
sys.meta_path.append(StandIns())
sys.meta_path.insert(0, Finder("tensorflow_estimator"))  # the package where TensorFlow 1.15 keeps tf.estimator
# TensorBoard's file code uses TensorFlow where it can import it, and must not take evergraph for it: while a module of
# this name exists it keeps to the small stand-in of its own.
sys.modules.setdefault("tensorboard.compat.notf", ModuleType("tensorboard.compat.notf"))


def legacy() -> None:
    """Lends the program what NumPy, SciPy and Python have removed since 2019, as `evergraph run --legacy` does.

    The source that calls this is already compiled: of arithmetic and calls, those in the modules imported later change.
    """
    importlib.import_module("evergraph.cli.legacy.lending").install()
