/* The last axis of large arrays on NumPy, whose numbers belong to channels: biases, and sums over all other axes; and
   rectified numbers with their gradient. channels.c and channels64.c are the modules for float32 and for float64.

   NumPy calls a loop for every row of a few channels, and several for a gradient. The sums have a fixed division into
   parts, so that the results do not depend on the number of threads.

   It is for a step whose sizes change (`make sizes`).
*/

#include "ffi.h"

#include <string.h>

enum { WIDE = 64, PART = 256, GRAIN = 1 << 14 }; /* numbers of a group of rows; groups in a part; numbers worth a task */

typedef struct {
    const Number *left, *right;
    Number *result, *sums;
    int64_t rows, channels, together; /* rows in a group, which are added up as one long row */
} Job;

static Job job_of(Frame *frame, int64_t channels)
{
    Buffer **given = frame->arguments.buffers;
    Job job = {.left = given[0]->data, .result = frame->results.buffers[0]->data, .channels = channels};
    job.rows = elements_of(given[0]) / channels;
    job.together = (WIDE + channels - 1) / channels;
    if (frame->arguments.count > 1)
        job.right = given[1]->data;
    return job;
}

static int64_t last_size(const Buffer *buffer) { return buffer->rank ? buffer->sizes[buffer->rank - 1] : 0; }

/* ---- biases */

FAST static void add_rows(void *data, long from, long to)
{
    const Job *job = data;
    int64_t channels = job->channels, together = job->together, at = from, count = together * channels;
    Number biases[2 * WIDE];
    const Number *restrict left = job->left + from * channels, *restrict right = job->right;
    Number *restrict result = job->result + from * channels;
    if (channels <= WIDE) {
        for (int64_t row = 0; row < together; row++)
            memcpy(biases + row * channels, right, (size_t)channels * sizeof(Number));
        for (; at + together <= to; at += together, left += count, result += count)
            for (int64_t k = 0; k < count; k++)
                result[k] = left[k] + biases[k];
    }
    for (; at < to; at++, left += channels, result += channels)
        for (int64_t k = 0; k < channels; k++)
            result[k] = left[k] + right[k];
}

static void *add(Frame *frame)
{
    Buffer **given = frame->arguments.buffers;
    int64_t channels = last_size(given[0]);
    if (channels < 1 || !has_argument(frame, 1, channels) || !has_result(frame, 0, elements_of(given[0])))
        return ill_sized(frame);
    Job job = job_of(frame, channels);
    share_ranges(frame, job.rows, GRAIN / channels, add_rows, &job);
    return NULL;
}

/* ---- rectified numbers */

/* NaN stays NaN, and minus zero too. */
#define RECTIFIED(X, UNUSED) (0 > (X) ? 0 : (X))

/* Times zero a gradient of NaN or infinity is NaN, as in TensorFlow. */
#define RECTIFIED_BACK(GRADIENT, FEATURE) ((GRADIENT) * ((FEATURE) > 0 ? (Number)1 : (Number)0))

#define RECTIFY(NAME, FORMULA)                                                                                         \
    FAST static void NAME(void *data, long from, long to)                                                              \
    {                                                                                                                  \
        const Job *job = data;                                                                                         \
        const Number *restrict left = job->left, *restrict right = job->right;                                         \
        Number *restrict result = job->result;                                                                         \
        (void)right;                                                                                                   \
        for (long at = from; at < to; at++)                                                                            \
            result[at] = FORMULA(left[at], right[at]);                                                                 \
    }

RECTIFY(rectify_numbers, RECTIFIED)
RECTIFY(rectify_gradients, RECTIFIED_BACK)

static void *rectify(Frame *frame)
{
    int64_t count = elements_of(frame->arguments.buffers[0]);
    if (!has_result(frame, 0, count))
        return ill_sized(frame);
    Job job = job_of(frame, 1);
    share_ranges(frame, count, GRAIN, rectify_numbers, &job);
    return NULL;
}

static void *rectify_gradient(Frame *frame)
{
    int64_t count = elements_of(frame->arguments.buffers[0]);
    if (!has_result(frame, 0, count) || !has_argument(frame, 1, count))
        return ill_sized(frame);
    Job job = job_of(frame, 1);
    share_ranges(frame, count, GRAIN, rectify_gradients, &job);
    return NULL;
}

/* ---- sums */

/* Adds up groups of rows, one sum for each number of a group. */
FAST static void add_groups(const Number *restrict x, int64_t groups, int64_t count, Number *restrict sums)
{
    int64_t at = 0;
    memset(sums, 0, (size_t)count * sizeof(Number));
    for (; at + 4 <= groups; at += 4, x += 4 * count)
        for (int64_t k = 0; k < count; k++)
            sums[k] += (x[k] + x[count + k]) + (x[2 * count + k] + x[3 * count + k]);
    for (; at < groups; at++, x += count)
        for (int64_t k = 0; k < count; k++)
            sums[k] += x[k];
}

FAST static void sum_part(void *data, long part)
{
    const Job *job = data;
    int64_t count = job->together * job->channels, all = job->rows / job->together, first = part * PART;
    int64_t groups = all - first < PART ? all - first : PART;
    add_groups(job->left + first * count, groups, count, job->sums + part * count);
}

static void *sums(Frame *frame)
{
    int64_t channels = last_size(frame->arguments.buffers[0]);
    if (channels < 1 || !has_result(frame, 0, channels))
        return ill_sized(frame);
    Job job = job_of(frame, channels);
    int64_t groups = job.rows / job.together, parts = (groups + PART - 1) / PART, count = job.together * channels;
    job.sums = memory_for(times(parts, count), sizeof(Number));
    if (!job.sums)
        return out_of_memory(frame);
    share(frame, parts, sum_part, &job);
    memset(job.result, 0, (size_t)channels * sizeof(Number));
    for (int64_t row = 0; row < parts * job.together; row++)
        for (int64_t k = 0; k < channels; k++)
            job.result[k] += job.sums[row * channels + k];
    for (int64_t row = groups * job.together; row < job.rows; row++)
        for (int64_t k = 0; k < channels; k++)
            job.result[k] += job.left[row * channels + k];
    free(job.sums);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("add", add, "nn>n", 0) K("rectify", rectify, "n>n", 0) K("rectify_gradient", rectify_gradient, "nn>n", 0)        \
    K("sums", sums, "n>n", 0)
