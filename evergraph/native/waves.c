/* Sines and cosines of many float32 numbers, for XLA's programs on CPUs.

   Row `sin of 1e6` of benchmarks is 1.07 times as fast with it.
*/

#include "ffi.h"

#include "waves.h"

enum { GRAIN = 1 << 14, STRIP = 64 };
static const float HUGE_ANGLE = 1e5f;

typedef struct {
    const float *x;
    float *result;
    int quarters;
} Job;

/* The C library computes what is too large, infinite or NaN. */
static void repair(const float *x, int64_t count, int quarters, float *result)
{
    for (int64_t at = 0; at < count; at++)
        if (!(fabsf(x[at]) < HUGE_ANGLE))
            result[at] = quarters ? cosf(x[at]) : sinf(x[at]);
}

INLINE void compute(const float *restrict x, int64_t count, int quarters, float *restrict result)
{
    int huge = 0;
    for (int64_t at = 0; at < count; at++) {
        huge |= !(fabsf(x[at]) < HUGE_ANGLE);
        result[at] = sine_after(x[at], quarters);
    }
    if (huge)
        repair(x, count, quarters, result);
}

FAST static void compute_some(void *data, long from, long to)
{
    Job *job = data;
    for (long at = from; at < to; at += STRIP) {
        int64_t count = to - at < STRIP ? to - at : STRIP;
        if (job->quarters)
            compute(job->x + at, count, 1, job->result + at);
        else
            compute(job->x + at, count, 0, job->result + at);
    }
}

/* The numbers are how many angles there are, and the quarter turns that are added to each: 0 or 1. */
static void *sine(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!has_argument(frame, 0, numbers[0]) || !has_result(frame, 0, numbers[0]))
        return ill_sized(frame);
    Job job = {frame->arguments.buffers[0]->data, frame->results.buffers[0]->data, (int)numbers[1]};
    share_ranges(frame, numbers[0], GRAIN, compute_some, &job);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("sine", sine, "4>4", 2)

KERNEL_MODULE(waves, "Sines and cosines for XLA's programs.")
