/* Arithmetic on the elements of large arrays on NumPy, in threads: elements.c and elements64.c are the modules for float32
   and for float64.

   A result has rows and columns. Each operand has a number for each of them, for each row, for each column, or one for
   all, which NumPy copies for every row.

   It is for a step whose sizes change (`make sizes`).
*/

#include "ffi.h"

enum { GRAIN = 1 << 14 }; /* numbers worth a task */

typedef struct {
    const Number *x, *y;
    Number *result;
    int64_t columns, x_row, x_column, y_row, y_column; /* numbers from a row or a column to the next one */
} Pair;

#define SUM(A, B) ((A) + (B))
#define DIFFERENCE(A, B) ((A) - (B))
#define PRODUCT(A, B) ((A) * (B))
#define RATIO(A, B) ((A) / (B))
#define SQUARED_DIFFERENCE(A, B) (((A) - (B)) * ((A) - (B)))

#define COMBINE(NAME, FORMULA)                                                                                         \
    INLINE void NAME##_row(const Pair *pair, int64_t row, int64_t from, int64_t to)                                    \
    {                                                                                                                  \
        const Number *restrict x = pair->x + row * pair->x_row, *restrict y = pair->y + row * pair->y_row;             \
        Number *restrict result = pair->result + row * pair->columns;                                                  \
        if (pair->x_column && pair->y_column) {                                                                        \
            for (int64_t k = from; k < to; k++)                                                                        \
                result[k] = FORMULA(x[k], y[k]);                                                                       \
        } else if (pair->x_column) {                                                                                   \
            Number right = *y;                                                                                         \
            for (int64_t k = from; k < to; k++)                                                                        \
                result[k] = FORMULA(x[k], right);                                                                      \
        } else {                                                                                                       \
            Number left = *x;                                                                                          \
            for (int64_t k = from; k < to; k++)                                                                        \
                result[k] = FORMULA(left, y[k]);                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    FAST static void NAME##_columns(void *pair, long from, long to) { NAME##_row(pair, 0, from, to); }                 \
    FAST static void NAME##_rows(void *pair, long from, long to)                                                       \
    {                                                                                                                  \
        for (long row = from; row < to; row++)                                                                         \
            NAME##_row(pair, row, 0, ((const Pair *)pair)->columns);                                                   \
    }                                                                                                                  \
    static void *NAME(Frame *frame) { return combine(frame, NAME##_rows, NAME##_columns); }

static int fits(const Buffer *operand, int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    int64_t needed = times(column ? columns : 1, row ? rows : 1);
    return (column == 0 || column == 1) && (row == 0 || row == (column ? columns : 1)) && elements_of(operand) == needed;
}

/* The numbers are those of rows and columns, and for each operand the steps from a row and from a column to the next. */
static void *combine(Frame *frame, void (*some_rows)(void *, long, long), void (*some_columns)(void *, long, long))
{
    const int64_t *n = numbers_of(frame), rows = n[0], columns = n[1];
    Buffer *x = frame->arguments.buffers[0], *y = frame->arguments.buffers[1], *result = frame->results.buffers[0];
    if (rows < 0 || columns < 1 || elements_of(result) != times(rows, columns) || !fits(x, rows, columns, n[2], n[3])
        || !fits(y, rows, columns, n[4], n[5]) || !(n[3] || n[5]))
        return ill_sized(frame);
    Pair pair = {x->data, y->data, result->data, columns, n[2], n[3], n[4], n[5]};
    if (rows == 1)
        share_ranges(frame, columns, GRAIN, some_columns, &pair);
    else
        share_ranges(frame, rows, GRAIN / columns, some_rows, &pair);
    return NULL;
}

COMBINE(add, SUM)
COMBINE(subtract, DIFFERENCE)
COMBINE(multiply, PRODUCT)
COMBINE(divide, RATIO)
COMBINE(squared_difference, SQUARED_DIFFERENCE)

/* ---- sums of several arrays */

enum { BLOCK = 1 << 10 }; /* numbers that stay in the nearest cache */

static void add_some(void *data, long from, long to);

/* The sum of arrays of one size, added up in their order. */
static void *add_all(Frame *frame)
{
    int64_t count = elements_of(frame->results.buffers[0]);
    for (int64_t at = 0; at < frame->arguments.count; at++)
        if (elements_of(frame->arguments.buffers[at]) != count)
            return ill_sized(frame);
    share_ranges(frame, count, GRAIN, add_some, frame);
    return NULL;
}

FAST static void add_block(const Number *restrict x, const Number *restrict y, Number *restrict result, long count)
{
    for (long k = 0; k < count; k++)
        result[k] = x[k] + y[k];
}

FAST static void add_to_block(const Number *restrict x, Number *restrict result, long count)
{
    for (long k = 0; k < count; k++)
        result[k] += x[k];
}

static void add_some(void *data, long from, long to)
{
    const Frame *frame = data;
    Buffer *const *given = frame->arguments.buffers;
    for (; from < to; from += BLOCK) {
        long count = to - from < BLOCK ? to - from : BLOCK;
        Number *result = (Number *)frame->results.buffers[0]->data + from;
        add_block((const Number *)given[0]->data + from, (const Number *)given[1]->data + from, result, count);
        for (int64_t at = 2; at < frame->arguments.count; at++)
            add_to_block((const Number *)given[at]->data + from, result, count);
    }
}

/* ---- choices */

FAST static void choose_some(void *data, long from, long to)
{
    const Frame *frame = data;
    Buffer *const *given = frame->arguments.buffers;
    const uint8_t *restrict test = given[0]->data;
    const Number *restrict yes = given[1]->data, *restrict no = given[2]->data;
    Number *restrict result = frame->results.buffers[0]->data;
    for (long k = from; k < to; k++) {
        Number one = yes[k], other = no[k]; /* both, so that no test is a jump: those of random tests are mispredicted */
        result[k] = test[k] ? one : other;
    }
}

/* The elements of one array where the test holds, and of another one elsewhere. */
static void *choose(Frame *frame)
{
    int64_t count = elements_of(frame->results.buffers[0]);
    if (!has_argument(frame, 0, count) || !has_argument(frame, 1, count) || !has_argument(frame, 2, count))
        return ill_sized(frame);
    share_ranges(frame, count, GRAIN, choose_some, frame);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("add", add, "nn>n", 6) K("subtract", subtract, "nn>n", 6) K("multiply", multiply, "nn>n", 6)                     \
    K("divide", divide, "nn>n", 6) K("squared_difference", squared_difference, "nn>n", 6)                              \
    K("add_all", add_all, "nn*>n", 0) K("choose", choose, "1nn>n", 0)
