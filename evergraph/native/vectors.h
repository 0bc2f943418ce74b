/* Vectors of numbers of one type, float or, with OF_DOUBLES, double: of 64 bytes for CPUs with AVX-512 if WITH_AVX512 is
   defined, otherwise of 32 bytes, which the compiler divides where a CPU has none of that size. */

#ifndef EVERGRAPH_VECTORS_H
#define EVERGRAPH_VECTORS_H

#include "ffi.h"
#include <string.h>

#ifdef OF_DOUBLES
typedef int64_t Index; /* as wide as a number */
#else
typedef int32_t Index;
#endif

#if defined(WITH_AVX512) && defined(__x86_64__)
#define VECTOR_BYTES 64
#else
#define VECTOR_BYTES 32
#endif

enum { LANES = VECTOR_BYTES / sizeof(Number) };
typedef Number Vector __attribute__((vector_size(VECTOR_BYTES)));

typedef Number Anywhere __attribute__((vector_size(VECTOR_BYTES), aligned(1), may_alias)); /* a vector in memory */

INLINE Vector load(const Number *from) { return *(const Anywhere *)from; }
INLINE void store(Number *to, Vector vector) { *(Anywhere *)to = vector; }

/* `lanes` tells the first `count` lanes of some vectors, those of vector `at`; nothing else is read or written then. */
#if VECTOR_BYTES == 64

#include <immintrin.h>
typedef __mmask16 Mask;

INLINE Mask lanes(int64_t count, int at)
{
    int64_t left = count - LANES * at;
    return (Mask)(left >= LANES ? (1 << LANES) - 1 : left > 0 ? (1 << left) - 1 : 0);
}

#ifdef OF_DOUBLES
#define VECTOR(OPERATION) _mm512_##OPERATION##_pd
#else
#define VECTOR(OPERATION) _mm512_##OPERATION##_ps
#endif
INLINE Vector load_lanes(const Number *from, Mask mask) { return VECTOR(maskz_loadu)(mask, from); }
INLINE void store_lanes(Number *to, Mask mask, Vector vector) { VECTOR(mask_storeu)(to, mask, vector); }

#else

typedef Index Mask __attribute__((vector_size(VECTOR_BYTES)));

INLINE Mask lanes(int64_t count, int at)
{
#ifdef OF_DOUBLES
    return (Mask)(count - LANES * at > (Mask){0, 1, 2, 3});
#else
    return (Mask)((int32_t)(count - LANES * at) > (Mask){0, 1, 2, 3, 4, 5, 6, 7});
#endif
}

#ifdef __x86_64__

#include <immintrin.h>
#ifdef OF_DOUBLES
#define VECTOR(OPERATION) _mm256_##OPERATION##_pd
#else
#define VECTOR(OPERATION) _mm256_##OPERATION##_ps
#endif
INLINE Mask chosen(Mask is_first, Mask first, Mask second)
{
    return (Mask)_mm256_blendv_epi8((__m256i)second, (__m256i)first, (__m256i)is_first);
}
INLINE Vector load_lanes(const Number *from, Mask mask) { return VECTOR(maskload)(from, (__m256i)mask); }
INLINE void store_lanes(Number *to, Mask mask, Vector vector) { VECTOR(maskstore)(to, (__m256i)mask, vector); }

#else

INLINE Mask chosen(Mask is_first, Mask first, Mask second) { return (is_first & first) | (~is_first & second); }

INLINE Vector load_lanes(const Number *from, Mask mask)
{
    Vector vector = {0};
    for (int lane = 0; lane < LANES && mask[lane]; lane++)
        vector[lane] = from[lane];
    return vector;
}

INLINE void store_lanes(Number *to, Mask mask, Vector vector)
{
    for (int lane = 0; lane < LANES && mask[lane]; lane++)
        to[lane] = vector[lane];
}

#endif

#endif

/* A number in all lanes. */
INLINE Vector spread(Number number)
{
#ifdef __x86_64__
    return VECTOR(set1)(number);
#else
    return number - (Vector){0};
#endif
}

/* The larger number of each pair, of which none is NaN. */
INLINE Vector larger(Vector a, Vector b)
{
#ifdef __x86_64__
    return VECTOR(max)(a, b);
#else
    for (int lane = 0; lane < LANES; lane++)
        a[lane] = a[lane] > b[lane] ? a[lane] : b[lane];
    return a;
#endif
}

INLINE Vector roots(Vector squares)
{
#ifdef __x86_64__
    return VECTOR(sqrt)(squares);
#else
    for (int lane = 0; lane < LANES; lane++)
        squares[lane] = sizeof(Number) == 8 ? __builtin_sqrt(squares[lane]) : __builtin_sqrtf(squares[lane]);
    return squares;
#endif
}

/* a * b + c, rounded once. */
INLINE Vector multiply_add(Vector a, Vector b, Vector c)
{
#ifdef __x86_64__
    return VECTOR(fmadd)(a, b, c);
#else
    for (int lane = 0; lane < LANES; lane++)
        c[lane] = sizeof(Number) == 8 ? __builtin_fma(a[lane], b[lane], c[lane]) : __builtin_fmaf(a[lane], b[lane], c[lane]);
    return c;
#endif
}

#endif
