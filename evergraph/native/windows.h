/* Sliding windows over images, channels last, for XLA's programs and for NumPy: depthwise convolutions
   and max pooling with their gradients. windows.c and windows64.c are the modules for float32 and for float64.

   Loops go over windows and their elements; a vector of channels at a time is the innermost work. Partial sums have a
   fixed division, so that the results do not depend on the number of threads.

   It is for the row `depthwise_conv2d` of benchmarks.
*/

#include "geometry.h"

#include "vectors.h"
#include <float.h>
#include <string.h>

enum { PARTS = 16, STRIP = 64 };

/* ---- geometry */

typedef struct {
    int64_t images, channels, outputs; /* outputs: channels times the multiplier of a depthwise filter */
    int64_t size[3], window[3], stride[3], dilation[3], before[3], places[3];
} Shape;

static Shape read_shape(const int64_t *numbers)
{
    Shape s = {.images = numbers[0], .channels = numbers[1], .outputs = numbers[2]};
    int64_t *lists[6] = {s.size, s.window, s.stride, s.dilation, s.before, s.places};
    for (int list = 0; list < 6; list++)
        memcpy(lists[list], numbers + 3 + 3 * list, 24);
    return s;
}

/* The elements of a window along one axis that lie in the image: the first and last offset, and the place of offset 0. */
typedef struct {
    int64_t from, to, start;
} Span;

static inline Span span(const Shape *s, int axis, int64_t place)
{
    int64_t start = place * s->stride[axis] - s->before[axis], step = s->dilation[axis];
    int64_t from = start < 0 ? (-start + step - 1) / step : 0;
    int64_t to = start < s->size[axis] ? (s->size[axis] - start + step - 1) / step : 0;
    return (Span){from, to < s->window[axis] ? to : s->window[axis], start};
}

typedef struct {
    Span d, r, c;
} Spans;

static inline Spans spans(const Shape *s, int64_t position)
{
    int64_t column = position % s->places[2], row = position / s->places[2] % s->places[1];
    return (Spans){span(s, 0, position / s->places[2] / s->places[1]), span(s, 1, row), span(s, 2, column)};
}

/* The pixel at an offset of a window. */
static inline int64_t pixel_at(const Shape *s, const Spans *w, int64_t d, int64_t r, int64_t c)
{
    int64_t depth = w->d.start + d * s->dilation[0], row = w->r.start + r * s->dilation[1];
    return (depth * s->size[1] + row) * s->size[2] + w->c.start + c * s->dilation[2];
}

static inline int64_t tap_at(const Shape *s, int64_t d, int64_t r, int64_t c)
{
    return (d * s->window[1] + r) * s->window[2] + c;
}

#define FOR_ELEMENTS(S, W, D, R, C)                                                                                    \
    for (int64_t D = (W).d.from; D < (W).d.to; D++)                                                                    \
        for (int64_t R = (W).r.from; R < (W).r.to; R++)                                                                \
            for (int64_t C = (W).c.from; C < (W).c.to; C++)

/* ---- depthwise convolutions */

typedef struct {
    Shape s;
    const Number *left, *right;
    Number *result, *sums;
    int64_t parts;
} Job;

/* to[o] += x[o / multiplier] * w[o] */
INLINE void add_products(const Number *x, const Number *w, int64_t outputs, int64_t multiplier, Number *restrict to)
{
    int64_t o = 0;
    if (multiplier == 1) {
        for (; o < outputs; o++)
            to[o] += x[o] * w[o];
        return;
    }
#if defined(__x86_64__) && !defined(OF_DOUBLES) /* a third faster than what the compiler makes of it */
    for (__m256i share = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3); multiplier == 2 && o + 8 <= outputs; o += 8) {
        __m256 spread = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(x + o / 2)), share);
        _mm256_storeu_ps(to + o, _mm256_fmadd_ps(spread, _mm256_loadu_ps(w + o), _mm256_loadu_ps(to + o)));
    }
#endif
    for (; multiplier == 4 && o < outputs; o += 4)
        for (int j = 0; j < 4; j++)
            to[o + j] += x[o / 4] * w[o + j];
    for (; o < outputs; o += multiplier)
        for (int64_t j = 0; j < multiplier; j++)
            to[o + j] += x[o / multiplier] * w[o + j];
}

FAST static void depthwise_row(void *job, long task)
{
    Job *f = job;
    const Shape *s = &f->s;
    int64_t rows = s->places[0] * s->places[1], image = task / rows, row = task % rows;
    const Number *x = f->left + image * product(s->size) * s->channels;
    Number *y = f->result + task * s->places[2] * s->outputs;
    memset(y, 0, (size_t)(s->places[2] * s->outputs) * sizeof(Number));
    for (int64_t column = 0; column < s->places[2]; column++, y += s->outputs) {
        Spans w = spans(s, row * s->places[2] + column);
        FOR_ELEMENTS(s, w, d, r, c)
            add_products(x + pixel_at(s, &w, d, r, c) * s->channels, f->right + tap_at(s, d, r, c) * s->outputs,
                         s->outputs, s->outputs / s->channels, y);
    }
}

static void *depthwise(Frame *frame)
{
    if (!is_described(frame, "xdy"))
        return ill_sized(frame);
    Job job = {read_shape(numbers_of(frame)), frame->arguments.buffers[0]->data, frame->arguments.buffers[1]->data,
               frame->results.buffers[0]->data, NULL, 0};
    share(frame, job.s.images * job.s.places[0] * job.s.places[1], depthwise_row, &job);
    return NULL;
}

FAST static void depthwise_sums(void *job, long part)
{
    Job *f = job;
    const Shape *s = &f->s;
    int64_t positions = product(s->places), volume = product(s->size) * s->channels;
    Number *sums = f->sums + part * product(s->window) * s->outputs;
    memset(sums, 0, (size_t)(product(s->window) * s->outputs) * sizeof(Number));
    for (int64_t at = part * s->images * positions / f->parts; at < (part + 1) * s->images * positions / f->parts; at++) {
        const Number *x = f->left + at / positions * volume, *dy = f->right + at * s->outputs;
        Spans w = spans(s, at % positions);
        FOR_ELEMENTS(s, w, d, r, c)
            add_products(x + pixel_at(s, &w, d, r, c) * s->channels, dy, s->outputs, s->outputs / s->channels,
                         sums + tap_at(s, d, r, c) * s->outputs);
    }
}

static void *depthwise_to_filter(Frame *frame)
{
    if (!is_described(frame, "xyd"))
        return ill_sized(frame);
    Job job = {read_shape(numbers_of(frame)), frame->arguments.buffers[0]->data, frame->arguments.buffers[1]->data,
               frame->results.buffers[0]->data, NULL, PARTS};
    int64_t elements = product(job.s.window) * job.s.outputs;
    job.sums = memory_for(TIMES(PARTS, elements), sizeof(Number));
    if (!job.sums)
        return out_of_memory(frame);
    share(frame, PARTS, depthwise_sums, &job);
    memcpy(job.result, job.sums, (size_t)elements * sizeof(Number));
    for (int64_t part = 1; part < PARTS; part++)
        for (int64_t at = 0; at < elements; at++)
            job.result[at] += job.sums[part * elements + at];
    free(job.sums);
    return NULL;
}

/* to[c] += the sum over j of w[c * multiplier + j] * dy[c * multiplier + j] */
INLINE void add_sums(const Number *w, const Number *dy, int64_t channels, int64_t multiplier, Number *restrict to)
{
    int64_t c = 0;
    if (multiplier == 1) {
        for (; c < channels; c++)
            to[c] += w[c] * dy[c];
        return;
    }
#if defined(__x86_64__) && !defined(OF_DOUBLES)
    for (; multiplier == 2 && c + 8 <= channels; c += 8) {
        __m256 first = _mm256_mul_ps(_mm256_loadu_ps(w + 2 * c), _mm256_loadu_ps(dy + 2 * c));
        __m256 second = _mm256_mul_ps(_mm256_loadu_ps(w + 2 * c + 8), _mm256_loadu_ps(dy + 2 * c + 8));
        __m256d pairs = _mm256_castps_pd(_mm256_hadd_ps(first, second)); /* two and two of each, to be put in order */
        __m256 sums = _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0xD8));
        _mm256_storeu_ps(to + c, _mm256_add_ps(_mm256_loadu_ps(to + c), sums));
    }
#endif
    for (; c < channels; c++)
        for (int64_t j = 0; j < multiplier; j++)
            to[c] += w[c * multiplier + j] * dy[c * multiplier + j];
}

FAST static void depthwise_image(void *job, long image)
{
    Job *f = job;
    const Shape *s = &f->s;
    int64_t positions = product(s->places), volume = product(s->size) * s->channels;
    Number *dx = f->result + image * volume;
    memset(dx, 0, (size_t)volume * sizeof(Number));
    for (int64_t at = 0; at < positions; at++) {
        const Number *dy = f->right + (image * positions + at) * s->outputs;
        Spans w = spans(s, at);
        FOR_ELEMENTS(s, w, d, r, c)
            add_sums(f->left + tap_at(s, d, r, c) * s->outputs, dy, s->channels, s->outputs / s->channels,
                     dx + pixel_at(s, &w, d, r, c) * s->channels);
    }
}

static void *depthwise_to_input(Frame *frame)
{
    if (!is_described(frame, "dyx"))
        return ill_sized(frame);
    Job job = {read_shape(numbers_of(frame)), frame->arguments.buffers[0]->data, frame->arguments.buffers[1]->data,
               frame->results.buffers[0]->data, NULL, 0};
    share(frame, job.s.images, depthwise_image, &job);
    return NULL;
}

/* ---- max pooling */

#ifdef OF_DOUBLES
#define LOWEST (-DBL_MAX)
#else
#define LOWEST (-FLT_MAX)
#endif

/* The largest numbers of the windows of a row. NaN is never one, and the lowest finite number is the least. */
FAST static void max_pool_row(void *job, long task)
{
    Job *f = job;
    const Shape *s = &f->s;
    int64_t rows = s->places[0] * s->places[1], channels = s->channels;
    const Number *x = f->left + task / rows * product(s->size) * channels;
    Number *restrict y = f->result + task * s->places[2] * channels;
    for (int64_t column = 0; column < s->places[2]; column++, y += channels) {
        Spans w = spans(s, task % rows * s->places[2] + column);
        for (int64_t c = 0; c < channels; c++)
            y[c] = LOWEST;
        FOR_ELEMENTS(s, w, d, r, c) {
            const Number *restrict here = x + pixel_at(s, &w, d, r, c) * channels;
            for (int64_t k = 0; k < channels; k++)
                y[k] = here[k] > y[k] ? here[k] : y[k];
        }
    }
}

static void *max_pool(Frame *frame)
{
    if (!is_described(frame, "xy") || numbers_of(frame)[1] != numbers_of(frame)[2])
        return ill_sized(frame);
    Job job = {.s = read_shape(numbers_of(frame)), .left = frame->arguments.buffers[0]->data,
               .result = frame->results.buffers[0]->data};
    share(frame, job.s.images * job.s.places[0] * job.s.places[1], max_pool_row, &job);
    return NULL;
}

/* ---- the gradient of max pooling */

/* The pixels of the first largest element of a window, for a strip of channels. NaN wins only as the first element. */
INLINE void find_largest(const Shape *s, const Spans *w, const Number *x, int64_t count, Number *best, Index *where)
{
    int is_first = 1;
    FOR_ELEMENTS(s, *w, d, r, c) {
        Index pixel = (Index)pixel_at(s, w, d, r, c);
        const Number *here = x + pixel * s->channels;
        for (int64_t at = 0; at < count; at += LANES) {
            Vector seen = count - at >= LANES ? load(here + at) : load_lanes(here + at, lanes(count - at, 0));
            Mask old = (Mask)load(best + at), older = (Mask)load((Number *)(where + at));
            Mask wins = is_first ? ~(Mask){0} : (Mask)(seen > (Vector)old);
            store(best + at, (Vector)chosen(wins, (Mask)seen, old));
            store((Number *)(where + at), (Vector)chosen(wins, pixel - (Mask){0}, older));
        }
        is_first = 0;
    }
}

FAST static void max_pool_strip(void *job, long task)
{
    Job *f = job;
    const Shape *s = &f->s;
    int64_t strips = (s->channels + STRIP - 1) / STRIP, image = task / strips, first = task % strips * STRIP;
    int64_t count = s->channels - first < STRIP ? s->channels - first : STRIP, positions = product(s->places);
    int64_t pixels = product(s->size);
    const Number *x = f->left + image * pixels * s->channels + first;
    Number *dx = f->result + image * pixels * s->channels + first, best[STRIP] = {0};
    Index where[STRIP] = {0};
    for (int64_t at = 0; at < pixels; at++)
        memset(dx + at * s->channels, 0, (size_t)count * sizeof(Number));
    for (int64_t at = 0; at < positions; at++) {
        const Number *dy = f->right + (image * positions + at) * s->channels + first;
        Spans w = spans(s, at);
        find_largest(s, &w, x, count, best, where);
        for (int64_t c = 0; c < count; c++)
            dx[where[c] * s->channels + c] += dy[c];
    }
}

static void *max_pool_gradient(Frame *frame)
{
    if (!is_described(frame, "xyx") || numbers_of(frame)[1] != numbers_of(frame)[2]
        || product(numbers_of(frame) + SIZES) > INT32_MAX) /* pixels are numbered with 32 bits */
        return ill_sized(frame);
    Job job = {read_shape(numbers_of(frame)), frame->arguments.buffers[0]->data, frame->arguments.buffers[1]->data,
               frame->results.buffers[0]->data, NULL, 0};
    share(frame, job.s.images * ((job.s.channels + STRIP - 1) / STRIP), max_pool_strip, &job);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("depthwise", depthwise, "nn>n", NUMBERS) K("depthwise_to_filter", depthwise_to_filter, "nn>n", NUMBERS)          \
    K("depthwise_to_input", depthwise_to_input, "nn>n", NUMBERS) K("max_pool", max_pool, "n>n", NUMBERS)               \
    K("max_pool_gradient", max_pool_gradient, "nn>n", NUMBERS)
