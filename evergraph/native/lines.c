/* Sums and maxima of lines, the last axis of a float32 tensor, for code that runs on NumPy on CPUs.

   NumPy's own loops begin anew for every line, which takes longer than a line of a hundred numbers. A line is added up in
   the order in which NumPy does it, so that the results are the same: eight sums side by side, in blocks of at most 128
   numbers, and the sums of blocks by pairs.

   It is for a step whose sizes change (`make sizes`).
*/

#include "vectors.h"

enum { BLOCK = 128, GRAIN = 1 << 13, NEAR = 1 << 12 };

typedef struct {
    const float *x, *y;
    float *result;
    int64_t size;
    void (*exponential)(char **, const Py_ssize_t *, const Py_ssize_t *, void *); /* a loop of NumPy's, and its data */
    void *data;
} Job;

INLINE Vector eight(const float *x, int is_squared)
{
    Vector numbers = load(x);
    return is_squared ? numbers * numbers : numbers;
}

INLINE float sum_of_block(const float *x, int64_t count, int is_squared)
{
    float lanes[LANES], sum = 0;
    int64_t at = 0;
    if (count >= LANES) {
        Vector sums = eight(x, is_squared);
        for (at = LANES; at + LANES <= count; at += LANES)
            sums += eight(x + at, is_squared);
        store(lanes, sums);
        sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
    for (; at < count; at++)
        sum += is_squared ? x[at] * x[at] : x[at];
    return sum;
}

FAST static float sum_of(const float *x, int64_t count)
{
    if (count <= BLOCK)
        return sum_of_block(x, count, 0);
    int64_t half = count / 2 - count / 2 % LANES;
    return sum_of(x, half) + sum_of(x + half, count - half);
}

FAST static float sum_of_squares(const float *x, int64_t count)
{
    if (count <= BLOCK)
        return sum_of_block(x, count, 1);
    int64_t half = count / 2 - count / 2 % LANES;
    return sum_of_squares(x, half) + sum_of_squares(x + half, count - half);
}

/* The maximum; NaN if there is one among the numbers. */
INLINE float maximum_of(const float *x, int64_t count)
{
    float maximum = x[0];
    int64_t at = 1;
    if (count >= LANES) {
        Vector most = load(x);
        Mask odd = most != most;
        for (at = LANES; at + LANES <= count; at += LANES) {
            Vector next = load(x + at);
            odd |= next != next;
            most = larger(most, next);
        }
        for (int lane = 0; lane < LANES; lane++) {
            if (odd[lane])
                return __builtin_nanf("");
            maximum = most[lane] > maximum ? most[lane] : maximum;
        }
    }
    for (; at < count; at++)
        maximum = x[at] > maximum || x[at] != x[at] ? x[at] : maximum;
    return maximum;
}

FAST static void sum_some(void *data, long from, long to)
{
    const Job *job = data;
    for (long line = from; line < to; line++)
        job->result[line] = sum_of(job->x + line * job->size, job->size);
}

/* Subtracts the maximum of each line from its numbers, or divides them by their sum. */
INLINE void change_lines(const Job *job, const float *all, long from, long to, int is_divided)
{
    for (long line = from; line < to; line++) {
        const float *x = all + line * job->size;
        float *result = job->result + line * job->size, by = is_divided ? sum_of(x, job->size) : maximum_of(x, job->size);
        for (int64_t at = 0; at < job->size; at++)
            result[at] = is_divided ? x[at] / by : x[at] - by;
    }
}

FAST static void shift_some(void *data, long from, long to) { change_lines(data, ((Job *)data)->x, from, to, 0); }
FAST static void scale_some(void *data, long from, long to) { change_lines(data, ((Job *)data)->x, from, to, 1); }

/* The softmax of each line, a few of them at a time, which stay in the nearest cache. */
FAST static void soften_some(void *data, long from, long to)
{
    const Job *job = data;
    long together = NEAR / job->size + 1;
    for (; from < to; from += together) {
        long end = to - from < together ? to : from + together;
        char *at[] = {(char *)(job->result + from * job->size), (char *)(job->result + from * job->size)};
        Py_ssize_t count = (end - from) * job->size, strides[] = {sizeof(float), sizeof(float)};
        change_lines(job, job->x, from, end, 0);
        job->exponential(at, &count, strides, job->data);
        change_lines(job, job->result, from, end, 1);
    }
}

/* The gradient by the logits of a softmax y, from that by y: for each line (x - sum(x * y)) * y. */
FAST static void soften_some_back(void *data, long from, long to)
{
    const Job *job = data;
    for (long line = from; line < to; line++) {
        const float *restrict x = job->x + line * job->size, *restrict y = job->y + line * job->size;
        float *restrict result = job->result + line * job->size;
        for (int64_t at = 0; at < job->size; at++)
            result[at] = x[at] * y[at];
        float sum = sum_of(result, job->size);
        for (int64_t at = 0; at < job->size; at++)
            result[at] = (x[at] - sum) * y[at];
    }
}

/* The first number is the size of a line; the result has a number for each, or the line again if it keeps lines. The
   others of a softmax are the addresses of the loop that computes exponentials, and of its data. */
static void *for_lines(Frame *frame, void (*some)(void *, long, long), int keeps)
{
    const Buffer *x = frame->arguments.buffers[0], *result = frame->results.buffers[0];
    const int64_t *numbers = numbers_of(frame);
    Job job = {.x = x->data, .result = result->data, .size = numbers[0]};
    long lines = job.size > 0 ? elements_of(x) / job.size : -1;
    if (lines < 0 || lines * job.size != elements_of(x) || elements_of(result) != (keeps ? elements_of(x) : lines))
        return ill_sized(frame);
    if (some == soften_some_back) {
        if (!has_argument(frame, 1, elements_of(x)))
            return ill_sized(frame);
        job.y = frame->arguments.buffers[1]->data;
    }
    if (some == soften_some) {
        if (!numbers[1])
            return failure(frame, INVALID, "a softmax needs a loop for exponentials");
        job.exponential = (void (*)(char **, const Py_ssize_t *, const Py_ssize_t *, void *))(uintptr_t)numbers[1];
        job.data = (void *)(uintptr_t)numbers[2];
    }
    share_ranges(frame, lines, GRAIN / job.size + 1, some, &job);
    return NULL;
}

static void *sums(Frame *frame) { return for_lines(frame, sum_some, 0); }
static void *shifted(Frame *frame) { return for_lines(frame, shift_some, 1); }
static void *scaled(Frame *frame) { return for_lines(frame, scale_some, 1); }

/* ---- sums of squares, of parts of the numbers */

typedef struct {
    const float *x;
    float *result;
    int64_t count, size;
} Parts;

static void square_some(void *data, long from, long to)
{
    const Parts *parts = data;
    for (long part = from; part < to; part++) {
        int64_t start = part * parts->size, left = parts->count - start;
        parts->result[part] = sum_of_squares(parts->x + start, left < parts->size ? left : parts->size);
    }
}

/* The number is the size of a part; the last one may be shorter. */
static void *squares(Frame *frame)
{
    const Buffer *x = frame->arguments.buffers[0], *result = frame->results.buffers[0];
    Parts parts = {x->data, result->data, elements_of(x), numbers_of(frame)[0]};
    long count = parts.size > 0 ? parts.count / parts.size + (parts.count % parts.size > 0) : -1;
    if (!has_result(frame, 0, count))
        return ill_sized(frame);
    share_ranges(frame, count, GRAIN / parts.size + 1, square_some, &parts);
    return NULL;
}

static void *softmax(Frame *frame) { return for_lines(frame, soften_some, 1); }
static void *softmax_gradient(Frame *frame) { return for_lines(frame, soften_some_back, 1); }

#define KERNELS(K)                                                                                                     \
    K("sums", sums, "4>4", 1) K("shifted", shifted, "4>4", 1) K("scaled", scaled, "4>4", 1)                            \
    K("softmax", softmax, "4>4", 3) K("softmax_gradient", softmax_gradient, "44>4", 1)                                 \
    K("squares", squares, "4>4", 1)

KERNEL_MODULE(lines, "Sums and maxima along the last axis.")
