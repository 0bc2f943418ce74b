"""The training of `tf.keras.Model`: compile, fit, evaluate, predict and their relatives."""
from __future__ import annotations

from typing import Any

from evergraph.base import errors, logging, nest
from evergraph.distribute.contexts import get_strategy, has_strategy
from evergraph.eager.function import execution
from evergraph.frontend.array import placeholder
from evergraph.graph.convert import convert_to_tensor
from evergraph.graph.graph import default_graph
from evergraph.graph.node import Tensor
from evergraph.keras import given_arrays, history, loops, settings
from evergraph.keras.batches import has_tensors
from evergraph.keras.compilation import Arguments, Compilation, names_of, optimizer_of
from evergraph.keras.eager_training import EagerTraining
from evergraph.keras.graph_training import GraphTraining, is_fed
from evergraph.keras.replicated_training import ReplicatedTraining, scope_of, strategy_of
from evergraph.keras.training_data import batch_of, batches_of, is_stream


class Training:
    """The part of a model that trains it."""

    name: str
    inputs: Any
    outputs: Any
    optimizer: Any = None
    loss: Any = None
    loss_weights: Any = None
    sample_weight_mode: Any = None
    history: Any = None
    stop_training = False
    _compile_metrics = property(lambda self: self._arguments and (self._arguments.metrics or []),
                                doc="The metrics that `compile` was given.")
    _compile_weighted_metrics = property(lambda self: self._arguments and self._arguments.weighted_metrics,
                                         doc="The weighted metrics that `compile` was given.")
    _is_compiled = False
    _arguments: Arguments | None = None
    _compilation: Compilation | None = None
    _engine: Any = None
    _structure: Any = None  # of the inputs
    _strategy: Any = None  # in whose scope it was compiled
    _run_eagerly: bool | None = None

    # ---- compile

    def compile(self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None, loss_weights: Any = None,
                sample_weight_mode: Any = None, weighted_metrics: Any = None, target_tensors: Any = None,
                distribute: Any = None, **kwargs: Any) -> None:
        """Settles how the model is trained.

        Args:
            optimizer: an optimizer, or its name.
            loss: a loss, a function of labels and predictions, or a name; for several outputs also a list, or a dict by
                the names of outputs. Without one, the losses of layers are minimized.
            metrics: a list of metrics, functions or names; for several outputs also a list of lists, or a dict.
            loss_weights: the factors of the outputs' losses, a list or a dict.
            sample_weight_mode: "temporal" if weights of examples are given by time step; for several outputs also a
                list or a dict.
            weighted_metrics: metrics that are given the weights of examples.
            target_tensors: tensors for the labels, in place of what `fit` is given.
            distribute: not supported; the scope of a strategy is what distributes a model.
            **kwargs: `run_eagerly`, whether steps run as Python with eager execution, not as a `tf.function`;
                `experimental_run_tf_function` and `cloning` have no effect: a model is always one step per batch.

        Raises:
            ValueError: an argument does not fit the outputs, or a name is unknown.
            TypeError: there is another keyword.
        """
        run_eagerly = kwargs.pop("run_eagerly", None)
        for keyword in ("experimental_run_tf_function", "cloning"):
            kwargs.pop(keyword, None)
        if distribute is not None:
            raise errors.UnimplementedError(None, None, "Model.compile(distribute=...)")
        if kwargs:
            raise TypeError(f"Invalid keyword argument(s) in `compile`: {sorted(kwargs)}")
        if target_tensors is not None and default_graph().is_eager:
            raise ValueError("target_tensors are for models that run in a graph, not eagerly")
        self.optimizer = optimizer_of(optimizer)
        self.loss, self.loss_weights, self.sample_weight_mode = loss, loss_weights, sample_weight_mode
        self._arguments = Arguments(self.optimizer, loss, metrics, loss_weights, sample_weight_mode, weighted_metrics,
                                    target_tensors, run_eagerly)
        self._is_compiled, self._run_eagerly = True, run_eagerly
        self._strategy = get_strategy() if has_strategy() else None
        self._compilation = self._engine = None
        _ = self.run_eagerly  # raises if that is impossible
        if self.outputs is not None:
            self._known_compilation()

    def _known_compilation(self) -> Compilation:
        """The losses and metrics, made when the outputs are known."""
        self._check_compiled()
        if self._compilation is None:
            with scope_of(self):
                self._compilation = Compilation(
                    self._arguments, self.output_names, self.outputs,  # type: ignore[arg-type]
                    list(self.trainable_weights))  # type: ignore[attr-defined]
        return self._compilation

    def _check_signature(self, method: str) -> None:
        """Raises ValueError if `call` needs more than the inputs."""
        self._refuse_positional(  # type: ignore[attr-defined]
            f"Models passed to `{method}` need defaults for the arguments of `call` besides the inputs, `training` and "
            f"`mask`; there is none for")

    def _check_compiled(self, method: str | None = None) -> None:
        if method is not None:
            self._check_signature(method)
        if not self._is_compiled:
            raise RuntimeError("You must compile your model first: call `model.compile(optimizer, loss)`.")

    def _training_metrics(self) -> list[Any]:
        """The metrics whose values a step returns, after the loss."""
        losses = self._compilation.mean_losses if self._compilation is not None else []
        return losses + self.metrics

    @property
    def metrics(self) -> list[Any]:
        """The metrics of `compile`, then those of layers."""
        compiled = self._compilation.metrics if self._compilation is not None else []
        return compiled + [metric for metric in self._layer_metrics() if metric not in compiled]

    @property
    def metrics_names(self) -> list[str]:
        """The names of what `evaluate` returns."""
        return ["loss", *(metric.name for metric in self._training_metrics())]

    @property
    def run_eagerly(self) -> bool:
        """Whether steps run as Python, with eager execution.

        Raises:
            ValueError: it was asked for without eager execution.
        """
        if self._run_eagerly and not default_graph().is_eager:
            raise ValueError("`run_eagerly=True` needs eager execution.")
        if self.dynamic:  # type: ignore[attr-defined]
            if not default_graph().is_eager:
                raise ValueError("The model has layers with `dynamic=True`, which run in Python. You must enable eager "
                                 "execution: call `tf.enable_eager_execution()` first.")
            if self._run_eagerly is False:
                raise ValueError("The model has layers with `dynamic=True`, which run in Python: `run_eagerly=False` "
                                 "is impossible")
            return True
        return execution.functions_eagerly if self._run_eagerly is None else self._run_eagerly

    @run_eagerly.setter
    def run_eagerly(self, value: bool | None) -> None:
        self._run_eagerly = value

    @property
    def total_loss(self) -> Any:
        """The tensor of the loss that is minimized, in a graph."""
        return self._settled_engine().total_loss

    @property
    def targets(self) -> list[Any]:
        """The tensors of the labels, in a graph."""
        return self._settled_engine().targets

    # ---- loops

    def fit(self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: int = 1,
            callbacks: Any = None, validation_split: float = 0.0, validation_data: Any = None, shuffle: Any = True,
            class_weight: Any = None, sample_weight: Any = None, initial_epoch: int = 0,
            steps_per_epoch: int | None = None, validation_steps: int | None = None, validation_freq: Any = 1,
            max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False, **kwargs: Any) -> Any:
        """Trains the model.

        >>> line = tf.keras.layers.Dense(1, input_shape=(2,))
        >>> model = tf.keras.Sequential([line])
        >>> model.compile("sgd", "mse")
        >>> history = model.fit(np.ones([8, 2]), np.ones([8, 1]), verbose=0)
        >>> list(history.history)
        ['loss']

        Args:
            x: an array or tensor of inputs, a list of them, or a dict by the names of inputs; or a dataset, a generator
                or a `tf.keras.utils.Sequence` of (inputs, labels) or (inputs, labels, weights).
            y: the labels, in one of the first forms.
            batch_size: the number of examples in a batch, 32 by default.
            epochs: the number of the last epoch.
            verbose: 0 for silence, 1 for a progress bar, 2 for a line each epoch.
            callbacks: a list of `tf.keras.callbacks.Callback`.
            validation_split: the part of the arrays, at their end, that is set aside to validate with.
            validation_data: (inputs, labels) or (inputs, labels, weights) to validate with, or a dataset, a generator
                or a Sequence.
            shuffle: whether examples have another order in each epoch; "batch" shuffles batches.
            class_weight: a dict from class indices to the weights of their examples.
            sample_weight: the weights of examples: a vector, or a matrix with `sample_weight_mode="temporal"`.
            initial_epoch: the number of epochs that count as done.
            steps_per_epoch: the number of batches in an epoch, for data without end.
            validation_steps: the number of batches to validate with.
            validation_freq: after every so many epochs; or a list of the numbers of epochs, from 1.
            max_queue_size, workers, use_multiprocessing: for a generator or Sequence, how many batches wait, how many
                workers make them, and whether these are processes.
            **kwargs: `reset_metrics`, whether metrics begin anew in each epoch.

        Returns:
            A `tf.keras.callbacks.History`.

        Raises:
            RuntimeError: the model is not compiled.
            ValueError: the data does not fit the model, or arguments contradict each other.
        """
        reset_metrics = kwargs.pop("reset_metrics", True)
        if "nb_epoch" in kwargs:
            logging.warning("`nb_epoch` is an old name: it is `epochs` that `fit` takes.")
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self._check_compiled("fit")
        self._check_trainable()
        workers_of = {"max_queue_size": max_queue_size, "workers": workers, "use_multiprocessing": use_multiprocessing}
        if validation_split and validation_data is None:
            x, y, sample_weight, validation_data = _split(x, y, sample_weight, validation_split)
        batches = batches_of(self, x, y, sample_weight, class_weight, batch_size, steps_per_epoch, shuffle,
                             "steps_per_epoch", workers=workers_of)
        try:
            validation = self._validation(validation_data, batch_size, validation_steps, validation_freq, workers_of,
                                          batches)
            return loops.train(self, batches, callbacks, epochs, verbose, initial_epoch, validation,
                               announced=not _is_generator(x), reset_metrics=reset_metrics)
        finally:
            _close(batches)

    def _validation(self, data: Any, batch_size: int | None, steps: int | None, frequency: Any,
                    workers: dict[str, Any], batches: Any) -> loops.Validation | None:
        if data is None or isinstance(data, (list, tuple)) and not data:
            return None
        if is_stream(data):
            return loops.Validation(batches_of(self, data, None, None, None, None, steps, False, "validation_steps",
                                               workers=workers, validating=True), frequency)
        if not isinstance(data, (list, tuple)) or len(data) not in (2, 3):
            raise ValueError(f"`validation_data` is (x, y), (x, y, weights), a dataset or a generator; got "
                             f"{str(data)[:200]}")
        x, y, weights = (*data, None)[:3]
        size = batch_size or getattr(batches, "batch_size", None)
        size = None if is_stream(x) else size
        found = batches_of(self, x, y, weights, None, size, steps, False, "validation_steps", workers=workers,
                           validating=True)
        return loops.Validation(found, frequency)

    def evaluate(self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: int = 1,
                 sample_weight: Any = None, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
                 workers: int = 1, use_multiprocessing: bool = False) -> Any:
        """The loss and the metrics of the model on data.

        Args:
            x, y, sample_weight: as for `fit`.
            batch_size: the number of examples in a batch, 32 by default.
            verbose: 0 for silence, 1 for a progress bar.
            steps: the number of batches, for data without end.
            callbacks: a list of `tf.keras.callbacks.Callback`.
            max_queue_size, workers, use_multiprocessing: as for `fit`.

        Returns:
            The loss, or a list of the loss and the metrics, see `metrics_names`.
        """
        self._check_compiled("evaluate")
        batches = batches_of(self, x, y, sample_weight, None, batch_size, steps, False, "steps", workers={
            "max_queue_size": max_queue_size, "workers": workers, "use_multiprocessing": use_multiprocessing})
        try:
            return loops.evaluate(self, batches, callbacks, verbose)
        finally:
            _close(batches)

    def predict(self, x: Any, batch_size: int | None = None, verbose: int = 0, steps: int | None = None,
                callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
                use_multiprocessing: bool = False) -> Any:
        """The outputs of the model for inputs, batch by batch.

        Args:
            x: the inputs, as for `fit`.
            batch_size: the number of examples in a batch, 32 by default.
            verbose: 0 for silence, 1 for a progress bar.
            steps: the number of batches, for data without end.
            callbacks: a list of `tf.keras.callbacks.Callback`.
            max_queue_size, workers, use_multiprocessing: as for `fit`.

        Returns:
            An array, or a list of them.
        """
        self._check_signature("predict")
        batches = batches_of(self, x, None, None, None, batch_size, steps, False, "steps", predicting=True, workers={
            "max_queue_size": max_queue_size, "workers": workers, "use_multiprocessing": use_multiprocessing})
        try:
            return loops.predict(self, batches, callbacks, verbose)
        finally:
            _close(batches)

    def fit_generator(self, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, verbose: int = 1,
                      callbacks: Any = None, validation_data: Any = None, validation_steps: int | None = None,
                      validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10, workers: int = 1,
                      use_multiprocessing: bool = False, shuffle: bool = True, initial_epoch: int = 0) -> Any:
        """Trains the model on a generator or a `tf.keras.utils.Sequence`; `fit` does the same."""
        return self.fit(_checked(generator), steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose,
                        callbacks=callbacks, validation_data=validation_data, validation_steps=validation_steps,
                        validation_freq=validation_freq, class_weight=class_weight, max_queue_size=max_queue_size,
                        workers=workers, use_multiprocessing=use_multiprocessing, shuffle=shuffle,
                        initial_epoch=initial_epoch)

    def evaluate_generator(self, generator: Any, steps: int | None = None, callbacks: Any = None,
                           max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
                           verbose: int = 0) -> Any:
        """The loss and the metrics on a generator or a `tf.keras.utils.Sequence`; `evaluate` does the same."""
        return self.evaluate(_checked(generator), steps=steps, callbacks=callbacks, max_queue_size=max_queue_size,
                             workers=workers, use_multiprocessing=use_multiprocessing, verbose=verbose)

    def predict_generator(self, generator: Any, steps: int | None = None, callbacks: Any = None,
                          max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
                          verbose: int = 0) -> Any:
        """The outputs for the inputs of a generator or a `tf.keras.utils.Sequence`; `predict` does the same."""
        return self.predict(_checked(generator), steps=steps, callbacks=callbacks, max_queue_size=max_queue_size,
                            workers=workers, use_multiprocessing=use_multiprocessing, verbose=verbose)

    # ---- batches

    def train_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
                       reset_metrics: bool = True) -> Any:
        """Trains on one batch.

        Args:
            x, y, sample_weight, class_weight: as for `fit`.
            reset_metrics: whether the metrics are of this batch alone.

        Returns:
            The loss, or a list of the loss and the metrics, see `metrics_names`.
        """
        self._check_compiled("train_on_batch")
        if self._engine is None:
            self._check_trainable()
        batch = batch_of(self, x, y, sample_weight, class_weight)
        return self._one_step(self._settled_engine().train(batch.weighted), batch.fed, reset_metrics)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True) -> Any:
        """The loss and the metrics of one batch; arguments as for `train_on_batch`."""
        self._check_compiled("test_on_batch")
        batch = batch_of(self, x, y, sample_weight)
        return self._one_step(self._settled_engine().test(batch.weighted), batch.fed, reset_metrics)

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for one batch: an array, or a list of them."""
        self._check_signature("predict_on_batch")
        batch = batch_of(self, x, predicting=True)
        found = self._settled_engine(compiled=False).predict()(*batch.inputs)
        return found[0] if len(found) == 1 else found

    def _one_step(self, step: Any, fed: list[Any], reset_metrics: bool) -> Any:
        results = step(*fed)
        if reset_metrics:
            self.reset_metrics()
        return results[0] if len(results) == 1 else results

    def reset_metrics(self) -> None:
        """Sets the metrics to zero."""
        if self._engine is not None:
            self._engine.reset_metrics()

    # ---- inputs and outputs

    def _know_inputs(self, x: Any) -> None:
        """Finds the inputs and outputs of a model that was described without, from its first data."""
        if self.inputs is not None or x is None:
            return
        self._structure = nest.map_structure(lambda each: None, x) if isinstance(x, (list, tuple, dict)) and \
            all(hasattr(each, "shape") for each in nest.flatten(x)) else None
        arrays = [given_arrays.as_matrix(each) for each in (nest.flatten(x) if self._structure is not None else [x])]
        names = names_of(x, "input") if self._structure is not None else ["input_1"]
        with scope_of(self):
            self._build_on(arrays, names)

    def _build_on(self, arrays: list[Any], names: list[str]) -> None:
        if default_graph().is_eager and self.run_eagerly:
            made: Any = [convert_to_tensor(each[:1]) for each in arrays]
            outputs = self(self._packed_inputs(made))  # type: ignore[operator]
            for metric in self._layer_metrics():  # type: ignore[attr-defined]
                metric.reset_states()
        else:
            with history.symbolic():
                made = [_placeholder(each, name) for each, name in zip(arrays, names)]
                flag = self._training_flag(None if default_graph().is_eager else settings.learning_phase())
                outputs = self(self._packed_inputs(made), **flag)  # type: ignore[operator]
        self._set_ends(made, names, outputs)

    def _adopt(self, x: Any, y: Any) -> None:
        """Makes tensors of the program's the inputs, and the labels, of a model that was described without."""
        self._structure = nest.map_structure(lambda each: None, x) if isinstance(x, (list, tuple, dict)) else None
        outputs = self(x, **self._training_flag(settings.learning_phase()))  # type: ignore[operator]
        self._set_ends(nest.flatten(x), names_of(x, "input") if self._structure is not None else ["input_1"], outputs)
        if y is not None and self._arguments is not None:
            self._arguments.target_tensors = y

    def _set_ends(self, inputs: list[Any], names: list[str], outputs: Any) -> None:
        self.inputs, self.input_names = inputs, names
        self.outputs, self.output_names = nest.flatten(outputs), names_of(outputs, "output")

    _set_inputs = _know_inputs  # TensorFlow's name, which programs call

    def _packed_inputs(self, flat: list[Any]) -> Any:
        """Inputs in the form in which the model takes them."""
        if self._structure is not None:
            return nest.pack_sequence_as(self._structure, flat)
        return flat[0] if len(flat) == 1 else flat

    def _training_flag(self, training: Any) -> dict[str, Any]:
        return {} if training is None or not self._takes("training") else {  # type: ignore[attr-defined]
            "training": training}

    def _fed_inputs(self) -> tuple[list[str], list[Any]]:
        """The names and shapes of inputs that data is needed for; None where anything goes."""
        if self.inputs is None:
            return [], []
        pairs = [(name, tensor) for name, tensor in zip(self.input_names, self.inputs) if is_fed(tensor)]
        known = self._functional  # type: ignore[attr-defined]
        return [name for name, _ in pairs], [
            tensor.shape.as_list() if known and isinstance(tensor, Tensor) and tensor.shape.rank is not None else None
            for _, tensor in pairs]

    def _fed_dtypes(self) -> list[Any]:
        return [tensor.dtype.base_dtype for tensor in self.inputs or () if is_fed(tensor)]

    def _fixed_batch_size(self) -> int | None:
        """The size of batches that the inputs of a functional model say."""
        shapes = self._fed_inputs()[1]
        return next((shape[0] for shape in shapes if shape and shape[0] is not None), None)

    # ---- steps

    def _settled_engine(self, compiled: bool = True) -> Any:
        """What makes the steps: in a graph or with eager execution."""
        compilation = self._known_compilation() if compiled or self._is_compiled else None
        if self._engine is None or self._engine_is_for is not compilation:
            self._engine, self._engine_is_for = self._new_engine(compilation), compilation
        return self._engine

    def _new_engine(self, compilation: Compilation | None) -> Any:
        strategy = strategy_of(self)
        if strategy is not None and strategy.num_replicas_in_sync > 1:
            return ReplicatedTraining(self, compilation, strategy)
        return EagerTraining(self, compilation) if default_graph().is_eager else GraphTraining(self, compilation)

    _engine_is_for: Any = None

    def _make_train_function(self) -> None:
        """Describes the step that trains on examples without weights; this creates the variables of the optimizer."""
        engine = self._settled_engine()
        engine.train((False,) * len(self._known_compilation().trained))

    def _check_trainable(self) -> None:
        """Warns if the trainable weights are others than when the model was compiled."""
        if self._compilation is not None and len(self._compilation.trainable) != len(
                self.trainable_weights):  # type: ignore[attr-defined]
            logging.warning("The trainable weights are not those that `compile` found: a change of `trainable` takes "
                            "effect with the next `compile`.")


def _placeholder(array: Any, name: str) -> Any:
    dtype = settings.floatx() if array.dtype.name.startswith("float") else array.dtype
    return placeholder(dtype, (None, *array.shape[1:]), name=name)


def _split(x: Any, y: Any, weights: Any, fraction: float) -> tuple[Any, Any, Any, Any]:
    """What to train with and what to validate with.

    Raises:
        ValueError: the data is not in arrays, or one of the parts would be empty.
    """
    x, y, weights = map(given_arrays.without_lists, (x, y, weights))
    arrays = [each for each in nest.flatten([x, y, weights]) if each is not None]
    if is_stream(x) or has_tensors(arrays) or any(not hasattr(each, "shape") for each in arrays):
        raise ValueError("With tensors, a dataset or a generator as data, you cannot use `validation_split`: it cuts "
                         "arrays")
    count = int(arrays[0].shape[0])
    at = int(count * (1.0 - fraction))
    if not 0 < at < count:
        raise ValueError(f"`validation_split={fraction}` of {count} samples leaves nothing to train on, or nothing to "
                         f"validate with.")
    cut = lambda data, rows: None if data is None else nest.map_structure(
        lambda each: given_arrays.as_array(each)[rows], data)
    before, after = slice(0, at), slice(at, None)
    validation = [cut(x, after), cut(y, after), *([cut(weights, after)] if weights is not None else [])]
    return cut(x, before), cut(y, before), cut(weights, before), tuple(validation)


def _is_generator(x: Any) -> bool:
    return is_stream(x) and not hasattr(x, "make_initializable_iterator")


def _checked(generator: Any) -> Any:
    if not is_stream(generator):
        raise ValueError(f"expected a generator, a dataset or a tf.keras.utils.Sequence, got a "
                         f"{type(generator).__name__}")
    return generator


def _close(batches: Any) -> None:
    if hasattr(batches, "close"):
        batches.close()
