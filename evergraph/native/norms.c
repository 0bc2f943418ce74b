/* Batch normalization of large float32 arrays on NumPy, whose last axis has the channels, and its gradient.

   NumPy would go through an array a dozen times. Rows are taken together to wide ones, so that few channels fill vectors;
   what belongs to channels is repeated for them. Sums have a fixed division into parts, so that results do not depend on
   the number of threads.

   It is for a step whose sizes change (`make sizes`).
*/

#include "ffi.h"

#include <math.h>
#include <string.h>

enum { WIDE = 64, PART = 128 }; /* numbers of a wide row, or more; wide rows in a part */

typedef struct {
    const float *x, *dy;
    float *result, *sums, *wide; /* the latter are rows of numbers that belong to channels, repeated to wide rows */
    int64_t rows, channels, together, count, parts;
} Job;

static Job job_of(const Buffer *x)
{
    Job job = {.x = x->data, .channels = x->rank ? x->sizes[x->rank - 1] : 0};
    if (job.channels > 0) {
        job.rows = elements_of(x) / job.channels;
        job.together = (WIDE + job.channels - 1) / job.channels;
        job.count = job.together * job.channels;
        job.parts = (job.rows / job.together + PART - 1) / PART;
    }
    return job;
}

/* The wide rows of a part: where the first one begins, and how many there are. */
static int64_t part_of(const Job *job, long part, int64_t *groups)
{
    int64_t all = job->rows / job->together, first = part * PART;
    *groups = all - first < PART ? all - first : PART;
    return first * job->count;
}

/* Repeats the numbers of the channels at the beginning of `rows` wide rows. */
static void widen(Job *job, int rows)
{
    for (int64_t at = 0; at < rows; at++)
        for (int64_t row = 1; row < job->together; row++)
            memcpy(job->wide + at * job->count + row * job->channels, job->wide + at * job->count,
                   (size_t)job->channels * sizeof *job->wide);
}

/* Memory for wide rows, for sums of the parts, and for as many sums of the channels; NULL if there is none. */
static double *room_for(Job *job, int rows, int kinds)
{
    double *totals = memory_for(times(kinds, job->channels), sizeof *totals);
    job->wide = memory_for(times(job->count, rows + kinds * (job->parts + 1)), sizeof *job->wide);
    job->sums = job->wide + rows * job->count;
    if (totals && job->wide)
        return totals;
    free(totals);
    free(job->wide);
    return NULL;
}

/* ---- sums */

FAST static void add_squares(const float *restrict x, const float *restrict mean, int64_t groups, int64_t count,
                             float *restrict sums)
{
    for (; groups > 0; groups--, x += count)
        for (int64_t k = 0; k < count; k++) {
            float off = x[k] - mean[k];
            sums[k] += off * off;
        }
}

FAST static void add_products(const float *restrict x, const float *restrict dy, const float *restrict mean,
                              int64_t groups, int64_t count, float *restrict sums)
{
    for (; groups > 0; groups--, x += count, dy += count)
        for (int64_t k = 0; k < count; k++) {
            sums[k] += dy[k];
            sums[count + k] += dy[k] * (x[k] - mean[k]);
        }
}

static void square_part(void *data, long part)
{
    const Job *job = data;
    int64_t groups, first = part_of(job, part, &groups);
    add_squares(job->x + first, job->wide, groups, job->count, job->sums + part * job->count);
}

static void product_part(void *data, long part)
{
    const Job *job = data;
    int64_t groups, first = part_of(job, part, &groups);
    add_products(job->x + first, job->dy + first, job->wide, groups, job->count, job->sums + 2 * part * job->count);
}

/* Adds up `kinds` sums for each channel: of the parts, and of the rows that make no wide one, which `last` adds. */
static void add_up(Frame *frame, Job *job, int kinds, void (*piece)(void *, long),
                   void (*last)(const Job *, int64_t, float *), double *totals)
{
    int64_t count = job->count, channels = job->channels;
    memset(job->sums, 0, (size_t)(kinds * count * (job->parts + 1)) * sizeof *job->sums);
    share(frame, job->parts, piece, job);
    float *behind = job->sums + kinds * count * job->parts;
    for (int64_t row = job->rows / job->together * job->together; row < job->rows; row++)
        last(job, row * channels, behind);
    memset(totals, 0, (size_t)(kinds * channels) * sizeof *totals);
    for (int64_t part = 0; part <= job->parts; part++)
        for (int kind = 0; kind < kinds; kind++)
            for (int64_t k = 0; k < count; k++)
                totals[kind * channels + k % channels] += job->sums[(part * kinds + kind) * count + k];
}

static void square_last(const Job *job, int64_t at, float *sums)
{
    add_squares(job->x + at, job->wide, 1, job->channels, sums);
}

static void product_last(const Job *job, int64_t at, float *sums)
{
    for (int64_t k = 0; k < job->channels; k++) {
        sums[k] += job->dy[at + k];
        sums[job->count + k] += job->dy[at + k] * (job->x[at + k] - job->wide[k]);
    }
}

/* ---- results */

FAST static void scale_range(void *data, long from, long to)
{
    const Job *job = data;
    int64_t channels = job->channels, count = job->count, at = from * channels, end = to * channels;
    const float *restrict x = job->x, *restrict factor = job->wide, *restrict shift = job->wide + count;
    float *restrict y = job->result;
    for (; at + count <= end; at += count)
        for (int64_t k = 0; k < count; k++)
            y[at + k] = x[at + k] * factor[k] + shift[k];
    for (int64_t k = 0; at + k < end; k++)
        y[at + k] = x[at + k] * factor[k] + shift[k];
}

FAST static void slope_range(void *data, long from, long to)
{
    const Job *job = data;
    int64_t channels = job->channels, count = job->count, at = from * channels, end = to * channels;
    const float *restrict x = job->x, *restrict dy = job->dy, *restrict by_dy = job->wide;
    const float *restrict by_x = job->wide + count, *restrict mean = by_x + count, *restrict less = mean + count;
    float *restrict dx = job->result;
    for (; at < end; at += count) {
        int64_t most = end - at < count ? end - at : count;
        for (int64_t k = 0; k < most; k++)
            dx[at + k] = ((dy[at + k] - less[k]) - (x[at + k] - mean[k]) * by_x[k]) * by_dy[k];
    }
}

/* Whether arrays have a number for each channel. */
static int are_of(const Job *job, Buffer **buffers, int count)
{
    for (int at = 0; at < count; at++)
        if (elements_of(buffers[at]) != job->channels)
            return 0;
    return 1;
}

static float epsilon_of(Frame *frame)
{
    int32_t bits = (int32_t)numbers_of(frame)[0];
    float epsilon;
    memcpy(&epsilon, &bits, sizeof epsilon);
    return epsilon;
}

/* x, the mean of each channel, scale, offset -> y and the variance. The number is the bits of epsilon. */
static void *normalize(Frame *frame)
{
    Buffer **given = frame->arguments.buffers, **made = frame->results.buffers;
    Job job = job_of(given[0]);
    int64_t count = job.count, channels = job.channels;
    if (job.rows < 1 || !are_of(&job, given + 1, 3) || !are_of(&job, made + 1, 1)
        || elements_of(made[0]) != elements_of(given[0]))
        return ill_sized(frame);
    double *totals = room_for(&job, 2, 1);
    if (!totals)
        return out_of_memory(frame);
    const float *mean = given[1]->data, *scale = given[2]->data, *offset = given[3]->data;
    float *variance = made[1]->data, *wide = job.wide, epsilon = epsilon_of(frame);
    job.result = made[0]->data;
    memcpy(wide, mean, (size_t)channels * sizeof *wide);
    widen(&job, 1);
    add_up(frame, &job, 1, square_part, square_last, totals);
    for (int64_t k = 0; k < channels; k++) {
        variance[k] = (float)(totals[k] / (double)job.rows);
        wide[k] = scale[k] / sqrtf(variance[k] + epsilon);
        wide[count + k] = offset[k] - mean[k] * wide[k];
    }
    widen(&job, 2);
    share_ranges(frame, job.rows, (1 << 14) / channels + 1, scale_range, &job);
    free(totals);
    free(wide);
    return NULL;
}

/* dy, x, scale, mean, variance -> dx, the gradients of scale and offset. */
static void *normalize_gradient(Frame *frame)
{
    Buffer **given = frame->arguments.buffers, **made = frame->results.buffers;
    Job job = job_of(given[1]);
    int64_t count = job.count, channels = job.channels;
    if (job.rows < 1 || !are_of(&job, given + 2, 3) || !are_of(&job, made + 1, 2)
        || elements_of(made[0]) != elements_of(given[1]) || elements_of(given[0]) != elements_of(given[1]))
        return ill_sized(frame);
    double *totals = room_for(&job, 4, 2);
    if (!totals)
        return out_of_memory(frame);
    const float *scale = given[2]->data, *mean = given[3]->data, *variance = given[4]->data;
    float *by_scale = made[1]->data, *by_offset = made[2]->data, *wide = job.wide, epsilon = epsilon_of(frame);
    job.dy = given[0]->data;
    job.result = made[0]->data;
    memcpy(wide, mean, (size_t)channels * sizeof *wide);
    widen(&job, 1);
    add_up(frame, &job, 2, product_part, product_last, totals);
    for (int64_t k = 0; k < channels; k++) {
        float inverse = 1 / sqrtf(variance[k] + epsilon), product = (float)totals[channels + k];
        by_offset[k] = (float)totals[k];
        by_scale[k] = product * inverse;
        wide[k] = scale[k] * inverse;
        wide[count + k] = (float)(totals[channels + k] / ((double)job.rows * (variance[k] + epsilon)));
        wide[2 * count + k] = mean[k];
        wide[3 * count + k] = (float)(totals[k] / (double)job.rows);
    }
    widen(&job, 4);
    share_ranges(frame, job.rows, (1 << 14) / channels + 1, slope_range, &job);
    free(totals);
    free(wide);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("normalize", normalize, "4444>44", 1) K("normalize_gradient", normalize_gradient, "44444>444", 1)

KERNEL_MODULE(norms, "Batch normalization of large float32 arrays.")
