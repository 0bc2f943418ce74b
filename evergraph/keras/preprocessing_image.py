"""tf.keras.preprocessing.image: the package keras-preprocessing, with the layout and dtype of tf.keras.backend."""
from __future__ import annotations

from typing import Any

import numpy as np

from evergraph.base.export import export
from evergraph.keras import settings
from evergraph.keras.packages import preprocessing
from evergraph.keras.sequences import Sequence

image = preprocessing("image")


def _by_default(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments, given as locals(), with the layout and dtype of tf.keras.backend where they are None."""
    given = {name: value for name, value in arguments.items() if name not in ("self", "__class__")}
    return {**given, "data_format": settings.layout_of(given["data_format"]),
            "dtype": given["dtype"] or settings.floatx()}


def _exported(name: str) -> Any:
    return export(f"keras.preprocessing.image.{name}")(getattr(image, name))


random_rotation = _exported("random_rotation")
random_shift = _exported("random_shift")
random_shear = _exported("random_shear")
random_zoom = _exported("random_zoom")
apply_channel_shift = _exported("apply_channel_shift")
random_channel_shift = _exported("random_channel_shift")
apply_brightness_shift = _exported("apply_brightness_shift")
random_brightness = _exported("random_brightness")
apply_affine_transform = _exported("apply_affine_transform")
load_img = _exported("load_img")


@export("keras.preprocessing.image.array_to_img")
def array_to_img(x, data_format=None, scale=True, dtype=None):
    """An image of Pillow from an array [height, width, channels].

    Args:
        x: the array.
        data_format: "channels_first" or "channels_last"; by default that of `tf.keras.backend.image_data_format`.
        scale: whether to scale the values to 0 ... 255.
        dtype: the dtype to compute with; by default `tf.keras.backend.floatx()`.
    """
    return image.array_to_img(x, settings.layout_of(data_format), scale, dtype or settings.floatx())


@export("keras.preprocessing.image.img_to_array")
def img_to_array(img, data_format=None, dtype=None):
    """An array [height, width, channels] from an image of Pillow.

    Args:
        img: the image.
        data_format: "channels_first" or "channels_last"; by default that of `tf.keras.backend.image_data_format`.
        dtype: its dtype; by default `tf.keras.backend.floatx()`.
    """
    return image.img_to_array(img, settings.layout_of(data_format), dtype or settings.floatx())


@export("keras.preprocessing.image.save_img")
def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Saves an array [height, width, channels] as an image.

    Args:
        path: the file.
        x: the array.
        data_format: "channels_first" or "channels_last"; by default that of `tf.keras.backend.image_data_format`.
        file_format: the format; by default the ending of the name says it.
        scale: whether to scale the values to 0 ... 255.
        **kwargs: passed on to Pillow's `Image.save`.
    """
    image.save_img(path, x, settings.layout_of(data_format), file_format, scale, **kwargs)


@export("keras.preprocessing.image.Iterator")
class Iterator(image.Iterator, Sequence):
    """The base of iterators over batches of images.

    Args:
        n: how many images there are.
        batch_size: how many make a batch.
        shuffle: whether they come in random order.
        seed: of the order.
    """


@export("keras.preprocessing.image.DirectoryIterator")
class DirectoryIterator(image.DirectoryIterator, Iterator):
    """Reads batches of images from a folder that has a folder for each class.

    Args:
        directory: the folder.
        image_data_generator: an ImageDataGenerator, which changes the images.
        target_size: (height, width) of all images.
        color_mode: "rgb", "rgba" or "grayscale".
        classes: the names of the folders; by default all, sorted.
        class_mode: what labels are: "categorical", "binary", "sparse", "input" or None.
        batch_size: how many images make a batch.
        shuffle: whether they come in random order.
        seed: of the order and of the changes.
        data_format: "channels_first" or "channels_last".
        save_to_dir: a folder that gets every changed image.
        save_prefix: of the names of these files.
        save_format: their format, "png" or "jpeg".
        subset: "training" or "validation", the parts that `validation_split` of the generator makes.
        follow_links: whether links to folders are followed.
        interpolation: how images are resized, such as "nearest".
        dtype: of the images.
    """

    def __init__(self, directory, image_data_generator, target_size=(256, 256), color_mode="rgb", classes=None,
                 class_mode="categorical", batch_size=32, shuffle=True, seed=None, data_format=None, save_to_dir=None,
                 save_prefix="", save_format="png", follow_links=False, subset=None, interpolation="nearest",
                 dtype=None):
        super().__init__(**_by_default(locals()))


@export("keras.preprocessing.image.NumpyArrayIterator")
class NumpyArrayIterator(image.NumpyArrayIterator, Iterator):
    """Makes batches from an array of images.

    Args:
        x: the images, or (the images, other inputs).
        y: their labels.
        image_data_generator: an ImageDataGenerator, which changes the images.
        sample_weight: a weight for each image.
        batch_size: how many images make a batch.
        shuffle: whether they come in random order.
        seed: of the order and of the changes.
        data_format: "channels_first" or "channels_last".
        save_to_dir: a folder that gets every changed image.
        save_prefix: of the names of these files.
        save_format: their format, "png" or "jpeg".
        subset: "training" or "validation", the parts that `validation_split` of the generator makes.
        dtype: of the images.
    """

    def __init__(self, x, y, image_data_generator, batch_size=32, shuffle=False, sample_weight=None, seed=None,
                 data_format=None, save_to_dir=None, save_prefix="", save_format="png", subset=None, dtype=None):
        super().__init__(**_by_default(locals()))


class DataFrameIterator(image.DataFrameIterator, Iterator):
    """Reads batches of images whose files a pandas.DataFrame names."""


@export("keras.preprocessing.image.ImageDataGenerator")
class ImageDataGenerator(image.ImageDataGenerator):
    """Makes batches of images that are changed at random: rotated, shifted, zoomed, flipped, normalized.

    Methods are those of keras-preprocessing's ImageDataGenerator; `data_format` and `dtype` are by default those of
    tf.keras.backend.

    Args:
        featurewise_center: subtracts the mean of all images, which `fit` finds.
        samplewise_center: subtracts the mean of each image.
        featurewise_std_normalization: divides by the standard deviation of all images.
        samplewise_std_normalization: divides by that of each image.
        zca_whitening: makes pixels independent of each other, by what `fit` finds.
        zca_epsilon: is added to variances for that.
        rotation_range: up to how many degrees images are turned.
        width_shift_range: how far they are moved sideways: a share of the width, or pixels.
        height_shift_range: how far they are moved up or down.
        brightness_range: (least, most) factor of the brightness.
        shear_range: up to how many degrees they are sheared.
        zoom_range: by how much they are enlarged or reduced, a number or (least, most).
        channel_shift_range: how much is added to channels.
        fill_mode: what stands beyond the edges: "nearest", "constant", "reflect" or "wrap".
        cval: the number beyond the edges, for "constant".
        horizontal_flip: whether images may be mirrored.
        vertical_flip: whether they may be turned upside down.
        rescale: a factor for all numbers.
        preprocessing_function: is applied to each image after the other changes.
        validation_split: the share of the images that `subset="validation"` gets.
    """

    def __init__(self, featurewise_center=False, samplewise_center=False, featurewise_std_normalization=False,
                 samplewise_std_normalization=False, zca_whitening=False, zca_epsilon=1e-6, rotation_range=0,
                 width_shift_range=0.0, height_shift_range=0.0, brightness_range=None, shear_range=0.0, zoom_range=0.0,
                 channel_shift_range=0.0, fill_mode="nearest", cval=0.0, horizontal_flip=False, vertical_flip=False,
                 rescale=None, preprocessing_function=None, data_format=None, validation_split=0.0, dtype=None):
        super().__init__(**_by_default(locals()))

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None, save_to_dir=None,
             save_prefix="", save_format="png", subset=None):
        """Batches of changed images from an array, in a loop without end."""
        return NumpyArrayIterator(**self._with_own(locals()))

    def flow_from_directory(self, directory, target_size=(256, 256), color_mode="rgb", classes=None,
                            class_mode="categorical", batch_size=32, shuffle=True, seed=None, save_to_dir=None,
                            save_prefix="", save_format="png", follow_links=False, subset=None,
                            interpolation="nearest"):
        """Batches of changed images from a folder that has a folder for each class, in a loop without end."""
        return DirectoryIterator(**self._with_own(locals()))

    def flow_from_dataframe(self, dataframe, directory=None, x_col="filename", y_col="class", weight_col=None,
                            target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical",
                            batch_size=32, shuffle=True, seed=None, save_to_dir=None, save_prefix="",
                            save_format="png", subset=None, interpolation="nearest", validate_filenames=True, **kwargs):
        """Batches of changed images whose files a pandas.DataFrame names, in a loop without end."""
        kwargs.pop("has_ext", None)  # it had a meaning before 1.15
        return DataFrameIterator(**self._with_own(locals()), **kwargs)

    def _with_own(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments of an iterator: those of a method, given as locals(), and the generator's own."""
        given = {name: value for name, value in arguments.items() if name not in ("self", "kwargs")}
        return {**given, "image_data_generator": self, "data_format": self.data_format, "dtype": self.dtype}

    def standardize(self, x):
        """Normalizes a batch, as the arguments say; integers as numbers of the generator's dtype."""
        return super().standardize(x if np.issubdtype(np.asarray(x).dtype, np.floating) else
                                   np.asarray(x, self.dtype))
