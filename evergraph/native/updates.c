/* Optimizers' updates of float32 variables, all those of a step in one call, for XLA's programs on CPUs with AVX2.

   Each formula has the operations of its rule in ops/nn/updates.py in the same order, none of them contracted, so that
   the results are NumPy's.
*/

#include "ffi.h"

#if HAS_KERNELS

#include <immintrin.h>
#include <string.h>

/* Elements of a task, and elements that one thread updates before another would wake up. */
enum { GRAIN = 1 << 14, LIGHT = 1 << 17, LANES = 8, MOST_CELLS = 3 };

typedef struct {
    int cells;
    const float *old[MOST_CELLS], *gradient;
    float *new[MOST_CELLS];
} Update; /* of a variable and its slots, which may be in place */

typedef struct {
    __m256 cell[MOST_CELLS];
} Cells;

typedef void (*Range)(const Update *, const float *scalars, int flag, long from, long to);

/* ---- formulas */

INLINE __m256 all(float value) { return _mm256_set1_ps(value); }

/* The scalar is the learning rate. */
INLINE Cells descend(Cells old, __m256 gradient, const float *scalars, int flag)
{
    (void)flag;
    return (Cells){{old.cell[0] - all(scalars[0]) * gradient}};
}

/* The scalars are the learning rate and the momentum; the flag says whether it is Nesterov's. */
INLINE Cells gain_momentum(Cells old, __m256 gradient, const float *scalars, int flag)
{
    __m256 rate = all(scalars[0]), momentum = all(scalars[1]);
    __m256 sum = old.cell[1] * momentum + gradient, step = sum * rate;
    if (flag)
        step = gradient * rate + sum * momentum * rate;
    return (Cells){{old.cell[0] - step, sum}};
}

/* The scalar is the learning rate. */
INLINE Cells adapt(Cells old, __m256 gradient, const float *scalars, int flag)
{
    (void)flag;
    __m256 squares = old.cell[1] + gradient * gradient;
    return (Cells){{old.cell[0] - gradient * all(scalars[0]) / _mm256_sqrt_ps(squares), squares}};
}

/* The scalars are the rate of this step, beta1, 1 - beta1, 1 - beta2 and epsilon; the flag says whether the momentum is
   Nesterov's. */
INLINE Cells estimate_moments(Cells old, __m256 gradient, const float *scalars, int flag)
{
    __m256 m = old.cell[1] + (gradient - old.cell[1]) * all(scalars[2]);
    __m256 v = old.cell[2] + (gradient * gradient - old.cell[2]) * all(scalars[3]);
    __m256 along = m;
    if (flag)
        along = gradient * all(scalars[2]) + all(scalars[1]) * m;
    return (Cells){{old.cell[0] - along * all(scalars[0]) / (_mm256_sqrt_ps(v) + all(scalars[4])), m, v}};
}

/* ---- ranges of one variable */

INLINE __m256i lanes(long count)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

INLINE __m256 load(const float *from, long count)
{
    return count < LANES ? _mm256_maskload_ps(from, lanes(count)) : _mm256_loadu_ps(from);
}

INLINE void store(float *to, long count, __m256 value)
{
    if (count < LANES)
        _mm256_maskstore_ps(to, lanes(count), value);
    else
        _mm256_storeu_ps(to, value);
}

#define FORMULA(NAME, FUNCTION, CELLS)                                                                                 \
    INLINE void NAME##_some(const Update *update, const float *scalars, int flag, long at, long count)                 \
    {                                                                                                                  \
        Cells old = {0};                                                                                               \
        for (int c = 0; c < CELLS; c++)                                                                                \
            old.cell[c] = load(update->old[c] + at, count);                                                            \
        Cells new = FUNCTION(old, load(update->gradient + at, count), scalars, flag);                                  \
        for (int c = 0; c < CELLS; c++)                                                                                \
            store(update->new[c] + at, count, new.cell[c]);                                                            \
    }                                                                                                                  \
    FAST static void NAME##_range(const Update *update, const float *scalars, int flag, long from, long to)            \
    {                                                                                                                  \
        long at = from;                                                                                                \
        for (; at + LANES <= to; at += LANES)                                                                          \
            NAME##_some(update, scalars, flag, at, LANES);                                                             \
        if (at < to)                                                                                                   \
            NAME##_some(update, scalars, flag, at, to - at);                                                           \
    }                                                                                                                  \
    static void *NAME(Frame *frame) { return update_all(frame, NAME##_range, CELLS); }

static void keep(const Update *update, const float *scalars, int flag, long from, long to)
{
    (void)scalars, (void)flag;
    for (int c = 0; c < update->cells; c++)
        if (update->new[c] != update->old[c])
            memcpy(update->new[c] + from, update->old[c] + from, (size_t)(to - from) * sizeof(float));
}

/* ---- all variables */

typedef struct {
    Frame *frame;
    Range range;
    int cells, flag, is_packed;
    const int64_t *starts; /* of the slots in their pack, variable after variable */
    long count;
} Job;

/* The scalars and whether the updates are wanted come first; if slots are packed, their pack is the next argument and
   the first result. Then each variable has its cells, without slots that are packed, and its gradient. */
enum { SCALARS, WANTED, FIRST };

static int own_cells(const Job *job) { return job->is_packed ? 1 : job->cells; }

static Buffer **given(const Job *job, long place)
{
    return job->frame->arguments.buffers + FIRST + job->is_packed + place * (own_cells(job) + 1);
}

static Buffer **made(const Job *job, long place)
{
    return job->frame->results.buffers + job->is_packed + place * own_cells(job);
}

static Update update_of(const Job *job, long place)
{
    Update update = {.cells = job->cells, .gradient = given(job, place)[own_cells(job)]->data};
    for (int c = 0; c < own_cells(job); c++) {
        update.old[c] = given(job, place)[c]->data;
        update.new[c] = made(job, place)[c]->data;
    }
    for (int c = own_cells(job); c < job->cells; c++) {
        int64_t start = job->starts[place * (job->cells - 1) + c - 1];
        update.old[c] = (const float *)job->frame->arguments.buffers[FIRST]->data + start;
        update.new[c] = (float *)job->frame->results.buffers[0]->data + start;
    }
    return update;
}

/* Numbers from and to count the elements of all variables, one after the other. */
static void update_some(void *data, long from, long to)
{
    const Job *job = data;
    const float *scalars = job->frame->arguments.buffers[SCALARS]->data;
    for (long place = 0, start = 0; place < job->count && start < to; place++) {
        long size = elements_of(given(job, place)[0]);
        if (start + size > from) {
            Update update = update_of(job, place);
            job->range(&update, scalars, job->flag, from > start ? from - start : 0,
                       to < start + size ? to - start : size);
        }
        start += size;
    }
}

/* Whether all arrays of an update are as large as its variable, and packed slots inside of their pack. */
static int fits(const Job *job, long place)
{
    long size = elements_of(given(job, place)[0]);
    for (int c = 0; c < own_cells(job); c++)
        if (elements_of(given(job, place)[c + 1]) != size || elements_of(made(job, place)[c]) != size)
            return 0;
    for (int c = own_cells(job); c < job->cells; c++) {
        int64_t start = job->starts[place * (job->cells - 1) + c - 1];
        if (start < 0 || start + size > elements_of(job->frame->arguments.buffers[FIRST]))
            return 0;
    }
    return 1;
}

/* The number of elements of all variables; -1 if the arrays do not fit together. */
static long total_of(const Job *job)
{
    const Frame *frame = job->frame;
    if (frame->arguments.count != FIRST + job->is_packed + job->count * (own_cells(job) + 1)
        || frame->results.count != job->is_packed + job->count * own_cells(job)
        || (job->is_packed && elements_of(frame->results.buffers[0]) != elements_of(frame->arguments.buffers[FIRST])))
        return -1;
    long total = 0;
    for (long place = 0; place < job->count; place++) {
        if (!fits(job, place))
            return -1;
        total += elements_of(given(job, place)[0]);
    }
    return total;
}

/* The parts of a pack that belong to no update of this call stay as they are. */
static void keep_pack(Frame *frame)
{
    Buffer *old = frame->arguments.buffers[FIRST], *new = frame->results.buffers[0];
    if (new->data != old->data)
        memcpy(new->data, old->data, (size_t)elements_of(old) * sizeof(float));
}

/* The numbers are the flag, and the starts of slots if they are packed. */
static void *update_all(Frame *frame, Range range, int cells)
{
    if (answers_metadata(frame))
        return NULL;
    long starts = (long)frame->attributes.arrays[0]->count - 1;
    Job job = {frame, range, cells, (int)numbers_of(frame)[0], starts > 0, numbers_of(frame) + 1};
    job.count = job.is_packed ? starts / (cells > 1 ? cells - 1 : 1) : frame->results.count / cells;
    long total = total_of(&job);
    if (total < 0)
        return failure(frame, INVALID, "an update has arrays of other sizes than its variable");
    if (job.is_packed)
        keep_pack(frame);
    if (!*(const char *)frame->arguments.buffers[WANTED]->data)
        job.range = keep;
    share_ranges(frame, total, total < LIGHT ? total : GRAIN, update_some, &job);
    return NULL;
}

FORMULA(gradient_descent, descend, 1)
FORMULA(momentum, gain_momentum, 2)
FORMULA(adagrad, adapt, 2)
FORMULA(adam, estimate_moments, 3)

static const Kernel kernels[] = {
    {"gradient_descent", gradient_descent}, {"momentum", momentum}, {"adagrad", adagrad}, {"adam", adam}};

#endif

KERNEL_MODULE(updates, "Optimizers' updates for XLA's programs.")
