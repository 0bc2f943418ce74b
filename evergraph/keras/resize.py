"""tf.keras.layers: cropping, padding and upsampling."""
from __future__ import annotations

from evergraph.base.export import export
from evergraph.base.shapes import TensorShape
from evergraph.frontend import array
from evergraph.frontend.image.resize import resize_bilinear, resize_nearest_neighbor
from evergraph.keras import settings
from evergraph.keras.layer import Layer
from evergraph.layers.input_spec import InputSpec
from evergraph.layers.sizes import as_tuple
from evergraph.ops.arrays import pad


class Spatial(Layer):
    """The base of these layers; `rank` is the number of spatial axes."""

    rank = 1

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format, self.input_spec = settings.layout_of(data_format), InputSpec(ndim=self.rank + 2)

    def _start(self):
        return 1 if self.data_format == "channels_last" else 2

    def _with_sizes(self, input_shape, change):
        """The shape with each spatial size replaced by change(size, position)."""
        sizes = TensorShape(input_shape).as_list()
        for place in range(self.rank):
            axis = self._start() + place
            sizes[axis] = None if sizes[axis] is None else change(sizes[axis], place)
        return TensorShape(sizes)


def _pairs(value, rank, name):
    """(before, after) for each axis: one number for all, a number for each, or pairs."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if not hasattr(value, "__len__") or len(value) != rank:
        raise ValueError(f"{name} needs an entry for each of {rank} axes, got {value}")
    return tuple(as_tuple(each, 2, f"an entry of {name}") for each in value)


# ---- cropping and padding

class Cropping(Spatial):
    """The base of cropping layers."""

    def _settle(self, cropping):
        return (as_tuple(cropping, 2, "cropping"),) if self.rank == 1 else _pairs(cropping, self.rank, "cropping")

    def call(self, inputs):
        kept = [slice(None)] * (self.rank + 2)
        for place, (before, after) in enumerate(self._sides):
            kept[self._start() + place] = slice(before, -after if after else None)
        outputs = inputs[tuple(kept)]
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        return self._with_sizes(input_shape, lambda size, place: size - sum(self._sides[place]))


class ZeroPadding(Spatial):
    """The base of padding layers."""

    def _settle(self, padding):
        return (as_tuple(padding, 2, "padding"),) if self.rank == 1 else _pairs(padding, self.rank, "padding")

    def call(self, inputs):
        sides = [[0, 0] for _ in range(self.rank + 2)]
        for place, pair in enumerate(self._sides):
            sides[self._start() + place] = list(pair)
        return pad.pad(inputs, sides)

    def compute_output_shape(self, input_shape):
        return self._with_sizes(input_shape, lambda size, place: size + sum(self._sides[place]))


def _of_sides(base, argument, default, rank, what):
    """A layer whose argument gives the number of elements to crop or pad on each side."""
    where = {1: "sequences [batch, length, features]", 2: "images", 3: "volumes"}[rank]
    layout = "" if rank == 1 else """
        data_format: "channels_last", or "channels_first" for channels after the batch."""
    doc = f"""{what} {where}.

    Args:
        {argument}: how many elements on each side: one number, {'two' if rank == 1 else 'one for each axis'}\
{'' if rank == 1 else ', or pairs'}.{layout}
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: there are more or fewer numbers.
    """
    members = {"rank": rank, "fields": (argument,) if rank == 1 else (argument, "data_format"), "__doc__": doc,
               "__module__": __name__, argument: property(lambda self: self._sides[0] if rank == 1 else self._sides)}
    made = type(f"{base.__name__}{rank}D", (base,), members)

    def settle(self, value, data_format, kwargs):
        super(made, self).__init__(data_format, **kwargs)
        self._sides = self._settle(value)

    made.__init__ = _constructor(argument, default, rank, settle)
    return export(f"keras.layers.{made.__name__}")(made)


def _constructor(argument, default, rank, settle):
    """An __init__ with the argument's name."""
    if argument == "cropping" and rank == 1:
        def __init__(self, cropping=default, **kwargs):
            settle(self, cropping, "channels_last", kwargs)
    elif argument == "cropping":
        def __init__(self, cropping=default, data_format=None, **kwargs):
            settle(self, cropping, data_format, kwargs)
    elif rank == 1:
        def __init__(self, padding=default, **kwargs):
            settle(self, padding, "channels_last", kwargs)
    else:
        def __init__(self, padding=default, data_format=None, **kwargs):
            settle(self, padding, data_format, kwargs)
    return __init__


Cropping1D = _of_sides(Cropping, "cropping", (1, 1), 1, "Crops both ends of")
Cropping2D = _of_sides(Cropping, "cropping", ((0, 0), (0, 0)), 2, "Crops the sides of")
Cropping3D = _of_sides(Cropping, "cropping", ((1, 1), (1, 1), (1, 1)), 3, "Crops the sides of")
ZeroPadding1D = _of_sides(ZeroPadding, "padding", 1, 1, "Zero-pads both ends of")
ZeroPadding2D = _of_sides(ZeroPadding, "padding", (1, 1), 2, "Zero-pads the sides of")
ZeroPadding3D = _of_sides(ZeroPadding, "padding", (1, 1, 1), 3, "Zero-pads the sides of")


# ---- upsampling

def repeated(inputs, count, axis):
    """Repeats each element `count` times along an axis."""
    sizes, dynamic = inputs.shape.as_list(), array.shape(inputs)
    known = [dynamic[place] if size is None else size for place, size in enumerate(sizes)]
    copies = pad.tile(array.expand_dims(inputs, axis + 1), [1] * (axis + 1) + [count] + [1] * (len(sizes) - axis - 1))
    outputs = array.reshape(copies, [*known[:axis], known[axis] * count, *known[axis + 1:]])
    outputs.set_shape([None if size is None else size * count if place == axis else size
                       for place, size in enumerate(sizes)])
    return outputs


@export("keras.layers.UpSampling1D")
class UpSampling1D(Spatial):
    """Upsamples sequences [batch, length, features] by repeating each step.

    Args:
        size: the upsampling factor.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    fields = ("size",)

    def __init__(self, size=2, **kwargs):
        super().__init__("channels_last", **kwargs)
        self.size = int(size)

    def call(self, inputs):
        return repeated(inputs, self.size, 1)

    def compute_output_shape(self, input_shape):
        return self._with_sizes(input_shape, lambda size, place: size * self.size)


@export("keras.layers.UpSampling2D")
class UpSampling2D(Spatial):
    """Upsamples images by nearest-neighbour or bilinear interpolation.

    Args:
        size: the upsampling factor: an integer, or two for height and width.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        interpolation: "nearest", which repeats rows and columns, or "bilinear".
        **kwargs: see `tf.keras.layers.Layer`.

    Raises:
        ValueError: the interpolation is unknown.
    """

    rank = 2
    fields = ("size", "data_format", "interpolation")

    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        super().__init__(data_format, **kwargs)
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(f'interpolation must be "nearest" or "bilinear", got {interpolation!r}')
        self.size, self.interpolation = as_tuple(size, 2, "size"), interpolation

    def call(self, inputs):
        return resized(inputs, *self.size, self.data_format, self.interpolation)

    def compute_output_shape(self, input_shape):
        return self._with_sizes(input_shape, lambda size, place: size * self.size[place])


def resized(x, height_factor, width_factor, data_format, interpolation="nearest"):
    """Images upsampled by these factors."""
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError(f'interpolation must be "nearest" or "bilinear", got {interpolation!r}')
    first = data_format == "channels_first"
    images = array.transpose(x, [0, 2, 3, 1]) if first else x
    sizes, dynamic = images.shape.as_list(), array.shape(images)
    height, width = ((dynamic[axis] if sizes[axis] is None else sizes[axis]) * factor
                     for axis, factor in ((1, height_factor), (2, width_factor)))
    resize = resize_nearest_neighbor if interpolation == "nearest" else resize_bilinear
    outputs = resize(images, array.stack([height, width]) if None in sizes[1:3] else [height, width],
                     half_pixel_centers=True)
    outputs.set_shape([sizes[0], *(None if size is None else size * factor
                                   for size, factor in zip(sizes[1:3], (height_factor, width_factor))), sizes[3]])
    return array.transpose(outputs, [0, 3, 1, 2]) if first else outputs


@export("keras.layers.UpSampling3D")
class UpSampling3D(Spatial):
    """Upsamples volumes by repeating elements.

    Args:
        size: the upsampling factor: an integer, or three for depth, height and width.
        data_format: "channels_last", or "channels_first" for channels after the batch.
        **kwargs: see `tf.keras.layers.Layer`.
    """

    rank = 3
    fields = ("size", "data_format")

    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        super().__init__(data_format, **kwargs)
        self.size = as_tuple(size, 3, "size")

    def call(self, inputs):
        for place, count in enumerate(self.size):
            inputs = repeated(inputs, count, self._start() + place)
        return inputs

    def compute_output_shape(self, input_shape):
        return self._with_sizes(input_shape, lambda size, place: size * self.size[place])
