/* The product in registers: up to six rows times a panel of sixteen columns, on CPUs with AVX2.

   A panel is a packed strip of the right matrix, sixteen columns wide, or eight where no more are left.
*/

#ifndef EVERGRAPH_TILES_H
#define EVERGRAPH_TILES_H

#include <immintrin.h>
#include <string.h>

enum { ROWS = 6, WIDE = 16 };

/* Adds to `rows` x (8 * `vectors`) sums the products of `length` elements of each row, `step` apart, with a panel. */
INLINE const float *add_products(int rows, int vectors, const float *const *row, int64_t step, int64_t length,
                                 const float *panel, __m256 sums[ROWS][2])
{
    for (int64_t k = 0; k < length * step; k += step, panel += 8 * vectors) {
        __m256 right[2];
        for (int v = 0; v < vectors; v++)
            right[v] = _mm256_loadu_ps(panel + 8 * v);
        for (int r = 0; r < rows; r++) {
            __m256 left = _mm256_broadcast_ss(row[r] + k);
            for (int v = 0; v < vectors; v++)
                sums[r][v] = _mm256_fmadd_ps(left, right[v], sums[r][v]);
        }
    }
    return panel;
}

INLINE void clear(int rows, int vectors, __m256 sums[ROWS][2])
{
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++)
            sums[r][v] = _mm256_setzero_ps();
}

/* The first `count` lanes of two vectors. */
INLINE __m256i lanes(int64_t count, int vector)
{
    __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count - 8 * vector), order);
}

/* target[0:width] = (target if `adds`) + sums. */
INLINE void put(float *target, int64_t width, int vectors, int adds, const __m256 *sums)
{
    for (int v = 0; v < vectors; v++) {
        if (width >= 8 * (v + 1)) {
            __m256 old = adds ? _mm256_loadu_ps(target + 8 * v) : _mm256_setzero_ps();
            _mm256_storeu_ps(target + 8 * v, _mm256_add_ps(old, sums[v]));
        } else if (width > 8 * v) {
            __m256i mask = lanes(width, v);
            __m256 old = adds ? _mm256_maskload_ps(target + 8 * v, mask) : _mm256_setzero_ps();
            _mm256_maskstore_ps(target + 8 * v, mask, _mm256_add_ps(old, sums[v]));
        }
    }
}

INLINE void tile_of(int rows, int vectors, const float *const *row, int64_t step, int64_t length, const float *panel,
                    float *target, int64_t stride, int64_t width, int adds)
{
    __m256 sums[ROWS][2];
    clear(rows, vectors, sums);
    add_products(rows, vectors, row, step, length, panel, sums);
    for (int r = 0; r < rows; r++)
        put(target + r * stride, width, vectors, adds, sums[r]);
}

/* The product of one to six rows with a panel: target, whose rows are `stride` apart, = (target if `adds`) + product. */
FAST static void multiply_tile(int64_t rows, const float *const *row, int64_t step, int64_t length, const float *panel,
                               float *target, int64_t stride, int64_t width, int adds)
{
#define CASE(R)                                                                                                        \
    case R:                                                                                                            \
        if (width > 8)                                                                                                 \
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

static inline int64_t pitch_of(int64_t width) { return width > 8 ? WIDE : 8; }

static inline int64_t panels_of(int64_t columns) { return (columns + WIDE - 1) / WIDE; }

/* Packs rows of a matrix, `stride` apart, into a panel; zeros fill it up. */
FAST static void pack(const float *from, int64_t rows, int64_t stride, int64_t width, float *to)
{
    int64_t pitch = pitch_of(width);
    if (width == WIDE) {
        for (int64_t r = 0; r < rows; r++, from += stride, to += WIDE)
            memcpy(to, from, WIDE * 4);
        return;
    }
    __m256i mask[2] = {lanes(width, 0), lanes(width, 1)};
    for (int64_t r = 0; r < rows; r++, from += stride, to += pitch)
        for (int v = 0; v < pitch / 8; v++)
            _mm256_storeu_ps(to + 8 * v, _mm256_maskload_ps(from + 8 * v, mask[v]));
}

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
            __m256i mask = lanes(left, 0);
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
