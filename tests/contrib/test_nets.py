"""tf.contrib.slim.nets: the names and shapes that checkpoints of these networks have."""

import numpy as np
import pytest

import evergraph as tf

slim = tf.contrib.slim
nets = slim.nets


def parameters():
    return sum(int(np.prod(v.shape.as_list())) for v in tf.trainable_variables())


def test_resnet_v1_50():
    with slim.arg_scope(nets.resnet_v1.resnet_arg_scope()):
        logits, ends = nets.resnet_v1.resnet_v1_50(tf.zeros([1, 64, 64, 3]), 10)
    assert logits.shape.as_list() == [1, 1, 1, 10] and ends["predictions"].shape.as_list() == [1, 1, 1, 10]
    names = [v.op.name for v in tf.model_variables()]
    assert names[0] == "resnet_v1_50/conv1/weights" and "resnet_v1_50/logits/biases" in names
    assert "resnet_v1_50/block4/unit_3/bottleneck_v1/conv3/BatchNorm/moving_variance" in names
    assert "resnet_v1_50/block1/unit_1/bottleneck_v1/shortcut/weights" in names
    assert parameters() == 23508032 + 2048 * 10 + 10 and len(tf.losses.get_regularization_losses()) == 54
    assert ends["resnet_v1_50/block4"].shape.as_list() == [1, 2, 2, 2048]


def small(inputs, **options):
    blocks = [nets.resnet_v2.resnet_v2_block("block1", 1, 2, 2), nets.resnet_v2.resnet_v2_block("block2", 2, 2, 1)]
    with slim.arg_scope(nets.resnet_utils.resnet_arg_scope()):
        return nets.resnet_v2.resnet_v2(inputs, blocks, 5, scope="small", **options)


def test_resnet_v2_with_and_without_holes():
    images = tf.constant(np.sin(np.arange(2 * 33 * 33 * 3) * 1.3).reshape(2, 33, 33, 3), tf.float32)
    dense, _ = small(images, is_training=False, global_pool=False, output_stride=4)
    coarse, ends = small(images, is_training=False, global_pool=False, reuse=True)
    assert "small/postnorm/beta" in [v.op.name for v in tf.model_variables()]
    assert list(ends)[:2] == ["small/conv1", "small/block1/unit_1/bottleneck_v2/shortcut"] and "small/block2" in ends
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fine, rough = session.run([dense, coarse])
    np.testing.assert_allclose(fine[:, ::2, ::2], rough, rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="multiple of 4"):
        small(images, output_stride=6, reuse=True)


def test_vgg_16():
    with slim.arg_scope(nets.vgg.vgg_arg_scope()):
        logits, ends = nets.vgg.vgg_16(tf.placeholder(tf.float32, [None, 224, 224, 3]), 1000)
    assert logits.shape.as_list() == [None, 1000] and "vgg_16/conv5/conv5_3" in ends and parameters() == 138357544


def test_inception_v3():
    with slim.arg_scope(nets.inception.inception_v3_arg_scope()):
        logits, ends = nets.inception.inception_v3(tf.placeholder(tf.float32, [None, 299, 299, 3]), 1001)
    assert logits.shape.as_list() == [None, 1001] == ends["AuxLogits"].shape.as_list()
    assert ends["Mixed_7c"].shape.as_list() == [None, 8, 8, 2048]
    names = [v.op.name for v in tf.model_variables()]
    for name in ("Conv2d_1a_3x3/weights", "Mixed_5c/Branch_1/Conv_1_0c_5x5/weights", "Logits/Conv2d_1c_1x1/biases",
                 "Mixed_7c/Branch_1/Conv2d_0c_3x1/BatchNorm/moving_mean", "AuxLogits/Conv2d_2a_5x5/weights"):
        assert f"InceptionV3/{name}" in names
    assert len(tf.get_collection("moving_vars")) == 2 * 96
    with pytest.raises(ValueError):
        nets.inception.inception_v3_base(tf.zeros([1, 299, 299, 3]), "nowhere", scope="other")
