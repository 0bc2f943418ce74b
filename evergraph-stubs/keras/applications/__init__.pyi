# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.applications."""

from typing import Any
from evergraph.keras.applications import (
    densenet as densenet, imagenet_utils as imagenet_utils, inception_resnet_v2 as inception_resnet_v2,
    inception_v3 as inception_v3, mobilenet as mobilenet, mobilenet_v2 as mobilenet_v2, nasnet as nasnet,
    resnet as resnet, resnet50 as resnet50, resnet_v2 as resnet_v2, vgg16 as vgg16, vgg19 as vgg19,
    xception as xception,
)

def DenseNet121(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the DenseNet architecture."""

def DenseNet169(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the DenseNet architecture."""

def DenseNet201(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the DenseNet architecture."""

def InceptionResNetV2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the Inception-ResNet v2 architecture."""

def InceptionV3(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the Inception v3 architecture."""

def MobileNet(
    input_shape: Any = None, alpha: Any = 1.0, depth_multiplier: Any = 1, dropout: Any = 0.001,
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, pooling: Any = None,
    classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the MobileNet architecture."""

def MobileNetV2(
    input_shape: Any = None, alpha: Any = 1.0, include_top: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the MobileNetV2 architecture."""

def NASNetLarge(
    input_shape: Any = None, include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates a NASNet model in ImageNet mode."""

def NASNetMobile(
    input_shape: Any = None, include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates a Mobile NASNet model in ImageNet mode."""

def ResNet101(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def ResNet101V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def ResNet152(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def ResNet152V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def ResNet50(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def ResNet50V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the ResNet, ResNetV2, and ResNeXt architecture."""

def VGG16(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the VGG16 architecture."""

def VGG19(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the VGG19 architecture."""

def Xception(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None, input_shape: Any = None,
    pooling: Any = None, classes: Any = 1000, **kwargs: Any,
) -> Any:
    """Instantiates the Xception architecture."""
