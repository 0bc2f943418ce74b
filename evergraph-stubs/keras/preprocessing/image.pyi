# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.keras.preprocessing.image."""

from evergraph.keras.utils import Sequence
from typing import Any

class DirectoryIterator(Iterator):
    """Reads batches of images from a folder that has a folder for each class."""
    def __init__(
        self, directory: Any, image_data_generator: Any, target_size: Any = ..., color_mode: Any = 'rgb',
        classes: Any = None, class_mode: Any = 'categorical', batch_size: Any = 32, shuffle: Any = True,
        seed: Any = None, data_format: str | None = None, save_to_dir: Any = None, save_prefix: Any = '',
        save_format: Any = 'png', follow_links: Any = False, subset: Any = None, interpolation: Any = 'nearest',
        dtype: Any = None,
    ) -> None: ...

class ImageDataGenerator:
    """Makes batches of images that are changed at random: rotated, shifted, zoomed, flipped, normalized."""
    def flow(
        self, x: Any, y: Any = None, batch_size: Any = 32, shuffle: Any = True, sample_weight: Any = None,
        seed: Any = None, save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png',
        subset: Any = None,
    ) -> NumpyArrayIterator:
        """Batches of changed images from an array, in a loop without end."""
    def flow_from_directory(
        self, directory: Any, target_size: Any = ..., color_mode: Any = 'rgb', classes: Any = None,
        class_mode: Any = 'categorical', batch_size: Any = 32, shuffle: Any = True, seed: Any = None,
        save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png', follow_links: Any = False,
        subset: Any = None, interpolation: Any = 'nearest',
    ) -> DirectoryIterator:
        """Batches of changed images from a folder that has a folder for each class, in a loop without end."""
    def flow_from_dataframe(
        self, dataframe: Any, directory: Any = None, x_col: Any = 'filename', y_col: Any = 'class',
        weight_col: Any = None, target_size: Any = ..., color_mode: Any = 'rgb', classes: Any = None,
        class_mode: Any = 'categorical', batch_size: Any = 32, shuffle: Any = True, seed: Any = None,
        save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png', subset: Any = None,
        interpolation: Any = 'nearest', validate_filenames: Any = True, **kwargs: Any,
    ) -> Any:
        """Batches of changed images whose files a pandas.DataFrame names, in a loop without end."""
    def standardize(self, x: Any) -> Any:
        """Normalizes a batch, as the arguments say; integers as numbers of the generator's dtype."""
    def __init__(
        self, featurewise_center: Any = False, samplewise_center: Any = False,
        featurewise_std_normalization: Any = False, samplewise_std_normalization: Any = False,
        zca_whitening: Any = False, zca_epsilon: Any = 1e-06, rotation_range: Any = 0,
        width_shift_range: Any = 0.0, height_shift_range: Any = 0.0, brightness_range: Any = None,
        shear_range: Any = 0.0, zoom_range: Any = 0.0, channel_shift_range: Any = 0.0,
        fill_mode: Any = 'nearest', cval: Any = 0.0, horizontal_flip: Any = False, vertical_flip: Any = False,
        rescale: Any = None, preprocessing_function: Any = None, data_format: str | None = None,
        validation_split: Any = 0.0, dtype: Any = None,
    ) -> None: ...

class Iterator(Sequence):
    """The base of iterators over batches of images."""

class NumpyArrayIterator(Iterator):
    """Makes batches from an array of images."""
    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: Any = 32, shuffle: Any = False,
        sample_weight: Any = None, seed: Any = None, data_format: str | None = None, save_to_dir: Any = None,
        save_prefix: Any = '', save_format: Any = 'png', subset: Any = None, dtype: Any = None,
    ) -> None: ...

def apply_affine_transform(
    x: Any, theta: Any = 0, tx: Any = 0, ty: Any = 0, shear: Any = 0, zx: Any = 1, zy: Any = 1,
    row_axis: Any = 0, col_axis: Any = 1, channel_axis: Any = 2, fill_mode: Any = 'nearest',
    cval: Any = 0.0, order: Any = 1,
) -> Any:
    """Applies an affine transformation specified by the parameters given."""

def apply_brightness_shift(x: Any, brightness: Any) -> Any:
    """Performs a brightness shift."""

def apply_channel_shift(x: Any, intensity: Any, channel_axis: Any = 0) -> Any:
    """Performs a channel shift."""

def array_to_img(x: Any, data_format: str | None = None, scale: Any = True, dtype: Any = None) -> Any:
    """An image of Pillow from an array [height, width, channels]."""

def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> Any:
    """An array [height, width, channels] from an image of Pillow."""

def load_img(
    path: Any, grayscale: Any = False, color_mode: Any = 'rgb', target_size: Any = None,
    interpolation: Any = 'nearest',
) -> Any:
    """Loads an image into PIL format."""

def random_brightness(x: Any, brightness_range: Any) -> Any:
    """Performs a random brightness shift."""

def random_channel_shift(x: Any, intensity_range: Any, channel_axis: Any = 0) -> Any:
    """Performs a random channel shift."""

def random_rotation(
    x: Any, rg: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """Performs a random rotation of a Numpy image tensor."""

def random_shear(
    x: Any, intensity: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """Performs a random spatial shear of a Numpy image tensor."""

def random_shift(
    x: Any, wrg: Any, hrg: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """Performs a random spatial shift of a Numpy image tensor."""

def random_zoom(
    x: Any, zoom_range: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """Performs a random spatial zoom of a Numpy image tensor."""

def save_img(
    path: Any, x: Any, data_format: str | None = None, file_format: Any = None, scale: Any = True,
    **kwargs: Any,
) -> None:
    """Saves an array [height, width, channels] as an image."""
