"""tf.contrib.gan.eval: how good generated images are, by what a classifier sees in them."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Sequence
from typing import Any

from evergraph.base import dtypes
from evergraph.base.export import export
from evergraph.base.files import GFile
from evergraph.frontend import array, math
from evergraph.frontend.blocks import name_scope
from evergraph.frontend.functional import map_fn
from evergraph.frontend.image.resize import resize_bilinear
from evergraph.frontend.importer import import_graph_def
from evergraph.frontend.indexing import where
from evergraph.frontend.linalg import svd
from evergraph.frontend.matmul import matmul
from evergraph.frontend.nn.activations import log_softmax, softmax
from evergraph.frontend.ordering import matrix_diag
from evergraph.frontend.reduce import reduce_mean, reduce_sum
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.node import Tensor
from evergraph.keras.cached_files import get_file
from evergraph.ops.arrays.diagonal import diag_part
from evergraph.ops.math import elementwise
from evergraph.proto import graph_pb2

INCEPTION_URL = "http://download.tensorflow.org/models/frozen_inception_v1_2015_12_05.tar.gz"
INCEPTION_FROZEN_GRAPH = "inceptionv1_for_inception_score.pb"
INCEPTION_INPUT, INCEPTION_OUTPUT, INCEPTION_FINAL_POOL = "Mul:0", "logits:0", "pool_3:0"
INCEPTION_DEFAULT_IMAGE_SIZE = 299
_EVAL = "contrib.gan.eval"
_Function = Callable[[Any], Any]


# ---- classifiers

@export(f"{_EVAL}.get_graph_def_from_disk")
def get_graph_def_from_disk(filename: str) -> Any:
    """The GraphDef of a file."""
    with GFile(filename, "rb") as file:
        return graph_pb2.GraphDef.FromString(file.read())


@export(f"{_EVAL}.get_graph_def_from_resource")
def get_graph_def_from_resource(filename: str) -> Any:
    """The GraphDef of a file, whose path may begin at the directory of the program."""
    return get_graph_def_from_disk(filename)


@export(f"{_EVAL}.get_graph_def_from_url_tarball")
def get_graph_def_from_url_tarball(url: str, filename: str, tar_filename: str | None = None) -> Any:
    """The GraphDef of a file in an archive, which is downloaded once.

    Args:
        url: where the archive is.
        filename: the file in it.
        tar_filename: the path of the archive on this machine; by default among downloaded files.
    """
    path = get_file(os.path.abspath(tar_filename) if tar_filename else os.path.basename(url), url)
    with tarfile.open(path) as archive:
        file = archive.extractfile(filename)
        assert file is not None
        return graph_pb2.GraphDef.FromString(file.read())


@export(f"{_EVAL}.preprocess_image")
def preprocess_image(images: Any, height: int = INCEPTION_DEFAULT_IMAGE_SIZE,
                     width: int = INCEPTION_DEFAULT_IMAGE_SIZE, scope: str | None = None) -> Tensor:
    """Images of 0 to 255 as those of -1 to 1, of this size.

    Args:
        images: [batch, height, width, channels], or a single image.
        height: the height to have.
        width: the width to have.
        scope: a name scope.
    """
    with name_scope(scope, "preprocess", [images]):
        images = math.cast(convert_to_tensor(images), dtypes.float32)
        is_single = images.shape.rank == 3
        found = resize_bilinear((array.expand_dims(images, 0) if is_single else images) / 127.5 - 1.0, [height, width])
        return array.squeeze(found, axis=[0]) if is_single else found


@export(f"{_EVAL}.run_image_classifier")
def run_image_classifier(tensor: Any, graph_def: Any, input_tensor: str, output_tensor: Any,
                         scope: str = "RunClassifier") -> Any:
    """What a network says of images.

    Args:
        tensor: its input.
        graph_def: its GraphDef.
        input_tensor: the name of its input.
        output_tensor: the name of the tensor that is wanted, or a list of names.
        scope: a name scope.

    Returns:
        The tensor, or the list of tensors; of rank 2 where they are vectors for each image.
    """
    names = [output_tensor] if isinstance(output_tensor, str) else list(output_tensor)
    found = import_graph_def(graph_def, {input_tensor: tensor}, names, name=scope)
    assert found is not None
    for each in found:
        if each.shape.rank is not None and each.shape.rank >= 2:
            each.set_shape([convert_to_tensor(tensor).shape[0], *[None] * (each.shape.rank - 1)])
    return found[0] if isinstance(output_tensor, str) else found


@export(f"{_EVAL}.run_inception")
def run_inception(images: Any, graph_def: Any = None, default_graph_def_fn: Callable[[], Any] | None = None,
                  image_size: int = INCEPTION_DEFAULT_IMAGE_SIZE, input_tensor: str = INCEPTION_INPUT,
                  output_tensor: Any = INCEPTION_OUTPUT) -> Any:
    """What the Inception network says of images.

    Args:
        images: preprocessed images.
        graph_def: the GraphDef of the network; by default it is downloaded once.
        default_graph_def_fn: makes the GraphDef, where none is given.
        image_size: the height and the width of images.
        input_tensor: the name of its input.
        output_tensor: the name of the tensor that is wanted, or a list of names.
    """
    images = convert_to_tensor(images)
    images.shape.assert_is_compatible_with([None, image_size, image_size, 3])
    if graph_def is None:
        graph_def = (default_graph_def_fn or (lambda: get_graph_def_from_url_tarball(
            INCEPTION_URL, INCEPTION_FROZEN_GRAPH)))()
    found = run_image_classifier(images, graph_def, input_tensor, output_tensor)
    return [_flat(each) for each in found] if isinstance(found, list) else _flat(found)


def _flat(tensor: Tensor) -> Tensor:
    return tensor if tensor.shape.rank == 2 else array.reshape(tensor, [array.shape(tensor)[0], -1])


# ---- scores

def _of_parts(images: Any, classifier_fn: _Function, num_batches: int) -> Tensor:
    """What a classifier says of images, a part of them after the other."""
    images = convert_to_tensor(images)
    if num_batches == 1:
        return classifier_fn(images)
    parts = array.reshape(images, [num_batches, -1, *images.shape.as_list()[1:]])
    found = map_fn(classifier_fn, parts, dtype=dtypes.float32, parallel_iterations=1)
    return array.reshape(found, array.concat([[-1], array.shape(found)[2:]], 0))


@export(f"{_EVAL}.classifier_score_from_logits")
def classifier_score_from_logits(logits: Any) -> Tensor:
    """exp of the mean Kullback-Leibler divergence of the classes of an image from those of all images.

    Args:
        logits: of classes, [images, classes].
    """
    logits = convert_to_tensor(logits)
    wide = math.cast(logits, dtypes.float64)
    chances = softmax(wide)
    marginal = reduce_mean(chances, 0)
    divergence = reduce_sum(chances * (log_softmax(wide) - elementwise.log(marginal)), 1)
    return math.cast(elementwise.exp(reduce_mean(divergence)), logits.dtype)


@export(f"{_EVAL}.classifier_score")
def classifier_score(images: Any, classifier_fn: _Function, num_batches: int = 1) -> Tensor:
    """The score of Salimans and others (2016): images are good if each has a clear class, and all have different ones.

    Args:
        images: images.
        classifier_fn: from images to logits of classes.
        num_batches: in how many parts images are classified.
    """
    return classifier_score_from_logits(_of_parts(images, classifier_fn, num_batches))


@export(f"{_EVAL}.inception_score")
def inception_score(images: Any, num_batches: int = 1) -> Tensor:
    """The score of images by the Inception network, which is downloaded once; see `classifier_score`."""
    return classifier_score(images, run_inception, num_batches)


def _both(real: Any, generated: Any) -> Sequence[Tensor]:
    given = [convert_to_tensor(each) for each in (real, generated)]
    for each in given:
        each.shape.assert_has_rank(2)
    return [math.cast(each, dtypes.float64) for each in given]


def _root(matrix: Tensor, eps: float = 1e-10) -> Tensor:
    """The square root of a positive semidefinite matrix."""
    values, left, right = svd(matrix)
    roots = where(elementwise.less(values, eps), values, elementwise.sqrt(values))
    return matmul(matmul(left, matrix_diag(roots)), right, transpose_b=True)


@export(f"{_EVAL}.trace_sqrt_product")
def trace_sqrt_product(sigma: Any, sigma_v: Any) -> Tensor:
    """The trace of the square root of a product of two matrices.

    Args:
        sigma: a positive semidefinite matrix.
        sigma_v: another one.
    """
    root = _root(convert_to_tensor(sigma))
    values = svd(matmul(root, matmul(sigma_v, root)), compute_uv=False)
    return reduce_sum(elementwise.sqrt(values))


@export(f"{_EVAL}.frechet_classifier_distance_from_activations")
def frechet_classifier_distance_from_activations(real_activations: Any, generated_activations: Any) -> Tensor:
    """The Frechet distance of the normal distributions with the means and covariances of activations.

    Args:
        real_activations: of real images, [images, units].
        generated_activations: of generated images.
    """
    means, covariances = [], []
    for each in _both(real_activations, generated_activations):
        mean = reduce_mean(each, 0)
        count = math.cast(array.shape(each)[0], dtypes.float64)
        means.append(mean)
        covariances.append(matmul(each - mean, each - mean, transpose_a=True) / (count - 1.0))
    traces = [reduce_sum(diag_part(each)) for each in covariances]
    distance = (reduce_sum(elementwise.square(means[0] - means[1])) + traces[0] + traces[1]
                - 2.0 * trace_sqrt_product(*covariances))
    return math.cast(distance, convert_to_tensor(real_activations).dtype)


@export(f"{_EVAL}.mean_only_frechet_classifier_distance_from_activations")
def mean_only_frechet_classifier_distance_from_activations(real_activations: Any,
                                                           generated_activations: Any) -> Tensor:
    """The squared distance of the means of activations; see `frechet_classifier_distance_from_activations`."""
    real, generated = (reduce_mean(each, 0) for each in _both(real_activations, generated_activations))
    return math.cast(reduce_sum(elementwise.square(real - generated)), convert_to_tensor(real_activations).dtype)


@export(f"{_EVAL}.diagonal_only_frechet_classifier_distance_from_activations")
def diagonal_only_frechet_classifier_distance_from_activations(real_activations: Any,
                                                               generated_activations: Any) -> Tensor:
    """The distance where activations of different units do not vary together; see
    `frechet_classifier_distance_from_activations`."""
    means, variances = [], []
    for each in _both(real_activations, generated_activations):
        means.append(reduce_mean(each, 0))
        count = math.cast(array.shape(each)[0], dtypes.float64)
        variances.append(reduce_sum(elementwise.square(each - means[-1]), 0) / (count - 1.0))
    roots = elementwise.sqrt(variances[0] * variances[1])
    found = reduce_sum(elementwise.square(means[0] - means[1]) + variances[0] + variances[1] - 2.0 * roots)
    return math.cast(found, convert_to_tensor(real_activations).dtype)


@export(f"{_EVAL}.frechet_classifier_distance")
def frechet_classifier_distance(real_images: Any, generated_images: Any, classifier_fn: _Function,
                                num_batches: int = 1) -> Tensor:
    """The distance of Heusel and others (2017) between real and generated images.

    Args:
        real_images: real images.
        generated_images: generated images.
        classifier_fn: from images to activations, [images, units].
        num_batches: in how many parts images are classified.
    """
    return frechet_classifier_distance_from_activations(
        *(_of_parts(images, classifier_fn, num_batches) for images in (real_images, generated_images)))


@export(f"{_EVAL}.frechet_inception_distance")
def frechet_inception_distance(real_images: Any, generated_images: Any, num_batches: int = 1) -> Tensor:
    """The distance by the Inception network, which is downloaded once; see `frechet_classifier_distance`."""
    return frechet_classifier_distance(
        real_images, generated_images, lambda images: run_inception(images, output_tensor=INCEPTION_FINAL_POOL),
        num_batches)
