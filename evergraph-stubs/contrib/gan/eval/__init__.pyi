# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.contrib.gan.eval."""

from collections.abc import Callable
from evergraph import Tensor
from evergraph.contrib.gan import CycleGANModel, StarGANModel
from typing import Any
from evergraph.contrib.gan.eval import eval_utils as eval_utils

def add_cyclegan_image_summaries(cyclegan_model: CycleGANModel) -> None:
    """Adds pictures of both ways of a CycleGANModel: data, what they become, and what comes back."""

def add_gan_model_image_summaries(
    gan_model: Any, grid_size: int = 4, model_summaries: bool = True,
) -> None:
    """Adds summaries with grids of real and generated images."""

def add_gan_model_summaries(gan_model: Any) -> None:
    """Adds histograms of all variables of a model, or of both models of a CycleGANModel."""

def add_image_comparison_summaries(
    gan_model: Any, num_comparisons: int = 2, display_diffs: bool = False,
) -> None:
    """Adds a picture of what a generator is given, what it makes, and what is real, side by side."""

def add_regularization_loss_summaries(gan_model: Any) -> None:
    """Adds the regularization losses of both networks as summaries, where they have some."""

def add_stargan_image_summaries(
    stargan_model: StarGANModel, num_images: int = 2, display_diffs: bool = False,
) -> None:
    """Adds a picture of images in all domains, a row for each image."""

def classifier_score(images: Any, classifier_fn: Callable[[Any], Any], num_batches: int = 1) -> Tensor:
    """The score of Salimans and others (2016): images are good if each has a clear class, and all have
    different ones."""

def classifier_score_from_logits(logits: Any) -> Tensor:
    """exp of the mean Kullback-Leibler divergence of the classes of an image from those of all images."""

def diagonal_only_frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any,
) -> Tensor:
    """The distance where activations of different units do not vary together; see
    `frechet_classifier_distance_from_activations`."""

def frechet_classifier_distance(
    real_images: Any, generated_images: Any, classifier_fn: Callable[[Any], Any], num_batches: int = 1,
) -> Tensor:
    """The distance of Heusel and others (2017) between real and generated images."""

def frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any,
) -> Tensor:
    """The Frechet distance of the normal distributions with the means and covariances of activations."""

def frechet_inception_distance(real_images: Any, generated_images: Any, num_batches: int = 1) -> Tensor:
    """The distance by the Inception network, which is downloaded once; see
    `frechet_classifier_distance`."""

def get_graph_def_from_disk(filename: str) -> Any:
    """The GraphDef of a file."""

def get_graph_def_from_resource(filename: str) -> Any:
    """The GraphDef of a file, whose path may begin at the directory of the program."""

def get_graph_def_from_url_tarball(url: str, filename: str, tar_filename: str | None = None) -> Any:
    """The GraphDef of a file in an archive, which is downloaded once."""

def image_grid(
    input_tensor: Any, grid_shape: Any, image_shape: Any = ..., num_channels: int = 3,
) -> Tensor:
    """Images side by side: [1, rows * height, columns * width, channels]."""

def image_reshaper(images: Any, num_cols: int | None = None) -> Tensor:
    """A batch of images, or a list of images, in one picture; as near to a square as it goes without
    `num_cols`."""

def inception_score(images: Any, num_batches: int = 1) -> Tensor:
    """The score of images by the Inception network, which is downloaded once; see `classifier_score`."""

def mean_only_frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any,
) -> Tensor:
    """The squared distance of the means of activations; see
    `frechet_classifier_distance_from_activations`."""

def preprocess_image(
    images: Any, height: int = 299, width: int = 299, scope: str | None = None,
) -> Tensor:
    """Images of 0 to 255 as those of -1 to 1, of this size."""

def run_image_classifier(
    tensor: Any, graph_def: Any, input_tensor: str, output_tensor: Any, scope: str = 'RunClassifier',
) -> Any:
    """What a network says of images."""

def run_inception(
    images: Any, graph_def: Any = None, default_graph_def_fn: Callable[[], Any] | None = None,
    image_size: int = 299, input_tensor: str = 'Mul:0', output_tensor: Any = 'logits:0',
) -> Any:
    """What the Inception network says of images."""

def trace_sqrt_product(sigma: Any, sigma_v: Any) -> Tensor:
    """The trace of the square root of a product of two matrices."""
