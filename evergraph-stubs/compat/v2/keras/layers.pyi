# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.layers."""

from evergraph.keras.layers import (
    AveragePooling1D as _AveragePooling1D, AveragePooling2D as _AveragePooling2D,
    AveragePooling3D as _AveragePooling3D, Conv1D as _Conv1D, Conv2D as _Conv2D,
    Conv2DTranspose as _Conv2DTranspose, Conv3D as _Conv3D, Conv3DTranspose as _Conv3DTranspose,
    GlobalAveragePooling1D as _GlobalAveragePooling1D, GlobalAveragePooling2D as _GlobalAveragePooling2D,
    GlobalAveragePooling3D as _GlobalAveragePooling3D, GlobalMaxPooling1D as _GlobalMaxPooling1D,
    GlobalMaxPooling2D as _GlobalMaxPooling2D, GlobalMaxPooling3D as _GlobalMaxPooling3D,
    MaxPooling1D as _MaxPooling1D, MaxPooling2D as _MaxPooling2D, MaxPooling3D as _MaxPooling3D,
    SeparableConv1D as _SeparableConv1D, SeparableConv2D as _SeparableConv2D,
)

from evergraph.keras.layers import AbstractRNNCell as AbstractRNNCell
from evergraph.keras.layers import Activation as Activation
from evergraph.keras.layers import ActivityRegularization as ActivityRegularization
from evergraph.keras.layers import Add as Add
from evergraph.keras.layers import AdditiveAttention as AdditiveAttention
from evergraph.keras.layers import AlphaDropout as AlphaDropout
from evergraph.keras.layers import Attention as Attention
from evergraph.keras.layers import Average as Average
from evergraph.keras.layers import AveragePooling1D as AveragePooling1D
from evergraph.keras.layers import AveragePooling2D as AveragePooling2D
from evergraph.keras.layers import AveragePooling3D as AveragePooling3D
AvgPool1D = _AveragePooling1D
AvgPool2D = _AveragePooling2D
AvgPool3D = _AveragePooling3D
from evergraph.keras.layers import BatchNormalization as BatchNormalization
from evergraph.keras.layers import Bidirectional as Bidirectional
from evergraph.keras.layers import Concatenate as Concatenate
from evergraph.keras.layers import Conv1D as Conv1D
from evergraph.keras.layers import Conv2D as Conv2D
from evergraph.keras.layers import Conv2DTranspose as Conv2DTranspose
from evergraph.keras.layers import Conv3D as Conv3D
from evergraph.keras.layers import Conv3DTranspose as Conv3DTranspose
from evergraph.keras.layers import ConvLSTM2D as ConvLSTM2D
Convolution1D = _Conv1D
Convolution2D = _Conv2D
Convolution2DTranspose = _Conv2DTranspose
Convolution3D = _Conv3D
Convolution3DTranspose = _Conv3DTranspose
from evergraph.keras.layers import Cropping1D as Cropping1D
from evergraph.keras.layers import Cropping2D as Cropping2D
from evergraph.keras.layers import Cropping3D as Cropping3D
from evergraph.keras.layers import CuDNNGRU as CuDNNGRU
from evergraph.keras.layers import CuDNNLSTM as CuDNNLSTM
from evergraph.keras.layers import Dense as Dense
from evergraph.keras.layers import DenseFeatures as DenseFeatures
from evergraph.keras.layers import DepthwiseConv2D as DepthwiseConv2D
from evergraph.keras.layers import Dot as Dot
from evergraph.keras.layers import Dropout as Dropout
from evergraph.keras.layers import ELU as ELU
from evergraph.keras.layers import Embedding as Embedding
from evergraph.keras.layers import Flatten as Flatten
from evergraph.keras.layers import GRU as GRU
from evergraph.keras.layers import GRUCell as GRUCell
from evergraph.keras.layers import GaussianDropout as GaussianDropout
from evergraph.keras.layers import GaussianNoise as GaussianNoise
from evergraph.keras.layers import GlobalAveragePooling1D as GlobalAveragePooling1D
from evergraph.keras.layers import GlobalAveragePooling2D as GlobalAveragePooling2D
from evergraph.keras.layers import GlobalAveragePooling3D as GlobalAveragePooling3D
GlobalAvgPool1D = _GlobalAveragePooling1D
GlobalAvgPool2D = _GlobalAveragePooling2D
GlobalAvgPool3D = _GlobalAveragePooling3D
GlobalMaxPool1D = _GlobalMaxPooling1D
GlobalMaxPool2D = _GlobalMaxPooling2D
GlobalMaxPool3D = _GlobalMaxPooling3D
from evergraph.keras.layers import GlobalMaxPooling1D as GlobalMaxPooling1D
from evergraph.keras.layers import GlobalMaxPooling2D as GlobalMaxPooling2D
from evergraph.keras.layers import GlobalMaxPooling3D as GlobalMaxPooling3D
from evergraph.keras import Input as Input
from evergraph.keras.layers import InputLayer as InputLayer
from evergraph.layers import InputSpec as InputSpec
from evergraph.keras.layers import LSTM as LSTM
from evergraph.keras.layers import LSTMCell as LSTMCell
from evergraph.keras.layers import Lambda as Lambda
from evergraph.keras.layers import Layer as Layer
from evergraph.keras.layers import LayerNormalization as LayerNormalization
from evergraph.keras.layers import LeakyReLU as LeakyReLU
from evergraph.keras.layers import LocallyConnected1D as LocallyConnected1D
from evergraph.keras.layers import LocallyConnected2D as LocallyConnected2D
from evergraph.keras.layers import Masking as Masking
MaxPool1D = _MaxPooling1D
MaxPool2D = _MaxPooling2D
MaxPool3D = _MaxPooling3D
from evergraph.keras.layers import MaxPooling1D as MaxPooling1D
from evergraph.keras.layers import MaxPooling2D as MaxPooling2D
from evergraph.keras.layers import MaxPooling3D as MaxPooling3D
from evergraph.keras.layers import Maximum as Maximum
from evergraph.keras.layers import Minimum as Minimum
from evergraph.keras.layers import Multiply as Multiply
from evergraph.keras.layers import PReLU as PReLU
from evergraph.keras.layers import Permute as Permute
from evergraph.keras.layers import RNN as RNN
from evergraph.keras.layers import ReLU as ReLU
from evergraph.keras.layers import RepeatVector as RepeatVector
from evergraph.keras.layers import Reshape as Reshape
from evergraph.keras.layers import SeparableConv1D as SeparableConv1D
from evergraph.keras.layers import SeparableConv2D as SeparableConv2D
SeparableConvolution1D = _SeparableConv1D
SeparableConvolution2D = _SeparableConv2D
from evergraph.keras.layers import SimpleRNN as SimpleRNN
from evergraph.keras.layers import SimpleRNNCell as SimpleRNNCell
from evergraph.keras.layers import Softmax as Softmax
from evergraph.keras.layers import SpatialDropout1D as SpatialDropout1D
from evergraph.keras.layers import SpatialDropout2D as SpatialDropout2D
from evergraph.keras.layers import SpatialDropout3D as SpatialDropout3D
from evergraph.keras.layers import StackedRNNCells as StackedRNNCells
from evergraph.keras.layers import Subtract as Subtract
from evergraph.keras.layers import ThresholdedReLU as ThresholdedReLU
from evergraph.keras.layers import TimeDistributed as TimeDistributed
from evergraph.keras.layers import UpSampling1D as UpSampling1D
from evergraph.keras.layers import UpSampling2D as UpSampling2D
from evergraph.keras.layers import UpSampling3D as UpSampling3D
from evergraph.keras.layers import Wrapper as Wrapper
from evergraph.keras.layers import ZeroPadding1D as ZeroPadding1D
from evergraph.keras.layers import ZeroPadding2D as ZeroPadding2D
from evergraph.keras.layers import ZeroPadding3D as ZeroPadding3D
from evergraph.keras.layers import add as add
from evergraph.keras.layers import average as average
from evergraph.keras.layers import concatenate as concatenate
from evergraph.keras.layers import deserialize as deserialize
from evergraph.keras.layers import dot as dot
from evergraph.keras.layers import maximum as maximum
from evergraph.keras.layers import minimum as minimum
from evergraph.keras.layers import multiply as multiply
from evergraph.keras.layers import serialize as serialize
from evergraph.keras.layers import subtract as subtract
