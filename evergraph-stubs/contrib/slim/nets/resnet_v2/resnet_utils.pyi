# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets.resnet_v2.resnet_utils."""

from evergraph.contrib.slim.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
