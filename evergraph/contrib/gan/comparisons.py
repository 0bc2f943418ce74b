"""tf.contrib.gan.eval: summaries with pictures that stand for each other side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.contrib.gan.pictures import image_reshaper
from evergraph.contrib.gan.tuples import CycleGANModel, StarGANModel
from evergraph.frontend import array, math
from evergraph.frontend.indexing import one_hot
from evergraph.frontend.variables.scope import variable_scope
from evergraph.graph.node import Tensor
from evergraph.summary.summaries import image


def _in_turn(columns: Sequence[Tensor], count: int) -> list[Tensor]:
    """The first pictures of every column, row by row."""
    return [column[at] for at in range(count) for column in columns]


@export("contrib.gan.eval.add_cyclegan_image_summaries")
def add_cyclegan_image_summaries(cyclegan_model: CycleGANModel) -> None:
    """Adds pictures of both ways of a CycleGANModel: data, what they become, and what comes back.

    Args:
        cyclegan_model: a CycleGANModel.

    Raises:
        ValueError: it is none, or its images have more than three dimensions each.
    """
    if not isinstance(cyclegan_model, CycleGANModel):
        raise ValueError(f"add_cyclegan_image_summaries needs a CycleGANModel, got {cyclegan_model!r}")
    if cyclegan_model.model_x2y.generator_inputs.shape.rank != 4:
        raise ValueError("images are [batch, height, width, channels]; these are "
                         f"{cyclegan_model.model_x2y.generator_inputs}")
    for name, part, back in (("x2y", cyclegan_model.model_x2y, cyclegan_model.reconstructed_x),
                             ("y2x", cyclegan_model.model_y2x, cyclegan_model.reconstructed_y)):
        shown = image_reshaper(_in_turn([part.generator_inputs, part.generated_data, back], 1), num_cols=3)
        image(f"{name}_image_comparison", shown, max_outputs=1)


@export("contrib.gan.eval.add_image_comparison_summaries")
def add_image_comparison_summaries(gan_model: Any, num_comparisons: int = 2, display_diffs: bool = False) -> None:
    """Adds a picture of what a generator is given, what it makes, and what is real, side by side.

    Args:
        gan_model: a GANModel from images to images.
        num_comparisons: how many rows there are.
        display_diffs: whether the differences of the last two are in a column too.
    """
    columns = [gan_model.generator_inputs, gan_model.generated_data, gan_model.real_data]
    if display_diffs:
        columns.append(math.abs(gan_model.generated_data - gan_model.real_data))
    image("image_comparison", image_reshaper(_in_turn(columns, num_comparisons), num_cols=len(columns)),
          max_outputs=1)


@export("contrib.gan.eval.add_stargan_image_summaries")
def add_stargan_image_summaries(stargan_model: StarGANModel, num_images: int = 2, display_diffs: bool = False) -> None:
    """Adds a picture of images in all domains, a row for each image.

    Args:
        stargan_model: a StarGANModel of images.
        num_images: how many rows there are.
        display_diffs: whether a row with the differences from the image follows each.

    Raises:
        ValueError: there are fewer images, or they have more than three dimensions each.
    """
    data = stargan_model.input_data
    if data.shape.rank != 4:
        raise ValueError(f"images are [batch, height, width, channels]; these are {data}")
    if data.shape[0].value is not None and data.shape[0].value < num_images:
        raise ValueError(f"there are {data.shape[0].value} images, fewer than num_images = {num_images}")
    count = stargan_model.input_data_domain_label.shape.as_list()[-1]
    rows = []
    with variable_scope(stargan_model.generator_scope, reuse=True):
        for at in range(num_images):
            one = data[at:at + 1]
            made = [stargan_model.generator_fn(one, one_hot([domain], count, dtype=dtypes.float32))
                    for domain in range(count)]
            rows += [one[0], *(each[0] for each in made)]
            if display_diffs:
                rows += [array.zeros_like(one[0]), *(math.abs(each[0] - one[0]) for each in made)]
    image("stargan_image_generation", image_reshaper(rows, num_cols=count + 1), max_outputs=1)
