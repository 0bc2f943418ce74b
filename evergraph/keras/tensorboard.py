"""tf.keras.callbacks.TensorBoard: the metrics, the graph, and what is in the layers, for TensorBoard."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from evergraph import proto
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.variables.variable import Variable
from evergraph.graph.composite import IndexedSlices
from evergraph.graph.graph import Graph, default_graph
from evergraph.keras import session
from evergraph.keras.callbacks import Callback
from evergraph.save.saver import Saver
from evergraph.summary import projector, summaries
from evergraph.summary.writer import FileWriter

_NOT_METRICS = ("batch", "size", "num_steps", "outputs")


@export("keras.callbacks.TensorBoard")
class TensorBoard(Callback):
    """Writes events for TensorBoard.

    Args:
        log_dir: the folder of the events.
        histogram_freq: after every so many epochs, histograms of weights and outputs of the layers are written with
            each batch of validation; 0 for none. In a graph only.
        batch_size: has no effect: the batches are those of validation.
        write_graph: whether the graph is written.
        write_grads: whether the histograms include gradients.
        write_images: whether weights are written as images, too.
        embeddings_freq: after every so many epochs, outputs of layers are saved as embeddings; 0 for none.
        embeddings_layer_names: the names of these layers; by default those called "embedding".
        embeddings_metadata: the file with the names of the examples, for the Projector; or a dict by layers.
        embeddings_data: the inputs whose embeddings are saved.
        update_freq: "epoch" to write metrics at the end of epochs; "batch", or a number of examples, for more often.
        profile_batch: the number of the batch whose step is profiled in TensorFlow; has no effect here.
    """

    def __init__(self, log_dir: str = "./logs", histogram_freq: int = 0, batch_size: int = 32, write_graph: bool = True,
                 write_grads: bool = False, write_images: bool = False, embeddings_freq: int = 0,
                 embeddings_layer_names: Any = None, embeddings_metadata: Any = None, embeddings_data: Any = None,
                 update_freq: Any = "epoch", profile_batch: int = 2) -> None:
        super().__init__()
        self.log_dir, self.histogram_freq, self.batch_size = log_dir, histogram_freq, batch_size
        if default_graph().is_eager and (histogram_freq or embeddings_freq):
            raise ValueError("TensorBoard's histogram_freq and embeddings_freq need a graph: they are not supported "
                             "with eager execution")
        self.write_graph, self.write_grads, self.write_images = write_graph, write_grads, write_images
        self.embeddings_freq, self.embeddings_layer_names = embeddings_freq, embeddings_layer_names
        self.embeddings_metadata, self.embeddings_data = embeddings_metadata, embeddings_data
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.merged: Any = None
        self.writer: Any = None
        self._engine: Any = None
        self._samples_seen = self._samples_seen_at_last_write = self._batches_seen = self._validations_seen = 0
        self._epoch = 0
        self._embeddings: dict[str, tuple[Any, Any]] = {}

    # ---- what is written

    def _init_writer(self, model: Any) -> None:
        """Opens the file of events."""
        shown = None if default_graph().is_eager or not self.write_graph else session.get_session().graph
        with Graph().as_default():  # the file does not belong to a graph, and takes no part in eager execution
            self.writer = FileWriter(self.log_dir, shown)

    def set_model(self, model: Any) -> None:
        """Sets the model, and opens the file."""
        super().set_model(model)
        self._init_writer(model)
        if self.embeddings_freq and self.embeddings_data is not None:
            self._make_embeddings()

    def _summaries(self) -> Any:
        """The merged histograms and images of the layers."""
        if self.merged is None:
            made = []
            for layer in self.model.layers:
                for weight in layer.weights:
                    made += self._of_weight(weight, weight.name.replace(":", "_"))
                if hasattr(layer, "output"):
                    outputs = layer.output if isinstance(layer.output, list) else [layer.output]
                    made += [summaries.histogram(f"{layer.name}_out" if len(outputs) == 1 else
                                                 f"{layer.name}_out_{place}", output)
                             for place, output in enumerate(outputs)]
            self.merged = summaries.merge(made)
        return self.merged

    def _of_weight(self, weight: Any, name: str) -> list[Any]:
        made = [summaries.histogram(name, weight)]
        if self.write_images:
            made.append(summaries.image(name, as_image(weight)))
        if self.write_grads and any(weight is each for each in self.model.trainable_weights):
            for gradient in self.model.optimizer.get_gradients(self.model.total_loss, [weight]):
                values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
                made.append(summaries.histogram(f"{name}_grad", values))
        return made

    def _write_custom_summaries(self, step: int, logs: dict[str, Any]) -> None:
        """Writes metrics as scalars."""
        for name, value in logs.items():
            summary = proto.summary_pb2.Summary()
            summary.value.add(tag=name, simple_value=float(np.asarray(value).item()))
            self.writer.add_summary(summary, step)
        self.writer.flush()

    # ---- moments

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes the metrics of a batch, if it is time."""
        logs = logs or {}
        self._samples_seen += logs.get("size", 1)
        if self.update_freq != "epoch" and \
                self._samples_seen - self._samples_seen_at_last_write >= self.update_freq:
            self._write_custom_summaries(self._batches_seen, {
                f"batch_{name}": value for name, value in logs.items() if name not in _NOT_METRICS})
            self._samples_seen_at_last_write = self._samples_seen
        self._batches_seen += 1

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Has the steps of validation write the histograms, if it is time.

        Raises:
            ValueError: histograms are wanted, but there is no validation.
        """
        self._epoch = epoch
        if not self.histogram_freq:
            return
        if not self.params.get("do_validation"):
            raise ValueError("If printing histograms, validation_data must be provided, and cannot be a generator.")
        if epoch % self.histogram_freq == 0:
            self._engine = self.model._settled_engine()
            self._engine.watch("test", self._summaries(), self._fetch_callback)

    def _fetch_callback(self, summary: Any) -> None:
        self.writer.add_summary(summary, self._validations_seen)
        self._validations_seen += 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes the metrics of an epoch, and the embeddings if it is time."""
        step = epoch if self.update_freq == "epoch" else self._samples_seen
        self._write_custom_summaries(step, {
            f"epoch_{name}": value for name, value in (logs or {}).items() if name not in _NOT_METRICS})
        if self._engine is not None:
            self._engine.watch("test", None, None)
            self._engine = None
        if self._embeddings and epoch % self.embeddings_freq == 0:
            self._save_embeddings(epoch)

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the file."""
        self.writer.close()

    # ---- embeddings

    def _make_embeddings(self) -> None:
        """Makes a variable for the embeddings of each layer, and tells the Projector of them."""
        names = self.embeddings_layer_names or [layer.name for layer in self.model.layers
                                                if type(layer).__name__ == "Embedding"]
        config = projector.ProjectorConfig()
        rows = len(self.embeddings_data[0] if isinstance(self.embeddings_data, list) else self.embeddings_data)
        for layer in self.model.layers:
            if layer.name in names:
                size = int(np.prod(layer.output.shape.as_list()[1:]))
                variable = Variable(array.zeros([rows, size]), name=f"{layer.name}_embedding", trainable=False)
                self._embeddings[layer.name] = layer.output, variable
                entry = config.embeddings.add(tensor_name=variable.name)
                metadata = self.embeddings_metadata
                metadata = metadata.get(layer.name) if isinstance(metadata, dict) else metadata
                if metadata is not None:
                    entry.metadata_path = metadata
        if self._embeddings:
            projector.visualize_embeddings(self.writer, config)
            self._saver = Saver([variable for _, variable in self._embeddings.values()])

    def _save_embeddings(self, epoch: int) -> None:
        current = session.get_session()
        data = self.embeddings_data if isinstance(self.embeddings_data, list) else [self.embeddings_data]
        for output, variable in self._embeddings.values():
            found = current.run(output, dict(zip(self.model.inputs, data)))
            variable.load(np.reshape(found, variable.shape.as_list()), current)
        self._saver.save(current, os.path.join(self.log_dir, "keras_embedding.ckpt"), epoch)


def as_image(weight: Any) -> Any:
    """A weight as pictures: vectors and matrices as one, kernels of convolutions as one for each filter."""
    value = array.squeeze(weight.read_value())
    sizes = value.shape.as_list()
    if len(sizes) == 2:
        value = array.transpose(value) if sizes[0] > sizes[1] else value
        return array.reshape(value, [1, *value.shape.as_list(), 1])
    if len(sizes) == 3:
        return array.reshape(array.transpose(value, [2, 0, 1]), [sizes[2], sizes[0], sizes[1], 1])
    if len(sizes) == 4:
        return array.reshape(array.transpose(value, [2, 3, 0, 1]), [-1, sizes[0], sizes[1], 1])[:3]
    return array.reshape(value, [1, -1, 1, 1])
