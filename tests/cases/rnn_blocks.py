"""LSTM and GRU blocks."""

import numpy as np

from tests.harness import case, f16, floats, i64, program

B, D, U, T = 2, 3, 4, 5
x, c, h = floats(B, D), floats(B, U, seed=1), floats(B, U, seed=2)
w, b = floats(D + U, 4 * U, seed=3), floats(4 * U, seed=4)
peepholes = [floats(U, seed=n) for n in (5, 6, 7)]
step = (x, c, h, w, *peepholes, b)
xs = floats(T, B, D, seed=8)
gates = [1 / (1 + np.exp(-floats(B, U, seed=n))) for n in range(10, 16)]
many = [1 / (1 + np.exp(-floats(T, B, U, seed=n))) for n in range(20, 27)]
gru = (x, h, floats(D + U, 2 * U, seed=3), floats(D + U, U, seed=4), floats(2 * U, seed=5), floats(U, seed=6))
only_some = "the gradient leaves out all outputs but cs and h"

CASES = [
    *[case("LSTMBlockCell", *step, use_peephole=peep, cell_clip=clip, forget_bias=bias).no_grad("contrib's own")
      for peep, clip, bias in ((False, 3.0, 1.0), (True, 0.5, 0.0), (True, -1.0, 0.3))],
    case("LSTMBlockCell", *(f16(v) for v in step)).no_grad("contrib's own").tolerance(5e-3, atol=2e-3),
    case("LSTMBlockCell", x, c, h, floats(D + U, 4 * U - 4), *peepholes, b).fails("InvalidArgumentError"),
    *[case("LSTMBlockCellGrad", *step, *gates, floats(B, U, seed=30), floats(B, U, seed=31), use_peephole=peep)
      .no_grad("none in TensorFlow") for peep in (False, True)],

    *[case("BlockLSTM", i64(T), xs, *step[1:], use_peephole=peep, cell_clip=clip).no_differences(only_some)
      for peep, clip in ((False, 3.0), (True, 0.0))],
    case("BlockLSTM", i64(T), xs, c, h, floats(D, 4 * U), *peepholes, b).fails("InvalidArgumentError"),
    *[case("BlockLSTMV2", i64(T), xs, *step[1:], use_peephole=peep)
      .no_grad("TensorFlow's takes the gates for those of BlockLSTM") for peep in (False, True)],
    *[case(op, i64(4), xs, *step[1:], *many, floats(T, B, U, seed=30), floats(T, B, U, seed=31), use_peephole=peep)
      .no_grad("none in TensorFlow") for op in ("BlockLSTMGrad", "BlockLSTMGradV2") for peep in (False, True)],

    case("GRUBlockCell", *gru).no_grad("contrib's own"),
    case("GRUBlockCell", *(v[:0] if v is x or v is h else v for v in gru)).no_grad("nothing there"),
    case("GRUBlockCellGrad", *gru, *gates[:3], floats(B, U, seed=30)).no_grad("none in TensorFlow"),
]


def _of_length(length, peep):
    """What is defined beyond the length: states and outputs, which are zero; and the gradients."""
    def run(tf, x):
        weights, zeros = tf.constant(w), tf.constant(floats(U, seed=5))
        found = tf.raw_ops.BlockLSTM(seq_len_max=i64(length), x=x, cs_prev=c, h_prev=h, w=weights, wci=zeros, wcf=zeros,
                                     wco=zeros, b=b, forget_bias=0.0, cell_clip=0.0, use_peephole=peep)
        return [found.cs, found.h, *tf.gradients(found.h * found.cs[-2:-1], [x, weights])]
    return run


@program(xs)
def four_of_five_steps(tf, x):
    return _of_length(4, False)(tf, x)


@program(xs)
def one_step_with_peepholes(tf, x):
    return _of_length(1, True)(tf, x)


@program(xs)
def no_step(tf, x):
    return _of_length(0, False)(tf, x)
