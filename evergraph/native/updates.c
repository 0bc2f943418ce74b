/* Optimizers' updates of float32 variables or of their rows, all those of a step in one call, for XLA's programs on CPUs
   with AVX2.

   Each formula has the operations of its rule in ops/nn/updates.py in the same order, none of them contracted, so that
   the results are NumPy's.

   It is for the row `MLP + Adam step, batch 32` of benchmarks.
*/

#include "vectors.h"
#include <string.h>

/* Elements of a task, and elements that one thread updates before another would wake up. */
enum { GRAIN = 1 << 14, LIGHT = 1 << 17, MOST_CELLS = 3 };
enum { FLAG = 1, ROWS = 2, LONG_ROWS = 4 }; /* options: the flag of the rule; row numbers of 32 or 64 bits */
enum { BLOCK = 64, AHEAD = 8 };             /* elements of narrow rows that are updated together; rows to prefetch */

typedef struct {
    int cells;
    const float *old[MOST_CELLS], *gradient;
    float *new[MOST_CELLS];
} Update; /* of a variable and its slots, which may be in place */

typedef struct {
    Vector cell[MOST_CELLS];
} Cells;

typedef void (*Range)(const Update *, const float *scalars, int flag, long from, long to);

/* ---- formulas */

/* The scalar is the learning rate. */
INLINE Cells descend(Cells old, Vector gradient, const float *scalars, int flag)
{
    (void)flag;
    return (Cells){{old.cell[0] - spread(scalars[0]) * gradient}};
}

/* The scalars are the learning rate and the momentum; the flag says whether it is Nesterov's. */
INLINE Cells gain_momentum(Cells old, Vector gradient, const float *scalars, int flag)
{
    Vector rate = spread(scalars[0]), momentum = spread(scalars[1]);
    Vector sum = old.cell[1] * momentum + gradient, step = sum * rate;
    if (flag)
        step = gradient * rate + sum * momentum * rate;
    return (Cells){{old.cell[0] - step, sum}};
}

/* The scalar is the learning rate. */
INLINE Cells adapt(Cells old, Vector gradient, const float *scalars, int flag)
{
    (void)flag;
    Vector squares = old.cell[1] + gradient * gradient;
    return (Cells){{old.cell[0] - gradient * spread(scalars[0]) / roots(squares), squares}};
}

/* The scalars are the rate of this step, beta1, 1 - beta1, 1 - beta2 and epsilon; the flag says whether the momentum is
   Nesterov's. */
INLINE Cells estimate_moments(Cells old, Vector gradient, const float *scalars, int flag)
{
    Vector m = old.cell[1] + (gradient - old.cell[1]) * spread(scalars[2]);
    Vector v = old.cell[2] + (gradient * gradient - old.cell[2]) * spread(scalars[3]);
    Vector along = m;
    if (flag)
        along = gradient * spread(scalars[2]) + spread(scalars[1]) * m;
    return (Cells){{old.cell[0] - along * spread(scalars[0]) / (roots(v) + spread(scalars[4])), m, v}};
}

/* The scalars are the learning rate, l1 and twice l2. */
INLINE Cells follow_leader(Cells old, Vector gradient, const float *scalars, int flag)
{
    (void)flag;
    const Vector rate = spread(scalars[0]), l1 = spread(scalars[1]), sign = spread(-0.0f);
    Vector squares = old.cell[1] + gradient * gradient, root = roots(squares);
    Vector linear = old.cell[2] + (gradient - (root - roots(old.cell[1])) / rate * old.cell[0]);
    Vector towards = (Vector)((Mask)l1 | ((Mask)sign & (Mask)linear)); /* l1 is not negative */
    Vector free = (towards - linear) / (root / rate + spread(scalars[2]));
    Mask is_far = (Vector)(~(Mask)sign & (Mask)linear) > l1;
    return (Cells){{(Vector)((Mask)free & is_far), squares, linear}};
}

/* ---- ranges of one variable */

INLINE Vector load_some(const float *from, long count)
{
    return count < LANES ? load_lanes(from, lanes(count, 0)) : load(from);
}

INLINE void store_some(float *to, long count, Vector value)
{
    if (count < LANES)
        store_lanes(to, lanes(count, 0), value);
    else
        store(to, value);
}

#define FORMULA(NAME, FUNCTION, CELLS, SCALARS)                                                                        \
    INLINE void NAME##_some(const Update *update, const float *scalars, int flag, long at, long count)                 \
    {                                                                                                                  \
        Cells old = {0};                                                                                               \
        for (int c = 0; c < CELLS; c++)                                                                                \
            old.cell[c] = load_some(update->old[c] + at, count);                                                       \
        Cells new = FUNCTION(old, load_some(update->gradient + at, count), scalars, flag);                             \
        for (int c = 0; c < CELLS; c++)                                                                                \
            store_some(update->new[c] + at, count, new.cell[c]);                                                       \
    }                                                                                                                  \
    FAST static void NAME##_range(const Update *update, const float *scalars, int flag, long from, long to)            \
    {                                                                                                                  \
        long at = from;                                                                                                \
        for (; at + LANES <= to; at += LANES)                                                                          \
            NAME##_some(update, scalars, flag, at, LANES);                                                             \
        if (at < to)                                                                                                   \
            NAME##_some(update, scalars, flag, at, to - at);                                                           \
    }                                                                                                                  \
    static void *NAME(Frame *frame) { return update_all(frame, NAME##_range, CELLS, SCALARS); }

static void keep(const Update *update, const float *scalars, int flag, long from, long to)
{
    (void)scalars, (void)flag;
    for (int c = 0; c < update->cells; c++)
        if (update->new[c] != update->old[c])
            memcpy(update->new[c] + from, update->old[c] + from, (size_t)(to - from) * sizeof(float));
}

/* ---- rows of one variable */

typedef struct {
    const void *numbers; /* of the rows, which are different */
    int are_long;
    long count, width; /* how many rows the variable has, and elements of a row */
} Rows;

/* The number of a row; -1 if there is no such row. */
static inline long row_at(const Rows *rows, long at)
{
    int64_t row = rows->are_long ? ((const int64_t *)rows->numbers)[at] : ((const int32_t *)rows->numbers)[at];
    return row >= 0 && row < rows->count ? (long)row : -1;
}

/* Inlined, since GCC drops calls of functions that only prefetch. */
INLINE void prefetch(const Update *update, const Rows *rows, long at)
{
    long row = row_at(rows, at);
    for (int c = 0; c < update->cells && row >= 0; c++)
        __builtin_prefetch(update->new[c] + row * rows->width, 1);
}

static Update row_of(const Update *update, long row, long at, long width)
{
    Update part = {.cells = update->cells, .gradient = update->gradient + at * width};
    for (int c = 0; c < update->cells; c++)
        part.old[c] = part.new[c] = update->new[c] + row * width;
    return part;
}

/* Updates rows of a few elements each, as many as fit into a block: gathered, updated at once and put back. */
static void update_block(const Update *update, const Rows *rows, Range range, const float *scalars, int flag, long from,
                         long to)
{
    float cells[MOST_CELLS][BLOCK], gradient[BLOCK];
    long found[BLOCK], count = 0, width = rows->width;
    for (long at = from; at < to; at++) {
        long row = row_at(rows, at);
        if (row < 0)
            continue;
        for (long e = 0; e < width; e++)
            gradient[count * width + e] = update->gradient[at * width + e];
        for (int c = 0; c < update->cells; c++)
            for (long e = 0; e < width; e++)
                cells[c][count * width + e] = update->new[c][row * width + e];
        found[count++] = row;
    }
    Update block = {.cells = update->cells, .gradient = gradient};
    for (int c = 0; c < update->cells; c++)
        block.old[c] = block.new[c] = cells[c];
    range(&block, scalars, flag, 0, count * width);
    for (long each = 0; each < count; each++)
        for (int c = 0; c < update->cells; c++)
            for (long e = 0; e < width; e++)
                update->new[c][found[each] * width + e] = cells[c][each * width + e];
}

FAST static void update_rows(const Update *update, const Rows *rows, Range range, const float *scalars, int flag, long from,
                        long to)
{
    long width = rows->width, step = width < LANES ? BLOCK / width : 1, ahead = step > 1 ? step : AHEAD;
    for (long at = from; at < to; at += step) {
        for (long next = at + ahead; next < at + ahead + step && next < to; next++)
            prefetch(update, rows, next);
        long row = step == 1 ? row_at(rows, at) : -1;
        if (step > 1) {
            update_block(update, rows, range, scalars, flag, at, at + step < to ? at + step : to);
        } else if (row >= 0) {
            Update part = row_of(update, row, at, width);
            range(&part, scalars, flag, 0, width);
        }
    }
}

/* ---- all variables */

typedef struct {
    Frame *frame;
    Range range;
    int cells, options, is_packed;
    const int64_t *starts; /* of the slots in their pack, variable after variable */
    long count;
} Job;

/* The scalars and whether the updates are wanted come first; if slots are packed, their pack is the next argument and
   the first result. Then each variable has its cells, without slots that are packed, the row numbers if only rows are
   updated, and its gradient. */
enum { SCALARS, WANTED, FIRST };

static int own_cells(const Job *job) { return job->is_packed ? 1 : job->cells; }

static int has_rows(const Job *job) { return (job->options & (ROWS | LONG_ROWS)) != 0; }

static int own_arguments(const Job *job) { return own_cells(job) + has_rows(job) + 1; }

static Buffer **given(const Job *job, long place)
{
    return job->frame->arguments.buffers + FIRST + job->is_packed + place * own_arguments(job);
}

static Buffer **made(const Job *job, long place)
{
    return job->frame->results.buffers + job->is_packed + place * own_cells(job);
}

static Buffer *gradient_of(const Job *job, long place) { return given(job, place)[own_arguments(job) - 1]; }

static Rows rows_of(const Job *job, long place)
{
    const Buffer *variable = given(job, place)[0];
    long width = variable->rank ? multiplied(variable->sizes + 1, variable->rank - 1) : 0;
    return (Rows){given(job, place)[own_cells(job)]->data, (job->options & LONG_ROWS) != 0,
                  variable->rank ? (long)variable->sizes[0] : 0, width};
}

static Update update_of(const Job *job, long place)
{
    Update update = {.cells = job->cells, .gradient = gradient_of(job, place)->data};
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

static inline long rounded_up(long number, long unit) { return (number + unit - 1) / unit; }

/* Numbers from and to count the elements of all gradients, one after the other; a row belongs to its first element. */
static void update_some(void *data, long from, long to)
{
    const Job *job = data;
    const float *scalars = job->frame->arguments.buffers[SCALARS]->data;
    for (long place = 0, start = 0; place < job->count && start < to; place++) {
        long size = elements_of(gradient_of(job, place));
        if (size && start + size > from) {
            Update update = update_of(job, place);
            long first = from > start ? from - start : 0, end = to < start + size ? to - start : size;
            Rows rows = has_rows(job) ? rows_of(job, place) : (Rows){.width = 1};
            if (has_rows(job))
                update_rows(&update, &rows, job->range, scalars, job->options & FLAG, rounded_up(first, rows.width),
                            rounded_up(end, rows.width));
            else
                job->range(&update, scalars, job->options & FLAG, first, end);
        }
        start += size;
    }
}

/* Whether the elements of an array have so many bytes. */
static int is_of(const Buffer *buffer, int bytes) { return !width_of_element(buffer) || width_of_element(buffer) == bytes; }

/* Whether the gradient has an element for each one of the variable, or of the rows. */
static int has_gradient(const Job *job, long place)
{
    long size = is_of(gradient_of(job, place), 4) ? elements_of(gradient_of(job, place)) : -1;
    if (size < 0 || !has_rows(job))
        return size >= 0 && size == elements_of(given(job, place)[0]);
    const Buffer *numbers = given(job, place)[own_cells(job)];
    return given(job, place)[0]->rank && is_of(numbers, job->options & LONG_ROWS ? 8 : 4)
        && size == times(elements_of(numbers), rows_of(job, place).width);
}

/* Whether all arrays of an update are as large as its variable, and packed slots inside of their pack. */
static int fits(const Job *job, long place)
{
    long size = elements_of(given(job, place)[0]);
    for (int c = 0; c < own_cells(job); c++)
        if (!is_of(given(job, place)[c], 4) || elements_of(given(job, place)[c]) != size
            || elements_of(made(job, place)[c]) != size)
            return 0;
    for (int c = own_cells(job); c < job->cells; c++) {
        int64_t start = job->starts[place * (job->cells - 1) + c - 1];
        if (start < 0 || start > elements_of(job->frame->arguments.buffers[FIRST]) - size)
            return 0;
    }
    return has_gradient(job, place);
}

/* The number of elements of all gradients; -1 if the arrays do not fit together. */
static long total_of(const Job *job)
{
    const Frame *frame = job->frame;
    if (frame->arguments.count != FIRST + job->is_packed + job->count * own_arguments(job)
        || frame->results.count != job->is_packed + job->count * own_cells(job)
        || (job->is_packed && elements_of(frame->results.buffers[0]) != elements_of(frame->arguments.buffers[FIRST])))
        return -1;
    long total = 0;
    for (long place = 0; place < job->count; place++) {
        if (!fits(job, place))
            return -1;
        total += elements_of(gradient_of(job, place));
    }
    return total;
}

static void keep_buffer(const Buffer *old, Buffer *new)
{
    if (new->data != old->data)
        memcpy(new->data, old->data, (size_t)elements_of(old) * sizeof(float));
}

/* The rows that get no update stay as they are. */
static void keep_rows(const Job *job)
{
    for (long place = 0; place < job->count; place++)
        for (int c = 0; c < own_cells(job); c++)
            keep_buffer(given(job, place)[c], made(job, place)[c]);
}

/* The numbers are the options, and the starts of slots if they are packed. */
static void *update_all(Frame *frame, Range range, int cells, int scalars)
{
    if (!frame->attributes.arrays[0]->count || frame->arguments.count < FIRST
        || elements_of(frame->arguments.buffers[SCALARS]) < scalars || elements_of(frame->arguments.buffers[WANTED]) < 1)
        return ill_sized(frame);
    long starts = (long)frame->attributes.arrays[0]->count - 1;
    Job job = {frame, range, cells, (int)numbers_of(frame)[0], starts > 0, numbers_of(frame) + 1, 0};
    job.count = job.is_packed ? starts / (cells > 1 ? cells - 1 : 1) : frame->results.count / cells;
    long total = total_of(&job);
    if (total < 0)
        return failure(frame, INVALID, "an update has arrays of other sizes than its variable");
    int is_wanted = *(const char *)frame->arguments.buffers[WANTED]->data;
    if (job.is_packed) /* parts of it may belong to no update of this call */
        keep_buffer(frame->arguments.buffers[FIRST], frame->results.buffers[0]);
    if (has_rows(&job))
        keep_rows(&job);
    else if (!is_wanted)
        job.range = keep;
    if (is_wanted || !has_rows(&job))
        share_ranges(frame, total, total < LIGHT ? total : GRAIN, update_some, &job);
    return NULL;
}

FORMULA(gradient_descent, descend, 1, 1)
FORMULA(momentum, gain_momentum, 2, 2)
FORMULA(adagrad, adapt, 2, 1)
FORMULA(adam, estimate_moments, 3, 5)
FORMULA(ftrl, follow_leader, 3, 3)

#define KERNELS(K)                                                                                                     \
    K("gradient_descent", gradient_descent, "41?*>4*", ANY_NUMBERS)                                                    \
    K("momentum", momentum, "41?*>4*", ANY_NUMBERS) K("adagrad", adagrad, "41?*>4*", ANY_NUMBERS)                      \
    K("adam", adam, "41?*>4*", ANY_NUMBERS) K("ftrl", ftrl, "41?*>4*", ANY_NUMBERS)

KERNEL_MODULE(updates, "Optimizers' updates for XLA's programs.")
