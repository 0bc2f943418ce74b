"""Fused steps or sequences of recurrent networks: LSTM and GRU blocks, and their gradients.

The gates are columns of one matrix, in the order i, ci, f, o; in BlockLSTMV2 i, f, ci, o.
"""

import numpy as np

from evergraph.base import errors
from evergraph.graph.opdef import op
from evergraph.graph.registry import lookup
from evergraph.graph.shaping import merge_size, with_rank
from evergraph.ops.arrays.basic import shape
from evergraph.ops.math.elementwise import mul
from evergraph.ops.math.matmul import mat_mul, product

_ICFO, _IFCO = (0, 1, 2, 3), (0, 2, 1, 3)  # the positions of i, ci, f and o

_weights = "w: T, wci: T, wcf: T, wco: T, b: T"
_lstm_in = f"x: T, cs_prev: T, h_prev: T, {_weights}"
_lstm_out = "i: T, cs: T, f: T, o: T, ci: T, co: T, h: T"
_with_bias = "forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False, T: {half, float}"
_block_grads = ("x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, "
                "b_grad: T")


def _sigmoid(xp, x):
    one = np.asarray(1, x.dtype)
    return one / (one + xp.exp(-x))


def _require_sizes(x, cs_prev, h_prev, w, b):
    """Raises InvalidArgumentError unless the matrices of a step fit each other."""
    units = np.shape(cs_prev)[1]
    batch, size = np.shape(x)
    for name, value, fits in (("cs_prev", cs_prev, (batch, units)), ("h_prev", h_prev, (batch, units)),
                              ("w", w, (size + units, 4 * units)), ("b", b, (4 * units,))):
        if np.shape(value) != fits:
            raise errors.InvalidArgumentError(None, None, f"{name} must have the shape {list(fits)}, but has "
                                                          f"{list(np.shape(value))}")


def _times(size, count):
    return None if size is None else count * size


def _state_shape(x, state):
    return merge_size(with_rank(x, 2)[0], with_rank(state, 2)[0]), with_rank(state, 2)[1]


# ---- one step of an LSTM

def _lstm_step(xp, x, c, h, weights, forget_bias, cell_clip, use_peephole, places=_ICFO):
    """(i, cs, f, o, ci, co, h) of a step."""
    w, wci, wcf, wco, b = weights
    gates = xp.split(product(xp, xp.concatenate([x, h], 1), w) + b, 4, axis=1)
    i, ci, f, o = (gates[place] for place in places)
    f = f + np.asarray(forget_bias, f.dtype)
    if use_peephole:
        i, f = i + c * wci, f + c * wcf
    i, f, ci = _sigmoid(xp, i), _sigmoid(xp, f), xp.tanh(ci)
    cs = ci * i + c * f
    if cell_clip > 0:
        bound = np.asarray(cell_clip, cs.dtype)
        cs = xp.clip(cs, -bound, bound)
    o = _sigmoid(xp, o + cs * wco if use_peephole else o)
    co = xp.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _lstm_back(xp, c, values, peepholes, dcs, dh):
    """(gradients of i, ci, f and o before their activations, gradient of the previous c)."""
    i, cs, f, o, ci, co = values
    do = dh * co * o * (1 - o)
    dcs = dcs + dh * o * (1 - co * co)
    if peepholes:
        dcs = dcs + do * peepholes[2]
    di, dci, df = dcs * ci * i * (1 - i), dcs * i * (1 - ci * ci), dcs * c * f * (1 - f)
    before = dcs * f
    if peepholes:
        before = before + di * peepholes[0] + df * peepholes[1]
    return (di, dci, df, do), before


@op(f"LSTMBlockCell({_lstm_in}, *, {_with_bias}) -> {_lstm_out}",
    shape=lambda x, cs_prev: [_state_shape(x, cs_prev)] * 7)
def lstm_block_cell(xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias, cell_clip, use_peephole):
    """One LSTM step: gates, new cell state `cs`, and output `h`."""
    _require_sizes(x, cs_prev, h_prev, w, b)
    return _lstm_step(xp, x, cs_prev, h_prev, (w, wci, wcf, wco, b), forget_bias, cell_clip, use_peephole)


@op(f"LSTMBlockCellGrad({_lstm_in}, i: T, cs: T, f: T, o: T, ci: T, co: T, cs_grad: T, h_grad: T, *, "
    "use_peephole: bool, T: {half, float}) -> cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T")
def lstm_block_cell_grad(xp, cs_prev, wci, wcf, wco, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole):
    """The gradients of an LSTM step with respect to its state, gates and peephole weights."""
    peepholes = (wci, wcf, wco) if use_peephole else None
    (di, dci, df, do), before = _lstm_back(xp, cs_prev, (i, cs, f, o, ci, co), peepholes, cs_grad, h_grad)
    sums = [xp.sum(dg * c, axis=0) for dg, c in ((di, cs_prev), (df, cs_prev), (do, cs))]
    if not use_peephole:
        sums = [np.zeros(np.shape(w), x.dtype) for w, x in zip((wci, wcf, wco), sums)]
    return before, xp.concatenate([di, dci, df, do], 1), *sums


@lstm_block_cell_grad.shape
def _(x, cs_prev):
    batch, units = _state_shape(x, cs_prev)
    return [(batch, units), (batch, _times(units, 4)), (units,), (units,), (units,)]


def _inputs_grad(x, h, gates, w):
    """(gradient of x, gradient of h, gradient of w) where gates = [x, h] * w."""
    both = mat_mul(gates, w, transpose_b=True)
    pieces = lookup("SplitV")(both, [_columns(x), _columns(h)], 1, num_split=2)
    return *pieces, mat_mul(lookup("ConcatV2")([x, h], 1), gates, transpose_a=True)


def _columns(matrix):
    if matrix._shape is not None and matrix._shape[1] is not None:
        return np.int32(matrix._shape[1])
    return lookup("StridedSlice")(shape(matrix), [1], [2], [1], shrink_axis_mask=1)


@lstm_block_cell.grad
def _(op, *dys):
    x, c, h, w, wci, wcf, wco, b = op.inputs
    i, cs, f, o, ci, co, _ = op.outputs
    before, gates, *peepholes = lstm_block_cell_grad(x, c, h, w, wci, wcf, wco, b, i, cs, f, o, ci, co, dys[1], dys[6],
                                                     use_peephole=op.get_attr("use_peephole"))
    dx, dh, dw = _inputs_grad(x, h, gates, w)
    return [dx, before, dh, dw, *peepholes, lookup("BiasAddGrad")(gates)]


# ---- sequences

def over_time(xp, step, start, rows, backward=False):
    """A scan over time: calls `step(carry, rows of one time) -> (carry, outputs)`; (last carry, stacked outputs)."""
    count = np.shape(rows[0])[0]
    if xp is np:
        carry, found = start, [None] * count
        for time in (reversed if backward else iter)(range(count)):
            carry, found[time] = step(carry, tuple(row[time] for row in rows))
        return carry, tuple(np.stack(column) for column in zip(*found))
    import jax

    return jax.lax.scan(step, start, tuple(xp.asarray(row) for row in rows), reverse=backward)


def _sequence(xp, seq_len_max, x, c, h, weights, options, places):
    """(i, cs, f, o, ci, co, h) of all steps, zero after the sequence length."""
    _require_sizes(x[0] if np.shape(x)[0] else np.zeros(np.shape(x)[1:]), c, h, weights[0], weights[4])
    if not np.shape(x)[0]:
        return (np.zeros((0, *np.shape(c)), c.dtype),) * 7

    def step(carry, row):
        time, now = row
        values = _lstm_step(xp, now, *carry, weights, *options, places)
        return (values[1], values[6]), tuple(xp.where(time < seq_len_max, v, xp.zeros_like(v)) for v in values)

    _, outputs = over_time(xp, step, (xp.asarray(c), xp.asarray(h)), (np.arange(np.shape(x)[0]), x))
    return outputs


def _shape_of_sequence(x, b):
    steps, batch, _ = with_rank(x, 3)
    (gates,) = with_rank(b, 1)
    return [(steps, batch, None if gates is None else gates // 4)] * 7


@op(f"BlockLSTM(seq_len_max: int64, {_lstm_in}, *, {_with_bias}) -> {_lstm_out}", shape=_shape_of_sequence)
def block_lstm(xp, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias, cell_clip, use_peephole):
    """An LSTM over a sequence [time, batch, size]: gates, states and outputs of every step."""
    options = (forget_bias, cell_clip, use_peephole)
    return _sequence(xp, seq_len_max, x, cs_prev, h_prev, (w, wci, wcf, wco, b), options, _ICFO)


@op(f"BlockLSTMV2(seq_len_max: int64, {_lstm_in}, *, cell_clip: float = 0.0, use_peephole: bool = False, "
    f"T: {{half, float}}) -> {_lstm_out}", shape=_shape_of_sequence)
def block_lstm_v2(xp, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, cell_clip, use_peephole):
    """BlockLSTM with the gate order i, f, ci, o, and without an additional forget bias."""
    options = (0.0, cell_clip, use_peephole)
    return _sequence(xp, seq_len_max, x, cs_prev, h_prev, (w, wci, wcf, wco, b), options, _IFCO)


def _sequence_back(xp, places, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad,
                   h_grad, use_peephole):
    """Backpropagation through time: the gradients of a sequence, from the last step to the first."""
    peepholes, size = (wci, wcf, wco) if use_peephole else None, np.shape(x)[2]
    before = lambda first, all: xp.concatenate([xp.asarray(first)[None], all[:-1]])
    rows = (np.arange(np.shape(x)[0]), x, before(cs_prev, cs), before(h_prev, h), i, cs, f, o, ci, co, cs_grad, h_grad)

    def step(carry, row):
        dc, dh, dw, db, dci_, dcf, dco = carry
        time, now, c, h, *values, cs_grad, h_grad = row
        found, dc = _lstm_back(xp, c, values, peepholes, cs_grad + dc, h_grad + dh)
        inside = time < seq_len_max
        found = [xp.where(inside, gate, xp.zeros_like(gate)) for gate in found]
        di, _, df, do = found
        gates = xp.concatenate([found[place] for place in places], 1)
        both = product(xp, gates, w, turn_b=True)
        dc = xp.where(inside, dc, xp.zeros_like(dc))
        dw = dw + product(xp, xp.concatenate([now, h], 1), gates, turn_a=True)
        sums = (dci_ + xp.sum(di * c, 0), dcf + xp.sum(df * c, 0), dco + xp.sum(do * values[1], 0))
        return (dc, both[:, size:], dw, db + xp.sum(gates, 0), *sums), (both[:, :size],)

    start = tuple(xp.zeros(np.shape(v), w.dtype) for v in (cs_prev, h_prev, w, b, wci, wcf, wco))
    if not np.shape(x)[0]:
        return np.zeros(np.shape(x), x.dtype), *start[:3], *start[4:], start[3]
    (dc, dh, dw, db, *sums), (dx,) = over_time(xp, step, start, rows, backward=True)
    sums = sums if use_peephole else [xp.zeros_like(s) for s in sums]
    return dx, dc, dh, dw, *sums, db


def _shape_of_sequence_grad(x, cs_prev, h_prev, w, wci, wcf, wco, b):
    ranks = (3, 2, 2, 2, 1, 1, 1, 1)
    return [with_rank(given, rank) for given, rank in zip((x, cs_prev, h_prev, w, wci, wcf, wco, b), ranks)]


def _block_grad(name, places):
    @op(f"{name}(seq_len_max: int64, {_lstm_in}, {_lstm_out}, cs_grad: T, h_grad: T, *, use_peephole: bool, "
        f"T: {{half, float}}) -> {_block_grads}",
        shape=_shape_of_sequence_grad)
    def grad(xp, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad,
             use_peephole):
        """The gradients of an LSTM block with respect to its inputs."""
        return _sequence_back(xp, places, seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h,
                              cs_grad, h_grad, use_peephole)
    return grad


block_lstm_grad = _block_grad("BlockLSTMGrad", _ICFO)
block_lstm_grad_v2 = _block_grad("BlockLSTMGradV2", _IFCO)


def _declare_grad(forward, backward):
    @forward.grad
    def _(op, *dys):  # as in TensorFlow, only cs and h have gradients
        found = backward(*op.inputs, *op.outputs, dys[1], dys[6], use_peephole=op.get_attr("use_peephole"))
        return [None, *found]


_declare_grad(block_lstm, block_lstm_grad)
_declare_grad(block_lstm_v2, block_lstm_grad_v2)


# ---- one step of a GRU

_gru_in = "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T"


@op(f"GRUBlockCell({_gru_in}, *, T: {{float}}) -> r: T, u: T, c: T, h: T",
    shape=lambda x, h_prev: [_state_shape(x, h_prev)] * 4)
def gru_block_cell(xp, x, h_prev, w_ru, w_c, b_ru, b_c):
    """One GRU step: gates r and u, candidate c and new state h."""
    r, u = xp.split(_sigmoid(xp, product(xp, xp.concatenate([x, h_prev], 1), w_ru) + b_ru), 2, axis=1)
    c = xp.tanh(product(xp, xp.concatenate([x, h_prev * r], 1), w_c) + b_c)
    return r, u, c, u * h_prev + (1 - u) * c


@op(f"GRUBlockCellGrad({_gru_in}, r: T, u: T, c: T, d_h: T, *, T: {{float}}) -> d_x: T, d_h_prev: T, d_c_bar: T, "
    "d_r_bar_u_bar: T")
def gru_block_cell_grad(xp, x, h_prev, w_ru, w_c, r, u, c, d_h):
    """The gradients of a GRU step with respect to x, h_prev and its gates before their activations."""
    size = np.shape(x)[1]
    d_c_bar = d_h * (1 - u) * (1 - c * c)
    both = product(xp, d_c_bar, w_c, turn_b=True)
    d_reset = both[:, size:]  # with respect to h_prev * r
    d_gates = xp.concatenate([d_reset * h_prev * r * (1 - r), d_h * (h_prev - c) * u * (1 - u)], 1)
    more = product(xp, d_gates, w_ru, turn_b=True)
    return both[:, :size] + more[:, :size], more[:, size:] + d_reset * r + u * d_h, d_c_bar, d_gates


@gru_block_cell_grad.shape
def _(x, h_prev, w_ru):
    batch, units = _state_shape(x, h_prev)
    gates = merge_size(with_rank(w_ru, 2)[1], _times(units, 2))
    return [with_rank(x, 2), (batch, units), (batch, units), (batch, gates)]


@gru_block_cell.grad
def _(op, *dys):
    x, h, w_ru, w_c, b_ru, b_c = op.inputs
    r, u, c, _ = op.outputs
    dx, dh, d_c, d_gates = gru_block_cell_grad(x, h, w_ru, w_c, b_ru, b_c, r, u, c, dys[3])
    concat, bias = lookup("ConcatV2"), lookup("BiasAddGrad")
    d_ru = mat_mul(concat([x, h], 1), d_gates, transpose_a=True)
    d_wc = mat_mul(concat([x, mul(h, r)], 1), d_c, transpose_a=True)
    return [dx, dh, d_ru, d_wc, bias(d_gates), bias(d_c)]
