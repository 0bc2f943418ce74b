/* Reductions of float32 tensors along one axis, for XLA's programs on CPUs: products, the positions of maxima,
   running sums and products; and of rows by segments.

   A tensor is [outer, size, inner], and the middle axis is reduced. A product has a fixed division into parts, so that its
   rounding does not depend on the number of threads.

   It is for the row `cumsum` of benchmarks.
*/

#include "ffi.h"

#include <float.h>
#include <string.h>

enum { LANES = 32, PART = 1 << 14, COLUMNS = 256 };
enum { MINIMA = 1, MULTIPLIES = 1, EXCLUSIVE = 2, REVERSE = 4 }; /* options */

typedef struct {
    const float *x;
    const int32_t *ids;
    void *result;
    float *partial;
    int64_t size, inner, parts, step; /* of a product: parts of the middle axis, and elements in each */
    int option;
} Job;

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- products */

FAST static float product_of(const float *x, int64_t count)
{
    float lanes[LANES], product = 1;
    int64_t at = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = 1;
    for (; at + LANES <= count; at += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] *= x[at + lane];
    for (; at < count; at++)
        product *= x[at];
    for (int lane = 0; lane < LANES; lane++)
        product *= lanes[lane];
    return product;
}

/* The products of some rows of the middle axis, one for each column. */
FAST static void multiply_rows(const float *restrict x, int64_t rows, int64_t inner, float *restrict to)
{
    memcpy(to, x, (size_t)inner * sizeof *to);
    for (int64_t row = 1; row < rows; row++)
        for (int64_t column = 0; column < inner; column++)
            to[column] *= x[row * inner + column];
}

static void multiply_some(void *data, long from, long to)
{
    Job *job = data;
    for (long at = from; at < to; at++) {
        int64_t outer = at / job->parts, first = at % job->parts * job->step;
        int64_t rows = least(job->step, job->size - first);
        const float *x = job->x + (outer * job->size + first) * job->inner;
        if (job->inner == 1)
            job->partial[at] = product_of(x, rows);
        else
            multiply_rows(x, rows, job->inner, job->partial + at * job->inner);
    }
}

static void multiply_parts(Job *job, int64_t outer)
{
    for (int64_t row = 0; row < outer; row++) {
        const float *partial = job->partial + row * job->parts * job->inner;
        if (job->inner == 1)
            ((float *)job->result)[row] = product_of(partial, job->parts);
        else
            multiply_rows(partial, job->parts, job->inner, (float *)job->result + row * job->inner);
    }
}

/* ---- positions: NaN and the infinity on the other end are passed over, as TensorFlow does */

FAST static int32_t position_in_row(const float *x, int64_t size, int option)
{
    float lanes[LANES], best = -FLT_MAX, sign = option & MINIMA ? -1 : 1;
    int64_t at = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = -FLT_MAX;
    for (; at + LANES <= size; at += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            float number = x[at + lane] * sign;
            lanes[lane] = number > lanes[lane] ? number : lanes[lane];
        }
    for (; at < size; at++)
        best = x[at] * sign > best ? x[at] * sign : best;
    for (int lane = 0; lane < LANES; lane++)
        best = lanes[lane] > best ? lanes[lane] : best;
    if (best == -FLT_MAX)
        return 0;
    for (at = 0; x[at] * sign != best;)
        at++;
    return (int32_t)at;
}

/* The positions in some neighbouring columns. */
FAST static void positions_in_columns(const float *x, int64_t size, int64_t inner, int count, int option, int32_t *to)
{
    float best[COLUMNS], sign = option & MINIMA ? -1 : 1;
    int32_t found[COLUMNS] = {0};
    for (int column = 0; column < count; column++)
        best[column] = -FLT_MAX;
    for (int64_t row = 0; row < size; row++)
        for (int column = 0; column < count; column++) {
            float number = x[row * inner + column] * sign;
            found[column] = number > best[column] ? (int32_t)row : found[column];
            best[column] = number > best[column] ? number : best[column];
        }
    memcpy(to, found, (size_t)count * sizeof *to);
}

static void find_in_rows(void *data, long from, long to)
{
    Job *job = data;
    for (long row = from; row < to; row++)
        ((int32_t *)job->result)[row] = position_in_row(job->x + row * job->size, job->size, job->option);
}

static void find_in_columns(void *data, long at)
{
    Job *job = data;
    int64_t outer = at / job->parts, first = at % job->parts * COLUMNS;
    positions_in_columns(job->x + outer * job->size * job->inner + first, job->size, job->inner,
                         (int)least(COLUMNS, job->inner - first), job->option,
                         (int32_t *)job->result + outer * job->inner + first);
}

/* ---- running sums and products */

INLINE float joined(float so_far, float number, int multiplies)
{
    return multiplies ? so_far * number : so_far + number;
}

/* Goes down one column, by `step` elements each time. */
INLINE void go_along(const float *x, int64_t size, int64_t step, int multiplies, int exclusive, float *to)
{
    float so_far = (float)multiplies;
    for (int64_t row = 0, at = 0; row < size; row++, at += step) {
        float next = joined(so_far, x[at], multiplies);
        to[at] = exclusive ? so_far : next;
        so_far = next;
    }
}

/* Goes down some neighbouring columns. */
INLINE void go_down(const float *restrict x, int64_t size, int64_t step, int count, int multiplies, int exclusive,
                    float *restrict to)
{
    float so_far[COLUMNS];
    for (int column = 0; column < count; column++)
        so_far[column] = (float)multiplies;
    for (int64_t row = 0, at = 0; row < size; row++, at += step)
        for (int column = 0; column < count; column++) {
            float next = joined(so_far[column], x[at + column], multiplies);
            to[at + column] = exclusive ? so_far[column] : next;
            so_far[column] = next;
        }
}

INLINE void run_part(const Job *job, int64_t at, int multiplies)
{
    int64_t first = at % job->parts * COLUMNS, start = at / job->parts * job->size * job->inner + first;
    int64_t step = job->option & REVERSE ? -job->inner : job->inner;
    start += job->option & REVERSE ? (job->size - 1) * job->inner : 0;
    int count = (int)least(COLUMNS, job->inner - first), exclusive = (job->option & EXCLUSIVE) != 0;
    if (job->inner == 1)
        go_along(job->x + start, job->size, step, multiplies, exclusive, (float *)job->result + start);
    else
        go_down(job->x + start, job->size, step, count, multiplies, exclusive, (float *)job->result + start);
}

FAST static void run_some(void *data, long from, long to)
{
    Job *job = data;
    for (long at = from; at < to; at++)
        if (job->option & MULTIPLIES)
            run_part(job, at, 1);
        else
            run_part(job, at, 0);
}

/* ---- rows by segments: their ids ascend, and those that are too large are padding */

enum { SUM, PRODUCT, MINIMUM, MAXIMUM };

INLINE void join_rows(const float *restrict x, int64_t inner, int how, float *restrict to)
{
    for (int64_t column = 0; column < inner; column++) {
        float so_far = to[column], number = x[column];
        if (how == SUM)
            to[column] = so_far + number;
        else if (how == PRODUCT)
            to[column] = so_far * number;
        else /* NaN stays */
            to[column] = ((how == MINIMUM ? number < so_far : number > so_far) | (number != number)) ? number : so_far;
    }
}

static int64_t first_of(const int32_t *ids, int64_t size, int64_t segment)
{
    int64_t low = 0, high = size;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (ids[middle] < segment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

INLINE void reduce_segments(const Job *job, long from, long to, int how)
{
    int64_t inner = job->inner, row = first_of(job->ids, job->size, from);
    for (long segment = from; segment < to; segment++) {
        float *result = (float *)job->result + segment * inner, empty = how == PRODUCT;
        if (row == job->size || job->ids[row] != segment) {
            for (int64_t column = 0; column < inner; column++)
                result[column] = empty;
            continue;
        }
        memcpy(result, job->x + row++ * inner, (size_t)inner * sizeof *result);
        for (; row < job->size && job->ids[row] == segment; row++)
            join_rows(job->x + row * inner, inner, how, result);
    }
}

FAST static void reduce_some(void *data, long from, long to)
{
    Job *job = data;
    switch (job->option) {
    case SUM: reduce_segments(job, from, to, SUM); break;
    case PRODUCT: reduce_segments(job, from, to, PRODUCT); break;
    case MINIMUM: reduce_segments(job, from, to, MINIMUM); break;
    default: reduce_segments(job, from, to, MAXIMUM);
    }
}

/* ---- calls: the numbers are the sizes of the three axes, or of segments, rows and columns; then options */

static Job read_job(Frame *frame, const int64_t *numbers)
{
    return (Job){.x = frame->arguments.buffers[0]->data, .result = frame->results.buffers[0]->data,
                 .size = numbers[1], .inner = numbers[2], .option = (int)numbers[3]};
}

/* Whether x, with so many outer elements, and the result, with so many along the axis, have these sizes; none is empty. */
static int fits(const Frame *frame, int64_t outer, int64_t result)
{
    const int64_t *numbers = frame->attributes.arrays[0]->data;
    return numbers[1] > 0 && numbers[2] > 0
        && has_argument(frame, 0, TIMES(outer, numbers[1], numbers[2]))
        && has_result(frame, 0, TIMES(numbers[0], numbers[2], result));
}

static void *products(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!fits(frame, numbers[0], 1))
        return ill_sized(frame);
    Job job = read_job(frame, numbers);
    job.step = least(job.size, job.inner < PART ? PART / job.inner : 1);
    job.parts = (job.size + job.step - 1) / job.step;
    job.partial = memory_for(TIMES(numbers[0], job.parts, job.inner), sizeof *job.partial);
    if (!job.partial)
        return out_of_memory(frame);
    share_ranges(frame, numbers[0] * job.parts, PART / (job.step * job.inner), multiply_some, &job);
    multiply_parts(&job, numbers[0]);
    free(job.partial);
    return NULL;
}

static void *positions(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!fits(frame, numbers[0], 1))
        return ill_sized(frame);
    Job job = read_job(frame, numbers);
    job.parts = (job.inner + COLUMNS - 1) / COLUMNS;
    if (job.inner == 1)
        share_ranges(frame, numbers[0], PART / job.size, find_in_rows, &job);
    else
        share(frame, numbers[0] * job.parts, find_in_columns, &job);
    return NULL;
}

static void *running(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!fits(frame, numbers[0], numbers[1]))
        return ill_sized(frame);
    Job job = read_job(frame, numbers);
    job.parts = (job.inner + COLUMNS - 1) / COLUMNS;
    share_ranges(frame, numbers[0] * job.parts, PART / (job.size * least(COLUMNS, job.inner)), run_some, &job);
    return NULL;
}

static void *segments(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!fits(frame, 1, 1) || !has_argument(frame, 1, numbers[1]) || numbers[0] > INT32_MAX)
        return ill_sized(frame);
    Job job = read_job(frame, numbers);
    job.ids = frame->arguments.buffers[1]->data;
    share_ranges(frame, numbers[0], PART * numbers[0] / (job.size * job.inner), reduce_some, &job);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("products", products, "4>4", 4) K("positions", positions, "4>4", 4) K("running", running, "4>4", 4)              \
    K("segments", segments, "44>4", 4)

KERNEL_MODULE(reduce, "Reductions along an axis for XLA's programs.")
