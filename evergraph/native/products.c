/* Matrix products of float32, either side transposed, in batches, for XLA's programs on CPUs with AVX2.

   The sums are divided into parts of 256 terms. For some parts at a time, the right matrix is packed into panels; then
   each task multiplies a few rows of the left one with some of the panels. Large products are computed one after another,
   each by all threads; small ones are tasks themselves. All divisions follow from the sizes alone, so the results do not
   depend on the number of threads.
*/

#include "ffi.h"

#if HAS_KERNELS

#include "tiles.h"

/* Terms in a part of the sums; rows of a task, in tiles, and columns of a task; columns and numbers that are packed at a
   time; multiplications that one thread does by itself, and that are worth a task. */
enum { DEEP = 256, TILES = 4, HIGH = ROWS * TILES, BROAD = 256, STRIP = 512, PACKED = 1 << 16, LIGHT = 1 << 21,
       GRAIN = 1 << 19 };

typedef struct {
    const float *left, *right;
    float *result, *panels;
    int64_t rows, columns, depth;
    int is_left_turned, is_right_turned;
    int64_t column, width, first, terms; /* the columns, and the terms of their sums, that are packed */
    atomic_int *failed;
} Product;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t parts_of(int64_t count, int64_t size) { return (count + size - 1) / size; }

static float *panel_of(const Product *p, int64_t part, int64_t panel)
{
    return p->panels + (part * panels_of(p->width) + panel) * WIDE * DEEP;
}

/* Packs one panel of the right matrix for one part of the sums. */
FAST static void pack_panel(void *job, long at)
{
    const Product *p = job;
    int64_t part = at / panels_of(p->width), panel = at % panels_of(p->width), column = p->column + panel * WIDE;
    int64_t first = p->first + part * DEEP, length = least(p->terms - part * DEEP, DEEP);
    float *to = panel_of(p, part, panel);
    if (p->is_right_turned)
        pack_turned(p->right + column * p->depth + first, length, p->depth, width_of(p->width, panel), to);
    else
        pack(p->right + first * p->columns + column, length, p->columns, width_of(p->width, panel), to);
}

/* Copies columns of the left matrix, eight numbers apart: the originals may share sets of the cache. */
FAST static void gather(const Product *p, int64_t first, int64_t length, const int64_t *row, int64_t tiles, float *to)
{
    __m256i mask[TILES];
    for (int64_t at = 0; at < tiles; at++)
        mask[at] = lanes(row[at + 1] - row[at], 0);
    for (int64_t k = 0; k < length; k++)
        for (int64_t at = 0; at < tiles; at++)
            _mm256_store_ps(to + 8 * (at * DEEP + k),
                            _mm256_maskload_ps(p->left + (first + k) * p->rows + row[at], mask[at]));
}

/* Adds a part of the sums to a block of the result: the rows between row[0] and row[tiles], some panels of columns. */
FAST static void add_part(const Product *p, int64_t part, const int64_t *row, int64_t tiles, int64_t panel, int64_t end)
{
    float gathered[8 * DEEP * TILES] __attribute__((aligned(32)));
    int64_t first = p->first + part * DEEP, length = least(p->terms - part * DEEP, DEEP);
    if (p->is_left_turned)
        gather(p, first, length, row, tiles, gathered);
    for (; panel < end; panel++)
        for (int64_t at = 0; at < tiles; at++) {
            const float *start[ROWS];
            for (int64_t r = 0; r < row[at + 1] - row[at]; r++)
                start[r] = p->is_left_turned ? gathered + 8 * DEEP * at + r : p->left + (row[at] + r) * p->depth + first;
            multiply_tile(row[at + 1] - row[at], start, p->is_left_turned ? 8 : 1, length, panel_of(p, part, panel),
                          p->result + row[at] * p->columns + p->column + panel * WIDE, p->columns,
                          width_of(p->width, panel), first > 0);
        }
}

static void add_block(void *job, long block)
{
    const Product *p = job;
    int64_t parts = parts_of(p->width, BROAD), side = block % parts, panels = panels_of(p->width);
    int64_t at = block / parts, row_parts = parts_of(p->rows, HIGH), top = at * p->rows / row_parts;
    int64_t rows = (at + 1) * p->rows / row_parts - top, tiles = parts_of(rows, ROWS), row[TILES + 1];
    for (int64_t tile = 0; tile <= tiles; tile++)
        row[tile] = top + tile * rows / tiles; /* tiles of nearly the same height keep the registers full */
    for (int64_t part = 0; part < parts_of(p->terms, DEEP); part++)
        add_part(p, part, row, tiles, side * panels / parts, (side + 1) * panels / parts);
}

/* How many columns are packed at a time, and terms of their sums. */
static int64_t packed_columns(const Product *p) { return least(panels_of(p->columns) * WIDE, STRIP); }

static int64_t packed_terms(const Product *p)
{
    int64_t most = PACKED / packed_columns(p) / DEEP;
    return least(most > 1 ? most : 1, parts_of(p->depth, DEEP)) * DEEP;
}

/* Space for the panels; NULL without memory. */
static float *new_panels(const Product *p)
{
    return malloc((size_t)(packed_columns(p) * packed_terms(p)) * 4);
}

/* Computes product `at` of several that share their panels; with a frame on all threads, else on this one. */
static void multiply_one(Frame *frame, const Product *all, int64_t at, float *panels)
{
    Product p = *all;
    p.left += at * p.rows * p.depth;
    p.right += at * p.depth * p.columns;
    p.result += at * p.rows * p.columns;
    p.panels = panels;
    for (; p.column < p.columns; p.column += STRIP) {
        p.width = least(p.columns - p.column, STRIP);
        for (p.first = 0; p.first < p.depth; p.first += packed_terms(&p)) {
            p.terms = least(p.depth - p.first, packed_terms(&p));
            share(frame, parts_of(p.terms, DEEP) * panels_of(p.width), pack_panel, &p);
            share(frame, parts_of(p.rows, HIGH) * parts_of(p.width, BROAD), add_block, &p);
        }
    }
}

static void multiply_some(void *job, long from, long to)
{
    const Product *all = job;
    float *panels = new_panels(all);
    if (!panels)
        atomic_store(all->failed, 1);
    for (long at = from; panels && at < to; at++)
        multiply_one(NULL, all, at, panels);
    free(panels);
}

static void multiply_in_turn(Frame *frame, const Product *all, int64_t count)
{
    float *panels = new_panels(all);
    if (!panels)
        atomic_store(all->failed, 1);
    for (int64_t at = 0; panels && at < count; at++)
        multiply_one(frame, all, at, panels);
    free(panels);
}

static int64_t size_of(const Buffer *buffer, int from_end) { return buffer->sizes[buffer->rank - from_end]; }

/* The products of the matrices in the last two axes. Numbers: whether the left side and the right side are transposed. */
static void *multiply(Frame *frame)
{
    if (answers_metadata(frame))
        return NULL;
    const int64_t *numbers = numbers_of(frame);
    Buffer *left = frame->arguments.buffers[0], *right = frame->arguments.buffers[1], *to = frame->results.buffers[0];
    if (left->rank < 2 || right->rank < 2 || to->rank < 2)
        return failure(frame, INVALID, "a product of matrices has two axes at least");
    atomic_int failed = 0;
    Product all = {left->data, right->data, to->data, NULL, size_of(to, 2), size_of(to, 1),
                   size_of(left, numbers[0] ? 2 : 1), numbers[0] != 0, numbers[1] != 0, 0, 0, 0, 0, &failed};
    int64_t matrix = all.rows * all.columns, count = matrix ? elements_of(to) / matrix : 0, work = matrix * all.depth;
    if (!count)
        return NULL;
    if (elements_of(left) != count * all.rows * all.depth || elements_of(right) != count * all.depth * all.columns)
        return failure(frame, INVALID, "the sizes of two matrices do not fit each other");
    if (!work)
        memset(all.result, 0, (size_t)(count * matrix) * 4);
    else if (work < LIGHT)
        share_ranges(frame, count, work * count < LIGHT ? count : parts_of(GRAIN, work), multiply_some, &all);
    else
        multiply_in_turn(frame, &all, count);
    return failed ? out_of_memory(frame) : NULL;
}

static const Kernel kernels[] = {{"multiply", multiply}};

#endif

KERNEL_MODULE(products, "Matrix products for XLA's programs.")
