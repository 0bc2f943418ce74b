# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.slim.layers."""

from evergraph.contrib.layers import (
    convolution1d as _convolution1d, convolution2d as _convolution2d,
    convolution2d_in_plane as _convolution2d_in_plane, convolution2d_transpose as _convolution2d_transpose,
    convolution3d as _convolution3d, convolution3d_transpose as _convolution3d_transpose,
    separable_convolution2d as _separable_convolution2d,
)

from evergraph.contrib.layers import GDN as GDN
from evergraph.contrib.layers import avg_pool2d as avg_pool2d
from evergraph.contrib.layers import avg_pool3d as avg_pool3d
from evergraph.contrib.layers import batch_norm as batch_norm
from evergraph.contrib.layers import bias_add as bias_add
conv1d = _convolution1d
conv2d = _convolution2d
conv2d_in_plane = _convolution2d_in_plane
conv2d_transpose = _convolution2d_transpose
conv3d = _convolution3d
conv3d_transpose = _convolution3d_transpose
from evergraph.contrib.layers import convolution as convolution
from evergraph.contrib.layers import convolution1d as convolution1d
from evergraph.contrib.layers import convolution2d as convolution2d
from evergraph.contrib.layers import convolution2d_in_plane as convolution2d_in_plane
from evergraph.contrib.layers import convolution2d_transpose as convolution2d_transpose
from evergraph.contrib.layers import convolution3d as convolution3d
from evergraph.contrib.layers import convolution3d_transpose as convolution3d_transpose
from evergraph.contrib.layers import dense_to_sparse as dense_to_sparse
from evergraph.contrib.layers import dropout as dropout
from evergraph.contrib.layers import elu as elu
from evergraph.contrib.layers import flatten as flatten
from evergraph.contrib.layers import fully_connected as fully_connected
from evergraph.contrib.layers import gdn as gdn
from evergraph.contrib.layers import images_to_sequence as images_to_sequence
from evergraph.contrib.layers import layer_norm as layer_norm
from evergraph.contrib.layers import legacy_fully_connected as legacy_fully_connected
from evergraph.contrib.layers import legacy_linear as legacy_linear
from evergraph.contrib.layers import legacy_relu as legacy_relu
from evergraph.contrib.layers import linear as linear
from evergraph.contrib.layers import max_pool2d as max_pool2d
from evergraph.contrib.layers import max_pool3d as max_pool3d
from evergraph.contrib.layers import maxout as maxout
from evergraph.contrib.layers import one_hot_encoding as one_hot_encoding
from evergraph.contrib.layers import poincare_normalize as poincare_normalize
from evergraph.contrib.layers import pool as pool
from evergraph.contrib.layers import relu as relu
from evergraph.contrib.layers import relu6 as relu6
from evergraph.contrib.layers import repeat as repeat
from evergraph.contrib.layers import scale_gradient as scale_gradient
separable_conv2d = _separable_convolution2d
from evergraph.contrib.layers import separable_convolution2d as separable_convolution2d
from evergraph.contrib.layers import sequence_to_images as sequence_to_images
from evergraph.contrib.layers import softmax as softmax
from evergraph.contrib.layers import spatial_softmax as spatial_softmax
from evergraph.contrib.layers import stack as stack
from evergraph.contrib.layers import unit_norm as unit_norm
