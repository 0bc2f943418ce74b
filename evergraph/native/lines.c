/* Sums and maxima of lines, the last axis of a float32 tensor, for code that runs on NumPy on CPUs with AVX2.

   NumPy's own loops begin anew for every line, which takes longer than a line of a hundred numbers. A line is added up in
   the order in which NumPy does it, so that the results are the same: eight sums side by side, in blocks of at most 128
   numbers, and the sums of blocks by pairs.
*/

#include "ffi.h"

#if HAS_KERNELS

#include <immintrin.h>

enum { LANES = 8, BLOCK = 128, GRAIN = 1 << 14 };

typedef struct {
    const float *x;
    float *result;
    int64_t size;
} Job;

INLINE float sum_of_block(const float *x, int64_t count)
{
    float lanes[LANES], sum = 0;
    int64_t at = 0;
    if (count >= LANES) {
        __m256 sums = _mm256_loadu_ps(x);
        for (at = LANES; at + LANES <= count; at += LANES)
            sums += _mm256_loadu_ps(x + at);
        _mm256_storeu_ps(lanes, sums);
        sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
    for (; at < count; at++)
        sum += x[at];
    return sum;
}

FAST static float sum_of(const float *x, int64_t count)
{
    if (count <= BLOCK)
        return sum_of_block(x, count);
    int64_t half = count / 2 - count / 2 % LANES;
    return sum_of(x, half) + sum_of(x + half, count - half);
}

/* The maximum; NaN if there is one among the numbers. */
INLINE float maximum_of(const float *x, int64_t count)
{
    float maximum = x[0];
    int64_t at = 1;
    if (count >= LANES) {
        float lanes[LANES];
        __m256 most = _mm256_loadu_ps(x), odd = _mm256_cmp_ps(most, most, _CMP_UNORD_Q);
        for (at = LANES; at + LANES <= count; at += LANES) {
            __m256 next = _mm256_loadu_ps(x + at);
            odd = _mm256_or_ps(odd, _mm256_cmp_ps(next, next, _CMP_UNORD_Q));
            most = _mm256_max_ps(most, next);
        }
        if (_mm256_movemask_ps(odd))
            return __builtin_nanf("");
        _mm256_storeu_ps(lanes, most);
        maximum = lanes[0];
        for (int lane = 1; lane < LANES; lane++)
            maximum = lanes[lane] > maximum ? lanes[lane] : maximum;
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
INLINE void change_lines(const Job *job, long from, long to, int is_divided)
{
    for (long line = from; line < to; line++) {
        const float *x = job->x + line * job->size;
        float *result = job->result + line * job->size, by = is_divided ? sum_of(x, job->size) : maximum_of(x, job->size);
        for (int64_t at = 0; at < job->size; at++)
            result[at] = is_divided ? x[at] / by : x[at] - by;
    }
}

FAST static void shift_some(void *data, long from, long to) { change_lines(data, from, to, 0); }
FAST static void scale_some(void *data, long from, long to) { change_lines(data, from, to, 1); }

/* The number is the size of a line; the result has a number for each, or the line again if it keeps lines. */
static void *for_lines(Frame *frame, void (*some)(void *, long, long), int keeps)
{
    if (answers_metadata(frame))
        return NULL;
    const Buffer *x = frame->arguments.buffers[0], *result = frame->results.buffers[0];
    Job job = {x->data, result->data, numbers_of(frame)[0]};
    long lines = job.size > 0 ? elements_of(x) / job.size : -1;
    if (lines < 0 || lines * job.size != elements_of(x) || elements_of(result) != (keeps ? elements_of(x) : lines))
        return failure(frame, INVALID, "lines of another size than the arrays have");
    share_ranges(frame, lines, GRAIN / job.size + 1, some, &job);
    return NULL;
}

static void *sums(Frame *frame) { return for_lines(frame, sum_some, 0); }
static void *shifted(Frame *frame) { return for_lines(frame, shift_some, 1); }
static void *scaled(Frame *frame) { return for_lines(frame, scale_some, 1); }

static const Kernel kernels[] = {{"sums", sums}, {"shifted", shifted}, {"scaled", scaled}};

#endif

KERNEL_MODULE(lines, "Sums and maxima along the last axis.")
