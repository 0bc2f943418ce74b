# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.applications."""

from evergraph.compat.v2.keras.applications import (
    densenet as densenet, imagenet_utils as imagenet_utils, inception_resnet_v2 as inception_resnet_v2,
    inception_v3 as inception_v3, mobilenet as mobilenet, mobilenet_v2 as mobilenet_v2, nasnet as nasnet,
    resnet as resnet, resnet50 as resnet50, resnet_v2 as resnet_v2, vgg16 as vgg16, vgg19 as vgg19,
    xception as xception,
)

from evergraph.keras.applications import DenseNet121 as DenseNet121
from evergraph.keras.applications import DenseNet169 as DenseNet169
from evergraph.keras.applications import DenseNet201 as DenseNet201
from evergraph.keras.applications import InceptionResNetV2 as InceptionResNetV2
from evergraph.keras.applications import InceptionV3 as InceptionV3
from evergraph.keras.applications import MobileNet as MobileNet
from evergraph.keras.applications import MobileNetV2 as MobileNetV2
from evergraph.keras.applications import NASNetLarge as NASNetLarge
from evergraph.keras.applications import NASNetMobile as NASNetMobile
from evergraph.keras.applications import ResNet101 as ResNet101
from evergraph.keras.applications import ResNet101V2 as ResNet101V2
from evergraph.keras.applications import ResNet152 as ResNet152
from evergraph.keras.applications import ResNet152V2 as ResNet152V2
from evergraph.keras.applications import ResNet50 as ResNet50
from evergraph.keras.applications import ResNet50V2 as ResNet50V2
from evergraph.keras.applications import VGG16 as VGG16
from evergraph.keras.applications import VGG19 as VGG19
from evergraph.keras.applications import Xception as Xception
