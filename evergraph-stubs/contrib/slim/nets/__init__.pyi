# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.nets."""

from evergraph.contrib.slim.nets import (
    alexnet as alexnet, inception as inception, overfeat as overfeat, resnet_utils as resnet_utils,
    resnet_v1 as resnet_v1, resnet_v2 as resnet_v2, vgg as vgg,
)
