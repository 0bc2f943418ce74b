"""Steps of training as objects: tf.contrib.distribute's Step, StandardSingleLossStep and Monitor."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evergraph.base.export import export
from evergraph.graph.graph import default_graph


@export("contrib.distribute.Step")
class Step:
    """A step of training: calling it makes the step, or gives the operation that does.

    Args:
        distribution: the strategy.
    """

    def __init__(self, distribution: Any) -> None:
        self._distribution = distribution

    @property
    def distribution(self) -> Any:
        """The strategy."""
        return self._distribution

    def initialize(self) -> Any:
        """What has to run before the first step: nothing."""
        return []

    def __call__(self) -> Any:
        """Makes a step."""
        raise NotImplementedError("a subclass of Step defines __call__")


@export("contrib.distribute.StandardInputStep")
class StandardInputStep(Step):
    """A step on the next element of a dataset.

    Args:
        dataset_fn: returns the dataset.
        distribution: the strategy.
    """

    def __init__(self, dataset_fn: Callable[[], Any], distribution: Any) -> None:
        super().__init__(distribution)
        self._iterator = distribution.make_input_fn_iterator(lambda _: dataset_fn())

    def initialize(self) -> Any:
        """The operation that begins with the first element."""
        return self._iterator.initialize()


@export("contrib.distribute.StandardSingleLossStep")
class StandardSingleLossStep(StandardInputStep):
    """A step that minimizes the loss of a batch.

    Args:
        dataset_fn: returns the dataset.
        loss_fn: given a context and an element, returns the loss.
        optimizer: a tf.train.Optimizer.
        distribution: the strategy.
        iterations_per_step: how many updates a step makes.
    """

    def __init__(self, dataset_fn: Callable[[], Any], loss_fn: Callable[[Any, Any], Any], optimizer: Any,
                 distribution: Any, iterations_per_step: int = 1) -> None:
        super().__init__(dataset_fn, distribution)
        self._loss_fn, self._optimizer, self._count = loss_fn, optimizer, iterations_per_step

    def __call__(self) -> Any:
        """Makes a step."""
        def step(context: Any, element: Any) -> Any:
            def update(element: Any) -> Any:
                loss = (lambda: self._loss_fn(context, element)) if default_graph().is_eager \
                    else self._loss_fn(context, element)
                return self._optimizer.minimize(loss)

            done = self.distribution.extended.call_for_each_replica(update, (element,))
            return self.distribution.group(done) if done is not None else []

        with self.distribution.scope():
            return self.distribution.extended.experimental_run_steps_on_iterator(
                step, self._iterator, self._count).run_op


@export("contrib.distribute.Monitor")
class Monitor:
    """Runs steps of training.

    Args:
        step_callable: a Step.
        session: the session to run them in; None with eager execution.

    Raises:
        ValueError: there is a session with eager execution, or none in a graph.
    """

    def __init__(self, step_callable: Step, session: Any = None) -> None:
        if default_graph().is_eager:
            if session is not None:
                raise ValueError("Should not provide a `session` with eager execution, where steps run at once")
            step_callable.initialize()
            self._run: Callable[[], Any] = step_callable
        else:
            if session is None:
                raise ValueError("Should provide a `session` in a graph, which runs the steps")
            session.run(step_callable.initialize())
            self._run = session.make_callable(step_callable())

    def run_steps(self, num_steps: int | None = None) -> None:
        """Makes so many steps; by default steps without end.

        Raises:
            OutOfRangeError: the input has ended.
        """
        made = 0
        while num_steps is None or made < num_steps:
            self._run()
            made += 1
