/* Matrix products, either side transposed, in batches, for XLA's programs and for NumPy on CPUs: products.c and
   products64.c are the modules for float32 and for float64.

   A task computes blocks of the results. For 256 terms of the sums at a time it packs the right matrix into panels,
   then multiplies a few rows of the left one after another with all of them. No task reads what another one writes,
   because cores may be far from each other. The terms follow from the sizes alone, so the results do not depend on the
   number of threads; the number of blocks does.

   It is for the row `matmul 32 x 784 x 64, left turned` of benchmarks.
*/

#include "ffi.h"

#include "tiles.h"

/* Terms in a part of the sums; tiles whose rows are copied at a time; most rows and columns of a block, and the fewest
   rows of one that is divided; blocks for a thread; multiplications that one thread does by itself, and that are worth
   a task; panels that do not repay a copy of the left matrix, and numbers of one that the nearest cache has room for. */
enum { DEEP = 256, TILES = 4, HIGH = 192, BROAD = 256, LOW = 48, SHARES = 2, LIGHT = 1 << 22, GRAIN = 1 << 19,
       FEW_PANELS = 2, NEAR = 1 << 13 };

/* One side of the products. */
typedef struct {
    const Buffer *buffer;
    const Py_ssize_t *strides; /* NULL if the matrices lie one behind the other */
    int is_turned;
    int64_t pitch; /* numbers between the starts of two rows in memory */
} Side;

typedef struct {
    Side left, right;
    Number *result;
    int64_t rows, columns, depth;
    int64_t row_parts, column_parts, breadth; /* of each result, and columns of a part */
    atomic_int failed;
} Products;

/* A part of the sums of a block. */
typedef struct {
    const Products *all;
    const Number *left, *right;
    Number *result, *panels;
    int64_t column, columns, first, terms;
} Part;

static int64_t size_of(const Buffer *buffer, int from_end) { return buffer->sizes[buffer->rank - from_end]; }

/* Finds out how the matrices of a side lie in memory; 0 if the numbers of a row are not side by side. */
static int learn_side(Side *side, const Buffer *buffer, int is_turned)
{
    const Py_ssize_t *strides = strides_of(buffer);
    *side = (Side){buffer, strides, is_turned, size_of(buffer, 1)};
    if (!strides)
        return 1;
    side->pitch = strides[buffer->rank - 2] / (Py_ssize_t)sizeof(Number);
    for (int64_t axis = 0; axis + 1 < buffer->rank; axis++)
        if (strides[axis] % (Py_ssize_t)sizeof(Number))
            return 0;
    return strides[buffer->rank - 1] == sizeof(Number) || size_of(buffer, 1) <= 1;
}

/* The start of one of the matrices of a side. */
static const Number *matrix_of(const Side *side, int64_t number)
{
    const Buffer *buffer = side->buffer;
    if (!side->strides)
        return (const Number *)buffer->data + number * size_of(buffer, 2) * size_of(buffer, 1);
    const char *start = buffer->data;
    for (int64_t axis = buffer->rank - 3; axis >= 0; number /= buffer->sizes[axis--])
        start += number % buffer->sizes[axis] * side->strides[axis];
    return (const Number *)start;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t parts_of(int64_t count, int64_t size) { return (count + size - 1) / size; }

FAST static void pack_panels(const Part *p)
{
    for (int64_t panel = 0; panel < panels_of(p->columns); panel++) {
        int64_t column = p->column + panel * WIDE, width = width_of(p->columns, panel);
        Number *to = p->panels + panel * WIDE * DEEP;
        int64_t pitch = p->all->right.pitch;
        if (p->all->right.is_turned)
            pack_turned(p->right + column * pitch + p->first, p->terms, pitch, width, to);
        else
            pack(p->right + p->first * pitch + column, p->terms, pitch, width, to);
    }
}

/* Copies columns of the left matrix, eight numbers apart: the originals may share sets of the cache. Where they all fit
   into it and few panels follow, they are read where they are. */
FAST static void gather(const Part *p, const int64_t *row, int64_t tiles, Number *to)
{
    Mask mask[TILES][8 / LANES];
    for (int64_t at = 0; at < tiles; at++)
        for (int v = 0; v < 8 / LANES; v++)
            mask[at][v] = lanes(row[at + 1] - row[at], v);
    int64_t pitch = p->all->left.pitch;
    const Number *from = p->left + p->first * pitch;
    for (int64_t k = 0; k < p->terms; k++, from += pitch)
        for (int64_t at = 0; at < tiles; at++)
            for (int v = 0; v < 8 / LANES; v++)
                store(to + 8 * (at * DEEP + k) + LANES * v, load_lanes(from + row[at] + LANES * v, mask[at][v]));
}

/* Multiplies tiles, which begin at these rows, with all panels. */
FAST static void multiply_tiles(const Part *p, const int64_t *row, int64_t tiles)
{
    Number gathered[8 * DEEP * TILES] __attribute__((aligned(32)));
    int64_t pitch = p->all->left.pitch, panels = panels_of(p->columns);
    int turned = p->all->left.is_turned;
    int copied = turned && (panels > FEW_PANELS || p->terms * pitch > NEAR);
    int64_t down = turned ? 1 : pitch, along = copied ? 8 : turned ? pitch : 1;
    if (copied)
        gather(p, row, tiles, gathered);
    for (int64_t panel = 0; panel < panels; panel++)
        for (int64_t at = 0; at < tiles; at++) {
            const Number *first = copied ? gathered + 8 * DEEP * at : p->left + row[at] * down + p->first * along;
            const Number *start[ROWS];
            for (int64_t r = 0; r < row[at + 1] - row[at]; r++)
                start[r] = first + r * down;
            multiply_tile(row[at + 1] - row[at], start, along, p->terms, p->panels + panel * WIDE * DEEP,
                          p->result + row[at] * p->all->columns + p->column + panel * WIDE, p->all->columns,
                          width_of(p->columns, panel), p->first > 0);
        }
}

static void multiply_block(const Products *all, int64_t block, Number *panels)
{
    int64_t side = block % all->column_parts, part = block / all->column_parts % all->row_parts;
    int64_t matrix = block / all->column_parts / all->row_parts, column = side * all->breadth;
    int64_t top = part * all->rows / all->row_parts, rows = (part + 1) * all->rows / all->row_parts - top;
    int64_t tiles = parts_of(rows, ROWS), row[TILES + 1];
    Part p = {all, matrix_of(&all->left, matrix), matrix_of(&all->right, matrix),
              all->result + matrix * all->rows * all->columns, panels, column, least(all->columns - column, all->breadth),
              0, 0};
    for (; p.first < all->depth; p.first += DEEP) {
        p.terms = least(all->depth - p.first, DEEP);
        pack_panels(&p);
        for (int64_t tile = 0; tile < tiles; tile += TILES) {
            int64_t count = least(tiles - tile, TILES);
            for (int64_t at = 0; at <= count; at++) /* tiles of nearly the same height keep the registers full */
                row[at] = top + (tile + at) * rows / tiles;
            multiply_tiles(&p, row, count);
        }
    }
}

static void multiply_blocks(void *job, long from, long to)
{
    Products *all = job;
    Number *panels = malloc((size_t)(all->breadth * DEEP) * sizeof(Number));
    if (!panels)
        atomic_store(&all->failed, 1);
    for (long block = from; panels && block < to; block++)
        multiply_block(all, block, panels);
    free(panels);
}

/* Threads that begin late leave blocks to the others. */
static int64_t blocks_for(int64_t threads) { return threads > 1 ? SHARES * threads : 1; }

/* Divides `count` results into blocks and returns their number, which is `wanted` or more if they are large enough: more
   blocks than needed would copy both sides more often. */
static int64_t divide(Products *all, int64_t count, int64_t wanted)
{
    int64_t panels = panels_of(all->columns);
    all->row_parts = parts_of(all->rows, HIGH);
    all->column_parts = parts_of(panels * WIDE, BROAD);
    while (count * all->row_parts * all->column_parts < wanted) {
        int64_t height = all->rows / all->row_parts, width = panels / all->column_parts * WIDE;
        if (height < 2 * LOW && width < 2 * LOW)
            break;
        if (height > width)
            all->row_parts++;
        else
            all->column_parts++;
    }
    all->breadth = parts_of(panels, all->column_parts) * WIDE;
    all->column_parts = parts_of(panels * WIDE, all->breadth);
    return count * all->row_parts * all->column_parts;
}

/* ---- products of few columns from few terms, as between the channels of images */

enum { FEW = 4, GRAIN_ROWS = 1 << 14 };

INLINE void multiply_few_by(const Number *restrict left, const Number *restrict right, Number *restrict result,
                            int64_t rows, const int depth, const int columns)
{
    for (int64_t row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            Number sum = 0;
            for (int k = 0; k < depth; k++)
                sum += left[row * depth + k] * right[k * columns + column];
            result[row * columns + column] = sum;
        }
}

/* The same with the sizes as constants, which the compiler unrolls. */
#define FOR_DEPTH(DEPTH)                                                                                               \
    case DEPTH:                                                                                                        \
        if (columns == 2)                                                                                              \
            multiply_few_by(left, right, result, rows, DEPTH, 2);                                                      \
        else if (columns == 3)                                                                                         \
            multiply_few_by(left, right, result, rows, DEPTH, 3);                                                      \
        else                                                                                                           \
            multiply_few_by(left, right, result, rows, DEPTH, (int)columns);                                           \
        break;

FAST static void multiply_few(void *job, long from, long to)
{
    const Products *all = job;
    int64_t depth = all->depth, columns = all->columns, rows = to - from;
    const Number *left = matrix_of(&all->left, 0) + from * depth, *given = matrix_of(&all->right, 0);
    Number right[FEW * FEW], *result = all->result + from * columns;
    for (int64_t k = 0; k < depth; k++)
        for (int64_t column = 0; column < columns; column++)
            right[k * columns + column] = given[all->right.is_turned ? column * depth + k : k * columns + column];
    switch (depth) {
        FOR_DEPTH(1)
        FOR_DEPTH(2)
        FOR_DEPTH(3)
        FOR_DEPTH(4)
    }
}

/* ---- products of few rows, as of one token with the weights of a layer: to read the right side takes the time */

enum { SLIM = 7, STRIP = 64, NEAR_COLUMNS = 4096, TOGETHER = 8, ABREAST = 4 };

/* result = (result if `adds`) + the sum of rows of the right side, each times a number of the left one. */
INLINE void add_rows(const int terms, const Number *left, int64_t step, const Number *right, int64_t pitch,
                     int64_t columns, Number *result, int adds)
{
    Vector factor[TOGETHER];
    for (int k = 0; k < terms; k++)
        factor[k] = spread(left[k * step]);
    int64_t at = 0;
    for (; at + WIDE <= columns; at += WIDE) {
        Vector sums[2] = {{0}};
        for (int v = 0; adds && v < 2; v++)
            sums[v] = load(result + at + LANES * v);
        for (int k = 0; k < terms; k++) {
            const Number *from = right + k * pitch + at;
            __builtin_prefetch(from + TOGETHER * pitch);
            for (int v = 0; v < 2; v++)
                sums[v] = multiply_add(factor[k], load(from + LANES * v), sums[v]);
        }
        for (int v = 0; v < 2; v++)
            store(result + at + LANES * v, sums[v]);
    }
    for (; at < columns; at += LANES) {
        Mask mask = lanes(columns - at, 0);
        Vector sum = adds ? load_lanes(result + at, mask) : (Vector){0};
        for (int k = 0; k < terms; k++)
            sum = multiply_add(factor[k], load_lanes(right + k * pitch + at, mask), sum);
        store_lanes(result + at, mask, sum);
    }
}

/* The products of a row with columns that are rows in memory. */
INLINE void dot_columns(const Number *left, const Number *right, int64_t pitch, int64_t depth, int64_t count,
                        Number *result)
{
    Vector sums[2][ABREAST] = {{{0}}};
    const Number *column[ABREAST];
    for (int c = 0; c < ABREAST; c++)
        column[c] = right + (c < count ? c : 0) * pitch;
    int64_t k = 0;
    for (; k + 2 * LANES <= depth; k += 2 * LANES)
        for (int half = 0; half < 2; half++) {
            Vector given = load(left + k + half * LANES);
            for (int c = 0; c < ABREAST; c++)
                sums[half][c] = multiply_add(given, load(column[c] + k + half * LANES), sums[half][c]);
        }
    for (; k < depth; k += LANES) {
        Mask mask = lanes(depth - k, 0);
        for (int c = 0; c < ABREAST; c++)
            sums[0][c] = multiply_add(load_lanes(left + k, mask), load_lanes(column[c] + k, mask), sums[0][c]);
    }
    for (int64_t c = 0; c < count; c++) {
        Vector sum = sums[0][c] + sums[1][c];
        Number total = 0;
        for (int lane = 0; lane < LANES; lane++)
            total += sum[lane];
        result[c] = total;
    }
}

/* Columns of all rows of one result. */
FAST static void multiply_columns(const Products *all, int64_t matrix, int64_t from, int64_t to)
{
    const Number *left = matrix_of(&all->left, matrix), *right = matrix_of(&all->right, matrix);
    Number *result = all->result + matrix * all->rows * all->columns;
    int64_t pitch = all->right.pitch, down = all->left.is_turned ? 1 : all->left.pitch;
    int64_t along = all->left.is_turned ? all->left.pitch : 1;
    if (all->right.is_turned && along == 1) {
        for (int64_t column = from; column < to; column += ABREAST)
            for (int64_t row = 0; row < all->rows; row++)
                dot_columns(left + row * down, right + column * pitch, pitch, all->depth, least(to - column, ABREAST),
                            result + row * all->columns + column);
        return;
    }
    for (; from < to; from += NEAR_COLUMNS)
        for (int64_t k = 0; k < all->depth; k += TOGETHER)
            for (int64_t row = 0; row < all->rows; row++) {
                const Number *given = left + row * down + k * along, *rows = right + k * pitch + from;
                Number *sums = result + row * all->columns + from;
                int64_t columns = least(to - from, NEAR_COLUMNS), terms = least(all->depth - k, TOGETHER);
                if (terms == TOGETHER)
                    add_rows(TOGETHER, given, along, rows, pitch, columns, sums, k > 0);
                else
                    add_rows((int)terms, given, along, rows, pitch, columns, sums, k > 0);
            }
}

/* Strips of columns of all results, one result after the other. */
static void multiply_strips(void *job, long from, long to)
{
    const Products *all = job;
    int64_t strips = parts_of(all->columns, STRIP);
    for (int64_t at = from; at < to;) {
        int64_t matrix = at / strips, end = least(to, (matrix + 1) * strips);
        multiply_columns(all, matrix, at % strips * STRIP, least(all->columns, (end - matrix * strips) * STRIP));
        at = end;
    }
}

/* ---- calls */

/* The products of the matrices in the last two axes. Numbers: whether the left and the right side are transposed. */
static void *multiply(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    Buffer *left = frame->arguments.buffers[0], *right = frame->arguments.buffers[1], *to = frame->results.buffers[0];
    if (left->rank < 2 || right->rank < 2 || to->rank < 2)
        return ill_sized(frame);
    Products all = {.result = to->data, .rows = size_of(to, 2), .columns = size_of(to, 1),
                    .depth = size_of(left, numbers[0] ? 2 : 1)};
    int64_t matrix = times(all.rows, all.columns), count = matrix > 0 ? elements_of(to) / matrix : 0;
    int64_t work = times(matrix, all.depth);
    if (!count)
        return NULL;
    if (size_of(left, numbers[0] ? 1 : 2) != all.rows || size_of(right, numbers[1] ? 1 : 2) != all.depth
        || size_of(right, numbers[1] ? 2 : 1) != all.columns || !has_argument(frame, 0, TIMES(count, all.rows, all.depth))
        || !has_argument(frame, 1, TIMES(count, all.depth, all.columns)))
        return ill_sized(frame);
    if (!learn_side(&all.left, left, numbers[0] != 0) || !learn_side(&all.right, right, numbers[1] != 0))
        return failure(frame, INVALID, "the numbers of a row are not side by side");
    if (!work) {
        memset(to->data, 0, (size_t)(count * matrix) * sizeof(Number));
        return NULL;
    }
    int is_plain = !all.left.is_turned && !all.left.strides && !all.right.strides;
    if (count == 1 && is_plain && all.depth <= FEW && all.columns <= FEW) {
        share_ranges(frame, all.rows, GRAIN_ROWS, multiply_few, &all);
        return NULL;
    }
    if (all.rows <= SLIM && (!all.right.is_turned || !all.left.is_turned)) {
        int64_t strips = count * parts_of(all.columns, STRIP); /* ranges as broad as can be: memory is read in order */
        share_ranges(frame, strips, parts_of(strips, blocks_for(threads_of(frame))), multiply_strips, &all);
        return NULL;
    }
    int is_light = count * work < LIGHT;
    int64_t blocks = divide(&all, count, is_light ? 1 : blocks_for(threads_of(frame)));
    share_ranges(frame, blocks, is_light ? blocks : parts_of(GRAIN * blocks, count * work), multiply_blocks, &all);
    return all.failed ? out_of_memory(frame) : NULL;
}

#define KERNELS(K)                                                                                                     \
    K("multiply", multiply, "ss>n", 2)
