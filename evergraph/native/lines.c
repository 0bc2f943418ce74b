/* Sums and softmax along lines, the last axis of a float32 tensor, for code that runs on NumPy: see lines.h. */

#include "lines.h"

#if HAS_KERNELS

enum { GRAIN = 1 << 14 };

typedef struct {
    const float *x;
    float *result;
    int64_t size;
} Job;

FAST static void sum_some(void *data, long from, long to)
{
    const Job *job = data;
    for (long line = from; line < to; line++)
        job->result[line] = sum_of(job->x + line * job->size, job->size);
}

INLINE void change_lines(const Job *job, long from, long to, int is_divided)
{
    for (long line = from; line < to; line++)
        change_line(job->x + line * job->size, job->result + line * job->size, job->size, is_divided);
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
