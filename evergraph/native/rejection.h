/* Gamma and Poisson variables: each goes through blocks of its own until a number is accepted.

   ops/math/samplers.py says what is right, and where the methods come from.
*/

#ifndef EVERGRAPH_REJECTION_H
#define EVERGRAPH_REJECTION_H

#include <math.h>
#include <stdint.h>

#include "philox.h"

enum { RESERVED = 256, READY = 2, LANES = 32 }; /* blocks of a variable, those of them computed ahead, for so many */

typedef struct {
    const State *state;
    uint64_t first, next;          /* the block that it begins with, and how many it has used */
    const uint32_t *ready;         /* the words of its first blocks, LANES apart */
    double uniform, angle, radius; /* spare numbers: a uniform one, and the angle and radius of a normal one */
    int has_uniform, has_normal;
} Lane;

static inline void next_block(Lane *lane, uint32_t words[4])
{
    uint64_t at = lane->next++;
    if (at >= READY)
        block(lane->state, lane->first + at, words);
    else
        for (int each = 0; each < 4; each++)
            words[each] = lane->ready[(4 * at + (uint64_t)each) * LANES];
}

/* Of the two numbers of a block the second comes first. */
static double next_uniform(Lane *lane)
{
    uint32_t words[4];
    lane->has_uniform = !lane->has_uniform;
    if (!lane->has_uniform)
        return lane->uniform;
    next_block(lane, words);
    lane->uniform = wide_unit(words);
    return wide_unit(words + 2);
}

static double next_normal(Lane *lane)
{
    uint32_t words[4];
    lane->has_normal = !lane->has_normal;
    if (!lane->has_normal)
        return sin(lane->angle) * lane->radius;
    next_block(lane, words);
    double number = wide_unit(words);
    lane->radius = sqrt(-2.0 * log(number > 1e-7 ? number : 1e-7));
    lane->angle = wide_unit(words + 2) * 6.283185307179586;
    return cos(lane->angle) * lane->radius;
}

static double gamma_of(Lane *lane, double alpha)
{
    if (!(alpha >= 0.0))
        return NAN;
    if (alpha == 1.0)
        return -log1p(-next_uniform(lane));
    double d = (alpha < 1.0 ? alpha + 1.0 : alpha) - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x = next_normal(lane), v = 1.0 + c * x;
        if (!(v > 0.0))
            continue;
        double u = next_uniform(lane), square = x * x;
        v = v * v * v;
        if (u < 1.0 - 0.0331 * (square * square) || log(u) < 0.5 * square + d * (1.0 - v + log(v)))
            return alpha < 1.0 ? d * v * pow(next_uniform(lane), 1.0 / alpha) : d * v;
    }
}

/* log(k!) of a whole number: by Stirling's series if it is large. */
static double log_factorial(double k)
{
    if (k < 16.0) {
        double product = 1.0;
        for (int factor = 2; factor <= (int)k; factor++)
            product *= factor;
        return log(product);
    }
    double square = k * k, series = 1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square;
    return (k + 0.5) * log(k) - k + 0.9189385332046727 + series / k;
}

static double poisson_of(Lane *lane, double rate)
{
    if (!isfinite(rate))
        return NAN;
    if (rate < 10.0) {
        double limit = exp(-rate), product = next_uniform(lane), count = 0.0;
        for (; !(product <= limit); count++)
            product *= next_uniform(lane);
        return count;
    }
    double b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b, inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    double surely = 0.9277 - 3.6224 / (b - 2.0), logarithm_of_rate = log(rate);
    for (;;) {
        double u = next_uniform(lane) - 0.5, v = next_uniform(lane), edge = 0.5 - fabs(u);
        double k = floor((2.0 * a / edge + b) * u + rate + 0.43);
        if (edge >= 0.07 && v <= surely)
            return k;
        if (k < 0.0 || (edge < 0.013 && v > edge))
            continue;
        if (log(v * inverse_alpha / (a / (edge * edge) + b)) <= k * logarithm_of_rate - rate - log_factorial(k))
            return k;
    }
}

typedef struct {
    const State *state;
    const double *parameters;
    double *result, (*draw)(Lane *, double);
    int64_t samples, count; /* of each parameter; of parameters */
} Trials;

/* The words of the first blocks of some variables, computed side by side, which takes vectors. */
static void make_ready(const State *state, const uint64_t *first, uint32_t words[4 * READY][LANES])
{
    for (int nth = 0; nth < READY; nth++) {
        uint32_t(*four)[LANES] = words + 4 * nth;
        for (int at = 0; at < LANES; at++) {
            uint64_t index = first[at] + (uint64_t)nth, low = state->low + index, high = state->high + (low < index);
            four[0][at] = (uint32_t)low, four[1][at] = (uint32_t)(low >> 32);
            four[2][at] = (uint32_t)high, four[3][at] = (uint32_t)(high >> 32);
        }
        for (int at = 0; at < LANES; at++)
            encrypt(four[0] + at, four[1] + at, four[2] + at, four[3] + at, (uint32_t)state->key,
                    (uint32_t)(state->key >> 32));
    }
}

/* Blocks are handed out parameter by parameter, while the values of one sample are neighbours in the result. */
static void draw_variables(void *data, long from, long to)
{
    Trials *trials = data;
    uint64_t first[LANES] = {0};
    uint32_t ready[4 * READY][LANES];
    for (long start = from; start < to; start += LANES) {
        long count = to - start < LANES ? to - start : LANES;
        for (long at = 0; at < count; at++) {
            uint64_t sample = (uint64_t)((start + at) / trials->count), which = (uint64_t)((start + at) % trials->count);
            first[at] = (which * (uint64_t)trials->samples + sample) * RESERVED;
        }
        make_ready(trials->state, first, ready);
        for (long at = 0; at < count; at++) {
            Lane lane = {.state = trials->state, .first = first[at], .ready = &ready[0][0] + at};
            trials->result[start + at] = trials->draw(&lane, trials->parameters[(start + at) % trials->count]);
        }
    }
}

#endif
