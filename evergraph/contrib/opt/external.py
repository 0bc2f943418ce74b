"""tf.contrib.opt.ScipyOptimizerInterface: SciPy's optimizers for losses of a graph."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evergraph.base import logging
from evergraph.base.export import export
from evergraph.frontend import array
from evergraph.frontend.collections import trainable_variables
from evergraph.frontend.gradients import gradients
from evergraph.frontend.variables.assign import assign
from evergraph.frontend.variables.variable import RefVariable
from evergraph.graph.node import Tensor
from evergraph.run.session import get_default_session


@export("contrib.opt.ExternalOptimizerInterface")
class ExternalOptimizerInterface:
    """The base of interfaces to external optimizers, which see all variables as one vector.

    Args:
        loss: the scalar to minimize.
        var_list: the variables to optimize; by default the trainable ones.
        equalities: tensors that are constrained to be zero.
        inequalities: tensors that are constrained to be non-negative.
        var_to_bounds: variable -> (lower bound, upper bound), each a number, an array or None.
        optimizer_kwargs: the subclass's arguments.
    """

    def __init__(self, loss: Tensor, var_list: Sequence[Any] | None = None, equalities: Sequence[Tensor] | None = None,
                 inequalities: Sequence[Tensor] | None = None, var_to_bounds: Mapping[Any, Any] | None = None,
                 **optimizer_kwargs: Any) -> None:
        self._loss = loss
        self._equalities, self._inequalities = list(equalities or ()), list(inequalities or ())
        self._vars = trainable_variables() if var_list is None else list(var_list)
        self._bounds = None if var_to_bounds is None else self._packed_bounds(var_to_bounds)
        self.optimizer_kwargs = optimizer_kwargs
        self._loss_grad = self._slopes(loss)
        self._equality_grads = [self._slopes(t) for t in self._equalities]
        self._inequality_grads = [self._slopes(t) for t in self._inequalities]
        self._joined = array.concat([array.reshape(v, [-1]) for v in self._vars], 0)
        self._new_values = [array.placeholder(v.dtype.base_dtype, v.shape) for v in self._vars]
        # All reads of a ref variable see a fed value; a resource variable must be assigned.
        self._can_be_fed = all(isinstance(v, RefVariable) for v in self._vars)
        self._assigns = [assign(v, value) for v, value in zip(self._vars, self._new_values)]

    def _slopes(self, tensor: Tensor) -> Tensor:
        """The gradient of a scalar with respect to all variables, as one vector."""
        found = gradients(tensor, self._vars)
        parts = [array.zeros_like(v) if g is None else g for g, v in zip(found, self._vars)]
        return array.concat([array.reshape(p, [-1]) for p in parts], 0)

    def _packed_bounds(self, var_to_bounds: Mapping[Any, Any]) -> list[tuple[float, float]]:
        """(lower, upper) of each element of the vector."""
        found: list[tuple[float, float]] = []
        for v in self._vars:
            low, high = var_to_bounds.get(v, (-np.inf, np.inf))
            spread = lambda bound, free, shape=v.shape.tuple: np.broadcast_to(
                np.where(np.equal(bound, None), free, bound).astype(float), shape).reshape(-1)
            found += zip(spread(low, -np.inf).tolist(), spread(high, np.inf).tolist())
        return found

    def minimize(self, session: Any = None, feed_dict: Mapping[Any, Any] | None = None,
                 fetches: Sequence[Any] | None = None, step_callback: Callable[..., Any] | None = None,
                 loss_callback: Callable[..., Any] | None = None, **run_kwargs: Any) -> None:
        """Minimizes the loss and assigns the result to the variables.

        Args:
            session: the session of the variables; by default the default session.
            feed_dict: the values to feed in each evaluation.
            fetches: the tensors to fetch for `loss_callback`.
            step_callback: called with the vector of variables after each step.
            loss_callback: called with the values of `fetches` whenever the loss is evaluated.
            run_kwargs: arguments for Session.run.
        """
        session = get_default_session() if session is None else session
        feeds, fetches = dict(feed_dict or {}), list(fetches or ())
        step_callback = step_callback or (lambda vector: None)
        loss_and_slope = self._function([self._loss, self._loss_grad], session, feeds, fetches, run_kwargs,
                                        loss_callback)
        values = lambda tensors: [self._function([t], session, feeds, [], run_kwargs) for t in tensors]
        result = self._minimize(
            initial_val=session.run(self._joined, feeds), loss_grad_func=loss_and_slope,
            equality_funcs=values(self._equalities), equality_grad_funcs=values(self._equality_grads),
            inequality_funcs=values(self._inequalities), inequality_grad_funcs=values(self._inequality_grads),
            packed_bounds=self._bounds, step_callback=step_callback, optimizer_kwargs=self.optimizer_kwargs)
        session.run(self._assigns, dict(zip(self._new_values, self._split(result))))

    def _split(self, vector: np.ndarray) -> list[np.ndarray]:
        """Splits the vector into the variables' values."""
        sizes = [int(np.prod(v.shape.tuple)) for v in self._vars]
        parts = np.split(np.asarray(vector), np.cumsum(sizes)[:-1])
        return [p.reshape(v.shape.tuple).astype(v.dtype.base_dtype.np) for p, v in zip(parts, self._vars)]

    def _function(self, wanted: list[Tensor], session: Any, feeds: dict[Any, Any], fetches: list[Any],
                  run_kwargs: Mapping[str, Any], callback: Callable[..., Any] | None = None) -> Callable[..., Any]:
        """A function of the vector that evaluates tensors."""
        def evaluate(vector: np.ndarray) -> Any:
            values = self._split(vector)
            given = dict(zip(self._vars, values)) if self._can_be_fed else {}
            if not given:
                session.run(self._assigns, dict(zip(self._new_values, values)))
            found = session.run([*wanted, *fetches], {**feeds, **given}, **run_kwargs)
            if callback is not None:
                callback(*found[len(wanted):])
            # SciPy uses double precision, and may keep or modify its arguments.
            numbers = [np.array(f, np.float64) for f in found[:len(wanted)]]
            return numbers if len(numbers) > 1 else numbers[0]
        return evaluate

    def _minimize(self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any, equality_grad_funcs: Any,
                  inequality_funcs: Any, inequality_grad_funcs: Any, packed_bounds: Any, step_callback: Any,
                  optimizer_kwargs: Any) -> np.ndarray:
        """Returns the vector that minimizes the loss.

        Args:
            initial_val: the initial vector.
            loss_grad_func: (loss, gradient) of a vector.
            equality_funcs: the equalities, as functions of a vector.
            equality_grad_funcs: their gradients.
            inequality_funcs: the inequalities.
            inequality_grad_funcs: their gradients.
            packed_bounds: (lower, upper) of each element, or None.
            step_callback: called with the vector after each step.
            optimizer_kwargs: the constructor's other arguments.
        """
        raise NotImplementedError("a subclass of ExternalOptimizerInterface defines _minimize")


@export("contrib.opt.ScipyOptimizerInterface")
class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with scipy.optimize.minimize, by default with L-BFGS-B, or SLSQP if there are constraints.

    >>> optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B", options={"maxiter": 100})
    >>> optimizer.minimize(session)

    Args:
        loss: what to minimize, a scalar tensor.
        var_list: the variables to change; by default all that are trained.
        equalities: tensors that must become 0.
        inequalities: tensors that must not be negative.
        var_to_bounds: a dict of variables and (lowest, highest), numbers or arrays.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any, equality_grad_funcs: Any,
                  inequality_funcs: Any, inequality_grad_funcs: Any, packed_bounds: Any, step_callback: Any,
                  optimizer_kwargs: Any) -> np.ndarray:
        import scipy.optimize

        constraints = [{"type": kind, "fun": function, "jac": slope}
                       for kind, functions, slopes in (("eq", equality_funcs, equality_grad_funcs),
                                                       ("ineq", inequality_funcs, inequality_grad_funcs))
                       for function, slope in zip(functions, slopes)]
        method = "SLSQP" if constraints else self._DEFAULT_METHOD
        settings = {"jac": True, "callback": step_callback, "method": method, "constraints": constraints,
                    "bounds": packed_bounds, **optimizer_kwargs}
        for reserved in ("fun", "x0", "jac"):
            if reserved in optimizer_kwargs:
                raise ValueError(f"{reserved} is given by the graph and cannot be an argument of the optimizer")
        if settings["method"] not in ("SLSQP", "COBYLA", "trust-constr"):
            del settings["constraints"]
        if settings["method"] in ("Nelder-Mead", "Powell", "COBYLA"):  # these methods use no gradients
            del settings["jac"]
            loss_of = lambda vector: loss_grad_func(vector)[0]
        else:
            loss_of = loss_grad_func
        result = scipy.optimize.minimize(loss_of, np.asarray(initial_val, np.float64), **settings)
        logging.info("The optimizer has ended: %s; loss %s after %s steps", result.message, result.fun,
                     getattr(result, "nit", "?"))
        return result["x"]
