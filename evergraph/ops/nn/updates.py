"""The optimizers' update ops: one formula per rule, from which its four ops are derived.

A rule such as Adagrad is one function from (variable, slots, hyperparameters, gradient) to the new variable and slots.
ApplyAdagrad and ResourceApplyAdagrad apply it to whole variables, SparseApplyAdagrad and ResourceSparseApplyAdagrad to
the rows in `indices`.
"""
import functools
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evergraph.base import dtypes, errors
from evergraph.base.shapes import text
from evergraph.graph.opdef import OpDef
from evergraph.graph.shaping import merge, merge_all
from evergraph.graph.traits import Memory
from evergraph.kernel.context import check_now
from evergraph.kernel.fence import computed_once
from evergraph.kernel.foreign import available_now
from evergraph.kernel.row_changes import replaced
from evergraph.kernel.values import array_module
from evergraph.ops.arrays.gather import are_inside
from evergraph.ops.arrays.row_access import put_rows, take_rows
from evergraph.ops.nn.deferred_updates import InC, Now, update_rows_together, update_together
from evergraph.ops.state.variable_rows import comes_from_unique, is_row, only_if

_LOCKING = "use_locking: bool = False"
_ALL_FORMS = ("Apply", "SparseApply", "ResourceApply", "ResourceSparseApply")
_DENSE_FORMS = ("Apply", "ResourceApply")
_SPARSE_FORMS = ("SparseApply", "ResourceSparseApply")
_SIGNS = {">": lambda value: value > 0, ">=": lambda value: value >= 0, "<=": lambda value: value <= 0}


class Rule(NamedTuple):
    """The ops of one update rule; None where TensorFlow has no such op."""

    dense: OpDef | None
    sparse: OpDef | None
    resource_dense: OpDef | None
    resource_sparse: OpDef | None


@dataclass(frozen=True)
class Kernel:
    """The kernel in C that updates variables by a rule.

    Attributes:
        name: its name.
        takes: the hyperparameters that it depends on.
        scalars: a function from xp and these to the numbers that it takes; without it, they are these.
        flag: the name of the flag that it takes, if any.
        only_if: whether it serves, given the inputs and flags of the op; hyperparameters may be unknown.
    """

    name: str
    takes: tuple[str, ...]
    scalars: Callable[..., Sequence[Any]] = lambda xp, *given: given
    flag: str | None = None
    only_if: Callable[[Mapping[str, Any]], bool] = lambda given: True

    @functools.cached_property
    def now(self):
        """What makes its updates on NumPy."""
        return Now(self.name, self.scalars)

    def of(self, given):
        """How it makes an update, given the inputs and flags of the op; None if it cannot."""
        if not self.only_if(given):
            return None
        flag = bool(given[self.flag]) if self.flag else False
        return InC(self.name, self.scalars, tuple([given[name] for name in self.takes]), int(flag))


def rule(name, *cells, inputs, flags=(), forms=_ALL_FORMS, signs=None, signs_in=_SPARSE_FORMS, in_c=None, **traits):
    """Decorator: declares the ops of an update rule.

    Args:
        name: the suffix of the ops' names after "Apply".
        cells: the names of the variables that it updates, besides `var`.
        inputs: the names of the other inputs in the op's order, the gradient among them as "grad" or "delta".
        flags: boolean attrs as "name: bool = default", in order, after use_locking.
        forms: which of the four ops TensorFlow has.
        signs: hyperparameter -> ">", ">=" or "<=" 0.
        signs_in: the forms in which TensorFlow checks these.
        in_c: the kernel in C, if there is one.
        traits: the ops' traits.

    The formula takes xp, the variables, then any of the inputs and flags by name; it returns the new variables.
    """
    def declare(formula):
        ops = {}
        for form in forms:
            sparse, resource = "Sparse" in form, "Resource" in form
            line, order = _line(f"{form}{name}", ("var", *cells), inputs, flags, sparse, resource)
            ops[form] = _declared(line, order, formula, ("var", *cells), flags, sparse, resource,
                                  signs if signs and form in signs_in else {}, in_c, traits)
        return Rule(*(ops.get(form) for form in _ALL_FORMS))
    return declare


def _line(name, cells, inputs, flags, sparse, resource):
    """The signature of one of the ops, and the names of its inputs."""
    storage = "resource" if resource else "Ref(T)"
    kinds = {cell: storage for cell in cells}
    for given in inputs:
        kinds["grad" if sparse and given == "delta" else given] = "int64" if given == "global_step" else "T"
        if sparse and given in ("grad", "delta"):
            kinds["indices"] = "Tindices"
    attrs = ["T: number", *(["Tindices: index"] if sparse else []), _LOCKING, *flags]
    arguments = ", ".join(f"{given}: {kind}" for given, kind in kinds.items())
    return f"{name}({arguments}, *, {', '.join(attrs)}) -> {'()' if resource else 'out: Ref(T)'}", tuple(kinds)


def _declared(line, order, formula, cells, flags, sparse, resource, signs, in_c, traits):
    asked = tuple(inspect.signature(formula).parameters)[1 + len(cells):]
    flag_names = tuple(flag.partition(":")[0] for flag in flags)
    gradient = "delta" if "delta" in order else "grad"
    scalars = [name for name in order if name not in (*cells, gradient, "indices")]
    hyperparameters = [name for name in asked if name not in ("grad", "delta")]

    def compute(xp, old, grads, others):
        known = dict(zip(hyperparameters, others, strict=True), grad=grads, delta=grads)
        return _alike(old, formula(xp, *old, *(known[name] for name in asked)))

    def kernel(node, context, check, *values):
        given = dict(zip((*order, *flag_names), values, strict=True))
        held = [given[name] for name in cells]
        given["delta"] = given["grad"] = given[gradient]
        _require_scalars(given, scalars)
        for name, sign in signs.items():
            check(_SIGNS[sign](given[name]), f"{name} must be {sign} 0")
        old = [cell.value for cell in held]
        _require_shapes(old, given, gradient, sparse)
        others = [given[name] for name in hyperparameters]
        how = None if in_c is None else in_c.of(given)
        if sparse:
            xp = array_module(*old, *(given[name] for name in order if name not in cells))
            known = None if context is None else context.known(node)
            if known is None or not known.are_below("indices", old[0].shape[0]):
                check(is_row(node, given["indices"], old[0].shape[0]), f"indices must be in [0, {old[0].shape[0]})")
            of_rows = lambda rows, grads: compute(xp, rows, grads, others)
            _in_rows(xp, of_rows, held, old, given["grad"], given["indices"], comes_from_unique(node), how)
        else:
            update_together(held, compute, old, given["grad"], others, how)
        return None if resource else held[0]

    def bound(node, known):
        if any(node._inputs[order.index(name)]._shape != () for name in scalars):
            return None
        given = {name: known(order.index(name)) for name in scalars}
        if any(given[name] is None or not _SIGNS[sign](given[name]) for name, sign in signs.items()):
            return None
        flags = {name: node.attrs[name] for name in flag_names}
        plain = lambda *values: kernel(node, None, check_now, *values, *flags.values())
        if not sparse:
            return _bound_to_whole(node, in_c, order, len(cells), gradient, {**given, **flags}, plain)
        others = _picker([(*order, *flags).index(name) for name in hyperparameters])
        in_rows = lambda rows, grads, values: compute(np, rows, grads, others((*values, *flags.values())))
        return _bound_to_rows(node, in_rows, order, len(cells), plain)

    kernel.__name__ = kernel.__qualname__ = line[:line.index("(")]
    kernel.__doc__ = inspect.getdoc(formula)
    shape = _nothing if resource else _shape_rule(order, cells, gradient, sparse)
    slots = () if in_c is None else cells[1:]
    declared = OpDef(line, kernel, stateful=resource, shape=shape, memory=Memory.REREADS,
                     updates_rows="indices" if sparse else None, slots=slots, **traits)
    declared.wants = ("node", "context", "check", *order, *flag_names)
    declared.bind(bound)
    return declared


def _picker(places):
    """A function from a sequence to the tuple of its items in these places."""
    return operator.itemgetter(*places) if len(places) > 1 else lambda values: tuple([values[at] for at in places])


def _bound_to_whole(node, in_c, order, count, gradient, given, plain):
    """A function that updates a variable and its slots by the kernel in C; None if there is none for them."""
    if in_c is None or node.attrs["T"] is not dtypes.float32 or not in_c.only_if(given) or not available_now(in_c.name):
        return None
    place, taken = order.index(gradient), _picker(list(map(order.index, in_c.takes)))
    make, flag = in_c.now.make, int(bool(given.get(in_c.flag)))

    def update(*values):
        cells, grad = values[:count], values[place]
        old = [cell.value for cell in cells]
        if not grad.size or any([value.shape != grad.shape for value in old]):
            return plain(*values)
        for cell, new in zip(cells, make(old, grad, taken(values), flag)):
            cell.assign(new)
        return cells[0]
    return update


def _bound_to_rows(node, compute, order, count, plain):
    """A function that updates rows that are all different, in place at the end of the step; None if they may not be."""
    if not comes_from_unique(node):
        return None
    at, place = order.index("indices"), order.index("grad")

    def update(*values):
        cells, indices, grad = values[:count], values[at], values[place]
        old = [cell.value for cell in cells]
        rows = (indices.size, *old[0].shape[1:])
        if grad.shape != rows or indices.ndim != 1 or any([value.shape != old[0].shape for value in old]) \
                or not are_inside(indices, old[0].shape[0]):
            return plain(*values)
        before = [value.take(indices, 0) for value in old]
        for cell, taken, new in zip(cells, before, compute(before, grad, values)):
            if new is not taken:
                cell.update(replaced(new, indices))
        return cells[0]
    return update


def _alike(old, new):
    """New values cast to the dtypes of the old ones."""
    return [after if after.dtype == before.dtype else after.astype(before.dtype)
            for before, after in zip(old, new, strict=True)]


def _put(cells, old, new):
    """Assigns the values that changed."""
    for cell, before, after in zip(cells, old, _alike(old, new), strict=True):
        if after is not before:
            cell.assign(after)


def _shape_rule(order, cells, gradient, sparse):
    """The static shape of an updated reference; resource variables are checked at run time."""
    def shape(node):
        named = {name: tensor._shape for name, tensor in zip(order, node.inputs, strict=True)}
        whole = merge_all([named[c] for c in cells])
        grad = named[gradient]
        if not sparse:
            whole = merge(whole, grad)
        elif whole is not None and grad is not None:
            merge(whole[1:], grad[1:])
            merge(named["indices"], grad[:1])
        for name in order:
            if name not in (*cells, gradient, "indices"):
                merge(named[name], ())
        return whole
    return shape


def _nothing():
    return None


def _require_scalars(given, names):
    for name in names:
        if np.ndim(given[name]):
            raise errors.InvalidArgumentError(None, None, f"{name} is not a scalar: {text(np.shape(given[name]))}")


def _require_shapes(old, given, gradient, sparse):
    """Raises InvalidArgumentError unless the shapes of variables and gradient match."""
    shapes = [np.shape(value) for value in old]
    wanted = np.shape(given[gradient])
    if sparse:
        if np.ndim(given["indices"]) != 1:
            raise errors.InvalidArgumentError(None, None, "indices must be one-dimensional")
        if wanted[:1] != np.shape(given["indices"]):
            raise errors.InvalidArgumentError(None, None, "grad must have as many rows as there are indices")
        shapes, wanted = [s[1:] for s in shapes], wanted[1:]
    if any(s != wanted for s in shapes):
        raise errors.InvalidArgumentError(None, None, "a gradient has the shape of its variable: var is "
                                                      f"{text(shapes[0])}, grad {text(wanted)}")


# ---- sparse updates

def _in_rows(xp, compute, cells, old, grad, indices, all_different, in_c):
    """Applies `compute` to the rows in `indices`, sequentially for duplicates."""
    if xp is np:
        _put(cells, old, _in_distinct_rows_now(compute, old, grad, indices) if all_different else
             _in_rows_now(compute, old, grad, indices))
    elif all_different:
        if not update_rows_together(cells, compute, old, grad, indices, in_c):
            _in_rows_at_once(xp, compute, cells, old, grad, indices)
    else:
        _put(cells, old, _in_rows_by_turns(xp, compute, old, grad, indices))


def _in_distinct_rows_now(compute, old, grad, indices):
    """Leaves out indices of no row, with which an earlier, compiled stage may have padded them."""
    there = indices < old[0].shape[0]
    if not there.all():
        grad, indices = grad[there], indices[there]
    before = [v.take(indices, 0) for v in old]
    new = []
    for variable, rows, after in zip(old, before, compute(before, grad), strict=True):
        new.append(variable if after is rows else _with_rows(variable, indices, after))
    return new


def _with_rows(variable, indices, rows):
    new = variable.copy()
    new[indices] = rows
    return new


def _in_rows_now(compute, old, grad, indices):
    new = [np.array(v) for v in old]
    turn = _turns(np, indices)
    for now in range(int(turn.max(initial=-1)) + 1):
        at = indices[turn == now]
        for variable, rows in zip(new, compute([v[at] for v in new], grad[turn == now]), strict=True):
            variable[at] = rows
    return new


def _in_rows_at_once(xp, compute, cells, old, grad, indices):
    """Traced: reads and writes only these rows. A loop that also gathered would compute one number at a time."""
    rows = [computed_once(take_rows(xp.asarray(v), xp.asarray(indices))) for v in old]
    for cell, before, after in zip(cells, rows, compute(rows, grad), strict=True):
        if after is not before:
            cell.update(_row_writer(indices, after.astype(before.dtype)))


def _row_writer(indices, rows):
    return lambda value, wanted: put_rows(value, only_if(wanted, (indices,), value)[0], rows)


def _in_rows_by_turns(xp, compute, old, grad, indices):
    """Traced: applies the first occurrence of every row, then the second, until none is left."""
    from jax import lax

    count = old[0].shape[0]
    indices = xp.asarray(indices)
    turn = _turns(xp, indices)

    def one_turn(state):
        now, *variables = state
        at = xp.where(turn == now, indices, count)
        rows = compute([v.at[at].get(mode="clip") for v in variables], grad)
        return now + 1, *(v.at[at].set(r.astype(v.dtype), mode="drop") for v, r in zip(variables, rows))

    last = xp.max(turn, initial=-1)
    start = (xp.zeros((), turn.dtype), *(xp.asarray(v) for v in old))
    return list(lax.while_loop(lambda state: state[0] <= last, one_turn, start))[1:]


def _turns(xp, indices):
    """The number of earlier occurrences of each index."""
    order = xp.argsort(indices, stable=True)
    ordered = indices[order]
    place = xp.arange(indices.shape[0])
    first = xp.searchsorted(ordered, ordered, side="left")
    return (place - first)[xp.argsort(order, stable=True)]


# ---- the rules

@rule("GradientDescent", inputs=("alpha", "delta"), forms=_DENSE_FORMS,
      in_c=Kernel("updates.gradient_descent", ("alpha",)))
def gradient_descent(xp, var, alpha, delta):
    """var -= alpha * delta."""
    return [var - alpha * delta]


def _shrunk(xp, value, amount, l1, l2):
    """The proximal operator of an l1 and l2 penalty with step size `amount`."""
    return _thinned(xp, value, amount, l1) / (1 + l2 * amount)


def _thinned(xp, value, amount, l1):
    """Soft thresholding: `value` moved towards zero by `amount * l1`; a negative l1 has no effect."""
    return xp.sign(value) * xp.maximum(xp.abs(value) - amount * xp.maximum(l1, 0), 0)


@rule("ProximalGradientDescent", inputs=("alpha", "l1", "l2", "delta"))
def proximal_gradient_descent(xp, var, alpha, l1, l2, delta):
    """A gradient step, then the proximal operator of l1 and l2."""
    return [_shrunk(xp, var - alpha * delta, alpha, l1, l2)]


@rule("Momentum", "accum", inputs=("lr", "grad", "momentum"), flags=("use_nesterov: bool = False",),
      in_c=Kernel("updates.momentum", ("lr", "momentum"), flag="use_nesterov"))
def momentum(xp, var, accum, lr, grad, momentum, use_nesterov):
    """accum = momentum * accum + grad; var -= lr * accum, or with Nesterov momentum lr * (grad + momentum * accum)."""
    accum = accum * momentum + grad
    return [var - (grad * lr + accum * momentum * lr if use_nesterov else accum * lr), accum]


@rule("KerasMomentum", "accum", inputs=("lr", "grad", "momentum"), flags=("use_nesterov: bool = False",),
      forms=("ResourceApply", "ResourceSparseApply"))
def keras_momentum(xp, var, accum, lr, grad, momentum, use_nesterov):
    """accum = momentum * accum - lr * grad; var += accum, or with Nesterov momentum momentum * accum - lr * grad."""
    accum = accum * momentum - grad * lr
    return [var + (accum * momentum - grad * lr if use_nesterov else accum), accum]


@rule("Adagrad", "accum", inputs=("lr", "grad"), flags=("update_slots: bool = True",),
      in_c=Kernel("updates.adagrad", ("lr",), only_if=lambda given: given["update_slots"]))
def adagrad(xp, var, accum, lr, grad, update_slots):
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / sqrt(accum)."""
    accum = accum + grad * grad if update_slots else accum
    return [var - grad * lr / xp.sqrt(accum), accum]


@rule("AdagradV2", "accum", inputs=("lr", "epsilon", "grad"), flags=("update_slots: bool = True",))
def adagrad_v2(xp, var, accum, lr, epsilon, grad, update_slots):
    """Adagrad (Duchi et al., 2011): accum += grad ** 2; var -= lr * grad / (sqrt(accum) + epsilon)."""
    accum = accum + grad * grad if update_slots else accum
    return [var - grad * lr / (xp.sqrt(accum) + epsilon), accum]


@rule("ProximalAdagrad", "accum", inputs=("lr", "l1", "l2", "grad"), signs={"lr": ">", "l1": ">=", "l2": ">="},
      signs_in=_ALL_FORMS)
def proximal_adagrad(xp, var, accum, lr, l1, l2, grad):
    """An Adagrad step, then the proximal operator of l1 and l2."""
    accum = accum + grad * grad
    rate = lr / xp.sqrt(accum)
    return [_shrunk(xp, var - grad * rate, rate, l1, l2), accum]


@rule("AdagradDA", "gradient_accumulator", "gradient_squared_accumulator",
      inputs=("grad", "lr", "l1", "l2", "global_step"))
def adagrad_da(xp, var, total, squares, grad, lr, l1, l2, global_step):
    """Adagrad dual averaging: the variable is a function of the sums of all gradients and their squares."""
    total, squares = total + grad, squares + grad * grad
    step = global_step.astype(var.dtype)
    return [-lr * _thinned(xp, total, step, l1) / (l2 * step * lr + xp.sqrt(squares)), total, squares]


@rule("Adadelta", "accum", "accum_update", inputs=("lr", "rho", "epsilon", "grad"))
def adadelta(xp, var, accum, accum_update, lr, rho, epsilon, grad):
    """Adadelta (Zeiler, 2012): scales the step by the RMS of earlier updates over the RMS of gradients."""
    accum = accum * rho + grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    return [var - update * lr, accum, accum_update * rho + update * update * (1 - rho)]


def _moments(m, v, beta1, beta2, grad):
    return m + (grad - m) * (1 - beta1), v + (grad * grad - v) * (1 - beta2)


def _adam_rate(xp, lr, beta1_power, beta2_power):
    return lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)


def _adam_scalars(xp, beta1_power, beta2_power, lr, beta1, beta2, epsilon):
    return _adam_rate(xp, lr, beta1_power, beta2_power), beta1, 1 - beta1, 1 - beta2, epsilon


@rule("Adam", "m", "v", inputs=("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"),
      flags=("use_nesterov: bool = False",), forms=_DENSE_FORMS,
      in_c=Kernel("updates.adam", ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"), _adam_scalars,
                  flag="use_nesterov"))
def adam(xp, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_nesterov):
    """Adam (Kingma and Ba, 2014): var -= lr_t * m / (sqrt(v) + epsilon); m, v: moving averages of grad, grad ** 2."""
    m, v = _moments(m, v, beta1, beta2, grad)
    along = grad * (1 - beta1) + beta1 * m if use_nesterov else m
    return [var - along * _adam_rate(xp, lr, beta1_power, beta2_power) / (xp.sqrt(v) + epsilon), m, v]


@rule("AdamWithAmsgrad", "m", "v", "vhat",
      inputs=("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"), forms=("ResourceApply",))
def adam_with_amsgrad(xp, var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad):
    """AMSGrad (Reddi et al., 2018): Adam with the running maximum of v."""
    m, v = _moments(m, v, beta1, beta2, grad)
    vhat = xp.maximum(vhat, v)
    return [var - m * _adam_rate(xp, lr, beta1_power, beta2_power) / (xp.sqrt(vhat) + epsilon), m, v, vhat]


@rule("AdaMax", "m", "v", inputs=("beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"), forms=_DENSE_FORMS)
def ada_max(xp, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """AdaMax (Kingma and Ba, 2014): Adam with the running infinity norm of gradients in place of sqrt(v)."""
    m = m + (grad - m) * (1 - beta1)
    v = xp.maximum(beta2 * v, xp.abs(grad))
    return [var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v]


@rule("RMSProp", "ms", "mom", inputs=("lr", "rho", "momentum", "epsilon", "grad"))
def rms_prop(xp, var, ms, mom, lr, rho, momentum, epsilon, grad):
    """RMSProp: var -= mom, with mom = momentum * mom + lr * grad / sqrt(ms + epsilon) and ms the moving mean square."""
    ms = ms + (grad * grad - ms) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return [var - mom, ms, mom]


@rule("CenteredRMSProp", "mg", "ms", "mom", inputs=("lr", "rho", "momentum", "epsilon", "grad"))
def centered_rms_prop(xp, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    """Centered RMSProp: RMSProp with the moving variance of the gradient in place of its mean square."""
    ms = ms + (grad * grad - ms) * (1 - rho)
    mg = mg + (grad - mg) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return [var - mom, mg, ms, mom]


def _ftrl(xp, var, accum, linear, grad, shrunk, lr, l1, l2, lr_power):
    """Follow the regularized leader (FTRL); `shrunk` is the gradient with the shrinkage penalty added."""
    grown = accum + grad * grad
    root, old_root = _rooted(xp, grown, lr_power), _rooted(xp, accum, lr_power)
    linear = linear + (shrunk - (root - old_root) / lr * var)  # in half precision the order of sums counts
    free = (l1 * xp.sign(linear) - linear) / (root / lr + 2 * l2)
    return [xp.where(xp.abs(linear) > l1, free, xp.zeros_like(free)), grown, linear]


def _rooted(xp, value, lr_power):
    return xp.sqrt(value) if _is_square_root(lr_power) else xp.power(value, -lr_power)


def _is_square_root(lr_power):
    return isinstance(lr_power, (np.ndarray, np.generic)) and lr_power == -0.5


@rule("Ftrl", "accum", "linear", inputs=("grad", "lr", "l1", "l2", "lr_power"),
      signs={"lr": ">", "l1": ">=", "l2": ">=", "lr_power": "<="}, later={"multiply_linear_by_lr": False},
      in_c=Kernel("updates.ftrl", ("lr", "l1", "l2"), lambda xp, lr, l1, l2: (lr, l1, 2 * l2),
                  only_if=lambda given: _is_square_root(given["lr_power"])))
def ftrl(xp, var, accum, linear, grad, lr, l1, l2, lr_power):
    """FTRL-Proximal (McMahan et al., 2013): follow the regularized leader."""
    return _ftrl(xp, var, accum, linear, grad, grad, lr, l1, l2, lr_power)


@rule("FtrlV2", "accum", "linear", inputs=("grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
      signs={"lr": ">", "l1": ">=", "l2": ">=", "l2_shrinkage": ">=", "lr_power": "<="},
      later={"multiply_linear_by_lr": False})
def ftrl_v2(xp, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    """FTRL-Proximal (McMahan et al., 2013) with an L2 shrinkage penalty in the gradient."""
    return _ftrl(xp, var, accum, linear, grad, grad + 2 * l2_shrinkage * var, lr, l1, l2, lr_power)


def _agreement(xp, m, beta, grad):
    """The new moving average of gradients, and the sign agreement of each gradient with it."""
    m = m * beta + grad * (1 - beta)
    return m, xp.sign(grad) * xp.sign(m)


@rule("AddSign", "m", inputs=("lr", "alpha", "sign_decay", "beta", "grad"), forms=_DENSE_FORMS)
def add_sign(xp, var, m, lr, alpha, sign_decay, beta, grad):
    """AddSign (Bello et al., 2017): var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad."""
    m, agree = _agreement(xp, m, beta, grad)
    return [var - lr * (alpha + sign_decay * agree) * grad, m]


@rule("PowerSign", "m", inputs=("lr", "logbase", "sign_decay", "beta", "grad"), forms=_DENSE_FORMS)
def power_sign(xp, var, m, lr, logbase, sign_decay, beta, grad):
    """PowerSign (Bello et al., 2017): var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad."""
    m, agree = _agreement(xp, m, beta, grad)
    return [var - lr * xp.exp(logbase * sign_decay * agree) * grad, m]
