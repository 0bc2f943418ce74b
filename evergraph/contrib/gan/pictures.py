"""tf.contrib.gan.eval and tf.contrib.gan.features: pictures of a batch in a grid, summaries of models, conditions."""

from __future__ import annotations

import math as numbers
from typing import Any

from evergraph.base.export import export
from evergraph.contrib.gan.tuples import CycleGANModel
from evergraph.contrib.layers.dense import fully_connected
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.collections import GraphKeys, get_collection
from evergraph.frontend.matmul import matmul
from evergraph.frontend.variables.scope import get_variable, variable_scope
from evergraph.graph.convert import convert_to_tensor
from evergraph.losses.collected import get_regularization_loss
from evergraph.summary.summaries import histogram, image, scalar


@export("contrib.gan.eval.image_grid", "contrib.gan.eval.eval_utils.image_grid")
def image_grid(input_tensor: Any, grid_shape: Any, image_shape: Any = (32, 32), num_channels: int = 3) -> Any:
    """Images side by side: [1, rows * height, columns * width, channels].

    Args:
        input_tensor: as many images as the grid has places, each of any shape.
        grid_shape: (rows, columns).
        image_shape: (height, width).
        num_channels: the number of channels.

    Raises:
        ValueError: there are not as many.
    """
    images = convert_to_tensor(input_tensor)
    count = images.shape.as_list()[0]
    if count is not None and grid_shape[0] * grid_shape[1] != count:
        raise ValueError(f"a grid of {grid_shape} needs {grid_shape[0] * grid_shape[1]} images, got {count}")
    (rows, columns), (height, width) = grid_shape, image_shape
    cells = array.reshape(images, [rows, columns, height, width, num_channels])
    return array.reshape(array.transpose(cells, [0, 2, 1, 3, 4]), [1, rows * height, columns * width, num_channels])


@export("contrib.gan.eval.image_reshaper", "contrib.gan.eval.eval_utils.image_reshaper")
def image_reshaper(images: Any, num_cols: int | None = None) -> Any:
    """A batch of images, or a list of images, in one picture; as near to a square as it goes without `num_cols`."""
    if isinstance(images, (list, tuple)):
        images = array.stack(images)
    images = convert_to_tensor(images)
    count, height, width, channels = images.shape.as_list()
    columns = num_cols or int(numbers.ceil(numbers.sqrt(count)))
    rows = -(-count // columns)
    images = array.pad(images, [[0, rows * columns - count], [0, 0], [0, 0], [0, 0]])
    return image_grid(images, (rows, columns), (height, width), channels)


@export("contrib.gan.eval.add_gan_model_image_summaries")
def add_gan_model_image_summaries(gan_model: Any, grid_size: int = 4, model_summaries: bool = True) -> None:
    """Adds summaries with grids of real and generated images.

    Args:
        gan_model: a GANModel of images, or a CycleGANModel.
        grid_size: the number of rows and columns.
        model_summaries: whether variables and outputs have summaries too.
    """
    if isinstance(gan_model, CycleGANModel):
        raise ValueError("give add_gan_model_image_summaries the models of a CycleGANModel: model_x2y, model_y2x")
    shown = {"real_data": gan_model.real_data, "generated_data": gan_model.generated_data}
    for name, data in shown.items():
        _, height, width, channels = data.shape.as_list()
        grid = image_grid(data[:grid_size**2], (grid_size, grid_size), (height, width), channels)
        image(name, grid, max_outputs=1)
    if model_summaries:
        add_gan_model_summaries(gan_model)


@export("contrib.gan.eval.add_gan_model_summaries")
def add_gan_model_summaries(gan_model: Any) -> None:
    """Adds histograms of all variables of a model, or of both models of a CycleGANModel."""
    parts = gan_model[:2] if isinstance(gan_model, CycleGANModel) else [gan_model]
    for part in parts:
        for kind, variables in (("generator_variables", part.generator_variables),
                                ("discriminator_variables", part.discriminator_variables)):
            with name_scope(kind):
                for variable in variables:
                    histogram(variable.op.name, variable)


@export("contrib.gan.eval.add_regularization_loss_summaries")
def add_regularization_loss_summaries(gan_model: Any) -> None:
    """Adds the regularization losses of both networks as summaries, where they have some."""
    parts = gan_model[:2] if isinstance(gan_model, CycleGANModel) else [gan_model]
    for part in parts:
        for kind, scope in (("generator", part.generator_scope), ("discriminator", part.discriminator_scope)):
            if get_collection(GraphKeys.REGULARIZATION_LOSSES, scope.name):
                scalar(f"{kind}_regularization_loss", get_regularization_loss(scope.name))


@export("contrib.gan.features.condition_tensor")
def condition_tensor(tensor: Any, conditioning: Any) -> Any:
    """A tensor plus a projection of a condition: a fully connected layer without bias makes them fit.

    Args:
        tensor: [batch, ...], with known sizes.
        conditioning: [batch, ...].
    """
    tensor, conditioning = convert_to_tensor(tensor), convert_to_tensor(conditioning)
    sizes = tensor.shape.as_list()[1:]
    if None in sizes or None in conditioning.shape.as_list()[1:]:
        raise ValueError(f"sizes must be known, the shapes are {tensor.shape} and {conditioning.shape}")
    flat = array.reshape(conditioning, [-1, numbers.prod(conditioning.shape.as_list()[1:])])
    projected = fully_connected(flat, numbers.prod(sizes), activation_fn=None, biases_initializer=None)
    return tensor + array.reshape(projected, [-1, *sizes])


@export("contrib.gan.features.condition_tensor_from_onehot")
def condition_tensor_from_onehot(tensor: Any, one_hot_labels: Any, embedding_size: int = 256) -> Any:
    """A tensor plus a projection of an embedding of labels.

    Args:
        tensor: [batch, ...], with known sizes.
        one_hot_labels: [batch, classes].
        embedding_size: the size of the embedding.
    """
    labels = convert_to_tensor(one_hot_labels)
    labels.shape.assert_has_rank(2)
    with variable_scope(None, "condition_tensor_from_onehot"):
        table = get_variable("embedding", [labels.shape.as_list()[1], embedding_size])
        return condition_tensor(tensor, matmul(math.cast(labels, table.dtype.base_dtype), table))
