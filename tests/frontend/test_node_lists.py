"""Public functions build the nodes that TensorFlow builds, so that later random ops get the op seeds they have there.

The lists are those of TensorFlow 2.15 with TensorFlow 2's behaviour off, see record_node_lists.py. What differs is
listed with the reason.
"""

import pytest

import evergraph as tf
from tests.frontend.node_lists import ROWS, nodes_of
from tests.harness.recorded import texts

RECORDED = texts("node_lists")

# name of a row -> why it has another number of nodes
OTHER_COUNTS = {}


def _differ(why, names):
    OTHER_COUNTS.update(dict.fromkeys(map(str.strip, " ".join(names.split()).split(";")), why))


_differ("TensorFlow 2 builds it otherwise than TensorFlow 1", """
    argsort of ints; bincount; einsum; eye; eye of columns; eye in batches; gradients of slices; gradients of
    sums; gradients of maxima; gradients of clipping; image.random_flip_left_right; image.random_flip_left_right
    of one; image.random_flip_up_down; image.rgb_to_yiq; image.rgb_to_yuv; image.yiq_to_rgb;
    initializers.identity; layers.dropout; layers.dropout by a placeholder; linalg.logdet; linspace;
    losses.absolute_difference; losses.cosine_distance; losses.hinge_loss; losses.huber_loss; losses.log_loss;
    losses.mean_squared_error; losses.sigmoid_cross_entropy; losses.softmax_cross_entropy;
    losses.sparse_softmax_cross_entropy; losses.get_total_loss; math.bessel_i0; nn.convolution; nn.dropout;
    nn.dropout with noise shape; nn.embedding_lookup_sparse; nn.swish; nn.weighted_moments;
    parse_single_example; random.stateless_uniform; random_uniform; saturate_cast; sparse.transpose; tensordot;
    tensordot of an int; trace; train.FtrlOptimizer; image.adjust_brightness; image.adjust_contrast;
    image.adjust_gamma; image.adjust_hue; image.adjust_saturation; image.random_brightness;
    image.random_contrast; image.random_hue; image.random_saturation; clip_by_average_norm;
    image.per_image_standardization; image.psnr
""")
_differ("one node, or one for each element, where TensorFlow has conditionals or loops", """
    hessians; moving average; train.piecewise_constant; image.rot90
""")
_differ("shapes that are known are computed while the graph is built", """
    image.crop_to_bounding_box; image.grayscale_to_rgb; image.image_gradients; image.pad_to_bounding_box;
    image.resize_image_with_crop_or_pad; image.rgb_to_grayscale; image.sobel_edges; linalg.expm; meshgrid;
    nn.nce_loss; nn.sampled_softmax_loss; repeat; signal.frame; signal.stft; unsorted_segment_mean;
    unsorted_segment_sqrt_n
""")

# Equally many nodes, of other types: conditionals and assertions are one node, and those it stands for are counted;
# the sizes that TensorFlow computes in a run are constants.
OTHER_TYPES = {name.strip() for name in " ".join("""
    accumulate_n; assert_greater; assert_less; assert_non_negative; assert_positive; assert_rank;
    assert_rank_at_least; case; cond; cond of operations; cond in a cond; confusion_matrix; image.random_crop;
    metrics.auc; nn.log_softmax along the first axis; nn.softmax along the first axis; nn.zero_fraction;
    random_crop; signal.dct
""".split()).split(";")}


def _kinds(types):
    """The types in the order of the alphabet; which of the two additions it is does not matter."""
    return sorted("AddV2" if kind == "Add" else kind for kind in types)


@pytest.mark.parametrize("name", ROWS)
def test_nodes(name):
    types, count = nodes_of(tf, name)
    wanted = RECORDED[name].split()
    if name in OTHER_COUNTS:
        assert count != len(wanted), "mended: strike it off the list"
        return
    assert count == len(wanted), f"{types}\nrather than\n{wanted}"
    assert (_kinds(types) == _kinds(wanted)) != (name in OTHER_TYPES), f"{types}\nrather than\n{wanted}"


def test_seeds_after_a_conditional():
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        tf.random_normal([])
        tf.cond(tf.placeholder(tf.bool, []), lambda: tf.random_normal([]), lambda: tf.constant(1.0))
        tf.random_normal([])
        # 3 constants; those, a placeholder, 4 nodes of the conditional, 3 + 3 and 1 in its branches, Merge, 3 constants
        assert [node.get_attr("seed2") for node in graph.get_operations() if "Normal" in node.type] == [3, 22]
