"""The cells of tf.contrib.rnn, one step each against NumPy, and their variables' names."""

import numpy as np
import pytest

import evergraph as tf
from tests.harness.session import interpreted as evaluated

rnn = tf.contrib.rnn
RANDOM = np.random.RandomState(21)
BATCH, SIZE, UNITS = 2, 3, 4
X = RANDOM.randn(BATCH, SIZE).astype(np.float32)
C = RANDOM.randn(BATCH, UNITS).astype(np.float32)
H = RANDOM.randn(BATCH, UNITS).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph, tf.variable_scope("", initializer=tf.random_normal_initializer(seed=6)):
        yield graph


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def stepped(cell, inputs=X, state=None):
    """(output, state, variables by name behind the cell's scope) of a step."""
    output, after = cell(tf.nest.map_structure(tf.constant, inputs)
                         if isinstance(inputs, tuple) else tf.constant(inputs), state)
    nothing = tf.constant(0)
    with tf.Session(tier="numpy") as session:
        session.run(tf.global_variables_initializer())
        names = {v.op.name.split("/", 1)[1]: v for v in tf.global_variables()}
        return *session.run([output, after]), session.run({**names, "": nothing})


def lstm_state():
    return rnn.LSTMStateTuple(tf.constant(C), tf.constant(H))


def check(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-5)


def split(x, count):
    return np.split(x, count, axis=1)


# ---- small gated cells

def test_ugrnn():
    output, state, v = stepped(rnn.UGRNNCell(UNITS), state=tf.constant(H))
    g, c = split(np.concatenate([X, H], 1) @ v["kernel"] + v["bias"], 2)
    g = sigmoid(g + 1)
    check(output, g * H + (1 - g) * np.tanh(c))
    check(state, output)


def test_intersection():
    output, state, v = stepped(rnn.IntersectionRNNCell(UNITS, num_in_proj=UNITS), state=tf.constant(H))
    x = X @ v["in_projection/kernel"] + v["in_projection/bias"]
    gh, h, gy, y = split(np.concatenate([x, H], 1) @ v["kernel"] + v["bias"], 4)
    gh, gy = sigmoid(gh + 1), sigmoid(gy + 1)
    check(state, gh * H + (1 - gh) * np.tanh(h))
    check(output, gy * x + (1 - gy) * relu(y))
    with pytest.raises(ValueError, match="num_in_proj"):
        rnn.IntersectionRNNCell(UNITS)(tf.constant(X), tf.constant(H))


def test_sru():
    output, state, v = stepped(rnn.SRUCell(UNITS), state=tf.constant(C))
    x, f, r, skip = split(X @ v["kernel"], 4)
    f, r = split(sigmoid(np.concatenate([f, r], 1) + v["bias"]), 2)
    check(state, f * C + (1 - f) * x)
    check(output, r * np.tanh(state) + (1 - r) * skip)


def test_indrnn():
    output, state, v = stepped(rnn.IndRNNCell(UNITS, activation=tf.nn.relu), state=tf.constant(H))
    assert v["kernel_u"].shape == (1, UNITS) and np.abs(v["kernel_u"]).max() <= 1
    check(output, relu(X @ v["kernel_w"] + H * v["kernel_u"] + v["bias"]))
    check(state, output)


def test_indy_gru():
    output, _, v = stepped(rnn.IndyGRUCell(UNITS), state=tf.constant(H))
    assert (v["gates/bias"] == 1).all()
    r, u = split(sigmoid(X @ v["gates/kernel_w"] + np.tile(H, 2) * v["gates/kernel_u"] + 1), 2)
    c = np.tanh(X @ v["candidate/kernel"] + r * H * v["candidate/kernel_u"])
    check(output, u * H + (1 - u) * c)


def test_indy_lstm():
    output, state, v = stepped(rnn.IndyLSTMCell(UNITS, forget_bias=0.5), state=lstm_state())
    i, j, f, o = split(X @ v["kernel_w"] + np.tile(H, 4) * v["kernel_u"] + v["bias"], 4)
    c = sigmoid(f + 0.5) * C + sigmoid(i) * np.tanh(j)
    check(state.c, c)
    check(output, sigmoid(o) * np.tanh(c))


@pytest.mark.parametrize("projection", [None, 2])
def test_nas(projection):
    cell = rnn.NASCell(UNITS, num_proj=projection, use_bias=True)
    assert cell.output_size == (projection or UNITS) and cell.state_size == (UNITS, cell.output_size)
    h = H[:, :cell.output_size]
    output, state, v = stepped(cell, state=(tf.constant(C), tf.constant(h)))
    x, m = split(X @ v["kernel"], 8), split(h @ v["recurrent_kernel"] + v["bias"], 8)
    pairs = [sigmoid(x[0] + m[0]) * relu(x[1] + m[1]), sigmoid(x[2] + m[2]) + relu(x[3] * m[3]),
             np.tanh(x[4] + m[4]) * sigmoid(x[5] + m[5]), np.tanh(x[6] + m[6]) + sigmoid(x[7] + m[7])]
    c = np.tanh(np.tanh(pairs[0]) + C) * np.tanh(pairs[1])
    wanted = np.tanh(c * np.tanh(np.tanh(pairs[2]) + sigmoid(pairs[3])))
    check(state.c, c)
    check(output, wanted if projection is None else wanted @ v["projection_weights"])


def test_gru_of_cudnn():
    output, _, v = stepped(tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(UNITS), state=tf.constant(H))
    assert len(v) == 7  # six of its own
    r, u = split(sigmoid(np.concatenate([X, H], 1) @ v["gates/kernel"] + v["gates/bias"]), 2)
    projected = lambda x, part: x @ v[f"candidate/{part}_projection/kernel"] + v[f"candidate/{part}_projection/bias"]
    check(output, (1 - u) * np.tanh(projected(X, "input") + r * projected(H, "hidden")) + u * H)


def test_lstm_of_cudnn():
    output, state, v = stepped(tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(UNITS), state=lstm_state())
    assert tf.global_variables()[0].op.name == "cudnn_compatible_lstm_cell/kernel"
    i, j, f, o = split(np.concatenate([X, H], 1) @ v["kernel"] + v["bias"], 4)
    c = sigmoid(f) * C + sigmoid(i) * np.tanh(j)
    check(state.c, c)
    check(output, sigmoid(o) * np.tanh(c))


# ---- relatives of the LSTM

@pytest.mark.parametrize("options", [{}, {"use_peepholes": True, "num_proj": 2, "proj_clip": 0.3},
                                     {"num_unit_shards": 2, "num_proj": 3, "num_proj_shards": 3}])
def test_coupled_gates(options):
    cell = rnn.CoupledInputForgetGateLSTMCell(UNITS, **options)
    h = H[:, :cell.output_size]
    output, state, v = stepped(cell, state=(tf.constant(C), tf.constant(h)))
    joined = lambda name: np.concatenate([v[f"{name}_{n}"] for n in range(3) if f"{name}_{n}" in v])
    j, f, o = split(np.concatenate([X, h], 1) @ joined("W") + v["B"], 3)
    peeps = options.get("use_peepholes")
    f = sigmoid(f + 1 + (v["W_F_diag"] * C if peeps else 0))
    c = f * C + (1 - f) * np.tanh(j)
    wanted = sigmoid(o + (v["W_O_diag"] * c if peeps else 0)) * np.tanh(c)
    if "num_proj" in options:
        wanted = wanted @ joined("W_P")
    check(output, np.clip(wanted, -0.3, 0.3) if "proj_clip" in options else wanted)
    check(state.c, c)


def test_coupled_gates_with_one_tensor_and_normalization():
    cell = rnn.CoupledInputForgetGateLSTMCell(UNITS, state_is_tuple=False, layer_norm=True, norm_gain=0.5)
    assert cell.state_size == 2 * UNITS
    output, state, v = stepped(cell, state=tf.constant(np.concatenate([C, H], 1)))
    normal = lambda x: 0.5 * (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    assert sorted(k for k in v if "gamma" in k) == [f"{s}/gamma" for s in ("forget", "output", "state", "transform")]
    j, f, o = map(normal, split(np.concatenate([X, H], 1) @ v["W_0"], 3))
    f = sigmoid(f + 1)
    c = normal(f * C + (1 - f) * np.tanh(j))
    check(output, sigmoid(o) * np.tanh(c))
    check(state, np.concatenate([c, output], 1))


@pytest.mark.parametrize("projection", [None, 6])
def test_groups(projection):
    cell = rnn.GLSTMCell(UNITS, number_of_groups=2, num_proj=projection)
    x = RANDOM.randn(BATCH, 6).astype(np.float32)
    h = RANDOM.randn(BATCH, cell.output_size).astype(np.float32)
    output, state, v = stepped(cell, x, (tf.constant(C), tf.constant(h)))
    parts = [split(np.concatenate(pair, 1) @ v[f"group{n}/kernel"], 4)
             for n, pair in enumerate(zip(split(x, 2), split(h, 2)))]
    i, j, f, o = (np.concatenate(gate, 1) for gate in zip(*parts))
    c = sigmoid(f + 1) * C + sigmoid(i) * np.tanh(j)
    wanted = sigmoid(o) * np.tanh(c)
    check(output, wanted if projection is None else wanted @ v["projection/kernel"])
    check(state.c, c)
    assert {f"bias_{gate}" for gate in "ijfo"} <= set(v)
    for arguments in ((5, None), (4, 3)):
        with pytest.raises(ValueError, match="divisible"):
            rnn.GLSTMCell(arguments[0], num_proj=arguments[1], number_of_groups=2)


@pytest.mark.parametrize("peepholes", [False, True])
def test_phases(peepholes):
    cell = rnn.PhasedLSTMCell(UNITS, use_peepholes=peepholes, leak=0.1, ratio_on=0.4, period_init_min=1.0,
                              period_init_max=3.0)
    time = np.array([[1.5], [10.25]], np.float32)
    output, state, v = stepped(cell, (time, X), lstm_state())
    parts = [X, H, C] if peepholes else [X, H]
    i, f = split(sigmoid(np.concatenate(parts, 1) @ v["mask_gates/kernel"] + v["mask_gates/bias"]), 2)
    c = C * f + i * np.tanh(np.concatenate([X, H], 1) @ v["new_input/kernel"] + v["new_input/bias"])
    parts = [X, H, c] if peepholes else [X, H]
    h = np.tanh(c) * sigmoid(np.concatenate(parts, 1) @ v["output_gate/kernel"] + v["output_gate/bias"])
    assert ((1 <= v["period"]) & (v["period"] <= 3) & (0 <= v["phase"]) & (v["phase"] <= v["period"])).all()
    part = np.mod(time - v["phase"], v["period"]) / v["period"]
    up = 2 * part / 0.4
    k = np.where(part < 0.2, up, np.where(part < 0.4, 2 - up, 0.1 * part))
    check(state.c, k * c + (1 - k) * C)
    check(output, k * h + (1 - k) * H)


def convolved(x, kernel):
    """A convolution with zeros around, of one axis."""
    width = kernel.shape[0]
    padded = np.pad(x, [(0, 0), ((width - 1) // 2, width // 2), (0, 0)])
    return np.stack([np.einsum("bwc,wco->bo", padded[:, i:i + width], kernel) for i in range(x.shape[1])], 1)


@pytest.mark.parametrize("skip", [False, True])
def test_convolutions_of_sequences(skip):
    cell = rnn.Conv1DLSTMCell(input_shape=[5, 2], output_channels=3, kernel_shape=[3], skip_connection=skip)
    assert cell.output_size.as_list() == [5, 5 if skip else 3]
    x, c, h = (RANDOM.randn(BATCH, 5, n).astype(np.float32) for n in (2, 3, 3))
    output, state, v = stepped(cell, x, (tf.constant(c), tf.constant(h)))
    i, j, f, o = np.split(convolved(np.concatenate([x, h], 2), v["kernel"]) + v["biases"], 4, axis=2)
    new_c = sigmoid(f + 1) * c + sigmoid(i) * np.tanh(j)
    wanted = np.tanh(new_c) * sigmoid(o)
    check(state.c, new_c)
    check(output, np.concatenate([wanted, x], 2) if skip else wanted)


def test_convolutions_of_images_and_volumes():
    for kind, axes in ((rnn.Conv2DLSTMCell, 2), (rnn.Conv3DLSTMCell, 3)):
        cell = kind(input_shape=[4] * axes + [1], output_channels=2, kernel_shape=[3] * axes, use_bias=False)
        x = tf.ones([BATCH, 3, *[4] * axes, 1])
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        assert outputs.shape.as_list() == [BATCH, 3, *[4] * axes, 2]
        assert state.c.shape.as_list() == [BATCH, *[4] * axes, 2]
    assert {v.op.name for v in tf.global_variables()} == {f"rnn/conv_{n}d_lstm_cell/kernel" for n in (2, 3)}
    with pytest.raises(ValueError, match="input_shape"):
        rnn.ConvLSTMCell(2, [4, 1], 2, [3])


# ---- time and frequency

@pytest.mark.parametrize("peepholes", [False, True])
def test_time_and_frequency(peepholes):
    x = RANDOM.randn(BATCH, 6).astype(np.float32)
    state = RANDOM.randn(BATCH, 2 * 2 * 3).astype(np.float32)
    cell = rnn.TimeFreqLSTMCell(2, use_peepholes=peepholes, cell_clip=0.8, feature_size=2, frequency_skip=2)
    output, after, v = stepped(cell, x, tf.constant(state))
    beside, outputs, states = np.zeros([BATCH, 2]), [], []
    for n, window in enumerate(split(x, 3)):
        c, h = state[:, 4 * n:4 * n + 2], state[:, 4 * n + 2:4 * n + 4]
        i, j, f, o = split(np.concatenate([window, h, beside], 1) @ v["W_0"] + v["B"], 4)
        own = lambda gate, c: v[f"W_{gate}_diag"] * c if peepholes else 0  # noqa: B023
        c = sigmoid(f + 1 + own("F", c)) * c + sigmoid(i + own("I", c)) * np.tanh(j)
        c = np.clip(c, -0.8, 0.8)
        beside = sigmoid(o + own("O", c)) * np.tanh(c)
        outputs.append(beside)
        states += [c, beside]
    check(output, np.concatenate(outputs, 1))
    check(after, np.concatenate(states, 1))


def grid(windows, state, v, block, couples, shares, peepholes):
    """(outputs, states) of a grid of one block; the state is a list of c and m for each window."""
    c_f = m_f = np.zeros([BATCH, 2])
    outputs, states = [], []
    for window, c_t, m_t in zip(windows, state[::2], state[1::2]):
        given, old, gates = np.concatenate([window, m_t, m_f], 1), {"f": c_f, "t": c_t}, {}
        new = {}
        for way in "ft":
            used = "f" if shares else way
            i, j, *f, o = split(given @ v[f"W_{used}_{block}_0"] + v[f"B_{used}_{block}"], 3 if couples else 4)
            name = {"f": "freq", "t": "time"}[used]
            own = lambda gate, sees, name=name: v[f"W_{gate}_diag_{name}{sees}_{block}"] if peepholes else 0
            peep = lambda gate, a, b, own=own: own(gate, "f") * a + own(gate, "t") * b
            i = sigmoid(i + peep("I", c_f, c_t))
            f = 1 - i if couples else sigmoid(f[0] + 1 + peep("F", c_f, c_t))
            new[way], gates[way] = f * old[way] + i * np.tanh(j), (o, peep)
        m = {way: sigmoid(o + peep("O", new["f"], new["t"])) * np.tanh(new[way]) for way, (o, peep) in gates.items()}
        c_f, m_f = new["f"], m["f"]
        outputs += [m["t"], m["f"]]
        states += [new["t"], m["t"]]
    return outputs, states


@pytest.mark.parametrize("couples, shares, peepholes",
                         [(False, False, False), (True, False, True), (False, True, True)])
def test_grid(couples, shares, peepholes):
    cell = rnn.GridLSTMCell(2, use_peepholes=peepholes, share_time_frequency_weights=shares, feature_size=2,
                            frequency_skip=1, num_frequency_blocks=[2, 1], start_freqindex_list=[0, 3],
                            end_freqindex_list=[3, 5], couple_input_forget_gates=couples)
    assert cell.output_size == 12 and len(cell.state_size) == 6
    assert cell.state_tuple_type._fields[:3] == ("state_f00_b00_c", "state_f00_b00_m", "state_f01_b00_c")
    x = RANDOM.randn(BATCH, 5).astype(np.float32)
    parts = [RANDOM.randn(BATCH, 2).astype(np.float32) for _ in range(6)]
    output, state, v = stepped(cell, x, cell.state_tuple_type(*map(tf.constant, parts)))
    first, rest = grid([x[:, :2], x[:, 1:3]], parts[:4], v, 0, couples, shares, peepholes)
    more, last = grid([x[:, 3:]], parts[4:], v, 1, couples, shares, peepholes)
    check(output, np.concatenate([*first, *more], 1))
    check(np.stack(state), np.stack([*rest, *last]))


def test_a_grid_with_one_tensor_as_its_state():
    cell = rnn.GridLSTMCell(2, feature_size=2, frequency_skip=2, num_frequency_blocks=[2], state_is_tuple=False)
    assert cell.state_size == 8 and cell.state_tuple_type is None
    x, start = RANDOM.randn(BATCH, 4).astype(np.float32), RANDOM.randn(BATCH, 8).astype(np.float32)
    output, state, v = stepped(cell, x, tf.constant(start))
    outputs, states = grid(split(x, 2), split(start, 4), v, 0, False, False, False)
    check(output, np.concatenate(outputs, 1))
    check(state, np.concatenate(states, 1))


def test_what_a_grid_refuses():
    with pytest.raises(ValueError, match="num_frequency_blocks"):
        rnn.GridLSTMCell(2, feature_size=2, frequency_skip=1)
    for blocks, starts, ends in (([2], None, None), ([1, 1], None, None), ([1, 1], [0], [2])):
        cell = rnn.GridLSTMCell(2, feature_size=2, frequency_skip=1, num_frequency_blocks=blocks,
                                start_freqindex_list=starts, end_freqindex_list=ends)
        with pytest.raises(ValueError):
            cell(tf.constant(X[:, :2]), cell.zero_state(BATCH, tf.float32))


@pytest.mark.parametrize("offset", [0, 1, -1])
def test_a_grid_in_both_directions(offset):
    cell = rnn.BidirectionalGridLSTMCell(2, feature_size=2, frequency_skip=1, num_frequency_blocks=[3],
                                         backward_slice_offset=offset)
    x = RANDOM.randn(BATCH, 4).astype(np.float32)
    parts = [RANDOM.randn(BATCH, 2).astype(np.float32) for _ in range(12)]
    output, state, v = stepped(cell, x, cell.state_tuple_type(*map(tf.constant, parts)))
    padded = np.pad(x, [(0, 0), (max(-offset, 0), max(offset, 0))])
    first = max(offset, 0)
    runs = []
    for scope, windows, own in (("fwd", [x[:, n:n + 2] for n in range(3)], parts[:6]),
                                ("bwd", [padded[:, first + n:first + n + 2] for n in (2, 1, 0)], parts[6:])):
        weights = {k.removeprefix(f"{scope}/"): value for k, value in v.items() if k.startswith(scope)}
        runs.append(grid(windows, own, weights, 0, False, False, False))
    check(output, np.concatenate([*runs[0][0], *runs[1][0]], 1))
    check(np.stack(state), np.stack([*runs[0][1], *runs[1][1]]))


# ---- cells around cells

@pytest.mark.parametrize("is_tuple", [True, False])
def test_attention_to_the_last_outputs(is_tuple):
    cell = rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(UNITS), 3, attn_size=2, attn_vec_size=5,
                                    state_is_tuple=is_tuple)
    assert cell.state_size == ((UNITS, 2, 6) if is_tuple else UNITS + 8) and cell.output_size == 2
    seen, past = (RANDOM.randn(BATCH, n).astype(np.float32) for n in (2, 6))
    state = (tf.constant(H), tf.constant(seen), tf.constant(past))
    output, after, v = stepped(cell, X, state if is_tuple else tf.concat(state, 1))
    x = np.concatenate([X, seen], 1) @ v["kernel"] + v["bias"]
    r, u = split(sigmoid(np.concatenate([x, H], 1) @ v["gru_cell/gates/kernel"] + 1), 2)
    h = u * H + (1 - u) * np.tanh(np.concatenate([x, r * H], 1) @ v["gru_cell/candidate/kernel"])
    rows = past.reshape(BATCH, 3, 2)
    hidden = np.tanh(rows @ v["attention/attn_w"][0, 0] + (h @ v["attention/kernel"] + v["attention/bias"])[:, None])
    scores = np.exp(hidden @ v["attention/attn_v"])
    seen = np.einsum("bt,bts->bs", scores / scores.sum(1, keepdims=True), rows)
    out = (np.concatenate([h, seen], 1) @ v["attn_output_projection/kernel"] + v["attn_output_projection/bias"])
    check(output, out)
    wanted = (h, seen, np.concatenate([rows[:, 1:], out[:, None]], 1).reshape(BATCH, 6))
    check(np.concatenate(after, 1) if is_tuple else after, np.concatenate(wanted, 1))


def test_what_attention_to_outputs_refuses():
    with pytest.raises(ValueError, match="at least one"):
        rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(2), 0)
    with pytest.raises(ValueError, match="state_is_tuple"):
        rnn.AttentionCellWrapper(tf.nn.rnn_cell.BasicLSTMCell(2), 3, state_is_tuple=False)
    with pytest.raises(TypeError):
        rnn.AttentionCellWrapper(None, 3)


@pytest.mark.parametrize("coupled", [True, False])
def test_highway(coupled):
    with tf.variable_scope("net"):
        cell = rnn.HighwayWrapper(tf.nn.rnn_cell.BasicRNNCell(SIZE), coupled, carry_bias_init=0.5)
        output, _, v = stepped(cell, state=tf.constant(H[:, :SIZE]))
    inner = np.tanh(np.concatenate([X, H[:, :SIZE]], 1) @ v["basic_rnn_cell/kernel"] + v["basic_rnn_cell/bias"])
    carry = sigmoid(X @ v["carry_w"] + 0.5)
    transform = 1 - carry if coupled else sigmoid(X @ v["transform_w"] - 0.5)
    check(output, X * carry + inner * transform)


def test_compiled_wrapper_is_the_cell():
    cell = rnn.CompiledWrapper(tf.nn.rnn_cell.GRUCell(UNITS), compile_stateful=True)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([BATCH, 3, SIZE]), dtype=tf.float32)
    assert outputs.shape.as_list() == [BATCH, 3, UNITS]
    assert [v.op.name for v in tf.global_variables()][0] == "rnn/gru_cell/gates/kernel"


# ---- in loops

def test_a_compiled_loop_learns():
    x = tf.constant(RANDOM.randn(BATCH, 4, SIZE).astype(np.float32))
    outputs, _ = tf.nn.dynamic_rnn(rnn.AttentionCellWrapper(rnn.NASCell(UNITS), 2), x, dtype=tf.float32)
    loss = tf.reduce_mean((outputs - 0.3) ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session(tier="xla") as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(5):
            session.run(train)
        assert session.run(loss) < before


# ---- normalized kernels, and cells of one gate

@pytest.mark.parametrize("norm", [False, True])
def test_weight_normalization(norm):
    x, c, h = np.ones([1, 2], np.float32), np.float32([[0, 0.1]]), np.float32([[0.2, 0.3]])
    with tf.Graph().as_default(), tf.variable_scope("root", initializer=tf.constant_initializer(0.5)):
        cell = tf.contrib.rnn.WeightNormLSTMCell(2, norm=norm, use_peepholes=True, num_proj=1)
        output, state = evaluated(cell(tf.constant(x), tf.nn.rnn_cell.LSTMStateTuple(
            tf.constant(c), tf.constant(h[:, :1]))))
    gate = 0.5 * (1 + 1) + 0.5 * 0.2
    if norm:  # the columns of each part have norm 1/2: its weights are 0.5 / sqrt(rows)
        gate = 0.5 / np.sqrt(2) * 2 + 0.5 * 0.2
    new_c = sigmoid(gate + 1 + 0.5 * c) * c + sigmoid(gate + 0.5 * c) * np.tanh(gate)
    new_h = sigmoid(gate + 0.5 * new_c) * np.tanh(new_c)
    np.testing.assert_allclose(state.c, new_c, rtol=1e-5)
    weight = 0.5 / np.sqrt(2) if norm else 0.5
    np.testing.assert_allclose(output, new_h.sum(1, keepdims=True) * weight, rtol=1e-5)


def test_layer_normalization_with_a_projection():
    with tf.Graph().as_default(), tf.variable_scope("root", initializer=tf.random_normal_initializer(seed=1)):
        cell = tf.contrib.rnn.LayerNormLSTMCell(4, num_proj=3, layer_norm=True, cell_clip=0.5, proj_clip=0.1)
        output, state = evaluated(cell(tf.ones([2, 5]), cell.zero_state(2, tf.float32)))
    assert (output.shape, state.c.shape) == ((2, 3), (2, 4))
    assert np.abs(state.c).max() == 0.5 and np.abs(output).max() <= np.float32(0.1)


@pytest.mark.parametrize("kind, wanted", [
    (tf.contrib.rnn.MinimalRNNCell, lambda gate, seen, h: gate * h + (1 - gate) * seen),
    (tf.contrib.rnn.CFNCell, lambda gate, seen, h: gate * np.tanh(h) + (1 - gate) * seen)])
def test_one_gate(kind, wanted):
    with tf.Graph().as_default():
        cell = kind(2, kernel_initializer=tf.constant_initializer(0.5))
        output, state = evaluated(cell(tf.ones([1, 3]), tf.fill([1, 2], 0.1)))
        assert [v.shape.as_list() for v in tf.trainable_variables()][2] == [2]
    seen = np.tanh(1.5)
    into = 0.5 * 0.2 + 1 + (seen if kind is tf.contrib.rnn.MinimalRNNCell else 1.5)
    np.testing.assert_allclose(output, np.full([1, 2], wanted(sigmoid(into), seen, 0.1)), rtol=1e-5)
