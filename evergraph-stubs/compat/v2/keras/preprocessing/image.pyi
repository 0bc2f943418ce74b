# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.compat.v2.keras.preprocessing.image."""

from evergraph.keras.preprocessing.image import DirectoryIterator as DirectoryIterator
from evergraph.keras.preprocessing.image import ImageDataGenerator as ImageDataGenerator
from evergraph.keras.preprocessing.image import Iterator as Iterator
from evergraph.keras.preprocessing.image import NumpyArrayIterator as NumpyArrayIterator
from evergraph.keras.preprocessing.image import apply_affine_transform as apply_affine_transform
from evergraph.keras.preprocessing.image import apply_brightness_shift as apply_brightness_shift
from evergraph.keras.preprocessing.image import apply_channel_shift as apply_channel_shift
from evergraph.keras.preprocessing.image import array_to_img as array_to_img
from evergraph.keras.preprocessing.image import img_to_array as img_to_array
from evergraph.keras.preprocessing.image import load_img as load_img
from evergraph.keras.preprocessing.image import random_brightness as random_brightness
from evergraph.keras.preprocessing.image import random_channel_shift as random_channel_shift
from evergraph.keras.preprocessing.image import random_rotation as random_rotation
from evergraph.keras.preprocessing.image import random_shear as random_shear
from evergraph.keras.preprocessing.image import random_shift as random_shift
from evergraph.keras.preprocessing.image import random_zoom as random_zoom
from evergraph.keras.preprocessing.image import save_img as save_img
