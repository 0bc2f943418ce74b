/* Convolutions of images, channels last, and their gradients, for XLA's programs and for NumPy:
   convolve.c and convolve64.c are the modules for float32 and for float64.

   All three are matrix products over the patches of the images, without storing the patches: with channels last, a row of
   a window is one contiguous piece of the padded image. `tiles.h` multiplies six rows with a panel of two vectors in
   registers; the results do not depend on the number of threads.

   It is for the row `LeNet step, batch 64` of benchmarks.
*/

#include "geometry.h"

#include "tiles.h"

enum { PITCH = LANES > 8 ? LANES : 8, DEEP = 512, CHUNK = 96, BLOCK = 128, SPLIT = 4, MANY = 8, FEW = 4, SEVERAL = 6, LONG = 32 };
enum { NEAR = 128, NARROW = 64, NEAREST = 4096, SHARES = 8, WORTH = 64 }; /* see has_runs, find_runs */
enum { NEAR_ROWS = 1 << 14, LEAST_ROWS = 4, MANY_COPIES = 1 << 16 }; /* see bands_of, share_copies */

/* ---- geometry */

typedef struct {
    int64_t images, channels, outputs;
    int64_t size[3], window[3], stride[3], dilation[3], before[3], places[3];
    /* What follows: the extent of the padded image, and how a window reads it. */
    int64_t extent[3], volume, positions, depth;
    int64_t pieces, length; /* contiguous pieces of a window, and the numbers in each */
    int64_t *piece, *place; /* where pieces lie in a window, where windows lie in an image */
    int is_padded;
} Shape;

static int64_t offset_in(const Shape *s, int64_t depth, int64_t row, int64_t column)
{
    return ((depth * s->extent[1] + row) * s->extent[2] + column) * s->channels;
}

static void extend(Shape *s)
{
    s->is_padded = 0;
    for (int axis = 0; axis < 3; axis++) {
        int64_t last = times(s->places[axis] - 1, s->stride[axis]), reach = times(s->window[axis] - 1, s->dilation[axis]);
        s->extent[axis] = plus(plus(last, reach), 1);
        s->is_padded |= s->before[axis] || s->extent[axis] < 0 || s->extent[axis] > s->size[axis];
    }
    if (!s->is_padded)
        memcpy(s->extent, s->size, sizeof s->extent);
    s->volume = times(product(s->extent), s->channels);
    s->positions = product(s->places);
    s->depth = times(product(s->window), s->channels);
}

static int locate(Shape *s)
{
    if (s->volume < 0) /* no memory has room for an image with its padding */
        return 0;
    int rows_touch = s->window[2] == 1 || s->dilation[2] == 1;
    int64_t columns = rows_touch ? 1 : s->window[2], at = 0;
    s->length = rows_touch ? s->window[2] * s->channels : s->channels;
    s->pieces = s->window[0] * s->window[1] * columns;
    s->piece = memory_for(s->pieces, sizeof *s->piece);
    s->place = memory_for(s->positions, sizeof *s->place);
    if (!s->piece || !s->place)
        return 0;
    for (int64_t d = 0; d < s->window[0]; d++)
        for (int64_t r = 0; r < s->window[1]; r++)
            for (int64_t c = 0; c < columns; c++)
                s->piece[at++] = offset_in(s, d * s->dilation[0], r * s->dilation[1], c * s->dilation[2]);
    at = 0;
    for (int64_t d = 0; d < s->places[0]; d++)
        for (int64_t r = 0; r < s->places[1]; r++)
            for (int64_t c = 0; c < s->places[2]; c++)
                s->place[at++] = offset_in(s, d * s->stride[0], r * s->stride[1], c * s->stride[2]);
    if (rows_touch && s->extent[2] == s->window[2] && (s->window[1] == 1 || s->dilation[1] == 1)) { /* rows touch too */
        s->length *= s->window[1];
        s->pieces = s->window[0];
        for (int64_t d = 0; d < s->window[0]; d++)
            s->piece[d] = offset_in(s, d * s->dilation[0], 0, 0);
    }
    return 1;
}

static int read_shape(Shape *s, const int64_t *numbers)
{
    memset(s, 0, sizeof *s);
    s->images = numbers[0];
    s->channels = numbers[1];
    s->outputs = numbers[2];
    int64_t *lists[6] = {s->size, s->window, s->stride, s->dilation, s->before, s->places};
    for (int list = 0; list < 6; list++)
        memcpy(lists[list], numbers + 3 + 3 * list, 24);
    extend(s);
    return locate(s);
}

static void drop_shape(Shape *s)
{
    free(s->piece);
    free(s->place);
}

/* The part of an axis of the padded image that is in the image. */
typedef struct {
    int64_t from, to;
} Inside;

static Inside inside(const Shape *s, int axis)
{
    Inside part = {s->before[axis], s->before[axis] + s->size[axis]};
    if (part.from > s->extent[axis])
        part.from = s->extent[axis];
    if (part.to > s->extent[axis])
        part.to = s->extent[axis];
    if (part.to < part.from)
        part.to = part.from;
    return part;
}

/* ---- the product in registers */

/* Adds to `rows` x (LANES * `vectors`) sums the products of pieces of rows with a packed panel. */
INLINE void tile(int rows, int vectors, const Number *const *row, const int64_t *piece, int64_t pieces, int64_t length,
                 const Number *panel, Sums sums)
{
    for (int64_t p = 0; p < pieces; p++, panel += length * LANES * vectors) {
        const Number *at[ROWS];
        UNROLLED for (int r = 0; r < rows; r++)
            at[r] = row[r] + piece[p];
        add_products(rows, vectors, at, 1, length, panel, LANES * vectors, NULL, sums);
    }
}

INLINE void product_of(int rows, int vectors, const Number *const *row, const int64_t *piece, int64_t pieces,
                       int64_t length, const Number *panel, Number *const *target, int64_t width, int adds)
{
    Sums sums;
    clear(rows, sums);
    tile(rows, vectors, row, piece, pieces, length, panel, sums);
    UNROLLED for (int r = 0; r < rows; r++)
        put(target[r], width, vectors, adds, sums[r]);
}

/* The same with a number of rows and a width that are known only now. */
FAST static void multiply(int rows, const Number *const *row, const int64_t *piece, int64_t pieces, int64_t length,
                          const Number *panel, Number *const *target, int64_t width, int adds)
{
#define CASE(R)                                                                                                        \
    case R:                                                                                                            \
        if (width > LANES)                                                                                             \
            product_of(R, 2, row, piece, pieces, length, panel, target, width, adds);                                  \
        else                                                                                                           \
            product_of(R, 1, row, piece, pieces, length, panel, target, width, adds);                                  \
        break;
    switch (rows) {
        CASE(6)
        CASE(5)
        CASE(4)
        CASE(3)
        CASE(2)
        CASE(1)
    }
#undef CASE
}

/* ---- padding */

typedef struct {
    Shape *s;
    const Number *x;
    Number *padded;
} Padding;

static void zero(Number *to, int64_t count) { memset(to, 0, (size_t)count * sizeof(Number)); }

/* Copies rows of a padded image, from row `first` of depth `d`. */
static void pad_rows(const Shape *s, const Number *image, int64_t d, int64_t first, int64_t rows, Number *to)
{
    Inside deep = inside(s, 0), high = inside(s, 1), wide = inside(s, 2);
    int64_t width = s->extent[2] * s->channels, left = wide.from * s->channels, right = wide.to * s->channels;
    for (int64_t r = first; r < first + rows; r++, to += width) {
        if (d < deep.from || d >= deep.to || r < high.from || r >= high.to) {
            zero(to, width);
            continue;
        }
        zero(to, left);
        memcpy(to + left, image + (((d - s->before[0]) * s->size[1] + r - s->before[1]) * s->size[2]) * s->channels,
               (size_t)(right - left) * sizeof(Number));
        zero(to + right, width - right);
    }
}

static void pad_image(void *job, long image)
{
    Padding *p = job;
    const Shape *s = p->s;
    for (int64_t d = 0; d < s->extent[0]; d++)
        pad_rows(s, p->x + image * product(s->size) * s->channels, d, 0, s->extent[1],
                 p->padded + image * s->volume + offset_in(s, d, 0, 0));
}

/* The rows of the padded image that some rows of windows see. */
static int64_t rows_seen(const Shape *s, int64_t rows)
{
    return (rows - 1) * s->stride[1] + (s->window[1] - 1) * s->dilation[1] + 1;
}

/* The images with their padding: `x` itself if there is none; NULL without memory. */
static Number *padded_images(Frame *frame, Shape *s, const Number *x)
{
    if (!s->is_padded)
        return (Number *)x;
    Padding job = {s, x, memory_for(times(s->images, s->volume), sizeof(Number))};
    if (job.padded)
        share(frame, s->images, pad_image, &job);
    return job.padded;
}

static void drop_padded(const Shape *s, Number *images)
{
    if (s->is_padded)
        free(images);
}

/* ---- forward: rows are windows, columns are output channels */

typedef struct {
    Shape *s;
    const Number *x, *w;
    Number *images, *panels, *y;
    int is_turned; /* whether the filter is that of the images' gradient: reversed, inputs and outputs exchanged */
    int is_few;
    int64_t bands; /* of each image, which are padded one by one; 0 if the images are, or need no padding */
    atomic_int failed;
} Forward;

static void pack_filter(void *job, long at)
{
    Forward *f = job;
    const Shape *s = f->s;
    pack(f->w + at * WIDE, s->depth, s->outputs, width_of(s->outputs, at), f->panels + at * WIDE * s->depth);
}

static void pack_turned_tap(void *job, long tap)
{
    Forward *f = job;
    const Shape *s = f->s;
    const Number *from = f->w + (product(s->window) - 1 - tap) * s->outputs * s->channels;
    for (int64_t at = 0; at < panels_of(s->outputs); at++) {
        int64_t width = width_of(s->outputs, at);
        pack_turned(from + at * WIDE * s->channels, s->channels, s->channels, width,
                    f->panels + at * WIDE * s->depth + tap * s->channels * pitch_of(width));
    }
}

/* A part of a window's pieces that stays in the nearest cache together with a panel. */
typedef struct {
    int64_t first, pieces, start, length, row; /* pieces, the part of each, and its first row of the filter */
} Part;

static int next_part(const Shape *s, Part *part)
{
    if (part->length && part->pieces == 1 && part->start + part->length < s->length) { /* more of a long piece */
        part->start += part->length;
        part->row += part->length;
    } else {
        part->row = part->length ? part->row + part->pieces * part->length : 0;
        part->first = part->length ? part->first + part->pieces : 0;
        part->start = 0;
    }
    if (part->first >= s->pieces)
        return 0;
    int64_t fits = DEEP / s->length, left = s->pieces - part->first;
    part->pieces = fits < 1 ? 1 : fits < left ? fits : left;
    part->length = fits >= 1 ? s->length : s->length - part->start < DEEP ? s->length - part->start : DEEP;
    return 1;
}

/* The results of up to CHUNK windows, which begin at `start`. */
FAST static void convolve_windows(const Forward *f, const Number *const *start, int64_t count, Number *y)
{
    const Shape *s = f->s;
    const Number *row[CHUNK];
    Number *target[CHUNK];
    for (Part part = {0}; next_part(s, &part);) {
        for (int64_t m = 0; m < count; m++)
            row[m] = start[m] + part.start;
        for (int64_t at = 0; at < panels_of(s->outputs); at++) {
            int64_t width = width_of(s->outputs, at);
            const Number *panel = f->panels + at * WIDE * s->depth + part.row * pitch_of(width);
            for (int64_t m = 0; m < count; m++)
                target[m] = y + m * s->outputs + at * WIDE;
            for (int64_t m = 0; m < count; m += ROWS)
                multiply((int)(count - m < ROWS ? count - m : ROWS), row + m, s->piece + part.first, part.pieces,
                         part.length, panel, target + m, width, part.row > 0);
        }
    }
}

/* Few output channels: the vectors lie along the windows instead, and are summed up at the end. */
INLINE void dots(int rows, int outputs, const Number *const *row, const Shape *s, const Number *w, Number *y)
{
    Vector sums[SEVERAL][FEW];
    UNROLLED for (int r = 0; r < rows; r++)
        UNROLLED for (int o = 0; o < outputs; o++)
            sums[r][o] = (Vector){0};
    for (int64_t p = 0; p < s->pieces; p++, w += s->length)
        for (int64_t k = 0; k < s->length; k += LANES) {
            Mask mask = lanes(s->length - k, 0);
            int is_whole = s->length - k >= LANES;
            Vector right[FEW];
            UNROLLED for (int o = 0; o < outputs; o++) {
                const Number *at = w + o * s->depth + k;
                right[o] = is_whole ? load(at) : load_lanes(at, mask);
            }
            UNROLLED for (int r = 0; r < rows; r++) {
                const Number *at = row[r] + s->piece[p] + k;
                Vector left = is_whole ? load(at) : load_lanes(at, mask);
                UNROLLED for (int o = 0; o < outputs; o++)
                    sums[r][o] = multiply_add(left, right[o], sums[r][o]);
            }
        }
    UNROLLED for (int r = 0; r < rows; r++)
        UNROLLED for (int o = 0; o < outputs; o++) {
            Number lane[LANES];
            store(lane, sums[r][o]);
            for (int half = LANES / 2; half; half /= 2)
                for (int k = 0; k < half; k++)
                    lane[k] += lane[k + half];
            y[r * outputs + o] = lane[0];
        }
}

FAST static void convolve_few(const Forward *f, const Number *const *start, int64_t count, Number *y)
{
    const Shape *s = f->s;
    int64_t m = 0;
#define CASE(OUTPUTS, ROWS)                                                                                            \
    case OUTPUTS:                                                                                                      \
        for (; m + ROWS <= count; m += ROWS)                                                                    \
            dots(ROWS, OUTPUTS, start + m, s, f->panels, y + m * OUTPUTS);                                                       \
        for (; m < count; m++)                                                                                  \
            dots(1, OUTPUTS, start + m, s, f->panels, y + m * OUTPUTS);                                                          \
        break;
    switch (s->outputs) {
        CASE(1, 6)
        CASE(2, 4)
        CASE(3, 3)
        CASE(4, 2)
    }
#undef CASE
}

static void convolve_some(const Forward *f, const Number *const *start, int64_t count, Number *y)
{
    if (f->is_few)
        convolve_few(f, start, count, y);
    else
        convolve_windows(f, start, count, y);
}

static void convolve_chunk(void *job, long chunk)
{
    Forward *f = job;
    const Shape *s = f->s;
    int64_t all = s->images * s->positions, first = chunk * CHUNK, count = all - first < CHUNK ? all - first : CHUNK;
    const Number *start[CHUNK];
    for (int64_t m = 0; m < count; m++)
        start[m] = f->images + (first + m) / s->positions * s->volume + s->place[(first + m) % s->positions];
    convolve_some(f, start, count, f->y + first * s->outputs);
}

/* The results of a band of rows of windows, whose padded copy stays in a near cache. */
static void convolve_band(void *job, long task)
{
    Forward *f = job;
    const Shape *s = f->s;
    int64_t image = task / f->bands, band = task % f->bands, width = s->places[2];
    int64_t from = band * s->places[1] / f->bands, to = (band + 1) * s->places[1] / f->bands, end = (to - from) * width;
    int64_t rows = rows_seen(s, to - from);
    Number *padded = memory_for(TIMES(rows, s->extent[2], s->channels), sizeof(Number));
    const Number *start[CHUNK];
    if (!padded) {
        atomic_store(&f->failed, 1);
        return;
    }
    pad_rows(s, f->x + image * product(s->size) * s->channels, 0, from * s->stride[1], rows, padded);
    for (int64_t first = 0; first < end; first += CHUNK) {
        int64_t count = end - first < CHUNK ? end - first : CHUNK;
        for (int64_t m = 0; m < count; m++)
            start[m] = padded + s->place[first + m]; /* the windows of the first rows lie in the same way */
        convolve_some(f, start, count, f->y + (image * s->positions + from * width + first) * s->outputs);
    }
    free(padded);
}

/* The bands of a padded image: each fits in a near cache, or has a few rows at least; 0 if there are too few to share. */
static int64_t bands_of(const Shape *s)
{
    int64_t rows = NEAR_ROWS / (s->extent[2] * s->channels) / s->stride[1];
    int64_t bands = rows > LEAST_ROWS ? (s->places[1] + rows - 1) / rows : (s->places[1] + LEAST_ROWS - 1) / LEAST_ROWS;
    return s->is_padded && s->extent[0] == 1 && s->images * bands >= SHARES ? bands : 0;
}

/* The filter with the numbers of each output one behind the other. */
static void transpose_filter(const Forward *f)
{
    const Shape *s = f->s;
    int64_t taps = product(s->window);
    for (int64_t k = 0; k < s->depth; k++)
        for (int64_t o = 0; o < s->outputs; o++)
            f->panels[o * s->depth + k] = f->is_turned
                ? f->w[((taps - 1 - k / s->channels) * s->outputs + o) * s->channels + k % s->channels]
                : f->w[k * s->outputs + o];
}

static int has_few_outputs(const Shape *s) { return s->outputs <= FEW && s->length >= LONG; }

/* Calls piece(job, at) for `count` pieces that copy so many numbers; few numbers are not worth a thread. */
static void share_copies(Frame *frame, int64_t numbers, long count, void (*piece)(void *, long), void *job)
{
    if (numbers >= MANY_COPIES)
        share(frame, count, piece, job);
    else
        for (long at = 0; at < count; at++)
            piece(job, at);
}

/* Computes y; NULL, or the failure. */
static void *convolve_images(Frame *frame, Forward *f, const int64_t *numbers)
{
    Shape s;
    if (!read_shape(&s, numbers)) {
        drop_shape(&s);
        return out_of_memory(frame);
    }
    int fits;
    f->s = &s;
    f->is_few = has_few_outputs(&s);
    f->bands = bands_of(&s);
    f->panels = memory_for(TIMES(panels_of(s.outputs), WIDE, s.depth), sizeof(Number));
    fits = f->panels && (f->bands || (f->images = padded_images(frame, &s, f->x)));
    if (fits) {
        if (f->is_few)
            transpose_filter(f);
        else if (f->is_turned)
            share_copies(frame, s.depth * s.outputs, product(s.window), pack_turned_tap, f);
        else
            share_copies(frame, s.depth * s.outputs, panels_of(s.outputs), pack_filter, f);
        if (f->bands)
            share(frame, s.images * f->bands, convolve_band, f);
        else
            share(frame, (s.images * s.positions + CHUNK - 1) / CHUNK, convolve_chunk, f);
        if (!f->bands)
            drop_padded(&s, f->images);
    }
    free(f->panels);
    drop_shape(&s);
    return fits && !atomic_load(&f->failed) ? NULL : out_of_memory(frame);
}

static void *convolve(Frame *frame)
{
    if (!is_described(frame, "xwy"))
        return ill_sized(frame);
    Forward job = {.x = frame->arguments.buffers[0]->data, .w = frame->arguments.buffers[1]->data,
                   .y = frame->results.buffers[0]->data};
    return convolve_images(frame, &job, numbers_of(frame));
}

/* ---- the filter's gradient: rows are elements of the filter, columns are output channels, the sum is over windows */

typedef struct {
    Shape *s;
    const Number *x, *dy;
    Number *images, *packed, *dw;
    int64_t tiles_in_piece, tiles, bundles, sheaves; /* tasks are bundles of tiles times sheaves of panels */
    int64_t runs, runs_in_block, parts;              /* or parts of the runs, each with its sums */
    struct Run *run;
    int64_t *element; /* where the elements of a window lie in it */
    int is_banded;    /* whether rows are padded for each block of runs */
    atomic_int failed;
} ToFilter;

/* Copies `rows` elements of each window of a block, PITCH numbers apart: the originals may share sets of the cache. */
FAST static void gather_rows(int64_t rows, const Number *x, const int64_t *place, int64_t count, Number *to)
{
    for (int v = 0; v < PITCH / LANES; v++) {
        Mask mask = lanes(rows, v);
        for (int64_t m = 0; m < count; m++)
            store(to + PITCH * m + LANES * v, load_lanes(x + place[m] + LANES * v, mask));
    }
}

/* Adds what a block of windows contributes to a tile of the filter, for some packed panels of the gradient. */
FAST static void sum_block(const ToFilter *f, int64_t image, int64_t first, int64_t count, int64_t tile, int64_t panel,
                           int64_t end, const Number *packed)
{
    const Shape *s = f->s;
    int64_t piece = tile / f->tiles_in_piece, start = tile % f->tiles_in_piece * ROWS;
    int64_t rows = s->length - start < ROWS ? s->length - start : ROWS;
    Number gathered[PITCH * BLOCK] __attribute__((aligned(64)));
    gather_rows(rows, f->images + image * s->volume + s->piece[piece] + start, s->place + first, count, gathered);
    const Number *row[ROWS];
    for (int r = 0; r < ROWS; r++)
        row[r] = gathered + r;
    for (; panel < end; panel++, packed += BLOCK * WIDE)
        multiply_tile(rows, row, PITCH, count, packed, f->dw + (piece * s->length + start) * s->outputs + panel * WIDE,
                      s->outputs, width_of(s->outputs, panel), image + first > 0);
}

FAST static void sum_bundle(void *job, long task)
{
    ToFilter *f = job;
    const Shape *s = f->s;
    int64_t bundle = task / f->sheaves, sheaf = task % f->sheaves, panels = panels_of(s->outputs);
    int64_t from = sheaf * panels / f->sheaves, to = (sheaf + 1) * panels / f->sheaves;
    Number *packed = f->packed + task * BLOCK * WIDE * ((panels + f->sheaves - 1) / f->sheaves);
    for (int64_t image = 0; image < s->images; image++)
        for (int64_t first = 0; first < s->positions; first += BLOCK) {
            int64_t count = s->positions - first < BLOCK ? s->positions - first : BLOCK;
            for (int64_t at = from; at < to; at++)
                pack(f->dy + (image * s->positions + first) * s->outputs + at * WIDE, count, s->outputs,
                     width_of(s->outputs, at), packed + (at - from) * BLOCK * WIDE);
            for (int64_t tile = bundle * f->tiles / f->bundles; tile < (bundle + 1) * f->tiles / f->bundles; tile++)
                sum_block(f, image, first, count, tile, from, to, packed);
        }
}

/* Divides the work so that every thread has some, and a packed block of the gradient serves as many tiles as possible. */
static void divide(ToFilter *f, int64_t threads)
{
    int64_t panels = panels_of(f->s->outputs), groups = threads < 2 ? 2 : threads;
    f->tiles_in_piece = (f->s->length + ROWS - 1) / ROWS;
    f->tiles = f->tiles_in_piece * f->s->pieces;
    f->bundles = f->tiles / MANY > groups ? f->tiles / MANY : groups;
    if (f->bundles > f->tiles)
        f->bundles = f->tiles;
    f->sheaves = (groups + f->bundles - 1) / f->bundles;
    if (f->sheaves > panels)
        f->sheaves = panels;
}

/* Few channels: what neighbouring windows see, and their gradients, lie close together and are read where they are.

   A run is a number of windows in a row of an image. Parts of the runs are summed up by themselves and added at the end.
*/
typedef struct Run {
    int64_t x, dy, count;
} Run;

/* Some runs, and the padded images that they are in, from the number `origin` on. */
typedef struct {
    const Number *images;
    int64_t origin;
    const Run *run;
    int64_t count;
} Runs;

INLINE void sum_tile(int rows, int vectors, int is_masked, const ToFilter *f, const Runs *some, const int64_t *element,
                     int64_t column, int64_t width, Number *target, int adds)
{
    const Shape *s = f->s;
    Mask mask[2] = {lanes(width, 0), lanes(width, 1)};
    Sums sums;
    clear(rows, sums);
    for (const Run *run = some->run, *end = run + some->count; run < end; run++) {
        const Number *row[ROWS];
        UNROLLED for (int r = 0; r < rows; r++)
            row[r] = some->images + (run->x - some->origin) + element[r];
        add_products(rows, vectors, row, s->stride[2] * s->channels, run->count, f->dy + run->dy + column, s->outputs,
                     is_masked ? mask : NULL, sums);
    }
    UNROLLED for (int r = 0; r < rows; r++)
        put(target + r * s->outputs, width, vectors, adds, sums[r]);
}

FAST static void sum_tile_of(int64_t rows, const ToFilter *f, const Runs *some, const int64_t *element, int64_t column,
                             int64_t width, Number *target, int adds)
{
#define CASE(R)                                                                                                        \
    case R:                                                                                                            \
        if (width == WIDE)                                                                                             \
            sum_tile(R, 2, 0, f, some, element, column, width, target, adds);                                          \
        else if (width > LANES)                                                                                        \
            sum_tile(R, 2, 1, f, some, element, column, width, target, adds);                                          \
        else if (width == LANES)                                                                                       \
            sum_tile(R, 1, 0, f, some, element, column, width, target, adds);                                          \
        else                                                                                                           \
            sum_tile(R, 1, 1, f, some, element, column, width, target, adds);                                          \
        break;
    switch (rows) {
        CASE(6)
        CASE(5)
        CASE(4)
        CASE(3)
        CASE(2)
        CASE(1)
    }
#undef CASE
}

/* Adds up what a block of runs contributes to all of the filter. */
static void sum_runs(const ToFilter *f, const Runs *some, Number *sums, int adds)
{
    const Shape *s = f->s;
    int64_t tiles = (s->depth + ROWS - 1) / ROWS;
    for (int64_t tile = 0; tile < tiles; tile++) {
        int64_t start = tile * s->depth / tiles, end = (tile + 1) * s->depth / tiles;
        for (int64_t panel = 0; panel < panels_of(s->outputs); panel++)
            sum_tile_of(end - start, f, some, f->element + start, panel * WIDE, width_of(s->outputs, panel),
                        sums + start * s->outputs + panel * WIDE, adds);
    }
}

static void sum_part(void *job, long part)
{
    ToFilter *f = job;
    int64_t from = part * f->runs / f->parts, to = (part + 1) * f->runs / f->parts;
    Number *sums = f->packed + part * f->s->depth * f->s->outputs;
    for (int64_t first = from; first < to; first += f->runs_in_block) {
        int64_t left = to - first;
        Runs some = {f->images, 0, f->run + first, left < f->runs_in_block ? left : f->runs_in_block};
        sum_runs(f, &some, sums, first > from);
    }
}

/* The same with runs that are rows of windows: pads the rows of a block. */
static void sum_banded_part(void *job, long part)
{
    ToFilter *f = job;
    const Shape *s = f->s;
    int64_t from = part * f->runs / f->parts, to = (part + 1) * f->runs / f->parts, rows;
    Number *sums = f->packed + part * s->depth * s->outputs;
    Number *padded = memory_for(TIMES(rows_seen(s, f->runs_in_block), s->extent[2], s->channels), sizeof(Number));
    if (!padded)
        atomic_store(&f->failed, 1);
    for (int64_t first = from; padded && first < to; first += rows) {
        int64_t image = first / s->places[1], row = first % s->places[1];
        rows = s->places[1] - row < f->runs_in_block ? s->places[1] - row : f->runs_in_block;
        rows = rows < to - first ? rows : to - first;
        pad_rows(s, f->x + image * product(s->size) * s->channels, 0, row * s->stride[1], rows_seen(s, rows), padded);
        Runs some = {padded, f->run[first].x, f->run + first, rows};
        sum_runs(f, &some, sums, first > from);
    }
    free(padded);
}

static void add_parts(const ToFilter *f)
{
    int64_t count = f->s->depth * f->s->outputs;
    memcpy(f->dw, f->packed, (size_t)count * sizeof(Number));
    for (int64_t part = 1; part < f->parts; part++)
        for (int64_t at = 0; at < count; at++)
            f->dw[at] += f->packed[part * count + at];
}

static int has_runs(const Shape *s) { return s->stride[2] * s->channels <= NEAR && s->outputs <= NARROW; }

/* Lists the runs: a block of them stays in the nearest cache. The division follows from the sizes alone. */
static int find_runs(ToFilter *f)
{
    const Shape *s = f->s;
    int64_t each = s->stride[2] * s->channels + s->outputs, most = NEAREST / each, width = s->places[2];
    int64_t pieces = (width + most - 1) / most, rows = s->images * s->places[0] * s->places[1], at = 0;
    f->runs = rows * pieces;
    f->is_banded = s->is_padded && s->extent[0] == 1 && pieces == 1;
    f->runs_in_block = most * pieces / width > 1 ? most * pieces / width : 1;
    f->parts = s->images * s->positions / WORTH < SHARES ? s->images * s->positions / WORTH : SHARES;
    f->parts = f->parts < 1 ? 1 : f->parts < f->runs ? f->parts : f->runs;
    f->run = memory_for(f->runs, sizeof(Run));
    f->element = memory_for(s->depth, sizeof *f->element);
    f->packed = memory_for(TIMES(f->parts, s->depth, s->outputs), sizeof(Number));
    if (!f->run || !f->element || !f->packed)
        return 0;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t piece = 0; piece < pieces; piece++) {
            int64_t from = piece * width / pieces, window = row * width + from;
            f->run[at++] = (Run){window / s->positions * s->volume + s->place[window % s->positions],
                                 window * s->outputs, (piece + 1) * width / pieces - from};
        }
    for (int64_t k = 0; k < s->depth; k++)
        f->element[k] = s->piece[k / s->length] + k % s->length;
    return 1;
}

/* Few output channels: the vectors lie along the windows instead, two vectors of a piece for each output. */
INLINE void outer_few(int outputs, int vectors, const ToFilter *f, int64_t piece, int64_t start, int64_t width)
{
    const Shape *s = f->s;
    Vector sums[FEW][2];
    Mask mask[2] = {lanes(width, 0), lanes(width, 1)};
    UNROLLED for (int o = 0; o < outputs; o++)
        UNROLLED for (int v = 0; v < vectors; v++)
            sums[o][v] = (Vector){0};
    for (int64_t image = 0; image < s->images; image++) {
        const Number *x = f->images + image * s->volume + s->piece[piece] + start;
        const Number *dy = f->dy + image * s->positions * outputs;
        for (int64_t m = 0; m < s->positions; m++, dy += outputs)
            UNROLLED for (int v = 0; v < vectors; v++) {
                Vector seen = load_lanes(x + s->place[m] + LANES * v, mask[v]);
                UNROLLED for (int o = 0; o < outputs; o++)
                    sums[o][v] = multiply_add(seen, spread(*(dy + o)), sums[o][v]);
            }
    }
    UNROLLED for (int o = 0; o < outputs; o++) {
        Number lane[WIDE];
        UNROLLED for (int v = 0; v < vectors; v++)
            store(lane + LANES * v, sums[o][v]);
        for (int64_t k = 0; k < width; k++)
            f->dw[(piece * s->length + start + k) * outputs + o] = lane[k];
    }
}

FAST static void sum_few(void *job, long task)
{
    ToFilter *f = job;
    int64_t panels = panels_of(f->s->length), piece = task / panels, at = task % panels;
    int64_t width = width_of(f->s->length, at);
    switch (f->s->outputs) {
    case 1: outer_few(1, 2, f, piece, at * WIDE, width); break;
    case 2: outer_few(2, 2, f, piece, at * WIDE, width); break;
    case 3: outer_few(3, 2, f, piece, at * WIDE, width); break;
    default: outer_few(4, 2, f, piece, at * WIDE, width); break;
    }
}

static void *convolve_to_filter(Frame *frame)
{
    Shape s;
    if (!is_described(frame, "xyw"))
        return ill_sized(frame);
    ToFilter job = {.s = &s, .x = frame->arguments.buffers[0]->data, .dy = frame->arguments.buffers[1]->data,
                    .dw = frame->results.buffers[0]->data};
    if (!read_shape(&s, numbers_of(frame))) {
        drop_shape(&s);
        return out_of_memory(frame);
    }
    int has_few = has_few_outputs(&s), goes_by_runs = !has_few && has_runs(&s);
    int fits = !goes_by_runs || find_runs(&job);
    fits = fits && (job.is_banded || (job.images = padded_images(frame, &s, job.x)));
    if (fits && has_few)
        share(frame, s.pieces * panels_of(s.length), sum_few, &job);
    else if (fits && goes_by_runs) {
        share(frame, job.parts, job.is_banded ? sum_banded_part : sum_part, &job);
        fits = !atomic_load(&job.failed);
        if (fits)
            add_parts(&job);
    } else if (fits) {
        divide(&job, threads_of(frame));
        job.packed = memory_for(TIMES(job.bundles, job.sheaves, BLOCK * WIDE, panels_of(s.outputs)), sizeof(Number));
        if ((fits = job.packed != NULL))
            share(frame, job.bundles * job.sheaves, sum_bundle, &job);
    }
    if (job.images)
        drop_padded(&s, job.images);
    free(job.run);
    free(job.element);
    free(job.packed);
    drop_shape(&s);
    return fits ? NULL : out_of_memory(frame);
}

/* ---- the images' gradient: rows are windows, columns are elements of the filter, and windows are added where they lie.

   Without strides it is a convolution of the results' gradient with the filter turned: reversed, inputs and outputs
   exchanged. */

typedef struct {
    Shape *s;
    const Number *w, *dy;
    Number *panels, *sums, *dx;
    int64_t panels_in_piece, parts; /* an image of a small batch is divided among several tasks, each with its sums */
} ToInput;

static void pack_back(void *job, long task)
{
    ToInput *f = job;
    const Shape *s = f->s;
    int64_t piece = task / f->panels_in_piece, at = task % f->panels_in_piece;
    pack_turned(f->w + (piece * s->length + at * WIDE) * s->outputs, s->outputs, s->outputs, width_of(s->length, at),
                f->panels + task * WIDE * s->outputs);
}

FAST static void spread_part(void *job, long task)
{
    ToInput *f = job;
    const Shape *s = f->s;
    int64_t image = task / f->parts, part = task % f->parts, none = 0;
    int64_t end = (part + 1) * s->positions / f->parts;
    Number *sums = f->sums + task * s->volume, *target[CHUNK];
    const Number *row[CHUNK];
    memset(sums, 0, (size_t)s->volume * sizeof(Number));
    for (int64_t first = part * s->positions / f->parts; first < end; first += CHUNK) {
        int64_t count = end - first < CHUNK ? end - first : CHUNK;
        for (int64_t m = 0; m < count; m++)
            row[m] = f->dy + (image * s->positions + first + m) * s->outputs;
        for (int64_t panel = 0; panel < s->pieces * f->panels_in_piece; panel++) {
            int64_t at = panel % f->panels_in_piece;
            Number *start = sums + s->piece[panel / f->panels_in_piece] + at * WIDE;
            for (int64_t m = 0; m < count; m++)
                target[m] = start + s->place[first + m];
            for (int64_t m = 0; m < count; m += ROWS)
                multiply((int)(count - m < ROWS ? count - m : ROWS), row + m, &none, 1, s->outputs,
                         f->panels + panel * WIDE * s->outputs, target + m, width_of(s->length, at), 1);
        }
    }
}

/* Takes an image out of its padding. */
FAST static void crop_image(void *job, long image)
{
    ToInput *f = job;
    const Shape *s = f->s;
    Inside deep = inside(s, 0), high = inside(s, 1), wide = inside(s, 2);
    Number *dx = f->dx + image * product(s->size) * s->channels;
    int64_t count = (wide.to - wide.from) * s->channels;
    zero(dx, product(s->size) * s->channels);
    for (int64_t part = 0; part < f->parts; part++)
        for (int64_t d = deep.from; d < deep.to; d++)
            for (int64_t r = high.from; r < high.to; r++) {
                Number *to = dx + ((d - s->before[0]) * s->size[1] + r - s->before[1]) * s->size[2] * s->channels;
                const Number *from = f->sums + (image * f->parts + part) * s->volume + offset_in(s, d, r, wide.from);
                for (int64_t at = 0; at < count; at++)
                    to[at] += from[at];
            }
}

static double filled(int64_t count) { return (double)((count + LANES - 1) / LANES * LANES); }

/* Whether the convolution with the turned filter multiplies fewer vectors than adding up windows does, where each sum of a
   few outputs is also read and written. */
static int pays_to_turn(const int64_t *numbers)
{
    int64_t channels = numbers[1], outputs = numbers[2], columns = numbers[DILATIONS + 2] > 1 ? 1 : numbers[WINDOWS + 2];
    int is_few = channels <= FEW && columns * outputs >= LONG;
    double turned = (double)product(numbers + SIZES) * (is_few ? 2 * (double)channels : filled(channels));
    double added = (double)product(numbers + PLACES) * filled(columns * channels) / (double)columns;
    return turned <= added * (double)(outputs + 4) / (double)outputs;
}

/* The numbers of the convolution that the gradient is; 0 if it is none, or takes longer. */
static int turn_numbers(const int64_t *numbers, int64_t *turned)
{
    memcpy(turned, numbers, NUMBERS * sizeof *turned);
    turned[1] = numbers[2];
    turned[2] = numbers[1];
    for (int axis = 0; axis < 3; axis++) {
        int64_t reach = (numbers[WINDOWS + axis] - 1) * numbers[DILATIONS + axis];
        turned[SIZES + axis] = numbers[PLACES + axis];
        turned[PLACES + axis] = numbers[SIZES + axis];
        turned[BEFORE + axis] = reach - numbers[BEFORE + axis];
        if (turned[BEFORE + axis] < 0 || (numbers[STRIDES + axis] > 1 && numbers[PLACES + axis] > 1))
            return 0;
        turned[STRIDES + axis] = 1;
    }
    return pays_to_turn(numbers);
}

static void *convolve_to_input(Frame *frame)
{
    Shape s;
    int64_t turned[NUMBERS];
    if (!is_described(frame, "wyx"))
        return ill_sized(frame);
    if (turn_numbers(numbers_of(frame), turned)) {
        Forward same = {.x = frame->arguments.buffers[1]->data, .w = frame->arguments.buffers[0]->data,
                        .y = frame->results.buffers[0]->data, .is_turned = 1};
        return convolve_images(frame, &same, turned);
    }
    ToInput job = {&s, frame->arguments.buffers[0]->data, frame->arguments.buffers[1]->data, NULL, NULL,
                   frame->results.buffers[0]->data, 0, 1};
    if (!read_shape(&s, numbers_of(frame))) {
        drop_shape(&s);
        return out_of_memory(frame);
    }
    job.panels_in_piece = panels_of(s.length);
    job.parts = s.images < SPLIT ? (SPLIT + s.images - 1) / s.images : 1;
    int is_direct = !s.is_padded && job.parts == 1;
    job.panels = memory_for(TIMES(s.pieces, job.panels_in_piece, WIDE, s.outputs), sizeof(Number));
    job.sums = is_direct ? job.dx : memory_for(TIMES(s.images, job.parts, s.volume), sizeof(Number));
    int fits = job.panels && job.sums;
    if (fits) {
        share_copies(frame, s.depth * s.outputs, s.pieces * job.panels_in_piece, pack_back, &job);
        share(frame, s.images * job.parts, spread_part, &job);
        if (!is_direct)
            share(frame, s.images, crop_image, &job);
    }
    if (!is_direct)
        free(job.sums);
    free(job.panels);
    drop_shape(&s);
    return fits ? NULL : out_of_memory(frame);
}

#define KERNELS(K)                                                                                                     \
    K("convolve", convolve, "nn>n", NUMBERS) K("convolve_to_filter", convolve_to_filter, "nn>n", NUMBERS)              \
    K("convolve_to_input", convolve_to_input, "nn>n", NUMBERS)
