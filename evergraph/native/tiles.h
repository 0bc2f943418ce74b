/* The product in registers: up to six rows times a panel of two vectors.

   A panel is a packed strip of the right matrix, sixteen columns of Number wide, or eight where no more are left; eight
   and four of double.
*/

#ifndef EVERGRAPH_TILES_H
#define EVERGRAPH_TILES_H

#include "vectors.h"
#include <string.h>

#define UNROLLED _Pragma("GCC unroll 6")

enum { ROWS = 6, WIDE = 2 * LANES };

/* One or two sums for each row: of two vectors of columns, or of every other term for a single vector, whose sums would
   wait for each other otherwise. */
typedef Vector Sums[ROWS][2];

INLINE void add_term(int rows, int vectors, int at, const Number *const *row, int64_t k, const Vector *right, Sums sums)
{
    UNROLLED for (int r = 0; r < rows; r++) {
        Vector left = spread(*(row[r] + k));
        UNROLLED for (int v = 0; v < vectors; v++)
            sums[r][at + v] = multiply_add(left, right[v], sums[r][at + v]);
    }
}

/* Adds to the sums the products of `length` elements of each row, `step` apart, with rows of one or two vectors that are
   `pitch` apart. */
INLINE void add_products(int rows, int vectors, const Number *const *row, int64_t step, int64_t length,
                         const Number *right, int64_t pitch, const Mask *mask, Sums sums)
{
#define TAKE(FROM, V) (mask ? load_lanes((FROM) + LANES * (V), mask[V]) : load((FROM) + LANES * (V)))
    int64_t k = 0, end = length * step;
    if (vectors == 1)
        for (; k + step < end; k += 2 * step, right += 2 * pitch) {
            Vector first = TAKE(right, 0), second = TAKE(right + pitch, 0);
            add_term(rows, 1, 0, row, k, &first, sums);
            add_term(rows, 1, 1, row, k + step, &second, sums);
        }
    for (; k < end; k += step, right += pitch) {
        Vector taken[2];
        UNROLLED for (int v = 0; v < vectors; v++)
            taken[v] = TAKE(right, v);
        add_term(rows, vectors, 0, row, k, taken, sums);
    }
#undef TAKE
}

INLINE void clear(int rows, Sums sums)
{
    UNROLLED for (int r = 0; r < rows; r++)
        sums[r][0] = sums[r][1] = (Vector){0};
}

/* target[0:width] = (target if `adds`) + sums. */
INLINE void put(Number *target, int64_t width, int vectors, int adds, const Vector *sums)
{
    UNROLLED for (int v = 0; v < vectors; v++) {
        Vector sum = vectors == 1 ? sums[0] + sums[1] : sums[v];
        if (width >= LANES * (v + 1)) {
            Vector old = adds ? load(target + LANES * v) : (Vector){0};
            store(target + LANES * v, old + sum);
        } else if (width > LANES * v) {
            Mask mask = lanes(width, v);
            Vector old = adds ? load_lanes(target + LANES * v, mask) : (Vector){0};
            store_lanes(target + LANES * v, mask, old + sum);
        }
    }
}

INLINE void tile_of(int rows, int vectors, const Number *const *row, int64_t step, int64_t length, const Number *panel,
                    Number *target, int64_t stride, int64_t width, int adds)
{
    Sums sums;
    clear(rows, sums);
    add_products(rows, vectors, row, step, length, panel, LANES * vectors, NULL, sums);
    UNROLLED for (int r = 0; r < rows; r++)
        put(target + r * stride, width, vectors, adds, sums[r]);
}

/* The product of one to six rows with a panel: target, whose rows are `stride` apart, = (target if `adds`) + product. */
FAST static void multiply_tile(int64_t rows, const Number *const *row, int64_t step, int64_t length, const Number *panel,
                               Number *target, int64_t stride, int64_t width, int adds)
{
#define CASE(R)                                                                                                        \
    case R:                                                                                                            \
        if (width > LANES)                                                                                             \
            tile_of(R, 2, row, step, length, panel, target, stride, width, adds);                                      \
        else                                                                                                           \
            tile_of(R, 1, row, step, length, panel, target, stride, width, adds);                                      \
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

/* The width of panel `at` of a matrix with so many columns, and the space between its rows. */
static inline int64_t width_of(int64_t columns, int64_t at)
{
    int64_t left = columns - at * WIDE;
    return left < WIDE ? left : WIDE;
}

static inline int64_t pitch_of(int64_t width) { return width > LANES ? WIDE : LANES; }

static inline int64_t panels_of(int64_t columns) { return (columns + WIDE - 1) / WIDE; }

/* Packs rows of a matrix, `stride` apart, into a panel; zeros fill it up. */
FAST static void pack(const Number *from, int64_t rows, int64_t stride, int64_t width, Number *to)
{
    int64_t pitch = pitch_of(width);
    if (width == WIDE) {
        for (int64_t r = 0; r < rows; r++, from += stride, to += WIDE)
            memcpy(to, from, WIDE * sizeof *to);
        return;
    }
    Mask mask[2] = {lanes(width, 0), lanes(width, 1)};
    for (int64_t r = 0; r < rows; r++, from += stride, to += pitch)
        for (int v = 0; v < pitch / LANES; v++)
            store(to + LANES * v, load_lanes(from + LANES * v, mask[v]));
}

#if defined(OF_DOUBLES) || !defined(__x86_64__)

/* Packs columns of a matrix, whose elements are adjacent and which are `stride` apart, into a panel. */
static void pack_turned(const Number *from, int64_t rows, int64_t stride, int64_t width, Number *to)
{
    int64_t pitch = pitch_of(width);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < pitch; c++)
            to[r * pitch + c] = c < width ? from[c * stride + r] : 0;
}

#else

/* Eight rows of eight numbers become columns. */
INLINE void turn(__m256 square[8])
{
    __m256 pairs[8], fours[8];
    for (int r = 0; r < 8; r += 2) {
        pairs[r] = _mm256_unpacklo_ps(square[r], square[r + 1]);
        pairs[r + 1] = _mm256_unpackhi_ps(square[r], square[r + 1]);
    }
    for (int half = 0; half < 8; half += 4)
        for (int r = 0; r < 2; r++) {
            fours[half + 2 * r] = _mm256_shuffle_ps(pairs[half + r], pairs[half + r + 2], 0x44);
            fours[half + 2 * r + 1] = _mm256_shuffle_ps(pairs[half + r], pairs[half + r + 2], 0xee);
        }
    for (int r = 0; r < 4; r++) {
        square[r] = _mm256_permute2f128_ps(fours[r], fours[r + 4], 0x20);
        square[r + 4] = _mm256_permute2f128_ps(fours[r], fours[r + 4], 0x31);
    }
}

/* Packs columns of a matrix, whose elements are adjacent and which are `stride` apart, into a panel. */
FAST static void pack_turned(const float *from, int64_t rows, int64_t stride, int64_t width, float *to)
{
    int64_t pitch = pitch_of(width);
    for (int64_t start = 0; start < pitch; start += 8)
        for (int64_t first = 0; first < rows; first += 8) {
            int64_t left = rows - first < 8 ? rows - first : 8;
            __m256 square[8];
            __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            for (int64_t c = 0; c < 8; c++) {
                const float *column = from + (start + c) * stride + first;
                square[c] = start + c >= width ? _mm256_setzero_ps()
                            : left == 8        ? _mm256_loadu_ps(column)
                                               : _mm256_maskload_ps(column, mask);
            }
            turn(square);
            for (int64_t r = 0; r < left; r++)
                _mm256_storeu_ps(to + (first + r) * pitch + start, square[r]);
        }
}

#endif

#endif
